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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schema.frozen import frozen
from store.changes import FileChange, Intent
from store.files import Content, Disk, Mark, mark_of
from store.home import HermesHome, Target
from store.memory.library import MemoryLibrary
from store.memory.operations import Change
from store.pending import handling
from store.pending.approving import approve_group, for_record, single, who_of
from store.pending.records import (
    ID,
    MAX_BYTES,
    SUBSYSTEMS,
    Record,
    Subsystem,
    UnusableRecord,
    parse_record,
)
from store.refusals import (
    REFUSALS,
    AtRecord,
    Conflict,
    Invalid,
    Locked,
    NotFound,
    ReadOnly,
    Refusal,
    Unreadable,
)
from store.transaction import carry_out

if TYPE_CHECKING:
    from store.journal import Journal
    from store.pending.sending import SentToSkill
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
            first = AtRecord(refused[0][0], single(refused[0][1]))
            return Handled((), (*refused, *((record.id, first) for record in records)))
        if together and records:
            groups = [records]
        done: list[tuple[str, int | None]] = []
        for group in groups:
            result = approve_group(self, group, edited, wait=wait)
            if isinstance(result, REFUSALS):
                refused += [(record.id, for_record(record, result, group)) for record in group]
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

    def removals(self, group: Sequence[Record]) -> tuple[FileChange, ...] | Refusal:
        """Read the records again, now under the lock: someone may have handled them since."""
        removals = []
        for record in group:
            found = self.content(record)
            if isinstance(found, REFUSALS):
                return AtRecord(record.id, single(found))
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
                refused.append((record.id, for_record(record, result, [record])))
            else:
                done.append((record.id, result))
        return Handled(tuple(done), tuple(refused))

    def _reject(self, record: Record) -> int | Refusal | None:
        removals = self.removals([record])
        if isinstance(removals, REFUSALS):
            return removals
        target = record.memory_target or record.subsystem
        intent = Intent(who_of([record]), "reject", target, record=record.id)
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

    def send_to_skill(
        self, text: str, *, source: Target | None = None, wait: float = 10.0
    ) -> SentToSkill | Refusal:
        """Stage a skill drafted from `text`, taken out of the file `source` if it stands there."""
        from store.pending.sending import send_to_skill

        return send_to_skill(self, text, source=source, wait=wait)

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
