"""The approval queue of one home: listed, approved, rejected, staged.

A record counts as handled only when the file it changes is on disk and the record is gone;
both happen under Hermes' lock of the memory file, as one change of the journal.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.files import Disk
from store.home import HermesHome, Target
from store.journal import Intent, Journal
from store.memory.entries import clean
from store.memory.library import MemoryLibrary
from store.memory.operations import Batch, Change, Remove, Replace, check, find
from store.pending.records import (
    ID,
    SUBSYSTEMS,
    Record,
    Subsystem,
    UnusableRecord,
    memory_change,
    parse_record,
)
from store.refusals import (
    REFUSALS,
    AtOperation,
    Conflict,
    Invalid,
    NotFound,
    ReadOnly,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.transaction import FileChange, carry_out

SUMMARY_CHARS = 120


@dataclass(frozen=True, slots=True)
class Listing:
    """A queue as it is on disk: records oldest first, and the files that are none."""

    records: tuple[Record, ...]
    unreadable: tuple[UnusableRecord, ...]


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of the ids that were asked for. `done` pairs an id with its change."""

    done: tuple[tuple[str, int | None], ...] = ()
    refused: tuple[tuple[str, Refusal], ...] = ()


class PendingQueue:
    """Staged writes of one home. `clock` gives UTC seconds."""

    def __init__(
        self,
        home: HermesHome,
        *,
        library: MemoryLibrary,
        disk: Disk,
        journal: Journal | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is read before the first call."""
        self.home = home
        self.library = library
        self.disk = disk
        self.journal = journal
        self._clock = clock

    # -- reading -------------------------------------------------------------------------

    def load(self, subsystem: Subsystem = "memory") -> Listing:
        """Every file of the queue, as a record or as what is wrong with it."""
        folder = self.home.pending(subsystem)
        try:
            names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        except FileNotFoundError:
            return Listing((), ())
        except OSError as error:
            why = Unreadable(str(folder), error.strerror or str(error))
            return Listing((), (UnusableRecord(str(folder), why),))
        records, unusable = [], []
        for name in names:
            found = self._read(subsystem, name.removesuffix(".json"))
            if isinstance(found, Record):
                records.append(found)
            elif isinstance(found, UnusableRecord):
                unusable.append(found)
        records.sort(key=lambda record: (record.created_at, record.id))
        return Listing(tuple(records), tuple(unusable))

    def count(self, subsystem: Subsystem) -> int:
        """How many files wait, as Hermes counts them."""
        try:
            with os.scandir(self.home.pending(subsystem)) as entries:
                return sum(entry.name.endswith(".json") for entry in entries)
        except OSError:
            return 0

    def find(self, record_id: str) -> Record | Refusal:
        """The record of that id, in either subsystem."""
        for subsystem in SUBSYSTEMS:
            found = self._read(subsystem, record_id) if ID.fullmatch(record_id) else None
            if isinstance(found, Record):
                return found
            if found is not None:
                return found.problem
        return NotFound("record", record_id)

    def _read(self, subsystem: Subsystem, stem: str) -> Record | UnusableRecord | None:
        path = self.home.pending(subsystem) / f"{stem}.json"
        if path.is_symlink() or not path.parent.resolve().is_relative_to(self.home.path.resolve()):
            return UnusableRecord(str(path), Invalid("record", "is_a_link"))
        found = self.disk.read(path)
        if isinstance(found, Unreadable):
            return UnusableRecord(str(path), found)
        if found.data is None:
            return None
        return parse_record(str(path), stem, found.data, subsystem)

    # -- deciding ------------------------------------------------------------------------

    def approve(
        self,
        ids: Sequence[str],
        *,
        seen: Mapping[str, str] | None = None,
        together: bool = False,
        wait: float = 10.0,
    ) -> Handled:
        """Apply exactly these records, one after the other, or `together` on the end state.

        `seen` maps ids to the digests that a person looked at; another digest is a conflict.
        """
        records, refused = self._chosen(ids, seen or {})
        groups: list[list[Record]] = [[record] for record in records]
        if together:
            by_target: dict[str, list[Record]] = {}
            for record in records:
                by_target.setdefault(record.target, []).append(record)
            groups = list(by_target.values())
        done: list[tuple[str, int | None]] = []
        for group in groups:
            result = self._approve_group(group, wait=wait)
            if isinstance(result, REFUSALS):
                refused += [(record.id, result) for record in group]
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

    def _approve_group(self, group: Sequence[Record], *, wait: float) -> int | Refusal | None:
        problem = next((record.problem for record in group if record.problem), None)
        if problem is not None:
            return problem
        change = _joined(group)
        target = group[0].memory_target
        if change is None or target is None:
            return Unsupported("skill_record")
        if (refused := check(change)) is not None:
            return refused
        with self.library.locks((target,), wait=wait) as held:
            if held is not None:
                return held
            removals = self._removals(group)
            if isinstance(removals, REFUSALS):
                return removals
            plan = self.library.plan(target, change)
            if isinstance(plan, REFUSALS):
                return plan
            intent = Intent(
                who=_who(group),
                action="approve",
                target=target,
                gone=plan.applied.gone,
                come=plan.applied.come,
                record=" ".join(record.id for record in group),
            )
            return self.library.write((plan,), intent, removals)

    def _removals(
        self, group: Sequence[Record]
    ) -> tuple[FileChange, ...] | NotFound | Conflict | Unreadable:
        """Read the records again, now under the lock: someone may have handled them since."""
        removals = []
        for record in group:
            found = self.disk.read(self.home.pending(record.subsystem) / f"{record.id}.json")
            if isinstance(found, Unreadable):
                return found
            if found.data is None:
                return NotFound("record", record.id)
            if found.digest != record.digest:
                return Conflict(record.file)
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
                refused.append((record.id, result))
            else:
                done.append((record.id, result))
        return Handled(tuple(done), tuple(refused))

    def _reject(self, record: Record) -> int | Refusal | None:
        removals = self._removals([record])
        if isinstance(removals, REFUSALS):
            return removals
        target = record.memory_target or record.subsystem
        intent = Intent(_who([record]), "reject", target, record=record.id)
        return carry_out(
            home=self.home.path,
            disk=self.disk,
            journal=self.journal,
            intent=intent,
            changes=removals,
        )

    # -- staging -------------------------------------------------------------------------

    def stage(self, payload: Mapping[str, Any], *, origin: str = "foreground") -> str | Refusal:
        """Put a memory write into the queue as the agent does; its id.

        Replace and remove are pinned to the entry that they mean now, since newer versions
        refuse to approve destructive records without (hermes-formats §2.10).
        """
        change = memory_change(payload)
        if isinstance(change, Invalid | Unsupported):
            return change
        if (refused := check(change)) is not None:
            return refused
        target: Target = payload["target"]
        pinned = self._pinned(dict(payload), change, target)
        if isinstance(pinned, REFUSALS):
            return pinned
        record_id = os.urandom(4).hex()
        record = {
            "id": record_id,
            "subsystem": "memory",
            "action": pinned["action"],
            "summary": summary_of(pinned),
            "origin": origin,
            "created_at": float(self._clock()),
            "payload": pinned,
        }
        data = json.dumps(record, indent=2, ensure_ascii=False).encode()
        path = self.home.pending("memory") / f"{record_id}.json"
        failed: ReadOnly | None = self.disk.create(path, data)
        return failed if failed is not None else record_id

    def _pinned(
        self, payload: dict[str, Any], change: Change, target: Target
    ) -> dict[str, Any] | Refusal:
        document = self.library.load(target).document
        if not isinstance(change, Batch):
            keys = ("action", "target", "content", "old_text", "matched_entry")
            payload = {key: payload.get(key) for key in keys[:4]} | {
                key: payload[key] for key in keys[4:] if payload.get(key)
            }
            entry = self._entry_meant(document, change)
            if isinstance(entry, REFUSALS):
                return entry
            return payload | ({"matched_entry": entry} if entry else {})
        operations = []
        for number, (given, one) in enumerate(
            zip(payload["operations"], change.operations, strict=True), 1
        ):
            entry = self._entry_meant(document, one)  # type: ignore[arg-type]
            if isinstance(entry, REFUSALS):
                return AtOperation(number, str(given.get("action")), entry)  # type: ignore[arg-type]
            operations.append(dict(given) | ({"matched_entry": entry} if entry else {}))
        return {"action": "batch", "target": target, "operations": operations}

    @staticmethod
    def _entry_meant(document: Any, change: Change) -> str | Refusal:
        if not isinstance(change, Replace | Remove):
            return ""
        index = find(document, change.where)
        return document.texts[index] if isinstance(index, int) else index


def _joined(group: Sequence[Record]) -> Change | None:
    if len(group) == 1:
        return group[0].change
    operations: list[Any] = []
    for record in group:
        change = record.change
        operations += change.operations if isinstance(change, Batch) else [change]
    return Batch(tuple(operations))


def _who(group: Sequence[Record]) -> str:
    return "approval:" + ",".join(dict.fromkeys(record.origin for record in group))


def summary_of(payload: Mapping[str, Any]) -> str:
    """The line that the agent's own lists show for a staged memory write (formats §3.2)."""
    name = "user profile" if payload["target"] == "user" else "memory"
    action, content = payload["action"], clean(payload.get("content") or "")
    old = clean(payload.get("old_text") or "")
    match action:
        case "add":
            detail, head = content, f"add to {name}"
        case "replace":
            detail, head = f"old: {old}\nnew: {content}", f"replace in {name}"
        case "remove":
            detail, head = old, f"remove from {name}"
        case _:
            operations = payload["operations"]
            head = f"apply {len(operations)} op(s) to {name}"
            detail = "\n".join(f"- {_operation_line(one)}" for one in operations)
    return f"{head}: {detail[:SUMMARY_CHARS]}".strip()


def _operation_line(operation: Mapping[str, Any]) -> str:
    old, new = operation.get("old_text") or "", operation.get("content") or ""
    match operation.get("action"):
        case "add":
            return f"add: {new}"
        case "replace":
            return f"replace: {old} -> {new}"
        case other:
            return f"{other}: {old}"
