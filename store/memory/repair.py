"""From the bytes of a broken memory file to a clean list of entries, without losing a word.

Pure: `propose` never drops text. What has no place in an entry is in `dropped`, named, and the
whole file is in the backup that applying makes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from store.memory import drift
from store.memory.encodings import Decoding, read_text
from store.memory.entries import MARK, Document, Entry, parse, serialise
from store.memory.splitting import Fragment, Line, split_oversize

_OURS, _BASE, _THEIRS, _END = "<<<<<<<", "|||||||", "=======", ">>>>>>>"
_MARK_THEN_TEXT = re.compile(r"§\s+(?!\d)\S")
_TEXT_THEN_MARK = re.compile(r".*\S\s+§\s*$")
_NEAR = 0.9
_NEAR_CHARS = 20
_NEAR_ENTRIES = 300
"""Comparing every pair is only done for lists a person can read."""


@dataclass(frozen=True, slots=True)
class ProposedEntry:
    """An entry of the repaired file: where it came from (lines from 1) and what was changed."""

    text: str
    lines: tuple[int, int]
    changes: tuple[str, ...] = ()
    identity: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Text without a place in an entry; `why`: duplicate, rule, conflict_marker, conflict_base."""

    text: str
    lines: tuple[int, int]
    why: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the file could become. `doubt` is `guess` if the encoding was guessed."""

    entries: tuple[ProposedEntry, ...]
    dropped: tuple[Dropped, ...]
    encoding: str
    doubt: str
    notes: tuple[str, ...]
    header: str
    limit: int

    @property
    def document(self) -> Document:
        """The entries as a document."""
        return Document(
            tuple(Entry(entry.text, entry.identity) for entry in self.entries), self.header
        )

    @property
    def chars(self) -> int:
        """Characters of the resulting file."""
        return len(serialise(self.document))

    @property
    def over_budget(self) -> bool:
        """Whether the agent could add nothing to the result."""
        return self.chars > self.limit


def propose(data: bytes, *, limit: int, encoding: str | None = None) -> Proposal | None:
    """A clean list for `data`; None if `encoding`, chosen by a person, does not fit the bytes.

    A file that needs nothing is proposed as it is, and so is the result of a repair.
    """
    decoding = read_text(data, encoding)
    if decoding is None:
        return None
    drifted = bool(drift.signals(decoding.text, limit))
    odd = {"duplicates", "edge_delimiter", "conflict_markers"} & set(
        drift.notices(decoding.text.encode(), decoding.text)
    )
    if not (drifted or odd):
        return _as_it_is(decoding, limit)
    lines = _numbered(decoding.text)
    header, lines = _without_header(lines)
    fragments, dropped = _resolved(lines, drifted=drifted)
    entries: list[ProposedEntry] = []
    for fragment in fragments:
        identity, body = _identity_of(fragment)
        parts = split_oversize(body, limit)
        for number, part in enumerate(parts.fragments):
            kept = identity if number == 0 else ""
            entries.append(ProposedEntry(part.text, part.span, part.changes, kept))
        dropped += [Dropped(r.text.strip(), (r.number, r.number), "rule") for r in parts.rules]
    unique, repeated = _without_duplicates(entries)
    return Proposal(
        entries=_marked_near(unique),
        dropped=tuple(dropped + repeated),
        encoding=decoding.encoding,
        doubt=decoding.doubt,
        notes=decoding.notes,
        header=header,
        limit=limit,
    )


def _as_it_is(decoding: Decoding, limit: int) -> Proposal:
    document = parse(decoding.text)
    spans = _spans(decoding.text)
    entries = tuple(
        ProposedEntry(entry.text, span, (), entry.identity)
        for entry, span in zip(document.entries, spans, strict=False)
    )
    return Proposal(
        entries, (), decoding.encoding, decoding.doubt, decoding.notes, document.header, limit
    )


def _spans(text: str) -> list[tuple[int, int]]:
    fragments = _fragments(_numbered(text), drifted=False)
    return [fragment.span for fragment in fragments]


def _numbered(text: str) -> list[Line]:
    return [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]


def _without_header(lines: list[Line]) -> tuple[str, list[Line]]:
    document = parse("\n".join(line.text for line in lines))
    if not document.header:
        return "", lines
    first = next(index for index, line in enumerate(lines) if line.text.strip())
    return document.header, lines[first + 1 :]


def _identity_of(fragment: Fragment) -> tuple[str, Fragment]:
    identity = parse(fragment.text).entries[0].identity if fragment.text else ""
    count = identity.count("\n")
    return identity, Fragment(fragment.lines[count:], fragment.changes) if count else fragment


# -- delimiters ------------------------------------------------------------------------------


def _fragments(lines: Sequence[Line], *, drifted: bool) -> list[Fragment]:
    """The texts between delimiters, generously read; blank ones left out."""
    groups: list[list[Line]] = [[]]
    words: list[list[str]] = [[]]
    edges: list[str] = []
    for index, line in enumerate(lines):
        if line.text.strip() == MARK:
            groups.append([])
            words.append([])
            edges.append("mark")
            continue
        group = groups[-1]
        if drifted and _MARK_THEN_TEXT.match(line.text) and _has_text(group):
            groups.append([Line(line.number, line.text[1:].lstrip())])
            words.append(["delimiter_on_text_line"])
            continue
        if drifted and _TEXT_THEN_MARK.match(line.text) and _has_text(lines[index + 1 :]):
            group.append(Line(line.number, line.text.rstrip()[:-1].rstrip()))
            words[-1].append("delimiter_on_text_line")
            groups.append([])
            words.append([])
            continue
        group.append(line)
    found = []
    last = len(groups) - 1
    for position, group in enumerate(groups):
        if not _has_text(group):
            continue
        trimmed = _is_trimmed(group, first=position == 0, last=position == last)
        changes = [*words[position], *(["trimmed"] if trimmed else [])]
        found.append(Fragment(_inner(group), tuple(dict.fromkeys(changes))))
    return _with_edges(found, groups)


def _with_edges(found: list[Fragment], groups: list[list[Line]]) -> list[Fragment]:
    """Mark the neighbours of a delimiter at the very start or end of the file."""
    if found and len(groups) > 1:
        if not _has_text(groups[0]):
            first = found[0]
            found[0] = Fragment(first.lines, (*first.changes, "edge_delimiter"))
        if not _has_text(groups[-1]):
            final = found[-1]
            changes = tuple(dict.fromkeys((*final.changes, "edge_delimiter")))
            found[-1] = Fragment(final.lines, changes)
    return found


def _has_text(lines: Sequence[Line]) -> bool:
    return any(line.text.strip() and line.text.strip() != MARK for line in lines)


def _inner(group: Sequence[Line]) -> tuple[Line, ...]:
    filled = [index for index, line in enumerate(group) if line.text.strip()]
    return tuple(group[filled[0] : filled[-1] + 1])


def _is_trimmed(group: Sequence[Line], *, first: bool, last: bool) -> bool:
    text = "\n".join(line.text for line in group)
    before = text != text.lstrip() and not first
    return before or (text != text.rstrip() and not last)


# -- conflict markers ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sides:
    """The file as either side of a merge has it, and as their common ancestor had it."""

    ours: tuple[Line, ...]
    theirs: tuple[Line, ...]
    base: tuple[Line, ...]
    markers: tuple[Line, ...]


def _sides(lines: Sequence[Line]) -> _Sides | None:
    ours, theirs, base, markers = list[Line](), list[Line](), list[Line](), list[Line]()
    where = ""
    for line in lines:
        mark = line.text[:7]
        whole = line.text[:8].rstrip() == mark
        if whole and (
            (mark == _OURS and where == "")
            or (mark == _BASE and where == _OURS)
            or (mark == _THEIRS and where in (_OURS, _BASE))
            or (mark == _END and where == _THEIRS)
        ):
            where = "" if mark == _END else mark
            markers.append(line)
            continue
        if where in ("", _OURS):
            ours.append(line)
        if where in ("", _THEIRS):
            theirs.append(line)
        if where in ("", _BASE):
            base.append(line)
    if where or not markers:
        return None
    return _Sides(tuple(ours), tuple(theirs), tuple(base), tuple(markers))


def _resolved(lines: Sequence[Line], *, drifted: bool) -> tuple[list[Fragment], list[Dropped]]:
    """The fragments of the file; of a merge conflict those of both sides, common ones once."""
    sides = _sides(lines)
    if sides is None:
        return _fragments(lines, drifted=drifted), []
    ours, theirs, base = (
        _fragments(side, drifted=drifted) for side in (sides.ours, sides.theirs, sides.base)
    )
    in_ours, in_theirs = {one.text for one in ours}, {one.text for one in theirs}
    merged = [one if one.text in in_theirs else _from(one, "from_ours") for one in ours]
    place = 0
    for one in theirs:
        texts = [other.text for other in merged]
        if one.text in in_ours:
            place = max(place, texts.index(one.text) + 1)
            continue
        while place < len(merged) and "from_ours" in merged[place].changes:
            place += 1
        merged.insert(place, _from(one, "from_theirs"))
        place += 1
    dropped = [
        Dropped(line.text, (line.number, line.number), "conflict_marker") for line in sides.markers
    ]
    dropped += [
        Dropped(one.text, one.span, "conflict_base")
        for one in base
        if one.text not in in_ours | in_theirs and _BASE in {m.text[:7] for m in sides.markers}
    ]
    return merged, dropped


def _from(fragment: Fragment, word: str) -> Fragment:
    return Fragment(fragment.lines, (*fragment.changes, word))


# -- duplicates ------------------------------------------------------------------------------


def _without_duplicates(
    entries: Sequence[ProposedEntry],
) -> tuple[list[ProposedEntry], list[Dropped]]:
    seen: set[str] = set()
    unique, repeated = [], []
    for entry in entries:
        piece = entry.identity + entry.text
        if piece in seen:
            repeated.append(Dropped(entry.text, entry.lines, "duplicate"))
        else:
            seen.add(piece)
            unique.append(entry)
    return unique, repeated


def _marked_near(entries: Sequence[ProposedEntry]) -> tuple[ProposedEntry, ...]:
    plain = [
        " ".join(entry.text.casefold().split()).strip(" .,;:!?。，；：！？") for entry in entries
    ]
    result, first = [], dict[str, int]()
    for index, entry in enumerate(entries):
        near = plain[index] in first or (
            len(entries) <= _NEAR_ENTRIES
            and any(_alike(plain[earlier], plain[index]) for earlier in range(index))
        )
        first.setdefault(plain[index], index)
        changes = (*entry.changes, "near_duplicate") if near else entry.changes
        result.append(replace(entry, changes=changes))
    return tuple(result)


def _alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) <= _NEAR_CHARS:
        return False
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return (
        matcher.real_quick_ratio() >= _NEAR
        and matcher.quick_ratio() >= _NEAR
        and matcher.ratio() >= _NEAR
    )
