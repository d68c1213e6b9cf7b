"""All conversations of one home: what a list, a reader and a search show. Read-only.

Any thread may call it, also several at once; every call is one consistent view. What may take
long asks `is_cancelled` now and then, and while SQLite works.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from schema.frozen import field, frozen
from store.refusals import NotFound
from store.sessions.conversations import (
    Conversation,
    Listing,
    conversation,
    listing,
    place,
)
from store.sessions.database import (
    BUSY_SECONDS,
    Cancelled,
    Database,
    DatabaseRefusal,
    IsCancelled,
    Reader,
    broken_indexes,
    never,
)
from store.sessions.found import Filter, Found, OnHits, Request, Show, Sort
from store.sessions.origin import Near, OpenSession, near, open_sessions
from store.sessions.query import parse
from store.sessions.search import Search
from store.sessions.sieve import Memo


@frozen
class Counts:
    """How many sessions and messages there are."""

    sessions: int
    messages: int
    notices: tuple[str, ...] = field(default=())


class SessionLibrary:
    """The conversations in the database at `path`."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        """Nothing is opened before the first call."""
        self.path = path
        self._database = Database(path, busy_seconds=busy_seconds)
        self._memo = Memo()

    def close(self) -> None:
        """Let go of the file; the next call opens it again."""
        self._database.close()

    def counts(self) -> Counts | DatabaseRefusal | Cancelled:
        """How many there are."""
        return self._database.look(_counts)

    def listing(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        archived: bool = False,
        children: bool = False,
        is_cancelled: IsCancelled = never,
    ) -> Listing | DatabaseRefusal | Cancelled:
        """A chain once, as its latest continuation; branches; not what was delegated.

        `archived` and `children` (subagents and what else follows from a session) add those.
        """
        work = partial(listing, limit=limit, offset=offset, archived=archived, children=children)
        found = self._database.look(work, is_cancelled=is_cancelled)
        if isinstance(found, NotFound):
            return Listing(state="absent")
        return found

    def conversation(
        self, session_id: str, *, chain: bool = False, is_cancelled: IsCancelled = never
    ) -> Conversation | DatabaseRefusal | Cancelled:
        """The session whose id this is, or begins so, if only one does.

        With `chain`, the messages of the sessions that it continues stand before its own.
        """
        work = partial(conversation, name=session_id, with_chain=chain)
        return self._or_no_session(self._database.look(work, is_cancelled=is_cancelled), session_id)

    def place(
        self, message_id: int, *, before: int = 10, after: int = 10
    ) -> Conversation | DatabaseRefusal | Cancelled:
        """A message with those around it in its session."""
        work = partial(place, message_id=message_id, before=before, after=after)
        return self._or_no_session(self._database.look(work), str(message_id))

    def search(
        self,
        typed: str,
        *,
        limit: int = 20,
        sort: Sort = "best",
        only: Filter | None = None,
        show: Show | None = None,
        is_cancelled: IsCancelled = never,
        on_hits: OnHits | None = None,
    ) -> Found | DatabaseRefusal | Cancelled:
        """Messages that fit what was typed, which is never wrong.

        `on_hits` is called in this thread with hits as they come; the answer has them all, in
        their order.
        """
        request = Request(parse(typed), limit, sort, only or Filter(), show or Show())
        memo, token = self._memo, self._token()
        if memo.token is None or memo.token != token:
            # A new one, since another thread may be reading the old one.
            memo = self._memo = memo.renewed(token)
        found = self._database.look(
            lambda reader: Search(reader, request, memo, on_hits=on_hits).run(),
            is_cancelled=is_cancelled,
        )
        return Found(request.query) if isinstance(found, NotFound) else found

    def near(
        self, at: float, *, limit: int = 20, is_cancelled: IsCancelled = never
    ) -> tuple[Near, ...] | DatabaseRefusal | Cancelled:
        """The messages of people and models written nearest to the moment `at`, nearest first."""
        work = partial(near, at=at, limit=limit)
        found = self._database.look(work, is_cancelled=is_cancelled)
        return () if isinstance(found, NotFound) else found

    def open_sessions(
        self, changed_at: float, *, blocks: Sequence[str] = ()
    ) -> tuple[OpenSession, ...] | DatabaseRefusal | Cancelled:
        """The sessions that have not ended, the latest first; `changed_at`: last change of memory.

        A session keeps the memory with which it began. Where its prompt is on record, it is
        looked for `blocks`, what the next session would see.
        """
        work = partial(open_sessions, changed_at=changed_at, blocks=tuple(blocks))
        found = self._database.look(work)
        return () if isinstance(found, NotFound) else found

    def _or_no_session(
        self, found: Conversation | DatabaseRefusal | Cancelled | None, name: str
    ) -> Conversation | DatabaseRefusal | Cancelled:
        if found is None or isinstance(found, NotFound):
            return NotFound("session", name)
        return found

    def _token(self) -> object:
        """What differs whenever anything was written."""
        found: list[object] = []
        for ending in ("", "-wal"):
            try:
                one = os.stat(f"{self.path}{ending}")
            except OSError:
                found.append(None)
            else:
                found.append((one.st_dev, one.st_ino, one.st_mtime_ns, one.st_size))
        return tuple(found)


def _counts(reader: Reader) -> Counts:
    return Counts(
        reader.one("SELECT count(*) FROM sessions"),
        reader.one("SELECT count(*) FROM messages"),
        (*reader.layout.notices, *broken_indexes(reader)),
    )
