"""What waits for approval in the open home; what is new of it is told once for a burst."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from gui.workplace import Changed, Opened, Workplace

if TYPE_CHECKING:
    from store.home import HermesHome
    from store.pending.records import Subsystem

QUEUES: Final[tuple[Subsystem, ...]] = ("memory", "skills")
SETTLE_MS = 1_500
"""What comes within this time of each other is one burst."""
LONGEST_MS = 10_000
"""A burst that does not end is told after this time all the same."""


class Waiting(NamedTuple):
    """One record that waits; never its text. A tuple, since thousands are compared at once."""

    subsystem: Subsystem
    id: str


class News(QObject):
    """Counts what waits, and tells of new records."""

    counted = Signal(object)
    """A tuple of `Waiting`: all that waits, oldest first."""
    came = Signal(object)
    """A tuple of `Waiting`: a burst of new ones that still wait, oldest first."""
    left = Signal()
    """Another home is open: what was told is about one that no longer is."""

    def __init__(self, place: Workplace, *, tell_all: bool = False) -> None:
        """`tell_all`: what waits already when the first home is open is news, too."""
        super().__init__()
        self._place = place
        self._home: HermesHome | None = None
        self._seen: set[Waiting] = set()
        self._fresh: list[Waiting] = []
        self._tell_all = tell_all
        self._settle = self._timer("burst", SETTLE_MS)
        self._longest = self._timer("long_burst", LONGEST_MS)
        place.opened.connect(self._begin)
        place.store_changed.connect(self._hear)
        if place.desk is not None:
            self._look()

    def close(self) -> None:
        """Tell no more."""
        self._settle.stop()
        self._longest.stop()

    def _timer(self, name: str, interval: int) -> QTimer:
        timer = QTimer(self)
        timer.setObjectName(name)
        timer.setSingleShot(True)
        timer.setInterval(interval)
        timer.timeout.connect(self._tell)
        return timer

    def _begin(self, _: Opened) -> None:
        self._look()

    def _hear(self, changed: Changed) -> None:
        desk = self._place.desk
        if desk is None:
            return
        if any(desk.home.pending(subsystem) in changed.paths for subsystem in QUEUES):
            self._look()

    def _look(self) -> None:
        if self._place.desk is not None:
            home = self._place.desk.home
            self._place.tasks.read(self, partial(waiting_in, home), partial(self._take, home))

    def _take(self, home: HermesHome, waits: tuple[Waiting, ...]) -> None:
        desk = self._place.desk
        if desk is None or desk.home.path != home.path:
            return
        if self._home is None or self._home.path != home.path:
            self._home = home
            self._seen = set() if self._tell_all else set(waits)
            self._tell_all = False
            self._fresh.clear()
            self.left.emit()
        new = [one for one in waits if one not in self._seen]
        self._seen.update(new)
        fresh = {*self._fresh, *new}
        self._fresh = [one for one in waits if one in fresh] if fresh else []
        self.counted.emit(waits)
        if new:
            self._settle.start()
            if not self._longest.isActive():
                self._longest.start()

    def _tell(self) -> None:
        self.close()
        fresh, self._fresh = tuple(self._fresh), []
        if fresh:
            self.came.emit(fresh)


def waiting_in(home: HermesHome) -> tuple[Waiting, ...]:
    """Name what waits in a home, oldest first, without reading it. For the background."""
    found: list[tuple[int, Subsystem, str]] = []
    for subsystem in QUEUES:
        try:
            with os.scandir(home.pending(subsystem)) as items:
                for item in items:
                    if item.name.endswith(".json"):
                        at = item.stat(follow_symlinks=False).st_mtime_ns
                        found.append((at, subsystem, item.name.removesuffix(".json")))
        except OSError:  # no queue, or it was decided on meanwhile: the watch tells again
            continue
    return tuple(Waiting(subsystem, name) for _, subsystem, name in sorted(found))
