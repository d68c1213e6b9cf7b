"""What is wrong with a memory file, where, and what the agent would have lost by writing. Pure.

The agent's guard has two tests (hermes-formats §2.6); these values say which one failed and at
what, for `gui/repair_words.py` to put into sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from schema.frozen import frozen
from store.memory import drift
from store.memory.encodings import read_text
from store.memory.entries import DELIMITER, Undecodable, decode


@frozen
class RoundTrip:
    """The first test: the file is not what the agent would write back.

    `line` is the first that differs, `found` what stands there, `agent` what the agent would
    put there.
    """

    line: int
    found: str
    agent: str


@frozen
class OversizeEntry:
    """The second test: one entry alone, in these lines, is longer than the whole budget."""

    lines: tuple[int, int]
    chars: int
    limit: int


@frozen
class WouldLose:
    """What a write of the agent would have dropped beside its change: never a word but repeats.

    `blank_lines` and `marks` (lines of § beside which nothing stands) are counts, `trimmed` the
    lines that would have lost spaces, `duplicates` the entries of which a copy would have gone.
    """

    blank_lines: int
    marks: int
    trimmed: tuple[int, ...]
    duplicates: tuple[str, ...]


@frozen
class NotUtf8:
    """The agent cannot read the file: from this byte, in this line. `encoding` is our guess."""

    byte: int
    line: int
    encoding: str


Kind = Literal["text", "log", "json", "table", "binary"]


@frozen
class NoMemory:
    """The file is so long that it can hardly be meant as a memory; `kind` is what it looks like."""

    chars: int
    limit: int
    kind: Kind


@frozen
class CopyOfBroken:
    """These backups are the broken file itself, so that it equals them proves nothing."""

    names: tuple[str, ...]


Finding = RoundTrip | OversizeEntry | WouldLose | NotUtf8 | NoMemory | CopyOfBroken


_BUDGETS_OF_NO_MEMORY = 50
_LOOKED_AT = 20_000
_LOGGED = re.compile(
    r"\W?\d{4}-\d\d-\d\d|\W?\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|TRACE|FATAL)\b"
)


def explain(data: bytes, *, limit: int, copies: Sequence[str] = ()) -> tuple[Finding, ...]:
    """Why the agent would refuse to change this file; nothing if it would not.

    `copies` are the names of backups that hold the same bytes.
    """
    text = decode(data)
    if isinstance(text, Undecodable):
        decoding = read_text(data)
        line = data.count(b"\n", 0, text.byte) + 1
        found: list[Finding] = [NotUtf8(text.byte, line, decoding.encoding if decoding else "")]
        text = decoding.text if decoding else ""
    else:
        signals = drift.signals(text, limit)
        found = []
        if signals:
            pieces = list(_pieces(text))
            if "round_trip" in signals:
                found += _round_trip(text, pieces)
            found += _oversize(text, pieces, limit)
    if found and len(text) > _BUDGETS_OF_NO_MEMORY * limit > 0:
        found.insert(0, NoMemory(len(text), limit, kind_of_text(text)))
    if found and copies:
        found.append(CopyOfBroken(tuple(copies)))
    return tuple(found)


def kind_of_text(text: str) -> Kind:
    """What a text is by its beginning: a guess, for a sentence."""
    head = text[:_LOOKED_AT]
    lines = [line for line in head.split("\n") if line.strip()]
    controls = sum(1 for letter in head if letter < " " and letter not in "\n\t\r\f")
    if controls > len(head) / 50:
        return "binary"
    if sum(1 for line in lines if _LOGGED.match(line)) > len(lines) / 2:
        return "log"
    if text.lstrip()[:1] in ("{", "[") and head.count('"') > len(head) / 100:
        return "json"
    for mark in ("\t", ";", ","):
        counts = {line.count(mark) for line in lines[:50]}
        if len(lines) > 3 and len(counts) == 1 and counts.pop() > 1:
            return "table"
    return "text"


@frozen
class _Piece:
    """What stands between two delimiters; `begin` and `end` enclose its text in the file's."""

    begin: int
    end: int
    text: str
    outer: str


def _pieces(text: str) -> Iterator[_Piece]:
    at = 0
    for outer in text.split(DELIMITER):
        inner = outer.strip()
        begin = at + len(outer) - len(outer.lstrip())
        yield _Piece(begin, begin + len(inner), inner, outer)
        at += len(outer) + len(DELIMITER)


def _round_trip(text: str, pieces: list[_Piece]) -> Iterator[Finding]:
    written = DELIMITER.join([piece.text for piece in pieces if piece.text]).split("\n")
    above = text[: len(text) - len(text.lstrip())].count("\n")
    lines = text.strip().split("\n")
    both = zip(lines, [*written, *[""] * len(lines)], strict=False)
    number, (found, agent) = next(
        (number, pair) for number, pair in enumerate(both, above + 1) if pair[0] != pair[1]
    )
    yield RoundTrip(number, found, agent)
    yield _would_lose(text, pieces)


def _would_lose(text: str, pieces: list[_Piece]) -> WouldLose:
    """Compare the file with what the agent would write, piece by piece."""
    blank = marks = 0
    trimmed, duplicates, seen = list[int](), list[str](), set[str]()
    line, at = 1, 0
    for number, piece in enumerate(pieces):
        line, at = line + text.count("\n", at, piece.begin), piece.begin
        first = line
        line, at = line + text.count("\n", at, piece.end), piece.end
        inside = 0 < number < len(pieces) - 1
        if not piece.text:
            marks += 1
            blank += piece.outer.count("\n") + 1 if inside else 0
            continue
        lead = piece.outer[: len(piece.outer) - len(piece.outer.lstrip())] if number else ""
        trail = piece.outer[len(piece.outer.rstrip()) :] if number < len(pieces) - 1 else ""
        blank += lead.count("\n") + trail.count("\n")
        if lead and not lead.endswith("\n"):
            trimmed.append(first)
        if trail and not trail.startswith("\n"):
            trimmed.append(line)
        if piece.text in seen:
            duplicates.append(piece.text)
        seen.add(piece.text)
    if not seen:
        marks -= 1  # two empty pieces, one mark
    return WouldLose(blank, marks, tuple(dict.fromkeys(trimmed)), tuple(duplicates))


def _oversize(text: str, pieces: list[_Piece], limit: int) -> Iterator[OversizeEntry]:
    line, at = 1, 0
    for piece in pieces:
        if len(piece.text) > limit:
            first = line + text.count("\n", at, piece.begin)
            last = first + text.count("\n", piece.begin, piece.end)
            yield OversizeEntry((first, last), len(piece.text), limit)
            line, at = last, piece.end
