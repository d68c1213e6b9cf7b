"""Notes in the history what others do to the memory files while the window is open.

Made after the first frame. It also finishes what a crash left, and says if the history had to be
begun anew.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.i18n import tr, trn
from gui.workplace import Changed, Said, Workplace
from schema.frozen import frozen
from store.home import TARGETS

if TYPE_CHECKING:
    from store.desk import Desk


@frozen
class LookedBack:
    """What was found: how many changes a crash had left, and a broken journal put aside."""

    desk: Desk
    finished: int
    set_aside: Path | None


class Outside(QObject):
    """Looks at the memory files at start, and whenever others have changed them."""

    def __init__(self, place: Workplace) -> None:
        super().__init__()
        self._place = place
        self._told: Path | None = None
        place.opened.connect(self._begin)
        place.store_changed.connect(self._hear)
        if place.desk is not None:
            self._begin()

    def _begin(self, _: object = None) -> None:
        self._look(first=True)

    def _hear(self, changed: Changed) -> None:
        desk = self._place.desk
        if desk is None:
            return
        files = {desk.home.memory_file(target) for target in TARGETS}
        if changed.paths & files:
            self._look(first=False)

    def _look(self, *, first: bool) -> None:
        desk = self._place.desk
        if desk is not None:
            # Among the writes: none of the window's own is under way meanwhile, and the footer
            # does not take our lock for the agent's.
            self._place.write(self, partial(look_back, desk, first), self._found)

    def _found(self, found: LookedBack) -> None:
        if found.desk is not self._place.desk:
            return
        self._place.history_changed.emit()
        if found.finished:
            words = trn(
                "Finished {n} change that an interrupted desk had left half done.",
                "Finished {n} changes that an interrupted desk had left half done.",
                found.finished,
            )
            self._place.said.emit(Said(words))
        if found.set_aside is not None and found.set_aside != self._told:
            self._told = found.set_aside
            words = tr(
                "The journal was damaged, so a new one was begun; the old one is {path}.",
                path=found.set_aside,
            )
            self._place.said.emit(Said(words))


def look_back(desk: Desk, first: bool) -> LookedBack:
    """Note what others did; at `first` finish what a crash left. Runs in the background."""
    finished = len(desk.recover()) if first else 0
    desk.look_back()
    return LookedBack(desk, finished, desk.journal.set_aside)
