"""Commands on past conversations: which there are, one of them, and search in all. Read-only."""

from __future__ import annotations

import time
from argparse import ArgumentTypeError
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from gui.ages import moment
from gui.commands.answers import Answer, refused, table
from gui.commands.parsing import Areas, Arguments, count, group, leaf, take_texts
from gui.i18n import sentences, tr, trn
from gui.session_words import NOTICES
from gui.words import excerpt, word
from store.refusals import Empty
from store.sessions.conversations import Conversation, Listing, Session
from store.sessions.database import DATABASE_REFUSALS, Cancelled
from store.sessions.found import Filter, Found, Hidden, Hit, Show, grouped
from store.sessions.library import SessionLibrary
from store.sessions.messages import Message

if TYPE_CHECKING:
    from store.desk import Desk

FOUND = 20
SORTS = ("best", "newest", "oldest")


def declare(areas: Areas) -> None:
    """Declare `sessions` and its commands."""
    commands = group(areas, "sessions", tr("past conversations, and search in them"))
    listing = leaf(commands, "list", list_sessions, tr("show sessions, the latest first"))
    listing.add_argument(
        "--limit", type=count, metavar="N", help=tr("show at most so many (default: all)")
    )
    listing.add_argument("--archived", action="store_true", help=tr("also those put in archive"))
    listing.add_argument(
        "--children", action="store_true", help=tr("also subagents and other offspring")
    )
    show = leaf(commands, "show", show_session, tr("show one session in full"))
    show.add_argument(dest="id", metavar="ID", help=tr("the id, or its beginning"))
    show.add_argument(
        "--chain", action="store_true", help=tr("with the sessions that it continues")
    )
    search = leaf(commands, "search", search_sessions, tr("find messages in all sessions"))
    take_texts(search, "QUERY")
    search.add_argument(
        "--limit",
        type=count,
        default=FOUND,
        metavar="N",
        help=tr("show at most so many (default: {n})", n=FOUND),
    )
    search.add_argument("--sort", choices=SORTS, default="best", help=tr("the order"))
    for option, what in (
        ("role", tr("only messages of this role: user, assistant, tool, …")),
        ("source", tr("only sessions of this source: cli, telegram, cron, …")),
        ("model", tr("only sessions with this model")),
    ):
        search.add_argument(f"--{option}", action="append", default=[], metavar="NAME", help=what)
    for option, what in (("since", tr("from this day on")), ("until", tr("to this day"))):
        search.add_argument(f"--{option}", type=_day, metavar="YYYY-MM-DD", help=what)
    search.add_argument("--rewound", action="store_true", help=tr("also messages taken back"))
    search.add_argument(
        "--no-archived", action="store_true", help=tr("without sessions in the archive")
    )
    search.add_argument("--no-tools", action="store_true", help=tr("without answers of tools"))


def list_sessions(desk: Desk, arguments: Arguments) -> Answer:
    """The sessions of a list: a chain once, as its latest continuation."""
    with _library(desk, arguments) as library:
        found = library.listing(
            limit=arguments.limit, archived=arguments.archived, children=arguments.children
        )
    if isinstance(found, DATABASE_REFUSALS):
        return refused(found)
    if isinstance(found, Cancelled):
        raise KeyboardInterrupt
    rows = [
        (
            one.id,
            moment(one.last_at)[:16],
            one.source,
            trn("{n} turn", "{n} turns", one.turns),
            excerpt(one.title or one.preview),
        )
        for one in found.sessions
    ]
    data = {
        "sessions": [session_data(one) for one in found.sessions],
        "more": found.total - len(found.sessions),
        "hidden": {"archived": found.archived, "children": found.children},
        "state": found.state,
        "notices": found.notices,
    }
    return Answer(data, "\n".join(_list_lines(rows, found)), notes=_said(found.notices))


