"""Folders and links as parts of a change, beside the files of `store/files.py`.

A folder that is there reads as no bytes, a link as the bytes of where it leads; what is not there
reads as None, as a file does. So one change can hold all three, and be taken back. A folder that
was moved to a path reads there as the bytes of `origin`: where it came from, and which one it is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from store.changes import FileChange, Kind
from store.files import TEMPORARY, Content, Disk, already, make_folder
from store.refusals import Conflict, ReadOnly, Unreadable

MARK_BYTES = 4 * 1024 * 1024
"""A file that is larger marks its folder by being there alone."""


def origin(disk: Disk, folder: Path, to: Path, marked_by: str) -> bytes:
    """How `folder` will read when it was moved to `to`; the file `marked_by` in it tells it."""
    above = os.path.relpath(folder, to.parent)
    return b"\0".join((os.fsencode(above), marked_by.encode(), _mark(disk, folder, marked_by)))


def came_from(path: Path, moved: bytes) -> Path:
    """Where the folder at `path` that reads as `moved` was before."""
    return Path(os.path.normpath(path.parent / os.fsdecode(moved.split(b"\0")[0])))


def look(disk: Disk, path: Path, kind: Kind, *, moved: bytes | None = None) -> Content | Unreadable:
    """What is at `path`, seen as a thing of that kind; another kind of thing is unreadable.

    `moved` is how a moved folder would read there.
    """
    if kind == "file":
        return disk.read(path)
    if kind == "moved":
        return _look_for_moved(disk, path, moved or b"")
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


def put(
    disk: Disk, change: FileChange, ready: Callable[[], None] = already
) -> Conflict | ReadOnly | None:
    """Make one thing what the change wants: replaced, made or removed.

    A folder that is not empty is not removed, which is a conflict. `ready` is called before
    anything that is there changes: `Disk.replace` tells more.
    """
    if change.kind == "file" and change.after is not None:
        return disk.replace(change.seen, change.after, mode=change.mode, ready=ready)
    try:
        ready()
    except OSError as error:
        return ReadOnly(str(change.seen.path), _words(error))
    if change.kind == "file":
        return disk.remove(change.seen)
    path = change.seen.path
    now = look(disk, path, change.kind, moved=change.seen.data or change.after)
    if isinstance(now, Unreadable):
        return ReadOnly(now.path, now.detail)
    if now.data != change.seen.data:
        return Conflict(str(path))
    try:
        disk.fault("remove" if change.after is None else "create", path)
        if change.kind == "moved":
            return _move(disk, path, change)
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


def _look_for_moved(disk: Disk, path: Path, moved: bytes) -> Content | Unreadable:
    """Another folder there reads as none that was moved."""
    try:
        disk.fault("read", path)
        found = os.lstat(path)
    except FileNotFoundError:
        return Content(path, None)
    except OSError as error:
        return Unreadable(str(path), _words(error))
    _, name, mark = moved.split(b"\0") if moved else (b"", b"", b"")
    same = stat.S_ISDIR(found.st_mode) and _mark(disk, path, name.decode()) == mark
    return Content(path, moved if same else b"")


def _mark(disk: Disk, folder: Path, name: str) -> bytes:
    found = disk.read(folder / name, at_most=MARK_BYTES)
    if isinstance(found, Unreadable):
        return b"closed"
    return found.digest.encode()


def _move(disk: Disk, path: Path, change: FileChange) -> Conflict | None:
    """Rename the folder here, or back; what stands in its way is never replaced."""
    moved = change.after or change.seen.data or b""
    there = came_from(path, moved)
    begin, end = (there, path) if change.after is not None else (path, there)
    wanted = look(disk, begin, "moved", moved=moved)
    if isinstance(wanted, Unreadable) or wanted.data != moved:
        return Conflict(str(begin))
    if os.path.lexists(end):
        return Conflict(str(end))
    make_folder(end.parent)
    begin.rename(end)
    return None


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
