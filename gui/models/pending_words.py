"""Words and cards of the Pending page: what a record asks for, and what approving it would do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gui.ages import age, moment
from gui.i18n import N_, tr, trn
from gui.models.cards import Card, Mark
from gui.models.memory import file_words
from gui.models.pending import AnyBrief, Item, SkillBrief, key_of, shown
from gui.words import excerpt, say, word
from schema.frozen import frozen
from store.pending.records import Record, UnusableRecord
from store.refusals import (
    AlreadyThere,
    Ambiguous,
    AtOperation,
    Blocked,
    Conflict,
    DelimiterInText,
    Drifted,
    Empty,
    Invalid,
    Locked,
    MissingField,
    NoMatch,
    NotFound,
    NotInFile,
    OverBudget,
    Protected,
    ReadOnly,
    Refusal,
    ScanHit,
    SeveralPlaces,
    SkillInvalid,
    Stale,
    TooBig,
    Unreadable,
    Unsupported,
    WouldEmpty,
)

if TYPE_CHECKING:
    from store.memory.operations import Change, Operation
    from store.skills.writes import SkillOperation

LEADS: dict[str, tuple[str, str]] = {
    "add": (N_("Add"), N_("to {file}")),
    "replace": (N_("Replace"), N_("in {file}")),
    "remove": (N_("Remove"), N_("from {file}")),
}


SKILL_LEADS: dict[str, tuple[str, str]] = {
    "create": (N_("Create"), N_("skill {name}")),
    "edit": (N_("Rewrite"), N_("skill {name}")),
    "patch": (N_("Patch"), N_("skill {name}")),
    "write_file": (N_("Write a file"), N_("of skill {name}")),
    "remove_file": (N_("Remove a file"), N_("of skill {name}")),
    "delete": (N_("Delete"), N_("skill {name}")),
}


def headline(record: Record) -> tuple[str, str]:
    """Say what a record asks for and of which file: the word in bold, and the rest."""
    from store.memory.operations import Batch, action_name

    target = record.memory_target
    if record.skill is not None:
        return _skill_headline(record)
    if target is None or record.change is None:
        return record.action.capitalize() or tr("Unknown"), ""
    name = file_words(target)
    if isinstance(record.change, Batch):
        count = len(record.change.operations)
        return trn("Batch of {n}", "Batch of {n}", count), tr("in {file}", file=name)
    word, where = LEADS[action_name(record.change)]
    return tr(word), tr(where, file=name)


def _skill_headline(record: Record) -> tuple[str, str]:
    from store.skills.writes import SkillBatch

    name = shown(record.target, 200)
    if isinstance(record.skill, SkillBatch):
        count = len(record.skill.operations)
        return trn("Batch of {n}", "Batch of {n}", count), tr("in skill {name}", name=name)
    lead, rest = SKILL_LEADS.get(getattr(record.skill, "action", ""), (record.action, ""))
    return tr(lead), tr(rest, name=name) if rest else name


def text_of(record: Record) -> str:
    """Give the text that a record is about: what is to be written, else what is to go."""
    from store.memory.operations import Batch

    if record.skill is not None:
        return _text_of_skill(record)
    if record.change is None:
        return shown(record.summary)
    if isinstance(record.change, Batch):
        return shown(", ".join(_operation_words(one) for one in record.change.operations[:20]))
    return shown(_text_of_operation(record.change))


def _text_of_skill(record: Record) -> str:
    from store.skills.writes import SkillBatch

    if isinstance(record.skill, SkillBatch):
        several = record.skill.operations
        return shown(", ".join(_skill_operation_words(one) for one in several[:20]))
    return shown(skill_words(record.skill)) if record.skill is not None else ""


def _skill_operation_words(one: SkillOperation) -> str:
    lead, _ = SKILL_LEADS.get(one.action, (one.action, ""))
    return excerpt(f"{tr(lead)}: {skill_words(one)}", 48)


def skill_words(one: SkillOperation) -> str:
    """Give what one write to a skill would write, with the file it is about in front."""
    from store.skills.writes import Create, Delete, Edit, Patch, RemoveFile, WriteFile

    match one:
        case Create(content=text) | Edit(content=text):
            return _below_front_matter(text or "")
        case Patch(new_string=text, file_path=path):
            return f"{path or 'SKILL.md'}: {(text or '')[:500].strip()}"
        case WriteFile(_, path, text):
            return f"{path}: {(text or '')[:500].strip()}"
        case RemoveFile(_, path):
            return path
        case Delete(_, absorbed) if absorbed:
            return tr("taken in by {name}", name=absorbed)
    return one.name


def _below_front_matter(text: str) -> str:
    head, _, body = text[:4_000].removeprefix("---\n").partition("\n---\n")
    return (body or head).strip()[:2_000]


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


def badge_of(brief: AnyBrief, action: str = "") -> Mark:
    """Say in two or three words what approving does, or what stands in the way."""
    if isinstance(brief, SkillBrief) and brief.waits:
        tip = tr("Another write that waits creates this skill; approve that one first.")
        return Mark(tr("needs its skill first"), "warn", tip)
    if brief.refusal is not None:
        tone = "plain" if isinstance(brief.refusal, Unsupported) else "bad"
        return Mark(refusal_words(brief.refusal), tone, say(brief.refusal, tried=False))  # type: ignore[arg-type]
    if isinstance(brief, SkillBrief):
        return _skill_badge(brief, action)
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


def _skill_badge(brief: SkillBrief, action: str) -> Mark:
    if action == "delete":
        return Mark(trn("deletes {n} file", "deletes {n} files", brief.files), "bad")
    tip = trn("{n} file changes.", "{n} files change.", brief.files)
    if not brief.files:
        return Mark(tr("there already"), "plain", tr("Approving only removes the record."))
    if action == "create":
        return Mark(trn("new: {n:,} line", "new: {n:,} lines", brief.added), "ok", tip)
    parts = (f"+{brief.added:,}" * bool(brief.added), f"−{brief.removed:,}" * bool(brief.removed))
    signs = " ".join(part for part in parts if part) or "±0"
    count = brief.added + brief.removed
    return Mark(trn("{signs} line", "{signs} lines", count, signs=signs), "ok", tip)


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
        case SeveralPlaces("skill", _, count):
            return trn("{n} skill of that name", "{n} skills of that name", count)
        case SeveralPlaces(_, _, count):
            return trn("matches {n} place", "matches {n} places", count)
        case Protected(_, "pinned"):
            return tr("pinned")
        case NotFound(kind):
            return word(_GONE, kind)
        case Unsupported("provider_record", name):
            if name:
                return tr("belongs to {provider}", provider=name)
            return tr("belongs to another provider")
        case _:
            return tr(_SHORT.get(type(refusal), N_("not possible")))


_GONE = {
    "skill": N_("skill is gone"),
    "skill_file": N_("file is gone"),
    "absorbing_skill": N_("other skill is gone"),
}

_SHORT: dict[type, str] = {
    AlreadyThere: N_("exists already"),
    MissingField: N_("incomplete"),
    NotInFile: N_("text is gone"),
    Protected: N_("protected"),
    ScanHit: N_("blocked by scan"),
    SkillInvalid: N_("no valid skill"),
    TooBig: N_("too big"),
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
    item: Item,
    brief: AnyBrief | None,
    *,
    key: str,
    ticked: bool,
    now: float,
    more: Sequence[Mark] = (),
    profile: str = "",
) -> PendingCard:
    """Make the card of one item; without `brief` its effect is not worked out yet."""
    whose = (Mark(profile, "plain", tr("Of the profile {name}.", name=profile)),) if profile else ()
    if isinstance(item, UnusableRecord):
        return PendingCard(
            key=key,
            text=shown(say(item.problem)),
            lead=tr("Not a record"),
            lead_rest=shown(Path(item.file).name),
            lead_marks=whose,
            meta=(Mark(tr("left alone"), "plain", key_of(item)),),
        )
    lead, rest = headline(item)
    auto = Mark(tr("[auto]"), "warn", tr("Staged by a background review."))
    badge = () if brief is None else (badge_of(brief, record_action(item)),)
    old = age(item.created_at, now)
    return PendingCard(
        key=key,
        text=_card_text(item, brief),
        lead=lead,
        lead_rest=rest,
        lead_marks=(*whose, *((auto,) if item.automatic else ())),
        meta=(item.id, *((old,) if old else ()), *badge, *more),
        ticked=ticked,
        when=moment(item.created_at),
    )


def record_action(record: Record) -> str:
    """Give what a skill record does in a word of the agent; empty for a batch or a memory write."""
    return str(getattr(record.skill, "action", ""))


def _card_text(record: Record, brief: AnyBrief | None) -> str:
    described = brief.description if isinstance(brief, SkillBrief) else ""
    told = described if record_action(record) in ("create", "edit", "delete") else ""
    return shown(told) or text_of(record)


def fits_search(item: Item, needle: str) -> bool:
    """Whether `needle`, in lower case, stands in what the card of the item shows."""
    if isinstance(item, UnusableRecord):
        return needle in item.file.casefold()
    texts = (
        item.id,
        text_of(item),
        item.target,
        *headline(item),
        "[auto]" if item.automatic else "",
    )
    return any(needle in text.casefold() for text in texts)
