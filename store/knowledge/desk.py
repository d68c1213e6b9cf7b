"""Everything that a page or a command does with notes, in one place.

Values go in and come out, so any lane may call: searches and readings at any time, updates of the
index wait for each other.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from store.files import Disk
from store.home import HermesHome, Target
from store.knowledge.folders import Folder, FolderList, FolderRefusal, FoldersChanged
from store.knowledge.index import IndexFile, IndexRefusal
from store.knowledge.indexing import (
    ForgottenInNotes,
    Indexer,
    Progress,
    Refreshed,
    below,
    forget,
)
from store.knowledge.reading import Note, NoteCard, NoteRefusal, Opened, open_note, shown
from store.knowledge.searching import Interrupted, NotesFound, Search, as_typed
from store.knowledge.vaults import Offered, offered
from store.knowledge.walking import IsCancelled, never, walk
from store.refusals import REFUSALS, Refusal
from store.sessions.database import Cancelled

if TYPE_CHECKING:
    from store.journal import Journal
    from store.knowledge.moving import AddedToNote, MovedToNote
    from store.knowledge.nearest import Passage
    from store.memory.library import MemoryLibrary
    from store.memory.state import Written

PLACE = "knowledge"
"""The folder of the list and the index in the desk's data folder."""

LIMIT = 50


