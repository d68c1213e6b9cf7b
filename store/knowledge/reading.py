"""One note as a person sees it, and whether it may be written to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from schema.frozen import field, frozen
from store.files import Content, Disk, mark_of
from store.knowledge.folders import Folder
from store.knowledge.notes import Text, is_conflict_copy, text_of
from store.knowledge.vaults import obsidian_address
from store.knowledge.walking import MOST_BYTES, is_note_name, is_shown
from store.refusals import NotFound, Unreadable, Unsupported


@frozen
class NoteCard:
    """A note in a list; `modified` in UTC seconds, `size` in bytes.

    `problem`: why nothing can be read in it, or nothing. `conflict_copy`: see `NoteHit`.
    """

    path: Path
    folder: Path
    title: str
    modified: float
    size: int
    conflict_copy: bool
    problem: str = ""


@frozen
class Note:
    """A note in full. `digest` names what was read; a move to the note hands it back.

    `text` has LF line ends. `names` are what it is called, its file's name first. `address` opens
    it in Obsidian; empty where its folder is no vault. `writable` is False for a copy that a
    program that syncs made, and where the encoding is only a guess.
    """

    path: Path
    folder: Path
    title: str
    text: str = field(repr=False)
    body: str = field(repr=False)
    names: tuple[str, ...]
    digest: str
    encoding: str
    conflict_copy: bool
    writable: bool
    modified: float
    address: str


@frozen
class Opened:
    """The bytes of a note, with where it lies and what they say."""

    seen: Content = field(repr=False)
    folder: Folder
    said: Text = field(repr=False)


NoteRefusal = NotFound | Unreadable | Unsupported


def open_note(path: Path, folders: Sequence[Folder], *, disk: Disk) -> Opened | NoteRefusal:
    """Read a note of a configured folder; nothing else is, and no link is followed."""
    path = Path(os.path.normpath(path))
    folder = next((one for one in folders if path.is_relative_to(one.path)), None)
    if folder is None:
        return NotFound("note", str(path))
    if not (is_shown(path.relative_to(folder.path)) and is_note_name(path.name)):
        return Unsupported("not_a_note", str(path))
    if os.path.realpath(path) != str(path):
        return Unsupported("note_is_a_link", str(path))
    seen = disk.read(path, follow=False, at_most=MOST_BYTES)
    if isinstance(seen, Unreadable):
        return seen
    if seen.data is None:
        return NotFound("note", str(path))
    said = text_of(seen.data, path.stem)
    return Unsupported("not_a_note", str(path)) if said is None else Opened(seen, folder, said)


def shown(opened: Opened) -> Note:
    """The note as a value for a page."""
    path, said = opened.seen.path, opened.said
    copy = is_conflict_copy(path.stem)
    mark = mark_of(str(path), follow=False)
    return Note(
        path=path,
        folder=opened.folder.path,
        title=path.stem,
        text=said.text,
        body=said.body,
        names=said.names,
        digest=opened.seen.digest,
        encoding=said.encoding,
        conflict_copy=copy,
        writable=said.certain and not copy,
        modified=0.0 if mark is None else mark.modified / 1e9,
        address=obsidian_address(path) if opened.folder.state == "vault" else "",
    )
