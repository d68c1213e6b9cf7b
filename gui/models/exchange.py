"""Entries on their way out of the memory, into it, and to other profiles. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from schema.frozen import frozen
from store.home import TARGETS, Target
from store.refusals import REFUSALS, Invalid, NotFound, Refusal, Unreadable

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.exchange import Exported
LARGEST = 16 * 1024 * 1024
"""No list of entries is near it."""


@frozen
class Copied:
    """Entries that were copied into another profile's `home`, by `change` of its journal."""

    home: HermesHome
    entries: int
    changed: bool
    change: int | None


def other_profiles(desk: Desk) -> tuple[str, ...]:
    """The names of the other profiles beside this one. Runs in the background."""
    return tuple(one.profile for one in desk.profiles() if one.profile != desk.home.profile)


def copy_to(desk: Desk, profile: str, target: Target, texts: Sequence[str]) -> Copied | Refusal:
    """Add entries to the same file of another profile, all or none. Runs in the background."""
    from store.memory.operations import Add, together

    other = _desk_at(desk, profile)
    if other is None:
        return NotFound("profile", profile)
    try:
        other.recover()
        done = other.library.change(target, together([Add(text) for text in texts]))
    finally:
        other.close()
    if isinstance(done, REFUSALS):
        return done
    return Copied(other.home, len(texts), done.changed, done.change_id)


def _desk_at(desk: Desk, profile: str) -> Desk | None:
    return next((desk.at(one) for one in desk.profiles() if one.profile == profile), None)


@frozen
class Imported:
    """So many entries came in, by this change; None if all were there already."""

    entries: int
    change: int | None


def export_to(desk: Desk, path: Path) -> int | Refusal:
    """Write all entries of both files as Markdown, or as JSON to a `.json`; how many.

    Runs in the background.
    """
    from store.files import Disk
    from store.memory.exchange import Exported, as_json, as_markdown

    entries: list[Exported] = []
    for target in TARGETS:
        state = desk.library.load(target)
        if state.problem is not None:
            return state.problem
        entries += [Exported(target, entry.text) for entry in state.entries]
    text = as_json(entries) if path.suffix.lower() == ".json" else as_markdown(entries)
    disk = Disk()
    seen = disk.read(path, at_most=LARGEST)
    if isinstance(seen, Unreadable):
        return seen
    refused = disk.replace(seen, text.encode())
    return len(entries) if refused is None else refused


def import_from(desk: Desk, path: Path, target: Target) -> Imported | Refusal:
    """Add the entries of a document, all or none; those that name no file go to `target`.

    Runs in the background.
    """
    from store.files import Disk
    from store.memory.exchange import import_entries, read_document

    seen = Disk().read(path, at_most=LARGEST)
    if isinstance(seen, Unreadable):
        return seen
    found = read_document(seen.data or b"")
    if isinstance(found, Invalid):
        return found
    entries: list[Exported] = [
        one if one.target is not None else replace(one, target=target) for one in found
    ]
    before = sum(len(desk.library.load(one).entries) for one in TARGETS)
    done = import_entries(desk.library, entries)
    if isinstance(done, REFUSALS):
        return done
    after = sum(len(desk.library.load(one).entries) for one in TARGETS)
    change = next((one.change_id for one in done.values() if one.changed), None)
    return Imported(max(after - before, 0), change)
