"""Keeps the Knowledge page as its notes are, while others write them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from gui.models.knowledge import places_of_notes, update_notes
from gui.watch_notes import NoteWatch

if TYPE_CHECKING:
    from gui.models.knowledge import KnowledgeView
    from gui.pages.knowledge import KnowledgePage
    from gui.tasks import Fault
    from store.desk import Desk

REST_MS = 300
"""So long the other pages have the lane between two looks."""
POLL_MS = 30_000
"""How often to look at all notes anyway: some folders never tell, and not every note is watched."""


class NotesFollowed(QObject):
    """Watches the notes of the open home, and has the page show what became of them."""

    def __init__(self, page: KnowledgePage) -> None:
        super().__init__(page)
        self._page = page
        self._tasks = page.place.tasks
        self.watch = NoteWatch(self._tasks, self)
        self.watch.changed.connect(self._look)
        self._poll = QTimer(self)
        self._poll.setObjectName("poll_notes")
        self._poll.timeout.connect(self._look_at_all)
        self._poll.start(POLL_MS)
        self._waits: frozenset[str] | None = frozenset()
        self._looking = False
        self._rest = QTimer(self)
        self._rest.setObjectName("rest_notes")
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._begin)

    def follow(self) -> None:
        """Watch what the index knows now."""
        desk = self._page.place.desk
        if desk is not None:
            self._tasks.read(self, partial(places_of_notes, desk), self.watch.follow)

    def _look_at_all(self) -> None:
        if self._page.isVisible():
            self._look(None)

    def _look(self, paths: frozenset[str] | None) -> None:
        """Look again, at all for None. While one look is on its way, what comes waits for the next.

        A program that syncs writes thousands of notes, and other pages read in the same lane.
        """
        waits = self._waits
        self._waits = None if paths is None or waits is None else waits | paths
        if not self._rest.isActive() and not self._looking:
            self._begin()

    def _begin(self) -> None:
        desk, paths = self._page.place.desk, self._waits
        if desk is None or paths == frozenset():
            return
        if not self._page.isVisible():
            self._waits = frozenset()  # shown again, the page looks at all of them
            return
        self._looking, self._waits = True, frozenset()
        work = partial(update_notes, desk, paths)
        self._tasks.read(self, work, partial(self._show, desk), self._failed)

    def _show(self, desk: Desk, view: KnowledgeView | None) -> None:
        self._looking = False
        self._rest.start(REST_MS)
        if view is not None and desk is self._page.place.desk:
            self._page.show_changed(view)
            self.follow()  # there may be new folders

    def _failed(self, _: Fault) -> None:
        self._looking = False
