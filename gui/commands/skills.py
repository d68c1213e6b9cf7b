"""Commands on skills: which there are, one of them, pin, archive, restore, and the curator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from gui.ages import moment
from gui.commands.answers import Answer, refused, table
from gui.commands.parsing import Areas, Arguments, group, leaf
from gui.commands.skill_data import archived_data, problem_data, skill_data
from gui.i18n import tr, trn
from gui.skill_card_words import (
    MOVES,
    SPARED,
    say_here,
    say_offer,
    say_origin,
    say_problem,
    say_run,
    say_states,
    say_use,
    short,
)
from gui.words import word
from store.refusals import REFUSALS, NotFound, Refusal, SeveralPlaces
from store.skills.cards import ArchivedSkill, Collection, SkillCard, SkillDetail
from store.skills.curator import DryRun
from store.skills.desk import SkillDesk
from store.skills.keeping import Kept
from store.skills.problems import SkillProblem
from store.skills.scanning import scan_problem

if TYPE_CHECKING:
    from store.desk import Desk

MARKS = {"bad": "!!", "warn": "! ", "info": "· "}
One = TypeVar("One", SkillCard, ArchivedSkill)
Act = Callable[[SkillDesk], Callable[..., Kept | Refusal]]


def declare(areas: Areas) -> None:
    """Declare `skills` and its commands."""
    commands = group(areas, "skills", tr("the skills of this home, and what becomes of them"))
    leaf(commands, "list", list_skills, tr("show all skills by category"))
    show = leaf(commands, "show", show_skill, tr("show one skill in full"))
    pin = leaf(commands, "pin", pin_skill, tr("keep the curator away from a skill"), changes=True)
    unpin = leaf(commands, "unpin", unpin_skill, tr("let it be aged again"), changes=True)
    archive = leaf(commands, "archive", archive_skill, tr("move to the archive"), changes=True)
    restore = leaf(commands, "restore", restore_skill, tr("move back from there"), changes=True)
    for parser in (show, pin, unpin, archive, restore):
        parser.add_argument(
            dest="name", metavar="NAME", help=tr("its name, or its folder where names are shared")
        )
    leaf(commands, "curator", show_curator, tr("what the curator would do next, and when"))


def list_skills(desk: Desk, arguments: Arguments) -> Answer:
    """All skills, those in the archive last."""
    found = _look(desk)
    if found.problem is not None:
        return refused(found.problem)
    found = desk.skill_desk.scanned(found)
    data = {
        "skills": [
            *(skill_data(one) for one in found.skills),
            *(archived_data(one) for one in found.archived),
        ],
        "index": {
            "chars": found.index.chars,
            "tokens": found.index.tokens,
            "listed": sum(one.line is not None for one in found.skills),
        },
        "closed": [str(folder) for folder in found.closed],
        "complete": found.complete,
    }
    return Answer(data, "\n".join(_list_lines(found)), notes=_notes(found))


def show_skill(desk: Desk, arguments: Arguments) -> Answer:
    """One skill with its text, its files and what is wrong with it."""
    found = _look(desk)
    card = _one(found.meant_by(arguments.name), arguments.name)
    if not isinstance(card, SkillCard):
        archived = found.archived_as(arguments.name)
        if isinstance(card, NotFound) and len(archived) == 1:
            return _archived_answer(archived[0])
        return _refused_name(card, found)
    detail = desk.skill_desk.detail(card)
    if not isinstance(detail, SkillDetail):
        return refused(detail, skill=skill_data(card))
    problems = _all_problems(detail)
    data = {
        "skill": skill_data(card) | {"problems": [problem_data(one) for one in problems]},
        "text": detail.text,
        "files": [
            {"path": one.path, "size": one.size, "linked": one.linked} for one in detail.files
        ],
        "guarded": detail.guarded,
    }
    return Answer(data, "\n".join(_detail_lines(detail, problems)))


def pin_skill(desk: Desk, arguments: Arguments) -> Answer:
    """Keep the curator, and deletion, away from a skill."""
    return _act(desk, arguments, lambda skills: skills.pin, tr("“{name}” is pinned."))


def unpin_skill(desk: Desk, arguments: Arguments) -> Answer:
    """Let the curator age a skill again."""
    return _act(desk, arguments, lambda skills: skills.unpin, tr("“{name}” is no longer pinned."))


def archive_skill(desk: Desk, arguments: Arguments) -> Answer:
    """Move a skill to the archive, as it is."""
    text = tr("“{name}” is archived, as {place}; it takes effect next session.")
    return _act(desk, arguments, lambda skills: skills.archive, text)


def restore_skill(desk: Desk, arguments: Arguments) -> Answer:
    """Move a skill back from the archive."""
    found = _look(desk)
    skill = _one(found.archived_as(arguments.name), arguments.name, "archived_skill")
    if not isinstance(skill, ArchivedSkill):
        return refused(skill)
    done = desk.skill_desk.restore(skill.folder, seen=skill.name, wait=arguments.wait)
    text = tr("“{name}” is restored, as {place}; it takes effect next session.")
    return _done(done, text)


def show_curator(desk: Desk, arguments: Arguments) -> Answer:
    """What the curator would do at its next run, and when. Nothing is done."""
    found = _look(desk)
    run = desk.skill_desk.curator(found)
    rules, state = run.rules, run.state
    data = {
        "enabled": rules.enabled,
        "paused": state.paused,
        "last_run_at": state.last_run_at,
        "next_run_at": _iso(run.at),
        "first": run.first,
        "runs": state.runs,
        "interval_hours": rules.interval_hours,
        "min_idle_hours": rules.min_idle_hours,
        "stale_after_days": rules.stale_days,
        "archive_after_days": rules.archive_days,
        "prune_builtins": rules.prune_bundled,
        "consolidate": rules.consolidate,
        "checked": run.checked,
        "moves": [
            _name(one.card) | {"action": one.move, "since": _iso(one.since)} for one in run.moves
        ],
        "later": [_name(one.card) | {"action": one.move, "at": _iso(one.at)} for one in run.later],
        "spared": [_name(card) | {"why": why} for card, why in run.spared],
        "stopped_by": None if run.stopped_by is None else run.stopped_by.name,
    }
    return Answer(data, "\n".join(_curator_lines(run)))


def _name(card: SkillCard) -> dict[str, object]:
    return {"name": card.name, "path": str(card.folder)}


def _iso(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat()


# -- as text -----------------------------------------------------------------------------------


def _list_lines(found: Collection) -> list[str]:
    if not found.skills and not found.archived:
        return [tr("There is no skill yet.")]
    lines = []
    for category in found.categories():
        title = category.name or tr("(no category)")
        lines.append(f"{title}: {category.description}" if category.description else title)
        rows = [
            (f"  {one.name}", say_states(one), say_use(one), short(one.description))
            for one in category.skills
        ]
        lines += table(rows).split("\n")
        for card in category.skills:
            lines += [
                f"    {MARKS[one.severity]} {card.name}: {say_problem(one)}"
                for one in card.problems
                if one.severity != "info"
            ]
    if found.archived:
        lines.append(tr("In the archive"))
        archived = [(f"  {one.folder.name}", short(one.description)) for one in found.archived]
        lines += table(archived).split("\n")
    lines.append(
        tr(
            "The list in the prompt: {chars:,} characters, ≈ {tokens:,} tokens.",
            chars=found.index.chars,
            tokens=found.index.tokens,
        )
    )
    return lines


def _notes(found: Collection) -> tuple[str, ...]:
    notes = [tr("{folder} cannot be looked into.", folder=folder) for folder in found.closed]
    if not found.complete:
        notes.append(tr("There are more folders than are looked into."))
    if found.usage is None:
        notes.append(tr("skills/.usage.json cannot be understood, so use and state are not known."))
    return tuple(notes)


def _detail_lines(detail: SkillDetail, problems: Sequence[SkillProblem]) -> list[str]:
    card = detail.card
    rows = [
        (tr("Name"), card.name),
        (tr("Folder"), str(card.folder)),
        (tr("Description"), card.description),
        (tr("State"), f"{say_states(card)} ({say_origin(card)})"),
        (tr("Use"), _use_words(card)),
        (tr("In the list"), (card.line or tr("not listed")).strip()),
    ]
    rows += [(tr("Offered when"), phrase) for phrase in say_offer(card)]
    if here := say_here(card):
        rows.append((tr("Here"), here))
    for one in detail.files:
        mark = "" if one.there else tr(" (not there)")
        rows.append((tr("File"), f"{one.path}{mark}"))
    lines = [table(rows)]
    lines += [f"{MARKS[one.severity]} {say_problem(one)}" for one in problems]
    return [*lines, "", detail.text.rstrip("\n")]


def _use_words(card: SkillCard) -> str:
    last = moment(card.use.last or 0) or tr("never")
    return tr("{uses}, last active: {when}", uses=say_use(card), when=last)


def _curator_lines(run: DryRun) -> list[str]:
    lines = [say_run(run, moment(run.at or 0))]
    if run.moves:
        lines.append(tr("It then does this:") if run.runs else tr("It would do this now:"))
        rows = [(f"  {one.card.name}", word(MOVES, one.move)) for one in run.moves]
        lines += table(rows).split("\n")
    elif run.stopped_by is None:
        lines.append(tr("It then changes nothing."))
    if run.stopped_by is not None:
        lines.append(
            tr(
                "It then fails at “{name}”: a count in its record of use is no number.",
                name=run.stopped_by.name,
            )
        )
    if run.later:
        lines.append(tr("Later, unless they are used:"))
        later = [
            (f"  {one.card.name}", word(MOVES, one.move), moment(one.at)[:10]) for one in run.later
        ]
        lines += table(later).split("\n")
    if run.spared:
        lines.append(tr("Left alone:"))
        rows = [(f"  {card.name}", word(SPARED, why)) for card, why in run.spared]
        lines += table(rows).split("\n")
    if run.rules.consolidate:
        lines.append(tr("A model may then merge similar skills; what it does cannot be foretold."))
    return lines


def _all_problems(detail: SkillDetail) -> tuple[SkillProblem, ...]:
    problems = tuple(one for one in detail.card.problems if one.code != "scan")
    if detail.scan is None:
        return problems
    return (*problems, scan_problem(detail.scan, guarded=detail.guarded))


# -- doing -------------------------------------------------------------------------------------


def _look(desk: Desk) -> Collection:
    found = desk.skill_desk.look()
    if found is None:
        raise KeyboardInterrupt
    return found


def _one(found: Sequence[One], name: str, kind: str = "skill") -> One | NotFound | SeveralPlaces:
    if not found:
        return NotFound(kind, name)
    if len(found) > 1:
        return SeveralPlaces(kind, name, len(found), tuple(str(one.folder) for one in found))
    return found[0]


def _refused_name(refusal: NotFound | SeveralPlaces, found: Collection) -> Answer:
    """Refuse a name that means no skill or several; the way out is to give the folder of one."""
    answer = refused(refusal)
    if not isinstance(refusal, SeveralPlaces):
        return answer
    meant = [card for card in found.skills if str(card.folder) in refusal.places]
    card = max(meant, key=lambda one: "/" in one.path and found.meant_by(one.path) == (one,))
    short_way = "/" in card.path and found.meant_by(card.path) == (card,)
    message = trn(
        "{n} skill goes by the name “{name}” ({places}); give its folder, as in `{folder}`.",
        "{n} skills go by the name “{name}” ({places}); give its folder, as in `{folder}`.",
        refusal.count,
        name=refusal.text,
        places=", ".join(refusal.places),
        folder=card.path if short_way else str(card.folder),
    )
    return replace(answer, data={**answer.data, "message": message}, notes=(message,))


def _act(desk: Desk, arguments: Arguments, act: Act, text: str) -> Answer:
    found = _look(desk)
    card = _one(found.meant_by(arguments.name), arguments.name)
    if not isinstance(card, SkillCard):
        return _refused_name(card, found)
    done = act(desk.skill_desk)(card.folder, seen=card.name, wait=arguments.wait)
    return _done(done, text)


def _done(done: Kept | Refusal, text: str) -> Answer:
    if isinstance(done, REFUSALS):
        return refused(done)
    message = text.format(name=done.name, place=done.folder)
    notes = []
    if done.also:
        others = ", ".join(done.also)
        notes.append(tr("These lie within it and went along: {names}.", names=others))
    if done.clashes:
        notes.append(
            trn(
                "{n} other skill goes by that name: {places}.",
                "{n} other skills go by that name: {places}.",
                len(done.clashes),
                places=", ".join(map(str, done.clashes)),
            )
        )
    data = {
        "changed": done.change_id is not None,
        "change_id": done.change_id,
        "name": done.name,
        "path": str(done.folder),
        "also": done.also,
        "clashes": [str(one) for one in done.clashes],
        "message": message,
    }
    return Answer(data, message, notes=tuple(notes))


def _archived_answer(skill: ArchivedSkill) -> Answer:
    rows = [
        (tr("Name"), skill.name),
        (tr("Folder"), str(skill.folder)),
        (tr("Description"), skill.description),
        (tr("Restoring brings it to"), str(skill.returns_to)),
    ]
    return Answer({"skill": archived_data(skill)}, table(rows))
