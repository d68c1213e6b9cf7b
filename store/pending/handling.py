"""Records put into the queue, changed in it, and set aside: what is not approval or rejection."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from store.changes import FileChange, Intent, Kind
from store.files import Content
from store.memory.operations import Add, check
from store.pending.records import (
    SUBSYSTEMS,
    Record,
    Subsystem,
    UnusableRecord,
    memory_change,
)
from store.pending.staging import payload_of, record_of, skill_payload
from store.refusals import (
    REFUSALS,
    Conflict,
    Invalid,
    NotFound,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.skills.writes import skill_write
from store.trees import look, mode_of

if TYPE_CHECKING:
    from store.pending.queue import PendingQueue

T = TypeVar("T")

ASIDE = "set-aside"
"""The folder, in that of a queue, for what cannot be used; the agent does not look there."""
MOST_ASIDE = 64 * 1024 * 1024


def subsystem_of(given: Mapping[str, Any]) -> Subsystem | Invalid:
    """Which queue a payload is for."""
    if given.get("target") is not None:
        return "memory"
    operations = given.get("operations")
    several = operations if isinstance(operations, list) else ()
    if any(isinstance(one, Mapping) and one.get("name") for one in (given, *several)):
        return "skills"
    return Invalid("record", "no_target")


def stage(
    queue: PendingQueue,
    payload: Mapping[str, Any],
    *,
    subsystem: Subsystem,
    origin: str,
    wait: float,
) -> str | Refusal:
    """Put a write into the queue as the agent does; its id."""
    folder = queue.home.pending(subsystem)
    if queue.leads_outside(folder):
        return Invalid("record", "is_a_link")

    def put(spelled: dict[str, Any]) -> str | Refusal:
        record_id = os.urandom(4).hex()
        now = queue.now()
        record = record_of(
            spelled, record_id=record_id, origin=origin, now=now, subsystem=subsystem
        )
        return queue.disk.create(folder / f"{record_id}.json", as_json(record)) or record_id

    return _spelled(queue, payload, subsystem, put, wait=wait)


def edit(
    queue: PendingQueue,
    record_id: str,
    payload: Mapping[str, Any],
    *,
    seen: str | None,
    wait: float,
) -> int | Refusal | None:
    """Put another payload into a record that waits; the journal keeps the original.

    Refused as staging is. `seen` is the digest of what a person looked at.
    """
    found = queue.find(record_id)
    if not isinstance(found, Record):
        return found
    record = found
    if seen is not None and seen != record.digest:
        return Conflict(record.file)

    def put(spelled: dict[str, Any]) -> int | Refusal | None:
        content = queue.content(record)
        if not isinstance(content, Content):
            return content
        made = record_of(spelled, record_id=record.id, origin="", now=0, subsystem=record.subsystem)
        new = dict(record.raw) | {key: made[key] for key in ("action", "summary", "payload")}
        target = record.target or record.subsystem
        intent = Intent("desk", "edit", target, record=record.id)
        return queue.carry_out(intent, (FileChange(content, as_json(new)),))

    return _spelled(queue, payload, record.subsystem, put, wait=wait)


def _spelled(
    queue: PendingQueue,
    payload: Mapping[str, Any],
    subsystem: Subsystem,
    put: Callable[[dict[str, Any]], T | Refusal],
    *,
    wait: float,
) -> T | Refusal:
    """Do `put` with the payload as the agent spells it, if it could be approved now."""
    if subsystem == "skills":
        skill = spelled_skill(queue, payload)
        return skill if isinstance(skill, REFUSALS) else put(skill)
    change = memory_change(payload)
    if isinstance(change, Invalid | Unsupported):
        return change
    if (refused := check(change)) is not None:
        return refused
    target = payload["target"]
    with queue.library.locks((target,), wait=wait) as held:
        if held is not None:
            return held
        state = queue.library.load(target)
        if state.problem is not None and not isinstance(change, Add):
            return state.problem
        spelled = payload_of(change, target, state.document)
        return spelled if isinstance(spelled, REFUSALS) else put(spelled)


def spelled_skill(queue: PendingQueue, payload: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """A skill's payload as the agent spells it, if it could be approved now."""
    write = skill_write(payload)
    if isinstance(write, Invalid | Unsupported):
        return write
    placed = queue.skills.plan().do(write)
    return placed if isinstance(placed, REFUSALS) else skill_payload(payload)


def set_aside(queue: PendingQueue, name: str) -> tuple[str, int | None] | Refusal:
    """Move what cannot be used out of the queue; where to, and its change. It can be undone.

    `name` is an id, the name of a file in a queue, or its path.
    """
    for subsystem in SUBSYSTEMS:
        path = _named(queue, subsystem, name)
        found = None if path is None else queue.read(subsystem, path.stem, outside=False)
        if isinstance(found, Record) and found.problem is None:
            return Unsupported("record_is_usable", found.id)
        if path is not None and found is not None:
            return _move(queue, found, path)
    return NotFound("record", name)


def _named(queue: PendingQueue, subsystem: Subsystem, name: str) -> Path | None:
    folder = queue.home.pending(subsystem)
    given = Path(name)
    if given.parent != Path() and os.path.realpath(given.parent) != os.path.realpath(folder):
        return None
    file = given.name if given.suffix == ".json" else f"{given.name}.json"
    path = folder / file
    return path if os.path.lexists(path) and not queue.leads_outside(folder) else None


def _move(
    queue: PendingQueue, found: Record | UnusableRecord, path: Path
) -> tuple[str, int | None] | Refusal:
    kind: Kind = "link" if os.path.islink(path) else "file"
    seen = (
        look(queue.disk, path, "link")
        if kind == "link"
        else queue.disk.read(path, follow=False, at_most=MOST_ASIDE)
    )
    if isinstance(seen, Unreadable):
        return seen
    place = path.parent / ASIDE / path.name
    number = 1
    while os.path.lexists(place):
        number += 1
        place = path.parent / ASIDE / f"{path.stem}-{number}.json"
    folder = look(queue.disk, place.parent, "folder")
    if isinstance(folder, Unreadable):
        return folder
    mode = mode_of(path, 0o600) & 0o600
    changes = [FileChange(folder, b"", 0o700, "folder")] if folder.data is None else []
    changes += [
        FileChange(Content(place, None), seen.data, mode, kind),
        FileChange(seen, None, mode, kind),
    ]
    stem = found.id if isinstance(found, Record) else path.stem
    done = queue.carry_out(Intent("desk", "set_aside", path.parent.name, record=stem), changes)
    return done if isinstance(done, REFUSALS) else (str(place), done)


def as_json(record: Mapping[str, Any]) -> bytes:
    """A record as the agent writes it (hermes-formats §3.1)."""
    # Half of a character, as JSON can spell it, must stay spelled.
    text = json.dumps(record, indent=2, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(record, indent=2).encode()
