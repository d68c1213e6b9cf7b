"""The one way to write: intent into the journal, files replaced one after the other, done.

The caller holds the locks and has read what it replaces. If a later file of a change is
refused, the earlier ones are put back, so a change happens whole or not at all; a crash in
between is finished at the next start (`store/undo.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from store.changes import FileChange, Intent, Part
from store.files import Content, Disk
from store.history_outside import before_a_change
from store.refusals import Conflict, Locked, ReadOnly
from store.trees import put

if TYPE_CHECKING:
    from store.journal import Journal


def carry_out(
    *,
    home: Path,
    disk: Disk,
    journal: Journal | None,
    intent: Intent,
    changes: Sequence[FileChange],
) -> int | Conflict | ReadOnly | Locked | None:
    """Do all of `changes`, in order. The journal's id of it (None: nothing to do, or no journal).

    Conflict: a file is no longer what was seen. ReadOnly: the system refused. Locked: another
    program keeps the journal to itself. In each case every file is as before; where not even
    that could be had, it is a ReadOnly that says so, the intent stays open, and the next start
    finishes it.
    """
    real = [change for change in changes if change.after != change.seen.data]
    if not real:
        return None
    change_id = None
    if journal is not None:
        parts = [
            Part(
                _named(change.seen.path, home),
                change.seen.data,
                change.after,
                change.kind,
                change.mode,
            )
            for change in real
        ]
        refused = before_a_change(journal, real, [part.path for part in parts])
        if refused is not None:
            return refused
        begun = journal.begin(intent, parts)
        if not isinstance(begun, int):
            return begun
        change_id = begun
    for position, change in enumerate(real):
        failed = put(disk, change)
        if failed is not None:
            back = [put(disk, _reverse(earlier)) for earlier in reversed(real[:position])]
            stuck = next((one for one in back if one is not None), None)
            if stuck is not None:
                detail = stuck.detail if isinstance(stuck, ReadOnly) else ""
                return ReadOnly(str(change.seen.path), detail, half_done=True)
            if journal is not None and change_id is not None:
                journal.finish(change_id, "abandoned")
            return failed
    if journal is not None and change_id is not None:
        journal.finish(change_id, "done")
    return change_id


def _named(path: Path, home: Path) -> str:
    return (path.relative_to(home) if path.is_relative_to(home) else path).as_posix()


def _reverse(change: FileChange) -> FileChange:
    seen = Content(change.seen.path, change.after)
    return FileChange(seen, change.seen.data, change.mode, change.kind)
