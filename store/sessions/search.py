"""Search in all conversations: per term the right way, and nothing that the agent finds is missed.

What one index can answer as a whole, it answers; then come messages that no index shows: Latin
words glued to Chinese, one and two characters, structured content, and everything where an index
is missing, broken or behind. The rules are those of hermes-formats §9.6.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from store.sessions.candidates import (
    GRAM,
    SEARCHED,
    escaped_expression,
    loose_expression,
    piece_expression,
    scan_condition,
    word_expression,
)
from store.sessions.database import (
    BROKEN,
    TRIGRAM,
    VOCABULARY,
    WORD,
    Reader,
    Row,
    is_damage,
    marks,
)
from store.sessions.found import Found, Hit, OnHits, Request, Way
from store.sessions.hits import hits_of, rows_of, texts_of
from store.sessions.matching import Matcher, lowered
from store.sessions.messages import content_of
from store.sessions.query import AllOf, AnyOf, Node, Piece, Query, Without, Word, relaxed
from store.sessions.sieve import Memo, Sieve, batches

SCANNED_AT_ONCE = 5_000
WEIGHED = 40
"""So many of the newest hits, or as many as are asked for, are weighed against each other."""
BUCKET = 512
"""Messages whose times are remembered together."""

SPOKEN = ("user", "assistant")
PREFERENCE = 0.2
"""What a message of a person or a model weighs more than the answer of a tool."""

EVERYTHING = (0, 2**63 - 1)
_WAYS: dict[str, Way] = {WORD: "word", TRIGRAM: "trigram"}

Timed = tuple[float, int]
"""A message as its time and its id."""


class Search:
    """One search, over one consistent view of the database."""

    def __init__(
        self, reader: Reader, request: Request, memo: Memo, *, on_hits: OnHits | None = None
    ) -> None:
        self._reader = reader
        self._request = request
        self._memo = memo
        self._on_hits = on_hits
        self._usable = set(reader.layout.indexes)
        self._notices = list(reader.layout.notices)
        self._ways: list[Way] = []
        self._sieve = Sieve(reader, request, memo)
        self._rows: dict[int, Row] = {}

    def run(self) -> Found:
        """Find it; where no message has all words, those that have some."""
        found = self._found(self._request.query)
        if found.hits or found.hidden.count:
            return found
        wider = relaxed(self._request.query)
        if wider is None:
            return found
        found = self._found(wider)
        return Found(
            self._request.query,
            found.hits,
            found.complete,
            found.hidden,
            found.ways,
            found.notices,
            relaxed=bool(found.hits),
        )

    def _found(self, query: Query) -> Found:
        if query.node is None:
            return Found(query, notices=tuple(self._notices))
        self._query, self._node, self._matcher = query, query.node, Matcher(query)
        limit = max(self._request.limit, 0)
        while True:
            try:
                ids, complete = self._best(limit) if self._is_best else self._in_order(limit)
                break
            except _IndexBroken as broken:
                # Gone around: from the start, without it.
                self._usable.discard(broken.index)
                self._notices.append(BROKEN[broken.index])
                self._sieve = Sieve(self._reader, self._request, self._memo)
                self._ways.clear()
        return Found(
            query,
            self._hits(ids),
            complete,
            self._sieve.hidden(),
            tuple(dict.fromkeys(self._ways)),
            tuple(self._notices),
        )

    # -- which messages -------------------------------------------------------------------

    @property
    def _is_best(self) -> bool:
        return self._request.sort == "best"

    @property
    def _down(self) -> bool:
        """Whether later messages come before earlier ones."""
        return self._request.sort != "oldest"

    def _best(self, limit: int) -> tuple[list[int], bool]:
        """The ids of hits, the best first; and whether these are all."""
        known: list[int] = []
        enough = max(limit, WEIGHED) + 1
        index, expression = self._index()
        for ids, _ in self._windows(index, expression, enough):
            known += ids
            if len(known) >= enough:
                break
        known = self._weighed(known)
        if len(known) > limit:
            return known[:limit], False
        self._deliver(known)
        for lot in self._passes(frozenset(known), EVERYTHING):
            known += [one for _, one in lot]
            self._deliver([one for _, one in lot])
            if len(known) > limit:
                return known[:limit], False
        return known, True

    def _in_order(self, limit: int) -> tuple[list[int], bool]:
        """The ids of hits by time; and whether these are all."""
        known: list[Timed] = []
        reach, complete = EVERYTHING, True
        index, expression = self._index()
        for ids, edge in self._windows(index, expression, limit + 1):
            known = self._sorted(known + self._times(ids))
            if len(known) > limit and self._is_beyond(edge, known[max(limit - 1, 0)][0]):
                reach, complete = (edge, EVERYTHING[1]) if self._down else (0, edge), False
                break
        self._deliver([one for _, one in known[:limit]])
        for lot in self._passes(frozenset(one for _, one in known), reach):
            self._deliver([one for _, one in lot])
            known = self._sorted(known + lot)
            if (
                complete
                and lot
                and len(known) > limit
                and self._is_beyond(lot[-1][1], known[max(limit - 1, 0)][0])
            ):
                complete = False
                break
        return [one for _, one in known[:limit]], complete and len(known) <= limit

    def _index(self) -> tuple[str, str]:
        """The index that answers the query as a whole, and what to ask it; empty if none does."""
        for index, expression in (
            (WORD, word_expression(self._node)),
            (TRIGRAM, piece_expression(self._node)),
        ):
            if expression is not None and index in self._usable:
                self._ways.append(_WAYS[index])
                return index, expression
        return "", ""

    def _windows(self, index: str, expression: str, size: int) -> Iterator[tuple[list[int], int]]:
        """What an expression finds and is shown, in the order of ids; and how far that is."""
        low, high = EVERYTHING
        while index:
            with _using(index):
                rows = self._reader.rows(
                    f"SELECT rowid FROM {index} WHERE {index} MATCH ? AND rowid BETWEEN ? AND ?"
                    f" ORDER BY rowid {'DESC' if self._down else 'ASC'} LIMIT ?",
                    (expression, low, high, size),
                )
            ids = [row[0] for row in rows]
            if not ids:
                return
            low, high = (low, ids[-1] - 1) if self._down else (ids[-1] + 1, high)
            yield self._sieve.sifted(ids), ids[-1]
            if len(ids) < size:
                return
            size *= 2

    def _weighed(self, known: list[int]) -> list[int]:
        """`known` with the newest of them ordered by how well they fit.

        By their own text: the index would first count every word in every message.
        """
        count = max(WEIGHED, self._request.limit)
        newest, older = known[:count], known[count:]
        weight, fold = self._matcher.weight, self._matcher.fold
        self._rows = rows_of(self._reader, newest)
        weights = {
            number: weight(fold(content_of(row[6])[0])) + (PREFERENCE if row[2] in SPOKEN else 0.0)
            for number, row in self._rows.items()
        }
        return sorted(newest, key=lambda one: -weights.get(one, 0.0)) + older

    def _times(self, ids: Sequence[int]) -> list[Timed]:
        found: list[Timed] = []
        for batch in batches(ids):
            found += self._reader.rows(
                f"SELECT timestamp, id FROM messages WHERE id IN ({marks(batch)})", batch
            )
        return found

    def _sorted(self, timed: list[Timed]) -> list[Timed]:
        return sorted(timed, reverse=self._down)

    def _is_beyond(self, edge: int, moment: float) -> bool:
        """Whether every message after `edge`, in the order of ids, comes after `moment` too.

        Ids are given in the order of writing, which is not that of time where sessions were
        imported.
        """
        memo = self._memo
        if memo.times is None:
            memo.times = self._reader.rows(
                f"SELECT id / {BUCKET}, min(timestamp), max(timestamp) FROM messages GROUP BY 1"
            )
        here = edge // BUCKET
        if self._down:
            return all(last <= moment for bucket, _, last in memo.times if bucket <= here)
        return all(first >= moment for bucket, first, _ in memo.times if bucket >= here)

    def _deliver(self, ids: Sequence[int]) -> None:
        if ids and self._on_hits is not None:
            self._on_hits(self._hits(ids))

    def _hits(self, ids: Sequence[int]) -> tuple[Hit, ...]:
        return hits_of(self._reader, self._memo, self._matcher, ids, self._rows)

    def _passes(self, known: frozenset[int], reach: tuple[int, int]) -> Iterator[list[Timed]]:
        """Further hits with ids in `reach`, which no index answers as a whole; in small lots."""
        layout, candidates = self._reader.layout, None
        # An index that leaves messages out does not tell what else there is.
        if TRIGRAM in self._usable and not layout.partial:
            with _using(TRIGRAM):
                candidates = self._candidates(self._node, reach)
        if candidates is None:
            self._ways.append("scan")
            for rows in self._scanned(reach):
                yield self._fitting([row for row in rows if row[0] not in known])
            return
        if candidates - known:
            self._ways.append("trigram")
        candidates |= {one for one in self._structured() if reach[0] <= one <= reach[1]}
        only, values = self._sieve.only()
        for batch in batches(sorted(candidates - known, reverse=self._down)):
            rows = self._reader.rows(
                f"SELECT {self._sieve.about()}, {self._sieve.texts()} FROM messages m"
                " JOIN sessions s ON s.id = m.session_id"
                f" WHERE m.id IN ({marks(batch)}) {only}",
                (*batch, *values),
            )
            yield self._fitting(sorted(rows, key=_first, reverse=self._down))

    def _candidates(self, node: Node, reach: tuple[int, int]) -> set[int] | None:
        """At least those messages that fit and are in the trigram index; None if it cannot tell."""
        expression = loose_expression(node)
        if expression is not None:
            return self._matched(TRIGRAM, expression, reach)
        match node:
            case Word() | Piece():
                return self._short(node, reach)
            case Without(wanted, _):
                return self._candidates(wanted, reach)
            case AllOf(parts) | AnyOf(parts):
                sets = [self._candidates(part, reach) for part in parts]
        told = [one for one in sets if one is not None]
        if isinstance(node, AllOf):
            return set.intersection(*told) if told else None
        return set.union(*told) if len(told) == len(sets) else None

    def _short(self, leaf: Word | Piece, reach: tuple[int, int]) -> set[int] | None:
        """Messages with one or two characters: by the trigrams that begin with them.

        Hermes' index ends every text with two blanks, so there is one for each place.
        """
        text = lowered(leaf.text)
        if not 0 < len(text) < GRAM:
            return None
        ends_there = ""
        if isinstance(leaf, Word) and not leaf.prefix:
            ends_there = f" AND substr(term, {len(text) + 1}, 1) NOT GLOB '[a-z0-9]'"
        found = {
            row[0]
            for row in self._reader.rows(
                f"SELECT DISTINCT doc FROM {VOCABULARY} WHERE term >= ? AND term < ?"
                f" AND doc BETWEEN ? AND ?{ends_there}",
                (text, text + chr(0x10FFFF), *reach),
            )
        }
        escaped = escaped_expression(leaf.text)
        return found if escaped is None else found | self._matched(TRIGRAM, escaped, reach)

    def _matched(
        self, index: str, expression: str, reach: tuple[int, int] = EVERYTHING
    ) -> set[int]:
        query = f"SELECT rowid FROM {index} WHERE {index} MATCH ? AND rowid BETWEEN ? AND ?"
        return {row[0] for row in self._reader.rows(query, (expression, *reach))}

    def _structured(self) -> set[int]:
        """Messages of parts that fit: their text is read once, since no index has it."""
        if WORD in self._usable:
            with _using(WORD):
                ids = self._matched(WORD, "^json")
        else:
            rows = self._reader.rows(
                "SELECT id FROM messages WHERE content < char(1) AND content <> ''"
            )
            ids = {row[0] for row in rows}
        texts = self._memo.structured
        for batch in batches([one for one in ids if one not in texts]):
            for row in self._reader.rows(
                f"SELECT m.id, {self._sieve.texts()} FROM messages m"
                f" WHERE m.id IN ({marks(batch)})",
                batch,
            ):
                texts[row[0]] = "\n".join(texts_of(*row[1:]))
        fits, fold = self._matcher.fits, self._matcher.fold
        return {one for one in ids if one in texts and fits(fold(texts[one]))}

    def _scanned(self, reach: tuple[int, int]) -> Iterator[list[Row]]:
        """Rows that may fit, of one stretch of messages after the other."""
        present = [one for one in SEARCHED if one in self._reader.layout.messages]
        condition, needles = scan_condition(self._node, present)
        only, values = self._sieve.only()
        last = min(self._reader.one("SELECT max(id) FROM messages") or 0, reach[1])
        first = max(self._reader.one("SELECT min(id) FROM messages") or 0, reach[0])
        step = max(SCANNED_AT_ONCE, (last - first) // 64)
        starts = range(first, last + 1, step)
        for start in reversed(starts) if self._down else starts:
            yield self._reader.rows(
                f"SELECT {self._sieve.about()}, {self._sieve.texts()} FROM messages m"
                " JOIN sessions s ON s.id = m.session_id"
                " WHERE m.id BETWEEN ? AND ?"
                f" AND ({condition} OR (m.content < char(1) AND m.content <> '')) {only}"
                f" ORDER BY m.id {'DESC' if self._down else 'ASC'}",
                (start, min(start + step - 1, last), *needles, *values),
            )

    def _fitting(self, rows: Sequence[Row]) -> list[Timed]:
        fits, fold = self._matcher.fits, self._matcher.fold
        fitting = [row for row in rows if fits(fold("\n".join(texts_of(*row[6:]))))]
        return [(row[2], row[0]) for row in fitting if self._sieve.is_shown(row)]


class _IndexBroken(Exception):
    def __init__(self, index: str) -> None:
        super().__init__(index)
        self.index = index


@contextmanager
def _using(index: str) -> Iterator[None]:
    """Turn the damage that a statement on `index` meets into the word that it is broken."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            raise _IndexBroken(index) from error
        raise


def _first(row: Row) -> int:
    return int(row[0])
