"""The buttons that stand on a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from gui.widgets.labels import press_with_return

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeyEvent


class CardButton(QToolButton):
    """One thing that can be done with a card."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_with_return(self, event):
            super().keyPressEvent(event)


class CardActions(QWidget):
    """The buttons of the card that is selected or under the mouse."""

    pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("card_actions")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(4, 0, 0, 0)
        self._row.setSpacing(2)
        self._offered: list[tuple[CardButton, QAction]] = []
        self.hide()

    def offer(self, actions: Sequence[QAction]) -> None:
        """Have one button for each action."""
        if [action for _, action in self._offered] == list(actions):
            return
        for button, _ in self._offered:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._offered.clear()
        for action in actions:
            button = CardButton(self)
            button.setDefaultAction(action)
            button.setObjectName(f"card_{action.objectName()}")
            button.setAccessibleName(action.text())
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.pressed.connect(self.pressed)
            self._row.addWidget(button)
            self._offered.append((button, action))

    def show_possible(self) -> bool:
        """Have only the buttons of what can be done now; whether there are any.

        An action with a `reason` why it cannot be done has its button all the same, with that.
        """
        shown = False
        for button, action in self._offered:
            reason = action.property("reason") or ""
            button.setAccessibleDescription(reason)
            button.setVisible(action.isEnabled() or bool(reason))
            shown |= action.isEnabled() or bool(reason)
        return shown
