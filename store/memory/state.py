"""What one memory file looks like at one moment, whole and immutable."""

from __future__ import annotations

from typing import Literal

from schema.frozen import frozen
from store.home import FILE_NAMES, Target
from store.memory import budget, drift
from store.memory.entries import Document, Undecodable, decode, parse
from store.memory.snapshot import Snapshot, scan_shown
from store.refusals import Refusal, Unreadable

_QUICKLY_READ = 100_000
"""Characters of a backup that are worth a closer look each time a file is loaded."""

FileState = Literal["clean", "drift", "unreadable", "absent"]


@frozen
class EntryView:
    """One entry as it stands in the file; `index` counts from 1, `chars` without delimiter."""

    index: int
    text: str
    chars: int
    threats: tuple[str, ...]
    duplicate: bool


@frozen
class MemoryState:
    """A file's entries, budget, trouble, and what the agent will see of it.

    `chars` of `limit` is what the agent counts; `prompt_limit` is what the running agent shows,
    None if it is no number. `problem` is set when the file is unreadable. `digest` names the
    bytes that were read. `document` is what operations work on.
    """

    target: Target
    path: str
    state: FileState
    enabled: bool
    entries: tuple[EntryView, ...]
    chars: int
    limit: int
    signals: tuple[str, ...]
    notices: tuple[str, ...]
    problem: Refusal | None
    snapshot: Snapshot
    digest: str
    document: Document
    prompt_limit: float | None = None

    @property
    def file_name(self) -> str:
        """MEMORY.md or USER.md."""
        return FILE_NAMES[self.target]

    @property
    def blocked(self) -> int:
        """How many entries the agent will not see."""
        return sum(1 for entry in self.entries if entry.threats)


@frozen
class Written:
    """A change that is on disk, or (`changed` false) was already so.

    `replaced` and `removed` are full texts. `change_id` names it in the journal. `backup` is
    the path of a copy that was made of a drifted file before it was normalised.
    """

    target: Target
    action: str
    changed: bool
    chars: int
    limit: int
    entry_count: int
    replaced: str | None = None
    removed: str | None = None
    change_id: int | None = None
    backup: str = ""


@frozen
class FileText:
    """A file as it was read: its bytes decoded, or why not."""

    data: bytes | None
    decoded: str | Undecodable | None
    problem: Unreadable | None


def file_text(path: str, data: bytes | None) -> FileText:
    """Decode what was read once; the same bytes serve parsing, drift test and write."""
    if data is None:
        return FileText(None, None, None)
    decoded = decode(data)
    if isinstance(decoded, Undecodable):
        why = Unreadable(path, "utf-8", byte=decoded.byte, utf16=decoded.utf16)
        return FileText(data, decoded, why)
    return FileText(data, decoded, None)


def entry_views(document: Document) -> tuple[EntryView, ...]:
    """The entries with the marks that a person should see."""
    seen: set[str] = set()
    views = []
    threats = scan_shown(document.texts)
    both = zip(document.entries, document.pieces, threats, strict=True)
    for index, (entry, piece, ids) in enumerate(both, 1):
        views.append(EntryView(index, entry.text, len(entry.text), ids, piece in seen))
        seen.add(piece)
    return tuple(views)


def describe(
    target: Target,
    path: str,
    text: FileText,
    *,
    limit: int,
    prompt_limit: float | None = None,
    enabled: bool,
    snapshot: Snapshot,
    digest: str,
    backup_has_more: bool = False,
) -> MemoryState:
    """Put together what `text` means under these limits."""
    document = parse(text.decoded) if isinstance(text.decoded, str) else Document()
    signals = drift.signals(text.decoded, limit) if isinstance(text.decoded, str) else ()
    notices: tuple[str, ...] = ()
    if text.data is not None and text.decoded is not None:
        notices = drift.notices(text.data, text.decoded, document)
    state: FileState = "drift" if signals else "clean"
    if text.problem is not None:
        state = "unreadable"
    elif text.data is None:
        state = "absent"
    return MemoryState(
        target=target,
        path=path,
        state=state,
        enabled=enabled,
        entries=entry_views(document),
        chars=budget.count(document),
        limit=limit,
        signals=signals,
        notices=(*notices, "backup_has_more") if backup_has_more else notices,
        problem=text.problem,
        snapshot=snapshot,
        digest=digest,
        document=document,
        prompt_limit=prompt_limit,
    )


def lost_to(document: Document, backup: str) -> bool:
    """Whether `backup`, a decoded copy, holds an entry that `document` no longer has."""
    return not set(parse(backup).pieces) <= set(document.pieces)


def lost_to_repair(document: Document, backup: str, limit: int) -> bool:
    """Whether `backup` still holds more once it is read as a repair reads a broken file."""
    from store.memory.repair import propose

    if len(backup) > _QUICKLY_READ:
        return True
    proposal = propose(backup.encode(), limit=limit)
    has = set(document.texts) | set(document.pieces)
    return proposal is not None and any(one.text not in has for one in proposal.entries)
