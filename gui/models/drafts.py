"""An edit in progress, as a value: what it was begun on, and what became of that since."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Final

from gui.models.cards import Card
from schema.frozen import frozen, replace

if TYPE_CHECKING:
    from store.home import Target
    from store.memory.state import MemoryState


@frozen
class NewEntry:
    """Asks the Memory page to begin a new entry with `text`."""

    target: Target
    text: str


@frozen
class ShowEntry:
    """Asks the Memory page to lead to the entry `text`."""

    target: Target
    text: str


@frozen
class EditEntry:
    """Asks the Memory page to open the editor on the entry `text`, merged with another if given."""

    target: Target
    text: str
    merged: str = ""


@frozen
class DraftSent:
    """Tells the Memory page that what was typed for a new entry is in another place now."""

    target: Target
    text: str


NEW: Final[Hashable] = ("", -1)
"""The key of the entry that is being added; no entry of a file has it."""


@frozen
class Draft:
    """An edit of the entry `base`, or with None of a new one; `text` is what was typed.

    `now` is what stands at its place since someone else changed the file; `lost` tells that they
    removed it. `row` is where its card stands. `merges` are other entries that go into this one.
    """

    key: Hashable
    base: str | None
    text: str = ""
    row: int = 0
    now: str | None = None
    lost: bool = False
    merges: tuple[str, ...] = ()

    @property
    def conflicts(self) -> bool:
        """Whether the entry is not what it was when the edit began."""
        return self.now is not None or self.lost

    def followed(self, before: MemoryState, after: MemoryState) -> Draft:
        """Find the edited entry again after the file changed."""
        texts = [entry.text for entry in after.entries]
        if self.base is None:
            return self
        if self.base in texts:  # there still, or again
            return replace(self, now=None, lost=False, row=texts.index(self.base))
        if self.now in texts:
            return self
        now = counterpart(self.now or self.base, before, after)
        return replace(self, now=now, lost=now is None)

    def merging_only(self, state: MemoryState) -> Draft:
        """Give it without those to be merged that are no longer there as they were."""
        texts = {entry.text for entry in state.entries}
        return replace(self, merges=tuple(text for text in self.merges if text in texts))

    def among(self, cards: Sequence[Card]) -> list[Card]:
        """Put a card for the edit among the others: over what replaced it, else where it was."""
        if any(card.key == self.key for card in cards):
            return list(cards)
        place = Card(key=self.key, text=self.base or "")
        at = next((row for row, card in enumerate(cards) if card.text == self.now), -1)
        if self.now is not None and at >= 0:
            return [*cards[:at], place, *cards[at + 1 :]]
        row = min(self.row, len(cards))
        return [*cards[:row], place, *cards[row:]]


def counterpart(base: str, before: MemoryState, after: MemoryState) -> str | None:
    """Find what became of the entry `base`, that stood in `before` and is not in `after`.

    The one new text at its place, or the only new text at all; None if it was removed.
    """
    old = [entry.text for entry in before.entries]
    new = [entry.text for entry in after.entries]
    if len(old) != len(new):
        return None
    known = set(old)
    came = [text for text in new if text not in known]
    place = old.index(base) if base in old else -1
    if place >= 0 and new[place] in came:
        return new[place]
    return came[0] if len(came) == 1 else None


def chars_after(state: MemoryState, draft: Draft, *typed: str) -> int:
    """Count what the file would hold once `typed` is saved as what `draft` is to become.

    Of several texts each becomes an entry.
    """
    from store.memory.entries import DELIMITER

    merged = set(draft.merges)
    texts = [entry.text for entry in state.entries if entry.text not in merged]
    at = texts.index(draft.base) if draft.base in texts else len(texts)
    texts[at : at + 1] = [text.strip() for text in typed]
    return len(DELIMITER.join(text for text in dict.fromkeys(texts) if text))
