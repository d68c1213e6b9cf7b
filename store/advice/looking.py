"""Looks through the memory of a home for what might leave it. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from store.advice.judge import Advice, Other, Piece, advise
from store.home import TARGETS, Target
from store.journal import journal_path
from store.preferences import data_dir, load_preferences
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.state import MemoryState

NOTES: Final = "knowledge"
NOTES_FILES: Final = ("folders.json", "index.sqlite")
"""Where `store.knowledge` keeps its folders and its index, told here since it is not loaded."""
NOTES_SECONDS = 0.5


def advice_of(
    desk: Desk,
    *,
    clock: Callable[[], float],
    states: Mapping[Target, MemoryState] | None = None,
    elsewhere: bool = True,
) -> tuple[Advice, ...]:
    """Everything worth a look in both files, what matters most first; for the background.

    `states` are the files as they were read already. `elsewhere`: look at skills and notes, too.
    """
    states = states or desk.library.load_both(desk.library.settings())
    changed = _changed(desk)
    pieces = [
        Piece(target, entry.text, changed.get(entry.text))
        for target in TARGETS
        for entry in states[target].entries
        if not entry.duplicate
    ]
    others = [*_skills(desk), *_notes(desk, [one.text for one in pieces])] if elsewhere else []
    days = load_preferences(env=desk.env).preferences.untouched_days
    return advise(pieces, now=clock(), others=others, untouched_days=days)


def _changed(desk: Desk) -> dict[str, float]:
    """When the journal saw a text come, in UTC seconds; no journal is made by looking."""
    if not journal_path(data_dir(desk.env), desk.home).is_file():
        return {}
    entries = desk.journal.changes()
    if isinstance(entries, REFUSALS):
        return {}
    return {text: one.at for one in reversed(entries) for text in one.intent.come}


def _notes(desk: Desk, texts: Sequence[str]) -> list[Other]:
    """What notes may say the same; without folders or an index nothing of them is touched."""
    if not all((data_dir(desk.env) / NOTES / name).is_file() for name in NOTES_FILES):
        return []
    found = desk.knowledge.nearest(texts, seconds=NOTES_SECONDS)
    return [Other("note", one.title, one.text) for one in found]


def _skills(desk: Desk) -> list[Other]:
    found = desk.skill_desk.look()
    if found is None:
        return []
    return [Other("skill", one.name, one.description) for one in found.skills if one.description]
