"""Bars that say something: banners, the conflict bar, the toast."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from gui.i18n import tr
from gui.theme import GRID, SIDE_WIDTH, Theme
from gui.widgets.labels import Button, PlainLabel, restyle
from schema.frozen import frozen

if TYPE_CHECKING:
    from PySide6.QtCore import QObject, QSize
    from PySide6.QtGui import QEnterEvent
    from PySide6.QtWidgets import QWidget

TOAST_MS = 8_000


@frozen
class Notice:
    """What a banner says: `strong` first, then `text`, a line of a file, and one action."""

    name: str
    text: str
    strong: str = ""
    tone: Literal["warn", "bad", "plain"] = "warn"
    action: str = ""


class Banner(QFrame):
    """One message with at most one action; takes no room while there is none."""

    acted = Signal(object)
    """The `Notice` whose action the person wants."""

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._notice: Notice | None = None
        self._built = False
        self.hide()

    def _build(self) -> None:
        """Make what is in it, at the first word: most banners of a page never say one."""
        self._built = True
        name = self.objectName()
        self._strong = PlainLabel(name=f"{name}_strong", role="strong", wrap=True)
        self._text = PlainLabel(name=f"{name}_text", wrap=True).select_with_mouse()
        self._button = Button("", name=f"{name}_action")
        self._button.clicked.connect(self._act)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._strong)
        words.addWidget(self._text)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, GRID, GRID, GRID)
        row.setSpacing(GRID)
        row.addLayout(words, 1)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_notice(self, notice: Notice | None) -> None:
        """Say this, or with None nothing."""
        if notice == self._notice:
            return
        self._notice = notice
        if notice is None:
            self.hide()
            return
        if not self._built:
            self._build()
        self.setProperty("tone", notice.tone)
        restyle(self)
        self._strong.setText(notice.strong)
        self._strong.setVisible(bool(notice.strong))
        self._text.setText(notice.text)
        self._button.say(notice.action)
        self._button.setVisible(bool(notice.action))
        self.setAccessibleName(f"{notice.strong} {notice.text}".strip())
        self.show()  # at last: what is first shown in its tone need not be styled again

    def notice(self) -> Notice | None:
        """Give what is said."""
        return self._notice

    def _act(self) -> None:
        if self._notice is not None:
            self.acted.emit(self._notice)


class ConflictBar(QFrame):
    """What the person edits changed under them: reload, keep mine, compare."""

    reload_requested = Signal()
    keep_requested = Signal()
    compare_requested = Signal()

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("tone", "warn")
        self._text = PlainLabel(name=f"{name}_text", wrap=True)
        self.setAccessibleName(tr("The text changed on disk"))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, GRID, 12, GRID)
        column.setSpacing(GRID)
        column.addWidget(self._text)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for label, button_name, wish in (
            (tr("Reload"), "reload", self.reload_requested),
            (tr("Keep mine"), "keep", self.keep_requested),
            (tr("Compare"), "compare", self.compare_requested),
        ):
            button = Button(label, name=f"{name}_{button_name}")
            button.clicked.connect(wish)
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        self.hide()

    def tell(self, text: str) -> None:
        """Say what changed; an empty text hides the bar."""
        self._text.setText(text)
        self._text.setAccessibleName(text)
        self.setVisible(bool(text))


class Toast(QFrame):
    """Says for a while what happened, with *Undo* or another way back."""

    acted = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("toast")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._window = window
        self._act: Callable[[], None] | None = None
        self._said = ""
        self._text = PlainLabel(name="toast_text")
        self._button = Button("", name="toast_action", kind="toast")
        self._button.clicked.connect(self._do)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 2, 6, 2)
        row.setSpacing(GRID)
        row.addWidget(self._text)
        row.addWidget(self._button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self._theme = theme
        window.installEventFilter(self)
        self.hide()

    def show_message(
        self, text: str, action: str = "", act: Callable[[], None] | None = None
    ) -> None:
        """Say `text`; `act` is done when the person presses the button called `action`."""
        if self.graphicsEffect() is None:
            from PySide6.QtWidgets import QGraphicsDropShadowEffect

            shadow = QGraphicsDropShadowEffect(self)
            shadow.setBlurRadius(24)
            shadow.setOffset(0, 4)
            shade = self._theme.color("toast")
            shade.setAlpha(90)
            shadow.setColor(shade)
            self.setGraphicsEffect(shadow)
        self._act = act
        self._said = text
        self.setAccessibleName(text)
        self._button.say(action)
        self._button.setVisible(bool(action))
        self._timer.start(TOAST_MS)
        self._place()
        self.show()
        self.raise_()

    def text(self) -> str:
        """Give what is said; empty while the toast is hidden."""
        return "" if self.isHidden() else self._said

    def enterEvent(self, event: QEnterEvent) -> None:
        # Nobody should have to hurry to the button.
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start(TOAST_MS)
        super().leaveEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _do(self) -> None:
        act, self._act = self._act, None
        self._timer.stop()
        self.hide()
        if act is not None:
            act()

    def _place(self) -> None:
        """Lie over the footer, where nothing is pressed, and not over the side list."""
        room = self._window.width() - SIDE_WIDTH
        most = max(room - self._button.sizeHint().width() - 6 * GRID, 120)
        shown = self._text.fontMetrics().elidedText(self._said, Qt.TextElideMode.ElideRight, most)
        self._text.setText(shown)
        self._text.setToolTip(self._said if shown != self._said else "")
        size: QSize = self.sizeHint()
        self.setGeometry(
            SIDE_WIDTH + (room - size.width()) // 2,
            self._window.height() - size.height(),
            size.width(),
            size.height(),
        )
