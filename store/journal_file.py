"""The SQLite file of a journal: private, written ahead, begun anew when it is broken or gone."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from store.files import make_folder
from store.journal_schema import prepare
from store.locks import POLL_SECONDS
from store.refusals import Locked, ReadOnly

T = TypeVar("T")

BUSY_SECONDS = 10.0
"""How long another process may keep the file to itself; our own do so for milliseconds."""

_MAKING = threading.Lock()
"""Nobody else in this process may open a new file before it is closed again."""

_SYNC = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class JournalFile:
    """The file of a journal: opened when first used, by any thread; set aside once it is broken.

    `set_aside` is where a file that was no journal any more was put when a change began, None
    if there was none.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is read or made before the first call."""
        self.path = path
        self.set_aside: Path | None = None
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None

    def _safely(self, write: Callable[[], T]) -> T | ReadOnly | Locked:
        """Write, into a new journal if the file is none any more, or say why not."""
        try:
            with self._lock:
                try:
                    return write()
                except sqlite3.DatabaseError as error:
                    if _code(error) not in _BROKEN:
                        raise
                self._set_aside_if_broken()
                return write()
        except (sqlite3.Error, OSError) as error:
            if _code(error) in _BUSY:
                return Locked(str(self.path), BUSY_SECONDS)
            return ReadOnly(str(self.path), words_of(error))

    @contextmanager
    def _writing(self, *, wait: bool = True) -> Iterator[sqlite3.Connection]:
        """Write all or nothing, and wait for the disk, unless `reach_disk` follows."""
        connection = self._open()
        if wait:
            connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # a full disk has rolled it back already
                connection.execute("ROLLBACK")
            raise
        finally:
            if wait:
                connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def _wiping(self) -> Iterator[sqlite3.Connection]:
        """Write so that what is replaced stands nowhere in the file any more."""
        connection = self._open()
        connection.execute("PRAGMA secure_delete = ON")
        try:
            with self._writing():
                yield connection
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.execute("PRAGMA secure_delete = OFF")

    def reach_disk(self) -> None:
        """Wait until what was written without waiting is on the disk; OSError if that refuses."""
        try:
            # Of this file SQLite holds no lock that closing it could take away.
            handle = os.open(f"{self.path}-wal", _SYNC)
        except FileNotFoundError:  # someone removed the journal: there is nothing to wait for
            return
        try:
            getattr(os, "fdatasync", os.fsync)(handle)
        finally:
            os.close(handle)

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
            # A change is a few small rows in many tables: with small pages less is written.
            connection.execute("PRAGMA page_size = 2048")
            _write_ahead(connection)
            prepare(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
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


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 for any other error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def words_of(error: Exception) -> str:
    """What the system or SQLite says about it."""
    return getattr(error, "strerror", None) or str(error)
