"""How alike two texts are: by the words they share, Chinese by pairs of characters. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from schema.frozen import frozen

Likeness = Literal["same", "near", "contained"]

NEAR = 0.62
"""So much of all their words two texts must share."""
CONTAINED = 0.9
"""So much of its words the shorter one must find in the other."""
FEWEST = 3
"""With fewer words of its own a text is like none."""
MOST = 400
"""Texts with more words are compared by their first."""

_WORDS = re.compile(r"[a-z0-9_][a-z0-9_.+#/@-]*|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
_STOP = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "in"),
        *("is", "it", "its", "of", "on", "or", "that", "the", "their", "this", "to", "was"),
        *("were", "will", "with", "user", "users", "uses", "use", "using", "prefers", "likes"),
        *("always", "should", "must"),
    )
)


@frozen
class Alike:
    """The texts at `one` and `other` (the longer one of a contained pair)."""

    one: int
    other: int
    how: Likeness
    share: float


def words_of(text: str) -> frozenset[str]:
    """The words by which a text is compared."""
    return frozenset(_words(text))


def _words(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).lower()
    for found in _WORDS.findall(folded)[:MOST]:
        if found[0].isascii():
            bare = found.strip("._/+-")
            if bare and bare not in _STOP:
                yield _stem(bare)
        elif len(found) == 1:
            yield found
        else:
            yield from (found[at : at + 2] for at in range(len(found) - 1))


def _stem(word: str) -> str:
    """A word without the ending that says how often or when."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4 and word.isalpha():
            return word[: -len(ending)]
    return word


def alike(texts: Sequence[str]) -> tuple[Alike, ...]:
    """Every pair of texts that say much the same, each pair once; the surest first.

    Pairs are looked for among those that share a word, so thousands of texts take no square time
    unless all of them are alike.
    """
    words = [words_of(text) for text in texts]
    found = dict(_equal(texts))
    for one, other in _candidates(words):
        pair = _compared(texts, words, one, other)
        if pair is not None:
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
    texts = [text, *others]
    words = [words_of(one) for one in texts]
    pairs = (_compared(texts, words, 0, at) for at in range(1, len(texts)))
    best = max(
        (pair for pair in pairs if pair is not None), key=lambda one: one.share, default=None
    )
    return None if best is None else (max(best.one, best.other) - 1, best.how)


def _candidates(words: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs that share one of their rarest words."""
    places: dict[str, list[int]] = {}
    for at, own in enumerate(words):
        for word in own:
            places.setdefault(word, []).append(at)
    seen: set[tuple[int, int]] = set()
    for at, own in enumerate(words):
        if len(own) < FEWEST:
            continue
        rare = sorted(own, key=lambda word: (len(places[word]), word))[: max(3, len(own) // 2 + 1)]
        for word in rare:
            for other in places[word]:
                pair = (min(at, other), max(at, other))
                if other != at and pair not in seen:
                    seen.add(pair)
                    yield pair


def _compared(
    texts: Sequence[str], words: Sequence[frozenset[str]], one: int, other: int
) -> Alike | None:
    mine, its = words[one], words[other]
    if " ".join(texts[one].split()) == " ".join(texts[other].split()):
        return Alike(one, other, "same", 1.0)
    shared = len(mine & its)
    fewest = min(len(mine), len(its))
    small, large = (mine, its) if len(mine) <= len(its) else (its, mine)
    if fewest < FEWEST or not _numbers(small) <= _numbers(large):
        return None  # another number is another fact
    share = shared / len(mine | its)
    if share >= NEAR:
        return Alike(one, other, "near", share)
    part = shared / fewest
    if part >= CONTAINED and fewest >= FEWEST + 1:
        within, whole = (one, other) if small is mine else (other, one)
        return Alike(within, whole, "contained", part)
    return None


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(sign.isdigit() for sign in word))
