"""Search in the notes as one types, by the language of the search in conversations.

The word index answers exactly; for parts of words and for scripts without blanks the trigram index
does, and what is too short for it is looked for in every note. A title that fits comes first.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from schema.frozen import frozen
from store.knowledge.walking import IsCancelled
from store.sessions.candidates import (
    loose_expression,
    piece_expression,
    scan_condition,
    word_expression,
)
from store.sessions.matching import Matcher, Snippet
from store.sessions.query import OPERATORS, Query, parse, relaxed

COLUMNS = ("names", "body")
MOST_LOOKED_AT = 50_000
TITLE_WEIGHT = 8.0


@frozen
class NoteHit:
    """A note that was found. `title_ranges` are the places in `title` that were found.

    `modified` in UTC seconds. A `conflict_copy` was made by a program that syncs.
    """

    path: Path
    folder: Path
    title: str
    title_ranges: tuple[tuple[int, int], ...]
    snippet: Snippet
    modified: float
    conflict_copy: bool


@frozen
class NotesFound:
    """The answer. `complete`: there is no further hit. `relaxed`: no note has all the words.

    `missing` are configured folders that are not there, in which nothing was looked for.
    """

    query: Query
    hits: tuple[NoteHit, ...] = ()
    complete: bool = True
    relaxed: bool = False
    missing: tuple[Path, ...] = ()


def as_typed(text: str) -> str:
    """The query while somebody still writes it: its last word may go on."""
    last = re.search(r"\S+\Z", text)
    if last is None or not text[-1].isalnum() or text.count('"') % 2:
        return text
    return text if last[0] in OPERATORS else text + "*"


class Search:
    """One search through an open connection, in the roots that are there."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        roots: Sequence[Path],
        *,
        limit: int,
        is_cancelled: IsCancelled,
    ) -> None:
        self._connection = connection
        self._limit = max(limit, 0)
        self._is_cancelled = is_cancelled
        wanted = {os.fsencode(root) for root in roots}
        rows = connection.execute("SELECT id, path FROM root").fetchall()
        self._roots = {number: path for number, path in rows if path in wanted}
        self._only = f"m.root IN ({', '.join(map(str, self._roots))})"

    def run(self, typed: str) -> NotesFound:
        """Find it; where no note has all the words, those that have some."""
        query = parse(typed)
        found = self._found(query)
        wider = relaxed(query)
        if found.hits or wider is None:
            return found
        found = self._found(wider)
        return NotesFound(query, found.hits, found.complete, relaxed=bool(found.hits))

    def _found(self, query: Query) -> NotesFound:
        if query.node is None or not self._roots:
            return NotesFound(query)
        ids = self._ids(query)
        matcher = Matcher(query)
        hits = [self._hit(one, matcher) for one in ids[: self._limit]]
        return NotesFound(query, tuple(hits), len(ids) <= self._limit)

    # -- which notes ---------------------------------------------------------------------

    def _ids(self, query: Query) -> list[int]:
        """The best notes first; one more than the limit tells that there are more."""
        assert query.node is not None  # noqa: S101
        most = self._limit + 1
        words, grams = word_expression(query.node), piece_expression(query.node)
        if words is None and grams is not None:
            return self._ranked("grams", grams, most)
        ids = [] if words is None else self._ranked("words", words, most)
        if len(ids) < most:
            # Latin words that are glued to Chinese ones are no words to the index.
            have = set(ids)
            ids += [one for one in self._looked_at(query) if one not in have]
        return ids[:most]

    def _ranked(self, table: str, expression: str, most: int) -> list[int]:
        titles = f"({{names}} : ({expression})) AND ({expression})"
        found = self._matching(table, titles, most)
        if len(found) < most:
            found |= self._matching(table, expression, most + len(found))
        # What a program that syncs put aside comes last, whatever it is called.
        return sorted(found, key=found.__getitem__)[:most]

    def _matching(self, table: str, expression: str, most: int) -> dict[int, int]:
        """The best notes first, with whether each is a copy of a conflict."""
        rows = self._connection.execute(
            f"SELECT m.id, m.copy FROM {table} JOIN note m ON m.id = {table}.rowid"  # noqa: S608
            f" WHERE {table} MATCH ? AND {self._only}"
            f" ORDER BY m.copy, bm25({table}, {TITLE_WEIGHT}, 1.0), m.modified DESC LIMIT ?",
            (expression, most),
        )
        return dict(rows.fetchall())

    def _looked_at(self, query: Query) -> Iterator[int]:
        """Notes that fit when they are looked at one by one; titles first, then by weight."""
        assert query.node is not None  # noqa: S101
        matcher, found = Matcher(query), []
        for number, copy, names, body in self._candidates(query):
            if self._is_cancelled():
                raise Interrupted
            name, text = matcher.fold(names), matcher.fold(f"{names}\n{body}")
            if matcher.fits(text):
                weight = matcher.weight(text)
                found.append((copy, not matcher.fits(name), -weight, number))
        return (one[-1] for one in sorted(found))

    def _candidates(self, query: Query) -> Iterator[tuple[int, int, str, str]]:
        assert query.node is not None  # noqa: S101
        columns = "m.id, m.copy, m.names, m.body"
        loose = loose_expression(query.node)
        if loose is not None:
            yield from self._connection.execute(
                f"SELECT {columns} FROM grams JOIN note m ON m.id = grams.rowid"  # noqa: S608
                f" WHERE grams MATCH ? AND {self._only} LIMIT ?",
                (loose, MOST_LOOKED_AT),
            )
            return
        condition, values = scan_condition(query.node, COLUMNS)
        yield from self._connection.execute(
            f"SELECT {columns} FROM note m WHERE {condition} AND {self._only}"  # noqa: S608
            " ORDER BY m.modified DESC LIMIT ?",
            (*values, MOST_LOOKED_AT),
        )

    # -- what is shown of them -----------------------------------------------------------

    def _hit(self, number: int, matcher: Matcher) -> NoteHit:
        from store.knowledge.notes import without_front_matter

        root, path, title, body, modified, copy = self._connection.execute(
            "SELECT root, path, title, body, modified, copy FROM note WHERE id = ?", (number,)
        ).fetchone()
        folder = Path(os.fsdecode(self._roots[root]))
        behind = without_front_matter(body)
        snippet = matcher.snippet(behind.strip())
        if not snippet.ranges and behind != body:
            front = matcher.snippet(body)
            snippet = front if front.ranges else snippet
        return NoteHit(
            folder / os.fsdecode(path),
            folder,
            title,
            _within(matcher.snippet(title), title),
            snippet,
            modified / 1e9,
            bool(copy),
        )


class Interrupted(Exception):
    """Nobody waits any more; the one who asked turns this into `Cancelled`."""


def _within(found: Snippet, title: str) -> tuple[tuple[int, int], ...]:
    """The ranges of a snippet, where it is all of the title."""
    return found.ranges if len(found.text) == len(title) else ()
