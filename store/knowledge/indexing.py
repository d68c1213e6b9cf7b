"""Brings the index up to date with the notes: only what changed is read again.

A note whose size, times and inode are as they were is not opened; of one that was touched the
digest decides. Each batch is one transaction, so a kill loses a batch and never leaves half a note.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from schema.frozen import frozen
from store.files import Content, Disk, Mark
from store.knowledge.index import wipe, writing
from store.knowledge.notes import is_conflict_copy, text_of
from store.knowledge.walking import (
    MOST_BYTES,
    IsCancelled,
    Walk,
    is_note_name,
    is_shown,
    mark_at,
    walk,
)
from store.refusals import Unreadable

BATCH = 250
SETTLED = 2.1
"""Seconds: a file touched that short before it was read may change again with the same times."""

NOT_TEXT = "not_text"
Progress = Callable[[int, int], None]
"""How many notes are looked at, of how many."""


@frozen
class Refreshed:
    """What an update of the index found. `notes`: how many there are in it now.

    `unreadable` are notes and folders that could not be looked at; `too_big` files that are left
    out; `links` how many were not followed; `missing` configured folders that are not there, of
    which the index keeps what it knows. `rebuilt`: the index was made anew. `complete` is False
    where somebody gave up: what is done stays done.
    """

    notes: int = 0
    added: int = 0
    changed: int = 0
    renamed: int = 0
    removed: int = 0
    unreadable: tuple[Path, ...] = ()
    too_big: tuple[Path, ...] = ()
    links: int = 0
    missing: tuple[Path, ...] = ()
    rebuilt: bool = False
    complete: bool = True


@frozen
class ForgottenInNotes:
    """`cleared` notes of the index held the text; `still` are those whose file has it still.

    The desk takes nothing out of a note, so that is for the person to do.
    """

    cleared: int
    still: tuple[Path, ...]


@frozen
class _Known:
    id: int
    mark: Mark
    read_at: float
    digest: str


class Indexer:
    """One update of the index through an open connection."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        disk: Disk,
        progress: Progress | None = None,
        is_cancelled: IsCancelled,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._connection = connection
        self._disk = disk
        self._progress = progress or (lambda done, total: None)
        self._is_cancelled = is_cancelled
        self._clock = clock
        self._count = dict.fromkeys(("added", "changed", "renamed", "removed"), 0)
        self._unreadable: list[Path] = []
        self._too_big: list[Path] = []
        self._links = 0
        self._complete = True
        self._done = self._total = 0

    def refresh(self, roots: Sequence[Path], missing: Sequence[Path]) -> Refreshed:
        """Look through all of `roots`; what belongs to no configured folder goes."""
        self._drop_others((*roots, *missing))
        walks = []
        for root in roots:
            walks.append((root, walk(root, is_cancelled=self._is_cancelled)))
            self._total += len(walks[-1][1].notes)
        self._progress(0, self._total)
        for root, found in walks:
            self._apply(root, found, below=b"")
        return self.result(missing)

    def update(self, root: Path, paths: Iterable[bytes]) -> None:
        """Look again at these paths below `root`: notes or folders, there or gone."""
        base = os.fsencode(root)
        looked: list[tuple[bytes, dict[bytes, Mark], tuple[bytes, ...]]] = []
        for path in dict.fromkeys(paths):
            place = os.path.join(base, path) if path else base
            if _is_own_folder(root, path):
                found = walk(root, below=path, is_cancelled=self._is_cancelled)
                self._take(root, found)
                looked.append((path, found.notes, found.closed))
                continue
            mark = mark_at(place)
            is_there = mark is not None and _is_note(root, path) and mark.size <= MOST_BYTES
            looked.append((path, {path: mark} if mark is not None and is_there else {}, ()))
        self._total = sum(len(notes) for _, notes, _ in looked)
        for path, notes, _ in looked:
            self._write(root, notes, below=path)
        # At last, so that what only has another name is known again.
        for path, notes, closed in looked if self._complete else ():
            self._remove_gone(root, notes, below=path, closed=closed)

    def result(self, missing: Sequence[Path] = ()) -> Refreshed:
        """What was found so far."""
        (notes,) = self._connection.execute("SELECT count(*) FROM note").fetchone()
        return Refreshed(
            notes,
            self._count["added"],
            self._count["changed"],
            self._count["renamed"],
            self._count["removed"],
            tuple(self._unreadable),
            tuple(self._too_big),
            self._links,
            tuple(missing),
            complete=self._complete,
        )

    # -- one root ------------------------------------------------------------------------

    def _take(self, root: Path, found: Walk) -> None:
        self._unreadable += [root / os.fsdecode(one) for one in found.closed]
        self._too_big += [root / os.fsdecode(one) for one in found.too_big]
        self._links += found.links
        self._complete = self._complete and found.complete

    def _apply(self, root: Path, found: Walk, *, below: bytes) -> None:
        self._take(root, found)
        self._write(root, found.notes, below=below)
        if self._complete:
            self._remove_gone(root, found.notes, below=below, closed=found.closed)

    def _write(self, root: Path, notes: dict[bytes, Mark], *, below: bytes) -> None:
        number = self._root(root)
        known = self._known(number, below)
        todo = [
            (path, mark)
            for path, mark in notes.items()
            if (before := known.get(path)) is None or not _is_as_it_was(before, mark)
        ]
        self._step(len(notes) - len(todo))
        # What was touched last is what somebody looks for first.
        todo.sort(key=lambda one: one[1].modified, reverse=True)
        for start in range(0, len(todo), BATCH):
            batch = todo[start : start + BATCH]
            if self._is_cancelled():
                self._complete = False
                return
            read = [(path, mark, self._read(root, path)) for path, mark in batch]
            with writing(self._connection):
                for path, mark, (at, seen) in read:
                    self._put(root, number, path, mark, at, seen, known.get(path))
            self._step(len(batch))

    def _step(self, count: int) -> None:
        self._done += count
        if count:
            self._progress(self._done, self._total)

    def _read(self, root: Path, path: bytes) -> tuple[float, Content | Unreadable]:
        at = self._clock()
        return at, self._disk.read(root / os.fsdecode(path), follow=False, at_most=MOST_BYTES)

    def _put(
        self,
        root: Path,
        number: int,
        path: bytes,
        mark: Mark,
        at: float,
        seen: Content | Unreadable,
        known: _Known | None,
    ) -> None:
        if isinstance(seen, Content) and seen.data is None:
            return  # gone meanwhile
        about: dict[str, object] = {"root": number, "path": path, "read_at": at, **mark._asdict()}
        if isinstance(seen, Unreadable):
            self._unreadable.append(root / os.fsdecode(path))
        if known is not None and isinstance(seen, Content) and known.digest == seen.digest:
            self._set(known.id, about)
            return
        renamed = None if known is not None else self._renamed_from(root, number, seen)
        about |= _said(path, seen)
        if known is not None or renamed is not None:
            self._set(known.id if known else renamed or 0, about)
            self._count["changed" if known else "renamed"] += 1
            return
        columns = ", ".join(about)
        values = ", ".join("?" * len(about))
        self._connection.execute(
            f"INSERT INTO note({columns}) VALUES ({values})",  # noqa: S608
            tuple(about.values()),
        )
        self._count["added"] += 1

    def _set(self, number: int, about: dict[str, object]) -> None:
        columns = ", ".join(f"{name} = ?" for name in about)
        self._connection.execute(
            f"UPDATE note SET {columns} WHERE id = ?",  # noqa: S608
            (*about.values(), number),
        )

    def _renamed_from(self, root: Path, number: int, seen: Content | Unreadable) -> int | None:
        """The note of the index with these very bytes whose file is no longer there."""
        if isinstance(seen, Unreadable) or not seen.data:
            return None
        rows = self._connection.execute(
            "SELECT id, path FROM note WHERE digest = ? AND root = ?", (seen.digest, number)
        )
        for note, path in rows.fetchall():
            if not os.path.lexists(os.path.join(os.fsencode(root), path)):
                return int(note)
        return None

    def _remove_gone(
        self,
        root: Path,
        notes: dict[bytes, Mark],
        *,
        below: bytes,
        closed: Sequence[bytes],
    ) -> None:
        """Take out what is no longer there; what lies in a closed folder nobody can tell."""
        gone = [
            one.id
            for path, one in self._known(self._root(root), below).items()
            if path not in notes and not any(_lies_in(path, folder) for folder in closed)
        ]
        for start in range(0, len(gone), BATCH):
            with writing(self._connection):
                self._connection.executemany(
                    "DELETE FROM note WHERE id = ?",
                    [(one,) for one in gone[start : start + BATCH]],
                )
        self._count["removed"] += len(gone)

    # -- rows ----------------------------------------------------------------------------

    def _root(self, root: Path) -> int:
        path = os.fsencode(root)
        query = "SELECT id FROM root WHERE path = ?"
        found = self._connection.execute(query, (path,)).fetchone()
        if found is None:
            self._connection.execute("INSERT OR IGNORE INTO root(path) VALUES (?)", (path,))
            found = self._connection.execute(query, (path,)).fetchone()
        return int(found[0])

    def _known(self, root: int, below: bytes) -> dict[bytes, _Known]:
        """What the index has of the note `below`, or of those that lie in that folder."""
        only, values = "", list[bytes]()
        if below:
            only = " AND (path = ? OR (path > ? AND path < ?))"
            inside = below + os.sep.encode()
            values = [below, inside, inside[:-1] + bytes([inside[-1] + 1])]
        rows = self._connection.execute(
            "SELECT path, id, inode, size, modified, changed, read_at, digest FROM note"  # noqa: S608
            f" WHERE root = ?{only}",
            (root, *values),
        )
        return {row[0]: _Known(row[1], Mark(*row[2:6]), row[6], row[7]) for row in rows}

    def _drop_others(self, roots: Sequence[Path]) -> None:
        keep = {os.fsencode(root) for root in roots}
        rows = self._connection.execute("SELECT id, path FROM root").fetchall()
        others = [number for number, path in rows if path not in keep]
        if not others:
            return
        with writing(self._connection):
            for number in others:
                self._connection.execute("DELETE FROM note WHERE root = ?", (number,))
                self._connection.execute("DELETE FROM root WHERE id = ?", (number,))
        wipe(self._connection)


