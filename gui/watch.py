"""The one place that notices changes on disk.

Looks at digests, not at times, so that a file touched but not changed is no news. It listens in
the background (`Tasks.host`): adding a path, reading a file and comparing never hold the window up.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal, Slot

from gui.tasks import Tasks
from schema.frozen import frozen

SETTLE_MS = 80
"""An atomic replace makes several events; they are looked at together after this time."""
RETRY_MS = 250
FAST_POLL_MS = 2_000
"""How often to look when the system would not watch a path for us."""
SLOW_POLL_MS = 15_000
"""How often to look anyway: some network folders never tell."""


@frozen
class Watched:
    """What to keep an eye on: single files, and folders with their `*.json`. None must exist."""

    files: frozenset[Path]
    folders: frozenset[Path] = frozenset()


def marks_of(watched: Watched) -> dict[Path, str]:
    """Look at all of it once. Reads; for the background."""
    marks = {path: _file_mark(path) for path in watched.files}
    return marks | {path: _folder_mark(path) for path in watched.folders}


class Watch(QObject):
    """Tells which of the watched paths changed through someone else."""

    changed = Signal(object)
    """A `frozenset` of those paths of the `Watched` that are no longer as they were known."""
    _followed = Signal(object)

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._tasks = tasks
        self._eyes: _Eyes | None = None
        self._known: dict[Path, str] = {}
        self._held: set[Path] = set()
        self._waiting: dict[Path, str] = {}

    def follow(self, watched: Watched, marks: Mapping[Path, str] | None = None) -> None:
        """Watch exactly these paths from now on.

        `marks` say how they were, where nothing newer is known. What the first look finds to be
        otherwise is told, and so is that of which nothing is known.
        """
        if self._eyes is None:
            self._eyes = _Eyes()
            self._eyes.looked.connect(self._see, Qt.ConnectionType.QueuedConnection)
            self._followed.connect(self._eyes.follow, Qt.ConnectionType.QueuedConnection)
            self._tasks.host(self._eyes)
        paths = watched.files | watched.folders
        known = {**(marks or {}), **self._known}
        self._known = {path: mark for path, mark in known.items() if path in paths}
        self._followed.emit(watched)

    def know(self, path: Path, mark: str) -> None:
        """Take note of what was just read: the SHA-256 of the file, empty if there is none."""
        self._known[path] = mark
        self._waiting.pop(path, None)

    def hold(self, paths: Iterable[Path]) -> None:
        """Say nothing of these while the desk itself writes them."""
        self._held.update(paths)

    def release(self, paths: Iterable[Path]) -> None:
        """Speak of these again, and of what came meanwhile unless it became known."""
        self._held.difference_update(paths)
        waiting = {path: mark for path, mark in self._waiting.items() if path not in self._held}
        self._waiting = {p: m for p, m in self._waiting.items() if p in self._held}
        self._see(waiting)

    @Slot(object)
    def _see(self, marks: dict[Path, str]) -> None:
        news = {path: mark for path, mark in marks.items() if self._known.get(path) != mark}
        self._waiting |= {path: mark for path, mark in news.items() if path in self._held}
        told = {path: mark for path, mark in news.items() if path not in self._held}
        self._known |= told
        if told:
            self.changed.emit(frozenset(told))


class _Eyes(QObject):
    """Lives in the background: watches, waits until things settle, and looks."""

    looked = Signal(object)
    """A dict of path and mark, of what is not as it was at the last look."""

    def __init__(self) -> None:
        super().__init__()
        self._watched = Watched(frozenset())
        self._seen: dict[Path, str] = {}
        self._inodes: dict[str, int] = {}
        # Made here, in the UI thread, and taken along: see `Tasks.host`.
        self._system = QFileSystemWatcher(self)
        self._system.fileChanged.connect(self._stir)
        self._system.directoryChanged.connect(self._stir)
        self._settle = self._timer("settle", self._look, single=True)
        self._poll = self._timer("poll", self._look)

    @Slot(object)
    def follow(self, watched: Watched) -> None:
        """Begin, or go on with other paths."""
        self._watched = watched
        self._seen.clear()
        self._look()

    def _timer(self, name: str, slot: object, *, single: bool = False) -> QTimer:
        timer = QTimer(self)
        timer.setObjectName(name)
        timer.setSingleShot(single)
        timer.timeout.connect(slot)
        return timer

    @Slot()
    def _stir(self) -> None:
        # Not started again by each event: an agent that writes all the time is seen all the time.
        if not self._settle.isActive():
            self._settle.start(SETTLE_MS)

    @Slot()
    def _look(self) -> None:
        complete = self._add_paths()
        marks = marks_of(self._watched)
        news = {path: mark for path, mark in marks.items() if self._seen.get(path) != mark}
        self._seen = marks
        if news:
            self.looked.emit(news)
        self._poll.start(SLOW_POLL_MS if complete else FAST_POLL_MS)

    def _add_paths(self) -> bool:
        """Watch what exists of the paths and the folders above them; False if one was refused."""
        system = self._system
        wanted = {str(place) for path in self._watched.files for place in _places_of(path)}
        wanted |= {str(place) for path in self._watched.folders for place in _places_of(path)}
        known = set(system.files()) | set(system.directories())
        for path in known - wanted:
            system.removePath(path)
        complete = True
        for path in wanted:
            inode = _inode(path)
            if path in known and self._inodes.get(path) != inode:
                # Replaced while someone still holds the old file open: the system's watch
                # stayed with the old one and says nothing any more.
                system.removePath(path)
                known.discard(path)
            if path not in known and inode:
                if system.addPath(path):
                    self._inodes[path] = inode
                elif _inode(path):
                    complete = False
                else:  # gone between two looks: the folder will tell, this is only for haste
                    self._settle.start(RETRY_MS)
        return complete


def _places_of(path: Path) -> list[Path]:
    """Give what exists of `path`, its real file and the folders whose events tell of them."""
    places = [path]
    real = Path(os.path.realpath(path))
    if real != path:
        places += [real, real.parent]
    folder = path.parent
    while not os.path.isdir(folder) and folder != folder.parent:
        folder = folder.parent
    return [place for place in [*places, folder] if os.path.exists(place)]


def _inode(path: str) -> int:
    try:
        return os.stat(path).st_ino or 1
    except OSError:
        return 0


def _file_mark(path: Path) -> str:
    """Give the SHA-256 of the file; empty if there is none, a word if it cannot be read."""
    from store.files import digest_of

    try:
        return digest_of(path.read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"unreadable {error.errno}"


def _folder_mark(path: Path) -> str:
    """Give a digest of the names, sizes, times and inodes of the records in a folder."""
    from store.files import digest_of

    try:
        with os.scandir(path) as items:
            lines = sorted(
                f"{item.name} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"
                for item in items
                if item.name.endswith(".json") and (stat := item.stat(follow_symlinks=False))
            )
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"unreadable {error.errno}"
    return digest_of("\n".join(lines).encode("utf-8", "surrogateescape"))
