"""What the agent counts about its skills: skills/.usage.json (hermes-formats §10.3). Pure.

A file that is damaged is left as it is: what cannot be understood is not written over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

Usage = dict[str, Any]
"""Records by the name of their skill."""


def read_usage(data: bytes | None) -> Usage | None:
    """The records in the bytes of the file, None if they cannot be understood."""
    if data is None:
        return {}
    try:
        usage = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return usage if isinstance(usage, dict) else None


def write_usage(usage: Usage, newline: str) -> bytes | None:
    """The bytes as the agent writes them, None if they have no such form."""
    try:
        text = json.dumps(usage, indent=2, sort_keys=True, ensure_ascii=False)
        return text.replace("\n", newline).encode("utf-8")
    except (ValueError, RecursionError):
        return None


def is_pinned(usage: Usage, name: str) -> bool:
    """Whether the skill may not be deleted."""
    record = usage.get(name)
    return isinstance(record, Mapping) and bool(record.get("pinned"))


def counted_patch(usage: Usage, name: str, now: float) -> Usage:
    """With one more patch of `name`; `now` in UTC seconds. A count that is no number stays."""
    record = usage.get(name)
    record = dict(record) if isinstance(record, Mapping) else empty_record(now)
    try:
        count = int(record.get("patch_count") or 0)
    except (TypeError, ValueError, OverflowError):
        return usage
    record |= {"patch_count": count + 1, "last_patched_at": stamp(now)}
    return usage | {name: record}


def with_state(usage: Usage, name: str, state: str, now: float) -> Usage:
    """With `name` in that state of its life; `now` in UTC seconds."""
    if state == "archived":
        return _with(usage, name, {"state": state, "archived_at": stamp(now)}, now)
    return _with(usage, name, {"state": state, "archived_at": None}, now)


def with_pin(usage: Usage, name: str, pinned: bool, now: float) -> Usage:
    """With `name` pinned, or no longer; `now` in UTC seconds."""
    return _with(usage, name, {"pinned": pinned}, now)


def _with(usage: Usage, name: str, fields: dict[str, Any], now: float) -> Usage:
    record = usage.get(name)
    record = dict(record) if isinstance(record, Mapping) else empty_record(now)
    return usage | {name: record | fields}


def forgotten(usage: Usage, name: str) -> Usage:
    """Without the record of `name`."""
    return {key: value for key, value in usage.items() if key != name}


def empty_record(now: float) -> dict[str, Any]:
    """What the agent notes of a skill that it has just met."""
    never = dict.fromkeys(("archived_at", "created_by", "last_patched_at", "last_used_at"))
    counts = dict.fromkeys(("patch_count", "use_count", "view_count"), 0)
    rest = {"created_at": stamp(now), "last_viewed_at": None, "pinned": False, "state": "active"}
    return {**never, **counts, **rest}


def stamp(now: float) -> str:
    """A time as the agent notes it."""
    return datetime.fromtimestamp(now, UTC).isoformat()


def put_back(before: Usage, after: Usage, now: Usage) -> Usage:
    """`now` with what made `before` into `after` taken back, and what others counted kept."""
    result = dict(now)
    for name in before.keys() | after.keys():
        was, became, there = (usage.get(name) for usage in (before, after, now))
        if was == became:
            continue
        if there == became or there is None:
            _set(result, name, was)
        elif isinstance(there, Mapping) and isinstance(became, Mapping):
            _put_back_fields(result, name, was, became)
    return result


def _put_back_fields(result: Usage, name: str, was: object, became: Mapping[str, Any]) -> None:
    record = dict(result[name])
    old = was if isinstance(was, Mapping) else empty_record(0) | {"created_at": None}
    for field, value in became.items():
        if value != old.get(field) and record.get(field) == value and field != "created_at":
            record[field] = old.get(field)
    result[name] = record


def _set(usage: Usage, name: str, record: object) -> None:
    if record is None:
        usage.pop(name, None)
    else:
        usage[name] = record


Count = Callable[[Usage, float], Usage]
"""How a write to a skill shows in the records, given the time in UTC seconds."""
