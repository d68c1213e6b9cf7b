"""Notices that notes changed: thousands of them, of which the index knows how each was.

Beside `gui/watch.py`, which knows each of its few files by its digest. A folder tells of what
comes, goes and is replaced in it; of a note that is written in its place only the note itself does.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal, Slot

from gui.tasks import Tasks
from gui.watch import SETTLE_MS


class NoteWatch(QObject):
    """Tells which of the followed folders and notes may have changed."""

    changed = Signal(object)
    """A `frozenset` of paths as they were given."""
    _followed = Signal(object)

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.is_watching = False
        """Whether the background has taken up all that was given to `follow`."""
        self._asked = 0
        self._eyes = _Eyes()
        self._eyes.watching.connect(self._note_watching, Qt.ConnectionType.QueuedConnection)
        self._eyes.stirred.connect(self.changed, Qt.ConnectionType.QueuedConnection)
        self._followed.connect(self._eyes.follow, Qt.ConnectionType.QueuedConnection)
        tasks.host(self._eyes)

    def follow(self, paths: Iterable[str]) -> None:
        """Watch exactly these folders and notes from now on."""
        self._asked += 1
        self.is_watching = False
        self._followed.emit(frozenset(paths))

    @Slot()
    def _note_watching(self) -> None:
        self._asked -= 1
        self.is_watching = not self._asked


class _Eyes(QObject):
    """Lives in the background, where adding thousands of paths holds nobody up."""

    stirred = Signal(object)
    watching = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._wanted: frozenset[str] = frozenset()
        self._news: set[str] = set()
        # Made here, in the UI thread, and taken along: see `Tasks.host`.
        self._system = QFileSystemWatcher(self)
        self._system.fileChanged.connect(self._stir)
        self._system.directoryChanged.connect(self._stir)
        self._settle = QTimer(self)
        self._settle.setObjectName("settle_notes")
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._tell)

    @Slot(object)
    def follow(self, paths: frozenset[str]) -> None:
        """Go on with these paths."""
        self._wanted = paths
        self._watch_again()
        self.watching.emit()

    def _watch_again(self) -> None:
        known = {*self._system.files(), *self._system.directories()}
        if gone := known - self._wanted:
            self._system.removePaths([*gone])
        if new := self._wanted - known:
            self._system.addPaths([*new])

    @Slot(str)
    def _stir(self, path: str) -> None:
        self._news.add(path)
        if not self._settle.isActive():
            self._settle.start(SETTLE_MS)

    @Slot()
    def _tell(self) -> None:
        news, self._news = self._news, set()
        # A note that was replaced is another file, which nobody watches yet.
        self._watch_again()
        self.stirred.emit(frozenset(news))
