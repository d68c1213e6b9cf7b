"""What the Pending page shows, as values: read and judged in the background.

No Qt, and no disk beyond what `read_pending` asks of the store.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gui.ages import age, moment
from gui.i18n import N_, tr, trn
from gui.models.cards import Card, Mark
from gui.models.memory import file_words
from gui.words import excerpt, say
from schema.frozen import frozen
from store.pending.records import Record, Subsystem, UnusableRecord
from store.refusals import (
    Ambiguous,
    AtOperation,
    Blocked,
    Conflict,
    DelimiterInText,
    Drifted,
    Empty,
    Invalid,
    Locked,
    NoMatch,
    OverBudget,
    ReadOnly,
    Refusal,
    Stale,
    Unreadable,
    Unsupported,
    WouldEmpty,
)

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target
    from store.memory.operations import Change, Operation
    from store.memory.state import MemoryState

Item = Record | UnusableRecord
States = Mapping["Target", "MemoryState"]

FIRST = 60
"""So many records are judged before the list is shown; the others follow."""
MANY = 1_000
"""A queue longer than this is no everyday one."""
GATES: tuple[Subsystem, ...] = ("memory", "skills")


@frozen
class Gate:
    """Whether writes of one kind wait for approval. `managed_by`: who else decides that."""

    subsystem: Subsystem
    on: bool
    stored: object
    managed_by: str = ""

    @property
    def key(self) -> str:
        """Where it stands in config.yaml."""
        return f"{self.subsystem}.write_approval"


@frozen
class Brief:
    """The effect of one record, as far as its card tells it; characters as the agent counts."""

    refusal: Refusal | None
    chars_before: int
    chars_after: int
    limit: int
    lost: int = 0
    changes: bool = True


@frozen
class PendingView:
    """The queue at one moment, the files it is about, and who decides whether writes wait.

    `items` are all that waits by their keys: records oldest first, then what cannot be used.
    `briefs` judges records, but not the `unjudged` ones. `marks` names what was on disk, for the
    watch. `at`: when it was read, UTC seconds.
    """

    items: Mapping[str, Item]
    records: tuple[Record, ...]
    unjudged: tuple[Record, ...]
    states: States
    briefs: Mapping[str, Brief]
    stale: frozenset[str]
    skills: tuple[str, ...]
    gates: tuple[Gate, ...]
    config_problem: Refusal | None
    provider: str
    marks: Mapping[Path, str]
    at: float

    def gate(self, subsystem: Subsystem) -> Gate:
        """The switch of one kind of writes."""
        return self.gates[GATES.index(subsystem)]


def key_of(broken: UnusableRecord) -> str:
    """Name a file that is no record in the list, in a text that Qt gives back as it was."""
    return shown(broken.file)


def shown(text: str, most: int = 2_000) -> str:
    """Give what can be drawn of a text: halves of characters by their names, and not without end.

    JSON and names of files can hold such halves.
    """
    cut = text if len(text) <= most else text[:most] + "…"
    return cut.encode("utf-8", "backslashreplace").decode()


@frozen
class Known:
    """What a page has on screen: its view, what is judged by now, and which cards are in view."""

    view: PendingView
    briefs: Mapping[str, Brief]
    in_view: Collection[str]


def read_pending(desk: Desk, known: Known | None = None) -> PendingView:
    """Read the queue and what it is about. Judges what is in view, and keeps what still holds."""
    from gui.watch import Watched, marks_of

    home = desk.home
    watched = Watched(
        files=frozenset({home.config, home.memory_file("memory"), home.memory_file("user")}),
        folders=frozenset({home.pending("memory"), home.pending("skills")}),
    )
    # Before anything is read: what changes in between is then news to the watch.
    marks = marks_of(watched)
    settings = desk.library.settings()
    listing = desk.queue.load("memory")
    states = desk.library.load_both(settings)
    items: dict[str, Item] = {record.id: record for record in listing.records}
    items |= {key_of(broken): broken for broken in listing.unreadable}
    briefs = _still_true(known, listing.records, states)
    in_view = known.in_view if known is not None else ()
    chosen = [one for key in in_view if isinstance(one := items.get(key), Record)]
    first = [one for one in chosen or listing.records[:FIRST] if one.id not in briefs]
    briefs |= judge(first, states)
    if len(items) > MANY:
        grow_old_at_once()
    return PendingView(
        items=items,
        records=listing.records,
        unjudged=tuple(one for one in listing.records if one.id not in briefs),
        states=states,
        briefs=briefs,
        stale=stale_ids(briefs),
        skills=_skill_ids(desk),
        gates=tuple(
            Gate(
                name,
                settings.approval(name),
                setting.stored if setting is not None else None,
                setting.managed_by if setting is not None else "",
            )
            for name in GATES
            for setting in [settings.setting(f"{name}.write_approval")]
        ),
        config_problem=settings.problem,
        provider=settings.provider,
        marks=marks,
        at=time.time(),
    )


def grow_old_at_once() -> None:
    """Spare the collector of garbage a look through thousands of new values, which will stay.

    It holds the window up while it looks. This puts all there is among the old, and looks at none.
    """
    gc.freeze()
    gc.unfreeze()


def _skill_ids(desk: Desk) -> tuple[str, ...]:
    """Name the skill changes that wait, without reading them."""
    try:
        names = sorted(os.listdir(desk.home.pending("skills")))
    except OSError:
        return ()
    return tuple(name.removesuffix(".json") for name in names if name.endswith(".json"))


def judge(records: Iterable[Record], states: States) -> dict[str, Brief]:
    """Work out what each card tells of its record's effect."""
    return {record.id: brief_of(record, states) for record in records}


