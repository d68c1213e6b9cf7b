"""What the desk changed, when and by whom: intent before a write, done after it.

One SQLite file per profile in the desk's data folder (0600). A row is added for every change
and only its state moves on, so nothing that happened is ever rewritten. Bytes before and after
make every change undoable, and tell after a crash how far it came.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from store.home import HermesHome
from store.refusals import ReadOnly

State = Literal["intent", "done", "abandoned"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS change(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, who TEXT NOT NULL,
    action TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, undoes INTEGER,
    gone TEXT NOT NULL, come TEXT NOT NULL, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS part(
    change_id INTEGER NOT NULL REFERENCES change(id), ordinal INTEGER NOT NULL,
    path TEXT NOT NULL, before BLOB, after BLOB, PRIMARY KEY(change_id, ordinal));
CREATE INDEX IF NOT EXISTS unfinished ON change(state) WHERE state = 'intent';
CREATE INDEX IF NOT EXISTS undone ON change(undoes) WHERE undoes IS NOT NULL;
PRAGMA user_version = 1;
"""

_SELECT = (
    "SELECT c.id, c.at, c.who, c.action, c.target, c.gone, c.come, c.record, c.undoes, c.state,"
    " u.id FROM change c LEFT JOIN change u ON u.undoes = c.id AND u.state = 'done' WHERE"
)


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a change: its bytes before and after; None where there was no file.

    `path` is relative to the home, with `/`.
    """

    path: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Intent:
    """What is about to happen. `record` is the id of the pending record, if one is involved.

    `gone` and `come` are the full texts of entries that leave and arrive.
    """

    who: str
    action: str
    target: str
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    record: str = ""
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
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
        """Whether `undo` may be tried: it happened and was not undone."""
        return self.state == "done" and self.undone_by is None


def journal_path(data_dir: Path, home: HermesHome) -> Path:
    """Where the journal of a profile is kept; named by the real path of the Hermes root."""
    root = sha256(os.path.realpath(home.root).encode("utf-8", "surrogateescape")).hexdigest()
    return data_dir / "journal" / root[:12] / f"{home.profile}.sqlite"


class Journal:
    """The journal of one profile. Opened when first used; any thread may call it."""

    def __init__(self, path: Path, *, clock: object = None) -> None:
        """Nothing is read or made before the first call."""
        self.path = path
        self.set_aside: Path | None = None
        self._clock = clock if callable(clock) else time.time
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    # -- writing -------------------------------------------------------------------------

    def begin(self, intent: Intent, parts: Sequence[Part]) -> int | ReadOnly:
        """Put an intent on disk, so that a crash after this can be told apart. Its id."""
        try:
            with self._writing(durable=True) as connection:
                row = connection.execute(
                    "INSERT INTO change(at, who, action, target, state, undoes, gone, come, record)"
                    " VALUES (?, ?, ?, ?, 'intent', ?, ?, ?, ?)",
                    (
                        float(self._clock()),
                        intent.who,
                        intent.action,
                        intent.target,
                        intent.undoes,
                        json.dumps(intent.gone, ensure_ascii=False),
                        json.dumps(intent.come, ensure_ascii=False),
                        intent.record,
                    ),
                )
                change_id = row.lastrowid or 0
                connection.executemany(
                    "INSERT INTO part VALUES (?, ?, ?, ?, ?)",
                    [(change_id, n, p.path, p.before, p.after) for n, p in enumerate(parts)],
                )
        except (sqlite3.Error, OSError) as error:
            return ReadOnly(str(self.path), str(error))
        return change_id

    def finish(self, change_id: int, state: Literal["done", "abandoned"]) -> None:
        """Say how an intent ended. A failure here is made good at the next start."""
        with suppress(sqlite3.Error, OSError), self._writing(durable=False) as connection:
            connection.execute("UPDATE change SET state = ? WHERE id = ?", (state, change_id))

    # -- reading -------------------------------------------------------------------------

    def changes(self, *, target: str | None = None, limit: int = 200) -> tuple[JournalEntry, ...]:
        """The latest changes, newest first, without the bytes of their files."""
        return self._select(
            "c.state = 'done' AND (:target IS NULL OR c.target = :target OR c.target = 'both')",
            {"target": target, "limit": limit},
        )

    def unfinished(self) -> tuple[JournalEntry, ...]:
        """Intents that nobody finished, oldest first, with their parts."""
        found = self._select("c.state = 'intent'", {"limit": -1})
        return tuple(self._with_parts(entry) for entry in reversed(found))

    def get(self, change_id: int) -> JournalEntry | None:
        """One change with its parts."""
        found = self._select("c.id = :id", {"id": change_id, "limit": 1})
        return self._with_parts(found[0]) if found else None

    def latest_undoable(self) -> JournalEntry | None:
        """The last change of a person that was not undone and is no undo itself."""
        found = self._select("c.state = 'done' AND c.undoes IS NULL AND u.id IS NULL", {"limit": 1})
        return self._with_parts(found[0]) if found else None

    def _select(self, where: str, values: dict[str, object]) -> tuple[JournalEntry, ...]:
        if self._connection is None and not self.path.exists():
            return ()
        query = " ".join((_SELECT, where, "ORDER BY c.id DESC LIMIT :limit"))
        with self._lock:
            rows = self._open().execute(query, values).fetchall()
        return tuple(
            JournalEntry(
                row[0],
                row[1],
                Intent(
                    row[2],
                    row[3],
                    row[4],
                    tuple(json.loads(row[5])),
                    tuple(json.loads(row[6])),
                    row[7],
                    row[8],
                ),
                row[9],
                row[10],
            )
            for row in rows
        )

    def _with_parts(self, entry: JournalEntry) -> JournalEntry:
        with self._lock:
            rows = self._open().execute(
                "SELECT path, before, after FROM part WHERE change_id = ? ORDER BY ordinal",
                (entry.id,),
            )
            parts = tuple(Part(*row) for row in rows.fetchall())
        return JournalEntry(entry.id, entry.at, entry.intent, entry.state, entry.undone_by, parts)

    # -- the file ------------------------------------------------------------------------

    @contextmanager
    def _writing(self, *, durable: bool) -> Iterator[sqlite3.Connection]:
        with self._lock:
            connection = self._open()
            # An intent must survive a power cut; losing its end only means looking again.
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'OFF'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                self._connection = self._connect()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                # Not a database any more: keep it for a person to look at, and start anew.
                self.set_aside = self.path.with_name(f"{self.path.name}.broken-{time.time_ns()}")
                self.path.rename(self.set_aside)
                for suffix in ("-wal", "-shm"):
                    self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
                self._connection = self._connect()
        return self._connection

    def _connect(self) -> sqlite3.Connection:
        # The mode is set before SQLite sees the file; its -wal and -shm take the same one.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(
            self.path, timeout=10, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                connection.executescript(_SCHEMA)
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
