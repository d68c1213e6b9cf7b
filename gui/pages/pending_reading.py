"""Reads the queue for the Pending page: one reading at a time, and none that is out of date."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.models.pending import Gate, Known, PendingView
from gui.pages.pending_work import reread, switch_gate
from gui.workplace import Said, Workplace

if TYPE_CHECKING:
    from store.desk import Desk


class Reading(QObject):
    """Gives a `PendingView` whenever it was asked to. `known` gives what is on screen."""

    read = Signal(object)
    """The `PendingView` as it is now."""

    def __init__(self, place: Workplace, known: Callable[[], Known | None]) -> None:
        super().__init__()
        self._place = place
        self._known = known
        self._number = 0
        self._busy = self._again = False
        self.everywhere = False

    def outdate(self) -> None:
        """Something is being written: what is being read now may not have seen it."""
        self._number += 1

    def begin(self) -> None:
        """Read again; while that is going on, once more afterwards."""
        desk = self._place.desk
        if desk is None:
            return
        if self._busy:
            self._again = True
            return
        self._busy = True
        work = partial(reread, desk, self._number, self._known(), self.everywhere)
        self._place.tasks.read(self, work, self._take, self._fail)

    def _take(self, answer: tuple[Desk, int, PendingView]) -> None:
        desk, number, view = answer
        self._busy = False
        outdated = number != self._number
        if self._again or outdated:
            self._again = False
            self.begin()
        if desk is self._place.desk and not outdated:
            self.read.emit(view)

    def _fail(self, _: object) -> None:
        self._busy = False

    def switch(self, gate: Gate) -> None:
        """Let writes of one kind wait for approval, or no longer, and read how it stands then."""
        desk = self._place.desk
        if desk is not None:
            self.outdate()
            work = partial(switch_gate, desk, gate, self._known())
            self._place.write(self, work, partial(self._switched, desk), [desk.home.config])

    def _switched(self, desk: Desk, answer: tuple[str, PendingView]) -> None:
        words, view = answer
        if desk is self._place.desk:
            self.outdate()
            self._place.watch.know(desk.home.config, view.marks[desk.home.config])
            self.read.emit(view)
            self._place.said.emit(Said(words))
