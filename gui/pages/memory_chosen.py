"""The bar below the columns of the Memory page: how many entries are chosen, and what for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy

from gui.i18n import tr
from gui.theme import GRID, HALF
from gui.widgets.action_row import ActionRow
from gui.widgets.keys import native_keys
from gui.widgets.labels import Button, PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from gui.pages.memory_column import FileColumn

ONE_ROW_FROM = 760
"""In less room the words stand above the buttons."""


class ChosenBar(QFrame):
    """Is seen while entries are chosen and none is being edited."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chosen")
        self.setProperty("tone", "plain")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column: FileColumn | None = None
        self._words = PlainLabel(name="chosen_words", wrap=True)
        self.row = ActionRow(name="chosen_actions")
        self._end = Button(tr("Choose none"), name="chosen_end", kind="quiet")
        self._end.setToolTip(native_keys("Esc"))
        self._end.clicked.connect(self._choose_none)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(12, HALF + 2, HALF + 2, HALF + 2)
        self._box.setSpacing(HALF)
        self._box.addWidget(self._words, 1)
        below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        below.setSpacing(GRID)
        below.addWidget(self.row, 1, Qt.AlignmentFlag.AlignVCenter)
        below.addWidget(self._end)
        self._box.addLayout(below)
        self.hide()

    def show_choice(self, column: FileColumn) -> None:
        """Say what is chosen in `column`, the one in which it last changed."""
        choice = column.choice
        if not len(choice) and column is not self._column:
            return
        self._column = column
        if not len(choice) or column.edit.editor is not None:
            self._leave()
            return
        words = choice.words()
        self._words.setText(words)
        self.setAccessibleName(words)
        self.row.offer([(action, "") for action in choice.actions])
        self.show()

    def _leave(self) -> None:
        inside = self.focusWidget()
        had_keyboard = inside is not None and inside.hasFocus()
        self.hide()
        if had_keyboard and self._column is not None:
            self._column.take_focus()

    def words(self) -> str:
        """Give what is said; empty while nothing is chosen."""
        return "" if self.isHidden() else self._words.text()

    def _choose_none(self) -> None:
        if self._column is not None:
            self._column.choice.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= ONE_ROW_FROM
        self._box.setDirection(way.LeftToRight if wide else way.TopToBottom)
