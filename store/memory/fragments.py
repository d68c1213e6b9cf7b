"""The texts between the delimiters of a broken file, each with the lines it came from. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from schema.frozen import frozen
from store.memory.entries import BOM, MARK

MARKERS = OURS, BASE, THEIRS, END = "<<<<<<<", "|||||||", "=======", ">>>>>>>"
"""What git begins the lines with that part the sides of a conflict."""

_MEANINGFUL = (MARK, BOM, *(marker[0] for marker in MARKERS))
_MARK_THEN_TEXT = re.compile(r"§\s+(?!\d)(?=\S)")


@frozen
class Line:
    """One line of the file; `number` counts from 1."""

    number: int
    text: str


@frozen
class Fragment:
    """Some lines that become one entry, from its first word to its last, and what was done."""

    lines: tuple[Line, ...]
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text as it would stand in the file."""
        if len(self.lines) == 1:
            return self.lines[0].text.strip()
        return "\n".join([line.text for line in self.lines]).strip()

    @property
    def span(self) -> tuple[int, int]:
        """First and last line, which are not blank."""
        return self.lines[0].number, self.lines[-1].number

    def having(self, *words: str) -> Fragment:
        """The same lines, with more that was done to them."""
        changes = tuple(dict.fromkeys((*self.changes, *words)))
        return Fragment(self.lines, changes) if changes != self.changes else self


def numbered(text: str, first: int = 1) -> list[Line]:
    """The lines of a text with LF line ends, counted from `first`."""
    return [Line(number, line) for number, line in enumerate(text.split("\n"), first)]


def marker_of(text: str) -> str:
    """Which of `MARKERS` this line is; empty if it is none."""
    marker = text[:7]
    return marker if marker in MARKERS and not text[7:8].strip() else ""


def means_more(text: str) -> bool:
    """Whether a line with this text would be more than text: no split may make such a line."""
    return text[:1] in _MEANINGFUL and (
        text.strip() == MARK or text.startswith(BOM) or bool(marker_of(text))
    )


def fragments_of(lines: Sequence[Line], *, drifted: bool) -> list[Fragment]:
    """The texts between delimiters, generously read; those without a word are left out.

    Only in a file that drifts a § at the start or end of a line with text may be a delimiter.
    """
    groups = _grouped(lines, _marks_beside_text(lines) if drifted else {})
    found = []
    for position, group in enumerate(groups):
        if (fragment := _inner(group.lines)) is None:
            continue
        if _is_trimmed(group.lines, first=position == 0, last=position == len(groups) - 1):
            group.changes.append("trimmed")
        found.append(fragment.having(*group.changes) if group.changes else fragment)
    if len(groups) > 1 and found:
        if _inner(groups[0].lines) is None:
            found[0] = found[0].having("edge_delimiter")
        if _inner(groups[-1].lines) is None:
            found[-1] = found[-1].having("edge_delimiter")
    return found


@dataclass(slots=True)
class _Group:
    """What stands between two delimiters, while it is being gathered."""

    lines: list[Line]
    changes: list[str]


def _grouped(lines: Sequence[Line], beside: dict[int, _Beside]) -> list[_Group]:
    groups = [_Group([], [])]
    has_text = False
    for index, line in enumerate(lines):
        if MARK in line.text and line.text.strip() == MARK:
            groups.append(_Group([], []))
            has_text = False
            continue
        mark = beside.get(index)
        if mark is not None:
            line = Line(line.number, mark.rest)
            if mark.before and has_text:
                groups.append(_Group([], []))
            groups[-1].changes.append("delimiter_on_text_line")
        groups[-1].lines.append(line)
        has_text = has_text or bool(line.text.strip())
        if mark is not None and mark.behind:
            groups.append(_Group([], []))
            has_text = False
    return groups


def _inner(lines: Sequence[Line]) -> Fragment | None:
    """The lines without blank ones at the edges; None if nothing is left."""
    first, last = 0, len(lines)
    while first < last and not lines[first].text.strip():
        first += 1
    while first < last and not lines[last - 1].text.strip():
        last -= 1
    return Fragment(tuple(lines[first:last])) if first < last else None


def _is_trimmed(lines: Sequence[Line], *, first: bool, last: bool) -> bool:
    """Whether there is a blank at an edge that is no edge of the file."""
    begin, end = lines[0].text[:1], lines[-1].text[-1:]
    return (not first and (not begin or begin.isspace())) or (
        not last and (not end or end.isspace())
    )


# -- delimiters on lines with text -----------------------------------------------------------


@frozen
class _Beside:
    """A line with § before or behind its text: what is left of it without them."""

    rest: str
    before: bool
    behind: bool


def _marks_beside_text(lines: Sequence[Line]) -> dict[int, _Beside]:
    """By index, the lines on which a § is a delimiter: all that look so, if one separates."""
    filled = [(index, line.text) for index, line in enumerate(lines) if line.text.strip()]
    found, separates = dict[int, _Beside](), False
    neighbours = zip([(0, ""), *filled], filled, [*filled[1:], (0, "")], strict=False)
    for (_, above), (index, text), (_, below) in neighbours:
        if MARK in text and (beside := _beside(text, below)) is not None:
            found[index] = beside
            opens = beside.before and above.strip() not in ("", MARK)
            closes = beside.behind and below.strip() not in ("", MARK)
            separates = separates or opens or closes
    return found if separates else {}


def _beside(text: str, below: str) -> _Beside | None:
    found = _MARK_THEN_TEXT.match(text)
    rest = text[found.end() :] if found is not None else text
    behind = rest.rstrip().endswith(MARK) and not below.lstrip()[:1].isdigit()
    if behind:
        rest = rest.rstrip().removesuffix(MARK).rstrip()
    # "§ 12" and "§§" are words of the law.
    if rest == text or not rest or rest.endswith(MARK) or means_more(rest):
        return None
    return _Beside(rest, found is not None, behind and bool(below))
