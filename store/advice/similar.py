"""How alike two texts are: by the words they share, rare ones first, in whatever order. Pure.

Whoever says a thing again keeps its names, numbers and subjects and changes the rest, so what is
common in the language weighs little, and so does what many of the texts hold.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal

from schema.frozen import frozen
from store.advice.wording import Wording, wording

Likeness = Literal["same", "near", "contained"]

NEAR = 0.36
"""So much of the weight of both (twice the shared by the sum) two texts must share."""
SHARED = 1.4
"""So much, before rarity is counted, they must share: about two names or three other words."""
CONTAINED = 0.85
"""So much of its weight the shorter one must find in the other."""
LONGER = 1.25
"""So much longer the other must be, or the two are near rather than one in the other."""
AS_IT_STANDS = 0.5
"""So many of its neighbouring words must be neighbours there too: it is not reworded."""
FEWEST = 2
"""With fewer words of its own a text is like none."""
COMMON = 60
"""A word that more texts hold brings no two of them together."""
BACKGROUND = 60
"""As if so many other texts were there: among few texts, a shared word is still a rare one."""


@frozen
class Alike:
    """The texts at `one` and `other` (the longer one of a contained pair)."""

    one: int
    other: int
    how: Likeness
    share: float


def alike(texts: Sequence[str]) -> tuple[Alike, ...]:
    """Every pair of texts that say much the same, each pair once; the surest first.

    Pairs are looked for among those that share a word, so thousands of texts take no square time
    unless all of them are alike.
    """
    said = [wording(text) for text in texts]
    rarity = _rarity(said)
    found = dict(_equal(texts))
    for one, other in _candidates(said):
        pair = _compared(said, rarity, one, other)
        if pair is not None and (one, other) not in found:
            found[one, other] = pair
    return tuple(sorted(found.values(), key=lambda pair: (-pair.share, pair.one, pair.other)))


def _equal(texts: Sequence[str]) -> Iterator[tuple[tuple[int, int], Alike]]:
    """Texts that differ in blanks alone, each with the first of them."""
    first: dict[str, int] = {}
    for at, text in enumerate(texts):
        bare = " ".join(text.split())
        if bare in first:
            yield (first[bare], at), Alike(first[bare], at, "same", 1.0)
        elif bare:
            first[bare] = at


def likeness(text: str, others: Iterable[str]) -> tuple[int, Likeness] | None:
    """Which of `others` is most like `text`, and how; None if none is."""
    pairs = [pair for pair in alike([text, *others]) if 0 in (pair.one, pair.other)]
    best = max(pairs, key=lambda one: one.share, default=None)
    return None if best is None else (max(best.one, best.other) - 1, best.how)


def _rarity(said: Sequence[Wording]) -> dict[str, float]:
    """How much a word tells among these texts: more the fewer of them hold it."""
    holders = Counter(word for one in said for word in one.weights)
    many = len(said) + BACKGROUND
    return {word: math.log(many / held) for word, held in holders.items()}


def _candidates(said: Sequence[Wording]) -> Iterator[tuple[int, int]]:
    """Pairs that share a word which few hold."""
    places: dict[str, list[int]] = {}
    for at, one in enumerate(said):
        for word in one.weights:
            places.setdefault(word, []).append(at)
    seen: set[tuple[int, int]] = set()
    for at, one in enumerate(said):
        own = sorted(one.weights, key=lambda word: (len(places[word]), word))
        for word in own[: max(12, len(own) // 2 + 1)]:
            if len(places[word]) > COMMON:
                break
            for other in places[word]:
                pair = (min(at, other), max(at, other))
                if other != at and pair not in seen:
                    seen.add(pair)
                    yield pair


def _compared(
    said: Sequence[Wording], rarity: Mapping[str, float], one: int, other: int
) -> Alike | None:
    sums = {at: _sum(said[at].weights, rarity, said[at].weights) for at in (one, other)}
    within, whole = (one, other) if sums[one] <= sums[other] else (other, one)
    small, large = said[within], said[whole]
    if sum(not word.isdigit() for word in small.weights) < FEWEST:
        return None
    common = small.weights.keys() & large.weights.keys()
    shared = sum(rarity[word] * min(small.weights[word], large.weights[word]) for word in common)
    held = small.numbers <= large.numbers
    if held and shared >= CONTAINED * sums[within] and _stands_in(small, large):
        return Alike(within, whole, "contained", shared / sums[within])
    share = 2 * shared / (sums[one] + sums[other])
    if (
        share < NEAR
        or len(common) <= FEWEST
        or sum(small.weights[word] for word in common) < SHARED
    ):
        return None
    if not (held or large.numbers <= small.numbers) or _another_name(small, large):
        return None  # another number or another name is another fact
    return Alike(one, other, "near", share)


def _stands_in(small: Wording, large: Wording) -> bool:
    """Whether the one is said in the other's own words, and the other says more."""
    if len(large.plain) < LONGER * len(small.plain):
        return False
    there = set(pairwise(large.plain))
    here = list(pairwise(small.plain))
    return sum(pair in there for pair in here) >= AS_IT_STANDS * len(here)


