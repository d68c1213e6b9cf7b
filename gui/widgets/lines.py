"""A file as it is: numbered lines in fixed width, some of them marked, however long it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
    QWidget,
)

from gui.i18n import tr
from gui.models.cards import Index
from gui.theme import GRID, HALF, Theme, mono_font
from schema.frozen import frozen

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent, QPainter
    from PySide6.QtGui import QResizeEvent as ResizeEvent
    from PySide6.QtWidgets import (
        QStyleOptionViewItem,
    )

FIRST_ROWS = 100
ROWS_A_TURN = 200
"""A long file comes in pieces, so that the window stays at hand."""
NOTE = "← "


@frozen
class LineRow:
    """What stands in one row: all of a line or a piece of it.

    `number` is that of the line, 0 in later pieces of it; `last` tells the last piece.
    """

    line: int
    number: int
    text: str
    note: str = ""
    last: bool = True


def pieces(text: str, columns: int, wide: float = 2.0) -> Iterator[str]:
    """Break a line into pieces that fit; after a space where there is one. Nothing is left out."""
    if text.isascii():
        at = 0
        while len(text) - at > columns:
            end = text.rfind(" ", at + 1, at + columns) + 1 or at + columns
            yield text[at:end]
            at = end
        yield text[at:]
        return
    begin, used, space = 0, 0.0, 0
    for at, letter in enumerate(text):
        size = wide if unicodedata.east_asian_width(letter) in "WF" else 1.0
        if used + size > columns and at > begin:
            end = space if space > begin else at
            yield text[begin:end]
            begin, space = end, 0
            used = sum(wide if unicodedata.east_asian_width(c) in "WF" else 1.0
                       for c in text[begin:at])  # fmt: skip
        used += size
        if letter == " ":
            space = at + 1
    yield text[begin:]


def rows_of(
    lines: Sequence[str], marks: Mapping[int, str], columns: int, wide: float = 2.0
) -> Iterator[LineRow]:
    """The rows in which lines are shown, `columns` wide."""
    for line, text in enumerate(lines, 1):
        note = marks.get(line, "")
        if len(text) * wide <= columns:
            beside = (len(text) + len(note)) * wide <= columns
            yield LineRow(line, line, text, note if beside else "")
        else:  # one piece after the other: a single line may be the whole file
            beside, number, held = False, line, None
            for piece in pieces(text, columns, wide):
                if held is not None:
                    yield LineRow(line, number, held, last=False)
                    number = 0
                held = piece
            yield LineRow(line, number, held or "")
        if note and not beside:
            yield LineRow(line, 0, "", note)


class LineModel(QAbstractListModel):
    """Rows of a file."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.rows: list[LineRow] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = tr("line {line}", line=row.line)
            return ", ".join(part for part in (words, row.text, row.note) if part)
        return None

    def start(self, rows: list[LineRow]) -> None:
        """Have these rows only."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def add(self, rows: list[LineRow]) -> None:
        """Have more rows."""
        self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(rows) - 1)
        self.rows += rows
        self.endInsertRows()


class LineView(QTableView):
    """Shows lines with their numbers. A marked line stands out; so do those of `point_at`.

    A table of one column: it lays out only what is seen, where a list would all of it.
    """

    def __init__(self, theme: Theme, *, name: str, label: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("kind", "file")
        # Ours, not Qt's own: asked for an object that Python does not know, PySide looks through
        # all its widget classes.
        self._room = QWidget()
        self.setViewport(self._room)
        self._theme = theme
        self._lines: Sequence[str] = ()
        self.marks: Mapping[int, str] = {}
        self.pointed = range(0)
        self._rest: Iterator[LineRow] = iter(())
        self._columns = 0
        self._wanted = 0
        self._rows = LineModel(self)
        self._delegate = LineDelegate(theme, self)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._show_more)
        self.setModel(self._rows)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        heads = self.verticalHeader()
        heads.hide()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setMinimumSectionSize(1)
        heads.setDefaultSectionSize(self._delegate.height)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        theme.changed.connect(self._start)

    def show_lines(self, lines: Sequence[str], marks: Mapping[int, str]) -> None:
        """Show a file; the first marked line is brought into view."""
        same = lines == self._lines
        self._lines, self.marks = lines, marks
        place = self.verticalScrollBar().value() if same else 0
        self._start()
        if same:
            self.verticalScrollBar().setValue(place)
        elif marks:
            self._bring(min(marks))

    def point_at(self, lines: tuple[int, int] | None) -> None:
        """Point at these lines, first and last."""
        self.pointed = range(lines[0], lines[1] + 1) if lines and lines[0] else range(0)
        self._room.update()
        if self.pointed:
            self._bring(self.pointed.start)

    def rows(self) -> list[LineRow]:
        """What is shown, from top to bottom."""
        return self._rows.rows

    def _bring(self, line: int) -> None:
        """Bring a line into view, with those that follow it."""
        from bisect import bisect_left

        self._wanted = line
        row = bisect_left(self._rows.rows, line, key=lambda one: one.line)
        if row >= len(self._rows.rows):
            return  # not here yet; it is brought when it comes
        self._wanted = 0
        index = self._rows.index(row, 0)
        rect = self.visualRect(index)
        if not self._room.rect().contains(rect):
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _start(self) -> None:
        columns, wide = self._delegate.columns(self._room.width(), len(self._lines))
        self._columns = columns
        self._rest = rows_of(self._lines, self.marks, columns, wide)
        self._rows.start(list(islice(self._rest, FIRST_ROWS)))
        if len(self._rows.rows) == FIRST_ROWS:
            self._timer.start()
        else:
            self._timer.stop()

    def _show_more(self) -> None:
        rows = list(islice(self._rest, ROWS_A_TURN))
        if rows:
            self._rows.add(rows)
        if len(rows) < ROWS_A_TURN:
            self._timer.stop()
        if self._wanted:
            self._bring(self._wanted)

    def resizeEvent(self, event: ResizeEvent) -> None:
        super().resizeEvent(event)
        columns, _ = self._delegate.columns(self._room.width(), len(self._lines))
        if columns != self._columns and self._lines:
            at = self.indexAt(self._room.rect().topLeft())
            line = self._rows.rows[at.row()].line if at.isValid() and at.row() > 0 else 0
            self._start()
            if line:
                self._bring(line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            lines = sorted({self._rows.rows[i.row()].line for i in self.selectedIndexes()})
            QGuiApplication.clipboard().setText("\n".join(self._lines[at - 1] for at in lines))
            event.accept()
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 96)


class LineDelegate(QStyledItemDelegate):
    """Paints one row of a file."""

    def __init__(self, theme: Theme, view: LineView) -> None:
        super().__init__(view)
        self._view, self._theme = view, theme
        self._font = mono_font(theme.font())
        self._metrics = QFontMetricsF(self._font)
        self._letter = self._metrics.horizontalAdvance("0")
        self._wide = max(self._metrics.horizontalAdvance("国") / self._letter, 1.0)
        self._gutter = 0.0
        self.height = int(self._metrics.height() + HALF)

    def columns(self, width: int, lines: int) -> tuple[int, float]:
        """How many letters fit beside the numbers, and how many of them a Han character takes."""
        self._gutter = (max(len(str(lines)), 2) + 1) * self._letter + GRID
        room = width - self._gutter - GRID
        return max(int(room / self._letter), 8), self._wide

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._view.rows()[index.row()]
        rect, color = QRectF(option.rect), self._theme.color
        marked, pointed = row.line in self._view.marks, row.line in self._view.pointed
        selected = self._view.selectionModel().isSelected(index)
        if selected:
            painter.fillRect(rect, color("accent_background"))
        elif marked:
            painter.fillRect(rect, color("warn_background"))
        elif pointed:
            painter.fillRect(rect, color("hover"))
        if marked or pointed:
            bar = QRectF(rect.left(), rect.top(), 3, rect.height())
            painter.fillRect(bar, color("accent" if pointed else "warn_bar"))
        painter.setFont(self._font)
        left = rect.left() + self._gutter
        if row.number:
            painter.setPen(color("dim"))
            number = QRectF(rect.left(), rect.top(), self._gutter - GRID, rect.height())
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(number, flags, str(row.number))
        text = _seen(row) if marked else row.text
        delimiter = row.text.strip() == "§"
        painter.setPen(color("accent" if delimiter else "text" if marked or pointed else "dim"))
        place = QRectF(left, rect.top(), rect.right() - left, rect.height())
        flag = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(place, flag, text)
        if row.note:
            painter.setPen(color("warn"))
            beside = self._metrics.horizontalAdvance(text + "  ") if text else 0.0
            place.setLeft(left + beside)
            painter.drawText(place, flag, NOTE + row.note)


def _seen(row: LineRow) -> str:
    """Spaces at the end of a line made visible, so that it shows what is wrong with it."""
    inner = row.text.rstrip(" \t") if row.last else row.text
    return inner + row.text[len(inner) :].replace(" ", "·").replace("\t", "→")
