"""What the Knowledge page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gui.ages import age
from gui.i18n import sentences, tr, trn
from gui.knowledge_words import FOLDER_STATES, pointer_about, pointer_to
from gui.models.cards import Card, Mark
from gui.models.sessions import HitCard
from gui.places import short_path
from gui.words import excerpt, say, word
from schema.frozen import field, frozen
from store.home import Target
from store.knowledge.folders import Folder, FoldersChanged
from store.knowledge.indexing import Refreshed
from store.knowledge.reading import Note, NoteCard
from store.knowledge.searching import NotesFound
from store.knowledge.vaults import NoFolder, OneFolder
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.state import Written

LONGEST = 200_000
"""So many characters of a note are shown."""
MOST_WATCHED = 20_000
"""So many notes are watched one by one, as long as the system lets one watch so many."""
SUBJECT_CHARS = 32
"""So many characters of an entry tell in a pointer what it was about."""


@frozen
class MoveToNote:
    """Asks the page for the note to which the entry `text` goes, and `more` together with it.

    `fresh`: it is no entry, but stands nowhere yet; `draft` is the file in whose editor it does.
    """

    target: Target
    text: str
    more: tuple[str, ...] = ()
    fresh: bool = False
    draft: Target | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """All that goes, in order."""
        return (self.text, *self.more)


@frozen
class KnowledgeView:
    """All notes as cards, the last changed first; `offers` are folders that could be added."""

    folders: tuple[tuple[Path, str], ...] = ()
    cards: tuple[Card, ...] = ()
    offers: tuple[Path, ...] = ()
    trouble: str = ""
    said: str = ""


@frozen
class NotesView:
    """What a search found, as cards."""

    query: str
    cards: tuple[Card, ...] = ()
    said: str = ""


@frozen
class NoteView:
    """One note. `digest` names what was read, for a move to it."""

    path: Path
    title: str
    about: str
    text: str = ""
    body: str = ""
    digest: str = ""
    address: str = ""
    writable: bool = False
    trouble: str = ""


@frozen
class KnowledgeDone:
    """What became of an action."""

    said: str
    change_id: int | None = None
    done: bool = True
    details: Mapping[str, str] = field(default_factory=dict)


def read_knowledge(desk: Desk) -> KnowledgeView:
    """The folders and what the index knows of their notes. For the background."""
    folders = desk.knowledge.folders()
    offered = desk.knowledge.offered()
    offers: tuple[Path, ...] = ()
    if isinstance(offered, OneFolder):
        offers = (offered.offer.path,)
    elif not isinstance(offered, NoFolder):
        offers = tuple(one.path for one in offered.offers)
    offers = tuple(one for one in offers if not _overlaps(one, folders))
    notes = desk.knowledge.notes()
    shown = [(one.path, word(FOLDER_STATES, one.state)) for one in folders]
    if isinstance(notes, REFUSALS):
        return KnowledgeView(tuple(shown), offers=offers, trouble=say(notes))
    now = time.time()
    return KnowledgeView(
        folders=tuple(shown),
        cards=tuple(_card(one, now, several=len(folders) > 1) for one in notes),
        offers=offers,
    )


def _overlaps(path: Path, folders: tuple[Folder, ...]) -> bool:
    """Whether it lies within a configured folder, or around one: its notes would be there twice."""
    return any(path.is_relative_to(one.path) or one.path.is_relative_to(path) for one in folders)


def refresh_index(
    desk: Desk,
    is_cancelled: Callable[[], bool],
    progress: Callable[[int, int], None],
) -> KnowledgeView:
    """Bring the index up to date, and read. For the background."""
    from dataclasses import replace

    done = desk.knowledge.refresh(progress=progress, is_cancelled=is_cancelled)
    view = read_knowledge(desk)
    if isinstance(done, Refreshed):
        return replace(view, said=_refreshed(done))
    return replace(view, trouble=say(done))


def places_of_notes(desk: Desk) -> tuple[str, ...]:
    """Every folder with notes, and the notes that changed last: what to watch. In background."""
    notes = desk.knowledge.notes()
    latest = () if isinstance(notes, REFUSALS) else notes[:MOST_WATCHED]
    return (*map(str, desk.knowledge.watched()), *(str(one.path) for one in latest))


def update_notes(desk: Desk, paths: frozenset[str] | None) -> KnowledgeView | None:
    """Look again at these notes and folders, None: at all. None if nothing is otherwise."""
    knowledge = desk.knowledge
    done = knowledge.refresh() if paths is None else knowledge.update(map(Path, paths))
    if isinstance(done, Refreshed) and not (
        done.added or done.changed or done.renamed or done.removed or done.rebuilt or done.missing
    ):
        return None
    return read_knowledge(desk)


def _refreshed(done: Refreshed) -> str:
    parts = []
    if done.unreadable:
        count = len(done.unreadable)
        parts.append(trn("{n} note cannot be read.", "{n} notes cannot be read.", count))
    if done.too_big:
        parts.append(
            trn("{n} is too big to look in.", "{n} are too big to look in.", len(done.too_big))
        )
    if done.missing:
        places = ", ".join(short_path(one, Path.home()) for one in done.missing)
        parts.append(tr("Not there now: {folders}.", folders=places))
    if done.rebuilt:
        parts.append(tr("The index was damaged and is made anew."))
    return sentences(*parts)


def _card(note: NoteCard, now: float, *, several: bool) -> Card:
    meta: list[str | Mark] = [age(note.modified, now)]
    if note.conflict_copy:
        tip = tr("A program that syncs made it; nothing is written to it.")
        meta.append(Mark(tr("copy of a conflict"), "warn", tip))
    if note.problem:
        meta.append(Mark(tr("cannot be read"), "bad"))
    place = note.path.relative_to(note.folder).parent.as_posix()
    words = [note.folder.name] if several else []
    words += [place] if place != "." else []
    meta += words
    return Card(key=str(note.path), text=note.title, meta=tuple(one for one in meta if one))


def search_notes(desk: Desk, query: str, is_cancelled: Callable[[], bool]) -> NotesView:
    """Notes that fit what is typed so far. For the background."""
    found = desk.knowledge.search(query, typing=True, is_cancelled=is_cancelled)
    if isinstance(found, REFUSALS):
        return NotesView(query, said=say(found))
    if not isinstance(found, NotesFound):
        return NotesView(query)
    said = tr("No note has all the words; these have some of them.") if found.relaxed else ""
    now = time.time()
    return NotesView(
        query,
        tuple(
            HitCard(
                key=str(hit.path),
                text=hit.snippet.text or hit.title,
                lead=hit.title,
                meta=(age(hit.modified, now), hit.folder.name),
                found=hit.snippet.ranges if hit.snippet.text else (),
            )
            for hit in found.hits
        ),
        said,
    )


def read_note(desk: Desk, path: Path) -> NoteView:
    """One note in full. For the background."""
    found = desk.knowledge.read(path)
    if not isinstance(found, Note):
        return NoteView(path, path.stem, "", trouble=say(found))
    place = short_path(path, Path.home())
    return NoteView(
        path=path,
        title=found.title,
        about=place,
        text=found.text[:LONGEST],
        body=found.body[:LONGEST],
        digest=found.digest,
        address=found.address,
        writable=found.writable,
    )


def change_folder(desk: Desk, path: Path, *, add: bool) -> KnowledgeDone:
    """Add a folder, or take it off the list. For the background."""
    knowledge = desk.knowledge
    done = knowledge.add_folder(path) if add else knowledge.remove_folder(path)
    if not isinstance(done, FoldersChanged):
        return KnowledgeDone(say(done), done=False)
    name = short_path(done.path, Path.home())
    if add:
        return KnowledgeDone(tr("{folder} is added; its notes are looked through.", folder=name))
    return KnowledgeDone(tr("{folder} is off the list; nothing in it was changed.", folder=name))


def move_to_note(desk: Desk, wanted: MoveToNote, note: NoteView, *, pointer: bool) -> KnowledgeDone:
    """Append entries to a note; short pointers stay in memory if wanted. In the background."""
    if wanted.fresh:
        added = desk.knowledge.add_to_note(wanted.text, note.path, seen=note.digest)
        if isinstance(added, REFUSALS):
            return KnowledgeDone(say(added), done=False)
        return KnowledgeDone(tr("Added to the note “{title}”.", title=note.title), added.change_id)
    left = _pointers(wanted, note) if pointer else ()
    done = desk.knowledge.move_all_to_note(
        wanted.target, wanted.texts, note.path, seen=note.digest, pointers=left
    )
    if isinstance(done, REFUSALS):
        return KnowledgeDone(say(done), done=False)
    if not wanted.more:
        return KnowledgeDone(tr("Moved to the note “{title}”.", title=note.title), done.change_id)
    words = trn(
        "{n} entry moved to the note “{title}”.",
        "{n} entries moved to the note “{title}”.",
        len(done.entries),
        title=note.title,
    )
    return KnowledgeDone(words, done.change_id)


def _pointers(wanted: MoveToNote, note: NoteView) -> tuple[str, ...]:
    """What is left of each entry; of several each says what it was about."""
    place = note.path.name
    if not wanted.more:
        return (pointer_to(note.title, place),)
    return tuple(
        pointer_about(excerpt(text, SUBJECT_CHARS), note.title, place) for text in wanted.texts
    )


def take_into_memory(desk: Desk, target: Target, text: str) -> Written | Refusal:
    """Add a selection of a note to memory. For the background."""
    return desk.knowledge.take_into_memory(target, text)
