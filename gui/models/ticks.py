"""Which entries of a file are chosen: kept by key, whatever of the file is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any, Final

from PySide6.QtCore import Qt

from gui.i18n import tr
from gui.models.cards import MORE, CardModel, Index
from gui.models.memory import text_of
from schema.frozen import frozen

MOST_TICKED: Final = 5_000
"""No agent's memory holds so many; of all entries of a longer file the first are chosen."""
MOST_MERGED: Final = 100
"""Nobody reads through more entries in one editor."""


@frozen
class Ticks:
    """The keys that are chosen.

    `anchor` is where a range begins; what was chosen `before` it stays when the range changes.
    """

    keys: frozenset[Hashable] = frozenset()
    anchor: Hashable = None
    before: frozenset[Hashable] = frozenset()

    def toggled(self, key: Hashable) -> Ticks:
        """With that key if it was not chosen, else without it."""
        keys = self.keys ^ {key}
        return Ticks(keys, key, keys)

    def anchored(self, key: Hashable) -> Ticks:
        """Ready for a range, which begins at `key` unless there is an anchor already."""
        return self if self.anchor is not None else Ticks(self.keys, key, self.keys)

    def reaching(self, span: Iterable[Hashable]) -> Ticks:
        """With all of `span`, the range from the anchor on, in place of an earlier one."""
        return Ticks(self.before.union(span), self.anchor, self.before)

    def still_among(self, texts: Iterable[str]) -> Ticks:
        """Without those that are no longer among these texts of a file."""
        wanted = {text_of(key) for key in self.keys}
        there = Counter(filter(wanted.__contains__, texts))

        def stands(key: Hashable) -> bool:
            return isinstance(key, tuple) and key[1] < there[key[0]]

        anchor = self.anchor if stands(self.anchor) else None
        keys, before = filter(stands, self.keys), filter(stands, self.before)
        return Ticks(frozenset(keys), anchor, frozenset(before))


class EntryModel(CardModel):
    """Cards of which some are chosen; screen readers hear which."""

    ticks = Ticks()

    def is_ticked(self, key: Hashable) -> bool | None:
        """Whether the card with that key is chosen; None where nothing is to be chosen."""
        return key in self.ticks.keys if self.ticks.keys and key != MORE else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.CheckStateRole):
            return super().data(index, role)
        card = self.card_at(index.row()) if index.isValid() else None
        ticked = None if card is None else self.is_ticked(card.key)
        if card is None:
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            words = [tr("chosen"), card.spoken()] if ticked else [card.spoken()]
            return ", ".join(words)
        state = Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        return None if ticked is None else state

    def tick(self, ticks: Ticks) -> None:
        """Have these chosen."""
        self.ticks = ticks
        last = self.rowCount() - 1
        if last >= 0:
            roles = [Qt.ItemDataRole.CheckStateRole, Qt.ItemDataRole.AccessibleTextRole]
            self.dataChanged.emit(self.index(0, 0), self.index(last, 0), roles)
