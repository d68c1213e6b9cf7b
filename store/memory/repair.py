"""From the bytes of a broken memory file to a clean list of entries, without losing a word.

Pure: `propose` never drops text. What has no place in an entry is in `dropped`, named, and the
whole file is in the backup that applying makes. Of a file that is a hundred times as long as any
memory only the first part becomes entries at once; the rest is named `beyond`, and `propose_more`
goes on with it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from schema.frozen import frozen
from store.memory import drift
from store.memory.conflicts import without_conflicts
from store.memory.encodings import read_text
from store.memory.entries import BOM, DELIMITER, MARK
from store.memory.fragments import OURS, Line, numbered
from store.memory.splitting import Parts, split_oversize

_NEAR = 0.9
_NEAR_CHARS = 20
_NEAR_ENTRIES = 400
_NEAR_EFFORT = 1_000_000
"""Near-duplicates are looked for in a list that a person can read, comparing so many characters
at most; in others only those that are equal but for case, spaces and a full stop are found."""

PART = 200_000
"""Characters of a broken file that become entries at once, or four budgets if that is more."""

BEYOND = "beyond"
"""Why a text was dropped that is the rest of a very long file, not looked at yet."""

_COMMENTS = re.compile(r"(?:<!-- hermes-memory-[^\n]*\n)+")
_START_OF_LINE = re.compile(r"^(?:[^\S\n]|\ufeff)+", re.MULTILINE)


@frozen
class ProposedEntry:
    """An entry of the repaired file: where it came from (lines from 1) and what was changed.

    `text` is what will stand between the delimiters, identity comments included. `changes`:
    trimmed, edge_delimiter, delimiter_on_text_line, from_ours, from_theirs, split_at_heading,
    split_at_rule, split_at_item, unbulleted, split_at_blank_line, split_at_line,
    split_at_sentence, split_at_length, near_duplicate.
    """

    text: str
    lines: tuple[int, int]
    changes: tuple[str, ...] = ()

    def having(self, word: str) -> ProposedEntry:
        """The same entry, with one more thing that is to be known about it."""
        return ProposedEntry(self.text, self.lines, (*self.changes, word))


@frozen
class Dropped:
    """Text without a place in an entry.

    `why`: duplicate, rule, conflict_marker, conflict_base, beyond.
    """

    text: str
    lines: tuple[int, int]
    why: str


@frozen
class Proposal:
    """What the file could become. `doubt` is `guess` if the encoding was guessed.

    `notes` on the file as a whole: bom, utf16, line_ends, `encoding:<name>`.
    """

    entries: tuple[ProposedEntry, ...]
    dropped: tuple[Dropped, ...]
    encoding: str
    doubt: str
    notes: tuple[str, ...]
    limit: int

    @property
    def text(self) -> str:
        """The text of the repaired file, LF line ends."""
        return DELIMITER.join([entry.text for entry in self.entries])

    @property
    def chars(self) -> int:
        """Characters of the resulting file."""
        return len(self.text)

    @property
    def over_budget(self) -> bool:
        """Whether the agent could add nothing to the result."""
        return self.chars > self.limit


def propose(
    data: bytes, *, limit: int, encoding: str | None = None, whole: bool = False
) -> Proposal | None:
    """A clean list for `data`; None if `encoding`, chosen by a person, does not fit the bytes.

    A file that needs nothing is proposed as it is, and so is the result of a repair. A `limit`
    below 1 cannot be met by any entry, so nothing is split for it. Only with `whole` all of a
    very long broken file becomes entries, however long that takes.
    """
    decoding = read_text(data, encoding)
    if decoding is None:
        return None
    text, notes = decoding.text, decoding.notes
    entries, dropped = _listed(text, limit, whole=whole)
    if entries and entries[0].text.startswith(BOM):
        # At the start of the file it would be taken for the file's own and not read back.
        text = _START_OF_LINE.sub(lambda found: found[0].replace(BOM, ""), text)
        notes = tuple(dict.fromkeys(("bom", *notes)))
        entries, dropped = _listed(text, limit, whole=whole)
    dropped.sort(key=lambda one: one.lines)
    return Proposal(tuple(entries), tuple(dropped), decoding.encoding, decoding.doubt, notes, limit)


def propose_more(
    rest: Dropped, *, limit: int, known: Collection[str] = ()
) -> tuple[tuple[ProposedEntry, ...], tuple[Dropped, ...]]:
    """The next entries from what is `beyond`, and what has no place, a shorter rest included.

    An entry whose text is in `known` is a duplicate.
    """
    found, dropped = _broken(rest.text, limit, first=rest.lines[0], drifted=True, whole=False)
    entries = []
    for entry in found:
        if entry.text in known:
            dropped.append(Dropped(entry.text, entry.lines, "duplicate"))
        else:
            entries.append(entry)
    return tuple(entries), tuple(sorted(dropped, key=lambda one: one.lines))


Listed = tuple[list[ProposedEntry], list[Dropped]]


def _listed(text: str, limit: int, *, whole: bool) -> Listed:
    drifted = bool(drift.signals(text, limit))
    if not drifted and len(text) > part_size(limit) and OURS not in text:
        return _as_it_is(text)
    return _broken(text, limit, first=1, drifted=drifted, whole=whole)


def _as_it_is(text: str) -> Listed:
    """The entries of a very long list that the agent would not refuse to change."""
    entries, dropped, line = dict[str, ProposedEntry](), list[Dropped](), 1
    for outer in text.split(DELIMITER):
        inner = outer.strip().removeprefix(f"{MARK}\n").removesuffix(f"\n{MARK}").strip()
        first = line + (outer[: outer.find(inner)].count("\n") if inner else 0)
        span = (first, first + inner.count("\n"))
        line += outer.count("\n") + 2
        if inner in entries:
            dropped.append(Dropped(inner, span, "duplicate"))
        elif inner and inner != MARK:
            entries[inner] = ProposedEntry(inner, span)
    return list(entries.values()), dropped


def _broken(text: str, limit: int, *, first: int, drifted: bool, whole: bool) -> Listed:
    """The list that a text becomes whose lines count from `first`; at most a part of it at once."""
    end = len(text) if whole else end_of_part(text, limit)
    merged = without_conflicts(numbered(text[:end], first), drifted=drifted)
    dropped = [*_dropped(merged.markers, "conflict_marker")]
    dropped += [Dropped(one.text, one.span, "conflict_base") for one in merged.base]
    dropped += _beyond(text, end, first)
    entries: dict[str, ProposedEntry] = {}
    for fragment in merged.fragments:
        parts = split_oversize(fragment, limit) if limit > 0 else Parts((fragment,))
        dropped += _dropped(parts.rules, "rule")
        for part in parts.fragments:
            entry = ProposedEntry(part.text, part.span, part.changes)
            if entries.setdefault(entry.text, entry) is not entry:
                dropped.append(Dropped(entry.text, entry.lines, "duplicate"))
    unique = list(entries.values())
    if drifted or dropped or any(entry.changes for entry in unique):
        unique = _marked_near(unique)
    return unique, dropped


def part_size(limit: int) -> int:
    """So many characters of a broken file become entries at once."""
    return max(PART, 4 * limit)


def end_of_part(text: str, limit: int) -> int:
    """Where the part ends that becomes entries at once: behind a delimiter, line, sentence or word.

    It holds the whole of a text that is not much longer, and at least half of what it may.
    """
    most = part_size(limit)
    if len(text) <= most * 5 // 4:
        return len(text)
    for edge in (DELIMITER, "\n\n", "\n", ". ", "。", " "):
        found = text.rfind(edge, most // 2, most)
        if found >= 0:
            return found + len(edge)
    return most


def _beyond(text: str, end: int, first: int) -> Iterator[Dropped]:
    rest = text[end:].strip()
    if rest:
        begin = text.index(rest[:1], end)
        line = first + text.count("\n", 0, begin)
        yield Dropped(rest, (line, line + rest.count("\n")), BEYOND)


def _dropped(lines: Iterable[Line], why: str) -> list[Dropped]:
    return [Dropped(line.text.strip(), (line.number, line.number), why) for line in lines]


# -- near-duplicates -------------------------------------------------------------------------


def _marked_near(entries: Sequence[ProposedEntry]) -> list[ProposedEntry]:
    """The same entries; one that says nearly what an earlier one says is marked."""
    seen, result = dict[str, None](), list[ProposedEntry]()
    effort = _NEAR_EFFORT if len(entries) <= _NEAR_ENTRIES else 0
    matcher = difflib.SequenceMatcher(None, autojunk=False)
    for entry in entries:
        plain = " ".join(_COMMENTS.sub("", entry.text).casefold().split())
        plain = plain.strip(" .,;:!?。，；：！？")
        near = plain in seen
        if not near and len(plain) > _NEAR_CHARS and effort > 0:
            matcher.set_seq2(plain)
            for other in seen:
                if near or effort <= 0:
                    break
                if len(other) > _NEAR_CHARS and _may_be_near(len(other), len(plain)):
                    matcher.set_seq1(other)
                    effort -= len(other)
                    if matcher.quick_ratio() >= _NEAR:
                        effort -= len(other) * len(plain) // 2
                        near = matcher.ratio() >= _NEAR
        seen.setdefault(plain)
        result.append(entry.having("near_duplicate") if near else entry)
    return result


def _may_be_near(one: int, other: int) -> bool:
    """Whether texts of these lengths can be as alike as that at all."""
    return 2 * min(one, other) >= _NEAR * (one + other)