def forget(connection: sqlite3.Connection, text: str, *, disk: Disk) -> ForgottenInNotes:
    """Leave `text` out of every note of the index, and nothing of it in the file.

    A note that has it still stays without it here until it is changed.
    """
    rows = connection.execute(
        "SELECT n.id, r.path, n.path FROM note n JOIN root r ON r.id = n.root"
        " WHERE instr(n.body, ?1) OR instr(n.names, ?1)",
        (text,),
    ).fetchall()
    still = []
    for _, root, path in rows:
        place = Path(os.fsdecode(root)) / os.fsdecode(path)
        seen = disk.read(place, follow=False, at_most=MOST_BYTES)
        found = text_of(seen.data or b"", "") if isinstance(seen, Content) else None
        if found is None or text in found.text:
            still.append(place)
    with writing(connection):
        connection.executemany(
            "UPDATE note SET names = replace(names, ?1, ''), body = replace(body, ?1, ''),"
            " title = replace(title, ?1, '') WHERE id = ?2",
            [(text, number) for number, _, _ in rows],
        )
    wipe(connection)
    return ForgottenInNotes(len(rows), tuple(still))


def _said(path: bytes, seen: Content | Unreadable) -> dict[str, object]:
    """The columns that hold what a note says."""
    stem = Path(os.fsdecode(path)).stem
    name = stem.encode("utf-8", "replace").decode("utf-8")
    said: dict[str, object] = {"copy": int(is_conflict_copy(stem)), "title": name}
    if isinstance(seen, Unreadable):
        return said | {"digest": "", "problem": seen.detail, "names": name, "body": ""}
    found = text_of(seen.data or b"", name)
    if found is None:
        return said | {"digest": seen.digest, "problem": NOT_TEXT, "names": name, "body": ""}
    names = "\n".join(found.names)
    return said | {"digest": seen.digest, "problem": "", "names": names, "body": found.text}


def _is_as_it_was(known: _Known, mark: Mark) -> bool:
    return known.mark == mark and mark.touched < known.read_at - SETTLED and bool(known.digest)


def _is_note(root: Path, path: bytes) -> bool:
    """Whether this path below `root` is a note's, by its name and by what it is."""
    relative = Path(os.fsdecode(path))
    place = root / relative
    return (
        is_shown(relative)
        and is_note_name(relative.name)
        and os.path.isfile(place)
        and os.path.realpath(place) == str(place)
    )


def _is_own_folder(root: Path, path: bytes) -> bool:
    relative = Path(os.fsdecode(path))
    place = root / relative
    hidden = bool(path) and not is_shown(relative)
    return not hidden and os.path.isdir(place) and os.path.realpath(place) == str(place)


def _lies_in(path: bytes, folder: bytes) -> bool:
    return not folder or path == folder or path.startswith(folder + os.sep.encode())


def below(root: Path, paths: Iterable[Path]) -> Iterator[bytes]:
    """Those of `paths` that lie in `root`, below it and as bytes; the root itself is empty."""
    for path in paths:
        if path == root:
            yield b""
        elif path.is_relative_to(root):
            yield os.fsencode(path.relative_to(root))
