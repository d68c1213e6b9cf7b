"""Writes the settings that were edited, and takes them back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.i18n import tr
from gui.models.settings import Saved, save, told, undo
from gui.words import say
from gui.workplace import Said, Workplace
from store.config import Declined, Edit, Plan
from store.refusals import Conflict

if TYPE_CHECKING:
    from store.desk import Desk


class Saver(QObject):
    """What was saved last on the open home can be taken back, as long as nothing else changed."""

    written = Signal(object)
    """A `SettingsView`: config.yaml is as the person wished."""
    declined = Signal(object)
    """A `Saved` whose edits were not made."""

    def __init__(self, place: Workplace, owner: QObject) -> None:
        super().__init__(owner)
        self._place = place
        self._owner = owner
        self._last: Callable[[], None] | None = None

    def save(self, edits: tuple[Edit, ...]) -> None:
        """Store all of `edits`, or none."""
        desk = self._place.desk
        if desk is not None:
            self._write(desk, partial(save, desk, edits), partial(self._saved, desk))

    def can_undo(self) -> bool:
        """Whether the last thing done here can be taken back."""
        return self._last is not None

    def undo(self) -> None:
        """Take back what was saved last."""
        if self._last is not None:
            self._last()

    def forget(self) -> None:
        """Another home is open: what was saved in the last one stays."""
        self._last = None

    def _write(self, desk: Desk, work: Callable[[], Saved], then: Callable[[Saved], None]) -> None:
        self._place.write(self._owner, work, then, [desk.home.config])

    def _saved(self, desk: Desk, answer: Saved) -> None:
        if isinstance(answer.done, Plan):
            words = told(edit.key for edit in answer.done.edits)
            self._tell(desk, answer.done, answer, words, redo=False)
        elif desk is self._place.desk:
            self.declined.emit(answer)

    def _take_back(self, desk: Desk, plan: Plan, redo: bool) -> None:
        self._last = None
        then = partial(self._taken_back, desk, redo)
        self._write(desk, partial(undo, desk, plan), then)

    def _taken_back(self, desk: Desk, redo: bool, answer: Saved) -> None:
        if isinstance(answer.done, Declined):
            refusal = answer.done.refusals[""]
            words = say(refusal)
            if isinstance(refusal, Conflict):
                words = tr("config.yaml was changed since, so it was left as it is.")
            self._place.said.emit(Said(words))
            return
        words = tr("Done again.") if redo else tr("Undone.")
        self._tell(desk, answer.done, answer, words, redo=not redo)

    def _tell(self, desk: Desk, plan: Plan, answer: Saved, words: str, *, redo: bool) -> None:
        """Say what was done, with the way back; `redo` tells that this would do it again."""
        back = partial(self._take_back, desk, plan, redo)
        if desk is self._place.desk:
            self._last = None if redo else back
            self.written.emit(answer.view)
        self._place.said.emit(Said(words, tr("Redo") if redo else tr("Undo"), back))
