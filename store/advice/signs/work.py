"""Signs of work: what is still to do, what is under way, and what is done. English and Chinese."""

from __future__ import annotations

from store.advice.signs.done import reports, says_done
from store.advice.signs.phrases import unquoted
from store.advice.signs.progress import says_progress
from store.advice.signs.todos import heads, not_begun, says_todo

LOG = 3
"""So many sentences that tell of things done make a log, whatever else it mentions."""


def is_todo(text: str) -> bool:
    """Whether it is a thing to do once; what is under way and what recurs are not."""
    bare = unquoted(text)
    return says_todo(bare) or (not_begun(bare) and not says_progress(bare))


def is_progress(text: str) -> bool:
    """Whether it says how far some work is."""
    bare = unquoted(text)
    return says_progress(bare) and reports(bare) < LOG


def is_done(text: str) -> bool:
    """Whether it reports work that is over; what names a rest is under way instead."""
    bare = unquoted(text)
    return says_done(bare) and (reports(bare) >= LOG or not says_progress(bare))


def heads_todos(text: str) -> bool:
    """Whether a list of things to do begins here, so that its numbers are no steps."""
    return heads(unquoted(text)) and is_todo(text)
