"""From the ids of messages to hits with their passages and conversations."""

from __future__ import annotations

from collections.abc import Sequence

from store.sessions.database import Reader, Row, as_moment, chosen, marks
from store.sessions.found import Hit
from store.sessions.lineage import STEPS
from store.sessions.matching import Matcher, Snippet
from store.sessions.messages import content_of, tool_calls_of
from store.sessions.sieve import Memo, Sieve, batches


def hits_of(
    reader: Reader, sieve: Sieve, memo: Memo, matcher: Matcher, ids: Sequence[int]
) -> tuple[Hit, ...]:
    """The hits with these ids, in this order."""
    layout = reader.layout
    about = chosen(layout.sessions, {"title": "NULL", "model": "NULL"}, "s.")
    rows: dict[int, Row] = {}
    for batch in batches(ids):
        for row in reader.rows(
            f"SELECT {sieve.about()}, {sieve.texts()}, m.session_id, s.source, {about}"
            " FROM messages m JOIN sessions s ON s.id = m.session_id"
            f" WHERE m.id IN ({marks(batch)})",
            batch,
        ):
            rows[row[0]] = row
    ordered = [rows[one] for one in ids if one in rows]
    roots = _roots(reader, memo, {str(row[9]) for row in ordered})
    return tuple(_hit(matcher, row, roots) for row in ordered)


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
    if "parent_session_id" not in reader.layout.sessions:
        return {one: one for one in sessions}
    parents = memo.parents
    ask = {one for one in sessions if one not in parents}
    while ask:
        for batch in batches(sorted(ask)):
            parents |= dict.fromkeys(batch)
            parents |= dict(
                reader.rows(
                    f"SELECT id, parent_session_id FROM sessions WHERE id IN ({marks(batch)})",
                    batch,
                )
            )
        ask = {p for one in ask if (p := parents[one]) and p not in parents}
    return {one: _top(one, parents) for one in sessions}


def _top(session: str, parents: dict[str, str | None]) -> str:
    seen = [session]
    while (parent := parents.get(seen[-1])) and parent not in seen and len(seen) < STEPS:
        seen.append(parent)
    return seen[-1]


def _hit(matcher: Matcher, row: Row, roots: dict[str, str]) -> Hit:
    number, role, at, active, compacted, archived, *texts = row[:9]
    session, source, title, model = row[9:]
    _content, tool_name, _calls = texts
    return Hit(
        message_id=number,
        session_id=str(session),
        root=roots[str(session)],
        role=str(role),
        at=as_moment(at) or 0.0,
        snippet=_snippet(matcher, *texts),
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