def _list_lines(rows: Sequence[tuple[str, ...]], found: Listing) -> list[str]:
    lines = [table(rows)] if rows else [tr("There is no session yet.")]
    more = found.total - len(found.sessions)
    if more:
        lines.append(trn("… and {n} older session", "… and {n} older sessions", more))
    if found.archived:
        lines.append(
            trn(
                "{n} session is archived; see it with --archived.",
                "{n} sessions are archived; see them with --archived.",
                found.archived,
            )
        )
    return lines


def show_session(desk: Desk, arguments: Arguments) -> Answer:
    """One session with all its messages, those that were taken back or summarised marked."""
    with _library(desk, arguments) as library:
        found = library.conversation(arguments.id, chain=arguments.chain)
    if isinstance(found, DATABASE_REFUSALS):
        return refused(found)
    if isinstance(found, Cancelled):
        raise KeyboardInterrupt
    data = {
        "session": session_data(found.session),
        "messages": [message_data(one) for one in found.messages],
        "notices": found.notices,
    }
    return Answer(data, _conversation_text(found), notes=_said(found.notices))


def search_sessions(desk: Desk, arguments: Arguments) -> Answer:
    """Messages that fit, grouped by the conversation that they belong to."""
    if not arguments.query.strip():
        return refused(Empty("query"))
    with _library(desk, arguments) as library:
        found = library.search(
            arguments.query,
            limit=arguments.limit,
            sort=arguments.sort,
            only=Filter(
                tuple(arguments.role),
                tuple(arguments.source),
                tuple(arguments.model),
                arguments.since,
                None if arguments.until is None else _next_day(arguments.until),
            ),
            show=Show(arguments.rewound, not arguments.no_archived, not arguments.no_tools),
        )
    if isinstance(found, DATABASE_REFUSALS):
        return refused(found)
    if isinstance(found, Cancelled):
        raise KeyboardInterrupt
    data = {
        "results": [hit_data(one) for one in found.hits],
        "complete": found.complete,
        "relaxed": found.relaxed,
        "hidden": hidden_data(found.hidden),
        "index": found.ways[0] if found.ways else "word",
        "ways": found.ways,
        "notices": found.notices,
    }
    notes = (*_said(found.notices), *_said_of(found))
    return Answer(data, _results_text(found), notes=notes)


# -- as data -----------------------------------------------------------------------------------


def session_data(one: Session) -> dict[str, object]:
    """A session as scripts see it; times in UTC seconds, as Hermes keeps them."""
    return {
        "id": one.id,
        "title": one.title or None,
        "source": one.source,
        "model": one.model or None,
        "started_at": one.started_at,
        "last_at": one.last_at,
        "ended_at": one.ended_at,
        "end_reason": one.end_reason or None,
        "turns": one.turns,
        "messages": one.messages,
        "rewound": one.rewound,
        "compacted": one.compacted,
        "tokens": {"input": one.input_tokens, "output": one.output_tokens},
        "parent": one.parent,
        "root": one.root,
        "kind": one.kind,
        "chain": one.chain,
        "archived": one.archived,
        "preview": one.preview,
    }


def message_data(one: Message) -> dict[str, object]:
    """A message as scripts see it."""
    return {
        "id": one.id,
        "session_id": one.session_id,
        "role": one.role,
        "at": one.at,
        "text": one.text,
        "tool_name": one.tool_name or None,
        "tool_calls": [{"name": call.name, "arguments": call.arguments} for call in one.tool_calls],
        "attachments": one.attachments,
        "active": one.active,
        "compacted": one.compacted,
        "recalled": one.recalled or None,
    }


def hit_data(one: Hit) -> dict[str, object]:
    """A hit as scripts see it; `ranges` are the places in `snippet` that were found."""
    return {
        "session_id": one.session_id,
        "root": one.root,
        "message_id": one.message_id,
        "role": one.role,
        "at": one.at,
        "snippet": one.snippet.text,
        "ranges": one.snippet.ranges,
        "title": one.title or None,
        "source": one.source,
        "model": one.model or None,
        "tool_name": one.tool_name or None,
        "rewound": one.rewound,
        "compacted": one.compacted,
        "archived": one.archived,
    }


