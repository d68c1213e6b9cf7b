"""What the Memory page knows of the past: the age of each entry, its history, and forgetting it.

Made after the first frame, since the journal is no part of showing memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.change_words import say_forgotten
from gui.models.entry_ages import EntryAges, read_ages, with_ages
from gui.models.history import AboutEntry, forget
from gui.pages.memory_history import ask_to_forget
from gui.words import say
from gui.workplace import Said
from store.home import TARGETS
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from gui.pages.memory import MemoryPage
    from store.desk import Desk
    from store.history_forget import Forgotten
    from store.home import Target
    from store.refusals import Refusal


class Past(QObject):
    """Gives the cards of the Memory page their ages, and does what its actions on the past ask."""

    def __init__(self, page: MemoryPage) -> None:
        super().__init__(page)
        self._page = page
        self._place = page.place
        self._place.history_changed.connect(self.read)
        for column in page.columns.values():
            column.history_wanted.connect(self._show_history)
            column.forget_wanted.connect(self._forget)

    def read(self) -> None:
        """Read the ages of what is shown."""
        desk, page = self._place.desk, self._page
        states = {target: page.columns[target].state() for target in TARGETS}
        entries = {
            target: state.document.texts for target, state in states.items() if state is not None
        }
        if desk is not None and entries:
            work = partial(_read, desk, entries)
            self._place.tasks.read(self, work, self._show)

    def _show(self, answer: tuple[Desk, EntryAges]) -> None:
        desk, found = answer
        if desk is not self._place.desk:
            return
        for target, column in self._page.columns.items():
            ages = found.files.get(target, {})
            column.dress(partial(with_ages, found=ages, now=found.now) if ages else None)

    def _show_history(self, text: str) -> None:
        self._place.page_wanted.emit("history", AboutEntry(text))

    def _forget(self, text: str) -> None:
        desk = self._place.desk
        if desk is None or not ask_to_forget(self._page, text):
            return
        paths = [desk.home.memory_file(target) for target in TARGETS]
        # The page hears of it as of a change by others, and reads again.
        self._place.write(self, partial(forget, desk, text), self._forgotten, paths)

    def _forgotten(self, answer: tuple[Forgotten | Refusal, Desk]) -> None:
        done, _ = answer
        self._place.said.emit(
            Said(say(done) if isinstance(done, REFUSALS) else say_forgotten(done))
        )


def _read(desk: Desk, entries: Mapping[Target, Sequence[str]]) -> tuple[Desk, EntryAges]:
    return desk, read_ages(desk, entries)
