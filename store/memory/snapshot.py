"""Exactly the block that the agent's next session will see (hermes-formats §2.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from schema.frozen import frozen
from store.home import FILE_NAMES, TARGETS, Target
from store.memory.entries import DELIMITER, Undecodable, agent_pieces
from store.memory.threats import scan_all

RULE = "═" * 46
HEADERS: dict[Target, str] = {
    "memory": "MEMORY (your personal notes)",
    "user": "USER PROFILE (who the user is)",
}
NoBlock = Literal[
    "empty",
    "disabled",
    "memory_off",
    "bad_limit",
    "unreadable",
    "other_bad_limit",
    "other_unreadable",
]


@frozen
class Snapshot:
    """`block` is the exact text, empty if there is none; then `reason` says why.

    `blocked` are the positions (from 0) of the pieces that the agent replaces.
    """

    block: str
    reason: NoBlock | None = None
    blocked: tuple[int, ...] = ()


@frozen
class Source:
    """What the agent loads for one file.

    `text` is the decoded file, None when it is missing or the system refuses to read it (the
    agent then sees nothing, hermes-formats §2.7). `limit` is the value as the agent passes it
    on, None when it is one that it cannot calculate with.
    """

    text: str | Undecodable | None
    limit: float | None
    enabled: bool
    refused: bool = False


def snapshot(
    target: Target,
    sources: Mapping[Target, Source],
    *,
    memory_off: bool,
) -> Snapshot:
    """The block of `target`. Both files matter: one that breaks loading leaves both out."""
    own = sources[target]
    if memory_off:
        return Snapshot("", "memory_off")
    if not own.enabled:
        return Snapshot("", "disabled")
    for name in (target, *(other for other in TARGETS if other != target)):
        if (why := _breaks_loading(sources[name])) is not None:
            return Snapshot("", why if name == target else _of_other(why))
    if own.refused:
        return Snapshot("", "unreadable")
    pieces = agent_pieces(own.text) if isinstance(own.text, str) else ()
    if not pieces or own.limit is None:
        return Snapshot("", "empty")
    shown, blocked = _sanitised(pieces, FILE_NAMES[target])
    return Snapshot(render(target, shown, own.limit), None, blocked)


def prompt_block(target: Target, pieces: tuple[str, ...], limit: float) -> str:
    """The block of these entries, blocked ones replaced; empty if there are none."""
    return render(target, _sanitised(pieces, FILE_NAMES[target])[0], limit) if pieces else ""


def _breaks_loading(source: Source) -> Literal["unreadable", "bad_limit"] | None:
    if isinstance(source.text, Undecodable):
        return "unreadable"
    if source.limit is None and source.text is not None and agent_pieces(source.text):
        return "bad_limit"
    return None


def _of_other(why: Literal["unreadable", "bad_limit"]) -> NoBlock:
    return "other_unreadable" if why == "unreadable" else "other_bad_limit"


def _sanitised(pieces: tuple[str, ...], file_name: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    shown, blocked = list(pieces), []
    for index, ids in enumerate(scan_shown(pieces)):
        if ids:
            shown[index] = placeholder(file_name, ids)
            blocked.append(index)
    return tuple(shown), tuple(blocked)


def scan_shown(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """What the agent finds in each of these entries when it shows them, as `threats.scan`."""
    return scan_all(["" if text.startswith("[BLOCKED:") else text for text in texts])


def placeholder(file_name: str, ids: tuple[str, ...]) -> str:
    """What stands in the prompt for an entry that the scan hits."""
    return (
        f"[BLOCKED: {file_name} entry contained threat pattern(s): {', '.join(ids)}. "
        "Removed from system prompt; use memory(action=remove) to delete the original.]"
    )


def render(target: Target, pieces: tuple[str, ...], limit: float) -> str:
    """The block of these pieces; percent is capped at 100 here, as the agent does."""
    content = DELIMITER.join(pieces)
    full = min(100, int(len(content) / limit * 100)) if limit > 0 else 0
    header = f"{HEADERS[target]} [{full}% — {len(content):,}/{limit:,} chars]"
    return f"{RULE}\n{header}\n{RULE}\n{content}"