def hidden_data(hidden: Hidden) -> dict[str, object]:
    """How many fit and are not shown, by reason."""
    return {
        "count": hidden.count,
        "rewound": hidden.rewound,
        "archived": hidden.archived,
        "tools": hidden.tools,
    }


# -- as text -----------------------------------------------------------------------------------


def _conversation_text(found: Conversation) -> str:
    one = found.session
    head = [one.id, moment(one.started_at), one.source, one.model, one.title]
    parts = ["  ".join(part for part in head if part)]
    for message in found.messages:
        mark = tr("taken back") if message.rewound else ""
        mark = tr("summarised away") if message.compacted and not message.active else mark
        title = [f"#{message.id}", moment(message.at), message.role, message.tool_name, mark]
        lines = ["  ".join(part for part in title if part)]
        lines += [message.text] if message.text else []
        lines += [f"[{kind}]" for kind in message.attachments]
        lines += [f"→ {call.name} {call.arguments}" for call in message.tool_calls]
        if message.recalled:
            lines.append(tr("Recalled for it: {text}", text=message.recalled))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _results_text(found: Found) -> str:
    if not found.hits:
        return tr("No message fits.")
    blocks = []
    for one in grouped(found.hits):
        first = one.hits[0]
        lines = [
            "  ".join(part for part in (one.root, first.source, first.title) if part),
            *(f"  #{hit.message_id}  {_when(hit)}  {_marked(hit)}" for hit in one.hits),
        ]
        blocks.append("\n".join(lines))
    if not found.complete:
        blocks.append(tr("There is more; ask for it with --limit."))
    return "\n\n".join(blocks)


def _when(hit: Hit) -> str:
    return f"{moment(hit.at)[:16]}  {hit.tool_name or hit.role}"


def _marked(hit: Hit) -> str:
    """The passage with what was found between brackets."""
    text, done, parts = hit.snippet.text, 0, []
    for begin, end in hit.snippet.ranges:
        parts += [text[done:begin], "[", text[begin:end], "]"]
        done = end
    return "".join([*parts, text[done:]])


def _said(notices: Sequence[str]) -> tuple[str, ...]:
    return tuple(word(NOTICES, one) for one in notices)


def _said_of(found: Found) -> tuple[str, ...]:
    said = []
    if found.query.left_out:
        names = ", ".join(found.query.left_out)
        said.append(tr("Left out, since it stands between no two words: {names}.", names=names))
    if found.query.cut:
        said.append(tr("Only the beginning of such a long query was looked for."))
    if found.relaxed:
        said.append(tr("No message has all the words; these have some of them."))
    hidden = found.hidden
    parts = []
    if hidden.rewound:
        parts.append(
            trn("{n} taken back (--rewound)", "{n} taken back (--rewound)", hidden.rewound)
        )
    if hidden.archived:
        parts.append(trn("{n} in the archive", "{n} in the archive", hidden.archived))
    if hidden.tools:
        parts.append(trn("{n} answer of a tool", "{n} answers of tools", hidden.tools))
    if parts:
        said.append(tr("Not shown: {what}.", what=tr(", ").join(parts)))
    return (sentences(*said),) if said else ()


# -- arguments ---------------------------------------------------------------------------------


def _library(desk: Desk, arguments: Arguments) -> closing[SessionLibrary]:
    return closing(SessionLibrary(desk.home.database, busy_seconds=arguments.wait))


def _day(text: str) -> float:
    try:
        return time.mktime(time.strptime(text, "%Y-%m-%d"))
    except (ValueError, OverflowError) as error:
        raise ArgumentTypeError(tr("it must be a day like 2026-10-23")) from error


def _next_day(begin: float) -> float:
    day = time.localtime(begin)
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday + 1, 0, 0, 0, 0, 0, -1))
