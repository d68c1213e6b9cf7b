"""Carries out what a person decides on the Pending page: once, in pieces, on what was seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from gui.models.pending import Known, PendingView
from gui.pages.pending_work import Decision, Seen, Verb, decide
from gui.workplace import Workplace
from schema.frozen import frozen
from store.pending.records import Record

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.operations import Change


@frozen
class Decided:
    """What became of a decision, and the queue afterwards; None for a fault or another home."""

    decision: Decision
    view: PendingView | None


class Decisions(QObject):
    """One decision at a time. `known` gives what the page has on screen."""

    changed = Signal()
    """A decision is being carried out, or no longer."""
    progressed = Signal(object)
    """The `Decision` as far as it got."""
    finished = Signal(object)
    """A `Decided`."""

    def __init__(self, place: Workplace, known: Callable[[], Known | None]) -> None:
        super().__init__()
        self._place = place
        self._known = known
        self._running: Decision | None = None
        self._stop = False

    @property
    def busy(self) -> bool:
        """Whether a decision is being carried out, so that another has to wait."""
        return self._running is not None

    def begin(
        self,
        verb: Verb,
        keys: Sequence[str],
        edited: Change | Mapping[str, Any] | None = None,
    ) -> None:
        """Decide on exactly these as they were on screen; nothing while one runs."""
        desk, known = self._place.desk, self._known()
        if self.busy or desk is None or known is None:
            return
        seen = tuple(_seen(known.view, key) for key in keys if key in known.view.items)
        if seen:
            self._stop = False
            self._go_on(desk, Decision(verb, seen, len(seen), edited))
            self.changed.emit()

    def stop(self) -> None:
        """Leave the rest as it is."""
        self._stop = True

    def _go_on(self, desk: Desk, decision: Decision) -> None:
        self._running = decision
        home = desk.home
        self._place.write(
            self,
            partial(decide, desk, decision, self._known()),
            partial(self._take, desk),
            (
                home.memory_file("memory"),
                home.memory_file("user"),
                home.pending("memory"),
                home.pending("skills"),
            ),
            self._failed,
        )

    def _take(self, desk: Desk, answer: tuple[Decision, PendingView | None]) -> None:
        decision, view = answer
        if desk is not self._place.desk:
            self._end(decision, None)
        elif view is None:
            self.progressed.emit(decision)
            self._go_on(desk, decision.without_rest() if self._stop else decision)
        else:
            self._end(decision, view)

    def _failed(self, _: object) -> None:
        if self._running is not None:
            self._end(self._running, None)

    def _end(self, decision: Decision, view: PendingView | None) -> None:
        self._running = None
        self.finished.emit(Decided(decision, view))
        self.changed.emit()


def _seen(view: PendingView, key: str) -> Seen:
    item, inbox = view.items[key], view.inbox_of(key)
    home = inbox.desk.home if inbox.profile else None
    if isinstance(item, Record):
        return Seen(key, item.id if item.problem is None else item.file, item.digest, home)
    return Seen(key, item.file, "", home)
