"""What the desk changed, when and by whom: intent before a write, done after it.

One SQLite file per profile in the desk's data folder (0600). A row is added for every change
and only its state moves on, so nothing that happened is ever rewritten. Bytes before and after
make every change undoable, and tell after a crash how far it came.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from schema.frozen import frozen
from store.changes import Intent, Part
from store.files import make_folder
from store.home import HermesHome
from store.locks import POLL_SECONDS
from store.refusals import Locked, ReadOnly, Unreadable

State = Literal["intent", "done", "abandoned"]

KEYS = "keys"
"""The target of a change of keys: names stand in the journal, and never a value."""

BUSY_SECONDS = 10.0
"""How long another process may keep the file to itself; our own do so for milliseconds."""

_MAKING = threading.Lock()
"""Nobody else in this process may open a new file before it is closed again."""

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS change(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, who TEXT NOT NULL,
    action TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, undoes INTEGER,
    gone TEXT NOT NULL, come TEXT NOT NULL, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part(
    change_id INTEGER NOT NULL REFERENCES change(id), ordinal INTEGER NOT NULL,
    path TEXT NOT NULL, before BLOB, after BLOB, kind TEXT NOT NULL DEFAULT 'file',
    mode INTEGER NOT NULL DEFAULT 384, PRIMARY KEY(change_id, ordinal));
CREATE INDEX IF NOT EXISTS unfinished ON change(state) WHERE state = 'intent';
CREATE INDEX IF NOT EXISTS undone ON change(undoes) WHERE undoes IS NOT NULL;
PRAGMA user_version = 2;
"""
_FROM_1 = (
    "ALTER TABLE part ADD COLUMN kind TEXT NOT NULL DEFAULT 'file'",
    "ALTER TABLE part ADD COLUMN mode INTEGER NOT NULL DEFAULT 384",
    "PRAGMA user_version = 2",
)
"""What a journal that an earlier desk began lacks; 384 is 0600."""

_TABLES = "SELECT count(*) FROM sqlite_master WHERE name IN ('change', 'part')"
_INSERT = (
    "INSERT INTO change(at, who, action, target, state, undoes, gone, come, record)"
    " VALUES (?, ?, ?, ?, 'intent', ?, ?, ?, ?)"
)
_SELECT = (
    "SELECT c.id, c.at, c.who, c.action, c.target, c.gone, c.come, c.record, c.undoes, c.state,"
    " u.id FROM change c LEFT JOIN change u ON u.undoes = c.id AND u.state = 'done' WHERE"
)


@frozen
class JournalEntry:
    """A change that the journal holds; `at` in UTC seconds."""

    id: int
    at: float
    intent: Intent
    state: State
    undone_by: int | None
    parts: tuple[Part, ...] = ()

    @property
    def undoable(self) -> bool:
        """Whether `undo` may be tried: it happened, was not undone, and was not about keys."""
        return self.state == "done" and self.undone_by is None and not self.about_keys

    @property
    def about_keys(self) -> bool:
        """Whether this was about keys: their values are kept nowhere, so there is no way back."""
        return self.intent.target == KEYS


def journal_path(data_dir: Path, home: HermesHome) -> Path:
    """Where the journal of a profile is kept; named by the real path of the Hermes root."""
    root = sha256(os.path.realpath(home.root).encode("utf-8", "surrogateescape")).hexdigest()
    return data_dir / "journal" / root[:12] / f"{home.profile}.sqlite"


