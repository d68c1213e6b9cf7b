"""The two moves between memory and notes. Nothing else in a folder of notes is ever written.

Entries go to the end of a note as one change of the journal over two files, the note first, as
between the two memory files; so a crash leaves them in both places at worst, and the next start
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
from store.memory.operations import Add, Change, Remove, Replace, TakeOut, Whole, check
from store.memory.state import Written
from store.refusals import REFUSALS, Conflict, Empty, Guessed, Refusal, Unsupported
from store.transaction import carry_out

if TYPE_CHECKING:
    from store.journal import Journal

NOTES = "notes"
"""The target of a change that is about a note alone."""
PARAGRAPH = "\n\n"
"""Between entries that go to a note together."""


@frozen
class MovedToNote:
    """`entries` stand at the end of `note` now; `pointers` are what memory has in their place.

    `digest` names the note as it is now. `change_id` is the journal's, for *undo*.
    """

    entries: tuple[str, ...]
    note: Path
    digest: str
    pointers: tuple[str, ...]
    memory: Written
    change_id: int | None


def move_to_note(
    library: MemoryLibrary,
    folders: tuple[Folder, ...],
    *,
    target: Target,
    entries: tuple[str, ...],
    note: Path,
    seen: str,
    pointers: tuple[str, ...],
    journal: Callable[[], Journal],
    disk: Disk,
    wait: float,
) -> MovedToNote | Refusal:
    """Append `entries` (their full texts) to `note` and take them out of memory, all or nothing.

    `seen` is the digest of the note that the person saw. Of `pointers` each stays in memory in
    the place of its entry, if it says anything. Refused where the note or an entry is no longer
    what was seen.
    """
    change = _taking_out(entries, pointers)
    if (refused := check(change)) is not None:
        return refused
    with library.locks((target,), wait=wait) as held:
        if held is not None:
            return held
        plan = library.plan(target, change)
        if isinstance(plan, REFUSALS):
            return plan
        if _loses_identity(plan.seen.data or b"", change):
            return Unsupported("identity_would_be_lost")
        put = _appending(PARAGRAPH.join(plan.applied.gone), note, seen, folders, disk)
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
        entries=plan.applied.gone,
        note=put.seen.path,
        digest=replace(put.seen, data=put.after).digest,
        pointers=plan.applied.come,
        memory=written,
        change_id=done,
    )


@frozen
class AddedToNote:
    """A text that was in no layer yet stands at the end of `note`; `digest` names it as it is."""

    note: Path
    digest: str
    change_id: int | None


def add_to_note(
    library: MemoryLibrary,
    folders: tuple[Folder, ...],
    *,
    text: str,
    note: Path,
    seen: str,
    journal: Callable[[], Journal],
    disk: Disk,
) -> AddedToNote | Refusal:
    """Append `text` to `note`; memory is not touched. Undone as a move is."""
    said = clean(text)
    if not said:
        return Empty("content")
    put = _appending(said, note, seen, folders, disk)
    if not isinstance(put, FileChange):
        return put
    intent = Intent("desk", ACTION, NOTES, (said,))
    done = carry_out(
        home=library.home.path, disk=disk, journal=journal(), intent=intent, changes=(put,)
    )
    if isinstance(done, REFUSALS):
        return done
    return AddedToNote(put.seen.path, replace(put.seen, data=put.after).digest, done)


def take_into_memory(
    library: MemoryLibrary, *, target: Target, text: str, wait: float
) -> Written | Refusal:
    """Add what was selected in a note as an entry; the note stays as it is."""
    if not clean(text):
        return Empty("content")
    return library.change(target, Add(text), wait=wait)


def _taking_out(entries: tuple[str, ...], pointers: tuple[str, ...]) -> Change:
    """The change of memory; one entry alone goes as it always did."""
    if len(entries) != 1:
        return TakeOut(entries, pointers)
    pointer = pointers[0] if pointers else ""
    return Replace(Whole(entries[0]), pointer) if clean(pointer) else Remove(Whole(entries[0]))


def _appending(
    text: str, note: Path, seen: str, folders: tuple[Folder, ...], disk: Disk
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
    after = appended(data, text, opened.said.encoding)
    if len(after) > MOST_BYTES:
        return Unsupported("note_is_full", str(path))
    return FileChange(opened.seen, after)


def _loses_identity(data: bytes, change: Change) -> bool:
    """Whether an entry goes for good that a newer version has given a name of its own."""
    steps = tuple(change.steps()) if isinstance(change, TakeOut) else (change,)
    gone = {step.where.text for step in steps if isinstance(step, Remove)}
    decoded = decode(data)
    entries = parse(decoded).entries if isinstance(decoded, str) else ()
    return any(entry.identity for entry in entries if entry.text in gone)
