"""What others did to the memory files: found by comparing them with the last known state.

The agent replaces a file with exactly the bytes that its list of entries makes; anything else was
written by hand or by another program. A hand edit that looks like the agent's counts as its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from store.changes import FileChange, Intent, Part
from store.files import Content, digest_of
from store.history_texts import MEMORY_PATHS, filled
from store.home import FILE_NAMES, TARGETS, Target
from store.memory.entries import Document, Undecodable, decode, encode, parse
from store.refusals import Locked, ReadOnly, Unreadable

if TYPE_CHECKING:
    from store.journal import Journal
    from store.memory.library import MemoryLibrary

Outsider = Literal["agent", "other"]
OUTSIDERS: tuple[Outsider, ...] = ("agent", "other")
"""`Intent.who` of changes that are not the desk's own."""

WAIT = 1.0
"""Seconds for the lock of a file that looks changed; a held one is looked at the next time."""


def path_of(target: Target) -> str:
    """How the journal names that memory file."""
    return f"memories/{FILE_NAMES[target]}"


def target_of(path: str) -> Target | None:
    """The memory file of that name in the journal."""
    return next((target for target in TARGETS if path_of(target) == path), None)


def compare(library: MemoryLibrary, journal: Journal) -> tuple[int, ...]:
    """Note what others did to both files since they were last seen; the journal's ids of it.

    A file that is as it was costs one reading. What cannot be read is left for the next time.
    """
    noted = list[int]()
    for target in TARGETS:
        path = library.home.memory_file(target)
        seen = library.disk.read(path)
        if isinstance(seen, Unreadable) or _is_known(journal, path_of(target), seen):
            continue
        if seen.data is None and not path.parent.is_dir():
            continue  # a lock would make the folder
        # Under the lock no desk is between its write and the end of its change.
        with library.locks((target,), wait=WAIT) as held:
            if held is None:
                again = library.disk.read(path)
                if not isinstance(again, Unreadable):
                    done = note(journal, path_of(target), again.data)
                    noted += [done] if isinstance(done, int) else []
    return tuple(noted)


def before_a_change(
    journal: Journal, changes: Iterable[FileChange], named: Iterable[str]
) -> ReadOnly | Locked | None:
    """Note what others did to the files that are about to be changed; their locks are held."""
    for path, change in zip(named, changes, strict=True):
        if path in MEMORY_PATHS:
            done = note(journal, path, change.seen.data)
            if not isinstance(done, int | None):
                return done
    return None


def note(journal: Journal, path: str, now: bytes | None) -> int | ReadOnly | Locked | None:
    """Note what made a memory file into `now`; the journal's id of it, None if it was so before."""
    last = journal.last(path)
    if isinstance(last, Unreadable):
        return None
    if last is None:
        return None if journal.knows(path) else journal.begin_with(path, now)
    data, mark = last
    if mark == digest_of(now) if mark else data == now:
        return None
    # What was left out of the last known bytes may still stand in the file.
    whole = filled(data, mark, [now])
    part = Part(path, data, now, before_mark=mark) if whole is None else Part(path, whole, now)
    return journal.note(outside_intent(path, part.before, now), [part])


def outside_intent(path: str, before: bytes | None, now: bytes | None) -> Intent:
    """What others did, in entries: those that went and came."""
    old, new = (dict.fromkeys(_texts(data)) for data in (before, now))
    gone = tuple(text for text in old if text not in new)
    come = tuple(text for text in new if text not in old)
    target = target_of(path) or ""
    return Intent(writer_of(now), _action(gone, come, now), target, gone, come)


def writer_of(now: bytes | None) -> Outsider:
    """Who may have written these bytes: the agent only what its list of entries makes."""
    decoded = decode(now or b"")
    if now is None or isinstance(decoded, Undecodable):
        return "other"
    document = parse(decoded).deduplicated()
    as_agent = {encode(document, newline) for newline in ("\n", "\r\n")}
    return "agent" if now in as_agent else "other"


def _action(gone: tuple[str, ...], come: tuple[str, ...], now: bytes | None) -> str:
    if now is None:
        return "delete"
    match len(gone), len(come):
        case 0, 0:
            return "rewrite"
        case 0, 1:
            return "add"
        case 1, 0:
            return "remove"
        case 1, 1:
            return "replace"
    return "batch"


def _is_known(journal: Journal, path: str, seen: Content) -> bool:
    known = journal.known(path)
    return isinstance(known, Unreadable) or known == seen.digest


def _texts(data: bytes | None) -> tuple[str, ...]:
    decoded = decode(data or b"")
    if isinstance(decoded, Undecodable):
        return ()
    document: Document = parse(decoded)
    return document.texts
