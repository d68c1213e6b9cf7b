"""Signs in one text that it is of a kind that memory is not for: English and Chinese.

The agent's own rules keep out task progress, logs of finished work, to-do state, raw dumps, what is
easily found again, and procedures (which are skills). Each sign is a phrase or a form that hardly
occurs in what should stay; a doubt is no sign.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final, Literal

from store.advice.signs.dates import dates_in, is_past
from store.advice.signs.dumps import is_dump
from store.advice.signs.phrases import LOOKED
from store.advice.signs.procedures import is_procedure
from store.advice.signs.public import LONGEST, is_found
from store.advice.signs.secrets import has_secret
from store.advice.signs.work import is_done, is_progress, is_todo

__all__ = ["FAR_TOO_LONG", "LOOKED", "Sign", "dates_in", "signs"]

Sign = Literal[
    "task_progress", "finished_work", "todo", "raw_dump", "easily_found", "procedure",
    "past_date", "too_long", "secret",
]  # fmt: skip
FAR_TOO_LONG = 500
"""Characters: an entry beyond that is a note, not a memory."""


def signs(text: str, *, today: date) -> tuple[Sign, ...]:
    """Every sign in `text`, in a fixed order.

    A secret and the length are looked for in all of it, anything else in its first characters.
    """
    found: list[Sign] = ["secret"] if has_secret(text) else []
    found += _kinds(text[:LOOKED], today)
    if len(text) > FAR_TOO_LONG:
        found.append("too_long")
    return tuple(found)


def _kinds(text: str, today: date) -> list[Sign]:
    """What a text is: of output and of steps the words within say nothing of the day."""
    if is_dump(text):
        return ["raw_dump"]
    steps = is_procedure(text)
    found: list[Sign] = [
        sign
        for sign, says in _WORK.items()
        if says(text) and not (steps and sign != "finished_work")
    ]
    if is_past(text, today):
        found.append("past_date")
    if steps:
        found.append("procedure")
    if is_found(text):
        if len(text) > LONGEST and steps:
            found.remove("procedure")
        found.append("easily_found")
    return found


_WORK: Final[dict[Sign, Callable[[str], bool]]] = {
    "todo": is_todo,
    "task_progress": is_progress,
    "finished_work": is_done,
}
