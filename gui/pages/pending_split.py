"""The list and the chosen record of the Pending page, side by side or below each other."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from gui.theme import BAR, GRID


class Split(QWidget):
    """Shares its room among both."""

    def __init__(self, column: QWidget, detail: QWidget) -> None:
        super().__init__()
        self.setObjectName("page_body")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.addWidget(column, 2)
        self._row.addWidget(detail, 3)
        self.set_narrow(False)

    def set_narrow(self, narrow: bool) -> None:
        """Stand below each other where there is no room side by side."""
        way = QBoxLayout.Direction
        self._row.setDirection(way.TopToBottom if narrow else way.LeftToRight)
        self._row.setSpacing(GRID if narrow else 2 * GRID - BAR)
        self._row.setStretch(1, 2 if narrow else 3)


def inset(widget: QWidget, *, below: int = 0) -> QVBoxLayout:
    """Keep `widget` in line with the cards, right of which a scroll bar runs."""
    layout = QVBoxLayout()
    layout.setContentsMargins(0, 0, BAR, below)
    layout.addWidget(widget)
    return layout
