"""Why an entry might leave memory, and what could be done, in words. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence

from gui.i18n import N_, tr
from gui.words import excerpt
from store.advice.judge import Advice

REASONS = {
    "secret": N_("It holds a key or password, which every request then carries."),
    "near_duplicate": N_("It says much the same as “{beside}”."),
    "contained": N_("All it says is also in “{beside}”."),
    "raw_dump": N_("It is raw output, not a fact drawn from it."),
    "todo": N_("It is something to do, not something to know."),
    "task_progress": N_("It tells how far a task was, which is over by the next session."),
    "finished_work": N_("It logs finished work; the history of the project has that."),
    "past_date": N_("Its date has passed."),
    "procedure": N_("It tells how something is done, which belongs in a skill."),
    "easily_found": N_("It is easily found again when it is needed."),
    "too_long": N_("It is far too long for what is in every prompt."),
    "untouched": N_("Nobody has changed it for {days} days."),
}
"""By `Advice.kind`."""

ELSEWHERE = {
    ("near_duplicate", "skill"): N_("It says much the same as the skill “{beside}”."),
    ("near_duplicate", "note"): N_("It says much the same as the note “{beside}”."),
    ("contained", "skill"): N_("All it says is also in the skill “{beside}”."),
    ("contained", "note"): N_("All it says is also in the note “{beside}”."),
}
"""By `Advice.kind` and `Advice.beside_in`, where no entry says the same."""

ACTIONS = {
    "delete": N_("delete it"),
    "shorten": N_("shorten it"),
    "merge": N_("merge the two"),
    "move": N_("move it to the other file"),
    "to_note": N_("move it to a note"),
    "to_skill": N_("make it a skill"),
    "to_keyring": N_("move the key to the keyring"),
}
"""By `Advice.actions`."""

WAYS = {
    "shorten": N_("Shorten…"),
    "merge": N_("Merge…"),
    "to_note": N_("To a note…"),
    "to_skill": N_("To a skill draft"),
    "to_keyring": N_("Open Keys"),
}
"""What a button says that does it, or leads to where it is done."""


def first_way(reasons: Sequence[Advice]) -> Advice | None:
    """The advice whose first action beside deleting comes first; None if there is none."""
    return next((one for one in reasons if way_of(one)), None)


def way_of(advice: Advice | None) -> str:
    """The first action of an advice that a button can do, beside deleting."""
    actions = () if advice is None else advice.actions
    return next((action for action in actions if action in WAYS), "")


def way_words(advice: Advice | None) -> str:
    """What the button for it says."""
    way = way_of(advice)
    return tr(WAYS[way]) if way else ""


def say_advice(advice: Advice) -> str:
    """Say why the entry might go."""
    reason = ELSEWHERE.get((advice.kind, advice.beside_in), REASONS[advice.kind])
    return tr(reason, beside=excerpt(advice.beside), days=advice.days)
