"""A short look at the layers beside memory: conversations, skills and notes.

Reads only, counts only, and never fails: what cannot be counted is None, with a state that says
why. Nothing is created but the `-wal` and `-shm` files that SQLite itself may leave.
"""

from __future__ import annotations

import os
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
    understood. `shared` are the names that several go by. `broken` are those with a problem of
    their own; what came with the agent is not looked at for that.
    """

    active: int | None = None
    stale: int | None = None
    archived: int | None = None
    pinned: int | None = None
    closed: bool = False
    damaged: bool = False
    shared: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


@frozen
class Notes:
    """The folders of notes that are configured, and how many notes the index has of them.

    `missing` are not there, `closed` cannot be looked into; their notes are not counted. `count`
    is None while there is no index, or it cannot be read.
    """

    folders: tuple[Path, ...] = ()
    missing: tuple[Path, ...] = ()
    closed: tuple[Path, ...] = ()
    count: int | None = None


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
    from store.skills.owners import read_owners
    from store.skills.telemetry import is_pinned, read_usage
    from store.skills.walking import archived_in, walk

    found = walk(folder)
    if folder in found.closed:
        return Skills(closed=True)
    seen = disk.read(folder / USAGE_FILE)
    usage = read_usage(seen.data) if isinstance(seen, Content) else None
    bundled = read_owners(folder, disk=disk).bundled
    names, broken = [], []
    for place, _ in found.skills:
        read = disk.read(place / SKILL_FILE)
        data = read.data if isinstance(read, Content) else None
        names.append(named_in((data or b"").decode("utf-8", "replace")) or place.name)
        if names[-1] not in bundled:
            from store.skills.quick import has_problem

            broken += [names[-1]] if has_problem(place, data) else []
    states = [state_of((usage or {}).get(name)) for name in names]
    return Skills(
        active=states.count("active"),
        stale=states.count("stale"),
        archived=states.count("archived") + len(archived_in(folder)),
        pinned=sum(is_pinned(usage or {}, name) for name in names),
        damaged=usage is None,
        shared=tuple(sorted(name for name, count in Counter(names).items() if count > 1)),
        broken=tuple(broken),
    )


def notes_in(place: Path, *, disk: Disk) -> Notes:
    """Count what is in the desk's folder for notes. Makes no index, and mends none."""
    # Most homes have no notes; without a list of folders nothing more is loaded.
    if _is_missing(place / "folders.json"):
        return Notes()
    from store.knowledge.folders import FolderList

    folders = FolderList(place, disk=disk).read()
    there = [one.path for one in folders if one.is_there]
    return Notes(
        tuple(one.path for one in folders),
        tuple(one.path for one in folders if one.state in ("missing", "no_folder")),
        tuple(one.path for one in folders if one.state == "closed"),
        _counted(place / "index.sqlite", there),
    )


def _counted(index: Path, folders: list[Path]) -> int | None:
    if not folders or _is_missing(index):
        return None
    import sqlite3

    try:
        with closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True, timeout=0.2)) as found:
            rows = found.execute(
                "SELECT r.path, count(n.id) FROM root r LEFT JOIN note n ON n.root = r.id"
                " GROUP BY r.id"
            ).fetchall()
    except sqlite3.Error:
        return None
    counts: dict[bytes, int] = dict(rows)
    return sum(counts.get(os.fsencode(one), 0) for one in folders)
