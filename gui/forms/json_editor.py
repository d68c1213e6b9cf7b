"""The editor of a JSON field: numbered lines, the place of a mistake, a tidy form on request."""

from __future__ import annotations

import json

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from gui.forms.editor import FieldEditor
from gui.i18n import tr
from gui.theme import GRID, HALF, Theme, mono_font
from gui.widgets.labels import Button
from gui.widgets.texts import PlainEditor
from schema.fields import UNSET, Field
from schema.values import Problem, show


class Numbers(QWidget):
    """The numbers beside the lines of a `NumberedEditor`."""

    def __init__(self, editor: NumberedEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.room_for_numbers(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._editor.paint_numbers(painter, event.rect())
        painter.end()


class NumberedEditor(PlainEditor):
    """A plain text field in fixed width whose lines are numbered once there are several."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__(name=name, label="")
        self._theme = theme
        self.setFont(mono_font(theme.font()))
        self._numbers = Numbers(self)
        self._numbers.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._follow)
        theme.changed.connect(self._numbers.update)
        self._make_room()

    def room_for_numbers(self) -> int:
        """How wide the numbers are; nothing for a single line."""
        if self.blockCount() < 2:
            return 0
        return self.fontMetrics().horizontalAdvance("9") * len(str(self.blockCount())) + 12

    def paint_numbers(self, painter: QPainter, area: QRect) -> None:
        """Draw the numbers of the lines in sight."""
        painter.setFont(self.font())
        painter.setPen(self._theme.color("dim"))
        width, block = self._numbers.width() - GRID, self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if place.top() > area.bottom():
                break
            line = QRect(0, int(place.top()), width, self.fontMetrics().height())
            painter.drawText(line, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            block = block.next()

    def mark(self, line: int, column: int) -> None:
        """Underline what stands at that place, counted from 1; nothing if `line` is 0."""
        marks = []
        if line:
            block = self.document().findBlockByNumber(line - 1)
            cursor = QTextCursor(block)
            at = min(max(column - 1, 0), max(block.length() - 2, 0))
            cursor.setPosition(block.position() + at)
            step = QTextCursor.MoveOperation.NextCharacter
            cursor.movePosition(step, QTextCursor.MoveMode.KeepAnchor)
            mark = QTextEdit.ExtraSelection()
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(self._theme.color("bad"))
            look.setBackground(self._theme.color("bad_background"))
            mark.format, mark.cursor = look, cursor
            marks.append(mark)
        self.setExtraSelections(marks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        room = self.room_for_numbers()
        self._numbers.setGeometry(inside.left(), inside.top(), room, inside.height())

    def _make_room(self, *_: object) -> None:
        room = self.room_for_numbers()
        self.setViewportMargins(room, 0, 0, 0)
        self._numbers.setGeometry(0, 0, room, self.contentsRect().height())
        self._numbers.setVisible(bool(room))

    def _follow(self, area: QRect, scrolled: int) -> None:
        if scrolled:
            self._numbers.scroll(0, scrolled)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())


class JsonEditor(FieldEditor):
    """A JSON object or list, in as many lines as it takes."""

    stretches = True

    def __init__(self, field: Field, theme: Theme, *, name: str) -> None:
        super().__init__(field, theme, name=name)
        self.text = NumberedEditor(theme, name=f"{name}_text")
        self.text.setPlaceholderText(show(field, field.default) or field.placeholder)
        self.text.textChanged.connect(self._typed)
        self.tidy_button = Button(tr("Tidy up"), name=f"{name}_tidy", kind="link")
        self.tidy_button.setToolTip(tr("One item per line, indented; the value stays the same."))
        self.tidy_button.clicked.connect(self.tidy)
        self._told = ""
        self._none = True
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(HALF)
        column.addWidget(self.text)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.tidy_button)
        column.addLayout(row)
        self._offer_tidy()

    def raw(self) -> str | None:
        text = self.text.text()
        return text if text or not self._none else None

    def show_raw(self, raw: str | None) -> None:
        self._none = raw is None
        self._told = raw or ""
        self.text.set_text(self._told)
        self._look()

    def parts(self) -> tuple[QWidget, ...]:
        return (self.text,)

    def tidy(self) -> None:
        """Write the value one item to a line. What it says stays the same."""
        tidied = self._tidied()
        if tidied is not None:
            cursor = self.text.textCursor()
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(tidied)
            self.take_focus()

    def _tidied(self) -> str | None:
        """The tidy form of what is typed; None if there is none, or it is that already."""
        value = self.value()
        if isinstance(value, Problem) or value is UNSET or not self.text.text().strip():
            return None
        tidied = json.dumps(value, ensure_ascii=False, indent=2)
        return tidied if tidied != self.text.text() else None

    def _typed(self) -> None:
        # The signal also comes when the program writes, and when only the look changed.
        if self.text.text() != self._told:
            self._told = self.text.text()
            self._none = not self._told
            self._look()
            self.edited.emit()

    def _look(self) -> None:
        value = self.value()
        wrong = value if isinstance(value, Problem) else None
        self.text.mark(wrong.line if wrong else 0, wrong.column if wrong else 0)
        self._offer_tidy()

    def _offer_tidy(self) -> None:
        self.tidy_button.setVisible(self._tidied() is not None and self.isEnabled())
