"""Passages of notes that may say what an entry says, from the index as it is.

Nothing is built, mended or waited for: an index that is not there, of another version or in use
has no answer. What comes back is a guess to be compared, never a judgement.
"""

from __future__ import annotations

import math
import os
import re
import sqlite3
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from schema.frozen import frozen
from store.knowledge.index import APPLICATION, VERSION
from store.sessions.candidates import quoted

EACH = 2
"""So many notes are looked into for one text."""
MOST = 60
"""So many passages come back."""
RAREST = 12
"""So many words of a text are looked for, the rarest."""
MOST_WORDS = 500
"""So many words of a text are weighed."""
COMMON = 60
"""A word that more notes hold names none of them."""
LONGEST = 200_000
"""Characters of a note that are looked at."""
SHORTEST = 12
"""A shorter text may stand anywhere by chance; a Chinese character counts for two."""
TABLES = ("words", "grams")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
_WORD = re.compile(r"[^\W_]+")


@frozen
class Passage:
    """What of the note `title` may say the same; where it says it word for word, the text."""

    title: str
    path: Path
    text: str


def nearest(
    index: Path, roots: Sequence[Path], texts: Sequence[str], *, seconds: float
) -> tuple[Passage, ...]:
    """Passages for `texts` out of the notes below `roots`, as many as are found in the time."""
    address = f"{index.absolute().as_uri()}?mode=rw"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=0)) as connection:
            until = time.monotonic() + seconds
            connection.set_progress_handler(lambda: int(time.monotonic() > until), 20_000)
            return tuple(_found(connection, roots, texts, lambda: time.monotonic() > until))
    except sqlite3.Error:
        return ()


def _found(
    connection: sqlite3.Connection,
    roots: Sequence[Path],
    texts: Sequence[str],
    is_late: Callable[[], bool],
) -> list[Passage]:
    marks = ("application_id", "user_version")
    ours = [connection.execute(f"PRAGMA {mark}").fetchone()[0] for mark in marks]
    if ours != [APPLICATION, VERSION]:
        return []
    search = _Search(connection, roots)
    found: dict[Passage, None] = {}
    try:
        for text in filter(_is_telling, dict.fromkeys(texts)):
            if len(found) >= MOST or is_late():
                break
            found.update(dict.fromkeys(search.passages(text)))
    except sqlite3.OperationalError:
        pass  # the time is over: what was found until then holds
    return list(found)[:MOST]


class _Search:
    """One look through an open index."""

    def __init__(self, connection: sqlite3.Connection, roots: Sequence[Path]) -> None:
        self._connection = connection
        connection.execute("PRAGMA temp_store = MEMORY")
        for table in TABLES:
            connection.execute(
                f"CREATE VIRTUAL TABLE temp.in_{table} USING fts5vocab('main', '{table}', 'row')"
            )
        wanted = {os.fsencode(root) for root in roots}
        rows = connection.execute("SELECT id, path FROM root").fetchall()
        self._roots = {number: path for number, path in rows if path in wanted}
        (self._notes,) = connection.execute("SELECT count(*) FROM note").fetchone()

    def passages(self, text: str) -> Iterator[Passage]:
        """The passages of the best notes for one text."""
        weights: dict[int, float] = {}
        rare: dict[str, float] = {}
        for table, words in zip(TABLES, (_words(text), _grams(text)), strict=True):
            for number, weight in self._weighed(table, words, rare):
                weights[number] = weights.get(number, 0.0) + weight
        for number in sorted(weights, key=lambda one: (-weights[one], one))[:EACH]:
            passage = self._passage(number, text, rare)
            if passage is not None:
                yield passage

    def _weighed(
        self, table: str, words: Sequence[str], rare: dict[str, float]
    ) -> Iterator[tuple[int, float]]:
        """Notes with what they share; first those that have every word."""
        marks = ", ".join("?" * len(words))
        held = dict(
            self._connection.execute(
                f"SELECT term, doc FROM temp.in_{table} WHERE term IN ({marks})",  # noqa: S608
                words,
            ).fetchall()
        )
        rarest = sorted(held, key=lambda word: (held[word], word))[:RAREST]
        if rarest and len(held) == len(words):
            for number in self._matching(table, " AND ".join(map(quoted, rarest)), EACH):
                yield number, float(RAREST * 10)
        for word in rarest:
            rare[word] = math.log(1 + self._notes / held[word])
            if held[word] <= COMMON:
                for number in self._matching(table, quoted(word), COMMON):
                    yield number, rare[word]

    def _matching(self, table: str, expression: str, most: int) -> list[int]:
        only = ", ".join(map(str, self._roots))
        rows = self._connection.execute(
            f"SELECT m.id FROM {table} JOIN note m ON m.id = {table}.rowid"  # noqa: S608
            f" WHERE {table} MATCH ? AND m.copy = 0 AND m.root IN ({only}) LIMIT ?",
            (expression, most),
        )
        return [number for (number,) in rows]

    def _passage(self, number: int, text: str, rare: dict[str, float]) -> Passage | None:
        root, name, title, size, modified, body = self._connection.execute(
            "SELECT root, path, title, size, modified, substr(body, 1, ?) FROM note WHERE id = ?",
            (LONGEST, number),
        ).fetchone()
        path = Path(os.fsdecode(self._roots[root])) / os.fsdecode(name)
        try:
            seen = path.stat()
        except OSError:
            return None
        if (seen.st_size, seen.st_mtime_ns) != (size, modified):
            return None  # what it says now is not known
        if _says(body, text):
            return Passage(title, path, text)
        best = max(_parts(body), key=lambda part: (_weight(part, rare), -len(part)), default="")
        return Passage(title, path, best) if best else None


def _is_telling(text: str) -> bool:
    return len(text) + sum(map(len, _HAN.findall(text))) >= SHORTEST


def _says(body: str, text: str) -> bool:
    """Whether a note has the text word for word, however its lines are broken."""
    bare = " ".join(text.split())
    before = r"(?<!\w)" if bare[0].isascii() else ""
    after = r"(?!\w)" if bare[-1].isascii() else ""
    return re.search(before + re.escape(bare) + after, " ".join(body.split())) is not None


def _parts(body: str) -> Iterator[str]:
    """The paragraphs of a note, and each of their lines."""
    for paragraph in re.split(r"\n\s*\n", body):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip()]
        if len(lines) != 1:
            yield paragraph.strip()
        yield from lines


def _weight(part: str, rare: dict[str, float]) -> float:
    folded = _folded(part)
    return sum(weight for word, weight in rare.items() if word in folded)


def _words(text: str) -> list[str]:
    """The words of a text as the index spells them."""
    return list(dict.fromkeys(_WORD.findall(_folded(text))))[:MOST_WORDS]


def _grams(text: str) -> list[str]:
    """Three Chinese characters in a row, each."""
    runs = _HAN.findall(text)
    grams = (run[at : at + 3] for run in runs for at in range(len(run) - 2))
    return list(dict.fromkeys(grams))[:MOST_WORDS]


def _folded(text: str) -> str:
    parted = unicodedata.normalize("NFD", text.lower())
    bare = "".join(one for one in parted if unicodedata.category(one) != "Mn")
    return unicodedata.normalize("NFC", bare)
