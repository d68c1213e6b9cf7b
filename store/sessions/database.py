"""state.db, opened as a guest of the agent that writes it (hermes-formats §9.1, §9.7, §9.8).

Opened read-only, looked at in short transactions, and opened anew when the file was replaced.
The desk never writes, repairs, copies or otherwise touches it; what SQLite itself leaves beside
it (`-wal`, `-shm`) stays.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from schema.frozen import field, frozen
from store.refusals import BrokenDatabase, Locked, NotFound

BUSY_SECONDS = 2.0
"""How long another process may keep the file to itself; Hermes does so for milliseconds."""

KNOWN_VERSION = 22
"""The schema of hermes-agent 0.19.0."""

WORD, TRIGRAM = "messages_fts", "messages_fts_trigram"
VOCABULARY = "temp.trigram_words"
"""Every trigram with the messages in which it stands: columns `term` and `doc`."""

BROKEN = {WORD: "word_broken", TRIGRAM: "trigram_broken"}
"""The notice that an index is damaged."""

STEPS_BETWEEN_QUESTIONS = 20_000
CACHE_KIB = 16_384
_NEEDED = {
    "sessions": {"id", "source", "started_at"},
    "messages": {"id", "session_id", "role", "content", "timestamp"},
}
_INDEXES = ((WORD, "word", "no_word_index"), (TRIGRAM, "trigram", "no_trigram"))
_REBUILDING = ("fts_rebuild_progress", "fts_stale")

Row = tuple[Any, ...]
IsCancelled = Callable[[], bool]
Result = TypeVar("Result")


def never() -> bool:
    """Nobody gives this up."""
    return False


@frozen
class Cancelled:
    """Nobody waits for the answer any more."""


DatabaseRefusal = NotFound | Locked | BrokenDatabase
DATABASE_REFUSALS = (NotFound, Locked, BrokenDatabase)


@frozen
class Layout:
    """What is there: the columns of each table, the full-text tables, and what is odd of them.

    `partial`: indexes that leave messages out by design (the newer layout). `notices`: `newer`,
    `older`, `no_word_index`, `no_trigram`, `word_broken`, `trigram_broken`, `word_behind`,
    `trigram_behind`.
    """

    version: int | None
    sessions: frozenset[str]
    messages: frozenset[str]
    has_prompts: bool = False
    has_meta: bool = False
    indexes: frozenset[str] = field(default=frozenset())
    partial: frozenset[str] = field(default=frozenset())
    notices: tuple[str, ...] = ()


class Reader:
    """One look at the file, through a connection that nobody else uses meanwhile."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._seen = (-1, -1)
        self._schema: Layout | None = None
        self.layout = Layout(None, frozenset(), frozenset())

    def begin(self) -> None:
        """Look at the file as it is now."""
        self._connection.execute("BEGIN")
        version = self.one("PRAGMA schema_version"), self.one("PRAGMA data_version")
        if self._seen == version:
            return  # nobody has written since
        if self._schema is None or self._seen[0] != version[0]:
            self._schema = _layout(self)
        self.layout = _followed(self, self._schema)
        self._seen = version

    def rows(self, query: str, values: Sequence[object] | dict[str, object] = ()) -> list[Row]:
        """All rows of a query."""
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            if "decode" not in str(error) or self._connection.text_factory is _text:
                raise
            # Someone wrote what is no UTF-8: from here on, read with marks in its place.
            self._connection.text_factory = _text
            return self.rows(query, values)

    def one(self, query: str, values: Sequence[object] = ()) -> Any:
        """The first value of the first row; None if there is none."""
        row = self._connection.execute(query, values).fetchone()
        return None if row is None else row[0]


@frozen
class _Waiting:
    """A connection between two looks, and the file that it has open."""

    connection: sqlite3.Connection
    reader: Reader
    identity: tuple[int, int]


