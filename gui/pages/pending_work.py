"""What the Pending page has done in the background: decide, weigh, judge, switch. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, groupby
from typing import TYPE_CHECKING, Any, Literal

from gui.field_words import say_problem
from gui.i18n import sentences, tr, trn
from gui.models.pending import AnyBrief, Gate, Inbox, Known, PendingView
from gui.models.pending_filter import BREATH, breathe
from gui.models.pending_read import brief_of, read_pending
from gui.words import say
from gui.workplace import ChangeIn
from schema.frozen import frozen
from store.pending.end_state import FileEnd, end_state
from store.pending.records import Record
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.operations import Change
    from store.pending.queue import Handled

Verb = Literal["approve", "reject", "set_aside"]
CHUNK = 20
"""So many records are decided on between two looks at whether to go on."""


@frozen
class Seen:
    """One thing to decide on: its key on screen, what names it in its queue, and its digest.

    `home` is where it waits, None for the home that is open.
    """

    key: str
    name: str
    digest: str
    home: HermesHome | None = None


@frozen
class Decision:
    """What the person decided, on exactly these records as they were seen.

    `edited` is what a single record is approved as: a change of memory, or the payload of a write
    to a skill. `total` counts what was asked for at first,
    `done` and `refused` what became of it so far, by their keys.
    """

    verb: Verb
    waiting: tuple[Seen, ...]
    total: int
    edited: Change | Mapping[str, Any] | None = None
    done: tuple[str, ...] = ()
    refused: tuple[tuple[str, Refusal], ...] = ()
    changes: tuple[int | ChangeIn, ...] = ()

    def without_rest(self) -> Decision:
        """The same, stopped here."""
        return replace(self, waiting=())


def decide(
    desk: Desk, decision: Decision, known: Known | None
) -> tuple[Decision, PendingView | None]:
    """Carry out the next records of a decision; after the last one read the queue again."""
    now, later = decision.waiting[:CHUNK], decision.waiting[CHUNK:]
    decision = replace(decision, waiting=later)
    for home, several in groupby(now, key=lambda one: one.home):
        with _desk_at(desk, home) as there:
            decision = _decide_there(there, decision, [*several], home)
    return decision, None if later else read_pending(desk, known)


@contextmanager
def _desk_at(desk: Desk, home: HermesHome | None) -> Iterator[Desk]:
    """Work on another profile's own queue and journal."""
    if home is None:
        yield desk
        return
    other = desk.at(home)
    try:
        other.recover()
        yield other
    finally:
        other.close()


def _decide_there(
    desk: Desk, decision: Decision, several: Sequence[Seen], home: HermesHome | None
) -> Decision:
    keys = {one.name: one.key for one in several}
    seen = {one.name: one.digest for one in several}
    changes: list[int | None] = []
    refused: tuple[tuple[str, Refusal], ...]
    if decision.verb == "set_aside":
        done, refused = _set_aside(desk, tuple(seen))
    else:
        edited = decision.edited
        if isinstance(edited, Mapping):
            edit = desk.queue.edit(several[0].name, edited, seen=several[0].digest)
            if isinstance(edit, REFUSALS):
                return replace(decision, refused=(*decision.refused, (several[0].key, edit)))
            changes.append(edit)
            found = desk.queue.find(several[0].name)
            seen = {several[0].name: found.digest} if isinstance(found, Record) else seen
            edited = None
        handled: Handled
        if decision.verb == "approve":
            handled = desk.queue.approve(tuple(seen), seen=seen, edited=edited)
        else:
            handled = desk.queue.reject(tuple(seen), seen=seen)
        done, refused = handled.done, handled.refused
    changes += [change for _, change in done]
    real = [change for change in changes if change is not None]
    return replace(
        decision,
        done=(*decision.done, *(keys[name] for name, _ in done)),
        refused=(*decision.refused, *((keys[name], why) for name, why in refused)),
        changes=(
            *decision.changes,
            *(change if home is None else ChangeIn(home, change) for change in real),
        ),
    )


