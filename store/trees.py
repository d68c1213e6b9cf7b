"""Folders and links as parts of a change, beside the files of `store/files.py`.

A folder that is there reads as no bytes, a link as the bytes of where it leads; what is not there
reads as None, as a file does. So one change can hold all three, and be taken back.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from store.changes import FileChange, Kind
from store.files import TEMPORARY, Content, Disk, make_folder
from store.refusals import Conflict, ReadOnly, Unreadable


def look(disk: Disk, path: Path, kind: Kind) -> Content | Unreadable:
    """What is at `path`, seen as a thing of that kind; another kind of thing is unreadable."""
    if kind == "file":
        return disk.read(path)
    try:
        disk.fault("read", path)
        found = os.lstat(path)
        if kind == "folder" and stat.S_ISDIR(found.st_mode):
            return Content(path, b"")
        if kind == "link" and stat.S_ISLNK(found.st_mode):
            return Content(path, os.fsencode(os.readlink(path)))
    except FileNotFoundError:
        return Content(path, None)
    except OSError as error:
        return Unreadable(str(path), _words(error))
    return Unreadable(str(path), f"not a {kind}")


def put(disk: Disk, change: FileChange) -> Conflict | ReadOnly | None:
    """Make one thing what the change wants: replaced, made or removed.

    A folder that is not empty is not removed, which is a conflict.
    """
    if change.kind == "file":
        if change.after is None:
            return disk.remove(change.seen)
        return disk.replace(change.seen, change.after, mode=change.mode)
    path = change.seen.path
    now = look(disk, path, change.kind)
    if isinstance(now, Unreadable):
        return ReadOnly(now.path, now.detail)
    if now.data != change.seen.data:
        return Conflict(str(path))
    try:
        disk.fault("remove" if change.after is None else "create", path)
        if change.kind == "folder":
            _put_folder(path, change)
        else:
            _put_link(path, change.after)
    except OSError as error:
        if change.after is None and os.path.isdir(path):
            return _not_empty(path, error)
        return ReadOnly(str(path), _words(error))
    return None


def mode_of(path: Path, default: int) -> int:
    """The permission bits of what is at `path`; a link is not followed."""
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        return default


def is_temporary(name: str) -> bool:
    """Whether a file of that name is what a killed desk left of a replacement."""
    begin, end = TEMPORARY
    return name.startswith(begin) and name.endswith(end)


def remove_temporary(folders: Iterable[Path]) -> None:
    """Remove what a killed desk left in these folders; the caller holds their locks."""
    for folder in folders:
        with suppress(OSError):  # not there, or closed to us
            for name in filter(is_temporary, os.listdir(folder)):
                (folder / name).unlink(missing_ok=True)


def _put_folder(path: Path, change: FileChange) -> None:
    if change.after is None:
        path.rmdir()
        return
    make_folder(path)
    if os.name != "nt" and stat.S_IMODE(path.stat().st_mode) != change.mode:
        path.chmod(change.mode)


def _put_link(path: Path, target: bytes | None) -> None:
    if target is None:
        path.unlink()
    else:
        path.symlink_to(os.fsdecode(target))


def _not_empty(path: Path, error: OSError) -> Conflict | ReadOnly:
    try:
        return Conflict(str(path)) if any(path.iterdir()) else ReadOnly(str(path), _words(error))
    except OSError:
        return ReadOnly(str(path), _words(error))


def _words(error: OSError) -> str:
    return error.strerror or str(error)
