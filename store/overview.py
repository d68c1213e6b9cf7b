"""A short look at the layers that have no area of their own yet: conversations and skills.

Reads only, counts only, and never fails: what cannot be counted is None, with a state that says
why. Nothing is created but the `-wal` and `-shm` files that SQLite itself may leave.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Literal

from schema.frozen import frozen
from store.files import Content, Disk
from store.refusals import BrokenDatabase, Locked, NotFound, Refusal

BUSY_SECONDS = 1.0
SkillState = Literal["active", "stale", "archived"]
SessionsState = Literal["ok", "absent", "corrupt", "locked", "unreadable"]
_CORRUPT = ("corrupt", "truncated", "not_sqlite")


@frozen
class Sessions:
    """How many conversations and messages state.db holds; None if they cannot be counted.

    `problem` says why; `notices` what is odd about a database that can be read.
    """

    count: int | None
    messages: int | None
    state: SessionsState
    problem: Refusal | None = None
    notices: tuple[str, ...] = ()


@frozen
class Skills:
    """How many skills the usage records name, by state; None if there are no such records."""

    active: int | None = None
    stale: int | None = None
    archived: int | None = None
    pinned: int | None = None


def sessions_in(database: Path) -> Sessions:
    """Count in state.db, opened read-only as beside a writing agent (hermes-formats §9.7)."""
    # Most homes are looked at for their memory alone; without a database nothing more is loaded.
    if _is_missing(database):
        return Sessions(None, None, "absent")
    from store.sessions.database import Cancelled
    from store.sessions.library import Counts, SessionLibrary

    with closing(SessionLibrary(database, busy_seconds=BUSY_SECONDS)) as library:
        found = library.counts()
    match found:
        case Counts(sessions, messages, notices):
            return Sessions(sessions, messages, "ok", notices=notices)
        case NotFound():
            return Sessions(None, None, "absent")
        case Locked():
            return Sessions(None, None, "locked", found)
        case BrokenDatabase(_, state) if state in _CORRUPT:
            return Sessions(None, None, "corrupt", found)
        case BrokenDatabase():
            return Sessions(None, None, "unreadable", found)
        case Cancelled():
            return Sessions(None, None, "unreadable")


def _is_missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        return False


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
