"""Which files below a folder are notes. Looks at names and sizes only, and follows no link.

What a link within the folder leads to is found where it really is; what lies outside is nobody's
note here, and a circle of links ends at its first one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from schema.frozen import frozen
from store.files import Mark

SUFFIXES = (".md", ".markdown", ".mdown", ".txt", ".text")
MOST_BYTES = 2 * 1024 * 1024
"""A larger file is no note that somebody wrote."""

MOST_FOLDERS = 200_000
IsCancelled = Callable[[], bool]


def never() -> bool:
    """Nobody gives this up."""
    return False


@frozen
class Walk:
    """What was found: notes by their path below the root, as bytes, and every folder.

    `closed` are folders that could not be looked into; `too_big` and `links` count what was left
    out. `complete` is False where somebody gave up, or there was too much.
    """

    notes: dict[bytes, Mark]
    folders: tuple[bytes, ...]
    closed: tuple[bytes, ...]
    too_big: tuple[bytes, ...]
    links: int
    complete: bool


def is_note_name(name: str) -> bool:
    """Whether a file of this name may be a note."""
    return not name.startswith(".") and name.lower().endswith(SUFFIXES)


def is_shown(relative: Path) -> bool:
    """Whether no part of this path below a root is hidden."""
    parts = relative.parts
    return bool(parts) and not any(part.startswith(".") for part in parts)


def walk(root: Path, *, below: bytes = b"", is_cancelled: IsCancelled = never) -> Walk:
    """Look through all folders of `root` from `below` on, that one included."""
    base = os.fsencode(root)
    notes: dict[bytes, Mark] = {}
    folders, closed, too_big = list[bytes](), list[bytes](), list[bytes]()
    links, waiting = 0, [below]
    while waiting:
        if is_cancelled() or len(folders) >= MOST_FOLDERS:
            return Walk(notes, tuple(folders), tuple(closed), tuple(too_big), links, False)
        folder = waiting.pop()
        folders.append(folder)
        try:
            with os.scandir(os.path.join(base, folder) if folder else base) as entries:
                for entry in entries:
                    if entry.name.startswith(b"."):
                        continue
                    place = os.path.join(folder, entry.name) if folder else entry.name
                    if entry.is_symlink():
                        links += 1
                    elif entry.is_dir(follow_symlinks=False):
                        waiting.append(place)
                    elif _may_be_note(entry):
                        mark = mark_at(os.path.join(base, place))
                        if mark is not None and mark.size > MOST_BYTES:
                            too_big.append(place)
                        elif mark is not None:
                            notes[place] = mark
        except OSError:
            closed.append(folder)
    return Walk(notes, tuple(folders), tuple(closed), tuple(too_big), links, True)


def _may_be_note(entry: os.DirEntry[bytes]) -> bool:
    return is_note_name(os.fsdecode(entry.name)) and entry.is_file(follow_symlinks=False)


def mark_at(path: bytes) -> Mark | None:
    """By what the file is known again; None if it cannot be looked at."""
    try:
        # Not from a listing: on Windows that has neither inode nor ctime.
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    # SQLite's numbers have a sign.
    inode = found.st_ino & (2**63 - 1)
    return Mark(inode, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
