"""Buttons for actions in a row; those for which there is no room go into a menu at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.i18n import tr
from gui.theme import GRID
from gui.widgets.labels import ActionButton, Button

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent


class ActionRow(QWidget):
    """As many of its buttons as fit, and *More* for the others.

    Those with a `kind` of look, as the primary one, stay as long as any does.
    """

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._actions: list[QAction] = []
        self._kinds: list[str] = []
        self._more: Button | None = None
        self.buttons: list[ActionButton] = []

    def offer(self, actions: Sequence[tuple[QAction, str]]) -> None:
        """Have a button for each action, of that kind of look."""
        if [action for action, _ in actions] == self._actions:
            return  # the buttons follow their actions by themselves
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self._actions = [action for action, _ in actions]
        self._kinds = [kind for _, kind in actions]
        self.buttons = [
            ActionButton(action, kind=kind, parent=self, shown=False) for action, kind in actions
        ]
        for action in self._actions:
            action.changed.connect(self._place_again)
        self._place_again()

    def folded(self) -> list[QAction]:
        """Give the actions that are in the menu."""
        pairs = zip(self._actions, self.buttons, strict=True)
        return [action for action, button in pairs if action.isVisible() and button.isHidden()]

    # -- layout ----------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(self._width_of(self._wanted()), self._height())

    def minimumSizeHint(self) -> QSize:
        wanted = self._wanted()
        firm = [at for at in wanted if self._kinds[at]]
        return QSize(self._width_of(firm, more=firm != wanted), self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange):
            self._place_again()
        return super().event(event)

    def _place_again(self) -> None:
        self.updateGeometry()
        self._place()

    def _wanted(self) -> list[int]:
        return [at for at, action in enumerate(self._actions) if action.isVisible()]

    def _width_of(self, rows: Sequence[int], *, more: bool = False) -> int:
        widths = [self.buttons[at].sizeHint().width() for at in rows]
        if more:
            widths.append(self._more_button().sizeHint().width())
        return sum(widths) + GRID * max(len(widths) - 1, 0)

    def _height(self) -> int:
        return max((button.sizeHint().height() for button in self.buttons), default=0)

    def _more_button(self) -> Button:
        if self._more is None:
            self._more = Button(tr("More"), name=f"{self.objectName()}_more", parent=self)
            self._more.clicked.connect(self._open_menu)
            self._more.hide()
        return self._more

    def _place(self) -> None:
        shown = self._wanted()
        more = False
        while self._width_of(shown, more=more) > self.width():
            spare = next((at for at in reversed(shown) if not self._kinds[at]), None)
            if spare is None:
                break
            shown.remove(spare)
            more = True
        x, height = self.width() - self._width_of(shown, more=more), self.height()
        row: list[Button] = [self.buttons[at] for at in shown if not self._kinds[at]]
        row += [self._more_button()] if more else []
        row += [self.buttons[at] for at in shown if self._kinds[at]]
        for button in (*self.buttons, *([self._more] if self._more is not None else [])):
            button.setVisible(button in row)
        for button in row:
            width = button.sizeHint().width()
            button.setGeometry(QRect(x, 0, width, height))
            x += width + GRID

    def _open_menu(self) -> None:
        from PySide6.QtWidgets import QMenu

        menu = QMenu(self)
        menu.setObjectName(f"{self.objectName()}_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.folded())
        menu.popup(self._more_button().mapToGlobal(QPoint(0, self.height())))
