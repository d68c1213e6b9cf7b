"""The folders of notes that the person configured: a list of paths in the desk's data folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from schema.frozen import frozen
from store.files import Content, Disk
from store.knowledge.vaults import FolderState, state_of
from store.refusals import Conflict, Locked, NotFound, ReadOnly, Unreadable, Unsupported

FILE = "folders.json"
FolderRefusal = Conflict | Locked | NotFound | ReadOnly | Unreadable | Unsupported


@frozen
class Folder:
    """A configured folder and what is there now."""

    path: Path
    state: FolderState

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.path.name or str(self.path)

    @property
    def is_there(self) -> bool:
        """Whether its notes can be looked at."""
        return self.state in ("vault", "folder")


@frozen
class FoldersChanged:
    """The list as it is now; `changed` is False where it was so already."""

    folders: tuple[Folder, ...]
    path: Path
    changed: bool


class FolderList:
    """The list on disk. A file that is no list counts as an empty one, and is kept aside."""

    def __init__(self, folder: Path, *, disk: Disk) -> None:
        """Nothing is read or made before the first call."""
        self.path = folder / FILE
        self._disk = disk

    def read(self) -> tuple[Folder, ...]:
        """The configured folders, in the order in which they were added."""
        found = self._disk.read(self.path)
        paths = _paths(found) if isinstance(found, Content) else None
        return tuple(Folder(path, state_of(path)) for path in paths or ())

    def add(self, path: Path, *, wait: float = 2.0) -> FoldersChanged | FolderRefusal:
        """Add a folder that is there. One within another would be read twice, and is refused."""
        real = Path(os.path.realpath(path))
        state = state_of(real)
        if state in ("missing", "no_folder"):
            return NotFound("folder", str(path))
        if state == "closed":
            return Unreadable(str(real), "permission denied")
        for one in self.read():
            if one.path != real and (
                real.is_relative_to(one.path) or one.path.is_relative_to(real)
            ):
                return Unsupported("folder_in_folder", str(one.path))
        return self._change(real, add=True, wait=wait)

    def remove(self, path: Path, *, wait: float = 2.0) -> FoldersChanged | FolderRefusal:
        """Take a folder off the list; nothing in it is touched."""
        known = [one.path for one in self.read()]
        real = Path(os.path.realpath(path))
        meant = next((one for one in known if one in (path, real)), None)
        if meant is None:
            return NotFound("notes_folder", str(path))
        return self._change(meant, add=False, wait=wait)

    def _change(self, path: Path, *, add: bool, wait: float) -> FoldersChanged | FolderRefusal:
        with self._disk.locked(self.path, wait=wait) as refused:
            if refused is not None:
                return refused
            seen = self._disk.read(self.path)
            if isinstance(seen, Unreadable):
                return seen
            paths = _paths(seen)
            if paths is None:
                kept = self._disk.back_up(seen, now=0)
                if isinstance(kept, ReadOnly):
                    return kept
            now = [one for one in paths or () if add or one != path]
            if add and path not in now:
                now.append(path)
            changed = now != list(paths or ())
            if changed:
                text = json.dumps({"folders": [str(one) for one in now]}, indent=2)
                failed = self._disk.replace(seen, (text + "\n").encode())
                if failed is not None:
                    return failed
        return FoldersChanged(self.read(), path, changed)


def _paths(seen: Content) -> tuple[Path, ...] | None:
    """None: the file is there and holds no list of ours."""
    if seen.data is None:
        return ()
    try:
        found: Any = json.loads(seen.data)
    except (ValueError, RecursionError):
        return None
    listed = found.get("folders") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        return None
    good = [one for one in listed if isinstance(one, str) and one and "\0" not in one]
    return tuple(dict.fromkeys(Path(one) for one in good if os.path.isabs(one)))
