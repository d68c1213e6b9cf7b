"""What the desk changed, when and by whom: intent before a write, done after it.

One SQLite file per profile in the desk's data folder (0600). A row is added for every change
and only its state moves on, so nothing that happened is ever rewritten. Bytes before and after
make every change undoable, and tell after a crash how far it came.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

from schema.frozen import frozen, replace
from store.changes import Intent, Part
from store.files import digest_of
from store.history_texts import LeftOut, without_secrets, without_text
from store.home import HermesHome
from store.journal_file import JournalFile, words_of
from store.refusals import Locked, ReadOnly, Unreadable

State = Literal["intent", "done", "abandoned"]

KEYS = "keys"
"""The target of a change of keys: names stand in the journal, and never a value."""

_INSERT = (
    "INSERT INTO change(at, who, action, target, undoes, gone, come, record, state, secret)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_PART = "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ARRIVALS = (
    "SELECT id, at, who, action, target, gone, come, undoes FROM change WHERE state = 'done'"
    " ORDER BY id DESC"
)
_LAST = (
    "SELECT EXISTS (SELECT 1 FROM change c CROSS JOIN part p ON p.change_id = c.id"
    " WHERE c.state = 'intent' AND p.path = :path), data, mark FROM (SELECT NULL) LEFT JOIN ("
    "SELECT * FROM (SELECT p.after AS data, p.after_mark AS mark FROM part p WHERE p.path = :path"
    " AND p.kind = 'file' AND EXISTS"
    " (SELECT 1 FROM change c WHERE c.id = p.change_id AND c.state = 'done')"
    " ORDER BY p.change_id DESC LIMIT 1)"
    " UNION ALL SELECT data, mark FROM known WHERE path = :path LIMIT 1)"
)
"""Whether a change of that file has not ended, or its owner crashed; and how it was last."""
_OLDER = "SELECT count(*) FROM change WHERE id < ? AND state <> 'intent'"
_KEEP_KNOWN = (
    "INSERT OR REPLACE INTO known SELECT p.path, ?, p.after, p.after_mark"
    " FROM part p JOIN (SELECT path, max(change_id) AS last FROM part JOIN change"
    " ON id = change_id WHERE state = 'done' AND kind = 'file' AND id < ? GROUP BY path) newest"
    " ON newest.path = p.path AND newest.last = p.change_id"
    " WHERE p.path LIKE 'memories/%' AND p.change_id < ?"
)
_ANYTHING = "SELECT 1 FROM known WHERE path = ? UNION ALL SELECT 1 FROM part WHERE path = ? LIMIT 1"
_PERHAPS = (
    "SELECT DISTINCT c.id FROM change c LEFT JOIN part p ON p.change_id = c.id"
    " WHERE instr(c.gone, :text) OR instr(c.come, :text) OR p.path LIKE 'pending/%'"
    " OR instr(p.before, :data) OR instr(p.after, :data)"
)
"""The changes that may hold a text; a record may spell it in another way."""
_NOTHING, _DUE, _AROUND, _OWN = range(4)
"""`change.secret`: whether it holds a hard-coded secret. Due: to be left out as soon as it ended,
until when a crash may need the bytes. Around: left out, of entries beside it. Own: of its own."""
_SELECT = (
    "SELECT c.id, c.at, c.who, c.action, c.target, c.gone, c.come, c.record, c.undoes, c.state,"
    " u.id, c.secret FROM change c LEFT JOIN change u ON u.undoes = c.id AND u.state = 'done' WHERE"
)


class Arrival(NamedTuple):
    """A change as far as ages need it; `gone` is JSON."""

    id: int
    at: float
    who: str
    action: str
    target: str
    gone: str
    come: tuple[str, ...]
    undoes: int | None


@frozen
class JournalEntry:
    """A change that the journal holds; `at` in UTC seconds.

    `withheld`: it is about a hard-coded secret, or about what was to be forgotten, so its texts
    are not kept and there is no way back.
    """

    id: int
    at: float
    intent: Intent
    state: State
    undone_by: int | None
    parts: tuple[Part, ...] = ()
    withheld: bool = False

    @property
    def undoable(self) -> bool:
        """Whether `undo` may be tried: it happened, was not undone, and its texts are kept."""
        kept = not self.about_keys and not self.withheld
        return self.state == "done" and self.undone_by is None and kept

    @property
    def about_keys(self) -> bool:
        """Whether this was about keys: their values are kept nowhere, so there is no way back."""
        return self.intent.target == KEYS


def journal_path(data_dir: Path, home: HermesHome) -> Path:
    """Where the journal of a profile is kept; named by the real path of the Hermes root."""
    root = sha256(os.path.realpath(home.root).encode("utf-8", "surrogateescape")).hexdigest()
    return data_dir / "journal" / root[:12] / f"{home.profile}.sqlite"


class Journal(JournalFile):
    """The journal of one profile. Opened when first used; any thread may call it."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Nothing is read or made before the first call."""
        super().__init__(path)
        self._clock = clock

    # -- writing -------------------------------------------------------------------------

    def begin(
        self, intent: Intent, parts: Sequence[Part], *, wait: bool = True
    ) -> int | ReadOnly | Locked:
        """Write down an intent, so that a crash after this can be told apart. Its id.

        If the caller does not `wait`, only a power cut could still lose it, until `reach_disk`.
        """
        secret = _DUE if without_secrets(intent, parts) is not None else _NOTHING
        return self._safely(lambda: self._insert(intent, parts, "intent", secret, wait=wait))

    def note(self, intent: Intent, parts: Sequence[Part]) -> int | ReadOnly | Locked:
        """Put on disk what others did; its id."""
        left = without_secrets(intent, parts)
        if left is None:
            return self._safely(lambda: self._insert(intent, parts, "done", _NOTHING))
        secret = _OWN if left.own else _AROUND
        return self._safely(lambda: self._insert(left.intent, left.parts, "done", secret))

    def begin_with(self, path: str, data: bytes | None) -> ReadOnly | Locked | None:
        """Remember how a watched file is of which nothing is known yet."""
        left = without_secrets(Intent("", "", ""), [Part(path, data, None)])
        part = left.parts[0] if left is not None else Part(path, data, None)

        def insert() -> None:
            with self._writing() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO known VALUES (?, ?, ?, ?)",
                    (path, float(self._clock()), part.before, digest_of(data)),
                )

        return self._safely(insert)

    def _insert(
        self,
        intent: Intent,
        parts: Sequence[Part],
        state: State,
        secret: int,
        *,
        wait: bool = True,
    ) -> int:
        row = (
            *(float(self._clock()), intent.who, intent.action, intent.target, intent.undoes),
            *_texts_of(intent),
            *(intent.record, state, secret),
        )
        with self._writing(wait=wait) as connection:
            change_id = connection.execute(_INSERT, row).lastrowid or 0
            connection.executemany(_INSERT_PART, _rows_of(change_id, parts))
        return change_id

    def finish(self, change_id: int, state: Literal["done", "abandoned"]) -> None:
        """Say how an intent ended. A failure here is made good at the next start."""
        with suppress(sqlite3.Error, OSError), self._lock:
            connection = self._open()
            # It is not waited for: should a power cut lose the end, the next start looks again.
            ended = connection.execute(
                "UPDATE change SET state = ? WHERE id = ? AND secret <> ?",
                (state, change_id, _DUE),
            )
            if not ended.rowcount:
                self._end_without_secrets(change_id, state)

    def _end_without_secrets(self, change_id: int, state: State) -> None:
        found = self._with_parts_of(change_id)
        left = None if found is None else without_secrets(found.intent, found.parts)
        if left is None:
            return
        with self._wiping() as connection:
            self._rewrite(connection, change_id, left)
            connection.execute("UPDATE change SET state = ? WHERE id = ?", (state, change_id))

    def _rewrite(self, connection: sqlite3.Connection, change_id: int, left: LeftOut) -> None:
        """Keep of a change only what is left of it."""
        connection.execute(
            "UPDATE change SET gone = ?, come = ?, secret = max(secret, ?) WHERE id = ?",
            (*_texts_of(left.intent), _OWN if left.own else _AROUND, change_id),
        )
        connection.execute("DELETE FROM part WHERE change_id = ?", (change_id,))
        connection.executemany(_INSERT_PART, _rows_of(change_id, left.parts))

    # -- letting go ----------------------------------------------------------------------

    def prune(self, *, since: float, most: int) -> int:
        """Let go of what is older than `since` (UTC seconds), and of all but the `most` latest.

        How many changes that were. Only the oldest go, so what is left can be undone as before;
        how a file was last stays known.
        """
        with suppress(sqlite3.Error, OSError), self._lock:
            if self._connection is None and not self.path.exists():
                return 0
            first = self._first_to_keep(since, most)
            if not self._open().execute(_OLDER, (first,)).fetchone()[0]:
                return 0
            with self._wiping() as connection:
                connection.execute(_KEEP_KNOWN, (float(self._clock()), first, first))
                connection.execute(
                    "DELETE FROM part WHERE change_id IN"
                    " (SELECT id FROM change WHERE id < ? AND state <> 'intent')",
                    (first,),
                )
                gone = connection.execute(
                    "DELETE FROM change WHERE id < ? AND state <> 'intent'", (first,)
                )
            return gone.rowcount
        return 0

    def _first_to_keep(self, since: float, most: int) -> int:
        connection = self._open()
        young = "SELECT ifnull(min(id), (SELECT ifnull(max(id), 0) + 1 FROM change)) FROM change"
        by_age = connection.execute(f"{young} WHERE at >= ?", (since,)).fetchone()[0]
        last = connection.execute(
            "SELECT id FROM change ORDER BY id DESC LIMIT 1 OFFSET ?", (max(most, 1) - 1,)
        ).fetchone()
        return max(int(by_age), 0 if last is None else int(last[0]))

    def start_forgetting(self, text: str) -> ReadOnly | Locked | None:
        """Note that this entry is to be forgotten, in case a crash comes between."""

        def insert() -> None:
            with self._writing() as connection:
                connection.execute("INSERT OR IGNORE INTO forgetting VALUES (?)", (text,))

        return self._safely(insert)

    def forgetting(self) -> tuple[str, ...]:
        """What was to be forgotten and is not yet."""
        with suppress(sqlite3.Error, OSError), self._lock:
            if self.path.exists():
                return tuple(row[0] for row in self._open().execute("SELECT text FROM forgetting"))
        return ()

    def forget(self, text: str, *, done: bool = True) -> int | ReadOnly | Locked:
        """Leave this entry out of every change; how many held it. Without `done`, only that."""

        def rewrite() -> int:
            # The longest part of the text that stands in JSON, and at any line end, as it is.
            part = max(re.split(r'["\\\r\n\t]', text), key=len)
            sought = {"text": part, "data": part.encode()}
            ids = [row[0] for row in self._open().execute(_PERHAPS, sought)]
            with self._wiping() as connection:
                found = sum(self._forget_in(connection, one, text) for one in ids) if done else 0
                self._forget_known(connection, text if done else None)
                connection.execute("DELETE FROM forgetting WHERE text = ?", (text,))
            return found

        return self._safely(rewrite)

    def _forget_in(self, connection: sqlite3.Connection, change_id: int, text: str) -> bool:
        found = self._with_parts_of(change_id)
        left = None if found is None else without_text(found.intent, found.parts, text)
        if left is not None:
            self._rewrite(connection, change_id, left)
        return left is not None

    def _forget_known(self, connection: sqlite3.Connection, text: str | None) -> None:
        for path, data in connection.execute("SELECT path, data FROM known").fetchall():
            part = Part(path, data, None)
            left = None if text is None else without_text(Intent("", "", ""), [part], text)
            if left is not None:
                connection.execute(
                    "UPDATE known SET data = ? WHERE path = ?", (left.parts[0].before, path)
                )

    # -- reading -------------------------------------------------------------------------

    def changes(
        self, *, target: str | None = None, limit: int = -1
    ) -> tuple[JournalEntry, ...] | Unreadable:
        """The latest `limit` changes (-1: all), newest first, without the bytes of their files."""
        return self._select(
            "c.state = 'done' AND (:target IS NULL OR c.target = :target OR c.target = 'both')",
            {"target": target, "limit": limit},
        )

    def arrivals(self) -> Iterator[Arrival]:
        """What came into the files, newest first, without the rest: quicker than `changes`."""
        with suppress(sqlite3.Error, OSError, ValueError):
            with self._lock:
                if self._connection is None and not self.path.exists():
                    return
                rows = self._open().execute(_ARRIVALS).fetchall()
            for number, at, who, action, target, gone, come, undoes in rows:
                texts = () if come == "[]" else tuple(json.loads(come))
                yield Arrival(number, at, who, action, target, gone, texts, undoes)

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
        where += f" AND c.secret <> {_OWN} AND c.who NOT IN ('agent', 'other')"
        return _first(self._select(where, {"limit": 1}, parts=True))

    def known(self, path: str) -> str | Unreadable | None:
        """The digest of a watched file as it was last; None if nothing is known, or not for sure.

        That is how the last change left it, or how it was when the journal began.
        """
        found = self.last(path)
        if found is None or isinstance(found, Unreadable):
            return found
        return found[1] or digest_of(found[0])

    def last(self, path: str) -> tuple[bytes | None, str] | Unreadable | None:
        """As `known`, with its bytes and the mark where something was left out of them."""
        try:
            with self._lock:
                if self._connection is None and not self.path.exists():
                    return None
                unsure, data, mark = self._open().execute(_LAST, {"path": path}).fetchone()
                return None if unsure or mark is None else (data, mark)
        except (sqlite3.Error, OSError) as error:
            return Unreadable(str(self.path), words_of(error))

    def knows(self, path: str) -> bool:
        """Whether anything was ever known of that file, be it unsure now."""
        try:
            with self._lock:
                return self._open().execute(_ANYTHING, (path, path)).fetchone() is not None
        except (sqlite3.Error, OSError):
            return True

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
            return Unreadable(str(self.path), words_of(error))

    def _with_parts_of(self, change_id: int) -> JournalEntry | None:
        found = self.get(change_id)
        return None if isinstance(found, Unreadable) else found

    def _with_parts(self, entry: JournalEntry) -> JournalEntry:
        rows = self._open().execute(
            "SELECT path, before, after, kind, mode, before_mark, after_mark FROM part"
            " WHERE change_id = ? ORDER BY ordinal",
            (entry.id,),
        )
        return replace(entry, parts=tuple(Part(*row) for row in rows))


def _entry(row: tuple[Any, ...]) -> JournalEntry:
    number, at, who, action, target, gone, come, record, undoes, state, undone_by, secret = row
    intent = Intent(
        who, action, target, tuple(json.loads(gone)), tuple(json.loads(come)), record, undoes
    )
    return JournalEntry(number, at, intent, state, undone_by, withheld=secret == _OWN)


def _texts_of(intent: Intent) -> tuple[str, str]:
    gone, come = (json.dumps(texts, ensure_ascii=False) for texts in (intent.gone, intent.come))
    return gone, come


def _rows_of(change_id: int, parts: Sequence[Part]) -> list[tuple[object, ...]]:
    return [
        (change_id, n, p.path, p.before, p.after, p.kind, p.mode, p.before_mark, p.after_mark)
        for n, p in enumerate(parts)
    ]


def _first(
    found: tuple[JournalEntry, ...] | Unreadable,
) -> JournalEntry | Unreadable | None:
    if isinstance(found, Unreadable):
        return found
    return found[0] if found else None
