"""Forgetting an entry everywhere: in the memory files, their backups, the journal and the index.

That cannot be undone. It is noted first, so that what a crash leaves is finished at the next start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from schema.frozen import frozen
from store.files import Content
from store.history_texts import replaced
from store.home import TARGETS
from store.memory.entries import clean
from store.memory.operations import Remove, Whole
from store.refusals import REFUSALS, Empty, Refusal

if TYPE_CHECKING:
    from pathlib import Path

    from store.journal import Journal
    from store.knowledge.indexing import ForgottenInNotes
    from store.memory.library import MemoryLibrary

LARGEST = 64 * 1024 * 1024
_MANY = 1_000
"""No file has the same entry so often."""


@frozen
class Forgotten:
    """Where an entry was: how many of it in the files, which backups, how many changes.

    `left` are journals that were set aside as broken; what they hold nobody can tell. `notes` are
    the person's own that say it still: in these the desk changes nothing.
    """

    text: str
    entries: int
    backups: tuple[str, ...]
    changes: int
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def forget(
    library: MemoryLibrary,
    journal: Journal,
    text: str,
    *,
    in_notes: Callable[[str], ForgottenInNotes | Refusal],
    wait: float = 10.0,
) -> Forgotten | Refusal:
    """Remove the entry `text` from both files and let nothing that the desk keeps tell of it."""
    text = clean(text)
    if not text:
        return Empty("content")
    begun = journal.start_forgetting(text)
    if begun is not None:
        return begun
    entries = _remove(library, text, wait)
    if not isinstance(entries, int):
        journal.forget(text, done=False)
        return entries
    backups = list[str]()
    for path in _copies(library):
        done = _remove_from(library, path, text)
        if isinstance(done, REFUSALS):
            return done
        backups += [str(path)] if done else []
    indexed = in_notes(text)
    if isinstance(indexed, REFUSALS):
        return indexed
    changes = journal.forget(text)
    if not isinstance(changes, int):
        return changes
    broken = sorted(journal.path.parent.glob(f"{journal.path.name}.broken-*"))
    left = tuple(str(path) for path in broken if not path.name.endswith(("-wal", "-shm")))
    notes = tuple(str(path) for path in indexed.still)
    return Forgotten(text, entries, tuple(backups), changes, left, notes)


def finish(
    library: MemoryLibrary,
    journal: Journal,
    *,
    in_notes: Callable[[str], ForgottenInNotes | Refusal],
) -> None:
    """Forget what a crash kept from being forgotten."""
    for text in journal.forgetting():
        forget(library, journal, text, in_notes=in_notes, wait=1.0)


def _remove(library: MemoryLibrary, text: str, wait: float) -> int | Refusal:
    count = 0
    for target in TARGETS:
        for _ in range(_MANY):
            if text not in library.load(target).document.texts:
                break
            done = library.change(target, Remove(Whole(text)), wait=wait)
            if isinstance(done, REFUSALS):
                return done
            count += 1
    return count


def _copies(library: MemoryLibrary) -> list[Path]:
    from store.memory.backups import list_backups

    groups = [group for target in TARGETS for group in list_backups(library, target)]
    return [one.path for group in groups for one in group.files]


def _remove_from(library: MemoryLibrary, path: Path, text: str) -> Refusal | bool:
    """Whether the copy held the entry, which is no longer in it; all its other bytes stay."""
    seen = library.disk.read(path, at_most=LARGEST, follow=False)
    if not isinstance(seen, Content):
        return seen
    if seen.data is None:
        return False
    without = replaced(seen.data, lambda entry: entry == text, lambda _: "")
    if without == seen.data:
        return False
    refused = library.disk.replace(seen, without)
    return True if refused is None else refused
