"""Sessions as a list shows them, and one as a conversation (hermes-formats §9.3 to §9.5)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from schema.frozen import frozen
from store.sessions.database import Reader, Row, as_moment, chosen, marks
from store.sessions.lineage import Kind, Lineage, Link
from store.sessions.messages import Message, content_of, recalled_in, tool_calls_of

PREVIEW_CHARS = 200
_PAGE = 500
_ABOUT = {
    "model": "NULL",
    "title": "NULL",
    "cwd": "NULL",
    "tool_call_count": "0",
    "input_tokens": "0",
    "output_tokens": "0",
}
_MESSAGE = {
    "content": "NULL",
    "tool_name": "NULL",
    "tool_calls": "NULL",
    "api_content": "NULL",
    "active": "1",
    "compacted": "0",
}


@frozen
class Session:
    """One session; times are UTC seconds.

    `chain` are the ids of its compression chain up to it, `root` is what its hits are grouped
    by. `messages` and `turns` (of the person) count what is live; `rewound` and `compacted` what
    was taken back and what was summarised away in place. `title` is that of the latest session
    of the chain that has one. `preview` is how the person began.
    """

    id: str
    root: str
    kind: Kind
    chain: tuple[str, ...]
    parent: str | None
    title: str
    source: str
    model: str
    started_at: float
    last_at: float
    ended_at: float | None
    end_reason: str
    messages: int
    turns: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    rewound: int
    compacted: int
    archived: bool
    preview: str
    cwd: str


@frozen
class Listing:
    """Sessions, the latest first. `total` without a limit; `archived` and `children` are not in.

    `state` is `ok` or `absent`: there is no database yet, so there are no sessions.
    """

    sessions: tuple[Session, ...] = ()
    total: int = 0
    archived: int = 0
    children: int = 0
    notices: tuple[str, ...] = ()
    state: str = "ok"


@frozen
class Conversation:
    """A session with its messages, in the order in which they were written."""

    session: Session
    messages: tuple[Message, ...]
    notices: tuple[str, ...] = ()


def listing(
    reader: Reader, *, limit: int | None, offset: int, archived: bool, children: bool
) -> Listing:
    """The sessions of a list, the latest first; so many queries for however many there are."""
    lineage = lineage_of(reader)
    chains, hidden, rest = [], 0, list(lineage.unlisted())
    for chain in lineage.listed():
        first = lineage.at(chain[0])
        if first.hidden:
            rest.append(chain[-1])
        elif first.archived and not archived:
            hidden += 1
        else:
            chains.append(chain)
    if children:
        chains += [(one,) for one in rest]
    chains.sort(key=lambda chain: _latest(lineage, chain), reverse=True)
    end = len(chains) if limit is None else offset + max(limit, 0)
    return Listing(
        sessions=sessions_of(reader, lineage, chains[offset:end]),
        total=len(chains),
        archived=hidden,
        children=0 if children else len(rest),
        notices=reader.layout.notices,
    )


def sessions_of(
    reader: Reader, lineage: Lineage, chains: Sequence[tuple[str, ...]]
) -> tuple[Session, ...]:
    """The last session of each chain."""
    found: list[Session] = []
    for start in range(0, len(chains), _PAGE):
        page = chains[start : start + _PAGE]
        rows = _session_rows(reader, [one for chain in page for one in chain])
        counts = _message_counts(reader, [chain[-1] for chain in page])
        begun = _beginnings(reader, [chain[0] for chain in page])
        found += [_session(lineage, chain, rows, counts, begun) for chain in page]
    return tuple(found)


def conversation(reader: Reader, *, name: str, with_chain: bool) -> Conversation | None:
    """The one session whose id is `name` or begins so; None if there is none, or several."""
    lineage = lineage_of(reader)
    session_id = _resolved(reader, lineage, name)
    if session_id is None:
        return None
    whole = lineage.whole_chain(session_id)
    chain = whole[: whole.index(session_id) + 1]
    (session,) = sessions_of(reader, lineage, [chain])
    ids = chain if with_chain else (session_id,)
    messages = [one for each in ids for one in messages_of(reader, "session_id = ?", (each,))]
    return Conversation(session, tuple(messages), reader.layout.notices)


def place(reader: Reader, *, message_id: int, before: int, after: int) -> Conversation | None:
    """A message with its neighbours; None if there is no such message."""
    session_id = reader.one("SELECT session_id FROM messages WHERE id = ?", (message_id,))
    if session_id is None:
        return None
    lineage = lineage_of(reader)
    if lineage.get(session_id) is None:
        return None
    ahead = messages_of(
        reader, "session_id = ? AND id < ?", (session_id, message_id), "DESC", max(before, 0)
    )
    behind = messages_of(
        reader, "session_id = ? AND id >= ?", (session_id, message_id), "ASC", max(after, 0) + 1
    )
    whole = lineage.whole_chain(session_id)
    (session,) = sessions_of(reader, lineage, [whole[: whole.index(session_id) + 1]])
    return Conversation(session, (*reversed(ahead), *behind), reader.layout.notices)


def messages_of(
    reader: Reader,
    where: str,
    values: Sequence[object],
    order: str = "ASC",
    limit: int = -1,
) -> list[Message]:
    """Messages in the order in which they were written."""
    about = chosen(reader.layout.messages, _MESSAGE)
    rows = reader.rows(
        f"SELECT id, session_id, role, timestamp, {about} FROM messages WHERE {where}"
        f" ORDER BY id {order} LIMIT ?",
        (*values, limit),
    )
    return [message(row) for row in rows]


def message(row: Row) -> Message:
    """A row of id, session, role, time and the columns of `_MESSAGE`."""
    number, session, role, at, content, tool_name, calls, sent, active, compacted = row
    text, attachments = content_of(content)
    return Message(
        id=number,
        session_id=session,
        role=str(role),
        at=as_moment(at) or 0.0,
        text=text,
        tool_name=str(tool_name or ""),
        tool_calls=tool_calls_of(calls),
        attachments=attachments,
        recalled=recalled_in(sent),
        active=bool(active),
        compacted=bool(compacted),
    )


def lineage_of(reader: Reader) -> Lineage:
    """How all sessions follow from one another."""
    layout = reader.layout
    about = chosen(
        layout.sessions,
        {"parent_session_id": "NULL", "ended_at": "NULL", "end_reason": "NULL"}
        | {"model_config": "NULL", "archived": "0", "hidden": "0"},
        "s.",
    )
    rows = reader.rows(
        f"SELECT s.id, s.source, s.started_at,"
        " (SELECT max(timestamp) FROM messages m WHERE m.session_id = s.id),"
        f" {about} FROM sessions s"
    )
    return Lineage(map(_link, rows))


def _link(row: Row) -> Link:
    session, source, started, last, parent, ended, reason, config, archived, hidden = row
    branched, delegated = _marks_in(config)
    return Link(
        id=session,
        parent=parent,
        source=source or "",
        started_at=as_moment(started) or 0.0,
        ended_at=as_moment(ended),
        end_reason=reason,
        last_at=as_moment(last) or as_moment(started) or 0.0,
        branched=branched,
        delegated=delegated,
        archived=bool(archived),
        hidden=bool(hidden),
    )


def _marks_in(config: object) -> tuple[bool, bool]:
    """Whether a session is marked as a branch, and as delegated."""
    if not isinstance(config, str) or "_from" not in config:
        return False, False
    try:
        value = json.loads(config)
    except (ValueError, RecursionError):
        return False, False
    if not isinstance(value, dict):
        return False, False
    return value.get("_branched_from") is not None, value.get("_delegate_from") is not None


def _latest(lineage: Lineage, chain: tuple[str, ...]) -> tuple[float, float, str]:
    tip = lineage.at(chain[-1])
    return max(lineage.at(one).last_at for one in chain), tip.started_at, tip.id


def _resolved(reader: Reader, lineage: Lineage, name: str) -> str | None:
    if lineage.get(name) is not None:
        return name
    found = [one for one in lineage.ids() if one.startswith(name)] if name else []
    return found[0] if len(found) == 1 else None


def _session_rows(reader: Reader, ids: Sequence[str]) -> dict[str, Row]:
    about = chosen(reader.layout.sessions, _ABOUT)
    rows: dict[str, Row] = {}
    for start in range(0, len(ids), _PAGE):
        page = ids[start : start + _PAGE]
        query = f"SELECT id, {about} FROM sessions WHERE id IN ({marks(page)})"
        rows |= {row[0]: row[1:] for row in reader.rows(query, page)}
    return rows


def _message_counts(reader: Reader, ids: Sequence[str]) -> dict[str, Row]:
    """Live, of the person, taken back, summarised away: by session."""
    columns = reader.layout.messages
    active, compacted = (
        one if one in columns else instead for one, instead in (("active", "1"), ("compacted", "0"))
    )
    rows = reader.rows(
        f"SELECT session_id, sum({active} = 1), sum({active} = 1 AND role = 'user'),"
        f" sum({active} = 0 AND {compacted} = 0), sum({active} = 0 AND {compacted} = 1)"
        f" FROM messages WHERE session_id IN ({marks(ids)}) GROUP BY session_id",
        ids,
    )
    return {row[0]: row[1:] for row in rows}


def _beginnings(reader: Reader, ids: Sequence[str]) -> dict[str, str]:
    rows = reader.rows(
        "SELECT s.id, (SELECT content FROM messages m WHERE m.session_id = s.id"
        " AND m.role = 'user' AND m.content IS NOT NULL ORDER BY m.timestamp, m.id LIMIT 1)"
        f" FROM sessions s WHERE s.id IN ({marks(ids)})",
        ids,
    )
    return {one: " ".join(content_of(text)[0].split())[:PREVIEW_CHARS] for one, text in rows}


def _session(
    lineage: Lineage,
    chain: tuple[str, ...],
    rows: dict[str, Row],
    counts: dict[str, Row],
    begun: dict[str, str],
) -> Session:
    link = lineage.at(chain[-1])
    model, _, cwd, tool_calls, tokens_in, tokens_out = rows[link.id]
    titles = (rows[one][1] for one in reversed(chain))
    messages, turns, rewound, compacted = counts.get(link.id, (0, 0, 0, 0))
    return Session(
        id=link.id,
        root=lineage.root(link.id),
        kind=lineage.kind(link.id),
        chain=chain,
        parent=link.parent,
        title=next((str(title) for title in titles if title), ""),
        source=link.source,
        model=str(model or ""),
        started_at=link.started_at,
        last_at=link.last_at,
        ended_at=link.ended_at,
        end_reason=str(link.end_reason or ""),
        messages=messages,
        turns=turns,
        tool_calls=tool_calls or 0,
        input_tokens=tokens_in or 0,
        output_tokens=tokens_out or 0,
        rewound=rewound,
        compacted=compacted,
        archived=link.archived,
        preview=begun.get(chain[0], ""),
        cwd=str(cwd or ""),
    )
