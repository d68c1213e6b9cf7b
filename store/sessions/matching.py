"""Where in a text a query is met, and the passage to show for it. Pure.

Letters are compared without their case and accents, as the agent's word index compares them.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import NamedTuple
from unicodedata import normalize

from store.sessions.query import AllOf, AnyOf, Node, Piece, Query, Without, Word, leaves, tokens

SNIPPET_CHARS = 160
BEFORE_HIT = 40
SHOWN = 50
"""So many places of a term are marked at most."""

TERM_WEIGHT, TYPICAL_CHARS, ENOUGH = 0.5, 600, 5

# Letters and digits of scripts with blanks between their words; beside these a word goes on.
_LETTER = (
    "0-9A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0dff\u10a0-\u177f\u1800-\u1fff"
)
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_BLANK = re.compile(r"[^\S ]|\x00")
_BARE = {
    code: normalize("NFD", chr(code))[0].lower()
    for first, last in ((0xC0, 0x24F), (0x1E00, 0x1EFF))
    for code in range(first, last + 1)
}


class Snippet(NamedTuple):
    """A passage of one line; `ranges` are the places in it, begin and end, that were found."""

    text: str
    ranges: tuple[tuple[int, int], ...] = ()


def folded(text: str) -> str:
    """`text` for comparing, with every character at its place."""
    if text.isascii():
        return text.lower()
    if _ACCENTED.search(text) is not None:
        text = text.translate(_BARE)
    return lowered(text)


def lowered(text: str) -> str:
    """`text` without its case, with every character at its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(_lower(char) for char in text)


class Matcher:
    """What a query looks for, ready to be looked for in many texts."""

    def __init__(self, query: Query) -> None:
        self._query = query
        wanted = () if query.node is None else leaves(query.node)
        # Only the word index, which pieces do not use, makes no difference between e and é.
        has_words = any(isinstance(leaf, Word) for leaf in wanted)
        self.fold = folded if has_words else lowered
        self._patterns = {} if query.node is None else self._compiled(query.node)
        self._exact = [re.compile(re.escape(self.fold(one))) for one in query.exact]
        self._wanted = [self._patterns[leaf] for leaf in dict.fromkeys(wanted)]

    def _compiled(self, node: Node) -> dict[Word | Piece, re.Pattern[str]]:
        match node:
            case Piece(text):
                return {node: re.compile(re.escape(self.fold(text)))}
            case Word(text, prefix):
                return {node: _word_pattern(tokens(self.fold(text)), prefix=prefix)}
            case AllOf(parts) | AnyOf(parts):
                return {leaf: one for part in parts for leaf, one in self._compiled(part).items()}
            case Without(wanted, unwanted):
                return self._compiled(wanted) | self._compiled(unwanted)

    def fits(self, text: str) -> bool:
        """Whether `text`, folded by `fold`, is what the query looks for."""
        return self._query.node is not None and self._fits(self._query.node, text)

    def _fits(self, node: Node, text: str) -> bool:
        match node:
            case Word() | Piece():
                return self._patterns[node].search(text) is not None
            case AllOf(parts):
                return all(self._fits(part, text) for part in parts)
            case AnyOf(parts):
                return any(self._fits(part, text) for part in parts)
            case Without(wanted, unwanted):
                return self._fits(wanted, text) and not self._fits(unwanted, text)

    def weight(self, text: str) -> float:
        """How well `text`, folded by `fold`, fits: each term counts, and more of it a little."""
        size, weight = TERM_WEIGHT + len(text) / TYPICAL_CHARS, 0.0
        for one in self._wanted:
            count = len(one.findall(text))
            if count > ENOUGH:
                count = ENOUGH
            weight += count / (count + size)
        return weight + self.exactness(text) if self._exact else weight

    def exactness(self, text: str) -> int:
        """How many of the parts with marks in them stand in `text` as they were typed."""
        return sum(one.search(text) is not None for one in self._exact)

    def snippet(self, *texts: str) -> Snippet:
        """The best passage of the first of `texts` in which anything is found; else its start."""
        for text in texts:
            places = self._places(self.fold(text))
            if places:
                return _cut(text, places)
        return _cut(next((text for text in texts if text), ""), [])

    def _places(self, text: str) -> list[tuple[int, int]]:
        for patterns in (self._exact, self._wanted):
            places = [one.span() for p in patterns for one in islice(p.finditer(text), SHOWN)]
            if places:
                return _apart(sorted(places))
        return []


def as_escapes(text: str) -> str:
    """`text` as JSON writes it in ASCII."""
    return json.dumps(text)[1:-1]


def _apart(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that lie over another joined with it."""
    joined = [places[0]]
    for begin, end in places[1:]:
        if begin < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def _cut(text: str, places: list[tuple[int, int]]) -> Snippet:
    begin = max(places[0][0] - BEFORE_HIT, 0) if places else 0
    end = min(begin + SNIPPET_CHARS, len(text))
    begin = max(min(begin, end - SNIPPET_CHARS), 0)
    before, after = "…" if begin else "", "…" if end < len(text) else ""
    line = text[begin:end]
    if not line.isprintable():  # one character for one, so that the ranges hold
        line = _BLANK.sub(" ", line)
    shift = len(before) - begin
    ranges = tuple(
        (max(b, begin) + shift, min(e, end) + shift) for b, e in places if b < end and e > begin
    )
    return Snippet(before + line + after, ranges)


def _word_pattern(words: list[str], *, prefix: bool) -> re.Pattern[str]:
    first, *others = map(re.escape, words)
    # The word comes before the look at what stands before it: so it is searched for as it is.
    whole = r"[\W_]+".join((f"{first}(?<![{_LETTER}]{first})", *others))
    return re.compile(whole if prefix else f"{whole}(?![{_LETTER}])")


def _lower(char: str) -> str:
    lower = char.lower()
    return lower if len(lower) == 1 else char
