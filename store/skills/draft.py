"""Files, folders and links as a write would leave them, before anything is written.

A draft reads from the disk and remembers what it saw; what is written to it stays in memory, and
comes out as the changes that bring the disk there, in an order that can be followed and taken back.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from schema.frozen import frozen
from store.changes import FileChange, Kind
from store.files import Content, Disk
from store.refusals import TooBig, Unreadable
from store.skills.layout import SKILL_FILE
from store.trees import look, mode_of

MOST_KEPT = 64 * 1024 * 1024
MOST_FILES = 10_000
"""So much of a skill that is deleted is kept for undo; no real one is near it."""
FOLDER_MODE = 0o700


@frozen
class Touched:
    """One place: what was seen there, and what is to be there; `mode` if it is made again."""

    seen: Content
    after: bytes | None
    kind: Kind
    mode: int


class Draft:
    """What some writes would leave on this disk."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._touched: dict[Path, Touched] = {}

    def read(self, path: Path) -> bytes | Unreadable | None:
        """The bytes of a file as they would be; None where there would be none."""
        known = self._touched.get(path)
        if known is not None and known.kind == "file":
            return known.after
        found = self._disk.read(path)
        return found if isinstance(found, Unreadable) else found.data

    def exists(self, path: Path) -> bool:
        """Whether there would be anything; what links lead to counts, what is closed to us not."""
        known = self._touched.get(path)
        return os.path.exists(path) if known is None else known.after is not None

    def names_in(self, folder: Path) -> set[str]:
        """The names of all that would be in a folder."""
        try:
            names = set(os.listdir(folder))
        except OSError:
            names = set()
        for path, touched in self._touched.items():
            if path.parent == folder:
                (names.discard if touched.after is None else names.add)(path.name)
        return names

    def files_named(self, name: str) -> Iterator[Path]:
        """The files of that name which would come new."""
        for path, touched in self._touched.items():
            new = touched.seen.data is None and touched.after is not None
            if new and touched.kind == "file" and path.name == name:
                yield path

    def files_below(self, folder: Path) -> Iterator[Path]:
        """Every file and link that would be below a folder, links not followed."""
        known = {
            path
            for path, one in self._touched.items()
            if one.kind != "folder" and one.after is not None
        }
        for place, folders, files in os.walk(folder):
            linked = [name for name in folders if os.path.islink(os.path.join(place, name))]
            for name in (*files, *linked):
                path = Path(place) / name
                if self.exists(path) or os.path.islink(path):
                    known.add(path)
        return iter(sorted(path for path in known if path.is_relative_to(folder)))

    # -- writing -------------------------------------------------------------------------

    def saved(self) -> dict[Path, Touched]:
        """The draft as it is now, for `go_back`."""
        return dict(self._touched)

    def go_back(self, saved: dict[Path, Touched]) -> None:
        """Be as it was when `saved`."""
        self._touched = saved

    def write(self, path: Path, data: bytes) -> Unreadable | None:
        """Put a file in place, with the folders above it that are missing."""
        for folder in reversed(path.parents):
            if not self.exists(folder):
                refused = self._set(folder, b"", "folder", FOLDER_MODE)
                if refused is not None:
                    return refused
        return self._set(path, data, "file", 0o600)

    def remove(self, path: Path) -> Unreadable | None:
        """Take a file away."""
        return self._set(path, None, "file", mode_of(path, 0o600))

    def remove_folder(self, path: Path) -> Unreadable | None:
        """Take an empty folder away."""
        return self._set(path, None, "folder", mode_of(path, FOLDER_MODE))

    def remove_tree(self, folder: Path) -> Unreadable | TooBig | None:
        """Take a folder away with all that is in it; what links lead to stays."""
        failed: list[OSError] = []
        size = count = 0
        found: list[tuple[Path, Kind]] = [(folder, "folder")]
        for place, folders, files in os.walk(folder, onerror=failed.append):
            for name in (*folders, *files):
                path = Path(place) / name
                try:
                    status = os.lstat(path)
                except OSError as error:
                    return Unreadable(str(path), error.strerror or str(error))
                size, count = size + status.st_size, count + 1
                found.append((path, _kind(status.st_mode)))
            if size > MOST_KEPT:
                return TooBig("tree", size, MOST_KEPT)
            if count > MOST_FILES:
                return TooBig("files", count, MOST_FILES)
        if failed:
            return Unreadable(str(folder), failed[0].strerror or str(failed[0]))
        new = [path for path in self._touched if path.is_relative_to(folder)]
        for path, kind in (*found, *((path, self._touched[path].kind) for path in new)):
            if self._known_gone(path):
                continue
            refused = self._set(path, None, kind, mode_of(path, 0o600))
            if refused is not None:
                return refused
        return None

    def _known_gone(self, path: Path) -> bool:
        known = self._touched.get(path)
        return known is not None and known.after is None

    def _set(self, path: Path, after: bytes | None, kind: Kind, mode: int) -> Unreadable | None:
        known = self._touched.get(path)
        if known is not None and known.kind == kind:
            seen, mode = known.seen, known.mode
        else:
            found = look(self._disk, path, kind)
            if isinstance(found, Unreadable):
                return found
            seen = found
        self._touched[path] = Touched(seen, after, kind, mode)
        return None

    # -- the way there -------------------------------------------------------------------

    def changes(self) -> tuple[FileChange, ...]:
        """The changes from what is there to this draft.

        Folders are made before what comes into them. What goes begins with SKILL.md, without
        which no agent takes the rest for a skill, and ends with the folders.
        """
        real = [one for one in self._touched.values() if one.after != one.seen.data]
        return tuple(
            FileChange(one.seen, one.after, one.mode, one.kind) for one in sorted(real, key=_order)
        )


def _order(one: Touched) -> tuple[int, int, int]:
    depth = len(one.seen.path.parts)
    if one.after is not None:
        return (0, depth, 0) if one.kind == "folder" else (1, 0, 0)
    if one.kind == "folder":
        return (3, -depth, 0)
    return (2, 0 if one.seen.path.name == SKILL_FILE else 1, depth)


def _kind(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return "link"
    return "folder" if stat.S_ISDIR(mode) else "file"
