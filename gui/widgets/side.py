"""The list at the left: profile, pages, badge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygon
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gui.i18n import tr
from gui.theme import GRID, HALF, SIDE_WIDTH, Theme
from gui.widgets.labels import Button, PlainLabel
from schema.frozen import frozen

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent


class Chooser(QComboBox):
    """A choice of a few, with the arrow in the colours of the scheme."""

    def __init__(self, theme: Theme, *, name: str, label: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self._theme = theme
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("dim"), 1.4))
        x, y = self.width() - 18, self.height() // 2 - 1
        painter.drawPolyline(QPolygon([QPoint(x, y), QPoint(x + 4, y + 4), QPoint(x + 8, y)]))
        painter.end()


@frozen
class SideEntry:
    """A page in the side list; `bottom` ones stand at the lower end."""

    page: str
    label: str
    bottom: bool = False


class SideButton(Button):
    """One page of the list, with room for a number."""

    def __init__(self, entry: SideEntry) -> None:
        super().__init__(entry.label, name=f"side_{entry.page}", kind="side")
        self.setCheckable(True)
        self._label = entry.label
        self._badge = PlainLabel(name="badge", parent=self)
        self._badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 10, 0)
        row.addStretch(1)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        self._badge.hide()

    def count(self, number: int) -> None:
        """Show `number` beside the name; nothing for 0."""
        self._badge.setText(f"{number:,}")
        self._badge.setVisible(number > 0)
        counted = tr("{page}, {number} waiting", page=self._label, number=number)
        self.setAccessibleName(counted if number else self._label)

    def badge(self) -> str:
        """Give the number that is shown, empty if there is none."""
        return "" if self._badge.isHidden() else self._badge.text()


class SideList(QWidget):
    """Profile switcher on top, then the pages, some of them at the lower end."""

    page_wanted = Signal(object)
    """The name of a page."""
    profile_wanted = Signal(object)
    """The name of a profile."""

    def __init__(self, theme: Theme, entries: tuple[SideEntry, ...]) -> None:
        super().__init__()
        self.setObjectName("side")
        self.setAccessibleName(tr("Pages"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(SIDE_WIDTH)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, SideButton] = {}
        self.profiles = Chooser(theme, name="profile", label=tr("Profile"))
        self.profiles.activated.connect(self._want_profile)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, 12, GRID, 12)
        column.setSpacing(HALF // 2)
        column.addWidget(self.profiles)
        column.addSpacing(12)
        for entry in (entry for entry in entries if not entry.bottom):
            column.addWidget(self._button(entry))
        column.addStretch(1)
        for entry in (entry for entry in entries if entry.bottom):
            column.addWidget(self._button(entry))

    def _button(self, entry: SideEntry) -> SideButton:
        button = self._buttons[entry.page] = SideButton(entry)
        self._group.addButton(button)
        button.clicked.connect(self._want_page)
        return button

    def button(self, page: str) -> SideButton:
        """The button of a page."""
        return self._buttons[page]

    def show_current(self, page: str) -> None:
        """Mark `page` as the one that is open."""
        if page in self._buttons:
            self._buttons[page].setChecked(True)

    def offer_pages(self, offered: bool) -> None:
        """Let pages and profiles be chosen, or not while no home is open."""
        self.profiles.setVisible(offered)
        for button in self._buttons.values():
            button.setEnabled(offered)

    def count(self, page: str, number: int) -> None:
        """Show how many things wait on `page`, if that page exists."""
        if page in self._buttons:
            self._buttons[page].count(number)

    def show_profiles(self, names: tuple[str, ...], current: str) -> None:
        """Offer these profiles."""
        self.profiles.clear()
        self.profiles.addItems([*names])
        self.profiles.setCurrentIndex(names.index(current) if current in names else -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        buttons = list(self._buttons.values())
        focused = next((at for at, button in enumerate(buttons) if button.hasFocus()), -1)
        if step and focused >= 0:
            buttons[(focused + step) % len(buttons)].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def _want_page(self) -> None:
        for page, button in self._buttons.items():
            if button is self.sender():
                self.page_wanted.emit(page)

    def _want_profile(self, row: int) -> None:
        self.profile_wanted.emit(self.profiles.itemText(row))
