"""Works out in the background what each waiting record would do, and which are near to which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from gui.models.pending import MANY, AnyBrief, PendingView, stale_keys
from gui.models.pending_filter import Judged, breathe
from gui.models.pending_near import Compared, Comparing, Near
from gui.models.pending_read import grow_old_at_once
from gui.pages.pending_work import judge_more
from gui.tasks import Tasks

BATCH = 40
"""So many records are judged in one go, those in view first."""


class Judging(QObject):
    """What is known of the records of one view by now. `near_view` gives the keys in view."""

    learned = Signal(object)
    """The keys of records of which more is known."""
    recounted = Signal()
    """More, or less, can no longer apply."""
    compared = Signal()
    """It is known what is near to what."""

    def __init__(self, tasks: Tasks, near_view: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._tasks = tasks
        self._near_view = near_view
        self._view: PendingView | None = None
        self._number = 0
        self._unjudged: Iterator[str] = iter(())
        self._busy = self._all_judged = False
        self._comparing: Comparing | None = None
        self.briefs: dict[str, AnyBrief] = {}
        self.stale: frozenset[str] = frozenset()
        self.near: Mapping[str, Near] = {}

    @property
    def judged(self) -> Judged:
        """What is known, as a value for the background."""
        return Judged(self.briefs.copy(), self.stale, self.near)

    def begin(self, view: PendingView) -> None:
        """Go on with another view of the queue, in which some are judged already."""
        before = self._comparing
        self._view = view
        self._number += 1
        self.briefs = dict(view.briefs)
        self._unjudged = iter(view.unjudged)
        self._all_judged = not view.unjudged
        known = before.words if before is not None else None
        self._comparing = Comparing(view, self.near, known)
        self._recount(view.stale)

    def forget(self) -> None:
        """Know nothing: another home is open."""
        self._view, self._comparing = None, None
        self._number += 1
        self.briefs, self.stale, self.near = {}, frozenset(), {}
        self._unjudged = iter(())

    def go_on(self, *_: object) -> None:
        """Judge what is in view and the next ones, unless that is being done."""
        view = self._view
        if self._busy or view is None:
            return
        batch = [
            key
            for key in self._near_view()
            if key not in self.briefs and view.record(key) is not None
        ]
        for key in self._unjudged:
            if key not in self.briefs:
                batch.append(key)
            if len(batch) >= BATCH:
                break
        if not batch:
            if len(self.briefs) > MANY and not self._all_judged:
                grow_old_at_once()
            self._all_judged = True
            self._compare()
            return
        self._busy = True
        work = partial(judge_more, batch, view, self._number)
        self._tasks.read(self, work, self._take_briefs, self._give_up)

    def _take_briefs(self, answer: tuple[int, dict[str, AnyBrief]]) -> None:
        self._busy = False
        number, briefs = answer
        if number == self._number:  # else it was judged by files that are no longer so
            self.learn(briefs)
        self.go_on()

    def learn(self, briefs: Mapping[str, AnyBrief]) -> None:
        """Take note of effects."""
        self.briefs.update(briefs)
        self.learned.emit(briefs.keys())
        self._recount((self.stale - briefs.keys()) | stale_keys(briefs))

    def _give_up(self, _: object) -> None:
        self._busy = False

    def _recount(self, stale: frozenset[str]) -> None:
        if stale != self.stale:
            self.stale = stale
            self.recounted.emit()

    def _compare(self) -> None:
        if self._comparing is not None and not self._comparing.finished:
            self._busy = True
            work = partial(_compare_more, self._comparing, self._number)
            self._tasks.read(self, work, self._take_near, self._give_up)

    def _take_near(self, answer: tuple[int, Compared | None]) -> None:
        self._busy = False
        number, compared = answer
        if number == self._number and compared is not None:
            if len(self.briefs) > MANY:
                grow_old_at_once()
            self.near = compared.near
            if compared.changed:
                self.learned.emit(compared.changed)
                self.compared.emit()
        self.go_on()


def _compare_more(comparing: Comparing, number: int) -> tuple[int, Compared | None]:
    return number, comparing.go_on(breathe)