def _set_aside(
    desk: Desk, names: Sequence[str]
) -> tuple[tuple[tuple[str, int | None], ...], tuple[tuple[str, Refusal], ...]]:
    done: list[tuple[str, int | None]] = []
    refused: list[tuple[str, Refusal]] = []
    for name in names:
        moved = desk.queue.set_aside(name)
        if isinstance(moved, REFUSALS):
            refused.append((name, moved))
        else:
            done.append((name, moved[1]))
    return tuple(done), tuple(refused)


def told(decision: Decision) -> str:
    """Say what a decision came to, in a sentence."""
    count, refused = len(decision.done), len(decision.refused)
    if decision.total == 1:
        if refused:
            return say(decision.refused[0][1])
        if decision.edited is not None:
            return tr("Approved as edited.")
        return {
            "approve": tr("Approved."),
            "reject": tr("Rejected."),
            "set_aside": tr("Set aside; it is kept in the folder set-aside of the queue."),
        }[decision.verb]
    match decision.verb:
        case "approve":
            text = trn("Approved {n} write.", "Approved {n} writes.", count)
        case "reject":
            text = trn("Rejected {n} write.", "Rejected {n} writes.", count)
        case _:
            text = trn("Set {n} file aside.", "Set {n} files aside.", count)
    if refused:
        declined = trn(
            "{n} was declined and stays here.", "{n} were declined and stay here.", refused
        )
        text = sentences(text, declined)
    left = decision.total - count - refused
    return sentences(text, trn("{n} was left.", "{n} were left.", left)) if left else text


# --- Where the ticked ones lead -----------------------------------------------------------------


@frozen
class Ends:
    """Where approving what is ticked leads: the files of each profile, and what would be refused.

    `skills` counts the skill writes that apply, `skill_files` the files that they change.
    """

    files: tuple[tuple[str, FileEnd], ...]
    skills: int
    skill_files: int
    refused: frozenset[str]


def weigh(
    view: PendingView, keys: Sequence[str], ticked: Collection[str], given_up: Callable[[], bool]
) -> Ends:
    """Work out where approving the ticked ones of `keys`, in that order, leads."""
    by_profile: dict[str, tuple[Inbox, list[tuple[str, Record]]]] = {}
    for key in keys:
        record = view.record(key) if key in ticked else None
        if record is not None:
            inbox = view.inbox_of(key)
            by_profile.setdefault(inbox.profile, (inbox, []))[1].append((key, record))
    asked = count()

    def given_up_now() -> bool:
        if next(asked) % BREATH == BREATH - 1:
            breathe()
        return given_up()

    files: list[tuple[str, FileEnd]] = []
    refused: set[str] = set()
    skills = skill_files = 0
    for profile, (inbox, chosen) in by_profile.items():
        about_skills = {key for key, record in chosen if record.skill is not None}
        plan = inbox.desk.skills.plan(inbox.shelf) if about_skills else None
        records = [record for _, record in chosen]
        end = end_state(records, inbox.states, skills=plan, given_up=given_up_now)
        files += [(profile, one) for one in end.files]
        names = {name for name, _ in end.refused}
        declined = {key for key, record in chosen if record.id in names}
        refused |= declined
        skills += len(about_skills - declined)
        if plan is not None:
            changed = plan.draft.changes()
            skill_files += sum(change.kind == "file" for change in changed)
    return Ends(tuple(files), skills, skill_files, frozenset(refused))


def judge_more(
    keys: Sequence[str], view: PendingView, number: int
) -> tuple[int, dict[str, AnyBrief]]:
    """Judge these records by the states of the view with that number."""
    briefs: dict[str, AnyBrief] = {}
    for key in keys:
        record = view.record(key)
        if record is not None:
            briefs[key] = brief_of(record, view.inbox_of(key))
        breathe()
    return number, briefs


def reread(
    desk: Desk, number: int, known: Known | None, everywhere: bool
) -> tuple[Desk, int, PendingView]:
    """Read the queue again; `number` tells which asking this answers."""
    return desk, number, read_pending(desk, known, everywhere=everywhere)


# --- Whether writes wait ------------------------------------------------------------------------


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
