"""How sessions follow from one another: roots, chains, branches, tips (hermes-formats §9.5).

Pure: from the links of all sessions to what a list shows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from schema.frozen import frozen

STEPS = 100
"""So far a chain is followed; the agent stops there too."""

Kind = Literal["root", "continuation", "branch", "subagent", "child"]


@frozen
class Link:
    """What of one session decides about its place. Times are UTC seconds."""

    id: str
    parent: str | None
    source: str
    started_at: float
    ended_at: float | None
    end_reason: str | None
    last_at: float
    branched: bool = False
    delegated: bool = False
    archived: bool = False
    hidden: bool = False


class Lineage:
    """The links of all sessions."""

    def __init__(self, links: Iterable[Link]) -> None:
        self._links = {link.id: link for link in links}
        self._children: dict[str, list[Link]] = {}
        for link in self._links.values():
            if link.parent is not None:
                self._children.setdefault(link.parent, []).append(link)

    def get(self, session_id: str) -> Link | None:
        """The link of a session."""
        return self._links.get(session_id)

    def at(self, session_id: str) -> Link:
        """The link of a session that is there."""
        return self._links[session_id]

    def ids(self) -> tuple[str, ...]:
        """All sessions."""
        return tuple(self._links)

    def root(self, session_id: str) -> str:
        """The session from which this one follows in the end, by whatever kind of link."""
        seen = [session_id]
        while len(seen) < STEPS:
            link = self._links.get(seen[-1])
            if link is None or link.parent in (None, "") or link.parent in seen:
                break
            seen.append(str(link.parent))
        return seen[-1]

    def kind(self, session_id: str) -> Kind:
        """What a session is to the one that it follows from."""
        link = self._links[session_id]
        if link.parent is None:
            return "subagent" if link.delegated or link.source == "subagent" else "root"
        if self._is_branch(link):
            return "branch"
        if link.delegated or link.source == "subagent":
            return "subagent"
        parent = self._links.get(link.parent)
        ended_by_compression = parent is not None and parent.end_reason == "compression"
        return "continuation" if ended_by_compression and link.source != "tool" else "child"

    def chain(self, session_id: str) -> tuple[str, ...]:
        """A session and the continuations after it, to the tip."""
        found = [session_id]
        while len(found) <= STEPS:
            after = self._next(found[-1])
            if after is None or after in found:
                break
            found.append(after)
        return tuple(found)

    def whole_chain(self, session_id: str) -> tuple[str, ...]:
        """The chain in which a session stands, from its first one on."""
        first, seen = session_id, {session_id}
        while first in self._links and self.kind(first) == "continuation":
            parent = str(self._links[first].parent)
            if parent in seen:
                break
            seen.add(parent)
            first = parent
        chain = self.chain(first)
        return chain if session_id in chain else self.chain(session_id)

    def tip(self, session_id: str) -> str:
        """The latest continuation of a session; itself if there is none."""
        return self.chain(session_id)[-1]

    def listed(self) -> tuple[tuple[str, ...], ...]:
        """What a list shows: one chain each, archived and hidden ones among them."""
        return tuple(self.chain(link.id) for link in self._links.values() if self._is_listed(link))

    def unlisted(self) -> tuple[str, ...]:
        """The sessions that no chain of the list contains: subagents, and what is left over."""
        shown = {one for chain in self.listed() for one in chain}
        return tuple(one for one in self._links if one not in shown)

    def _is_listed(self, link: Link) -> bool:
        return (link.parent is None or self._is_branch(link)) and not link.delegated

    def _is_branch(self, link: Link) -> bool:
        if link.branched:
            return True
        parent = self._links.get(link.parent or "")
        return (
            parent is not None
            and parent.end_reason == "branched"
            and parent.ended_at is not None
            and link.started_at >= parent.ended_at
        )

    def _next(self, session_id: str) -> str | None:
        link = self._links.get(session_id)
        if link is None or link.end_reason != "compression":
            return None
        children = [
            child
            for child in self._children.get(session_id, ())
            if not child.branched and not child.delegated and child.source != "tool"
        ]
        if not children:
            return None
        return max(children, key=_preference).id


def _preference(child: Link) -> tuple[int, float, float, str]:
    state = 2 if child.end_reason == "compression" else int(child.ended_at is None)
    return state, child.last_at, child.started_at, child.id
