"""Bringing back the version of a file that a change made, as a new change under the same rules.

Unlike an undo this names what is to be there, not what is to be taken back: what came since goes,
and stays in the journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from schema.frozen import frozen
from store.changes import FileChange, Intent, Part
from store.files import Content
from store.home import FILE_NAMES, TARGETS, Target
from store.journal import JournalEntry
from store.knowledge.undoing import is_of_a_note
from store.memory import drift
from store.memory.entries import Document, Undecodable, decode, parse, serialise
from store.refusals import (
    REFUSALS,
    Conflict,
    Drifted,
    NotFound,
    OverBudget,
    ReadOnly,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.skills.layout import USAGE_FILE
from store.skills.undoing import leads_elsewhere
from store.transaction import carry_out
from store.trees import look

if TYPE_CHECKING:
    from store.undo import Undo


@frozen
class Restored:
    """The version of change `restored` is there again by `change_id`; None if it was already."""

    restored: int
    change_id: int | None


def restore(
    undo: Undo, change_id: int, *, before: bool = False, wait: float = 10.0
) -> Restored | Refusal:
    """Put the files of a change back to how it left them; records that waited are left alone.

    With `before`, to how it found them.
    """
    entry = undo.journal.get(change_id)
    if isinstance(entry, Unreadable):
        return entry
    if entry is None:
        return NotFound("change", str(change_id))
    if entry.state != "done":
        return Unsupported("not_done", str(entry.id))
    with undo.locks(entry, wait=wait) as held:
        if held is not None:
            return held
        entry = undo.filled(entry)
        moved = any(part.kind == "moved" for part in entry.parts)
        parts = [] if moved else [part for part in entry.parts if _is_a_version(part)]
        parts = [part for part in parts if not is_of_a_note(undo.journal, entry, part)]
        if not parts:
            return Unsupported("nothing_to_restore", str(entry.id))
        if before:
            parts = [
                replace(part, after=part.before, after_mark=part.before_mark)
                for part in parts[::-1]
            ]
        if any(part.after_mark for part in parts):
            return Unsupported("left_out", str(entry.id))
        changes: list[FileChange] = []
        for part in parts:
            change = _change(undo, part)
            if isinstance(change, REFUSALS):
                return change
            changes.append(change)
        done = carry_out(
            home=undo.home.path,
            disk=undo.disk,
            journal=undo.journal,
            intent=_intent(entry, changes),
            changes=changes,
        )
    return done if isinstance(done, REFUSALS) else Restored(entry.id, done)


def _is_a_version(part: Part) -> bool:
    """Whether it is a file of which there are versions: no record, no count of the agent."""
    return not part.path.startswith("pending/") and not part.path.endswith("/" + USAGE_FILE)


def _change(undo: Undo, part: Part) -> FileChange | Refusal:
    seen = look(undo.disk, undo.home.path / part.path, part.kind)
    if isinstance(seen, Unreadable):
        return seen
    if leads_elsewhere(undo.home, part):
        return Conflict(str(seen.path))
    target = _target_of(part)
    if target is not None and seen.data != part.after:
        refused = _refused(undo, target, part, seen)
        if refused is not None:
            return refused
    return FileChange(seen, part.after, part.mode, part.kind)


def _refused(undo: Undo, target: Target, part: Part, seen: Content) -> Refusal | None:
    """What the agent would not accept of that version. A file in drift is copied before it goes."""
    limit = undo.library.settings().limit(target)
    texts = [decode(data or b"") for data in (part.after, seen.data)]
    after, now = texts
    if isinstance(after, Undecodable):
        return Unreadable(str(seen.path), "utf-8", byte=after.byte)
    if signals := drift.signals(after, limit):
        return Drifted(str(seen.path), signals)
    if isinstance(now, Undecodable) or drift.signals(now, limit):
        copy = undo.library.back_up(seen)
        if isinstance(copy, ReadOnly):
            return copy
    chars = len(serialise(parse(after)))
    before = 0 if isinstance(now, Undecodable) else len(serialise(parse(now)))
    return OverBudget(target, chars, limit, before) if chars > limit and chars > before else None


def _intent(entry: JournalEntry, changes: Sequence[FileChange]) -> Intent:
    gone: list[str] = []
    come: list[str] = []
    for change in changes:
        if (
            change.seen.path.name in FILE_NAMES.values()
            and change.seen.path.parent.name == "memories"
        ):
            before, after = _texts(change.seen.data), _texts(change.after)
            gone += [text for text in before if text not in after]
            come += [text for text in after if text not in before]
    return Intent("desk", "restore", entry.intent.target, tuple(gone), tuple(come))


def _texts(data: bytes | None) -> tuple[str, ...]:
    text = decode(data or b"")
    return Document().texts if isinstance(text, Undecodable) else parse(text).texts


def _target_of(part: Part) -> Target | None:
    return next((one for one in TARGETS if part.path == f"memories/{FILE_NAMES[one]}"), None)
