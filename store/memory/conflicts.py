"""A file with git's conflict markers: both sides become entries, so neither is lost. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schema.frozen import frozen
from store.memory.fragments import BASE, END, OURS, THEIRS, Fragment, Line, fragments_of, marker_of


@frozen
class Merged:
    """The fragments of both sides, common ones once.

    `base`: texts that only their common ancestor had; `markers`: the lines that part the sides.
    """

    fragments: list[Fragment]
    base: list[Fragment]
    markers: list[Line]


def without_conflicts(lines: Sequence[Line], *, drifted: bool) -> Merged:
    """The fragments of a file, where it holds whole conflicts those of both its sides.

    A conflict that lacks a marker is text.
    """
    blocks = list(_blocks(lines)) if any(line.text.startswith(OURS) for line in lines) else []
    if not blocks:
        return Merged(fragments_of(lines, drifted=drifted), [], [])
    ours, theirs, base, markers = list[Line](), list[Line](), list[Line](), list[Line]()
    end = 0
    for block in blocks:
        sides = (
            (ours, block.begin, block.middle if block.base is None else block.base),
            (base, block.begin if block.base is None else block.base, block.middle),
            (theirs, block.middle, block.end),
        )
        for side, begin, close in sides:
            side += lines[end : block.begin]
            side += [line for line in lines[begin:close] if not marker_of(line.text)]
        whole = lines[block.begin : block.end + 1]
        markers += [line for line in whole if marker_of(line.text)]
        end = block.end + 1
    for side in (ours, theirs, base):
        side += lines[end:]
    read = [fragments_of(side, drifted=drifted) for side in (ours, theirs, base)]
    return _merged(read[0], read[1], read[2], markers)


@frozen
class _Block:
    """Where a conflict's markers stand."""

    begin: int
    base: int | None
    middle: int
    end: int


def _blocks(lines: Sequence[Line]) -> Iterator[_Block]:
    """Each whole conflict. Further markers inside one belong to it, as of a merge of a merge."""
    begin = base = middle = None
    for index, line in enumerate(lines):
        match marker_of(line.text):
            case marker if marker == OURS and begin is None:
                begin = index
            case marker if marker == BASE and begin is not None and middle is None:
                base = index if base is None else base
            case marker if marker == THEIRS and begin is not None and middle is None:
                middle = index
            case marker if marker == END and begin is not None and middle is not None:
                yield _Block(begin, base, middle, index)
                begin = base = middle = None


def _merged(
    ours: list[Fragment], theirs: list[Fragment], base: list[Fragment], markers: list[Line]
) -> Merged:
    """Ours in order; what only theirs has stands behind what precedes it on both sides."""
    in_ours, in_theirs = {one.text for one in ours}, {one.text for one in theirs}
    place = {one.text: index for index, one in reversed(list(enumerate(ours)))}
    gaps: list[list[Fragment]] = [[] for _ in range(len(ours) + 1)]
    at = 0
    for one in theirs:
        if one.text in in_ours:
            at = max(at, place[one.text] + 1)
            continue
        while at < len(ours) and ours[at].text not in in_theirs:
            at += 1
        gaps[at].append(one.having("from_theirs"))
    merged = list(gaps[0])
    for one, behind in zip(ours, gaps[1:], strict=True):
        merged.append(one if one.text in in_theirs else one.having("from_ours"))
        merged += behind
    lost = [one for one in base if one.text not in in_ours and one.text not in in_theirs]
    return Merged(merged, lost, markers)
