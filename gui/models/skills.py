"""What the Skills page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gui.ages import age, moment
from gui.i18n import sentences, tr, trn
from gui.models.cards import Card, Mark, Tone
from gui.places import short_path
from gui.skill_card_words import (
    MOVES,
    PROVENANCE,
    SPARED,
    STATES,
    say_here,
    say_offer,
    say_problem,
    say_run,
    say_use,
)
from gui.words import say, word
from schema.frozen import frozen
from store.refusals import REFUSALS
from store.skills.cards import ArchivedSkill, Collection, SkillCard, SkillDetail
from store.skills.curator import DryRun

if TYPE_CHECKING:
    from store.desk import Desk

Act = Literal["pin", "unpin", "archive", "restore"]
STATE_TONES: dict[str, Tone] = {"active": "ok", "stale": "warn", "archived": "plain"}
SEVERITY_TONES: dict[str, Tone] = {"bad": "bad", "warn": "warn", "info": "plain"}
LONGEST = 60_000
"""So many characters of a SKILL.md are shown."""


@frozen
class SkillsView:
    """All skills as cards, by folder; `categories` names those that there are."""

    keys: tuple[str, ...]
    cards: Mapping[str, Card]
    skills: Mapping[str, SkillCard | ArchivedSkill]
    categories: tuple[str, ...]
    trouble: str
    notes: str
    cost: str
    curator: str

    def filtered(self, needle: str, kind: str) -> tuple[Card, ...]:
        """The cards that are about `needle` and of a kind: a category, a state, or all."""
        folded = needle.casefold()
        return tuple(
            self.cards[key]
            for key in self.keys
            if folded in self.cards[key].spoken().casefold() and self._is(key, kind)
        )

    def _is(self, key: str, kind: str) -> bool:
        skill = self.skills[key]
        if not kind:
            return True
        if isinstance(skill, ArchivedSkill):
            return kind == "archived"
        match kind:
            case "problems":
                return any(one.severity != "info" for one in skill.problems)
            case "pinned":
                return skill.pinned
            case "active" | "stale" | "archived":
                return skill.state == kind
        return kind == category_kind(skill.category)


def category_kind(category: str) -> str:
    """The kind of the skills of a category."""
    return f"category:{category}"


@frozen
class SkillView:
    """One skill in full: facts as pairs, problems with their tone, its text."""

    key: str
    title: str
    facts: tuple[tuple[str, str], ...]
    problems: tuple[tuple[Tone, str], ...] = ()
    text: str = ""
    body: str = ""
    trouble: str = ""


@frozen
class SkillDone:
    """What became of an action: what to say, the journal's change, and how it is now."""

    said: str
    change_id: int | None
    view: SkillsView
    key: str = ""


def read_skills(desk: Desk) -> SkillsView:
    """Look at every skill, and at what the curator would do. For the background."""
    found = desk.skill_desk.look()
    if found is None or found.problem is not None:
        trouble = "" if found is None or found.problem is None else say(found.problem)
        return SkillsView((), {}, {}, (), trouble, "", "", "")
    skills: dict[str, SkillCard | ArchivedSkill] = {}
    for category in found.categories():
        skills |= {str(one.folder): one for one in category.skills}
    skills |= {str(one.folder): one for one in found.archived}
    now = time.time()
    return SkillsView(
        keys=tuple(skills),
        cards={key: _card(key, one, now) for key, one in skills.items()},
        skills=skills,
        categories=tuple(one.name for one in found.categories() if one.name),
        trouble="",
        notes=_notes(found),
        cost=tr(
            "The list in the prompt: {chars:,} characters, ≈ {tokens:,} tokens.",
            chars=found.index.chars,
            tokens=found.index.tokens,
        ),
        curator=curator_words(desk.skill_desk.curator(found)),
    )


def _notes(found: Collection) -> str:
    notes = [tr("{folder} cannot be looked into.", folder=folder) for folder in found.closed]
    if not found.complete:
        notes.append(tr("There are more folders than are looked into."))
    if found.usage is None:
        notes.append(tr("skills/.usage.json cannot be understood, so use and state are not known."))
    return sentences(*notes)


def _card(key: str, skill: SkillCard | ArchivedSkill, now: float) -> Card:
    if isinstance(skill, ArchivedSkill):
        meta: tuple[str | Mark, ...] = (Mark(word(STATES, "archived")), skill.folder.name)
        return Card(key=key, text=skill.description, lead=skill.name, meta=meta)
    marks: list[str | Mark] = [Mark(word(STATES, skill.state), STATE_TONES[skill.state])]
    if skill.pinned:
        marks.append(Mark(tr("pinned"), "plain", tr("The curator and deletion leave it alone.")))
    grave = [one for one in skill.problems if one.severity != "info"]
    if grave:
        tips = "\n".join(say_problem(one) for one in grave)
        tone: Tone = "bad" if any(one.severity == "bad" for one in grave) else "warn"
        marks.append(Mark(trn("{n} problem", "{n} problems", len(grave)), tone, tips))
    if skill.external:
        marks.append(Mark(tr("outside, read-only")))
    words: list[str | Mark] = [say_use(skill)]
    if skill.use.last:
        words.append(age(skill.use.last, now))
    return Card(
        key=key,
        text=skill.description or tr("Without a description"),
        lead=skill.name,
        lead_rest=skill.category,
        meta=(*marks, *words),
    )


