"""The files that a skill write touches, each as a diff under its name; also any file as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr
from gui.models.pending_detail import DiffRow, some
from gui.theme import GRID, Theme
from gui.widgets.diff import DiffPane
from gui.widgets.labels import ElidedLabel, PlainLabel
from gui.words import say
from store.refusals import Unreadable

if TYPE_CHECKING:
    from store.desk import Desk

MOST_BYTES = 1_000_000


class FilesPane(QWidget):
    """A title with a few words beside it, and the rows below."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("record_files")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._title = PlainLabel(name="files_title", role="head")
        self._words = ElidedLabel(name="files_words", role="dim")
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self._title)
        head.addWidget(self._words, 1)
        self.diff = DiffPane(theme, name="files_diff", label=tr("Difference"))
        self.diff.setMinimumHeight(96)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.diff, 1)
        self.hide()

    def show_rows(self, title: str, words: str, rows: Sequence[DiffRow]) -> None:
        """Show these."""
        self._title.setText(title)
        self._words.setText(words)
        self.diff.show_rows(rows or (DiffRow("note", tr("Nothing would change.")),))

    def words(self) -> str:
        """Give what stands beside the title."""
        return self._words.text()


def read_rows(desk: Desk, file: str) -> tuple[DiffRow, ...]:
    """Read a file of the queue as lines to look at, whatever it holds. Runs in the background."""
    found = desk.disk.read(Path(file), follow=False, at_most=MOST_BYTES)
    if isinstance(found, Unreadable):
        return (DiffRow("note", say(found)),)
    if found.data is None:
        return (DiffRow("note", tr("The file is gone.")),)
    text = found.data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    rows = some([DiffRow("same", line) for line in text.split("\n")])
    return rows if found.data else (DiffRow("note", tr("The file is empty.")),)
