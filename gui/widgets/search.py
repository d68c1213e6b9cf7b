"""The search field of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit

from gui.i18n import tr
from gui.theme import GRID
from gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

KEYS = "Ctrl+K"


class SearchField(QLineEdit):
    """A line to search in; Ctrl+K leads to it, Esc empties it and leads back."""

    searched = Signal(object)
    """The text, each time it changes."""
    left = Signal()
    """Esc was pressed in the empty field, or Enter."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("search")
        self.setAccessibleName(tr("Search"))
        self.setMinimumWidth(120)
        self.setMaximumWidth(260)
        self._hint = PlainLabel(
            QKeySequence(KEYS).toString(QKeySequence.SequenceFormat.NativeText),
            name="search_hint",
            role="key",
            parent=self,
        )
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(self._tell)

    def offer(self, placeholder: str) -> None:
        """Say what can be searched here."""
        self.setPlaceholderText(placeholder)
        self._place_hint()

    def begin(self) -> None:
        """Take the keyboard; what is typed replaces what was searched before."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
            else:
                self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_hint()

    def _tell(self, text: str) -> None:
        self._place_hint()
        self.searched.emit(text)

    def _place_hint(self) -> None:
        size = self._hint.sizeHint()
        self._hint.setGeometry(
            self.width() - size.width() - GRID,
            (self.height() - size.height()) // 2,
            size.width(),
            size.height(),
        )
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        fits = words + size.width() + 4 * GRID <= self.width()
        self._hint.setVisible(not self.text() and fits)
