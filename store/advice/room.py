"""What could make room in one file: what is advised first, then what is merely long. Pure.

A choice is only proposed. What a person ticks besides, or not, is reckoned by the same rule.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from schema.frozen import field, frozen
from store.advice.judge import Advice, make_room
from store.home import Target
from store.memory.entries import DELIMITER

MOST_LONG = 12
"""So many entries are named only because they are long."""
SHARE = 0.2
"""The part of the limit that is offered as room to make."""


@frozen
class Candidate:
    """An entry that could go, once, with all that is said of it; `reasons` empty: it is long."""

    entry: str
    frees: int
    reasons: tuple[Advice, ...] = field(default=())


@frozen
class Choice:
    """Candidates in the order in which to show them; `picked` are the entries to begin with.

    Not `enough`: all that is advised does not free as much as was wanted.
    """

    candidates: tuple[Candidate, ...]
    picked: frozenset[str]
    enough: bool


def choose_for_room(
    advice: Sequence[Advice],
    texts: Sequence[str],
    target: Target,
    characters: int,
    *,
    secrets: Collection[str] = (),
) -> Choice:
    """Choose among the entries of a file (`texts`, in order) what frees `characters`.

    First what is picked, then what else is advised, and where that is too little the longest. An
    entry that holds a secret (those in `secrets`, too) is named and never picked: what is picked
    may go to a note, where it would stand for all to read.
    """
    mine: dict[str, list[Advice]] = {}
    for one in advice:
        if one.target == target:
            mine.setdefault(one.entry, []).append(one)
    held = {*secrets, *(one.entry for one in advice if one.kind == "secret")}
    room = make_room([one for one in advice if one.entry not in held], target, characters)
    picked = {one.entry for one in room.picked} if characters > 0 else set[str]()
    advised = [
        Candidate(entry, reasons[0].frees, tuple(reasons)) for entry, reasons in mine.items()
    ]
    advised.sort(key=lambda one: one.entry not in picked)
    enough = characters <= 0 or room.enough
    longest = [] if enough else _longest(texts, mine)
    return Choice((*advised, *longest), frozenset(picked), enough)


def _longest(texts: Sequence[str], known: Collection[str]) -> list[Candidate]:
    frees = 0 if len(texts) < 2 else len(DELIMITER)
    others = sorted((text for text in set(texts) if text not in known), key=lambda one: -len(one))
    return [Candidate(text, len(text) + frees) for text in others[:MOST_LONG]]


def chars_without(texts: Sequence[str], gone: Collection[str]) -> int:
    """What the file counts against its budget once the entries `gone` are no longer in it."""
    return len(DELIMITER.join(text for text in texts if text not in gone))


def over_by(chars: int, limit: int) -> int:
    """How much a file is over its limit; 0 if it is not."""
    return max(0, chars - limit)


def share_of(limit: int) -> int:
    """The room that is worth making in a file with that limit."""
    return round(limit * SHARE)
