"""What the history page shows: the changes of the memory, as values. No Qt here."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING, Final

from gui.ages import age, moment
from gui.change_words import say_what, say_who
from gui.i18n import tr
from gui.models.cards import Card, Mark
from gui.models.pending_detail import DiffRow, folded
from gui.words import excerpt, file_name
from schema.frozen import frozen
from store.history import of_entry
from store.history_texts import MEMORY_PATHS
from store.home import TARGETS
from store.refusals import Refusal, Unreadable

if TYPE_CHECKING:
    from store.changes import Part
    from store.desk import Desk
    from store.history_forget import Forgotten
    from store.journal import JournalEntry
    from store.restoring import Restored

SHOWN: Final = 400
"""So many changes at once; a search goes through all of them."""
_EXCERPT = 200


@frozen
class AboutEntry:
    """The person wants the history of this entry."""

    text: str


@frozen
class HistoryView:
    """The changes of both memory files, newest first; `refusal` says why there are none."""

    changes: tuple[JournalEntry, ...]
    now: float
    refusal: Refusal | None = None

    def some(self, needle: str, about: AboutEntry | None) -> tuple[JournalEntry, ...]:
        """The changes in which `needle` stands, and which are about that entry."""
        found = self.changes if about is None else of_entry(self.changes, about.text)
        wanted = needle.casefold()
        if not wanted:
            return found[:SHOWN]
        return tuple(islice((one for one in found if wanted in _searched(one)), SHOWN))

    def get(self, number: object) -> JournalEntry | None:
        """The change with that id."""
        return next((one for one in self.changes if one.id == number), None)


@frozen
class ChangeView:
    """One change in full: what it did to the files, line by line."""

    id: int
    rows: tuple[DiffRow, ...]


def read_history(desk: Desk) -> HistoryView:
    """Read all changes. Runs in the background."""
    found = desk.journal.changes()
    if isinstance(found, Unreadable):
        return HistoryView((), time.time(), found)
    wanted = (*TARGETS, "both")
    return HistoryView(tuple(one for one in found if one.intent.target in wanted), time.time())


def read_change(desk: Desk, number: int) -> ChangeView | Refusal | None:
    """Read one change with its bytes, and compare them. Runs in the background."""
    found = desk.journal.get(number)
    if found is None or isinstance(found, Unreadable):
        return found
    files = [part for part in found.parts if part.path in MEMORY_PATHS]
    rows: list[DiffRow] = []
    for part in files:
        if len(files) > 1:
            rows.append(DiffRow("head", part.path.rpartition("/")[2]))
        rows += _rows_of(part)
    if not rows and found.intent.record:
        rows.append(DiffRow("note", tr("The record {id} was handled; no memory file changed.",
                                       id=found.intent.record)))  # fmt: skip
    return ChangeView(number, tuple(rows))


def card_of(change: JournalEntry, now: float) -> Card:
    """A change as a card."""
    meta: list[str | Mark] = [
        age(change.at, now) or moment(change.at),
        say_who(change.intent.who),
        file_name(change.intent.target),
    ]
    if change.intent.record:
        meta.append(excerpt(change.intent.record, 26))
    if change.undone_by is not None:
        meta.insert(0, Mark(tr("undone")))
    elif change.withheld:
        tip = tr("It is about a secret or about what was forgotten, so no text of it is kept.")
        meta.insert(0, Mark(tr("cannot be undone"), "warn", tip))
    return Card(key=change.id, text=_told(change), meta=tuple(meta), tip=moment(change.at))


def restore_version(desk: Desk, number: int, before: bool) -> tuple[Restored | Refusal, Desk]:
    """Bring back what a change made, or what it found. Runs in the background."""
    from store.restoring import restore

    return restore(desk.undo, number, before=before), desk


def forget(desk: Desk, text: str) -> tuple[Forgotten | Refusal, Desk]:
    """Forget an entry everywhere. Runs in the background."""
    return desk.forget(text), desk


def only_text(change: JournalEntry) -> str | None:
    """The one entry that a change is about, if it is about one and its text is kept."""
    texts = change.intent.come or change.intent.gone
    return texts[0] if len(texts) == 1 and not change.withheld else None


def _told(change: JournalEntry) -> str:
    """What it did; where that names no text, which entries came, or else went."""
    words = say_what(change, _EXCERPT)
    texts = change.intent.come or change.intent.gone
    text = excerpt(" · ".join(texts), _EXCERPT)
    if change.withheld or not text or text in words:
        return words
    return tr("{what}: “{text}”", what=words, text=text)


def _searched(change: JournalEntry) -> str:
    intent = change.intent
    return "\n".join((*intent.gone, *intent.come, intent.record)).casefold()


def _rows_of(part: Part) -> tuple[DiffRow, ...]:
    from store.pending.effects import diff_lines

    before, after = (_shown(data) for data in (part.before, part.after))
    rows = folded(diff_lines(before, after))
    if all(row.kind in ("same", "gap") for row in rows):
        return (DiffRow("note", tr("Only line ends, spaces or the order of equal lines changed.")),)
    return rows


def _shown(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