class Database:
    """The state.db at `path`. Any thread may call it; each look has a connection of its own.

    One connection waits for the next look, so that the indexes need not be loaded again; it holds
    no lock. `close` lets it go, and the next look opens the file anew.
    """

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Nothing is opened before the first look."""
        self.path = path
        self._busy_seconds = busy_seconds
        self._lock = threading.Lock()
        self._waiting: _Waiting | None = None

    def look(
        self, work: Callable[[Reader], Result], *, is_cancelled: IsCancelled = never
    ) -> Result | DatabaseRefusal | Cancelled:
        """What `work` makes of one consistent view; why the file cannot be read instead.

        `is_cancelled` is asked while SQLite works too. A file that is not there is `NotFound`,
        and none is made.
        """
        try:
            found = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            self.close()
            return NotFound("database", str(self.path))
        except OSError as error:
            return BrokenDatabase(str(self.path), "no_permission", error.strerror or str(error))
        if not os.path.isfile(self.path):
            return BrokenDatabase(str(self.path), "not_sqlite", "not a file")
        try:
            return self._looked((found.st_dev, found.st_ino), work, is_cancelled)
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_INTERRUPT:
                return Cancelled()
            refusal = self._refusal(error)
            if refusal is None:
                raise
            return refusal

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.connection.close()

    def _looked(
        self,
        identity: tuple[int, int],
        work: Callable[[Reader], Result],
        is_cancelled: IsCancelled,
    ) -> Result:
        mine = self._take(identity)
        try:
            mine.connection.set_progress_handler(
                lambda: int(is_cancelled()), STEPS_BETWEEN_QUESTIONS
            )
            mine.reader.begin()
            result = work(mine.reader)
            mine.connection.set_progress_handler(None, 0)
        except BaseException:
            mine.connection.close()
            raise
        try:
            mine.connection.execute("COMMIT")
        except sqlite3.Error:
            mine.connection.close()  # a broken index, which was gone around, speaks up again
        else:
            self._put_back(mine)
        return result

    def _take(self, identity: tuple[int, int]) -> _Waiting:
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            if waiting.identity == identity:
                return waiting
            waiting.connection.close()  # the file was replaced
        connection = self._open()
        return _Waiting(connection, Reader(connection), identity)

    def _put_back(self, mine: _Waiting) -> None:
        with self._lock:
            if self._waiting is None:
                self._waiting = mine
                return
        mine.connection.close()

    def _open(self, *, bear_with_it: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=ro",
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            if bear_with_it:
                connection.execute("PRAGMA writable_schema = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            _add_vocabulary(connection)
            connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _refusal(self, error: sqlite3.Error) -> DatabaseRefusal | None:
        path, detail = str(self.path), str(error)
        match _code(error):
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return Locked(path, self._busy_seconds)
            case sqlite3.SQLITE_NOTADB:
                return BrokenDatabase(path, "not_sqlite", detail)
            case sqlite3.SQLITE_CORRUPT:
                state = "truncated" if self._is_cut() else "corrupt"
                return BrokenDatabase(path, state, detail)
            case (
                sqlite3.SQLITE_READONLY
                | sqlite3.SQLITE_CANTOPEN
                | sqlite3.SQLITE_PERM
                | sqlite3.SQLITE_AUTH
            ):
                if os.access(self.path, os.R_OK):
                    return BrokenDatabase(path, "read_only_folder", detail)
                return BrokenDatabase(path, "no_permission", detail)
            case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_NOMEM | sqlite3.SQLITE_FULL:
                return BrokenDatabase(path, "no_permission", detail)
            case sqlite3.SQLITE_ERROR if "no such" in detail:
                return BrokenDatabase(path, "foreign", detail)
        return None

    def _is_cut(self) -> bool:
        """Whether the file ends before the last page that it should have.

        SQLite then refuses even its list of tables, unless it is told to bear with the file.
        """
        with suppress(OSError):
            size = self.path.stat().st_size
            if size % 512 or size < 512:
                return True
        for bear_with_it in (False, True):
            try:
                with closing(self._open(bear_with_it=bear_with_it)) as connection:
                    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
                return bear_with_it
            except sqlite3.Error:
                continue
        return False


def is_damage(error: sqlite3.Error) -> bool:
    """Whether this says that what was read is broken, and not that it could not be read."""
    return _code(error) not in (
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
    )


def broken_indexes(reader: Reader) -> tuple[str, ...]:
    """Notices on those full-text tables that do not even answer a simple question."""
    found = []
    for index in sorted(reader.layout.indexes):
        try:
            reader.one(f"SELECT rowid FROM {index} WHERE {index} MATCH ? LIMIT 1", ('"json"',))
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            found.append(BROKEN[index])
    return tuple(found)


def chosen(present: frozenset[str], wanted: dict[str, str], prefix: str = "") -> str:
    """The columns of `wanted` for a SELECT; where one is not `present`, its stand-in."""
    return ", ".join(
        f"{prefix}{name}" if name in present else f"{instead} AS {name}"
        for name, instead in wanted.items()
    )


def as_moment(value: object) -> float | None:
    """A stored time in UTC seconds; None if there is none."""
    return float(value) if isinstance(value, int | float) else None


def marks(values: Sequence[object]) -> str:
    """A question mark for each of `values`."""
    return ",".join("?" * len(values))


def _layout(reader: Reader) -> Layout:
    """What the schema says."""
    # Foreign tables of any kind may stand beside these, so they are looked up by name.
    tables: dict[str, str] = dict(reader.rows("SELECT name, sql FROM sqlite_master"))
    sessions, messages = (_columns(reader, name) for name in ("sessions", "messages"))
    if not (sessions >= _NEEDED["sessions"] and messages >= _NEEDED["messages"]):
        raise _missing("no such table: sessions and messages with the columns of Hermes")
    version = (
        reader.one("SELECT max(version) FROM schema_version")
        if "schema_version" in tables
        else None
    )
    notices = []
    if isinstance(version, int) and version != KNOWN_VERSION:
        notices.append("newer" if version > KNOWN_VERSION else "older")
    elif not {"active", "compacted"} <= messages or "archived" not in sessions:
        notices.append("older")
    notices += [absent for index, _, absent in _INDEXES if index not in tables]
    indexes = [index for index, _, _ in _INDEXES if index in tables]
    return Layout(
        version=version,
        sessions=sessions,
        messages=messages,
        has_prompts="system_prompts" in tables,
        has_meta="state_meta" in tables,
        indexes=frozenset(indexes),
        # Written with an own copy of the text, an index has every message in full.
        partial=frozenset(
            one for one in indexes if "content=" in (tables[one] or "").replace(" ", "")
        ),
        notices=tuple(notices),
    )


def _followed(reader: Reader, layout: Layout) -> Layout:
    """`layout` without the indexes that do not follow what is written, or cannot be read."""
    rebuilding = layout.has_meta and reader.one(
        f"SELECT 1 FROM state_meta WHERE key IN ({marks(_REBUILDING)})"
        " AND value NOT IN ('', '0', 'done')",
        _REBUILDING,
    )
    newest = reader.one("SELECT max(id) FROM messages") or 0
    unusable = {}
    for index, name, _ in _INDEXES:
        if index not in layout.indexes:
            continue
        try:
            last = reader.one(f"SELECT max(id) FROM {index}_docsize") or 0
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            unusable[index] = BROKEN[index]
        else:
            if rebuilding or (index not in layout.partial and last < newest):
                unusable[index] = f"{name}_behind"
    if not unusable:
        return layout
    return replace(
        layout,
        indexes=layout.indexes - set(unusable),
        notices=(*layout.notices, *unusable.values()),
    )


def _columns(reader: Reader, table: str) -> frozenset[str]:
    return frozenset(row[1] for row in reader.rows(f"PRAGMA table_info({table})"))


def _add_vocabulary(connection: sqlite3.Connection) -> None:
    """Make the table of `VOCABULARY` in memory; it need not be there."""
    try:
        connection.execute(
            f"CREATE VIRTUAL TABLE {VOCABULARY} USING fts5vocab('main', '{TRIGRAM}', 'instance')"
        )
    except sqlite3.OperationalError as error:
        if _code(error) != sqlite3.SQLITE_ERROR:
            raise


def _missing(detail: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(detail)
    error.sqlite_errorcode = sqlite3.SQLITE_ERROR
    return error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for any other error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
