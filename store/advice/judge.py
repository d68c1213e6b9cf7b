"""What might leave memory, with the reason, what it frees and what could be done. Pure.

Nothing is ever done by itself: an advice names its entry by its whole text, so that whoever acts
on it acts on that entry or on none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final, Literal, cast

from schema.frozen import field, frozen
from store.advice.learnt import settled
from store.advice.signs import Sign, signs
from store.advice.similar import Alike, alike
from store.home import TARGETS, Target
from store.memory.entries import DELIMITER

Kind = Sign | Literal["near_duplicate", "contained", "untouched"]
Place = Literal["memory", "user", "skill", "note", ""]
Action = Literal["delete", "shorten", "merge", "move", "to_note", "to_skill", "to_keyring"]

UNTOUCHED_DAYS = 180
"""After so many days without a change an entry is worth a look."""
KINDS: Final[tuple[Kind, ...]] = (
    "secret", "near_duplicate", "contained", "raw_dump", "todo", "task_progress", "finished_work",
    "past_date", "procedure", "easily_found", "too_long", "untouched",
)  # fmt: skip
"""In the order in which they matter."""
ACTIONS: Final[dict[Kind, tuple[Action, ...]]] = {
    "secret": ("to_keyring", "delete"),
    "near_duplicate": ("merge", "delete"),
    "contained": ("delete", "merge"),
    "raw_dump": ("to_note", "delete"),
    "todo": ("delete", "to_note"),
    "task_progress": ("delete",),
    "finished_work": ("delete", "to_note"),
    "past_date": ("delete", "shorten"),
    "procedure": ("to_skill", "to_note"),
    "easily_found": ("delete",),
    "too_long": ("shorten", "to_note"),
    "untouched": ("delete", "to_note"),
}
BESIDE: Final[dict[tuple[Kind, Place], tuple[Action, ...]]] = {
    ("near_duplicate", "skill"): ("delete", "to_note"),
    ("near_duplicate", "note"): ("to_note", "delete"),
}
"""What can be done where the same is said elsewhere: no entry is merged with another thing."""


@frozen
class Piece:
    """An entry as it is looked at; `changed` in UTC seconds, None if nobody knows."""

    target: Target
    text: str
    changed: float | None = None


@frozen
class Other:
    """Something beside memory that may say the same: a skill's description, a passage of a note."""

    kind: Literal["skill", "note"]
    name: str
    text: str


@frozen
class Advice:
    """One entry that might go or change, and why.

    `frees` counts characters of its file, the delimiter included, if it goes. `beside` is what
    says the same: the text of an entry, the name of another thing; `beside_in` tells which it is,
    the file of an entry or what kind of thing. `days` goes with untouched.
    """

    kind: Kind
    target: Target
    entry: str
    frees: int
    actions: tuple[Action, ...]
    beside: str = ""
    beside_in: Place = ""
    days: int = 0


def advise(
    pieces: Sequence[Piece],
    *,
    now: float,
    others: Sequence[Other] = (),
    untouched_days: int = UNTOUCHED_DAYS,
) -> tuple[Advice, ...]:
    """Everything worth a look, what matters most first; an entry may be named for several kinds."""
    today = datetime.fromtimestamp(now, UTC).date()
    counts = {target: sum(one.target == target for one in pieces) for target in TARGETS}
    found = [*_by_signs(pieces, today, counts), *_by_likeness(pieces, others, counts)]
    found += _by_age(pieces, now, untouched_days, counts)
    return tuple(sorted(found, key=lambda one: (KINDS.index(one.kind), -one.frees)))


def _by_signs(pieces: Sequence[Piece], today: date, counts: Mapping[Target, int]) -> list[Advice]:
    return [
        _advice(sign, piece, counts)
        for piece in pieces
        for sign in settled(piece.text, signs(piece.text, today=today))
    ]


def _by_likeness(
    pieces: Sequence[Piece], others: Sequence[Other], counts: Mapping[Target, int]
) -> list[Advice]:
    texts = [*(piece.text for piece in pieces), *(other.text for other in others)]
    found: dict[int, Advice] = {}
    for pair in alike(texts):
        at, beside = _goes(pair, len(pieces))
        if at is None or at in found:
            continue
        kind: Kind = "contained" if pair.how == "contained" else "near_duplicate"
        if beside < len(pieces):
            name, place = pieces[beside].text, cast(Place, pieces[beside].target)
        else:
            other = others[beside - len(pieces)]
            name, place = other.name, other.kind
            kind = "contained" if pair.how == "same" else kind
        found[at] = _advice(kind, pieces[at], counts, beside=name, beside_in=place)
    return list(found.values())


def _goes(pair: Alike, entries: int) -> tuple[int | None, int]:
    """Which of a pair could go: an entry, and of two the contained or the later one."""
    if pair.one >= entries and pair.other >= entries:
        return None, 0
    if pair.other >= entries:
        return pair.one, pair.other
    if pair.one >= entries:
        return (None, 0) if pair.how == "contained" else (pair.other, pair.one)
    return (pair.one, pair.other) if pair.how == "contained" else (pair.other, pair.one)


def _by_age(
    pieces: Sequence[Piece], now: float, days: int, counts: Mapping[Target, int]
) -> list[Advice]:
    found = []
    for piece in pieces:
        if piece.changed is None:
            continue
        passed = int((now - piece.changed) / 86_400)
        if passed >= days:
            found.append(_advice("untouched", piece, counts, days=passed))
    return found


def _advice(
    kind: Kind,
    piece: Piece,
    counts: Mapping[Target, int],
    *,
    beside: str = "",
    beside_in: Place = "",
    days: int = 0,
) -> Advice:
    alone = counts[piece.target] < 2
    frees = len(piece.text) + (0 if alone else len(DELIMITER))
    actions = ACTIONS[kind]
    if beside_in not in ("", piece.target):
        actions = BESIDE.get((kind, beside_in), ("delete",))
    return Advice(kind, piece.target, piece.text, frees, actions, beside, beside_in, days)


@frozen
class Room:
    """Entries that together free enough; not `enough` if all that could go does not."""

    picked: tuple[Advice, ...] = field(default=())
    frees: int = 0
    enough: bool = False


def make_room(advice: Sequence[Advice], target: Target, characters: int) -> Room:
    """Pick entries of `target` that free `characters`: what matters most first, as few as will do.

    Once there is enough, an entry is left out again if the others do without it.
    """
    picked: dict[str, Advice] = {}
    total = 0
    for one in advice:
        if total >= characters:
            break
        may_go = one.target == target and "delete" in one.actions and one.entry not in picked
        if may_go and not _comes_round(one, picked):
            picked[one.entry] = one
            total += one.frees
    for one in sorted(picked.values(), key=lambda one: (-KINDS.index(one.kind), -one.frees)):
        if total - one.frees >= characters:
            del picked[one.entry]
            total -= one.frees
    return Room(tuple(picked.values()), total, total >= characters)


def _comes_round(one: Advice, picked: Mapping[str, Advice]) -> bool:
    """Whether all that says the same as this entry goes already, because it says the same."""
    beside = one.beside
    for _ in picked:
        if beside not in picked:
            return False
        beside = picked[beside].beside
        if beside == one.entry:
            return True
    return False
