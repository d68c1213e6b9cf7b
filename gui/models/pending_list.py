"""The list model of the Pending page: ten thousand records, of which only seen ones are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QStringListModel, Qt

from gui.models.cards import Card, Index, Role

MANY_CHANGES = 64
"""A list in which more cards than this came or went is begun anew."""


class PendingModel(QStringListModel):
    """Keys in their order; `make` gives the card of a key when it is wanted.

    Otherwise it is what `CardModel` is to a list of cards. The keys are kept by Qt, so that a
    list of thousands is laid out without a call into Python for each of them.
    """

    def __init__(self, make: Callable[[str], Card], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self._keys: list[str] = []
        self._made: dict[str, Card] = {}

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        key = super().data(index, Qt.ItemDataRole.DisplayRole)
        if not key:  # no row, or one that has just come
            return None
        card = self._card(key)
        if role == Role.CARD:
            return card
        if role == Qt.ItemDataRole.DisplayRole:
            return card.text
        return card.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        never = Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | never

    @property
    def keys(self) -> Sequence[str]:
        """All keys in their order."""
        return self._keys

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in their order; makes them, so only for lists that are not long."""
        return tuple(map(self._card, self._keys))

    def card_at(self, row: int) -> Card | None:
        """Give the card in `row`, None if there is no such row."""
        card: Card | None = self.data(self.index(row, 0), Role.CARD)
        return card

    def row_of(self, key: Hashable) -> int:
        """Give the row of the card with that key, -1 if there is none."""
        try:
            return self._keys.index(key)  # type: ignore[arg-type]
        except ValueError:
            return -1

    def index_of(self, key: Hashable) -> QModelIndex:
        """Give the index of the card with that key, an invalid one if there is none."""
        row = self.row_of(key)
        return self.index(row, 0) if row >= 0 else QModelIndex()

    def _card(self, key: str) -> Card:
        card = self._made.get(key)
        if card is None:
            card = self._made[key] = self._make(key)
        return card

    def show_keys(self, keys: Sequence[str]) -> None:
        """Become `keys`, in which those that stay are in the order that they had."""
        wanted, present = set(keys), set(self._keys)
        gone, came = present - wanted, wanted - present
        if present and wanted and len(gone) + len(came) <= MANY_CHANGES:
            for first, last in reversed(_runs(sorted(map(self._keys.index, gone)))):
                self.removeRows(first, last - first + 1)
                del self._keys[first : last + 1]
            for first, last in _runs(sorted(map(keys.index, came))):
                self.insertRows(first, last - first + 1)
                self._keys[first:first] = keys[first : last + 1]
                for row in range(first, last + 1):
                    self.setData(self.index(row, 0), keys[row])
        if self._keys != list(keys):
            self._keys = list(keys)
            self.setStringList(self._keys)

    def drop(self, keys: Collection[str]) -> None:
        """Forget cards that nobody looks at."""
        for key in keys:
            self._made.pop(key, None)

    def forget(self, keys: Collection[str] | None = None) -> None:
        """Make these cards, or all of them, anew when they are next looked at."""
        if keys is None or len(keys) > MANY_CHANGES:
            self._made.clear()
            first, last = 0, len(self._keys) - 1
        else:
            self.drop(keys)
            rows = [row for key in keys if (row := self.row_of(key)) >= 0]
            first, last = min(rows, default=0), max(rows, default=-1)
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, 0))


def _runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Join ascending numbers into pairs of first and last."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and runs[-1][1] == row - 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs
