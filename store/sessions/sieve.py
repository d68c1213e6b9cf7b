"""Which of the messages that fit are shown, and how many are not and why (hermes-formats §9.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from store.sessions.database import Reader, Row, chosen, marks
from store.sessions.found import Hidden, Request

BATCH = 200
REASONS = ("rewound", "archived", "tools")


class Memo:
    """What a search reads once, as long as the database stays as it is."""

    def __init__(self) -> None:
        self.token: object = None
        self.rewound: frozenset[int] | None = None
        self.times: list[tuple[int, float, float]] | None = None
        self.sessions: dict[str, Row | None] = {}
        self.structured: dict[int, str] = {}

    def renewed(self, token: object) -> Memo:
        """A new one for a database that was written since; the text of a message never changes."""
        memo = Memo()
        memo.token = token
        memo.structured = self.structured
        return memo


class Sieve:
    """The filter and the wishes of one request; it counts what it holds back."""

    def __init__(self, reader: Reader, request: Request, memo: Memo) -> None:
        self._reader = reader
        self._request = request
        self._memo = memo
        self._hidden: dict[str, set[int]] = {one: set() for one in REASONS}

    def hidden(self) -> Hidden:
        """How many messages were held back so far, each counted once."""
        return Hidden(**{reason: len(ids) for reason, ids in self._hidden.items()})

    def sifted(self, ids: list[int]) -> list[int]:
        """Those of `ids` that are shown, in their order."""
        only, values = self.only()
        show = self._request.show
        if not only and show.archived and show.tools:
            if show.rewound:
                return ids
            rewound = self.rewound().intersection(ids)
            self._hidden["rewound"] |= rewound
            return [one for one in ids if one not in rewound] if rewound else ids
        shown = set()
        for batch in batches(ids):
            rows = self._reader.rows(
                f"SELECT {self.about()} FROM messages m JOIN sessions s ON s.id = m.session_id"
                f" WHERE m.id IN ({marks(batch)}) {only}",
                (*batch, *values),
            )
            shown |= {row[0] for row in rows if self.is_shown(row)}
        return [one for one in ids if one in shown]

    def about(self) -> str:
        """The columns of `messages m` and `sessions s` by which is sifted."""
        layout = self._reader.layout
        flags = chosen(layout.messages, {"active": "1", "compacted": "0"}, "m.")
        archived = chosen(layout.sessions, {"archived": "0"}, "s.")
        return f"m.id, m.role, m.timestamp, {flags}, {archived}"

    def texts(self) -> str:
        """The columns of `messages m` in which is searched."""
        return chosen(
            self._reader.layout.messages,
            {"content": "NULL", "tool_name": "NULL", "tool_calls": "NULL"},
            "m.",
        )

    def only(self) -> tuple[str, list[object]]:
        """What the person's filter adds to a condition, and its values."""
        only = self._request.only
        text = ""
        values: list[object] = []
        has_model = "model" in self._reader.layout.sessions
        for name, wanted in (
            ("m.role", only.roles),
            ("s.source", only.sources),
            ("s.model" if has_model else "NULL", only.models),
        ):
            if wanted:
                text += f" AND {name} IN ({marks(wanted)})"
                values += wanted
        for name, moment in ((">=", only.since), ("<", only.until)):
            if moment is not None:
                text += f" AND m.timestamp {name} ?"
                values.append(moment)
        return text, values

    def is_shown(self, row: Row) -> bool:
        """Whether a row of `about` is shown; counted where it is not."""
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

    def rewound(self) -> frozenset[int]:
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


def batches(values: Sequence[Any]) -> Iterator[list[Any]]:
    """`values` in lots that fit into one question."""
    for start in range(0, len(values), BATCH):
        yield list(values[start : start + BATCH])
