"""The approval queue of one home: listed, approved, rejected, staged.

A record counts as handled only when the files it changes are on disk and the record is gone;
both happen under Hermes' lock of the memory file or of the skills' counts, as one change of the
journal.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schema.frozen import frozen
from store.changes import FileChange, Intent
from store.files import Content, Disk, Mark, mark_of
from store.home import HermesHome, Target
from store.memory.library import MemoryLibrary, Planned
from store.memory.operations import Batch, Change, check
from store.pending import handling
from store.pending.records import (
    ID,
    MAX_BYTES,
    SUBSYSTEMS,
    Record,
    Subsystem,
    UnusableRecord,
    joined,
    parse_record,
)
from store.refusals import (
    REFUSALS,
    AtOperation,
    AtRecord,
    Conflict,
    Invalid,
    Locked,
    NotFound,
    ReadOnly,
    Refusal,
    SingleRefusal,
    Unreadable,
    Unsupported,
)
from store.transaction import carry_out

if TYPE_CHECKING:
    from store.journal import Journal
    from store.skills.library import SkillLibrary


@frozen
class Listing:
    """A queue as it is on disk: records oldest first, and the files that are none.

    `problem` is set when the queue itself cannot be read; it is then among the files, too.
    """

    records: tuple[Record, ...]
    unreadable: tuple[UnusableRecord, ...]
    problem: Unreadable | None = None


@frozen
class Handled:
    """What became of the ids that were asked for. `done` pairs an id with its change."""

    done: tuple[tuple[str, int | None], ...] = ()
    refused: tuple[tuple[str, Refusal], ...] = ()


class PendingQueue:
    """Staged writes of one home.

    `journal` is asked for when the first record is decided. `clock` gives UTC seconds.
    """

    def __init__(
        self,
        home: HermesHome,
        *,
        library: MemoryLibrary,
        disk: Disk,
        skills: Callable[[], SkillLibrary] | None = None,
        journal: Callable[[], Journal | None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is read before the first call."""
        self.home = home
        self.library = library
        self.disk = disk
        self._skills = skills
        self._journal = journal
        self._clock = clock
        self._known: dict[Subsystem, dict[str, tuple[Mark, Record]]] = {}

    @property
    def skills(self) -> SkillLibrary:
        """The skills that records may be about; loaded when the first is."""
        if self._skills is not None:
            return self._skills()
        from store.skills.library import SkillLibrary

        return SkillLibrary(self.home, disk=self.disk, settings=self.library.settings)

    # -- reading -------------------------------------------------------------------------

    def load(self, subsystem: Subsystem = "memory") -> Listing:
        """Every file of the queue, as a record or as what is wrong with it.

        A record that was read before is not read again as long as its file looks the same; it
        always is before it is decided on.
        """
        folder = self.home.pending(subsystem)
        try:
            names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        except FileNotFoundError:
            return Listing((), ())
        except OSError as error:
            why = Unreadable(str(folder), error.strerror or str(error))
            return Listing((), (UnusableRecord(str(folder), why),), why)
        records, unusable = [], []
        outside = self.leads_outside(folder)
        before = self._known.get(subsystem, {})
        known: dict[str, tuple[Mark, Record]] = {}
        for name in names:
            mark = mark_of(os.path.join(folder, name), follow=False)
            found: Record | UnusableRecord | None
            seen, found = before.get(name, (None, None))
            if outside or mark is None or seen != mark:
                found = self.read(subsystem, name.removesuffix(".json"), outside=outside)
            if isinstance(found, Record):
                records.append(found)
                if mark is not None:
                    known[name] = (mark, found)
            elif isinstance(found, UnusableRecord):
                unusable.append(found)
        self._known[subsystem] = known
        records.sort(key=lambda record: (record.created_at, record.id))
        return Listing(tuple(records), tuple(unusable))

    def count(self, subsystem: Subsystem) -> int | None:
        """How many files wait, as Hermes counts them; None if that cannot be read."""
        try:
            with os.scandir(self.home.pending(subsystem)) as entries:
                return sum(entry.name.endswith(".json") for entry in entries)
        except FileNotFoundError:
            return 0
        except OSError:
            return None

    def find(self, record_id: str) -> Record | Refusal:
        """The record of that id, in either subsystem."""
        for subsystem in SUBSYSTEMS if ID.fullmatch(record_id) else ():
            outside = self.leads_outside(self.home.pending(subsystem))
            found = self.read(subsystem, record_id, outside=outside)
            if isinstance(found, Record):
                return found
            if found is not None:
                return found.problem
        return NotFound("record", record_id)

    def leads_outside(self, folder: Path) -> bool:
        """Whether the folder is a link to a place that is not in this home."""
        home = os.path.realpath(self.home.path)
        return not Path(os.path.realpath(folder)).is_relative_to(home)

    def read(
        self, subsystem: Subsystem, stem: str, *, outside: bool
    ) -> Record | UnusableRecord | None:
        """What is in the file of that name without its ending; None if there is no such file."""
        path = self.home.pending(subsystem) / f"{stem}.json"
        found = self._content(path, outside=outside)
        if isinstance(found, REFUSALS):
            return UnusableRecord(str(path), found)
        return None if found.data is None else parse_record(str(path), stem, found.data, subsystem)

    def _content(self, path: Path, *, outside: bool) -> Content | Unreadable | Invalid:
        """The bytes of a record; a record is never followed out of its folder."""
        try:
            found = path.lstat()
        except FileNotFoundError:
            return Content(path, None)
        except OSError as error:
            return Unreadable(str(path), error.strerror or str(error))
        if outside or stat.S_ISLNK(found.st_mode):
            return Invalid("record", "is_a_link")
        if found.st_size > MAX_BYTES:
            return Invalid("record", "too_large")
        return self.disk.read(path, follow=False, at_most=MAX_BYTES)

    # -- deciding ------------------------------------------------------------------------

    def approve(
        self,
        ids: Sequence[str],
        *,
        seen: Mapping[str, str] | None = None,
        together: bool = False,
        edited: Change | None = None,
        wait: float = 10.0,
    ) -> Handled:
        """Apply exactly these records, one after the other, or `together`: all or none.

        Together they are judged on the end state of each file. `seen` maps ids to the digests
        that a person looked at; another digest is a conflict. `edited` is what is written in
        the place of what a single record asks for; the journal keeps the record as it was.
        """
        if edited is not None and len(ids) != 1:
            raise ValueError("only one record at a time can be approved as edited")
        records, refused = self._chosen(ids, seen or {})
        groups = [[record] for record in records]
        if together and refused:
            first = AtRecord(refused[0][0], _single(refused[0][1]))
            return Handled((), (*refused, *((record.id, first) for record in records)))
        if together and records:
            groups = [records]
        done: list[tuple[str, int | None]] = []
        for group in groups:
            result = self._approve_group(group, edited, wait=wait)
            if isinstance(result, REFUSALS):
                refused += [(record.id, _for_record(record, result, group)) for record in group]
            else:
                done += [(record.id, result) for record in group]
        return Handled(tuple(done), tuple(refused))

    def _chosen(
        self, ids: Sequence[str], seen: Mapping[str, str]
    ) -> tuple[list[Record], list[tuple[str, Refusal]]]:
        records: list[Record] = []
        refused: list[tuple[str, Refusal]] = []
        for record_id in dict.fromkeys(ids):
            found = self.find(record_id)
            if not isinstance(found, Record):
                refused.append((record_id, found))
            elif seen.get(record_id, found.digest) != found.digest:
                refused.append((record_id, Conflict(found.file)))
            else:
                records.append(found)
        return records, refused

    def _approve_group(
        self, group: Sequence[Record], edited: Change | None, *, wait: float
    ) -> int | Refusal | None:
        # Those that cannot be replayed at all first, as in a preview of them together.
        for record in sorted(group, key=lambda one: one.problem is None):
            problem = _unusable(record, edited)
            if problem is not None:
                return AtRecord(record.id, _single(problem))
        targets = tuple(target for record in group if (target := record.memory_target) is not None)
        skills = [record for record in group if record.subsystem == "skills"]
        with ExitStack() as locks:
            held = locks.enter_context(self.library.locks(targets, wait=wait))
            if held is None and skills:
                held = locks.enter_context(self.skills.locked(wait=wait))
            if held is not None:
                return held
            removals = self._removals(group)
            if isinstance(removals, REFUSALS):
                return removals
            plans = self._memory_plans(group, edited)
            if isinstance(plans, REFUSALS):
                return plans
            changes = self._skill_changes(skills)
            if isinstance(changes, REFUSALS):
                return changes
            done = self.library.write(plans, _approval(group, plans), (*changes, *removals))
        if skills and not isinstance(done, REFUSALS):
            self.skills.forget_snapshot()
        return done

    def _memory_plans(
        self, group: Sequence[Record], edited: Change | None
    ) -> tuple[Planned, ...] | Refusal:
        by_target: dict[Target, list[Record]] = {}
        for record in group:
            if (target := record.memory_target) is not None:
                by_target.setdefault(target, []).append(record)
        plans = []
        for target, records in by_target.items():
            change = joined(records) if edited is None else check(edited) or edited
            plan = change if isinstance(change, REFUSALS) else self.library.plan(target, change)
            if isinstance(plan, REFUSALS):
                return _at_record(plan, records)
            plans.append(plan)
        return tuple(plans)

    def _skill_changes(self, records: Sequence[Record]) -> tuple[FileChange, ...] | Refusal:
        if not records:
            return ()
        plan = self.skills.plan()
        for record in records:
            if record.skill is not None:
                placed = plan.do(record.skill)
                if isinstance(placed, REFUSALS):
                    return AtRecord(record.id, _single(placed))
        return plan.changes(self.now())

    def _removals(self, group: Sequence[Record]) -> tuple[FileChange, ...] | Refusal:
        """Read the records again, now under the lock: someone may have handled them since."""
        removals = []
        for record in group:
            found = self.content(record)
            if isinstance(found, REFUSALS):
                return AtRecord(record.id, _single(found))
            removals.append(FileChange(found, None))
        return tuple(removals)

    def reject(
        self,
        ids: Sequence[str],
        *,
        seen: Mapping[str, str] | None = None,
        wait: float = 10.0,
    ) -> Handled:
        """Remove exactly these records without applying them; each can be undone."""
        records, refused = self._chosen(ids, seen or {})
        done: list[tuple[str, int | None]] = []
        for record in records:
            target = record.memory_target
            with self.library.locks((target,) if target else (), wait=wait) as held:
                result = held if held is not None else self._reject(record)
            if isinstance(result, REFUSALS):
                refused.append((record.id, _for_record(record, result, [record])))
            else:
                done.append((record.id, result))
        return Handled(tuple(done), tuple(refused))

    def _reject(self, record: Record) -> int | Refusal | None:
        removals = self._removals([record])
        if isinstance(removals, REFUSALS):
            return removals
        target = record.memory_target or record.subsystem
        intent = Intent(_who([record]), "reject", target, record=record.id)
        return self.carry_out(intent, removals)

    # -- staging -------------------------------------------------------------------------

    def stage(
        self,
        payload: Mapping[str, Any],
        *,
        subsystem: Subsystem = "memory",
        origin: str = "foreground",
        wait: float = 10.0,
    ) -> str | Refusal:
        """Put a write into the queue as the agent does; its id. What could not apply is refused."""
        return handling.stage(self, payload, subsystem=subsystem, origin=origin, wait=wait)

    def edit(
        self,
        record_id: str,
        payload: Mapping[str, Any],
        *,
        seen: str | None = None,
        wait: float = 10.0,
    ) -> int | Refusal | None:
        """Put another payload into a record that waits; the change of the journal."""
        return handling.edit(self, record_id, payload, seen=seen, wait=wait)

    def set_aside(self, name: str) -> tuple[str, int | None] | Refusal:
        """Move what cannot be used out of the queue; where to, and the change of the journal."""
        return handling.set_aside(self, name)

    def content(self, record: Record) -> Content | Refusal:
        """The bytes of a record, if it is there and as it was read."""
        folder = self.home.pending(record.subsystem)
        found = self._content(folder / f"{record.id}.json", outside=self.leads_outside(folder))
        if isinstance(found, REFUSALS):
            return found
        if found.data is None:
            return NotFound("record", record.id)
        return found if found.digest == record.digest else Conflict(record.file)

    def carry_out(
        self, intent: Intent, changes: Sequence[FileChange]
    ) -> int | Conflict | ReadOnly | Locked | None:
        """Do a change to files of the queue, through the journal."""
        journal = self._journal()
        return carry_out(
            home=self.home.path, disk=self.disk, journal=journal, intent=intent, changes=changes
        )

    def now(self) -> float:
        """The time, in UTC seconds."""
        return float(self._clock())


def _at_record(refusal: Refusal, records: Sequence[Record]) -> Refusal:
    """A refused operation of what these records ask for together, as one of its own record."""
    if len(records) == 1:
        return AtRecord(records[0].id, _single(refusal))
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


def _single(refusal: Refusal) -> SingleRefusal | AtOperation:
    return refusal.cause if isinstance(refusal, AtRecord) else refusal


def _for_record(record: Record, refusal: Refusal, group: Sequence[Record]) -> Refusal:
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
        who=_who(group),
        action="approve",
        target="both" if len(plans) == 2 else ", ".join(targets) if not plans else _target(group),
        gone=tuple(text for plan in plans for text in plan.applied.gone),
        come=tuple(text for plan in plans for text in plan.applied.come),
        record=" ".join(record.id for record in group),
    )


def _target(group: Sequence[Record]) -> str:
    return next(record.target for record in group if record.memory_target is not None)


def _who(group: Sequence[Record]) -> str:
    return "approval:" + ",".join(dict.fromkeys(record.origin for record in group))