def brief_of(record: Record, states: States) -> Brief:
    """Work out what a card tells of the effect of one record."""
    from store.pending.effects import effect_of

    target = record.memory_target
    if target is None:
        return Brief(record.problem or Unsupported("skill_record"), 0, 0, 0)
    state = states[target]
    effect = effect_of(record, state, diff=False)
    return Brief(
        refusal=effect.refusal,
        chars_before=effect.chars_before,
        chars_after=effect.chars_after,
        limit=effect.limit,
        lost=len(effect.lost_lines),
        changes=effect.document != state.document,
    )


def _still_true(known: Known | None, records: Sequence[Record], states: States) -> dict[str, Brief]:
    """Give the briefs that still hold: the same record, the same file, the same limit."""
    if known is None:
        return {}
    before, briefs = known.view, known.briefs
    other = {
        target
        for target, state in states.items()
        if _measure(before.states[target]) != _measure(state)
    }
    return {
        record.id: briefs[record.id]
        for record in records
        if record.id in briefs
        and (record is (old := before.items.get(record.id)) or record == old)
        and record.target not in other
    }


def _measure(state: MemoryState) -> tuple[object, ...]:
    return state.digest, state.limit, state.signals, state.problem


# --- Words --------------------------------------------------------------------------------------

LEADS: dict[str, tuple[str, str]] = {
    "add": (N_("Add"), N_("to {file}")),
    "replace": (N_("Replace"), N_("in {file}")),
    "remove": (N_("Remove"), N_("from {file}")),
}


def headline(record: Record) -> tuple[str, str]:
    """Say what a record asks for and of which file: the word in bold, and the rest."""
    from store.memory.operations import Batch, action_name

    target = record.memory_target
    if target is None or record.change is None:
        return record.action.capitalize() or tr("Unknown"), ""
    name = file_words(target)
    if isinstance(record.change, Batch):
        count = len(record.change.operations)
        return trn("Batch of {n}", "Batch of {n}", count), tr("in {file}", file=name)
    word, where = LEADS[action_name(record.change)]
    return tr(word), tr(where, file=name)


def text_of(record: Record) -> str:
    """Give the text that a record is about: what is to be written, else what is to go."""
    from store.memory.operations import Batch

    if record.change is None:
        return shown(record.summary)
    if isinstance(record.change, Batch):
        return shown(", ".join(_operation_words(one) for one in record.change.operations[:20]))
    return shown(_text_of_operation(record.change))


def _text_of_operation(operation: Change | Operation) -> str:
    from store.memory.operations import Add, Remove, Replace

    match operation:
        case Add(text) | Replace(text=text):
            return text.strip()
        case Remove(where):
            return where.text.strip()
    return ""


def _operation_words(operation: Operation) -> str:
    from store.memory.operations import Add, Remove, Replace

    sign = {Add: "+", Remove: "−", Replace: "±"}.get(type(operation), "?")
    return f"{sign} {excerpt(_text_of_operation(operation)[:500], 48)}"


