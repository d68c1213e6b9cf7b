"""Commands on notes: the configured folders, search in them, and the index."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refused, table
from gui.commands.parsing import Areas, Arguments, count, group, leaf, not_blank, take_texts
from gui.i18n import tr, trn
from gui.knowledge_words import FOLDER_STATES, SOURCES
from gui.words import say, word
from store.knowledge.folders import Folder, FoldersChanged
from store.knowledge.indexing import Refreshed
from store.knowledge.searching import NoteHit, NotesFound
from store.knowledge.vaults import NoFolder, Offer, Offered, OneFolder
from store.refusals import REFUSALS, Empty
from store.sessions.database import Cancelled

if TYPE_CHECKING:
    from store.desk import Desk

FOUND = 20
TOLD = 1_000
"""So many notes go by between two lines of progress."""


def declare(areas: Areas) -> None:
    """Declare `knowledge` and its commands."""
    commands = group(areas, "knowledge", tr("your notes: folders, search, and the index"))
    folders = leaf(commands, "folders", change_folders, tr("show the configured folders"))
    either = folders.add_mutually_exclusive_group()
    for option, what in (("add", tr("add this folder")), ("remove", tr("take it off the list"))):
        either.add_argument(f"--{option}", type=not_blank, metavar="PATH", help=what)
    search = leaf(commands, "search", search_notes, tr("find notes in all folders"))
    take_texts(search, "QUERY")
    search.add_argument(
        "--limit",
        type=count,
        default=FOUND,
        metavar="N",
        help=tr("show at most so many (default: {n})", n=FOUND),
    )
    leaf(commands, "index", index_notes, tr("bring the index of the notes up to date"))


def change_folders(desk: Desk, arguments: Arguments) -> Answer:
    """The folders, after one was added or taken off the list."""
    knowledge = desk.knowledge
    data: dict[str, object] = {}
    said: tuple[str, ...] = ()
    given = arguments.add or arguments.remove
    if given:
        path = Path(os.path.abspath(os.path.expanduser(given)))
        act = knowledge.add_folder if arguments.add else knowledge.remove_folder
        done = act(path)
        if not isinstance(done, FoldersChanged):
            return refused(done)
        data = {"changed": done.changed, "path": str(done.path)}
        said = (_said_of_change(done, added=bool(arguments.add)),)
    folders = knowledge.folders()
    offers = knowledge.offered()
    data |= {
        "folders": [_folder_data(one) for one in folders],
        "offers": [_offer_data(one) for one in _offers_of(offers)],
    }
    notes = (*said, *(() if given else _said_of_offers(offers, folders)))
    rows = [(str(one.path), word(FOLDER_STATES, one.state)) for one in folders]
    return Answer(data, table(rows) if rows else tr("No folder is configured."), notes=notes)


def search_notes(desk: Desk, arguments: Arguments) -> Answer:
    """Notes that fit, after the index was brought up to date."""
    if not arguments.query.strip():
        return refused(Empty("query"))
    fresh = desk.knowledge.refresh(progress=_progress(arguments))
    if not isinstance(fresh, Refreshed):
        return refused(fresh)
    found = desk.knowledge.search(arguments.query, limit=arguments.limit)
    if isinstance(found, Cancelled):
        raise KeyboardInterrupt
    if not isinstance(found, NotesFound):
        return refused(found)
    data = {
        "results": [_hit_data(one) for one in found.hits],
        "complete": found.complete,
        "relaxed": found.relaxed,
        "missing": [str(one) for one in found.missing],
    }
    notes = () if desk.knowledge.folders() else _said_of_offers(desk.knowledge.offered(), ())
    if found.relaxed:
        notes += (tr("No note has all the words; these have some of them."),)
    return Answer(data, _found_text(found), notes=(*notes, *_said_of_missing(found.missing)))


def index_notes(desk: Desk, arguments: Arguments) -> Answer:
    """What bringing the index up to date found."""
    done = desk.knowledge.refresh(progress=_progress(arguments))
    if isinstance(done, REFUSALS):
        return refused(done)
    data = {
        "notes": done.notes,
        "added": done.added,
        "changed": done.changed,
        "renamed": done.renamed,
        "removed": done.removed,
        "unreadable": [str(one) for one in done.unreadable],
        "too_big": [str(one) for one in done.too_big],
        "links": done.links,
        "missing": [str(one) for one in done.missing],
        "rebuilt": done.rebuilt,
    }
    return Answer(data, _index_text(done), notes=_said_of_index(desk, done))


# -- as data -----------------------------------------------------------------------------------


def _folder_data(one: Folder) -> dict[str, object]:
    return {"path": str(one.path), "state": one.state}


def _offer_data(one: Offer) -> dict[str, object]:
    return {
        "path": str(one.path),
        "state": one.state,
        "sources": one.sources,
        "given": one.given,
    }


def _hit_data(one: NoteHit) -> dict[str, object]:
    return {
        "path": str(one.path),
        "title": one.title,
        "snippet": one.snippet.text,
        "ranges": one.snippet.ranges,
        "title_ranges": one.title_ranges,
        "folder": str(one.folder),
        "modified": one.modified,
        "conflict_copy": one.conflict_copy,
    }


def _offers_of(offers: Offered) -> tuple[Offer, ...]:
    match offers:
        case OneFolder(one, others):
            return (one, *others)
        case NoFolder(others):
            return others
        case _:
            return (*offers.offers, *offers.others)


# -- as text -----------------------------------------------------------------------------------


def _said_of_change(done: FoldersChanged, *, added: bool) -> str:
    if added and done.changed:
        return tr("{path} is searched from now on.", path=done.path)
    if added:
        return tr("{path} is configured already.", path=done.path)
    return tr("{path} is no longer searched; nothing in it was touched.", path=done.path)


def _said_of_offers(offers: Offered, folders: tuple[Folder, ...]) -> tuple[str, ...]:
    said = []
    if isinstance(offers, NoFolder):
        if not folders:
            said.append(tr("Name a folder of notes: memory-desk knowledge folders --add PATH."))
        if offers.trouble is not None:
            said.append(say(offers.trouble))
    elif isinstance(offers, OneFolder):
        said.append(
            tr(
                "{path} may be meant ({source}); add it with --add.",
                path=offers.offer.path,
                source=_sources(offers.offer),
            )
        )
    else:
        lines = [f"  {one.path}  ({_sources(one)})" for one in offers.offers]
        said.append(tr("Several folders may be meant; add yours with --add:"))
        said += lines
    for one in _offers_of(offers):
        if not one.usable:
            said.append(
                tr(
                    "“{given}” cannot be used ({source}): {path} is {state}.",
                    given=one.given,
                    source=_sources(one),
                    path=one.path,
                    state=word(FOLDER_STATES, one.state),
                )
            )
    return tuple(said)


def _sources(one: Offer) -> str:
    return tr(", ").join(word(SOURCES, source) for source in one.sources)


def _said_of_missing(missing: tuple[Path, ...]) -> tuple[str, ...]:
    return tuple(tr("{path} is not there, so nothing was looked for in it.", path=path)
                 for path in missing)  # fmt: skip


def _said_of_index(desk: Desk, done: Refreshed) -> tuple[str, ...]:
    said = list(_said_of_missing(done.missing))
    if not desk.knowledge.folders():
        said += _said_of_offers(desk.knowledge.offered(), ())
    if done.rebuilt:
        said.append(tr("The index was damaged or of another version, so it was made anew."))
    for path in done.unreadable:
        said.append(tr("{path} cannot be read.", path=path))
    for path in done.too_big:
        said.append(tr("{path} is too long for a note and was left out.", path=path))
    return tuple(said)


def _found_text(found: NotesFound) -> str:
    if not found.hits:
        return tr("No note fits.")
    blocks = []
    for one in found.hits:
        mark = tr(" (copy of a conflict)") if one.conflict_copy else ""
        title = _marked(one.title, one.title_ranges)
        snippet = _marked(one.snippet.text, one.snippet.ranges)
        blocks.append(f"{title}{mark}\n  {one.path}" + (f"\n  {snippet}" if snippet else ""))
    if not found.complete:
        blocks.append(tr("There is more; ask for it with --limit."))
    return "\n\n".join(blocks)


def _marked(text: str, ranges: tuple[tuple[int, int], ...]) -> str:
    """The text with what was found between brackets."""
    done, parts = 0, []
    for begin, end in ranges:
        parts += [text[done:begin], "[", text[begin:end], "]"]
        done = end
    return "".join([*parts, text[done:]])


def _index_text(done: Refreshed) -> str:
    counts = (
        trn("{n} new", "{n} new", done.added) if done.added else "",
        trn("{n} changed", "{n} changed", done.changed) if done.changed else "",
        trn("{n} renamed", "{n} renamed", done.renamed) if done.renamed else "",
        trn("{n} gone", "{n} gone", done.removed) if done.removed else "",
    )
    said = tr(", ").join(filter(None, counts)) or tr("nothing changed")
    notes = trn("{n} note in the index", "{n} notes in the index", done.notes)
    return f"{notes}: {said}"


def _progress(arguments: Arguments) -> Callable[[int, int], None] | None:
    """Lines for a person who waits; a script gets none."""
    if not arguments.person or arguments.json:
        return None
    told = 0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if done - told >= TOLD:
            told = done
            arguments.tell(tr("{done:,} of {total:,} notes …", done=done, total=total))

    return tell
