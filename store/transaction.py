"""The one way to write: intent into the journal, files replaced one after the other, done.

The caller holds the locks and has read what it replaces. If a later file of a change is
refused, the earlier ones are put back, so a change happens whole or not at all; a crash in
between is finished at the next start (`store/undo.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from store.changes import FileChange, Intent, Part
from store.files import Content, Disk, already
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
    if journal is None:
        return _put_all(disk, real, already)
    begun = _begin(home, journal, intent, real)
    if not isinstance(begun, int):
        return begun
    # The disk is quickest if it gets the intent after what is written beside the first file; both
    # are there before that file changes.
    failed = _put_all(disk, real, journal.reach_disk)
    if not (isinstance(failed, ReadOnly) and failed.half_done):
        journal.finish(begun, "done" if failed is None else "abandoned")
    return begun if failed is None else failed


def _begin(
    home: Path, journal: Journal, intent: Intent, changes: Sequence[FileChange]
) -> int | ReadOnly | Locked:
    """Write the intent down; the journal's id of it."""
    base = str(home)
    parts = [
        Part(_named(one.seen.path, base), one.seen.data, one.after, one.kind, one.mode)
        for one in changes
    ]
    refused = before_a_change(journal, changes, [part.path for part in parts])
    return journal.begin(intent, parts, wait=False) if refused is None else refused


def _put_all(
    disk: Disk, changes: Sequence[FileChange], ready: Callable[[], None]
) -> Conflict | ReadOnly | None:
    """Make all changes, or none: what was made is taken back then, or it is half done."""
    for position, change in enumerate(changes):
        failed = put(disk, change, already if position else ready)
        if failed is not None:
            back = [put(disk, _reverse(earlier)) for earlier in reversed(changes[:position])]
            stuck = next((one for one in back if one is not None), None)
            if stuck is not None:
                detail = stuck.detail if isinstance(stuck, ReadOnly) else ""
                return ReadOnly(str(change.seen.path), detail, half_done=True)
            return failed
    return None


def _named(path: Path, home: str) -> str:
    """How the journal names a file: from the home on, if it is in there."""
    whole = str(path)
    inside = whole.removeprefix(f"{home}{os.sep}") if home != os.sep else whole[1:]
    return inside.replace(os.sep, "/")


def _reverse(change: FileChange) -> FileChange:
    seen = Content(change.seen.path, change.after)
    return FileChange(seen, change.seen.data, change.mode, change.kind)
