"""What a search is asked and what it answers, as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from schema.frozen import field, frozen
from store.sessions.matching import Snippet
from store.sessions.query import Query

Way = Literal["word", "trigram", "scan"]
Sort = Literal["best", "newest", "oldest"]


@frozen
class Filter:
    """Which messages count; empty means all. Times are UTC seconds, `until` not included."""

    roles: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None


@frozen
class Show:
    """What is shown although it is often not wanted."""

    rewound: bool = False
    archived: bool = True
    tools: bool = True


class Hit(NamedTuple):
    """A message that was found, with a passage of it; `at` in UTC seconds."""

    message_id: int
    session_id: str
    root: str
    role: str
    at: float
    snippet: Snippet
    title: str
    source: str
    model: str
    tool_name: str = ""
    rewound: bool = False
    compacted: bool = False
    archived: bool = False


@frozen
class Hidden:
    """How many messages fit and are not shown, and why."""

    rewound: int = 0
    archived: int = 0
    tools: int = 0

    @property
    def count(self) -> int:
        """All of them."""
        return self.rewound + self.archived + self.tools


@frozen
class Found:
    """The answer of a search.

    `complete`: there is no further hit than `hits`, and `hidden` counts all. `relaxed`: no
    message has all words, so these have some. `ways` are those by which was searched; `notices`
    are the database's own, with the indexes that proved broken.
    """

    query: Query
    hits: tuple[Hit, ...] = ()
    complete: bool = True
    hidden: Hidden = field(default=Hidden())
    ways: tuple[Way, ...] = ()
    notices: tuple[str, ...] = ()
    relaxed: bool = False


@frozen
class Group:
    """The hits of one conversation, with its branches, continuations and subagents."""

    root: str
    hits: tuple[Hit, ...]


def grouped(hits: Sequence[Hit]) -> tuple[Group, ...]:
    """The hits by root, in the order of each one's first."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.root, []).append(hit)
    return tuple(Group(root, tuple(found)) for root, found in groups.items())


@frozen
class Request:
    """What is asked of a search; `limit` counts hits."""

    query: Query
    limit: int = 20
    sort: Sort = "best"
    only: Filter = field(default=Filter())
    show: Show = field(default=Show())


OnHits = Callable[[tuple[Hit, ...]], None]
