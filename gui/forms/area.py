"""The part of a page in which forms scroll."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from gui.forms.row import FieldRow
from gui.theme import GRID


class FormArea(QScrollArea):
    """Widgets below one another, as wide as the area; keeps in sight what was asked for."""

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._led_to: FieldRow | None = None
        self._inside = QWidget()
        self._inside.setObjectName("page_body")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, GRID, 0, 2 * GRID)
        self._column.setSpacing(3 * GRID)
        self._column.addStretch(1)
        self.setWidget(self._inside)
        self._inside.installEventFilter(self)
        self.verticalScrollBar().actionTriggered.connect(self._let_go)

    def keep_in_sight(self, widget: QWidget) -> None:
        """Scroll to `widget`, if it is in here."""
        if self._inside.isAncestorOf(widget):
            self.ensureWidgetVisible(widget, 0, 2 * GRID)

    def inside(self) -> QWidget:
        """The parent of what is added: a widget that moves to another is styled once more."""
        return self._inside

    def add(self, widget: QWidget) -> None:
        """Put `widget` at the end."""
        self._column.insertWidget(self._column.count() - 1, widget)

    def lead_to(self, row: FieldRow) -> None:
        """Put the keyboard into a row and bring it into sight."""
        row.editor.take_focus()
        self._led_to = row
        self.ensureWidgetVisible(row, 0, 2 * GRID)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A page that was just filled goes on growing; the row that was asked for stays in sight
        # until the person goes elsewhere.
        row, focused = self._led_to, self._inside.focusWidget()
        if event.type() == QEvent.Type.Resize and row is not None and focused is not None:
            if row.isAncestorOf(focused):
                self.ensureWidgetVisible(row, 0, 2 * GRID)
            else:
                self._led_to = None
        return super().eventFilter(watched, event)

    def _let_go(self) -> None:
        self._led_to = None