def badge_of(brief: Brief) -> Mark:
    """Say in two or three words what approving does, or what stands in the way."""
    if brief.refusal is not None:
        tone = "plain" if isinstance(brief.refusal, Unsupported) else "bad"
        return Mark(refusal_words(brief.refusal), tone, say(brief.refusal, tried=False))  # type: ignore[arg-type]
    usage = f"{brief.chars_after:,}/{brief.limit:,}"
    if brief.lost:
        return Mark(
            trn("loses {n} line", "loses {n} lines", brief.lost),
            "bad",
            tr("The whole entry is replaced, with lines that this write does not mention."),
        )
    if not brief.changes:
        return Mark(tr("there already"), "plain", tr("Approving only removes the record."))
    if brief.chars_after < brief.chars_before:
        freed = brief.chars_before - brief.chars_after
        return Mark(tr("frees {n:,}", n=freed), "ok", tr("{usage} chars", usage=usage))
    if brief.chars_after > brief.limit:  # only a smaller file may stay over its limit
        return Mark(tr("over: {usage}", usage=usage), "bad")
    tip = tr("That many characters the file has afterwards, of those that it may have.")
    return Mark(tr("fits: {usage}", usage=usage), "ok", tip)


def refusal_words(refusal: Refusal) -> str:
    """Name in two or three words what stands in the way."""
    match refusal:
        case AtOperation(number, _, cause):
            why = refusal_words(cause)
            return tr("operation {number}: {why}", number=number, why=why)
        case OverBudget(_, chars, limit):
            return tr("over by {n:,}", n=chars - limit)
        case Ambiguous(_, matches):
            return trn("matches {n} entry", "matches {n} entries", len(matches))
        case Unsupported("provider_record", name):
            if name:
                return tr("belongs to {provider}", provider=name)
            return tr("belongs to another provider")
        case _:
            return tr(_SHORT.get(type(refusal), N_("not possible")))


_SHORT: dict[type, str] = {
    Stale: N_("stale"),
    NoMatch: N_("entry is gone"),
    Blocked: N_("blocked by scan"),
    DelimiterInText: N_("holds a § line"),
    WouldEmpty: N_("would empty the file"),
    Empty: N_("says nothing"),
    Drifted: N_("file in drift"),
    Unreadable: N_("cannot be read"),
    Conflict: N_("changed meanwhile"),
    Locked: N_("file is locked"),
    ReadOnly: N_("cannot be written"),
    Invalid: N_("not usable"),
    Unsupported: N_("unknown kind"),
}


def is_stale(brief: Brief) -> bool:
    """Whether what the record was about is gone, so that it can no longer apply."""
    refusal = brief.refusal
    cause = refusal.cause if isinstance(refusal, AtOperation) else refusal
    return isinstance(cause, Stale | NoMatch)


def stale_ids(briefs: Mapping[str, Brief]) -> frozenset[str]:
    """The records that can no longer apply."""
    return frozenset(key for key, brief in briefs.items() if is_stale(brief))


# --- Cards --------------------------------------------------------------------------------------


@frozen
class PendingCard(Card):
    """A card with a box to tick; `ticked` None has none. `when` is the exact time."""

    ticked: bool | None = None
    when: str = ""

    def spoken(self) -> str:
        """Give the whole card as one text, for screen readers."""
        said = Card.spoken(self)
        return tr("selected, {card}", card=said) if self.ticked else said

    def tips(self) -> str:
        """Give the exact time and the explanations of all marks, one a line."""
        return "\n".join(part for part in (self.when, Card.tips(self)) if part)


def card_of(
    item: Item, brief: Brief | None, *, ticked: bool, now: float, more: Sequence[Mark] = ()
) -> PendingCard:
    """Make the card of one item; without `brief` its effect is not worked out yet."""
    if isinstance(item, UnusableRecord):
        return PendingCard(
            key=key_of(item),
            text=shown(say(item.problem)),
            lead=tr("Not a record"),
            lead_rest=shown(Path(item.file).name),
            meta=(Mark(tr("left alone"), "plain", key_of(item)),),
        )
    lead, rest = headline(item)
    auto = Mark(tr("[auto]"), "warn", tr("Staged by a background review."))
    badge = () if brief is None else (badge_of(brief),)
    old = age(item.created_at, now)
    return PendingCard(
        key=item.id,
        text=text_of(item),
        lead=lead,
        lead_rest=rest,
        lead_marks=(auto,) if item.automatic else (),
        meta=(item.id, *((old,) if old else ()), *badge, *more),
        ticked=ticked,
        when=moment(item.created_at),
    )


def fits_search(item: Item, needle: str) -> bool:
    """Whether `needle`, in lower case, stands in what the card of the item shows."""
    if isinstance(item, UnusableRecord):
        return needle in item.file.casefold()
    texts = (item.id, text_of(item), *headline(item), "[auto]" if item.automatic else "")
    return any(needle in text.casefold() for text in texts)
