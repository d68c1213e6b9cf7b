"""How alike two texts are: by the words they share, rare ones first. Pure.

A name, a number or a path that two texts share says more than a common word, so a word weighs the
more the fewer of the texts hold it. Chinese is compared by pairs of characters between the little
words.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from schema.frozen import frozen

Likeness = Literal["same", "near", "contained"]

NEAR = 0.58
"""So much of the weight of both (twice the shared by the sum) two texts must share."""
CONTAINED = 0.88
"""So much of its weight the shorter one must find in the other."""
LONGER = 1.35
"""So much heavier the other must be, or the two are near rather than one in the other."""
FEWEST = 2
"""With fewer words of its own a text is like none."""
MOST = 400
"""Texts with more words are compared by their first."""
COMMON = 60
"""A word that more texts hold brings no two of them together."""
BACKGROUND = 60
"""As if so many other texts were there: among few texts, a shared word is still a rare one."""

_WORDS = re.compile(r"[a-z0-9_~/][a-z0-9_.+#/@~-]*|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
_STOP = frozenset(
    (
        *("a", "an", "and", "any", "are", "as", "at", "be"),
        *("been", "but", "by", "can", "could", "do", "does", "for"),
        *("from", "had", "has", "have", "he", "her", "his", "i"),
        *("if", "in", "into", "is", "it", "its", "may", "me"),
        *("might", "my", "no", "not", "of", "on", "or", "our"),
        *("she", "should", "so", "such", "than", "that", "the", "their"),
        *("them", "then", "there", "these", "they", "this", "those", "to"),
        *("too", "very", "was", "we", "were", "when", "which", "while"),
        *("who", "will", "with", "would", "you", "your", "user", "users"),
        *("uses", "use", "used", "using", "prefer", "prefers", "preferred", "like"),
        *("likes", "always", "must", "only", "still", "need", "needs", "want"),
        *("wants", "wanted", "also", "just", "all", "both", "each", "every"),
        *("about", "out", "up", "down", "get", "got", "go", "goes"),
        *("lives", "runs", "run", "running", "located", "named", "called", "written"),
        *("ask", "asked", "http", "https"),
    )
)
_LITTLE = re.compile(
    r"用户|使用|喜欢|偏好|而不是|不要|不用|必须|应该|需要|可以|因为|所以|如果|时候|位于|一个|这种"
    r"|这样|那种|就是|已经|还有|都是|只能|通过"
    r"|[的了在是对和与跟把被将让就都也会要用时着过吧吗呢这那我你他她它们很请给为由从到以于而且或并"
    r"但及等所其得地只]"
)
_TENTHS = re.compile(r"([一二三四五六七八九])成")
_MEASURED = re.compile(r"(\d+)-?([a-z]+)")


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
    folded = _TENTHS.sub(_percent, unicodedata.normalize("NFKC", text).lower())
    for found in _WORDS.findall(folded)[:MOST]:
        if found[0].isascii():
            yield from _latin(found.strip("._/+-@#"))
        else:
            for run in _LITTLE.split(found):
                yield from (run[at : at + 2] for at in range(len(run) - 1))


def _percent(tenths: re.Match[str]) -> str:
    return f" {'一二三四五六七八九'.index(tenths[1]) + 1}0 "


def _latin(word: str) -> Iterator[str]:
    """A word's stem; of a measure (24h, 24-hour) the number and the unit."""
    measured = _MEASURED.fullmatch(word)
    if measured:
        yield measured[1]
        word = measured[2]
    if (len(word) > 1 and word not in _STOP) or word.isdigit():
        yield _stem(word)


def _stem(word: str) -> str:
    """A word without the ending that says how often, when or who."""
    if not word.isalpha():
        return word
    for ending in ("ings", "ing", "ers", "ies", "ed", "er", "es", "ly", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def alike(texts: Sequence[str]) -> tuple[Alike, ...]:
    """Every pair of texts that say much the same, each pair once; the surest first.

    Pairs are looked for among those that share a word, so thousands of texts take no square time
    unless all of them are alike.
    """
    words = [words_of(text) for text in texts]
    weights = _weights(words)
    found = dict(_equal(texts))
    for one, other in _candidates(words):
        pair = _compared(texts, words, weights, one, other)
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


def _weights(words: Sequence[frozenset[str]]) -> dict[str, float]:
    """What each word says: more the fewer texts hold it, and more if it is a name or a number."""
    holders = Counter(word for own in words for word in own)
    many = len(words) + BACKGROUND
    return {word: math.log(many / held) * _telling(word) for word, held in holders.items()}


def _telling(word: str) -> float:
    if not word[0].isascii():
        return 0.7  # a pair of characters: the word behind it makes more than one
    return 1.0 if word.isalpha() else 1.4


def _candidates(words: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Pairs that share a word which few hold."""
    places: dict[str, list[int]] = {}
    for at, own in enumerate(words):
        for word in own:
            places.setdefault(word, []).append(at)
    seen: set[tuple[int, int]] = set()
    for at, own in enumerate(words):
        rare = sorted(own, key=lambda word: (len(places[word]), word))[: max(4, len(own) // 2 + 1)]
        for word in rare:
            if len(places[word]) > COMMON:
                break
            for other in places[word]:
                pair = (min(at, other), max(at, other))
                if other != at and pair not in seen:
                    seen.add(pair)
                    yield pair


def _compared(
    texts: Sequence[str],
    words: Sequence[frozenset[str]],
    weights: Mapping[str, float],
    one: int,
    other: int,
) -> Alike | None:
    sums = {at: sum(weights[word] for word in words[at]) for at in (one, other)}
    within, whole = (one, other) if sums[one] <= sums[other] else (other, one)
    small, large = words[within], words[whole]
    if sum(not word.isdigit() for word in small) < FEWEST:
        return None
    if not _numbers(small) <= _numbers(large):
        return None  # another number is another fact
    shared = sum(weights[word] for word in small & large)
    if shared >= CONTAINED * sums[within] and sums[whole] >= LONGER * sums[within]:
        return Alike(within, whole, "contained", shared / sums[within])
    share = 2 * shared / (sums[one] + sums[other])
    if (
        share >= NEAR
        and len(small & large) > FEWEST
        and not _another_name(texts[one], texts[other])
    ):
        return Alike(one, other, "near", share)
    return None


def _another_name(one: str, other: str) -> bool:
    """Whether the same is said of two names: all words are alike in turn but one."""
    mine, its = list(_words(one)), list(_words(other))
    if len(mine) != len(its):
        return False
    apart = [pair for pair in zip(mine, its, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and all(word[0].isascii() for word in apart[0])


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(number for word in words for number in re.findall(r"\d+", word))
