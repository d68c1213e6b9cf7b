"""How old each entry is and who wrote it, for the cards of the Memory page. No Qt here.

Loaded after the first frame: the journal is no part of showing memory.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.ages import age, moment
from gui.change_words import say_who
from gui.i18n import N_, tr
from gui.models.cards import Card
from gui.models.memory import text_of
from schema.frozen import frozen
from store.history import Age, ages

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target

HOW = {
    "added": N_("added {when} by {who}"),
    "edited": N_("edited {when} by {who}"),
    "moved": N_("moved here {when} by {who}"),
}


@frozen
class EntryAges:
    """The ages of the entries of both files, as far as the history knows them."""

    files: Mapping[Target, Mapping[str, Age]]
    now: float


def read_ages(desk: Desk, entries: Mapping[Target, Sequence[str]]) -> EntryAges:
    """Ask the history for the ages of these entries. Runs in the background."""
    wanted = {target: frozenset(texts) for target, texts in entries.items()}
    return EntryAges(ages(desk.journal, wanted), time.time())


def with_ages(cards: Sequence[Card], found: Mapping[str, Age], now: float) -> list[Card]:
    """The cards, with the age of each entry of which it is known."""
    return [_with_age(card, found.get(text_of(card.key) or ""), now) for card in cards]


def _with_age(card: Card, known: Age | None, now: float) -> Card:
    if known is None or not card.meta:
        return card
    who, when = say_who(known.who), age(known.at, now)
    words = tr(HOW[known.how], when=when, who=who)
    tip = tr(HOW[known.how], when=moment(known.at), who=who)
    if known.who == "agent":
        tip += "\n" + tr("The file was written the agent's way; a hand edit can look the same.")
    return replace(card, meta=(card.meta[0], words, *card.meta[1:]), tip=tip)
