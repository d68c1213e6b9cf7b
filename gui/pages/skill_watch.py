"""Keeps the Skills page as its skills are: looks at them, scans them, and hears of changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gui.models.skills import SkillsView, look_at_skills, scan_step
from gui.tasks import Ticket
from gui.watch_notes import NoteWatch

if TYPE_CHECKING:
    from gui.pages.skills import SkillsPage
    from gui.tasks import Fault
    from store.desk import Desk
    from store.skills.scanning import ScanStep

REST_MS = 300
"""So long what changes on disk waits for more."""
MOMENT = 0.4
"""A look that takes longer, in seconds, tells how far it is."""
OFTEN = 0.1


class SkillsFollowed(QObject):
    """Looks in the background, one look at a time, and has the page show what was found."""

    looked = Signal(object)
    """How many skills were read, and of how many; only of a look that takes a while."""

    def __init__(self, page: SkillsPage) -> None:
        super().__init__(page)
        self._page = page
        self._tasks = page.place.tasks
        self._ticket: Ticket | None = None
        self._scanning = Ticket()
        self._looks_at: Desk | None = None
        self._again = False
        self._places: tuple[str, ...] = ()
        self.watch = NoteWatch(self._tasks, self)
        self.watch.changed.connect(self._stir)
        self._rest = QTimer(self)
        self._rest.setObjectName("rest_skills")
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._look_if_seen)

    def look(self) -> None:
        """Look at all skills; while a look is on its way, once more after it."""
        desk = self._page.place.desk
        if desk is None:
            return
        if self._ticket is not None and self._looks_at is desk:
            self._again = True
            return
        self.stop()
        self._looks_at, self._ticket = desk, Ticket()
        is_cancelled = self._ticket.is_cancelled
        work = partial(_look, desk, is_cancelled, self._telling(is_cancelled))
        self._tasks.read(self, work, self._take, self._failed, self._ticket)

    def stop(self) -> None:
        """Let go of a look that is on its way, and of a scan."""
        self._scanning.cancel()
        if self._ticket is not None:
            self._ticket.cancel()
        self._ticket, self._again = None, False

    def follow(self, view: SkillsView) -> None:
        """Watch where the skills of `view` lie, and scan them."""
        self.watch.follow(view.places)
        if view.places != self._places:
            # What came to a folder between the look and its watch is seen by one look more.
            self._places = view.places
            self._stir(None)
        desk = self._page.place.desk
        self._scanning.cancel()
        if desk is not None and view.skills:
            self._scanning = Ticket()
            self._scan(desk, self._scanning, view.folders(), changed=False)

    def _telling(self, is_cancelled: Callable[[], bool]) -> Callable[[int, int], None]:
        due = time.monotonic() + MOMENT

        def tell(done: int, of: int) -> None:  # in the background
            nonlocal due
            now = time.monotonic()
            if now >= due and not is_cancelled():
                due = now + OFTEN
                self.looked.emit((done, of))

        return tell

    def _take(self, answer: tuple[Desk, SkillsView | None]) -> None:
        self._ticket = None
        desk, view = answer
        if view is not None and desk is self._page.place.desk:
            self._page.take(view)
        if self._again:
            self._again = False
            self.look()

    def _failed(self, _: Fault) -> None:
        self._ticket, self._again = None, False
        self._page.end_look()

    def _stir(self, _: object) -> None:
        if not self._rest.isActive():
            self._rest.start(REST_MS)

    def _look_if_seen(self) -> None:
        if self._page.isVisible():  # shown again, the page looks anyway
            self.look()

    # -- scanning, a little at a time: other pages read in the same lane ------------------------

    def _scan(
        self, desk: Desk, ticket: Ticket, folders: tuple[Path, ...], *, changed: bool
    ) -> None:
        work = partial(scan_step, desk, folders, ticket.is_cancelled)
        then = partial(self._scanned, desk, ticket, changed)
        self._tasks.read(self, work, then, ticket=ticket)

    def _scanned(self, desk: Desk, ticket: Ticket, changed: bool, step: ScanStep) -> None:
        changed = changed or step.changed
        if not self._page.isVisible():
            return  # shown again, it is looked at anew
        if step.left:
            self._scan(desk, ticket, step.left, changed=changed)
        elif changed:
            self.look()


def _look(
    desk: Desk, is_cancelled: Callable[[], bool], progress: Callable[[int, int], None]
) -> tuple[Desk, SkillsView | None]:
    return desk, look_at_skills(desk, is_cancelled, progress)
