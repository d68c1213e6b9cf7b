"""state.db, opened as a guest of the agent that writes it (hermes-formats §9.1, §9.7, §9.8).

Every look opens the file anew, read-only, and closes it: nothing of the desk stands in the way
of the agent, and a file that was replaced is noticed. The desk never writes, repairs, copies or
otherwise touches it; what SQLite itself leaves beside it (`-wal`, `-shm`) stays.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from schema.frozen import field, frozen
from store.refusals import BrokenDatabase, Locked, NotFound

BUSY_SECONDS = 2.0
"""How long another process may keep the file to itself; Hermes does so for milliseconds."""

KNOWN_VERSION = 22
"""The schema of hermes-agent 0.19.0."""

WORD, TRIGRAM = "messages_fts", "messages_fts_trigram"
BROKEN = {WORD: "word_broken", TRIGRAM: "trigram_broken"}
"""The notice that an index is damaged."""

STEPS_BETWEEN_QUESTIONS = 20_000
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
    indexes: frozenset[str] = field(default=frozenset())
    partial: frozenset[str] = field(default=frozenset())
    notices: tuple[str, ...] = ()


class Reader:
    """One open look at the file; belongs to the call that opened it."""

    def __init__(self, connection: sqlite3.Connection, identity: tuple[int, int]) -> None:
        self._connection = connection
        self.identity = identity
        self.layout = _layout(self)
        self._vocabularies: set[str] = set()

    def rows(self, query: str, values: Sequence[object] | dict[str, object] = ()) -> list[Row]:
        """All rows of a query."""
        return self._connection.execute(query, values).fetchall()

    def each(self, query: str, values: Sequence[object] = ()) -> Iterable[Row]:
        """The rows of a query, one by one."""
        return self._connection.execute(query, values)

    def one(self, query: str, values: Sequence[object] = ()) -> Any:
        """The first value of the first row; None if there is none."""
        row = self._connection.execute(query, values).fetchone()
        return None if row is None else row[0]

    def vocabulary(self, index: str) -> str:
        """A table of the words of `index` with the places where they stand, kept in memory."""
        if index not in self._vocabularies:
            self._connection.execute("PRAGMA query_only = OFF")
            self._connection.execute(
                f"CREATE VIRTUAL TABLE temp.{index}_words USING"
                f" fts5vocab('main', '{index}', 'instance')"
            )
            self._connection.execute("PRAGMA query_only = ON")
            self._vocabularies.add(index)
        return f"temp.{index}_words"


class Database:
    """The state.db at `path`. Any thread may call it."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Nothing is opened before the first look."""
        self.path = path
        self._busy_seconds = busy_seconds

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
            return NotFound("database", str(self.path))
        except OSError as error:
            return BrokenDatabase(str(self.path), "no_permission", error.strerror or str(error))
        if not os.path.isfile(self.path):
            return BrokenDatabase(str(self.path), "not_sqlite", "not a file")
        try:
            with closing(self._open()) as connection:
                connection.set_progress_handler(
                    lambda: int(is_cancelled()), STEPS_BETWEEN_QUESTIONS
                )
                connection.execute("BEGIN")
                return work(Reader(connection, (found.st_dev, found.st_ino)))
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_INTERRUPT:
                return Cancelled()
            refusal = self._refusal(error)
            if refusal is None:
                raise
            return refusal

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=ro",
            uri=True,
            timeout=self._busy_seconds,
            isolation_level=None,
        )
        try:
            connection.text_factory = _text
            connection.execute("PRAGMA temp_store = MEMORY")
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
                with closing(self._open()) as connection:
                    if bear_with_it:
                        connection.execute("PRAGMA writable_schema = ON")
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
    # Foreign tables of any kind may stand beside these, so they are looked up by name.
    tables: dict[str, str] = dict(reader.rows("SELECT name, sql FROM sqlite_master"))
    sessions, messages = (_columns(reader, name) for name in ("sessions", "messages"))
    if (
        not {"id", "source", "started_at"} <= sessions
        or not {
            "id",
            "session_id",
            "role",
            "content",
            "timestamp",
        }
        <= messages
    ):
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
    indexes, partial = set(), set()
    rebuilding = "state_meta" in tables and reader.one(
        f"SELECT 1 FROM state_meta WHERE key IN ({marks(_REBUILDING)})"
        " AND value NOT IN ('', '0', 'done')",
        _REBUILDING,
    )
    for index, name, absent in (
        (WORD, "word", "no_word_index"),
        (TRIGRAM, "trigram", "no_trigram"),
    ):
        if index not in tables:
            notices.append(absent)
            continue
        # Written with an own copy of the text, an index has every message in full.
        if "content=" in (tables[index] or "").replace(" ", ""):
            partial.add(index)
        state = _index_state(reader, index, is_partial=index in partial)
        if state == "ok" and rebuilding:
            state = "behind"
        if state == "ok":
            indexes.add(index)
        else:
            notices.append(f"{name}_{state}")
    return Layout(
        version=version,
        sessions=sessions,
        messages=messages,
        has_prompts="system_prompts" in tables,
        indexes=frozenset(indexes),
        partial=frozenset(partial),
        notices=tuple(notices),
    )


def _index_state(reader: Reader, index: str, *, is_partial: bool) -> str:
    """`ok`, `broken`, or `behind`: it does not follow what is written, so it misses messages."""
    try:
        last = reader.one(f"SELECT max(id) FROM {index}_docsize")
    except sqlite3.Error as error:
        if is_damage(error):
            return "broken"
        raise
    newest = reader.one("SELECT max(id) FROM messages")
    return "behind" if not is_partial and (last or 0) < (newest or 0) else "ok"


def _columns(reader: Reader, table: str) -> frozenset[str]:
    return frozenset(row[1] for row in reader.rows(f"PRAGMA table_info({table})"))


def _missing(detail: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(detail)
    error.sqlite_errorcode = sqlite3.SQLITE_ERROR
    return error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for any other error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
