"""Staged writes as the agent puts them on disk, read as values (hermes-formats §3).

Nothing is skipped: a file that is no record is an `UnusableRecord` with the reason, a record
whose shape the desk cannot replay is a `Record` with a `problem`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from schema.frozen import field, frozen
from store.files import digest_of
from store.home import TARGETS, Target
from store.memory.operations import (
    Add,
    Address,
    Batch,
    Part,
    Pinned,
    Remove,
    Replace,
    Unknown,
    check,
)
from store.refusals import Invalid, Refusal, Unreadable, Unsupported
from store.skills.writes import SkillBatch, SkillWrite, operations_of, skill_write

Subsystem = Literal["memory", "skills"]
Staged = Add | Replace | Remove | Batch
"""What a record can ask for of a memory file."""

SUBSYSTEMS: tuple[Subsystem, ...] = ("memory", "skills")
ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
"""What may stand as an id in a file name; the agent's own are eight hexadecimal digits."""

MAX_BYTES = 8 * 1024 * 1024
"""No real record is near it; a larger file is shown and left alone."""

LATEST = 253_402_300_799
"""The last second of the year 9999."""

PROVIDER_FIELDS = ("memory_id", "importance", "provider")
"""Fields by which a provider's own staged write is known."""


@frozen
class Record:
    """A staged write. `created_at` in UTC seconds, 0 if it does not say.

    `change` is what approving does to a memory file, `skill` what it does to a skill; None if
    `problem` says why it cannot be replayed here. `raw` is the whole object as it was read,
    `digest` names the bytes.
    """

    id: str
    file: str
    subsystem: Subsystem
    action: str
    target: str
    summary: str
    origin: str
    created_at: float
    change: Staged | None
    problem: Refusal | None
    digest: str
    raw: Mapping[str, Any] = field(compare=False, repr=False)
    skill: SkillWrite | None = None

    @property
    def automatic(self) -> bool:
        """Whether a background review staged it, which Hermes marks `[auto]`."""
        return self.origin == "background_review"

    @property
    def memory_target(self) -> Target | None:
        """MEMORY.md or USER.md, None for anything else."""
        return next((target for target in TARGETS if target == self.target), None)


@frozen
class UnusableRecord:
    """A file in the queue's folder that is no record; it is shown and kept."""

    file: str
    problem: Refusal


def parse_record(
    file: str, stem: str, data: bytes, subsystem: Subsystem
) -> Record | UnusableRecord:
    """The record in `data`, the whole content of `file`, whose name without ending is `stem`."""
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return UnusableRecord(file, Unreadable(file, "utf-8", byte=error.start))
    except json.JSONDecodeError as error:
        why = Invalid("record", "not_json", line=error.lineno, column=error.colno)
        return UnusableRecord(file, why)
    except (RecursionError, ValueError):
        return UnusableRecord(file, Invalid("record", "not_json"))
    if not isinstance(raw, dict):
        return UnusableRecord(file, Invalid("record", "not_an_object"))
    payload = raw.get("payload")
    if not isinstance(payload, dict):
        return UnusableRecord(file, Invalid("record", "no_payload"))
    if raw.get("id") != stem or not ID.fullmatch(stem):
        # The agent deletes by the id inside; approving here could remove another's file.
        return UnusableRecord(file, Invalid("record", "id_is_not_its_name"))
    change, skill, problem = _asked(raw, payload, subsystem)
    return Record(
        id=stem,
        file=file,
        subsystem=subsystem,
        action=_shown(payload.get("action")) or _shown(raw.get("action")),
        target=_shown(payload.get("target")) if subsystem == "memory" else _skill(payload, skill),
        summary=_shown(raw.get("summary")),
        origin=_shown(raw.get("origin")) or "foreground",
        created_at=_seconds(raw.get("created_at")),
        change=change,
        skill=skill,
        problem=problem,
        digest=digest_of(data),
        raw=raw,
    )


def joined(records: Sequence[Record]) -> Staged | Refusal:
    """One change that does what all of these do, or why one of them cannot be done at all."""
    changes = [record.change for record in records if record.change is not None]
    if len(changes) < len(records):
        problem = next(record.problem for record in records if record.change is None)
        return problem or Unsupported("skill_record")
    for change in changes:
        if (refused := check(change)) is not None:
            return refused
    if len(changes) == 1:
        return changes[0]
    several = [one.operations if isinstance(one, Batch) else (one,) for one in changes]
    return Batch(tuple(operation for operations in several for operation in operations))


def _asked(
    raw: Mapping[str, Any], payload: Mapping[str, Any], subsystem: Subsystem
) -> tuple[Staged | None, SkillWrite | None, Invalid | Unsupported | None]:
    """What the record asks for of a memory file or of a skill, or why it cannot be replayed."""
    asked = memory_change(payload) if subsystem == "memory" else skill_write(payload)
    outer, inner = _shown(raw.get("action")), _shown(payload.get("action"))
    if outer and inner and outer != inner and not isinstance(asked, Unsupported):
        # The agent lists what stands outside and does what stands inside.
        return None, None, Unsupported("two_actions", outer)
    if isinstance(asked, Invalid | Unsupported):
        return None, None, asked
    return (asked, None, None) if isinstance(asked, Staged) else (None, asked, None)


def _skill(payload: Mapping[str, Any], write: SkillWrite | None) -> str:
    """The skill that a record is about; a batch may name it only in its operations."""
    name = _shown(payload.get("name"))
    if not name and isinstance(write, SkillBatch):
        name = ", ".join(dict.fromkeys(_shown(one.name) for one in operations_of(write)))
    return name


def memory_change(payload: Mapping[str, Any]) -> Staged | Invalid | Unsupported:
    """What a memory payload asks for, or why the built-in store is not the one to do it."""
    if payload.get("target") not in TARGETS or any(name in payload for name in PROVIDER_FIELDS):
        return Unsupported("provider_record", _shown(payload.get("provider")))
    action = _shown(payload.get("action"))
    if action != "batch":
        operation = _operation(payload)
        if isinstance(operation, Unknown):
            return Unsupported("unknown_action", action)
        return operation
    operations = payload.get("operations")
    if not isinstance(operations, list) or not all(isinstance(one, dict) for one in operations):
        return Invalid("record", "operations_are_no_list")
    return Batch(tuple(_operation(one) for one in operations))


def _operation(given: Mapping[str, Any]) -> Add | Replace | Remove | Unknown:
    content = _text(given.get("content")) or _text(given.get("new_text"))
    match given.get("action"):
        case "add":
            return Add(content)
        case "replace":
            return Replace(_address(given), content)
        case "remove":
            return Remove(_address(given))
        case other:
            return Unknown(_shown(other))


def _address(given: Mapping[str, Any]) -> Address:
    old, pin = _text(given.get("old_text")), given.get("matched_entry")
    return Pinned(pin, old) if isinstance(pin, str) and pin.strip() else Part(old)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _shown(value: object) -> str:
    """A text that is only shown and noted; half of a character, as JSON can spell it, is named."""
    return _text(value).encode("utf-8", "backslashreplace").decode()


def _seconds(value: object) -> float:
    """A time that a calendar can show, else 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value <= LATEST else 0.0
