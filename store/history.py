"""What the journal tells of the memory: the age of each entry, what builds on which change."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from schema.frozen import frozen
from store.home import Target
from store.refusals import Unreadable

if TYPE_CHECKING:
    from store.journal import Arrival, Journal, JournalEntry

How = Literal["added", "edited", "moved"]


@frozen
class Age:
    """When an entry got its text, in UTC seconds, and by which change; `who` as in `Intent`."""

    at: float
    who: str
    how: How
    change: int


def ages(
    journal: Journal, entries: Mapping[Target, Collection[str]]
) -> dict[Target, dict[str, Age]]:
    """The age of each of these entries, as far as the journal knows it.

    Of an entry that was there before the journal began, or that only came back by an undo to
    where it was then, nothing is known.
    """
    found: dict[Target, dict[str, Age]] = {target: {} for target in entries}
    left = {target: set(texts) for target, texts in entries.items()}
    cancelled = set[int]()
    for one in journal.arrivals():
        if not any(left.values()):
            break
        if one.id in cancelled:
            continue
        if one.undoes is not None:
            cancelled.add(one.undoes)
            continue
        for target, texts in left.items():
            if one.target in (target, "both") and texts:
                for text in texts.intersection(one.come):
                    found[target][text] = Age(one.at, one.who, _how(one), one.id)
                    texts.discard(text)
    return found


def in_effect(changes: Iterable[JournalEntry]) -> Iterator[JournalEntry]:
    """Of changes, newest first, those that neither were taken back nor take one back."""
    cancelled = set[int]()
    for change in changes:
        if change.id in cancelled:
            continue
        if change.intent.undoes is not None:
            cancelled.add(change.intent.undoes)
        else:
            yield change


def of_entry(changes: Iterable[JournalEntry], text: str) -> tuple[JournalEntry, ...]:
    """Of changes, newest first, those in which this entry, or what it was before, came or went."""
    names, found = {text}, []
    for change in changes:
        gone, come = change.intent.gone, change.intent.come
        if names & {*gone, *come}:
            found.append(change)
            if len(gone) == len(come) == 1 and come[0] in names:
                names.add(gone[0])
    return tuple(found)


def later_than(journal: Journal, entry: JournalEntry) -> tuple[int, ...]:
    """The changes, oldest first, that build on this one and are still in effect."""
    changes = journal.changes()
    if isinstance(changes, Unreadable):
        return ()
    own = {part.path for part in entry.parts}
    touched = {*entry.intent.gone, *entry.intent.come}
    found = []
    for change in sorted(in_effect(changes), key=lambda one: one.id):
        if change.id <= entry.id or change.intent.undoes == entry.id:
            continue
        theirs = {*change.intent.gone, *change.intent.come}
        if touched & theirs or (not touched and _is_about(journal, change, own)):
            found.append(change.id)
            touched |= theirs
    return tuple(found)


def _is_about(journal: Journal, change: JournalEntry, paths: Collection[str]) -> bool:
    whole = journal.get(change.id)
    return (
        whole is not None
        and not isinstance(whole, Unreadable)
        and any(part.path in paths for part in whole.parts)
    )


def _how(one: Arrival) -> How:
    if one.action == "move":
        return "moved"
    return "edited" if len(one.come) == 1 == len(json.loads(one.gone)) else "added"
