"""What stands where there is nothing yet: what would be here, and how to get the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import GRID
from gui.widgets.labels import Button, PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

EDGE = 2 * GRID


class EmptyPage(QWidget):
    """A title, a sentence, and buttons in the middle of the room."""

    acted = Signal(object)
    """The name of the button that was pressed."""

    def __init__(self, *, name: str, title: str = "", text: str = "") -> None:
        super().__init__()
        self.setObjectName(name)
        self._name = name
        self._title = PlainLabel(name=f"{name}_title", role="head", wrap=True)
        self._text = PlainLabel(name=f"{name}_text", role="dim", wrap=True)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setMaximumWidth(52 * GRID)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(GRID)
        column = QVBoxLayout(self)
        column.setContentsMargins(EDGE, 3 * GRID, EDGE, 3 * GRID)
        column.setSpacing(GRID)
        column.addStretch(1)
        for label in (self._title, self._text):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(label, 100)
            row.addStretch(1)
            column.addLayout(row)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addLayout(self._buttons)
        middle.addStretch(1)
        column.addSpacing(GRID)
        column.addLayout(middle)
        column.addStretch(2)
        self.say(title, text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Put the buttons beside each other if there is room for that."""
        items = (self._buttons.itemAt(at) for at in range(self._buttons.count()))
        wanted = sum(item.sizeHint().width() + GRID for item in items if item is not None) - GRID
        fits = wanted <= self.width() - 2 * EDGE
        way = QBoxLayout.Direction
        self._buttons.setDirection(way.LeftToRight if fits else way.TopToBottom)

    def say(self, title: str, text: str) -> None:
        """Change the words."""
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}" if title else text)

    def add_button(self, label: str, name: str, kind: str = "") -> Button:
        """Offer a way on."""
        button = Button(label, name=f"{self._name}_{name}", kind=kind)
        button.clicked.connect(lambda: self.acted.emit(name))
        self._buttons.addWidget(button)
        return button
