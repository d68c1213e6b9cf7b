"""From the ids of messages to hits with their passages and conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from store.sessions.database import Reader, Row, as_moment, chosen, marks
from store.sessions.found import Hit
from store.sessions.lineage import STEPS
from store.sessions.matching import Matcher, Snippet
from store.sessions.messages import content_of, tool_calls_of
from store.sessions.sieve import Memo, batches

_ABOUT = {"title": "NULL", "model": "NULL", "archived": "0", "parent_session_id": "NULL"}
"""What is wanted of a session, and what stands for it in a database that lacks it."""


def rows_of(reader: Reader, ids: Sequence[int]) -> dict[int, Row]:
    """What the messages with these ids say, by id: the columns that `hits_of` wants."""
    columns = chosen(
        reader.layout.messages,
        {
            **{"id": "", "session_id": "", "role": "", "timestamp": ""},
            **{"active": "1", "compacted": "0"},
            **{"content": "NULL", "tool_name": "NULL", "tool_calls": "NULL"},
        },
    )
    return {
        row[0]: row
        for batch in batches(ids)
        for row in reader.rows(
            f"SELECT {columns} FROM messages WHERE id IN ({marks(batch)})", batch
        )
    }


def hits_of(
    reader: Reader,
    memo: Memo,
    matcher: Matcher,
    ids: Sequence[int],
    known: Mapping[int, Row] = MappingProxyType({}),
) -> tuple[Hit, ...]:
    """The hits with these ids, in this order; `known` are rows that were read before."""
    rows = {**known, **rows_of(reader, [one for one in ids if one not in known])}
    ordered = [rows[one] for one in ids if one in rows]
    roots = _roots(reader, memo, {str(row[1]) for row in ordered})
    return tuple(
        [
            _hit(matcher, row, about, roots[str(row[1])])
            for row in ordered
            if (about := memo.sessions[str(row[1])]) is not None
        ]
    )


def texts_of(content: object, tool_name: object, tool_calls: object) -> list[str]:
    """Everything of a message in which is searched."""
    texts = [content_of(content)[0]]
    if tool_name:
        texts.append(str(tool_name))
    if tool_calls:
        texts.append(str(tool_calls))
        texts += [call.arguments for call in tool_calls_of(tool_calls)]
    return texts


def _roots(reader: Reader, memo: Memo, sessions: set[str]) -> dict[str, str]:
    """The root of each of `sessions`; parents are asked for one generation at a time."""
    known = memo.sessions
    ask = {one for one in sessions if one not in known}
    while ask:
        about = chosen(reader.layout.sessions, _ABOUT)
        for batch in batches(sorted(ask)):
            known |= dict.fromkeys(batch)
            for row in reader.rows(
                f"SELECT id, source, {about} FROM sessions WHERE id IN ({marks(batch)})", batch
            ):
                known[row[0]] = row
        ask = {p for one in ask if (p := _parent(known[one])) and p not in known}
    return {one: _top(one, known) for one in sessions}


def _top(session: str, known: Mapping[str, Row | None]) -> str:
    seen = [session]
    while (parent := _parent(known.get(seen[-1]))) and parent not in seen and len(seen) < STEPS:
        seen.append(parent)
    return seen[-1]


def _parent(about: Row | None) -> str:
    return str(about[5] or "") if about is not None else ""


def _hit(matcher: Matcher, row: Row, about: Row, root: str) -> Hit:
    number, session, role, at, active, compacted, content, tool_name, tool_calls = row
    _, source, title, model, archived, _ = about
    return Hit(
        message_id=number,
        session_id=str(session),
        root=root,
        role=str(role),
        at=as_moment(at) or 0.0,
        snippet=_snippet(matcher, content, tool_name, tool_calls),
        title=str(title or ""),
        source=str(source or ""),
        model=str(model or ""),
        tool_name=str(tool_name or ""),
        rewound=not active and not compacted,
        compacted=bool(compacted),
        archived=bool(archived),
    )


def _snippet(matcher: Matcher, content: object, tool_name: object, tool_calls: object) -> Snippet:
    """A passage of what was said; where nothing is found in it, of what stands beside it."""
    said = content_of(content)[0]
    found = matcher.snippet(said)
    if found.ranges or not (tool_name or tool_calls):
        return found
    calls = [f"{call.name} {call.arguments}".strip() for call in tool_calls_of(tool_calls)]
    return matcher.snippet(said, *calls, str(tool_name or ""), str(tool_calls or ""))
