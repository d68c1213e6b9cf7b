"""A short look at the layers that have no area of their own yet: conversations and skills.

Reads only, counts only, and never fails: what cannot be counted is None, with a state that says
why. Nothing is created but the `-wal` and `-shm` files that SQLite itself may leave.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from schema.frozen import frozen
from store.files import Content, Disk

BUSY_SECONDS = 1.0
SkillState = Literal["active", "stale", "archived"]
SessionsState = Literal["ok", "absent", "corrupt", "unreadable"]


@frozen
class Sessions:
    """How many conversations and messages state.db holds; None if they cannot be counted."""

    count: int | None
    messages: int | None
    state: SessionsState


@frozen
class Skills:
    """How many skills the usage records name, by state; None if there are no such records."""

    active: int | None = None
    stale: int | None = None
    archived: int | None = None
    pinned: int | None = None


def sessions_in(database: Path) -> Sessions:
    """Count in state.db, opened read-only as beside a writing agent (hermes-formats §9.7)."""
    try:
        if not database.exists():
            return Sessions(None, None, "absent")
    except OSError:
        return Sessions(None, None, "unreadable")
    import sqlite3
    from contextlib import closing

    try:
        address = f"{database.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)) as connection:
            connection.execute("PRAGMA query_only = ON")
            count = connection.execute("SELECT count(*) FROM sessions").fetchone()[0]
            messages = connection.execute("SELECT count(*) FROM messages").fetchone()[0]
    except sqlite3.OperationalError:
        # No permission, held by someone for long, or tables of a shape not seen before.
        return Sessions(None, None, "unreadable")
    except sqlite3.DatabaseError:
        return Sessions(None, None, "corrupt")
    return Sessions(count, messages, "ok")


def skills_in(folder: Path, *, disk: Disk) -> Skills:
    """Count what `.usage.json` says (hermes-formats §10.3); a skill without a record is not in."""
    found = disk.read(folder / ".usage.json")
    if not isinstance(found, Content) or found.data is None:
        return Skills()
    try:
        usage = json.loads(found.data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Skills()
    if not isinstance(usage, dict):
        return Skills()
    records = [record for record in usage.values() if isinstance(record, dict)]
    states = [record.get("state", "active") for record in records]
    return Skills(
        active=states.count("active"),
        stale=states.count("stale"),
        archived=states.count("archived"),
        pinned=sum(record.get("pinned") is True for record in records),
    )
