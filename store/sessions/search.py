"""Search in all conversations: per term the right way, and nothing that the agent finds is missed.

What one index can answer as a whole, it answers; then come messages that no index shows: Latin
words glued to Chinese, one and two characters, structured content, and everything where an index
is missing, broken or behind. The rules are those of hermes-formats §9.6.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from store.sessions.candidates import (
    GRAM,
    escaped_expression,
    loose_expression,
    piece_expression,
    scan_condition,
    word_expression,
)
from store.sessions.database import (
    BROKEN,
    TRIGRAM,
    WORD,
    Reader,
    Row,
    as_moment,
    chosen,
    is_damage,
    marks,
)
from store.sessions.found import Found, Hidden, Hit, OnHits, Request, Way
from store.sessions.lineage import STEPS
from store.sessions.matching import fits, folded, snippet
from store.sessions.messages import content_of, tool_calls_of
from store.sessions.query import AllOf, AnyOf, Node, Piece, Query, Without, Word, relaxed

BATCH = 200
SCANNED_AT_ONCE = 5_000
WEIGHED = 1_000
"""So many of the newest hits are weighed against each other for the best."""

REASONS = ("rewound", "archived", "tools")
_WAYS: dict[str, Way] = {WORD: "word", TRIGRAM: "trigram"}


class Memo:
    """What a search reads once, as long as the database stays as it is."""

    def __init__(self) -> None:
        self.token: object = None
        self.rewound: frozenset[int] | None = None
        self.parents: dict[str, str | None] = {}
        self.structured: dict[int, str] = {}

    def renewed(self, token: object) -> Memo:
        """A new one for a database that was written since; the text of a message never changes."""
        memo = Memo()
        memo.token = token
        memo.structured = self.structured
        return memo


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
        self._hidden: dict[str, set[int]] = {one: set() for one in REASONS}

    def run(self) -> Found:
        """Find it; where no message has all words, those that have some."""
        found = self._found(self._request.query)
        wider = relaxed(self._request.query)
        if found.hits or found.hidden.count or wider is None:
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
        node = query.node
        if node is None:
            return Found(query, notices=tuple(self._notices))
        limit = max(self._request.limit, 0)
        while True:
            try:
                ids, complete = self._collected(query, node, limit)
                break
            except _IndexBroken as broken:
                # Gone around: from the start, without it.
                self._usable.discard(broken.index)
                self._notices.append(BROKEN[broken.index])
                self._hidden = {one: set() for one in REASONS}
                self._ways.clear()
        return Found(
            query,
            self._hits(query, ids),
            complete,
            Hidden(**{reason: len(ids) for reason, ids in self._hidden.items()}),
            tuple(dict.fromkeys(self._ways)),
            tuple(self._notices),
        )

    # -- which messages -------------------------------------------------------------------

    def _collected(self, query: Query, node: Node, limit: int) -> tuple[list[int], bool]:
        """The ids of hits in their order, a few more than `limit` at most; and if these are all."""
        known, index, expression = self._known(node)
        best = self._request.sort == "best"
        if known and best:
            known = self._weighed(known, index, expression)
        elif known:
            known = self._in_time(known)
        wanted = limit * (4 if query.exact and best else 1)
        if best and len(known) > wanted:
            return known[:wanted], False
        if known and self._on_hits is not None:
            self._on_hits(self._hits(query, known[:limit]))
        loose, exhausted = self._loose(query, node, frozenset(known), wanted + 1)
        ids = [*known, *loose]
        if not best:
            ids = self._in_time(ids)
        return ids[:wanted], exhausted and len(ids) <= wanted

    def _known(self, node: Node) -> tuple[list[int], str, str]:
        """What one index answers as a whole, newest first; with the index and its expression."""
        for index, expression in ((WORD, word_expression(node)), (TRIGRAM, piece_expression(node))):
            if expression is not None and index in self._usable:
                self._ways.append(_WAYS[index])
                with _using(index):
                    return self._matching(index, expression), index, expression
        return [], "", ""

    def _matching(self, index: str, expression: str) -> list[int]:
        """Every message that an expression finds and that is shown, newest first."""
        only, values = self._only()
        if not only and self._request.show.archived and self._request.show.tools:
            rows = self._reader.rows(
                f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC",
                (expression,),
            )
            ids = [row[0] for row in rows]
            if self._request.show.rewound:
                return ids
            rewound = self._rewound()
            if rewound:
                self._hidden["rewound"].update(rewound.intersection(ids))
                return [one for one in ids if one not in rewound]
            return ids
        rows = self._reader.rows(
            f"SELECT {self._about()} FROM {index} f CROSS JOIN messages m ON m.id = f.rowid"
            f" JOIN sessions s ON s.id = m.session_id WHERE {index} MATCH ? {only}"
            " ORDER BY f.rowid DESC",
            (expression, *values),
        )
        return [row[0] for row in rows if self._is_shown(row)]

    def _weighed(self, known: list[int], index: str, expression: str) -> list[int]:
        """`known` with the newest of them ordered by how well they fit."""
        newest, older = known[:WEIGHED], known[WEIGHED:]
        if len(newest) < 2:
            return known
        with _using(index):
            ranked = self._reader.rows(
                f"SELECT rowid FROM {index} WHERE {index} MATCH ? AND rowid >= ? ORDER BY rank",
                (expression, newest[-1]),
            )
        eligible = set(newest)
        return [row[0] for row in ranked if row[0] in eligible] + older

    def _in_time(self, ids: Sequence[int]) -> list[int]:
        rows: list[tuple[float, int]] = []
        for batch in _batches(ids):
            rows += self._reader.rows(
                f"SELECT timestamp, id FROM messages WHERE id IN ({marks(batch)})", batch
            )
        rows.sort(reverse=self._request.sort != "oldest")
        return [row[1] for row in rows]

    def _loose(
        self, query: Query, node: Node, known: frozenset[int], enough: int
    ) -> tuple[list[int], bool]:
        """What no index shows by itself: newest first, or oldest first where that is asked for.

        Second: whether everything was looked at.
        """
        if self._request.sort == "best":
            enough -= len(known)
        found: list[int] = []
        for ids in self._passes(node, known):
            found += ids
            if ids and self._on_hits is not None:
                self._on_hits(self._hits(query, ids))
            if len(found) >= enough:
                return found, False
        return found, True

    def _passes(self, node: Node, known: frozenset[int]) -> Iterator[list[int]]:
        """The ids of further hits, in small lots."""
        usable = TRIGRAM in self._usable and TRIGRAM not in self._reader.layout.partial
        whole = WORD not in self._reader.layout.partial or not known
        candidates: set[int] | None = None
        if usable and whole:
            with _using(TRIGRAM):
                candidates = self._candidates(node)
        if candidates is None:
            self._ways.append("scan")
            for rows in self._scanned(node):
                yield self._fitting(node, [row for row in rows if row[0] not in known])
            return
        if candidates - known:
            self._ways.append("trigram")
        candidates |= self._structured(node)
        ordered = sorted(candidates - known, reverse=self._request.sort != "oldest")
        only, values = self._only()
        for batch in _batches(ordered):
            rows = self._reader.rows(
                f"SELECT {self._about()}, {self._texts()} FROM messages m"
                " JOIN sessions s ON s.id = m.session_id"
                f" WHERE m.id IN ({marks(batch)}) {only}",
                (*batch, *values),
            )
            rows.sort(key=lambda row: int(row[0]), reverse=self._request.sort != "oldest")
            yield self._fitting(node, rows)

    def _candidates(self, node: Node) -> set[int] | None:
        """At least those messages that fit and are in the trigram index; None if it cannot tell."""
        expression = loose_expression(node)
        if expression is not None:
            return self._matched(TRIGRAM, expression)
        match node:
            case Word() | Piece():
                return self._short(node)
            case Without(wanted, _):
                return self._candidates(wanted)
            case AllOf(parts) | AnyOf(parts):
                sets = [self._candidates(part) for part in parts]
        told = [one for one in sets if one is not None]
        if isinstance(node, AllOf):
            return set.intersection(*told) if told else None
        return set.union(*told) if len(told) == len(sets) else None

    def _short(self, leaf: Word | Piece) -> set[int] | None:
        """Messages with one or two characters: by the trigrams that begin with them.

        Hermes' index ends every text with two blanks, so there is one for each place.
        """
        text = folded(leaf.text)
        if not 0 < len(text) < GRAM:
            return None
        words = self._reader.vocabulary(TRIGRAM)
        ends_there = ""
        if isinstance(leaf, Word) and not leaf.prefix:
            ends_there = f" AND substr(term, {len(text) + 1}, 1) NOT GLOB '[a-z0-9]'"
        found = {
            row[0]
            for row in self._reader.rows(
                f"SELECT DISTINCT doc FROM {words} WHERE term >= ? AND term < ?{ends_there}",
                (text, text + chr(0x10FFFF)),
            )
        }
        escaped = escaped_expression(leaf.text)
        return found if escaped is None else found | self._matched(TRIGRAM, escaped)

    def _matched(self, index: str, expression: str) -> set[int]:
        query = f"SELECT rowid FROM {index} WHERE {index} MATCH ?"
        return {row[0] for row in self._reader.rows(query, (expression,))}

    def _structured(self, node: Node) -> set[int]:
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
        for batch in _batches([one for one in ids if one not in texts]):
            for row in self._reader.rows(
                f"SELECT m.id, {self._texts()} FROM messages m WHERE m.id IN ({marks(batch)})",
                batch,
            ):
                texts[row[0]] = folded("\n".join(_texts_of(*row[1:])))
        return {one for one in ids if one in texts and fits(node, texts[one])}

    def _scanned(self, node: Node) -> Iterator[list[Row]]:
        """Rows that may fit, of one stretch of messages after the other."""
        condition, needles = scan_condition(node)
        only, values = self._only()
        last = self._reader.one("SELECT max(id) FROM messages") or 0
        first = self._reader.one("SELECT min(id) FROM messages") or 0
        step = max(SCANNED_AT_ONCE, (last - first) // 64)
        starts = range(first, last + 1, step)
        newest_first = self._request.sort != "oldest"
        for start in reversed(starts) if newest_first else starts:
            yield self._reader.rows(
                f"SELECT {self._about()}, {self._texts()} FROM messages m"
                " JOIN sessions s ON s.id = m.session_id"
                " WHERE m.id >= ? AND m.id < ?"
                f" AND ({condition} OR (m.content < char(1) AND m.content <> '')) {only}"
                f" ORDER BY m.id {'DESC' if newest_first else 'ASC'}",
                (start, start + step, *needles, *values),
            )

    def _fitting(self, node: Node, rows: Sequence[Row]) -> list[int]:
        return [
            row[0]
            for row in rows
            if fits(node, folded("\n".join(_texts_of(*row[6:])))) and self._is_shown(row)
        ]

    # -- what is shown --------------------------------------------------------------------

    def _about(self) -> str:
        layout = self._reader.layout
        flags = chosen(layout.messages, {"active": "1", "compacted": "0"}, "m.")
        archived = chosen(layout.sessions, {"archived": "0"}, "s.")
        return f"m.id, m.role, m.timestamp, {flags}, {archived}"

    def _texts(self) -> str:
        return chosen(
            self._reader.layout.messages,
            {"content": "NULL", "tool_name": "NULL", "tool_calls": "NULL"},
            "m.",
        )

    def _only(self) -> tuple[str, list[object]]:
        only = self._request.only
        text = ""
        values: list[object] = []
        for name, wanted in (
            ("m.role", only.roles),
            ("s.source", only.sources),
            ("s.model", only.models),
        ):
            if wanted:
                text += f" AND {name} IN ({marks(wanted)})"
                values += wanted
        for name, moment in ((">=", only.since), ("<", only.until)):
            if moment is not None:
                text += f" AND m.timestamp {name} ?"
                values.append(moment)
        return text, values

    def _is_shown(self, row: Row) -> bool:
        """Whether a row of `_about` is shown; counted where it is not."""
        _, role, _, active, compacted, archived = row[:6]
        show = self._request.show
        for reason, holds in (
            ("rewound", not active and not compacted and not show.rewound),
            ("archived", archived and not show.archived),
            ("tools", role == "tool" and not show.tools),
        ):
            if holds:
                self._hidden[reason].add(row[0])
                return False
        return True

    def _rewound(self) -> frozenset[int]:
        """Every message that was taken back."""
        memo, layout = self._memo, self._reader.layout
        if not {"active", "compacted"} <= layout.messages:
            return frozenset()
        if memo.rewound is None:
            rows = self._reader.rows(
                "SELECT m.id FROM sessions s CROSS JOIN messages m"
                " ON m.session_id = s.id AND m.active = 0 WHERE m.compacted = 0"
            )
            memo.rewound = frozenset(row[0] for row in rows)
        return memo.rewound

    def _hits(self, query: Query, ids: Sequence[int]) -> tuple[Hit, ...]:
        """The hits with these ids in this order; those that hold what was typed exactly first."""
        layout = self._reader.layout
        about = chosen(layout.sessions, {"title": "NULL", "model": "NULL"}, "s.")
        rows: dict[int, Row] = {}
        for batch in _batches(ids):
            for row in self._reader.rows(
                f"SELECT {self._about()}, {self._texts()}, m.session_id, s.source, {about}"
                " FROM messages m JOIN sessions s ON s.id = m.session_id"
                f" WHERE m.id IN ({marks(batch)})",
                batch,
            ):
                rows[row[0]] = row
        ordered = [rows[one] for one in ids if one in rows]
        if query.exact and self._request.sort == "best":
            ordered.sort(key=lambda row: -_exactness(query, row))
        ordered = ordered[: max(self._request.limit, 0)]
        roots = self._roots({str(row[9]) for row in ordered})
        return tuple(_hit(query, row, roots) for row in ordered)

    def _roots(self, sessions: set[str]) -> dict[str, str]:
        """The root of each of `sessions`; parents are asked for one generation at a time."""
        if "parent_session_id" not in self._reader.layout.sessions:
            return {one: one for one in sessions}
        parents = self._memo.parents
        ask = {one for one in sessions if one not in parents}
        while ask:
            for batch in _batches(sorted(ask)):
                parents |= dict.fromkeys(batch)
                parents |= dict(
                    self._reader.rows(
                        f"SELECT id, parent_session_id FROM sessions WHERE id IN ({marks(batch)})",
                        batch,
                    )
                )
            ask = {p for one in ask if (p := parents[one]) and p not in parents}
        return {one: _top(one, parents) for one in sessions}


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


def _batches(values: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(values), BATCH):
        yield list(values[start : start + BATCH])


def _texts_of(content: object, tool_name: object, tool_calls: object) -> list[str]:
    """Everything of a message in which is searched."""
    texts = [content_of(content)[0]]
    if tool_name:
        texts.append(str(tool_name))
    if tool_calls:
        texts.append(str(tool_calls))
        texts += [call.arguments for call in tool_calls_of(tool_calls)]
    return texts


def _exactness(query: Query, row: Row) -> int:
    text = folded("\n".join(_texts_of(*row[6:9])))
    return sum(folded(one) in text for one in query.exact)


def _top(session: str, parents: dict[str, str | None]) -> str:
    seen = [session]
    while (parent := parents.get(seen[-1])) and parent not in seen and len(seen) < STEPS:
        seen.append(parent)
    return seen[-1]


def _hit(query: Query, row: Row, roots: dict[str, str]) -> Hit:
    number, role, at, active, compacted, archived, *texts = row[:9]
    session, source, title, model = row[9:]
    _content, tool_name, _calls = texts
    return Hit(
        message_id=number,
        session_id=str(session),
        root=roots[str(session)],
        role=str(role),
        at=as_moment(at) or 0.0,
        snippet=snippet(query, *_passages(*texts)),
        title=str(title or ""),
        source=str(source or ""),
        model=str(model or ""),
        tool_name=str(tool_name or ""),
        rewound=not active and not compacted,
        compacted=bool(compacted),
        archived=bool(archived),
    )


def _passages(content: object, tool_name: object, tool_calls: object) -> list[str]:
    calls = [f"{call.name} {call.arguments}".strip() for call in tool_calls_of(tool_calls)]
    return [content_of(content)[0], *calls, str(tool_name or ""), str(tool_calls or "")]
