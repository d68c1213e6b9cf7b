"""Repair of a memory file on the disk: looked at as a value, written under the agent's own lock.

What is written is a plan that a person has seen. A byte copy is made first, the change goes
through the journal like any other, and the agent's two tests are put to what is on disk after it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from schema.frozen import frozen
from store.changes import FileChange, Intent
from store.files import Content, backups_of
from store.home import TARGETS, Target
from store.memory import drift
from store.memory.encodings import read_text
from store.memory.entries import BOM, Document, Entry, decode, encode, parse
from store.memory.findings import Finding, explain
from store.memory.library import MemoryLibrary, Planned
from store.memory.operations import Add, Batch, check
from store.memory.plan import RepairPlan, check_plan
from store.memory.repair import Proposal, propose
from store.refusals import (
    REFUSALS,
    Conflict,
    Drifted,
    Guessed,
    NotFound,
    Refusal,
    Unreadable,
)


@frozen
class Examined:
    """A file as it was read once: what is wrong with it, and what it could become.

    `text` is the file decoded, LF line ends, as the proposal's line numbers count it. `needed` is
    whether the proposal differs from the file by more than its line ends and outer blanks.
    `proposal` is None if the encoding that was asked for does not fit.
    """

    target: Target
    path: Path
    data: bytes
    digest: str
    limit: int
    text: str
    findings: tuple[Finding, ...]
    proposal: Proposal | None
    needed: bool


@frozen
class Repaired:
    """A repair that was written, or (`changed` false) was so already.

    `entries` and `dropped` count what the file now has and what was left out, `sent` the entries
    that went to the other file. `backup` is the copy of the file as it was. `proven`: what was
    read back from the disk is what was written, and passes the agent's two tests.
    """

    target: Target
    changed: bool
    backup: str
    entries: int
    dropped: int
    sent: int
    chars: int
    limit: int
    change_id: int | None = None
    proven: bool = True


def examine(
    library: MemoryLibrary,
    target: Target,
    *,
    encoding: str | None = None,
    whole: bool = False,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Examined | Refusal:
    """Read the file of `target` and say what is wrong with it and what could be done.

    `encoding` is what a person says that its bytes are, one of `encodings.OFFERED`; `whole` as
    for `propose`. Cancelled, nothing more is looked for: nobody waits for it.
    """
    path = library.home.memory_file(target)
    seen = library.disk.read(path)
    if isinstance(seen, Unreadable):
        return seen
    if seen.data is None:
        return NotFound("file", str(path))
    data, limit = seen.data, library.settings().limit(target)
    proposal = propose(data, limit=limit, encoding=encoding, whole=whole)
    decoding = read_text(data, encoding)
    text = decoding.text if decoding is not None else ""
    findings: tuple[Finding, ...] = ()
    if not is_cancelled():
        copies = tuple(copy.name for copy in backups_of(path) if _holds(library, copy, data))
        findings = explain(data, limit=limit, copies=copies)
    return Examined(
        target=target,
        path=path,
        data=data,
        digest=seen.digest,
        limit=limit,
        text=text,
        findings=findings,
        proposal=proposal,
        needed=proposal is not None and not _is_so(data, proposal.text),
    )


def _holds(library: MemoryLibrary, path: Path, data: bytes) -> bool:
    found = library.disk.read(path, at_most=len(data))
    return isinstance(found, Content) and found.data == data


def _is_so(data: bytes, text: str) -> bool:
    """Whether the agent reads exactly `text` from these bytes already."""
    now = decode(data)
    return isinstance(now, str) and now.strip() == text and not now.startswith(BOM)


def repair(
    library: MemoryLibrary,
    target: Target,
    plan: RepairPlan,
    *,
    who: str = "desk",
    wait: float = 10.0,
) -> Repaired | Refusal:
    """Write what `plan` says, or say why not. `wait`: seconds for the lock.

    `Conflict`: the file is not the one that the plan was made from. Entries for the other file
    are added to it under the rules of any add, in the same change of the journal.
    """
    elsewhere = any(entry.target != target for entry in plan.entries)
    with library.locks(TARGETS if elsewhere else (target,), wait=wait) as held:
        if held is not None:
            return held
        seen = library.disk.read(library.home.memory_file(target))
        if isinstance(seen, Unreadable):
            return seen
        limit = library.settings().limit(target)
        refused = _refused(plan, target, seen, limit)
        if refused is not None:
            return refused
        others = _sent(library, plan) if elsewhere else ()
        if isinstance(others, REFUSALS):
            return others
        return _written(library, plan, seen, others, limit, who)


def _refused(plan: RepairPlan, target: Target, seen: Content, limit: int) -> Refusal | None:
    path = str(seen.path)
    if plan.target != target or seen.data is None or seen.digest != plan.digest:
        return Conflict(path)
    for problem in check_plan(plan, seen.data, limit=limit).problems:
        found = problem.refusal
        return Guessed(path, found.encoding) if isinstance(found, Guessed) else found
    signals = drift.signals(plan.text, limit)
    return Drifted(path, signals) if signals else None


def _sent(library: MemoryLibrary, plan: RepairPlan) -> tuple[Planned, ...] | Refusal:
    """What the other file becomes by the entries that go there."""
    plans = []
    for other in TARGETS:
        texts = plan.texts(other)
        if other == plan.target or not texts:
            continue
        change = Batch(tuple(map(Add, texts)))
        planned = check(change) or library.plan(other, change)
        if isinstance(planned, REFUSALS):
            return planned
        plans.append(planned)
    return tuple(plans)


def _written(
    library: MemoryLibrary,
    plan: RepairPlan,
    seen: Content,
    others: tuple[Planned, ...],
    limit: int,
    who: str,
) -> Repaired | Refusal:
    data, text = seen.data or b"", plan.text
    document = Document(tuple(Entry(one) for one in dict.fromkeys(plan.texts(plan.target))))
    after = encode(document, library.disk.newline)
    if _is_so(data, text):
        after = data
    backup = library.back_up(seen) if after != data else Path()
    if isinstance(backup, REFUSALS):
        return backup
    change = FileChange(seen, after)
    done = library.write(others, _intent(plan, data, others, who), (change,))
    if isinstance(done, REFUSALS):
        return done
    return Repaired(
        target=plan.target,
        changed=done is not None or after != data,
        backup=str(backup) if after != data else "",
        entries=len(document.entries),
        dropped=len(plan.dropped),
        sent=len(plan.entries) - len(plan.texts(plan.target)),
        chars=len(text),
        limit=limit,
        change_id=done,
        proven=_is_proven(library, seen.path, after, limit),
    )


def _is_proven(library: MemoryLibrary, path: Path, wanted: bytes, limit: int) -> bool:
    """Whether the file has these bytes now, and the agent's two tests pass on them."""
    now = library.disk.read(path)
    text = decode(now.data or b"") if isinstance(now, Content) and now.data == wanted else None
    return isinstance(text, str) and not drift.signals(text, limit)


def _intent(plan: RepairPlan, data: bytes, others: tuple[Planned, ...], who: str) -> Intent:
    """What the journal says: the entries that the agent saw before, and those it sees now."""
    decoded = decode(data)
    before = parse(decoded).texts if isinstance(decoded, str) else ()
    after = plan.texts(plan.target)
    known, kept = set(before), set(after)
    come = [text for text in after if text not in known]
    come += [text for other in others for text in other.applied.come]
    return Intent(
        who,
        "repair",
        "both" if others else plan.target,
        gone=tuple(text for text in dict.fromkeys(before) if text not in kept),
        come=tuple(dict.fromkeys(come)),
    )
