"""What is advised about the entries of the Memory page, as marks on their cards.

Made after the first frame; what it stands on is loaded in the background.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from store.home import TARGETS

if TYPE_CHECKING:
    from gui.models.cards import Card, Mark
    from gui.pages.memory import MemoryPage
    from store.desk import Desk
    from store.home import Target
    from store.memory.state import MemoryState

MOST_ENTRIES = 500
MOST_CHARS = 200_000
"""Files with more have no marks: what is advised about them stands on Make room."""

Found = dict["Target", dict[str, "Mark"]]


class Marks(QObject):
    """Gives the cards of the Memory page a mark where something is advised."""

    def __init__(self, page: MemoryPage) -> None:
        super().__init__(page)
        self._page = page
        self._place = page.place

    def read(self) -> None:
        """Work out what is advised about what is shown."""
        desk = self._place.desk
        known = {target: self._page.columns[target].state() for target in TARGETS}
        states = {target: state for target, state in known.items() if state is not None}
        if desk is None or len(states) < len(TARGETS):
            return
        if (
            sum(len(state.entries) for state in states.values()) > MOST_ENTRIES
            or sum(state.chars for state in states.values()) > MOST_CHARS
        ):
            self._show((desk, {target: {} for target in TARGETS}))
            return
        self._place.tasks.read(self, partial(_read, desk, states), self._show)

    def _show(self, answer: tuple[Desk, Found]) -> None:
        desk, found = answer
        if desk is not self._place.desk:
            return
        for target, column in self._page.columns.items():
            marks = found[target]
            column.dress(partial(_dress, marks) if marks else None, name="marks")


def _read(desk: Desk, states: Mapping[Target, MemoryState]) -> tuple[Desk, Found]:
    from gui.models.entry_marks import read_marks

    return desk, read_marks(desk, states)


def _dress(marks: dict[str, Mark], cards: list[Card]) -> list[Card]:
    from gui.models.entry_marks import with_marks

    return with_marks(cards, marks)
