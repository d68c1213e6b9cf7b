"""Where a memory came from, and who still carries an older one."""

from __future__ import annotations

from schema.frozen import frozen
from store.sessions.conversations import lineage_of, messages_of
from store.sessions.database import Reader, marks
from store.sessions.messages import Message

SPOKEN = ("user", "assistant")
OTHERS = 8
"""So many messages are looked at for each that is wanted, since tools answer in between."""


@frozen
class Near:
    """A message and how many seconds after a moment it was written; before it if negative."""

    message: Message
    seconds: float
    title: str


@frozen
class OpenSession:
    """A session that has not ended. `older`: it still carries memory as it was before."""

    id: str
    title: str
    source: str
    started_at: float
    last_at: float
    older: bool


def near(reader: Reader, *, at: float, limit: int) -> tuple[Near, ...]:
    """The messages of people and models nearest to `at`; taken back ones too, with their mark."""
    # Looked up in the index of times first: the texts of all messages need not be read.
    rows = reader.rows(
        "SELECT id FROM messages ORDER BY abs(timestamp - ?), id DESC LIMIT ?",
        (at, max(limit, 0) * OTHERS),
    )
    ids = [row[0] for row in rows]
    found = [one for one in messages_of(reader, f"id IN ({marks(ids)})", ids) if one.role in SPOKEN]
    titles = _titles(reader, sorted({one.session_id for one in found}))
    by_distance = sorted(found, key=lambda one: (abs(one.at - at), -one.id))
    return tuple(
        Near(one, one.at - at, titles.get(one.session_id, "")) for one in by_distance[:limit]
    )


def open_sessions(
    reader: Reader, *, changed_at: float, blocks: tuple[str, ...]
) -> tuple[OpenSession, ...]:
    """The sessions that have not ended, the latest first."""
    lineage = lineage_of(reader)
    links = [one for one in map(lineage.at, lineage.ids()) if one.ended_at is None]
    links.sort(key=lambda one: one.last_at, reverse=True)
    ids = [one.id for one in links]
    titles, prompts = _titles(reader, ids), _prompts(reader, ids) if blocks else {}
    return tuple(
        OpenSession(
            id=one.id,
            title=titles.get(one.id, ""),
            source=one.source,
            started_at=one.started_at,
            last_at=one.last_at,
            older=_is_older(prompts.get(one.id), blocks, one.started_at < changed_at),
        )
        for one in links
    )


def _is_older(prompt: str | None, blocks: tuple[str, ...], began_before: bool) -> bool:
    if not prompt:
        return began_before
    return any(block not in prompt for block in blocks)


def _titles(reader: Reader, ids: list[str]) -> dict[str, str]:
    if "title" not in reader.layout.sessions:
        return {}
    rows = reader.rows(f"SELECT id, title FROM sessions WHERE id IN ({marks(ids)})", ids)
    return {one: str(title or "") for one, title in rows}


def _prompts(reader: Reader, ids: list[str]) -> dict[str, str | None]:
    """The system prompts on record; a newer Hermes keeps them in a table of their own."""
    columns = reader.layout.sessions
    if "system_prompt" in columns:
        query = "SELECT id, system_prompt FROM sessions"
    elif "system_prompt_hash" in columns and reader.layout.has_prompts:
        query = (
            "SELECT s.id, p.prompt FROM sessions s"
            " JOIN system_prompts p ON p.hash = s.system_prompt_hash"
        )
    else:
        return {}
    return dict(reader.rows(f"{query} WHERE id IN ({marks(ids)})", ids))
