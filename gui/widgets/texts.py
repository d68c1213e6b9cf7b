"""Text fields and file views that give back exactly what they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy

from gui.theme import GRID, Theme, mono_font

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

_BLOCK = "\u2029"
# Qt ends a paragraph at these; they go through the document as non-characters, which no text of
# a person or an agent may hold (Unicode 23.7), and come out as what they were.
_TO_QT = {
    "\u2029": "\ufdd2",
    "\r": "\ufdd3",
    "\x00": "\ufdd4",
    "\ufdd0": "\ufdd5",
    "\ufdd1": "\ufdd6",
}
_FROM_QT = {ord(there): here for here, there in _TO_QT.items()} | {ord(_BLOCK): "\n"}
_INTO_QT = {ord(here): there for here, there in _TO_QT.items()}


def into_qt(text: str) -> str:
    """Give `text` in a form that a QTextDocument takes without changing it."""
    return text.translate(_INTO_QT)


def from_qt(raw: str) -> str:
    """Give the text that a document's raw text stands for."""
    return raw.translate(_FROM_QT)


class PlainEditor(QPlainTextEdit):
    """A field for plain text of several lines, growing with it up to `most_lines`.

    `text()` is exactly what `set_text()` was given, plus what the person typed.
    """

    save_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, *, name: str, label: str, most_lines: int = 14) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self._most_lines = most_lines
        self.document().documentLayout().documentSizeChanged.connect(self._grow)
        self._grow()

    def set_text(self, text: str) -> None:
        """Show `text`; undo does not go back behind it."""
        self.setPlainText(into_qt(text))

    def text(self) -> str:
        """Give the text as it stands."""
        return from_qt(self.document().toRawText())

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(from_qt(self.textCursor().selectedText()))
        return data

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.textCursor().insertText(into_qt(source.text().replace("\r\n", "\n")))
            self.ensureCursorVisible()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.save_requested.emit()
        elif enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            # Shift+Enter makes U+2028 in Qt; nobody who types it means that.
            self.textCursor().insertText("\n")
        elif event.key() == Qt.Key.Key_Escape:
            self.cancel_requested.emit()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # A field that shows all of its text lets the list around it scroll.
        if self.verticalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Qt does not tell of lines that come and go with the width.
        self._grow()

    def _grow(self, *_: object) -> None:
        lines = max(1, int(self.document().size().height()))
        shown = min(lines, self._most_lines)
        height = self.fontMetrics().lineSpacing() * shown + 2 * GRID
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
            self.updateGeometry()


class FileView(QPlainTextEdit):
    """Text in fixed width to be read and copied, exactly as it is."""

    def __init__(self, theme: Theme, *, name: str, label: str, parent: QWidget | None = None):
        super().__init__(parent)
        self._theme = theme
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("kind", "file")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setFont(mono_font(theme.font()))
        self.document().setDocumentMargin(4)
        theme.changed.connect(self.paint_lines)

    def text(self) -> str:
        """Give the text that is shown."""
        return from_qt(self.document().toRawText())

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(from_qt(self.textCursor().selectedText()))
        return data

    def show_text(self, text: str) -> None:
        """Show `text`, staying at the same place if it changed only a little."""
        if text == self.text():
            return
        place = self.verticalScrollBar().value()
        self.setPlainText(into_qt(text))
        self.paint_lines()
        self.verticalScrollBar().setValue(place)

    def paint_lines(self) -> None:
        """Colour lines by `look_of`; called again when the scheme changes."""
        looks = [
            (number, roles)
            for number, line in enumerate(self.text().split("\n"))
            if (roles := self.look_of(number, line)) is not None
        ]
        if looks:
            self._colour(looks)

    def _colour(self, looks: list[tuple[int, tuple[str, str]]]) -> None:
        from PySide6.QtGui import QTextBlockFormat, QTextCursor

        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for number, (ground, ink) in looks:
            block = self.document().findBlockByNumber(number)
            cursor.setPosition(block.position())
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            look = QTextBlockFormat()
            look.setBackground(self._theme.color(ground))
            cursor.mergeBlockFormat(look)
            letters = cursor.charFormat()
            letters.setForeground(self._theme.color(ink))
            cursor.mergeCharFormat(letters)
        cursor.endEditBlock()

    def look_of(self, number: int, line: str) -> tuple[str, str] | None:
        """Give the roles of ground and letters for a line, or None for the usual look."""
        return None


class SnapshotView(FileView):
    """The block that the agent will see; what it is not shown stands out."""

    PLACEHOLDER = "[BLOCKED:"

    def look_of(self, number: int, line: str) -> tuple[str, str] | None:
        return ("bad_background", "bad") if line.startswith(self.PLACEHOLDER) else None


class DiffView(FileView):
    """Lines with a sign: removed and added ones by sign and colour."""

    SIGNS: ClassVar = {"added": "+ ", "removed": "- ", "same": "  "}
    _LOOKS: ClassVar = {"+": ("added_background", "added"), "-": ("removed_background", "removed")}

    def show_lines(self, lines: list[tuple[str, str]]) -> None:
        """Show pairs of kind ("same", "added", "removed") and text, one line each."""
        self.show_text("\n".join(self.SIGNS[kind] + text for kind, text in lines))

    def look_of(self, number: int, line: str) -> tuple[str, str] | None:
        return self._LOOKS.get(line[:1])
