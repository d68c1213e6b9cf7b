"""The index of the notes: one SQLite file (0600) in the desk's data folder.

It holds nothing that the notes do not say, so it is never repaired: one that is broken, or that
another version of the desk made, is set aside and made anew from the notes. Each use opens it and
closes it again, so every lane of a window and every other process may come at any time.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from store.files import make_folder
from store.knowledge.walking import IsCancelled, never
from store.refusals import Locked, ReadOnly
from store.sessions.database import Cancelled

FILE = "index.sqlite"
VERSION = 1
APPLICATION = 0x484D444B
BUSY_SECONDS = 10.0
STEPS = 20_000
"""So many steps of SQLite between two questions whether anybody still waits."""

T = TypeVar("T")
IndexRefusal = Locked | ReadOnly
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_MAKING = threading.Lock()
"""Closing a file takes the locks of this process off it: a new one is made by one at a time."""

_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE root(id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE note(
    id INTEGER PRIMARY KEY, root INTEGER NOT NULL REFERENCES root(id), path BLOB NOT NULL,
    inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    changed INTEGER NOT NULL, read_at REAL NOT NULL, digest TEXT NOT NULL, problem TEXT NOT NULL,
    copy INTEGER NOT NULL, title TEXT NOT NULL, names TEXT NOT NULL, body TEXT NOT NULL,
    UNIQUE(root, path));
CREATE INDEX by_digest ON note(digest);
CREATE VIRTUAL TABLE words USING fts5(
    names, body, content='note', content_rowid='id', tokenize='unicode61');
CREATE VIRTUAL TABLE grams USING fts5(
    names, body, content='note', content_rowid='id', tokenize='trigram', detail=none);
CREATE TRIGGER added AFTER INSERT ON note BEGIN
    INSERT INTO words(rowid, names, body) VALUES (new.id, new.names, new.body);
    INSERT INTO grams(rowid, names, body) VALUES (new.id, new.names, new.body);
END;
CREATE TRIGGER removed AFTER DELETE ON note BEGIN
    INSERT INTO words(words, rowid, names, body) VALUES ('delete', old.id, old.names, old.body);
    INSERT INTO grams(grams, rowid, names, body) VALUES ('delete', old.id, old.names, old.body);
END;
CREATE TRIGGER rewritten AFTER UPDATE OF names, body ON note
WHEN old.names <> new.names OR old.body <> new.body BEGIN
    INSERT INTO words(words, rowid, names, body) VALUES ('delete', old.id, old.names, old.body);
    INSERT INTO grams(grams, rowid, names, body) VALUES ('delete', old.id, old.names, old.body);
    INSERT INTO words(rowid, names, body) VALUES (new.id, new.names, new.body);
    INSERT INTO grams(rowid, names, body) VALUES (new.id, new.names, new.body);
END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""  # noqa: S608


class _Foreign(sqlite3.DatabaseError):
    """The file is a database, and not an index of this version."""


class IndexFile:
    """The file. `was_set_aside` tells that it was made anew since this object was."""

    def __init__(self, folder: Path) -> None:
        """Nothing is read or made before the first call."""
        self.path = folder / FILE
        self.was_set_aside = False

    def use(
        self, work: Callable[[sqlite3.Connection], T], *, is_cancelled: IsCancelled = never
    ) -> T | Cancelled | IndexRefusal:
        """What `work` makes of the index. It may be asked twice: a broken file is set aside."""
        for last in (False, True):
            try:
                with closing(self._open()) as connection:
                    connection.set_progress_handler(lambda: int(is_cancelled()), STEPS)
                    return work(connection)
            except sqlite3.DatabaseError as error:
                if is_cancelled() and code_of(error) == sqlite3.SQLITE_INTERRUPT:
                    return Cancelled()
                if code_of(error) in _BUSY:
                    return Locked(str(self.path), BUSY_SECONDS)
                broken = isinstance(error, _Foreign) or code_of(error) in _BROKEN
                if not broken or last:
                    return ReadOnly(str(self.path), str(error))
            except OSError as error:
                return ReadOnly(str(self.path), error.strerror or str(error))
            try:
                self._set_aside()
            except OSError as error:
                return ReadOnly(str(self.path), error.strerror or str(error))
        raise AssertionError("the second round always ends")

    def set_asides(self) -> tuple[Path, ...]:
        """Earlier files that were broken or of another version."""
        return tuple(sorted(self.path.parent.glob(f"{FILE}.broken*")))

    def _open(self) -> sqlite3.Connection:
        make_folder(self.path.parent)
        with _MAKING:
            _make_private(self.path)
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @staticmethod
    def _prepare(connection: sqlite3.Connection) -> None:
        if _is_ours(connection):
            connection.execute("PRAGMA synchronous = NORMAL")
            return
        with _MAKING:
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            if _is_ours(connection):
                return
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                # Another process may have come between, and has made all of it in one step.
                if _is_ours(connection):
                    return
                raise _Foreign("not an index of this version")
            try:
                connection.executescript(_SCHEMA)
            except sqlite3.OperationalError:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if not _is_ours(connection):
                    raise

    def _set_aside(self) -> None:
        """Out of the way; only the latest is kept, as all of it stands in the notes."""
        aside = f"{FILE}.broken"
        for ending in ("", "-wal", "-shm"):
            old = self.path.with_name(aside + ending)
            with suppress(FileNotFoundError):
                old.unlink()
            with suppress(FileNotFoundError):
                self.path.with_name(FILE + ending).rename(old)
        self.was_set_aside = True


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing, also where the process is killed."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def wipe(connection: sqlite3.Connection) -> None:
    """Leave nothing in the file of what was taken out of it."""
    for table in ("words", "grams"):
        connection.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")  # noqa: S608
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where there is none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_ours(connection: sqlite3.Connection) -> bool:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    return (application, version) == (APPLICATION, VERSION)


def _make_private(path: Path) -> None:
    """Make the file with the mode that its -wal and -shm take over, or correct its mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if os.name != "nt" and path.stat().st_mode & 0o077:
            path.chmod(0o600)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn a new file into one with a -wal; SQLite itself would not wait for another who does."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if code_of(error) not in _BUSY or time.monotonic() >= end:
                raise
        else:
            return
        time.sleep(0.002)