def _sum(weights: Mapping[str, float], rarity: Mapping[str, float], words: Iterable[str]) -> float:
    return sum(weights[word] * rarity[word] for word in words)


def _another_name(one: Wording, other: Wording) -> bool:
    """Whether the same is said of two names: all is alike but one place, or marks differ."""
    if _marks(one) - _marks(other) and _marks(other) - _marks(one):
        return True
    if _said_of_two(one, other):
        return True
    mine, its = one.in_turn, other.in_turn
    front = _alike_in_turn(mine, its)
    back = _alike_in_turn(mine[front:][::-1], its[front:][::-1])
    gone, come = mine[front : len(mine) - back], its[front : len(its) - back]
    if not gone or not come or max(len(gone), len(come)) > PLACE:
        return False
    return all(word not in other.weights for word in gone) and all(
        word not in one.weights for word in come
    )


def _said_of_two(one: Wording, other: Wording) -> bool:
    """Whether both are built alike and something else stands in the same place of each."""
    days, its_days = {*one.in_turn} & _DAYS, {*other.in_turn} & _DAYS
    if days and its_days and not days & its_days:
        return True
    common = one.weights.keys() & other.weights.keys()
    steps = SequenceMatcher(None, one.in_turn, other.in_turn, autojunk=False).get_opcodes()
    kept = sum(to - at for how, at, to, _, _ in steps if how == "equal")
    turned = [
        (at, its)
        for how, at, to, its, its_to in steps
        if how == "replace"
        and not {*one.in_turn[at:to]} & other.weights.keys()
        and not {*other.in_turn[its:its_to]} & one.weights.keys()
        and _names(one.in_turn[at:to])
        and _names(other.in_turn[its:its_to])
    ]
    early = any(at <= EARLY and its <= EARLY for at, its in turned)
    longest = max(len(one.in_turn), len(other.in_turn))
    return early and kept >= len(common) and longest - kept <= PARTS


PARTS = 6
"""So many words at most are other ones where one sentence is built like another."""
EARLY = 2
"""Within so many words from the start of a text stands what it speaks of."""
_DAYS = frozenset(["monda", "tuesda", "wednesda", "thursda", "frida", "saturda", "sunda"])


def _names(words: Sequence[str]) -> bool:
    """Whether a word is among them that is no mere pair of neighbouring characters."""
    return any(len(word) == 1 or word.isascii() for word in words)


def _marks(one: Wording) -> frozenset[str]:
    """Addresses, paths and the like: no two of them mean the same."""
    return frozenset(word for word, weight in one.weights.items() if weight >= MARK)


MARK = 1.5
"""What a word weighs that is neither a plain word nor a number."""
PLACE = 3
"""Words (or a character and its pairs) that make one place in a text."""


def _alike_in_turn(one: Sequence[str], other: Sequence[str]) -> int:
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
