"""What is advised about entries, as quiet marks for the cards of the Memory page. No Qt here.

Loaded and worked out in the background after the page is shown: showing memory needs none of it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.advice_words import say_advice
from gui.i18n import N_, sentences, tr
from gui.models.cards import Card, Mark
from gui.models.memory import text_of
from store.advice.looking import advice_of
from store.home import TARGETS

if TYPE_CHECKING:
    from store.advice.judge import Advice
    from store.desk import Desk
    from store.home import Target
    from store.memory.state import MemoryState

MARKS = {
    "secret": N_("holds a secret"),
    "near_duplicate": N_("near-duplicate"),
    "contained": N_("said elsewhere"),
    "raw_dump": N_("raw output"),
    "todo": N_("something to do"),
    "task_progress": N_("reads like task progress"),
    "finished_work": N_("finished work"),
    "past_date": N_("date has passed"),
    "procedure": N_("steps"),
    "easily_found": N_("easily found again"),
    "too_long": N_("very long"),
    "untouched": N_("untouched for long"),
}
"""By `Advice.kind`."""


def read_marks(desk: Desk, states: Mapping[Target, MemoryState]) -> dict[Target, dict[str, Mark]]:
    """The mark of each entry about which something is advised: its first reason, and why."""
    advised: dict[Target, dict[str, list[Advice]]] = {target: {} for target in TARGETS}
    for one in advice_of(desk, clock=time.time, states=states, elsewhere=False):
        advised[one.target].setdefault(one.entry, []).append(one)
    return {
        target: {text: _mark(reasons) for text, reasons in entries.items()}
        for target, entries in advised.items()
    }


def _mark(reasons: Sequence[Advice]) -> Mark:
    return Mark(tr(MARKS[reasons[0].kind]), tip=sentences(*map(say_advice, reasons)))


def with_marks(cards: Sequence[Card], found: Mapping[str, Mark]) -> list[Card]:
    """The cards, with the mark of each entry that has one."""
    return [_with_mark(card, found.get(text_of(card.key) or "")) for card in cards]


def _with_mark(card: Card, mark: Mark | None) -> Card:
    return card if mark is None else replace(card, meta=(*card.meta, mark))
