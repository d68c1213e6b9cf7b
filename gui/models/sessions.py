"""What the Sessions page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal

from gui.ages import age, moment
from gui.i18n import N_, sentences, tr, trn
from gui.models.cards import Card, Mark
from gui.session_words import NOTICES
from gui.words import say, word
from schema.frozen import field, frozen
from store.sessions.conversations import Conversation, Listing, Session
from store.sessions.database import DATABASE_REFUSALS, Cancelled
from store.sessions.found import Filter, Found, Hidden, Hit, Show, Sort, grouped
from store.sessions.messages import Message
from store.sessions.origin import Near

if TYPE_CHECKING:
    from store.desk import Desk

DAY = 24 * 60 * 60
HITS = 60
LONGEST = 4_000
"""So many characters of a message are shown until it is opened."""
FOLDED = 160
"""So many of what a tool was given and answered."""

Within = Literal["", "week", "month", "year"]
ROLES: Final = {"user": N_("You"), "assistant": N_("Agent"), "tool": N_("Tool"),
                "system": N_("System")}  # fmt: skip


@frozen
class SessionsView:
    """All conversations, the latest first; `trouble` says why there are none to be read."""

    sessions: Mapping[str, Session]
    keys: tuple[str, ...]
    trouble: str = ""
    notices: str = ""
    archived: int = 0
    sources: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


@frozen
class Wanted:
    """What is looked for, and in what."""

    text: str
    sort: Sort = "best"
    role: str = ""
    source: str = ""
    model: str = ""
    within: Within = ""
    everything: bool = False


@frozen
class Results:
    """Hits as cards, by key; what is hidden, and what is to be known about the search."""

    wanted: Wanted
    cards: tuple[Card, ...] = ()
    hits: Mapping[str, Hit] = field(default_factory=dict)
    hidden: str = ""
    said: str = ""
    trouble: str = ""
    over: bool = True


@frozen
class Reading:
    """One conversation, or messages from several: `title` and `about` say which."""

    title: str
    about: str
    messages: tuple[Message, ...] = ()
    session: Session | None = None
    trouble: str = ""
    lead: Mapping[int, str] = field(default_factory=dict)


def read_sessions(desk: Desk) -> SessionsView:
    """All conversations of the home. For the background."""
    found = desk.sessions.listing(archived=True)
    if not isinstance(found, Listing):
        return SessionsView({}, (), trouble="" if isinstance(found, Cancelled) else say(found))
    sessions = {one.id: one for one in found.sessions}
    return SessionsView(
        sessions,
        tuple(sessions),
        notices=sentences(*(word(NOTICES, one) for one in found.notices)),
        archived=sum(one.archived for one in found.sessions),
        sources=tuple(sorted({one.source for one in found.sessions if one.source})),
        models=tuple(sorted({one.model for one in found.sessions if one.model})),
    )


def session_card(session: Session, now: float, *, first_of_day: bool) -> Card:
    """The card of a conversation; the first of its day says which day that is."""
    meta: list[str | Mark] = []
    if first_of_day:
        meta.append(Mark(day_words(session.last_at, now), "plain", moment(session.last_at)))
    else:
        meta.append(moment(session.last_at)[11:16])
    if session.archived:
        meta.append(Mark(tr("archived")))
    meta.append(trn("{n} turn", "{n} turns", session.turns))
    tokens = session.input_tokens + session.output_tokens
    if tokens:
        meta.append(tr("{n:,} tokens", n=tokens))
    meta += [one for one in (session.source, session.model) if one]
    return Card(
        key=session.id,
        text=session.preview or tr("Without words"),
        lead=session.title or tr("Untitled"),
        meta=tuple(meta),
    )


def day_of(at: float) -> tuple[int, ...]:
    """The local date of a moment."""
    try:
        return tuple(time.localtime(at)[:3])
    except (ValueError, OverflowError, OSError):
        return ()


def day_words(at: float, now: float) -> str:
    """Name a day."""
    if day_of(at) == day_of(now):
        return tr("Today")
    return tr("Yesterday") if day_of(at) == day_of(now - DAY) else moment(at)[:10]


@frozen
class HitCard(Card):
    """A card with the places in its text that were found."""

    found: tuple[tuple[int, int], ...] = ()


# --- Searching ------------------------------------------------------------------------------------


def search(
    desk: Desk,
    wanted: Wanted,
    is_cancelled: Callable[[], bool],
    first: Callable[[Results], None],
) -> Results:
    """Look for it. `first` is called with the first hits, in this thread. For the background."""
    told = False

    def early(hits: tuple[Hit, ...]) -> None:
        nonlocal told
        if not told and hits and not is_cancelled():
            told = True
            first(_results(wanted, hits, over=False))

    found = desk.sessions.search(
        wanted.text,
        limit=HITS,
        sort=wanted.sort,
        only=_filter(wanted),
        show=Show(rewound=wanted.everything, archived=True, tools=True),
        is_cancelled=is_cancelled,
        on_hits=early,
    )
    if isinstance(found, DATABASE_REFUSALS):
        return Results(wanted, trouble=say(found))
    if isinstance(found, Cancelled):
        return Results(wanted, over=False)
    return _found(wanted, found)


def _found(wanted: Wanted, found: Found) -> Results:
    from dataclasses import replace

    said = [word(NOTICES, one) for one in found.notices]
    if found.relaxed:
        said.append(tr("No message has all the words; these have some of them."))
    if found.query.left_out:
        names = ", ".join(found.query.left_out)
        said.append(tr("Left out, since it stands between no two words: {names}.", names=names))
    if not found.complete:
        said.append(tr("There is more; another word narrows it."))
    results = _results(wanted, found.hits, over=True)
    return replace(results, hidden=_hidden(found.hidden), said=sentences(*said))


def _hidden(hidden: Hidden) -> str:
    parts = []
    if hidden.rewound:
        parts.append(trn("{n} taken back", "{n} taken back", hidden.rewound))
    if hidden.archived:
        parts.append(trn("{n} in the archive", "{n} in the archive", hidden.archived))
    if hidden.tools:
        parts.append(trn("{n} answer of a tool", "{n} answers of tools", hidden.tools))
    return tr("Not shown: {what}.", what=tr(", ").join(parts)) if parts else ""


def _filter(wanted: Wanted) -> Filter:
    days = {"week": 7, "month": 30, "year": 365}.get(wanted.within)
    return Filter(
        roles=(wanted.role,) if wanted.role else (),
        sources=(wanted.source,) if wanted.source else (),
        models=(wanted.model,) if wanted.model else (),
        since=None if days is None else time.time() - days * DAY,
    )


def _results(wanted: Wanted, hits: tuple[Hit, ...], *, over: bool) -> Results:
    now = time.time()
    cards, by_key = [], {}
    for group in grouped(hits):
        title = next((hit.title for hit in group.hits if hit.title), "") or tr("Untitled")
        for at, hit in enumerate(group.hits):
            key = str(hit.message_id)
            by_key[key] = hit
            cards.append(_hit_card(key, hit, now, title="" if at else title))
    return Results(wanted, tuple(cards), by_key, over=over)


def _hit_card(key: str, hit: Hit, now: float, *, title: str) -> Card:
    """The card of a hit; the first of its conversation has the `title` of that."""
    meta: list[str | Mark] = [word(ROLES, hit.role) if not hit.tool_name else hit.tool_name]
    meta.append(age(hit.at, now))
    if hit.rewound:
        meta.append(Mark(tr("taken back"), "warn"))
    if hit.archived:
        meta.append(Mark(tr("archived")))
    return HitCard(
        key=key,
        text=hit.snippet.text,
        lead=title,
        lead_rest=hit.source if title else "",
        meta=tuple(one for one in meta if one),
        found=hit.snippet.ranges,
    )


# --- Reading --------------------------------------------------------------------------------------


def read_conversation(desk: Desk, session_id: str) -> Reading:
    """One conversation whole, with those that it continues. For the background."""
    found = desk.sessions.conversation(session_id, chain=True)
    if not isinstance(found, Conversation):
        return Reading("", "", trouble="" if isinstance(found, Cancelled) else say(found))
    session = found.session
    parts = [
        moment(session.started_at)[:16],
        session.source,
        session.model,
        trn("{n} turn", "{n} turns", session.turns),
    ]
    if len(session.chain) > 1:
        parts.append(trn("continues {n} session", "continues {n} sessions", len(session.chain) - 1))
    title = session.title or session.preview or tr("Without words")
    return Reading(title, " · ".join(part for part in parts if part), found.messages, session)


def read_origin(desk: Desk, text: str) -> Reading:
    """The messages from which a memory probably came. For the background.

    Where the journal knows when it was written, those nearest to that time; and those that say
    much the same.
    """
    at = written_at(desk, text)
    title = tr("Where did this come from?")
    lead: dict[int, str] = {}
    messages: dict[int, Message] = {}
    if at is not None:
        near = desk.sessions.near(at, limit=12)
        if isinstance(near, tuple):
            for one in sorted(near, key=lambda one: one.message.at):
                messages[one.message.id] = one.message
                lead[one.message.id] = _distance(one)
    found = desk.sessions.search(text, limit=12)
    if isinstance(found, DATABASE_REFUSALS):
        return Reading(title, "", trouble=say(found))
    if isinstance(found, Found):
        for hit in found.hits:
            place = desk.sessions.place(hit.message_id, before=0, after=0)
            if isinstance(place, Conversation):
                for message in place.messages:
                    messages.setdefault(message.id, message)
                    lead.setdefault(message.id, tr("says much the same"))
    about = (
        tr("Written {age}; these messages stand nearest to it.", age=age(at, time.time()))
        if at is not None
        else tr("The desk did not see it being written; these messages say much the same.")
    )
    return Reading(title, about, tuple(messages.values()), lead=lead)


def written_at(desk: Desk, text: str) -> float | None:
    """When the journal saw this entry come, in UTC seconds; None if it did not."""
    from store.refusals import REFUSALS

    entries = desk.journal.changes()
    if isinstance(entries, REFUSALS):
        return None
    came = (one.at for one in entries if text in one.intent.come)
    return max(came, default=None)


def _distance(near: Near) -> str:
    minutes = round(abs(near.seconds) / 60)
    if near.seconds <= 0:
        return trn("{n} min before", "{n} min before", minutes)
    return trn("{n} min after", "{n} min after", minutes)


def message_card(message: Message, *, opened: bool, recalled: bool, lead: str = "") -> Card:
    """The card of a message; what tools said is folded until it is opened."""
    is_tool = message.role == "tool" or (not message.text and bool(message.tool_calls))
    text = _text_of(message)
    limit = FOLDED if is_tool else LONGEST
    more = 0 if opened else max(len(text) - limit, 0)
    shown = " ".join(text[:limit].split()) if is_tool and not opened else text[:limit]
    if opened:
        shown = text
    if more:
        shown += " …"
    if recalled and message.recalled:
        shown = f"{shown}\n\n{tr('Recalled for it:')}\n{message.recalled}"
    marks = [Mark(lead, "ok")] if lead else []
    if message.rewound:
        marks.append(Mark(tr("taken back"), "warn", tr("The person took this message back.")))
    if message.compacted and not message.active:
        tip = tr("A summary stands for it in what the model sees.")
        marks.append(Mark(tr("summarised away"), "plain", tip))
    meta: list[str | Mark] = [moment(message.at)[:16]]
    if message.recalled and not recalled:
        meta.append(Mark(tr("something was recalled"), "plain"))
    meta += [Mark(kind) for kind in message.attachments]
    if more:
        meta.append(trn("{n:,} more character", "{n:,} more characters", more))
    name = message.tool_name if message.role == "tool" else ""
    return Card(
        key=str(message.id),
        text=shown or tr("(nothing)"),
        lead=word(ROLES, message.role),
        lead_rest=name,
        lead_marks=tuple(marks),
        meta=tuple(one for one in meta if one),
    )


def _text_of(message: Message) -> str:
    calls = [f"→ {call.name} {call.arguments}" for call in message.tool_calls]
    return "\n".join([part for part in (message.text, *calls) if part])
