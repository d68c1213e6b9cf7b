"""A proposal as a person has edited it: a value, a JSON text for scripts, and what is in its way.

Pure. A plan names the file that it was made from by digest, and every text that it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from schema.frozen import frozen
from store.files import digest_of
from store.home import TARGETS, Target
from store.memory.encodings import read_text
from store.memory.entries import BOM, DELIMITER, MARK, clean, delimiter_line
from store.memory.repair import BEYOND, Dropped, Proposal, propose_more
from store.memory.threats import scan
from store.refusals import (
    Conflict,
    DelimiterInText,
    Empty,
    EntryOverLimit,
    Guessed,
    Invalid,
    SingleRefusal,
    Unsupported,
)

_WORD = re.compile(r"\w+|[^\w\s]+")
_MARKS = ("", "-", "*", "+", "•")
_FEW = 200
"""So many words are looked for once more, as they may have been cut in two."""

BY_HAND = "by_hand"
"""Why a text was dropped that a person left out."""


@frozen
class PlannedEntry:
    """An entry as it is to be written, to `target`; `lines` and `changes` tell its history."""

    text: str
    target: Target
    lines: tuple[int, int] | None = None
    changes: tuple[str, ...] = ()


@frozen
class RepairPlan:
    """What the file of `target` whose bytes have this digest is to become.

    `encoding` is what its bytes are read as; empty while nobody has agreed to a guess.
    """

    target: Target
    digest: str
    encoding: str
    entries: tuple[PlannedEntry, ...]
    dropped: tuple[Dropped, ...] = ()

    def texts(self, target: Target) -> list[str]:
        """The texts that go to that file, in order, as they will stand in it."""
        return [clean(entry.text) for entry in self.entries if entry.target == target]

    @property
    def text(self) -> str:
        """The text of the repaired file, LF line ends."""
        return DELIMITER.join(dict.fromkeys(self.texts(self.target)))


@frozen
class PlanProblem:
    """What stands in the way; `entry` counts from 1, 0 is the plan as a whole."""

    entry: int
    refusal: SingleRefusal


@frozen
class PlanCheck:
    """What a plan would do.

    Over budget is no problem: the agent reads such a file, and adds nothing until it is shorter.
    `lost` are words of the file that stand neither in an entry nor in what is named as dropped;
    `hidden` the numbers (from 1) of entries that the agent's threat scan would hide.
    """

    problems: tuple[PlanProblem, ...]
    lost: tuple[str, ...]
    hidden: tuple[int, ...]
    chars: int
    limit: int

    @property
    def over_budget(self) -> bool:
        """Whether the agent could add nothing to the result."""
        return self.chars > self.limit


def plan_of(proposal: Proposal, *, target: Target, digest: str, agreed: bool = False) -> RepairPlan:
    """The proposal unedited. `agreed`: someone has seen what a guessed encoding gives."""
    entries = (PlannedEntry(one.text, target, one.lines, one.changes) for one in proposal.entries)
    encoding = "" if proposal.doubt and not agreed else proposal.encoding
    return RepairPlan(target, digest, encoding, tuple(entries), proposal.dropped)


# -- editing ---------------------------------------------------------------------------------


def edited(plan: RepairPlan, index: int, text: str) -> RepairPlan:
    """The entry at `index` (from 0) says `text`."""
    return _with(plan, index, replace(plan.entries[index], text=text))


def split(plan: RepairPlan, index: int, at: int) -> RepairPlan:
    """The entry becomes two, cut before its character `at`; cut at an edge it stays as it is."""
    entry = plan.entries[index]
    parts = [clean(entry.text[:at]), clean(entry.text[at:])]
    return _with(plan, index, *(replace(entry, text=part) for part in parts if part))


def merged(plan: RepairPlan, index: int) -> RepairPlan:
    """The entry and the next one become one; of the last one nothing changes."""
    if index + 1 >= len(plan.entries):
        return plan
    one, other = plan.entries[index : index + 2]
    spans = [lines for lines in (one.lines, other.lines) if lines is not None]
    lines = (min(begin for begin, _ in spans), max(end for _, end in spans)) if spans else None
    changes = tuple(dict.fromkeys((*one.changes, *other.changes)))
    both = PlannedEntry(f"{one.text}\n{other.text}", one.target, lines, changes)
    entries = (*plan.entries[:index], both, *plan.entries[index + 2 :])
    return replace(plan, entries=entries)


def left_out(plan: RepairPlan, index: int) -> RepairPlan:
    """The entry goes, and is named as dropped by hand."""
    entry = plan.entries[index]
    dropped = Dropped(entry.text, entry.lines or (0, 0), BY_HAND)
    return replace(_with(plan, index), dropped=(*plan.dropped, dropped))


def taken_in(plan: RepairPlan, dropped: int) -> RepairPlan:
    """What was dropped becomes an entry again, where its line belongs."""
    one = plan.dropped[dropped]
    entry = PlannedEntry(one.text, plan.target, one.lines if one.lines[0] else None)
    later = (i for i, other in enumerate(plan.entries) if (other.lines or (0, 0)) > one.lines)
    at = next(later, len(plan.entries))
    return replace(
        plan,
        entries=(*plan.entries[:at], entry, *plan.entries[at:]),
        dropped=(*plan.dropped[:dropped], *plan.dropped[dropped + 1 :]),
    )


def continued(plan: RepairPlan, dropped: int, *, limit: int) -> RepairPlan:
    """Of what is `beyond`, the next part becomes entries, behind those that there are."""
    rest = plan.dropped[dropped]
    known = {entry.text for entry in plan.entries}
    found, left = propose_more(rest, limit=limit, known=known)
    entries = (PlannedEntry(one.text, plan.target, one.lines, one.changes) for one in found)
    others = (*plan.dropped[:dropped], *plan.dropped[dropped + 1 :])
    return replace(plan, entries=(*plan.entries, *entries), dropped=(*others, *left))


def fitting(plan: RepairPlan, *, limit: int) -> RepairPlan:
    """Only the first entries, as many as fit the budget; the others are dropped by hand."""
    kept, out, size = list[PlannedEntry](), list[Dropped](), -len(DELIMITER)
    for entry in plan.entries:
        more = len(clean(entry.text)) + len(DELIMITER)
        if entry.target != plan.target:
            kept.append(entry)
        elif not out and size + more <= limit:
            kept.append(entry)
            size += more
        else:
            out.append(Dropped(entry.text, entry.lines or (0, 0), BY_HAND))
    return replace(plan, entries=tuple(kept), dropped=(*plan.dropped, *out))


def moved(plan: RepairPlan, index: int, to: int) -> RepairPlan:
    """The entry at `index` stands at `to` (from 0) afterwards."""
    rest = [*plan.entries[:index], *plan.entries[index + 1 :]]
    rest.insert(to, plan.entries[index])
    return replace(plan, entries=tuple(rest))


def sent(plan: RepairPlan, index: int, target: Target) -> RepairPlan:
    """The entry goes to that file."""
    return _with(plan, index, replace(plan.entries[index], target=target))


def _with(plan: RepairPlan, index: int, *instead: PlannedEntry) -> RepairPlan:
    entries = (*plan.entries[:index], *instead, *plan.entries[index + 1 :])
    return replace(plan, entries=entries)


# -- checking --------------------------------------------------------------------------------


def check_plan(plan: RepairPlan, data: bytes, *, limit: int) -> PlanCheck:
    """What stands in the way of writing `plan` over the file that holds `data`."""
    problems = list(_of_the_whole(plan, data))
    for number, entry in enumerate(plan.entries, 1):
        refusal = _of_entry(entry, limit)
        if entry.target != plan.target and "<!-- hermes-memory-entry:" in entry.text:
            refusal = refusal or Unsupported("identity_would_be_lost")
        if refusal is not None:
            problems.append(PlanProblem(number, refusal))
    hidden = (number for number, entry in enumerate(plan.entries, 1) if _is_hidden(entry.text))
    text = plan.text
    return PlanCheck(tuple(problems), _lost(plan, data), tuple(hidden), len(text), limit)


@lru_cache(maxsize=8_192)
def _is_hidden(text: str) -> bool:
    """Whether the agent would hide it. Kept, since each edit of one entry asks for all of them."""
    return bool(scan(text))


def _of_the_whole(plan: RepairPlan, data: bytes) -> list[PlanProblem]:
    found: list[SingleRefusal] = []
    decoding = read_text(data, plan.encoding or None)
    if digest_of(data) != plan.digest:
        found.append(Conflict(""))
    elif decoding is None:
        found.append(Invalid("given", "encoding"))
    elif decoding.doubt:
        found.append(Guessed("", decoding.encoding))
    elif not plan.entries and decoding.text.replace(MARK, "").strip():
        found.append(Empty("plan"))
    return [PlanProblem(0, refusal) for refusal in found]


def _of_entry(entry: PlannedEntry, limit: int) -> SingleRefusal | None:
    text = clean(entry.text)
    if not text:
        return Empty("content")
    if (line := delimiter_line(text)) is not None:
        return DelimiterInText(line)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return Invalid("text", "surrogate", column=error.start + 1)
    return EntryOverLimit(len(text), limit) if len(text) > limit else None


def _lost(plan: RepairPlan, data: bytes) -> tuple[str, ...]:
    decoding = read_text(data, plan.encoding or None)
    if decoding is None:
        return ()
    text, dropped = decoding.text.rstrip(), list(plan.dropped)
    for rest in plan.dropped:
        if rest.why == BEYOND and text.endswith(rest.text):
            # Megabytes that stand there as they are: what is named is not lost.
            text = text[: -len(rest.text)]
            dropped.remove(rest)
            break
    texts = [entry.text for entry in plan.entries] + [one.text for one in dropped]
    kept = {word for text in texts for word in _words(text)}
    kept.update(_MARKS)
    missing = [word for word in dict.fromkeys(_words(text)) if word not in kept]
    if 0 < len(missing) <= _FEW:
        unbroken = "".join("".join(texts).split())
        missing = [word for word in missing if word not in unbroken]
    return tuple(missing)


def _words(text: str) -> list[str]:
    # Not findall(): over a file of 5 MB it would keep the interpreter from every other thread.
    return [found.group().strip(MARK + BOM) for found in _WORD.finditer(text)]


# -- as JSON ---------------------------------------------------------------------------------


def as_data(plan: RepairPlan) -> dict[str, Any]:
    """The plan as scripts see it: what `read_plan` reads."""
    return {
        "target": plan.target,
        "digest": plan.digest,
        "encoding": plan.encoding,
        "entries": [_entry_data(entry, plan.target) for entry in plan.entries],
        "dropped": [dropped_data(one) for one in plan.dropped],
    }


def _entry_data(entry: PlannedEntry, target: Target) -> dict[str, Any]:
    data: dict[str, Any] = {"text": entry.text, "from": entry.lines, "changes": entry.changes}
    return data if entry.target == target else data | {"target": entry.target}


def dropped_data(one: Dropped) -> dict[str, Any]:
    """A text without a place, as scripts see it."""
    return {"text": one.text, "from": one.lines, "why": one.why}


def read_plan(data: object) -> RepairPlan | Invalid:
    """A plan from parsed JSON.

    `from`, `changes` and `target` of an entry and `dropped` may be left out, an entry may be a
    text alone, and what else stands there is not looked at.
    """
    if not isinstance(data, Mapping):
        return Invalid("given", "not_an_object")
    target, digest = data.get("target"), data.get("digest")
    encoding, entries = data.get("encoding", "utf-8"), data.get("entries", data.get("proposal"))
    if target not in TARGETS:
        return Invalid("given", "plan_target")
    if not (isinstance(digest, str) and isinstance(encoding, str | None)):
        return Invalid("given", "plan_digest")
    if not isinstance(entries, list) or not isinstance(data.get("dropped", []), list):
        return Invalid("given", "plan_entries")
    planned = [_entry_of(one, target) for one in entries]
    dropped = [_dropped_of(one) for one in data.get("dropped", [])]
    if None in planned or None in dropped:
        return Invalid("given", "plan_entries")
    return RepairPlan(
        target,
        digest,
        encoding or "",
        tuple(one for one in planned if one is not None),
        tuple(one for one in dropped if one is not None),
    )


def _entry_of(data: object, target: Target) -> PlannedEntry | None:
    if isinstance(data, str):
        return PlannedEntry(data, target)
    if not isinstance(data, Mapping) or not isinstance(data.get("text"), str):
        return None
    to, changes = data.get("target", target), data.get("changes") or []
    if to not in TARGETS or not _are_texts(changes):
        return None
    return PlannedEntry(data["text"], to, _lines_of(data.get("from")), tuple(changes))


def _dropped_of(data: object) -> Dropped | None:
    if not isinstance(data, Mapping) or not _are_texts([data.get("text"), data.get("why", "")]):
        return None
    return Dropped(data["text"], _lines_of(data.get("from")) or (0, 0), data.get("why", BY_HAND))


def _are_texts(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(one, str) for one in found)


def _lines_of(found: object) -> tuple[int, int] | None:
    if isinstance(found, list) and len(found) == 2 and all(type(one) is int for one in found):
        return found[0], found[1]
    return None