class Journal:
    """The journal of one profile. Opened when first used; any thread may call it.

    `set_aside` is where a file that was no journal any more was put when a change began, None
    if there was none.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Nothing is read or made before the first call."""
        self.path = path
        self.set_aside: Path | None = None
        self._clock = clock
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    # -- writing -------------------------------------------------------------------------

    def begin(self, intent: Intent, parts: Sequence[Part]) -> int | ReadOnly | Locked:
        """Put an intent on disk, so that a crash after this can be told apart. Its id."""
        try:
            with self._lock:
                try:
                    return self._begin(intent, parts)
                except sqlite3.DatabaseError as error:
                    if _code(error) not in _BROKEN:
                        raise
                self._set_aside_if_broken()
                return self._begin(intent, parts)
        except (sqlite3.Error, OSError) as error:
            if _code(error) in _BUSY:
                return Locked(str(self.path), BUSY_SECONDS)
            return ReadOnly(str(self.path), _words(error))

    def _begin(self, intent: Intent, parts: Sequence[Part]) -> int:
        row = (
            float(self._clock()),
            intent.who,
            intent.action,
            intent.target,
            intent.undoes,
            json.dumps(intent.gone, ensure_ascii=False),
            json.dumps(intent.come, ensure_ascii=False),
            intent.record,
        )
        with self._writing() as connection:
            change_id = connection.execute(_INSERT, row).lastrowid or 0
            connection.executemany(
                "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (change_id, n, p.path, p.before, p.after, p.kind, p.mode)
                    for n, p in enumerate(parts)
                ],
            )
        return change_id

    def finish(self, change_id: int, state: Literal["done", "abandoned"]) -> None:
        """Say how an intent ended. A failure here is made good at the next start."""
        with suppress(sqlite3.Error, OSError), self._lock:
            connection = self._open()
            # The end need not survive a power cut: the next start looks again.
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("UPDATE change SET state = ? WHERE id = ?", (state, change_id))

    # -- reading -------------------------------------------------------------------------

    def changes(
        self, *, target: str | None = None, limit: int = -1
    ) -> tuple[JournalEntry, ...] | Unreadable:
        """The latest `limit` changes (-1: all), newest first, without the bytes of their files."""
        return self._select(
            "c.state = 'done' AND (:target IS NULL OR c.target = :target OR c.target = 'both')",
            {"target": target, "limit": limit},
        )

    def unfinished(self) -> tuple[JournalEntry, ...] | Unreadable:
        """Intents that nobody finished, oldest first, with their parts."""
        found = self._select("c.state = 'intent'", {"limit": -1}, parts=True)
        return found if isinstance(found, Unreadable) else found[::-1]

    def get(self, change_id: int) -> JournalEntry | Unreadable | None:
        """One change with its parts."""
        return _first(self._select("c.id = :id", {"id": change_id, "limit": 1}, parts=True))

    def latest_undoable(self) -> JournalEntry | Unreadable | None:
        """The last change of a person that was not undone and is no undo itself."""
        where = f"c.state = 'done' AND c.undoes IS NULL AND u.id IS NULL AND c.target <> '{KEYS}'"
        return _first(self._select(where, {"limit": 1}, parts=True))

    def _select(
        self, where: str, values: dict[str, object], *, parts: bool = False
    ) -> tuple[JournalEntry, ...] | Unreadable:
        """Reading changes nothing: a broken file stays where it is until a change begins."""
        query = " ".join((_SELECT, where, "ORDER BY c.id DESC LIMIT :limit"))
        try:
            with self._lock:
                if self._connection is None and not self.path.exists():
                    return ()
                found = [_entry(row) for row in self._open().execute(query, values)]
                return tuple(map(self._with_parts, found)) if parts else tuple(found)
        except (sqlite3.Error, OSError, ValueError) as error:
            return Unreadable(str(self.path), _words(error))

    def _with_parts(self, entry: JournalEntry) -> JournalEntry:
        rows = self._open().execute(
            "SELECT path, before, after, kind, mode FROM part WHERE change_id = ? ORDER BY ordinal",
            (entry.id,),
        )
        return replace(entry, parts=tuple(Part(*row) for row in rows))

    # -- the file ------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        connection = self._open()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # a full disk has rolled it back already
                connection.execute("ROLLBACK")
            raise

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._opened != _identity(self.path):
            self.close()  # someone removed or replaced the file; what is written there is lost
        if self._connection is None:
            make_folder(self.path.parent)
            self._connection = self._connect()
            self._opened = _identity(self.path)
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        with _MAKING:
            _make_private(self.path)
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _write_ahead(connection)
            if connection.execute(_TABLES).fetchone()[0] < 2:
                connection.executescript(_SCHEMA)
            elif _version(connection) == 1:
                _bring_up_to_date(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_aside_if_broken(self) -> None:
        """Keep a file that is no journal any more for a person to look at, out of the way."""
        self.close()
        if self._is_sound():
            return  # another desk has found it broken too, and begun a new one
        aside = f"{self.path.name}.broken-{time.time_ns()}"
        for ending in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                self.path.with_name(self.path.name + ending).rename(
                    self.path.with_name(aside + ending)
                )
        self.set_aside = self.path.with_name(aside)

    def _is_sound(self) -> bool:
        try:
            connection = self._connect()
            try:
                return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
            finally:
                connection.close()
        except sqlite3.DatabaseError as error:
            if _code(error) not in _BROKEN:
                raise
            return False

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) == 1:  # another desk may have been quicker
            for statement in _FROM_1:
                connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _make_private(path: Path) -> None:
    """Make the file with the mode that its -wal and -shm take over, or correct its mode.

    A file that is there is not opened for this: closing it would take from every connection of
    this process the locks that it holds on it, and another desk could remove the -wal under them.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)) from None
        if os.name != "nt" and path.stat().st_mode & 0o077:
            path.chmod(0o600)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn a new file into one with a -wal; SQLite itself would not wait for another who does."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or time.monotonic() >= end:
                raise
        else:
            return
        time.sleep(POLL_SECONDS)


def _entry(row: tuple[Any, ...]) -> JournalEntry:
    number, at, who, action, target, gone, come, record, undoes, state, undone_by = row
    intent = Intent(
        who, action, target, tuple(json.loads(gone)), tuple(json.loads(come)), record, undoes
    )
    return JournalEntry(number, at, intent, state, undone_by)


def _first(
    found: tuple[JournalEntry, ...] | Unreadable,
) -> JournalEntry | Unreadable | None:
    if isinstance(found, Unreadable):
        return found
    return found[0] if found else None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 for any other error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _words(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
