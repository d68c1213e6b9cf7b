"""Search in the notes as one types, by the language of the search in conversations.

The word index answers exactly. For parts of words and for scripts without blanks the trigram index
names those that may fit, which are looked at; what is too short for it is looked for in every note.
A title that fits comes first.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from schema.frozen import frozen
from store.knowledge.walking import IsCancelled
from store.sessions.candidates import GRAM, quoted, scan_condition, word_expression
from store.sessions.matching import Matcher, Snippet
from store.sessions.query import (
    OPERATORS,
    AllOf,
    AnyOf,
    Node,
    Piece,
    Query,
    Without,
    Word,
    parse,
    relaxed,
    tokens,
)

COLUMNS = ("names", "body")
ENOUGH = 200
TITLE_WEIGHT = 8.0
Row = tuple[int, int, str, str]


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


def gram_expression(node: Node) -> str | None:
    """What finds at least all that fits, in an index of trigrams without places; None: nothing."""
    match node:
        case Piece(text) | Word(text):
            # Of a phrase, other marks may stand between its words: only these are sure.
            texts = [text] if isinstance(node, Piece) else tokens(text)
            grams = [one[i : i + GRAM] for one in texts for i in range(len(one) - GRAM + 1)]
            return " AND ".join(map(quoted, dict.fromkeys(grams))) or None
        case Without(wanted, _):
            return gram_expression(wanted)
        case AllOf(parts):
            known = [one for one in map(gram_expression, parts) if one is not None]
            return " AND ".join(f"({one})" for one in known) or None
        case AnyOf(parts):
            each = [gram_expression(part) for part in parts]
            return None if None in each else " OR ".join(f"({one})" for one in each)


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
        words = word_expression(query.node)
        ids = [] if words is None else self._ranked(words, most)
        if len(ids) < most:
            # Latin words that are glued to Chinese ones are no words to the index.
            have = set(ids)
            ids += [one for one in self._looked_at(query, most) if one not in have]
        return ids[:most]

    def _ranked(self, expression: str, most: int) -> list[int]:
        titles = f"({{names}} : ({expression})) AND ({expression})"
        found = self._matching(titles, most)
        if len(found) < most:
            found |= self._matching(expression, most + len(found))
        # What a program that syncs put aside comes last, whatever it is called.
        return sorted(found, key=found.__getitem__)[:most]

    def _matching(self, expression: str, most: int) -> dict[int, int]:
        """The best notes first, with whether each is a copy of a conflict."""
        rows = self._connection.execute(
            "SELECT m.id, m.copy FROM words JOIN note m ON m.id = words.rowid"  # noqa: S608
            f" WHERE words MATCH ? AND {self._only}"
            f" ORDER BY m.copy, bm25(words, {TITLE_WEIGHT}, 1.0), m.modified DESC LIMIT ?",
            (expression, most),
        )
        return dict(rows.fetchall())

    def _looked_at(self, query: Query, most: int) -> list[int]:
        """Notes that fit when they are looked at one by one: titles first, then by weight.

        Of more than `ENOUGH` that fit, those are weighed that were changed last.
        """
        matcher = Matcher(query)
        found: dict[int, tuple[int, int, float]] = {}
        for rows, by_name in ((self._named(query), 0), (self._candidates(query), 1)):
            for number, copy, names, body in rows:
                if self._is_cancelled():
                    raise Interrupted
                text = matcher.fold(f"{names}\n{body}")
                fits = matcher.fits(text) and (by_name or matcher.fits(matcher.fold(names)))
                if fits and number not in found:
                    found[number] = (copy, by_name, -matcher.weight(text))
                    if len(found) >= max(most, ENOUGH):
                        break
        return sorted(found, key=found.__getitem__)

    def _named(self, query: Query) -> Iterator[Row]:
        """Notes that may fit by what they are called."""
        assert query.node is not None  # noqa: S101
        condition, values = scan_condition(query.node, ("names",))
        return self._rows(f"note m WHERE {condition}", values)

    def _candidates(self, query: Query) -> Iterator[Row]:
        """All that may fit: by the trigram index, or where it cannot tell, by looking at each."""
        assert query.node is not None  # noqa: S101
        grams = gram_expression(query.node)
        if grams is None:
            condition, values = scan_condition(query.node, COLUMNS)
            return self._rows(f"note m WHERE {condition}", values)
        return self._rows("grams JOIN note m ON m.id = grams.rowid WHERE grams MATCH ?", [grams])

    def _rows(self, source: str, values: list[str]) -> Iterator[Row]:
        # The order is found without the texts: sorting these would take longer than all else.
        ids = self._connection.execute(
            f"SELECT m.id FROM {source} AND {self._only}"  # noqa: S608
            " ORDER BY m.copy, m.modified DESC",
            values,
        ).fetchall()
        for (number,) in ids:
            yield self._connection.execute(
                "SELECT id, copy, names, body FROM note WHERE id = ?", (number,)
            ).fetchone()

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
