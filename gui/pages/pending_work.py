"""What the Pending page has done in the background: decide, judge, filter. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Literal

from gui.field_words import say_problem
from gui.i18n import sentences, tr, trn
from gui.models.pending import (
    Brief,
    Gate,
    Item,
    Known,
    PendingView,
    States,
    brief_of,
    fits_search,
    read_pending,
)
from gui.words import say
from schema.frozen import frozen
from store.pending.end_state import EndState, end_state
from store.pending.records import Record, UnusableRecord
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.operations import Change

Verb = Literal["approve", "reject"]
Kind = Literal["all", "memory", "user", "auto", "stale", "trouble"]

BREATH = 10
"""After so many records that are only calculated with, the window may have the interpreter."""
BREATH_SECONDS = 0.0003
CHUNK = 20
"""So many records are decided on between two looks at whether to go on."""


@frozen
class Decision:
    """What the person decided, on exactly these records: ids with the digests that were seen.

    `edited` is what a single record is approved as. `total` counts what was asked for at first,
    `done` and `refused` what became of it so far.
    """

    verb: Verb
    waiting: tuple[tuple[str, str], ...]
    total: int
    edited: Change | None = None
    done: tuple[tuple[str, int | None], ...] = ()
    refused: tuple[tuple[str, Refusal], ...] = ()

    def without_rest(self) -> Decision:
        """The same, stopped here."""
        return replace(self, waiting=())

    @property
    def changes(self) -> tuple[int, ...]:
        """The changes of the journal, in their order."""
        return tuple(change for _, change in self.done if change is not None)


def decide(
    desk: Desk, decision: Decision, known: Known | None
) -> tuple[Decision, PendingView | None]:
    """Carry out the next records of a decision; after the last one read the queue again."""
    now, later = decision.waiting[:CHUNK], decision.waiting[CHUNK:]
    seen = dict(now)
    if decision.verb == "approve":
        handled = desk.queue.approve(tuple(seen), seen=seen, edited=decision.edited)
    else:
        handled = desk.queue.reject(tuple(seen), seen=seen)
    decision = replace(
        decision,
        waiting=later,
        done=(*decision.done, *handled.done),
        refused=(*decision.refused, *handled.refused),
    )
    return decision, None if later else read_pending(desk, known)


def told(decision: Decision) -> str:
    """Say what a decision came to, in a sentence."""
    count, refused = len(decision.done), len(decision.refused)
    if decision.total == 1:
        if refused:
            return say(decision.refused[0][1])
        if decision.edited is not None:
            return tr("Approved as edited.")
        return tr("Approved.") if decision.verb == "approve" else tr("Rejected.")
    if decision.verb == "approve":
        text = trn("Approved {n} write.", "Approved {n} writes.", count)
    else:
        text = trn("Rejected {n} write.", "Rejected {n} writes.", count)
    if refused:
        declined = trn(
            "{n} was declined and stays here.", "{n} were declined and stay here.", refused
        )
        text = sentences(text, declined)
    left = decision.total - count - refused
    return sentences(text, trn("{n} was left.", "{n} were left.", left)) if left else text


def switch_gate(desk: Desk, gate: Gate, known: Known | None) -> tuple[str, PendingView]:
    """Have writes of one kind wait for approval, or no longer. What to say of it, and the rest."""
    from schema.values import Problem
    from store.settings import change_setting

    done = change_setting(
        desk.home,
        gate.key,
        "false" if gate.on else "true",
        disk=desk.disk,
        env=desk.env,
        seen=gate.stored,
    )
    if isinstance(done, Problem):
        words = say_problem(done)
    else:
        words = say(done) if isinstance(done, REFUSALS) else _switched_words(gate)
    return words, read_pending(desk, known)


def _switched_words(gate: Gate) -> str:
    if gate.subsystem == "memory":
        if gate.on:
            return tr("Memory writes no longer wait; it takes effect next session.")
        return tr("Memory writes wait from now on; it takes effect next session.")
    if gate.on:
        return tr("Skill writes no longer wait; it takes effect next session.")
    return tr("Skill writes wait from now on; it takes effect next session.")


def empty_words(gate: Gate) -> tuple[str, str]:
    """Say what would stand on the page if something waited: a title and a sentence."""
    if gate.on:
        return tr("Nothing waits"), tr(
            "What background reviews want to write into memory will stand here, with its effect, "
            "until you approve or reject it."
        )
    return tr("Memory writes do not wait"), tr(
        "The agent writes into memory without asking. Let its writes wait, and each will stand "
        "here with its effect until you approve or reject it."
    )


def filtered(
    view: PendingView,
    needle: str,
    kind: Kind,
    stale: Collection[str],
    given_up: Callable[[], bool],
) -> tuple[str, ...]:
    """Give the keys of the items of that kind in which `needle` stands."""
    wanted = needle.casefold()
    kept = []
    for number, (key, item) in enumerate(view.items.items()):
        if number % BREATH == 0:
            breathe()
        if given_up():
            return ()
        if of_kind(item, kind, stale) and (not wanted or fits_search(item, wanted)):
            kept.append(key)
    return tuple(kept)


def of_kind(item: Item, kind: Kind, stale: Collection[str]) -> bool:
    """Whether an item is of that kind."""
    if isinstance(item, UnusableRecord):
        return kind in ("all", "trouble")
    match kind:
        case "memory" | "user":
            return item.memory_target == kind
        case "auto":
            return item.automatic
        case "stale":
            return item.id in stale
        case "trouble":
            return item.problem is not None
    return True


def weigh(
    view: PendingView, keys: Sequence[str], ticked: Collection[str], given_up: Callable[[], bool]
) -> EndState:
    """Work out where approving the ticked ones of `keys`, in that order, leads."""
    chosen = [view.items[key] for key in keys if key in ticked and key in view.items]
    records = [one for one in chosen if isinstance(one, Record)]
    asked = count()

    def given_up_now() -> bool:
        if next(asked) % BREATH == BREATH - 1:
            breathe()
        return given_up()

    return end_state(records, view.states, given_up=given_up_now)


def reread(desk: Desk, number: int, known: Known | None) -> tuple[Desk, int, PendingView]:
    """Read the queue again; `number` tells which asking this answers."""
    return desk, number, read_pending(desk, known)


def judge_more(
    records: Sequence[Record], states: States, number: int
) -> tuple[int, dict[str, Brief]]:
    """Judge these records by the states of the view with that number."""
    briefs = {}
    for record in records:
        briefs[record.id] = brief_of(record, states)
        breathe()
    return number, briefs


def breathe() -> None:
    """Let the window go first: it paints in many small steps, and each needs the interpreter."""
    time.sleep(BREATH_SECONDS)
