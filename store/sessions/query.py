"""What a person types into the search field, as a value; any text is one (hermes-formats §9.6).

Words, "phrases", begin*, AND, OR, NOT. NOT binds tighter than AND, and AND than OR; words with
only a blank between them belong together before all of these. An operator with nothing on one
side is left out. Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from schema.frozen import frozen

LONGEST = 2_048
"""Characters of a query that count; the agent reads as many."""

OPERATORS = ("AND", "OR", "NOT")

# Scripts that put no blank between words: for these a term is looked for inside the text.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3000-\u30ff\u3100-\u318f"
    "\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_UNSPACED = re.compile(f"[{UNSPACED}]")
# The agent takes these for nothing but the end of a word.
_BREAKS = re.compile(r'[+{}():"^]+')
# Marks of a sentence, which do not belong to the word beside them.
_MARKS = ",;!?…。，、！？；：·“”‘’《》〈〉「」『』【】（）〔〕～"
_MARK_RUN = re.compile(f"[{re.escape(_MARKS)}]+")
_WORDLIKE = re.compile(r"\w+(?:[._-]+\w+)*")
_TOKEN = re.compile(r"[^\W_]+")
_CHUNK = re.compile(r'"([^"]*)"(\*?)|([^\s"]+)|"')


@frozen
class Word:
    """A word, or words that follow each other; found as whole words. `prefix`: it may go on."""

    text: str
    prefix: bool = False


@frozen
class Piece:
    """Characters that stand anywhere in a text as they are, in any letter case."""

    text: str


@frozen
class AllOf:
    """Every one of `parts`. `typed`: the person wrote AND between them."""

    parts: tuple[Node, ...]
    typed: bool = False


@frozen
class AnyOf:
    """At least one of `parts`."""

    parts: tuple[Node, ...]


@frozen
class Without:
    """What fits `wanted` and not `unwanted`."""

    wanted: Node
    unwanted: Node


Node = Word | Piece | AllOf | AnyOf | Without


@frozen
class Query:
    """What to look for; `node` is None if nothing is left of what was typed.

    `exact` are the parts with marks in them as they were typed, which the word index does not
    know; a text that has them is the better one. `left_out` are operators that had no effect.
    """

    node: Node | None
    exact: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    cut: bool = False

    @property
    def in_pieces(self) -> bool:
        """Whether terms are looked for inside words."""
        return self.node is not None and any(isinstance(one, Piece) for one in leaves(self.node))


class _Chunk(NamedTuple):
    text: str
    quoted: bool = False
    prefix: bool = False


class _Read(NamedTuple):
    """A chunk as a part of the query."""

    node: Node
    exact: str = ""


def parse(typed: str) -> Query:
    """What `typed` looks for. Nothing is refused."""
    text = typed[:LONGEST].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    chunks = [_chunk(found) for found in _CHUNK.finditer(text)]
    chunks = [one for one in chunks if one.text.strip()]
    chunks, loose_marks = _without_loose_marks(chunks)
    chunks, left_out = _without_loose_ends(chunks)
    unspaced = any(_UNSPACED.search(one.text) for one in chunks)
    groups: list[list[_Read]] = [[]]
    operators: list[str] = []
    for chunk in chunks:
        if not chunk.quoted and chunk.text in OPERATORS:
            if groups[-1]:
                operators.append(chunk.text)
                groups.append([])
            else:  # a row of operators: the last one counts
                left_out.append(operators[-1])
                operators[-1] = chunk.text
            continue
        groups[-1] += _read(chunk, unspaced=unspaced)
    while len(groups) > 1 and not groups[-1]:
        groups.pop()
        left_out.append(operators.pop())
    if not groups[0]:
        return Query(None, left_out=tuple(left_out), cut=len(typed) > LONGEST)
    exact = (*(one.exact for group in groups for one in group if one.exact), *loose_marks)
    parts = [_all([one.node for one in group]) for group in groups]
    return Query(_joined(parts, operators), exact, tuple(left_out), len(typed) > LONGEST)


def leaves(node: Node) -> tuple[Word | Piece, ...]:
    """The words and pieces that are looked for, without those that are excluded."""
    match node:
        case Word() | Piece():
            return (node,)
        case AllOf(parts) | AnyOf(parts):
            return tuple(leaf for part in parts for leaf in leaves(part))
        case Without(wanted, _):
            return leaves(wanted)


def relaxed(query: Query) -> Query | None:
    """The same words, any of which is enough; None if the person said how they belong together."""
    match query.node:
        case AllOf(parts, typed=False) if len(parts) > 1:
            return Query(AnyOf(parts), query.exact)
    return None


def tokens(text: str) -> list[str]:
    """The words that the index knows in `text`."""
    return _TOKEN.findall(text)


def is_unspaced(text: str) -> bool:
    """Whether `text` holds characters of a script without blanks."""
    return _UNSPACED.search(text) is not None


def _chunk(found: re.Match[str]) -> _Chunk:
    quoted, star, plain = found.groups()
    if plain is not None:
        return _Chunk(plain)
    return _Chunk(quoted or "", quoted=True, prefix=bool(star))


def _without_loose_marks(chunks: list[_Chunk]) -> tuple[list[_Chunk], list[str]]:
    """Keep apart what is nothing but marks, where there are words: no index knows them.

    A text that has the marks too is the better one; alone, they are what is looked for.
    """
    words = [one for one in chunks if tokens(one.text)]
    if all(not one.quoted and one.text in OPERATORS for one in words):
        return chunks, []
    return words, [one.text.strip() for one in chunks if not tokens(one.text)]


def _without_loose_ends(chunks: list[_Chunk]) -> tuple[list[_Chunk], list[str]]:
    """Leave out operators at either end as long as something else is there.

    The agent takes the outermost one also in small letters.
    """
    left_out: list[str] = []
    for end in (0, -1):
        outermost = True
        while len(chunks) > 1 and not chunks[end].quoted:
            text = chunks[end].text
            if (text.upper() if outermost else text) not in OPERATORS:
                break
            outermost = False
            left_out.append(chunks.pop(end).text)
    if len(chunks) == 1 and not chunks[0].quoted and chunks[0].text in OPERATORS:
        left_out.append(chunks[0].text)  # looked for as the word that it is
        chunks = [_Chunk(chunks[0].text, quoted=True)]
    return chunks, left_out


def _read(chunk: _Chunk, *, unspaced: bool) -> list[_Read]:
    """One word of the person as parts, all of which must be there."""
    if chunk.quoted:
        return _read_phrase(chunk, unspaced=unspaced)
    texts = [one for one in re.split(r"(?<=\*)(?=[^*])", re.sub(r"\*+", "*", chunk.text)) if one]
    found: list[_Read] = []
    for text in texts:
        found += _read_word(text, unspaced=unspaced)
    if not found and tokens(chunk.text) == []:
        return [_Read(Piece(chunk.text))]  # nothing but marks: they stand for themselves
    typed = chunk.text.strip("*")
    exact = "" if typed.isalnum() or (unspaced and len(found) == 1) else typed
    return [_Read(found[0].node, exact), *found[1:]] if found else []


def _read_word(text: str, *, unspaced: bool) -> list[_Read]:
    prefix = text.endswith("*") and len(text) > 1
    body = text.strip("*")
    found: list[_Read] = []
    pieces = [one for one in _BREAKS.split(body) if one]
    for number, piece in enumerate(pieces):
        goes_on = prefix and number == len(pieces) - 1
        if unspaced:
            found += [_Read(Piece(one)) for one in _MARK_RUN.split(piece) if one]
            continue
        bare = piece.strip(_MARKS + ".'")
        if _WORDLIKE.fullmatch(bare) and tokens(bare):
            found.append(_Read(Word(bare, goes_on)))
        elif bare:
            found.append(_Read(Piece(bare)))
    return found


def _read_phrase(chunk: _Chunk, *, unspaced: bool) -> list[_Read]:
    text = chunk.text.strip()
    if not unspaced:
        if tokens(text):
            return [_Read(Word(text, chunk.prefix), text)]
        return [_Read(Piece(text))]
    # The agent finds the parts of such a phrase wherever they stand, so that is the least.
    parts = [one for one in re.split(r"\s+", text.strip("*")) if one]
    return [_Read(Piece(one), text if n == 0 else "") for n, one in enumerate(parts)]


def _all(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else AllOf(tuple(nodes))


def _joined(parts: list[Node], operators: list[str]) -> Node:
    """NOT first, then AND, then OR, each from left to right."""
    alternatives: list[list[Node]] = [[parts[0]]]
    for operator, part in zip(operators, parts[1:], strict=True):
        match operator:
            case "NOT":
                alternatives[-1][-1] = Without(alternatives[-1][-1], part)
            case "AND":
                alternatives[-1].append(part)
            case _:
                alternatives.append([part])
    joined: list[Node] = [
        group[0] if len(group) == 1 else AllOf(tuple(group), typed=True) for group in alternatives
    ]
    return joined[0] if len(joined) == 1 else AnyOf(tuple(joined))
