"""Labels and buttons that show text as it is, whatever is in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent
    from PySide6.QtWidgets import QAbstractButton, QWidget


class PlainLabel(QLabel):
    """A label whose text is never taken for markup. `role` is a look in desk.qss."""

    def __init__(
        self,
        text: str = "",
        *,
        name: str,
        role: str = "",
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName(name)
        self.setWordWrap(wrap)
        if role:
            self.setProperty("role", role)
        self.setText(text)

    def select_with_mouse(self) -> PlainLabel:
        """Let the text be marked and copied."""
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        return self


class ElidedLabel(PlainLabel):
    """One line that is cut with … where there is no room; the tooltip then has all of it."""

    def __init__(self, text: str = "", *, name: str, role: str = "") -> None:
        self._whole = ""
        super().__init__(text, name=name, role=role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def setText(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self._cut()

    def whole_text(self) -> str:
        """Give the text before it was cut."""
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _cut(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._whole, Qt.TextElideMode.ElideRight, max(self.width(), 0)
        )
        if shown != self.text():
            super().setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


def press_with_return(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Press `button` if the key is Return or Enter; Qt itself only does so in dialogs."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    if not event.isAutoRepeat():
        button.click()
    event.accept()
    return True


class Button(QPushButton):
    """A push button with a name for tests and one for screen readers. `kind` is in desk.qss."""

    def __init__(
        self, text: str, *, name: str, kind: str = "", parent: QWidget | None = None
    ) -> None:
        # Not super().__init__(text): PySide would first see whether it is an icon.
        super().__init__()
        if parent is not None:
            self.setParent(parent)
        self.setText(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        if kind:
            self.setProperty("kind", kind)

    def say(self, text: str) -> None:
        """Change what it is called."""
        self.setText(text)
        self.setAccessibleName(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_with_return(self, event):
            super().keyPressEvent(event)


def make_action(
    parent: QWidget, *, name: str, text: str, act: Callable[[], object], keys: str = ""
) -> QAction:
    """Make an action of `parent`. `keys` is its shortcut."""
    # Not QAction(text, parent): PySide would first see whether the text is an icon.
    action = QAction(parent)
    action.setText(text)
    action.setObjectName(name)
    if keys:
        action.setShortcut(QKeySequence(keys))
    action.triggered.connect(lambda _checked=False: act())
    return action


class ActionButton(Button):
    """A push button for a QAction: its text, tooltip, menu and state are the action's.

    Not `shown`: whether it is seen is for the row in which it stands.
    """

    def __init__(
        self,
        action: QAction,
        *,
        kind: str = "",
        parent: QWidget | None = None,
        shown: bool = True,
    ) -> None:
        super().__init__(action.text(), name=f"{action.objectName()}_button", kind=kind)
        self._shown = shown
        if parent is not None:
            self.setParent(parent)
        self._action = action
        action.changed.connect(self._take_over)
        self.clicked.connect(self._press)
        self._take_over()

    def _take_over(self) -> None:
        self.say(self._action.text())
        self.setEnabled(self._action.isEnabled())
        if not self._action.isVisible():
            self.hide()
        elif self._shown and self.parentWidget() is not None:
            self.show()
        own = self._action.toolTip()
        # What cannot be done now says why, where the action tells it.
        why = own if own != self._action.text() and not self._action.isEnabled() else ""
        keys = self._action.shortcut().toString()
        self.setToolTip(why or keys or own)
        self.setAccessibleDescription(why)

    def _press(self) -> None:
        menu: Any = self._action.menu()
        if menu is None:
            self._action.trigger()
        else:
            menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


def restyle(widget: QWidget) -> None:
    """Look at the style sheet again after a property changed that it asks for."""
    if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return  # it has not looked yet
    widget.style().unpolish(widget)
    widget.style().polish(widget)