class KnowledgeDesk:
    """The notes of the person. The folders and the index are the same for every profile."""

    def __init__(
        self,
        home: HermesHome,
        *,
        data_dir: Path,
        library: MemoryLibrary,
        journal: Callable[[], Journal],
        disk: Disk,
        env: Mapping[str, str],
    ) -> None:
        """Nothing is read or made before the first call."""
        self.home = home
        self._disk = disk
        self._env = env
        self._library = library
        self._journal = journal
        self._folders = FolderList(data_dir / PLACE, disk=disk)
        self._index = IndexFile(data_dir / PLACE)
        self._updating = threading.Lock()

    # -- folders -------------------------------------------------------------------------

    def folders(self) -> tuple[Folder, ...]:
        """The configured folders, and whether each is a vault, a folder, or not there."""
        return self._folders.read()

    def offered(self) -> Offered:
        """Folders that the environment, `.env` and Obsidian name, and that are not configured."""
        known = [one.path for one in self.folders()]
        return offered(self.home, env=self._env, disk=self._disk, known=known)

    def add_folder(self, path: Path) -> FoldersChanged | FolderRefusal:
        """Configure a folder; its notes are found after the next `refresh`."""
        return self._folders.add(path)

    def remove_folder(self, path: Path) -> FoldersChanged | FolderRefusal | IndexRefusal:
        """Forget a folder, and take its notes out of the index."""
        done = self._folders.remove(path)
        if not isinstance(done, FoldersChanged) or not self._index.path.exists():
            return done
        roots = [one.path for one in done.folders]
        with self._updating:
            gone = self._index.use(lambda index: self._indexer(index).refresh((), roots))
        return gone if isinstance(gone, REFUSALS) else done

    # -- the index -----------------------------------------------------------------------

    def refresh(
        self, *, progress: Progress | None = None, is_cancelled: IsCancelled = never
    ) -> Refreshed | IndexRefusal:
        """Bring the index up to date with all folders; only what changed is read.

        Given up, it keeps what it has done, and says so.
        """
        folders = self.folders()
        there = [one.path for one in folders if one.is_there]
        missing = [one.path for one in folders if not one.is_there]
        with self._updating:
            self._index.was_set_aside = False
            done = self._index.use(
                lambda index: self._indexer(index, progress, is_cancelled).refresh(there, missing)
            )
        return self._with_rebuilt(done)

    def update(self, paths: Iterable[Path]) -> Refreshed | IndexRefusal:
        """Look again at these notes or folders, for a watcher that saw them change."""
        given = [Path(os.path.normpath(path)) for path in paths]
        roots = [one.path for one in self.folders() if one.is_there]

        def work(index: sqlite3.Connection) -> Refreshed:
            indexer = self._indexer(index)
            for root in roots:
                mine = tuple(below(root, given))
                if mine:
                    indexer.update(root, mine)
            return indexer.result()

        with self._updating:
            self._index.was_set_aside = False
            done = self._index.use(work)
        if self._index.was_set_aside:
            return self.refresh()  # of the old index nothing is left, so all of it is looked at
        return self._with_rebuilt(done)

    def watched(self, *, is_cancelled: IsCancelled = never) -> tuple[Path, ...]:
        """Every folder in which a note may change, for a watcher."""
        found = []
        for one in self.folders():
            if one.is_there:
                walked = walk(one.path, is_cancelled=is_cancelled)
                found += [one.path / os.fsdecode(folder) for folder in walked.folders]
        return tuple(found)

    def notes(self) -> tuple[NoteCard, ...] | IndexRefusal:
        """All notes of the index in folders that are there, the last changed first."""
        roots = {os.fsencode(one.path) for one in self.folders() if one.is_there}
        if not self._index.path.exists():
            return ()
        rows = self._index.use(
            lambda index: index.execute(
                "SELECT r.path, n.path, n.title, n.modified, n.size, n.copy, n.problem"
                " FROM note n JOIN root r ON r.id = n.root ORDER BY n.modified DESC, n.path"
            ).fetchall()
        )
        if not isinstance(rows, list):
            return _given_up(rows)
        return tuple(
            NoteCard(folder / os.fsdecode(path), folder, title, at / 1e9, size, bool(copy), problem)
            for root, path, title, at, size, copy, problem in rows
            if root in roots
            for folder in (Path(os.fsdecode(root)),)
        )

    def search(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        typing: bool = False,
        is_cancelled: IsCancelled = never,
    ) -> NotesFound | Cancelled | IndexRefusal:
        """Notes that fit, titles first. `typing`: the last word may go on."""
        folders = self.folders()
        roots = [one.path for one in folders if one.is_there]

        def work(index: sqlite3.Connection) -> NotesFound | Cancelled:
            try:
                found = Search(index, roots, limit=limit, is_cancelled=is_cancelled)
                return found.run(as_typed(query) if typing else query)
            except Interrupted:
                return Cancelled()

        found = self._index.use(work, is_cancelled=is_cancelled)
        if isinstance(found, NotesFound):
            missing = tuple(one.path for one in folders if not one.is_there)
            return replace(found, missing=missing)
        return found

    def nearest(self, texts: Sequence[str], *, seconds: float) -> tuple[Passage, ...]:
        """What of the notes may say the same as `texts`, by the index as it is; never waits."""
        from store.knowledge.nearest import nearest

        roots = [one.path for one in self.folders() if one.is_there]
        if not roots or not self._index.path.exists():
            return ()
        return nearest(self._index.path, roots, texts, seconds=seconds)

    def forget(self, text: str) -> ForgottenInNotes | IndexRefusal:
        """Leave `text` out of the index for good, as far as no note says it anew."""
        if not self._index.path.exists():
            return ForgottenInNotes(0, ())
        with self._updating:
            done = self._index.use(lambda index: forget(index, text, disk=self._disk))
            for path in self._index.set_asides():
                path.unlink(missing_ok=True)
        return done if isinstance(done, ForgottenInNotes) else _given_up(done)

    # -- one note ------------------------------------------------------------------------

    def read(self, path: Path) -> Note | NoteRefusal:
        """A note in full, as it is now."""
        found = open_note(path, self.folders(), disk=self._disk)
        return shown(found) if isinstance(found, Opened) else found

    def move_to_note(
        self,
        target: Target,
        entry: str,
        note: Path,
        *,
        seen: str,
        pointer: str = "",
        wait: float = 10.0,
    ) -> MovedToNote | Refusal:
        """Append an entry of memory to a note; `seen` is the digest of the note that was shown.

        `pointer` is what is left in memory in its place; without it the entry goes.
        """
        return self.move_all_to_note(
            target, (entry,), note, seen=seen, pointers=(pointer,), wait=wait
        )

    def move_all_to_note(
        self,
        target: Target,
        entries: Iterable[str],
        note: Path,
        *,
        seen: str,
        pointers: Iterable[str] = (),
        wait: float = 10.0,
    ) -> MovedToNote | Refusal:
        """Append these entries to a note as one change; `pointers` are in the same order."""
        from store.knowledge.moving import MovedToNote, move_to_note

        done = move_to_note(
            self._library,
            self.folders(),
            target=target,
            entries=tuple(entries),
            note=note,
            seen=seen,
            pointers=tuple(pointers),
            journal=self._journal,
            disk=self._disk,
            wait=wait,
        )
        if isinstance(done, MovedToNote):
            self.update([done.note])  # if that fails the next refresh does it
        return done

    def add_to_note(self, text: str, note: Path, *, seen: str) -> AddedToNote | Refusal:
        """Append a text that stands nowhere yet to a note; `seen` as for a move."""
        from store.knowledge.moving import AddedToNote, add_to_note

        done = add_to_note(
            self._library,
            self.folders(),
            text=text,
            note=note,
            seen=seen,
            journal=self._journal,
            disk=self._disk,
        )
        if isinstance(done, AddedToNote):
            self.update([done.note])  # if that fails the next refresh does it
        return done

    def take_into_memory(
        self, target: Target, text: str, *, wait: float = 10.0
    ) -> Written | Refusal:
        """Add what was selected in a note as an entry of memory."""
        from store.knowledge.moving import take_into_memory

        return take_into_memory(self._library, target=target, text=text, wait=wait)

    # -- within --------------------------------------------------------------------------

    def _indexer(
        self,
        index: sqlite3.Connection,
        progress: Progress | None = None,
        is_cancelled: IsCancelled = never,
    ) -> Indexer:
        return Indexer(index, disk=self._disk, progress=progress, is_cancelled=is_cancelled)

    def _with_rebuilt(self, done: Refreshed | Cancelled | IndexRefusal) -> Refreshed | IndexRefusal:
        if isinstance(done, Refreshed):
            return replace(done, rebuilt=self._index.was_set_aside)
        return _given_up(done)


def _given_up(done: Cancelled | IndexRefusal) -> IndexRefusal:
    if isinstance(done, Cancelled):
        raise AssertionError("nobody may give this up")
    return done