def read_skill(desk: Desk, skill: SkillCard | ArchivedSkill) -> SkillView:
    """One skill in full. For the background."""
    key = str(skill.folder)
    if isinstance(skill, ArchivedSkill):
        return _archived_view(skill, key)
    detail = desk.skill_desk.detail(skill)
    if not isinstance(detail, SkillDetail):
        return SkillView(key, skill.name, (), trouble=say(detail))
    return SkillView(
        key=key,
        title=skill.name,
        facts=tuple((name, text) for name, text in _facts(detail) if text),
        problems=tuple(_problems(detail)),
        text=detail.text[:LONGEST],
        body=detail.body[:LONGEST],
    )


def _archived_view(skill: ArchivedSkill, key: str) -> SkillView:
    facts = (
        (tr("Description"), skill.description),
        (tr("Folder"), short_path(skill.folder, Path.home())),
        (tr("Restoring brings it to"), short_path(skill.returns_to, Path.home())),
        (tr("Origin"), word(PROVENANCE, skill.provenance)),
    )
    return SkillView(key, skill.name, facts)


def _facts(detail: SkillDetail) -> list[tuple[str, str]]:
    card = detail.card
    offered = sentences(tr("; ").join(say_offer(card)), say_here(card)).strip()
    files = [one.path + ("" if one.there else tr(" (not there)")) for one in detail.files]
    used = tr("{uses}, last active: {when}", uses=say_use(card),
              when=moment(card.use.last or 0)[:16] or tr("never"))  # fmt: skip
    return [
        (tr("Description"), card.description),
        (tr("In the list"), (card.line or tr("not listed")).strip()),
        (tr("Offered when"), offered),
        (tr("Use"), used),
        (tr("Origin"), word(PROVENANCE, card.provenance)),
        (tr("Folder"), short_path(card.folder, Path.home())),
        (tr("Files"), tr(", ").join(files)),
    ]


def _problems(detail: SkillDetail) -> list[tuple[Tone, str]]:
    found = [(SEVERITY_TONES[one.severity], say_problem(one)) for one in detail.card.problems]
    hit = detail.scan
    if hit is not None:
        tone: Tone = "bad" if detail.guarded else "warn"
        text = tr(
            "The agent's scan of skills calls {file} dangerous ({ids}).",
            file=hit.file,
            ids=", ".join(hit.ids),
        )
        found.append((tone, text))
    return found


def curator_words(run: DryRun) -> str:
    """What the curator would do next, and when."""
    lines = [say_run(run, moment(run.at or 0)[:16])]
    if run.moves:
        lines.append(tr("It then does this:") if run.runs else tr("It would do this now:"))
        lines += [f"  {one.card.name}: {word(MOVES, one.move)}" for one in run.moves]
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
        lines += [
            f"  {one.card.name}: {word(MOVES, one.move)} ({moment(one.at)[:10]})"
            for one in run.later[:12]
        ]
    if run.spared:
        lines.append(tr("Left alone:"))
        lines += [f"  {card.name}: {word(SPARED, why)}" for card, why in run.spared[:12]]
    return "\n".join(lines)


def act(desk: Desk, skill: SkillCard | ArchivedSkill, what: Act) -> SkillDone:
    """Pin, unpin, archive or restore a skill. For the background."""
    skills = desk.skill_desk
    doing = {
        "pin": skills.pin,
        "unpin": skills.unpin,
        "archive": skills.archive,
        "restore": skills.restore,
    }[what]
    done = doing(skill.folder, seen=skill.name)
    if isinstance(done, REFUSALS):
        return SkillDone(say(done), None, read_skills(desk), str(skill.folder))
    said = {
        "pin": tr("“{name}” is pinned.", name=done.name),
        "unpin": tr("“{name}” is no longer pinned.", name=done.name),
        "archive": tr("“{name}” is archived; it takes effect next session.", name=done.name),
        "restore": tr("“{name}” is restored; it takes effect next session.", name=done.name),
    }[what]
    if done.also:
        others = ", ".join(done.also)
        said = sentences(said, tr("These lie within it and went along: {names}.", names=others))
    if done.clashes:
        said = sentences(said, tr("Another skill goes by that name, too."))
    return SkillDone(said, done.change_id, read_skills(desk), str(done.folder))
