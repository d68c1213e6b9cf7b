"""Cards as values, and the list model that shows them.

A card is found by its key, never by its row: when the files change, the model works out which
cards came, went, moved or changed, so that selection and scroll position stay with their card.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from schema.frozen import frozen

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

Tone = Literal["plain", "ok", "warn", "bad"]
Index = QModelIndex | QPersistentModelIndex

SHOWN: Final = 400
"""So many cards of a long list at first; the last one brings more."""
MORE: Final[Hashable] = ("more",)
"""The key of the card that brings more."""


@frozen
class Mark:
    """A word on a coloured ground. `tip` explains it."""

    text: str
    tone: Tone = "plain"
    tip: str = ""


@frozen
class Card:
    """What one card shows.

    Above the `text`, if `lead` is given: `lead` in bold, `lead_rest`, and `lead_marks`. Below it
    the `meta` row of words and marks. A `struck` card is one that will go. `tip` explains more.
    """

    key: Hashable
    text: str
    meta: tuple[str | Mark, ...] = ()
    lead: str = ""
    lead_rest: str = ""
    lead_marks: tuple[Mark, ...] = ()
    struck: bool = False
    tip: str = ""

    def spoken(self) -> str:
        """Give the whole card as one text, for screen readers."""
        parts = [
            f"{self.lead} {self.lead_rest}".strip(),
            *(mark.text for mark in self.lead_marks),
            self.text,
            *(item.text if isinstance(item, Mark) else item for item in self.meta),
        ]
        return ", ".join(part for part in parts if part)

    def tips(self) -> str:
        """Give the explanations of all marks, one a line."""
        marks = [*self.lead_marks, *(item for item in self.meta if isinstance(item, Mark))]
        tips = (self.tip, *(mark.tip for mark in marks))
        return "\n".join(tip for tip in tips if tip)


class Role(IntEnum):
    """What `CardModel.data` can be asked for besides Qt's own roles."""

    CARD = Qt.ItemDataRole.UserRole + 1


class CardModel(QAbstractListModel):
    """Cards in their order; each key once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cards: list[Card] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._cards)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self._cards):
            return None
        card = self._cards[index.row()]
        if role == Role.CARD:
            return card
        if role == Qt.ItemDataRole.DisplayRole:
            return card.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return card.spoken()
        return None

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in their order."""
        return tuple(self._cards)

    def card_at(self, row: int) -> Card | None:
        """Give the card in `row`, None if there is no such row."""
        return self._cards[row] if 0 <= row < len(self._cards) else None

    def row_of(self, key: Hashable) -> int:
        """Give the row of the card with that key, -1 if there is none."""
        return next((row for row, card in enumerate(self._cards) if card.key == key), -1)

    def index_of(self, key: Hashable) -> QModelIndex:
        """Give the index of the card with that key, an invalid one if there is none."""
        row = self.row_of(key)
        return self.index(row, 0) if row >= 0 else QModelIndex()

    def show(self, cards: Sequence[Card]) -> None:
        """Become `cards`, in as few steps as keep each card's identity."""
        if not self._cards or not cards:
            self._start_again(cards)
            return
        came = {card.key for card in cards} - {card.key for card in self._cards}
        gone = {card.key for card in self._cards} - {card.key for card in cards}
        self._rewrite_in_place(cards, came, gone)
        for row in range(len(self._cards) - 1, -1, -1):
            if self._cards[row].key in gone:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._cards[row]
                self.endRemoveRows()
        for row, card in enumerate(cards):
            self._bring(row, card, new=card.key in came)

    def _start_again(self, cards: Sequence[Card]) -> None:
        if not self._cards and not cards:
            return
        self.beginResetModel()
        self._cards = list(cards)
        self.endResetModel()

    def _rewrite_in_place(
        self, cards: Sequence[Card], came: set[Hashable], gone: set[Hashable]
    ) -> None:
        """Where one card went and one came at the same place, it is the same card, edited."""
        if len(self._cards) != len(cards):
            return
        for row, (old, new) in enumerate(zip(self._cards, cards, strict=True)):
            if old.key in gone and new.key in came:
                gone.discard(old.key)
                came.discard(new.key)
                self._set(row, new)

    def _bring(self, row: int, card: Card, *, new: bool) -> None:
        if new:
            self.beginInsertRows(QModelIndex(), row, row)
            self._cards.insert(row, card)
            self.endInsertRows()
            return
        if self._cards[row].key != card.key:
            found = next(
                at for at in range(row, len(self._cards)) if self._cards[at].key == card.key
            )
            self.beginMoveRows(QModelIndex(), found, found, QModelIndex(), row)
            self._cards.insert(row, self._cards.pop(found))
            self.endMoveRows()
        if self._cards[row] != card:
            self._set(row, card)

    def _set(self, row: int, card: Card) -> None:
        self._cards[row] = card
        index = self.index(row, 0)
        self.dataChanged.emit(index, index)
