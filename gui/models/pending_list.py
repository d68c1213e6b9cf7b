"""The list model of the Pending page: ten thousand records, of which only seen ones are made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from gui.models.cards import Card, CardModel, Index, Role

MANY_RUNS = 64
"""A list that changes in more places than this is begun anew."""


class PendingModel(CardModel):
    """Keys in their order; `make` gives the card of a key when it is wanted."""

    def __init__(self, make: Callable[[str], Card], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self._keys: list[str] = []
        self._rows: dict[str, int] = {}
        self._made: dict[str, Card] = {}

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._keys)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        card = self.card_at(index.row()) if index.isValid() else None
        if card is None:
            return None
        if role == Role.CARD:
            return card
        if role == Qt.ItemDataRole.DisplayRole:
            return card.text
        return card.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None

    @property
    def keys(self) -> Sequence[str]:
        """All keys in their order."""
        return self._keys

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in their order; makes them, so only for lists that are not long."""
        return tuple(map(self._card, self._keys))

    def card_at(self, row: int) -> Card | None:
        return self._card(self._keys[row]) if 0 <= row < len(self._keys) else None

    def row_of(self, key: Hashable) -> int:
        if len(self._rows) != len(self._keys):
            self._rows = {key: row for row, key in enumerate(self._keys)}
        return self._rows.get(key, -1) if isinstance(key, str) else -1

    def _card(self, key: str) -> Card:
        card = self._made.get(key)
        if card is None:
            card = self._made[key] = self._make(key)
        return card

    def show_keys(self, keys: Sequence[str]) -> None:
        """Become `keys`, which are in the same order as before as far as they stay."""
        wanted, present = set(keys), set(self._keys)
        gone = _runs([row for row, key in enumerate(self._keys) if key not in wanted])
        came = _runs([row for row, key in enumerate(keys) if key not in present])
        stayed = [key for key in self._keys if key in wanted]
        in_order = stayed == [key for key in keys if key in present]
        if not self._keys or not keys or not in_order or len(gone) + len(came) > MANY_RUNS:
            self._start_with(keys)
            return
        for first, last in reversed(gone):
            self.beginRemoveRows(QModelIndex(), first, last)
            self._take(self._keys[:first] + self._keys[last + 1 :])
            self.endRemoveRows()
        for first, last in came:
            self.beginInsertRows(QModelIndex(), first, last)
            self._take([*self._keys[:first], *keys[first : last + 1], *self._keys[first:]])
            self.endInsertRows()

    def _start_with(self, keys: Sequence[str]) -> None:
        if self._keys == list(keys):
            return
        self.beginResetModel()
        self._take(list(keys))
        self.endResetModel()

    def _take(self, keys: list[str]) -> None:
        self._keys = keys
        self._rows = {}

    def drop(self, keys: Collection[str]) -> None:
        """Forget cards that nobody looks at."""
        for key in keys:
            self._made.pop(key, None)

    def forget(self, keys: Collection[str] | None = None) -> None:
        """Make these cards, or all of them, anew when they are next looked at."""
        if keys is None:
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
