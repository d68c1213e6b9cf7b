"""Entries of the other profiles in which a text stands, as cards. No Qt here."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from gui.i18n import sentences, tr, trn
from gui.models.cards import Card
from gui.models.memory import file_words
from gui.words import excerpt, say
from schema.frozen import frozen
from store.memory.searching import Find, Finds, search_profiles

if TYPE_CHECKING:
    from store.desk import Desk

_MOST_ON_CARD = 240


@frozen
class Found:
    """What was found for `needle`; `others` is whether there is another profile at all."""

    needle: str
    others: bool
    finds: Finds


def look_elsewhere(desk: Desk, needle: str, wanted: bool, given_up: Callable[[], bool]) -> Found:
    """Look in the other profiles, if that is `wanted`. Runs in the background."""
    homes = [home for home in desk.profiles() if home.profile != desk.home.profile]
    finds = Finds()
    if wanted and homes:
        finds = search_profiles(homes, needle, disk=desk.disk, given_up=given_up)
    return Found(needle, bool(homes), finds)


def cards_of_finds(found: Found) -> list[Card]:
    """A card for each entry: its profile and file, and the text from shortly before the find."""
    return [
        Card(
            key=find,
            text=around(find.text, found.needle),
            lead=find.profile,
            lead_rest=file_words(find.target),
        )
        for find in found.finds.entries
    ]


def around(text: str, needle: str) -> str:
    """As much of a long text as a card shows, with `needle` in it."""
    at = text.casefold().find(needle.casefold())
    begin = max(at - _MOST_ON_CARD // 2, 0)
    shown = excerpt(text[begin : begin + 4 * _MOST_ON_CARD], _MOST_ON_CARD)
    return f"…{shown}" if begin else shown


def find_of(key: Hashable) -> Find | None:
    """The entry that a card is about."""
    return key if isinstance(key, Find) else None


def words_of_finds(finds: Finds) -> str:
    """Say how many entries were found, and where nothing could be looked for."""
    count = len(finds.entries)
    said = [tr("There is none in other profiles.")]
    if finds.more:
        said = [tr("The first {n:,} in other profiles.", n=count)]
    elif count:
        said = [trn("{n:,} entry in other profiles.", "{n:,} entries in other profiles.", count)]
    said += [f"{one.profile}: {say(one.refusal)}" for one in finds.not_searched]
    return sentences(*said)
