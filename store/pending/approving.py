"""Approving records together: all that they ask for and their removal, as one change or none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from store.changes import FileChange, Intent
from store.home import Target
from store.memory.library import Planned
from store.memory.operations import Batch, Change, check
from store.pending.records import Record, joined
from store.refusals import (
    REFUSALS,
    AtOperation,
    AtRecord,
    Refusal,
    SingleRefusal,
    Unsupported,
)

if TYPE_CHECKING:
    from store.pending.queue import PendingQueue


def approve_group(
    queue: PendingQueue, group: Sequence[Record], edited: Change | None, *, wait: float
) -> int | Refusal | None:
    """Apply these records, all or none, as one change of the journal; its id, or why not."""
    # Those that cannot be replayed at all first, as in a preview of them together.
    for record in sorted(group, key=lambda one: one.problem is None):
        problem = _unusable(record, edited)
        if problem is not None:
            return AtRecord(record.id, single(problem))
    targets = tuple(target for record in group if (target := record.memory_target) is not None)
    skills = [record for record in group if record.subsystem == "skills"]
    with ExitStack() as locks:
        held = locks.enter_context(queue.library.locks(targets, wait=wait))
        if held is None and skills:
            held = locks.enter_context(queue.skills.locked(wait=wait))
        if held is not None:
            return held
        removals = queue.removals(group)
        if isinstance(removals, REFUSALS):
            return removals
        plans = _memory_plans(queue, group, edited)
        if isinstance(plans, REFUSALS):
            return plans
        changes = _skill_changes(queue, skills)
        if isinstance(changes, REFUSALS):
            return changes
        done = queue.library.write(plans, _approval(group, plans), (*changes, *removals))
    if skills and not isinstance(done, REFUSALS):
        queue.skills.forget_snapshot()
    return done


def _memory_plans(
    queue: PendingQueue, group: Sequence[Record], edited: Change | None
) -> tuple[Planned, ...] | Refusal:
    by_target: dict[Target, list[Record]] = {}
    for record in group:
        if (target := record.memory_target) is not None:
            by_target.setdefault(target, []).append(record)
    plans = []
    for target, records in by_target.items():
        change = joined(records) if edited is None else check(edited) or edited
        plan = change if isinstance(change, REFUSALS) else queue.library.plan(target, change)
        if isinstance(plan, REFUSALS):
            return _at_record(plan, records)
        plans.append(plan)
    return tuple(plans)


def _skill_changes(
    queue: PendingQueue, records: Sequence[Record]
) -> tuple[FileChange, ...] | Refusal:
    if not records:
        return ()
    plan = queue.skills.plan()
    for record in records:
        if record.skill is not None:
            placed = plan.do(record.skill)
            if isinstance(placed, REFUSALS):
                return AtRecord(record.id, single(placed))
    return plan.changes(queue.now())


def _at_record(refusal: Refusal, records: Sequence[Record]) -> Refusal:
    """A refused operation of what these records ask for together, as one of its own record."""
    if len(records) == 1:
        return AtRecord(records[0].id, single(refusal))
    if not isinstance(refusal, AtOperation):
        return refusal
    number = refusal.number
    for record in records:
        count = len(record.change.operations) if isinstance(record.change, Batch) else 1
        if number <= count:
            own = isinstance(record.change, Batch)
            return AtRecord(record.id, replace(refusal, number=number) if own else refusal.cause)
        number -= count
    return refusal


def single(refusal: Refusal) -> SingleRefusal | AtOperation:
    """What stood in the way itself, without the record that it is about."""
    return refusal.cause if isinstance(refusal, AtRecord) else refusal


def for_record(record: Record, refusal: Refusal, group: Sequence[Record]) -> Refusal:
    """What to say of `record`: of the one that stood in the way, only the reason itself."""
    if isinstance(refusal, AtRecord) and (len(group) == 1 or refusal.record == record.id):
        return refusal.cause
    return refusal


def _unusable(record: Record, edited: Change | None) -> Refusal | None:
    """Why this record cannot be replayed here, whatever is on disk."""
    if record.skill is not None:
        return None if edited is None else Unsupported("skill_record")
    if record.memory_target is None:
        return record.problem or Unsupported("skill_record")
    problem = record.problem if edited is not None else joined([record])
    return problem if isinstance(problem, REFUSALS) else None


def _approval(group: Sequence[Record], plans: Sequence[Planned]) -> Intent:
    targets = dict.fromkeys(record.target for record in group if record.memory_target is None)
    return Intent(
        who=who_of(group),
        action="approve",
        target="both" if len(plans) == 2 else ", ".join(targets) if not plans else _target(group),
        gone=tuple(text for plan in plans for text in plan.applied.gone),
        come=tuple(text for plan in plans for text in plan.applied.come),
        record=" ".join(record.id for record in group),
    )


def _target(group: Sequence[Record]) -> str:
    return next(record.target for record in group if record.memory_target is not None)


def who_of(group: Sequence[Record]) -> str:
    """Who is behind a decision about these records, for the journal."""
    return "approval:" + ",".join(dict.fromkeys(record.origin for record in group))
