"""Shows the lines of a diff, to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSizePolicy

from gui.models.pending_detail import DiffRow
from gui.theme import GRID, Theme
from gui.widgets.texts import FileView

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QWheelEvent


class DiffPane(FileView):
    """Rows of a diff: what goes, comes and stays by sign and colour, headings, and folds.

    With `most_lines` it is as high as its text, up to so many lines; else it fills its place.
    """

    SIGNS: ClassVar = {
        "added": "+  ",
        "removed": "-  ",
        "same": "   ",
        "head": "",
        "gap": "⋯  ",
        "note": "",
    }
    LOST = "-! "
    _LOOKS: ClassVar = {
        "added": ("added_background", "added"),
        "removed": ("removed_background", "removed"),
        "gap": ("card", "dim"),
        "note": ("card", "dim"),
        "same": ("card", "dim"),
        "head": ("card", "text"),
    }

    def __init__(self, theme: Theme, *, name: str, label: str, most_lines: int = 0) -> None:
        self._rows: tuple[DiffRow, ...] = ()
        self._most_lines = most_lines
        super().__init__(theme, name=name, label=label)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if most_lines:
            self.setProperty("kind", "inset")
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.document().documentLayout().documentSizeChanged.connect(self._fit)

    def show_rows(self, rows: Sequence[DiffRow]) -> None:
        """Show these rows."""
        if tuple(rows) == self._rows:
            return
        self._rows = tuple(rows)
        self.show_text("\n".join(map(self.line_of, rows)))
        self.verticalScrollBar().setValue(0)

    def rows(self) -> tuple[DiffRow, ...]:
        """Give the rows that are shown."""
        return self._rows

    def line_of(self, row: DiffRow) -> str:
        """Give a row as it stands in the text: its sign, then what it says."""
        return (self.LOST if row.lost else self.SIGNS[row.kind]) + row.text

    def look_of(self, number: int, line: str) -> tuple[str, str] | None:
        # A row is one line, unless its text has an odd line end in it.
        row = self._rows[number] if number < len(self._rows) else None
        return self._LOOKS[row.kind] if row is not None else None

    def paint_lines(self) -> None:
        super().paint_lines()
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        cursor = QTextCursor(self.document())
        for number, row in enumerate(self._rows):
            block = self.document().findBlockByNumber(number)
            if (row.lost or row.kind == "head") and block.isValid():
                cursor.setPosition(block.position())
                cursor.movePosition(
                    QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
                )
                cursor.mergeCharFormat(bold)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # What shows all of its text lets the page around it scroll.
        if self._most_lines and self.verticalScrollBar().maximum() == 0:
            event.ignore()
        else:
            super().wheelEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.height() if self._most_lines else 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._most_lines:
            self._fit()  # Qt does not tell of lines that come and go with the width

    def _fit(self, *_: object) -> None:
        lines = max(1, int(self.document().size().height()))
        height = self.fontMetrics().lineSpacing() * min(lines, self._most_lines) + 2 * GRID
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
            self.updateGeometry()
