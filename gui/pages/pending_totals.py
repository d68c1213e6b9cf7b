"""Where approving all ticked records would lead, told live below the list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from gui.i18n import tr, trn
from gui.models.memory import file_words
from gui.models.pending import PendingView
from gui.pages.pending_work import Ends, weigh
from gui.tasks import Tasks, Ticket
from gui.theme import GRID
from gui.widgets.labels import PlainLabel, restyle
from store.pending.end_state import FileEnd


class Totals(QFrame):
    """A line for each file, one for the skills, and how many would be declined."""

    weighed = Signal()
    """It is known what would be declined of what is ticked, or nothing is ticked."""

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self.setObjectName("totals")
        self.setProperty("tone", "plain")
        self._tasks = tasks
        self._weighing = Ticket()
        self.refused: frozenset[str] = frozenset()
        self._words = PlainLabel(name="total_words", wrap=True)
        inner = QVBoxLayout(self)
        inner.setContentsMargins(12, GRID, 12, GRID)
        inner.addWidget(self._words)
        self.hide()

    def weigh(self, view: PendingView | None, keys: Sequence[str], ticked: Collection[str]) -> None:
        """Work out where approving the ticked ones of `keys`, in that order, leads."""
        self._weighing.cancel()
        self.refused = frozenset()
        if not ticked or view is None:
            self.hide()
            return
        self._weighing = Ticket()
        work = partial(weigh, view, tuple(keys), frozenset(ticked), self._weighing.is_cancelled)
        self._tasks.read(self, work, self._show, ticket=self._weighing)

    def _show(self, ends: Ends) -> None:
        self.refused = ends.refused
        lines = [_end_words(profile, file) for profile, file in ends.files]
        if ends.skills:
            writes = trn("{n} write", "{n} writes", ends.skills)
            lines.append(
                trn(
                    "Skills: {writes} — {n} file changes",
                    "Skills: {writes} — {n} files change",
                    ends.skill_files,
                    writes=writes,
                )
            )
        if count := len(ends.refused):
            lines.append(
                trn("{n} of them would be declined.", "{n} of them would be declined.", count)
            )
        self._words.setText("\n".join(lines))
        tone = "bad" if ends.refused else "plain"
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)
        self.show()
        self.weighed.emit()

    def words(self) -> str:
        """Give what is said about the end state of what is ticked."""
        return "" if self.isHidden() else self._words.text()


def _end_words(profile: str, end: FileEnd) -> str:
    from store.memory.budget import percent

    text = tr(
        "{file}: {before}% → {after}% — {would_be:,}/{limit:,} chars",
        file=file_words(end.target),
        before=percent(end.chars_before, end.limit),
        after=percent(end.chars_after, end.limit),
        would_be=end.chars_after,
        limit=end.limit,
    )
    return f"{profile} · {text}" if profile else text
