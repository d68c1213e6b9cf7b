"""The two moves between memory and notes. Nothing else in a folder of notes is ever written.

An entry goes to the end of a note as one change of the journal over two files, the note first, as
between the two memory files; so a crash leaves it in both places at worst, and the next start
finishes it. A vault has no locks: what the person saw is named by its digest, and looked at again
in the moment of the write.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from schema.frozen import frozen
from store.changes import FileChange, Intent
from store.files import Disk
from store.home import Target
from store.knowledge.folders import Folder
from store.knowledge.notes import appended, is_conflict_copy
from store.knowledge.reading import Opened, open_note
from store.knowledge.undoing import ACTION
from store.knowledge.walking import MOST_BYTES
from store.memory.entries import clean, decode, parse
from store.memory.library import MemoryLibrary
from store.memory.operations import Add, Change, Remove, Replace, Whole, check
from store.memory.state import Written
from store.refusals import REFUSALS, Conflict, Empty, Guessed, Refusal, Unsupported
from store.transaction import carry_out

if TYPE_CHECKING:
    from store.journal import Journal


@frozen
class MovedToNote:
    """`entry` stands at the end of `note` now; `pointer` is what memory has in its place.

    `digest` names the note as it is now. `change_id` is the journal's, for *undo*.
    """

    entry: str
    note: Path
    digest: str
    pointer: str
    memory: Written
    change_id: int | None


def move_to_note(
    library: MemoryLibrary,
    folders: tuple[Folder, ...],
    *,
    target: Target,
    entry: str,
    note: Path,
    seen: str,
    pointer: str,
    journal: Callable[[], Journal],
    disk: Disk,
    wait: float,
) -> MovedToNote | Refusal:
    """Append `entry` (its full text) to `note` and take it out of memory, both or neither.

    `seen` is the digest of the note that the person saw. `pointer` stays in memory in its place,
    if it says anything. Refused where the note or the entry is no longer what was seen.
    """
    change: Change = Remove(Whole(entry))
    if clean(pointer):
        change = Replace(Whole(entry), pointer)
    if (refused := check(change)) is not None:
        return refused
    with library.locks((target,), wait=wait) as held:
        if held is not None:
            return held
        plan = library.plan(target, change)
        if isinstance(plan, REFUSALS):
            return plan
        if isinstance(change, Remove) and _has_identity(plan.seen.data or b"", entry):
            return Unsupported("identity_would_be_lost")
        put = _appending(entry, note, seen, folders, disk)
        if not isinstance(put, FileChange):
            return put
        intent = Intent("desk", ACTION, target, plan.applied.gone, plan.applied.come)
        done = carry_out(
            home=library.home.path,
            disk=disk,
            journal=journal(),
            intent=intent,
            changes=(put, plan.file_change),
        )
    if isinstance(done, REFUSALS):
        return done
    written = library.written(target, change, plan, done)
    return MovedToNote(
        entry=entry,
        note=put.seen.path,
        digest=replace(put.seen, data=put.after).digest,
        pointer=plan.applied.come[0] if plan.applied.come else "",
        memory=written,
        change_id=done,
    )


def take_into_memory(
    library: MemoryLibrary, *, target: Target, text: str, wait: float
) -> Written | Refusal:
    """Add what was selected in a note as an entry; the note stays as it is."""
    if not clean(text):
        return Empty("content")
    return library.change(target, Add(text), wait=wait)


def _appending(
    entry: str, note: Path, seen: str, folders: tuple[Folder, ...], disk: Disk
) -> FileChange | Refusal:
    opened = open_note(note, folders, disk=disk)
    if not isinstance(opened, Opened):
        return opened
    path, data = opened.seen.path, opened.seen.data or b""
    if is_conflict_copy(path.stem):
        return Unsupported("conflict_copy", str(path))
    if not opened.said.certain:
        return Guessed(str(path), opened.said.encoding)
    if opened.seen.digest != seen:
        return Conflict(str(path), now=opened.said.text)
    after = appended(data, entry, opened.said.encoding)
    if len(after) > MOST_BYTES:
        return Unsupported("note_is_full", str(path))
    return FileChange(opened.seen, after)


def _has_identity(data: bytes, text: str) -> bool:
    decoded = decode(data)
    entries = parse(decoded).entries if isinstance(decoded, str) else ()
    return any(entry.identity for entry in entries if entry.text == text)
