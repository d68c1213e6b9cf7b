"""How an entry that is longer than the whole budget comes apart, by its own structure. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

_HEADING = re.compile(r"(#{1,6})\s+\S")
_RULE = re.compile(r"\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
_NUMBERED = re.compile(r"(?:\d{1,3}[.)]\s+|\d{1,3}、|[一二三四五六七八九十]{1,3}、)\S")
_BULLET = re.compile(r"[-*+•·]\s+(?=\S)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file; `number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """Some lines that become one entry, with what was done to get them."""

    lines: tuple[Line, ...]
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text as it would stand in the file."""
        return "\n".join(line.text for line in self.lines).strip()

    @property
    def span(self) -> tuple[int, int]:
        """First and last line that is not blank."""
        numbers = [line.number for line in self.lines if line.text.strip()]
        return (numbers[0], numbers[-1]) if numbers else (self.lines[0].number,) * 2


@dataclass(frozen=True, slots=True)
class Parts:
    """What a split made: the parts in order, and the lines that stand for nothing but it."""

    fragments: tuple[Fragment, ...]
    rules: tuple[Line, ...] = ()


def split_oversize(fragment: Fragment, limit: int) -> Parts:
    """Take a fragment apart until no part is longer than `limit` characters."""
    waiting, finished, rules = [fragment], list[Fragment](), list[Line]()
    while waiting:
        current = waiting.pop(0)
        if not current.text or current.text == "§":
            continue
        if len(current.text) <= limit:
            finished.append(current)
            continue
        parts = next(parts for way in _WAYS if (parts := way(current, limit)) is not None)
        waiting[:0] = parts.fragments
        rules += parts.rules
    return Parts(tuple(finished), tuple(rules))


def _outside_fences(lines: tuple[Line, ...]) -> list[bool]:
    """For each line whether it stands outside fenced code."""
    outside, open_ = [], False
    for line in lines:
        fence = bool(_FENCE.match(line.text))
        outside.append(not open_ and not fence)
        open_ = open_ != fence
    return outside


def _at_starts(fragment: Fragment, starts: list[int], word: str) -> Parts | None:
    if len(starts) < 2:
        return None
    edges = sorted({0, *starts, len(fragment.lines)})
    return Parts(
        tuple(
            _carrying(Fragment(fragment.lines[begin:end], fragment.changes), word)
            for begin, end in pairwise(edges)
        )
    )


def _carrying(fragment: Fragment, *words: str) -> Fragment:
    return Fragment(fragment.lines, tuple(dict.fromkeys((*fragment.changes, *words))))


def _by_heading(fragment: Fragment, limit: int) -> Parts | None:
    outside = _outside_fences(fragment.lines)
    levels: dict[int, list[int]] = {}
    for index, line in enumerate(fragment.lines):
        if outside[index] and (found := _HEADING.match(line.text)):
            levels.setdefault(len(found.group(1)), []).append(index)
    for level in sorted(levels):
        starts = sorted(index for at, found in levels.items() if at <= level for index in found)
        if len(levels[level]) >= 2:
            return _at_starts(fragment, starts, "split_at_heading")
    return None


def _by_rule(fragment: Fragment, limit: int) -> Parts | None:
    outside = _outside_fences(fragment.lines)
    rules = [i for i, line in enumerate(fragment.lines) if outside[i] and _RULE.match(line.text)]
    if len(rules) < 2 and not (rules and 0 < rules[0] < len(fragment.lines) - 1):
        return None
    edges = [-1, *rules, len(fragment.lines)]
    parts = [
        _carrying(Fragment(fragment.lines[begin + 1 : end], fragment.changes), "split_at_rule")
        for begin, end in pairwise(edges)
        if end > begin + 1
    ]
    return Parts(tuple(parts), tuple(fragment.lines[index] for index in rules))


def _by_item(fragment: Fragment, limit: int) -> Parts | None:
    outside = _outside_fences(fragment.lines)
    for pattern in (_NUMBERED, _BULLET):
        starts = [
            i for i, line in enumerate(fragment.lines) if outside[i] and pattern.match(line.text)
        ]
        parts = _at_starts(fragment, starts, "split_at_item")
        if parts is not None:
            return Parts(tuple(map(_unbulleted, parts.fragments)))
    return None


def _unbulleted(fragment: Fragment) -> Fragment:
    first = fragment.lines[0]
    text = _BULLET.sub("", first.text, count=1) if _BULLET.match(first.text) else first.text
    if text == first.text:
        return fragment
    lines = (Line(first.number, text), *fragment.lines[1:])
    return _carrying(Fragment(lines, fragment.changes), "unbulleted")


def _by_blank_line(fragment: Fragment, limit: int) -> Parts | None:
    lines = fragment.lines
    starts = [
        i
        for i, line in enumerate(lines)
        if line.text.strip() and (i == 0 or not lines[i - 1].text.strip())
    ]
    return _at_starts(fragment, starts, "split_at_blank_line")


def _by_line(fragment: Fragment, limit: int) -> Parts | None:
    starts = [i for i, line in enumerate(fragment.lines) if line.text.strip()]
    return _at_starts(fragment, starts, "split_at_line")


def _by_sentence(fragment: Fragment, limit: int) -> Parts | None:
    parts = [part for part in _SENTENCE.split(fragment.text) if part and part.strip()]
    return _pieces(fragment, parts, "split_at_sentence") if len(parts) > 1 else None


def _by_length(fragment: Fragment, limit: int) -> Parts:
    text, parts = fragment.text, list[str]()
    while len(text) > limit:
        blank = max(text.rfind(" ", 1, limit + 1), text.rfind("\u3000", 1, limit + 1))
        cut = blank if blank > 0 else max(limit, 1)
        parts.append(text[:cut])
        text = text[cut:].lstrip()
    return _pieces(fragment, [*parts, text], "split_at_length")


def _pieces(fragment: Fragment, parts: list[str], word: str) -> Parts:
    number = fragment.span[0]
    return Parts(
        tuple(
            _carrying(Fragment((Line(number, part.strip()),), fragment.changes), word)
            for part in parts
        )
    )


_WAYS: tuple[Callable[[Fragment, int], Parts | None], ...] = (
    _by_heading,
    _by_rule,
    _by_item,
    _by_blank_line,
    _by_line,
    _by_sentence,
    _by_length,
)
