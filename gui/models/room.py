"""What the Make room page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import TYPE_CHECKING

from gui.advice_words import say_advice
from gui.i18n import sentences, tr, trn
from gui.models.belongs import Belongs, Sent, send_to_skill
from gui.models.cards import Mark
from gui.models.memory import FileView, MemoryView, read_memory
from gui.models.pending_words import PendingCard
from schema.frozen import frozen
from store.advice.looking import advice_of
from store.advice.plain import secrets_among
from store.advice.room import (
    Candidate,
    Choice,
    chars_without,
    choose_for_room,
    over_by,
    share_of,
)
from store.history_texts import holds_secret
from store.home import TARGETS, Target
from store.memory.budget import percent

if TYPE_CHECKING:
    from store.advice.judge import Action, Advice
    from store.desk import Desk
    from store.memory.state import Written
    from store.refusals import Refusal


@frozen
class MakeRoom:
    """Asks the page for room in a file.

    `characters` None: what the file is over its limit, else the share that is worth making.
    """

    target: Target
    characters: int | None = None


@frozen
class RoomCard(PendingCard):
    """An entry that could go, with every reason on a line of its own."""

    reasons: tuple[str, ...] = ()

    def spoken(self) -> str:
        """Give the whole card as one text, for screen readers."""
        return sentences(f"{PendingCard.spoken(self)}.", *self.reasons)

    def tips(self) -> str:
        """Give what may be cut on the card."""
        return "\n".join(part for part in (*self.reasons, PendingCard.tips(self)) if part)


@frozen
class RoomView:
    """Both files and everything that is advised about their entries."""

    memory: MemoryView
    advice: tuple[Advice, ...] = ()
    secrets: frozenset[str] = frozenset()
    """The entries that hold a password, key or token."""

    def file(self, target: Target) -> FileView:
        """One file as the Memory page shows it."""
        return self.memory.file(target)

    def texts(self, target: Target) -> tuple[str, ...]:
        """The entries of a file, each once."""
        return tuple(dict.fromkeys(one.text for one in self.file(target).state.entries))

    def over(self, target: Target) -> int:
        """How many characters a file is over its limit."""
        state = self.file(target).state
        return over_by(state.chars, state.limit)

    def share(self, target: Target) -> int:
        """The room that is worth making in a file."""
        return share_of(max(self.file(target).state.limit, 0))

    def wanted(self, about: MakeRoom) -> int:
        """The characters that are asked for."""
        if about.characters is not None:
            return about.characters
        return self.over(about.target) or self.share(about.target)

    def choose(self, target: Target, characters: int) -> Choice:
        """What could go from a file, and what of it would do; nothing where it may not change."""
        if not self.file(target).editable:
            return Choice((), frozenset(), enough=True)
        return choose_for_room(
            self.advice, self.texts(target), target, characters, secrets=self.secrets
        )

    def is_lost(self, target: Target, gone: Collection[str]) -> bool:
        """Whether one of these entries holds what the history does not keep."""
        mine = self.secrets.intersection(gone).intersection(self.texts(target))
        return any(map(holds_secret, mine))

    def effect(self, target: Target, gone: Collection[str]) -> tuple[str, int]:
        """How full the file is and would be, in words, and the percentage afterwards."""
        state = self.file(target).state
        after = chars_without(self.texts(target), gone) if gone else state.chars
        full = percent(after, state.limit)
        words = tr(
            "{before}% → {after}% — {chars:,} → {would_be:,}/{limit:,} chars",
            before=percent(state.chars, state.limit),
            after=full,
            chars=state.chars,
            would_be=after,
            limit=state.limit,
        )
        return words, full

    def freed(self, target: Target, gone: Collection[str]) -> int:
        """How many characters a file has fewer without these entries."""
        chars = self.file(target).state.chars
        return chars - chars_without(self.texts(target), gone) if gone else 0


def read_room(desk: Desk) -> RoomView:
    """Read both files, and look for what might leave them. For the background."""
    memory = read_memory(desk)
    states = {target: memory.file(target).state for target in TARGETS}
    texts = {entry.text for state in states.values() for entry in state.entries}
    advice = advice_of(desk, clock=time.time, states=states)
    return RoomView(memory, advice, secrets_among(texts))


def take_out(
    desk: Desk, target: Target, entries: tuple[str, ...]
) -> tuple[Written | Refusal, RoomView]:
    """Remove these entries as one change, all or none, and read again. For the background."""
    from store.memory.operations import Remove, TakeOut, Whole

    change = Remove(Whole(entries[0])) if len(entries) == 1 else TakeOut(entries)
    return desk.library.change(target, change), read_room(desk)


def to_skill(desk: Desk, target: Target, entry: str) -> tuple[Sent, RoomView]:
    """Send an entry to a skill draft, and read again. For the background."""
    return send_to_skill(desk, Belongs(entry, source=target)), read_room(desk)


def card_of(candidate: Candidate, *, ticked: bool, secret: bool) -> RoomCard:
    """The card of an entry that could go."""
    reasons = tuple(say_advice(one) for one in candidate.reasons)
    meta: list[str | Mark] = [trn("frees {n:,} char", "frees {n:,} chars", candidate.frees)]
    if secret:
        tip = tr("The history keeps no text of it, so this cannot be undone.")
        meta.append(Mark(tr("not kept in the history"), "warn", tip))
    return RoomCard(
        key=candidate.entry,
        text=candidate.entry,
        meta=tuple(meta),
        ticked=ticked,
        reasons=reasons or (tr("Listed for its length alone."),),
    )


def actions_of(candidate: Candidate | None) -> frozenset[Action]:
    """Everything that is advised about an entry."""
    reasons = () if candidate is None else candidate.reasons
    return frozenset(action for one in reasons for action in one.actions)


def beside_of(candidate: Candidate | None, texts: Collection[str]) -> str:
    """The other entry of the same file that says the same, or nothing."""
    reasons = () if candidate is None else candidate.reasons
    there = (one.beside for one in reasons if one.beside_in == one.target)
    return next((text for text in there if text in texts), "")
