"""Taking a move to a note back, and finding how far one came that a crash ended.

Only what the move appended is taken off; what others wrote into the note since stays.
"""

from __future__ import annotations

from store.changes import Part
from store.files import Content
from store.history_texts import MEMORY_PATHS
from store.journal import Journal, JournalEntry
from store.knowledge.notes import stands_in, taken_off
from store.refusals import Conflict, Unreadable

ACTION = "move_to_note"
"""How the journal names the move; the note is the first of its parts."""


def note_before(entry: JournalEntry, part: Part, seen: Content) -> bytes | Conflict:
    """The note that others changed since, without what this change appended."""
    if not _is_of_note(entry, part) or seen.data is None:
        return Conflict(str(seen.path))
    before = taken_off(seen.data, part.before or b"", part.after or b"")
    return Conflict(str(seen.path)) if before is None else before


def stands_in_note(entry: JournalEntry, part: Part, seen: Content) -> bool:
    """Whether what was appended is in the note, though others have changed it since."""
    if not _is_of_note(entry, part) or seen.data is None:
        return False
    return stands_in(seen.data, part.before or b"", part.after or b"")


def is_of_a_note(journal: Journal, entry: JournalEntry, part: Part) -> bool:
    """Whether this part of a move, or of taking one back, is the note.

    Of a note no version is ever brought back: what others wrote into it since would go.
    """
    first: JournalEntry | Unreadable | None = entry
    while isinstance(first, JournalEntry) and first.intent.undoes is not None:
        first = journal.get(first.intent.undoes)
    is_move = isinstance(first, JournalEntry) and first.intent.action == ACTION
    return is_move and part.path not in MEMORY_PATHS


def _is_of_note(entry: JournalEntry, part: Part) -> bool:
    is_its_note = entry.intent.action == ACTION and part.path == entry.parts[0].path
    return is_its_note and part.after is not None
