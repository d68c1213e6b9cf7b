"""A short look at the layers that have no area of their own yet: conversations and skills.

Reads only, counts only, and never fails: what cannot be counted is None, with a state that says
why. Nothing is created but the `-wal` and `-shm` files that SQLite itself may leave.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Literal

from schema.frozen import frozen
from store.files import Content, Disk
from store.refusals import BrokenDatabase, Locked, NotFound, Refusal

BUSY_SECONDS = 1.0
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
    """How many skills a home has, by state; None if they cannot be counted, or there is no place.

    `closed`: their folder cannot be looked into. `damaged`: the agent's records cannot be
    understood. `shared` are the names that several go by.
    """

    active: int | None = None
    stale: int | None = None
    archived: int | None = None
    pinned: int | None = None
    closed: bool = False
    damaged: bool = False
    shared: tuple[str, ...] = ()


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
    """Count the home's own skills by what `.usage.json` says of each (hermes-formats §10.3)."""
    if _is_missing(folder):
        return Skills()
    from store.skills.front_matter import named_in
    from store.skills.layout import SKILL_FILE, USAGE_FILE
    from store.skills.lifecycle import state_of
    from store.skills.telemetry import is_pinned, read_usage
    from store.skills.walking import archived_in, walk

    found = walk(folder)
    if folder in found.closed:
        return Skills(closed=True)
    seen = disk.read(folder / USAGE_FILE)
    usage = read_usage(seen.data) if isinstance(seen, Content) else None
    names = []
    for place, _ in found.skills:
        read = disk.read(place / SKILL_FILE)
        data = read.data if isinstance(read, Content) else None
        names.append(named_in((data or b"").decode("utf-8", "replace")) or place.name)
    states = [state_of((usage or {}).get(name)) for name in names]
    return Skills(
        active=states.count("active"),
        stale=states.count("stale"),
        archived=states.count("archived") + len(archived_in(folder)),
        pinned=sum(is_pinned(usage or {}, name) for name in names),
        damaged=usage is None,
        shared=tuple(sorted(name for name, count in Counter(names).items() if count > 1)),
    )
