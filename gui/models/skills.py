"""What the Skills page shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gui.ages import age, moment
from gui.i18n import N_, sentences, tr, trn
from gui.models.cards import Card, Mark, Tone
from gui.skill_card_words import MOVES, SPARED, STATES, say_problem, say_run, say_use
from gui.words import say, word
from schema.frozen import field, frozen
from store.refusals import REFUSALS, Refusal
from store.skills.cards import ArchivedSkill, Collection, SkillCard
from store.skills.curator import DryRun
from store.skills.layout import SKILL_FILE
from store.skills.walking import ARCHIVE

if TYPE_CHECKING:
    from store.desk import Desk
    from store.skills.scanning import ScanStep

Act = Literal["pin", "unpin", "archive", "restore"]
STATE_TONES: dict[str, Tone] = {"active": "ok", "stale": "warn", "archived": "plain"}
COMING = {
    "stale": (N_("stale at the next run"), N_("It was not used for so long.")),
    "archive": (N_("to the archive at the next run"), N_("It was not used for so long.")),
}
"""What the curator does at its next run, as a mark on a card with its tip."""
MOST_WATCHED = 1_000
"""So many folders and files are watched; the system lets one watch only so many."""
SCAN_SECONDS = 0.1
"""So long a step of scanning keeps other reads waiting."""


@frozen
class SkillsView:
    """All skills as cards, by folder; `categories` names those that there are.

    `kept` says why a skill cannot be archived, `unpinnable` why not pinned, by folder. `places`
    are what tells of a change when it is watched.
    """

    keys: tuple[str, ...]
    cards: Mapping[str, Card]
    skills: Mapping[str, SkillCard | ArchivedSkill]
    categories: tuple[str, ...]
    trouble: str
    notes: str
    cost: str
    curator: str
    kept: Mapping[str, str] = field(default_factory=dict)
    unpinnable: Mapping[str, str] = field(default_factory=dict)
    places: tuple[str, ...] = ()

    def folders(self) -> tuple[Path, ...]:
        """The folders of the skills that are not in the archive."""
        return tuple(one.folder for one in self.skills.values() if isinstance(one, SkillCard))

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
class SkillDone:
    """What became of an action: what to say, the journal's change, and how it is now."""

    said: str
    change_id: int | None
    view: SkillsView
    key: str = ""


def read_skills(desk: Desk) -> SkillsView:
    """Look at every skill, and at what the curator would do. For the background."""
    view = look_at_skills(desk, is_cancelled=lambda: False)
    return SkillsView((), {}, {}, (), "", "", "", "") if view is None else view


def look_at_skills(
    desk: Desk,
    is_cancelled: Callable[[], bool],
    progress: Callable[[int, int], None] | None = None,
) -> SkillsView | None:
    """The same; None when nobody waits for it any more. `progress` hears of each skill read."""
    found = desk.skill_desk.look(progress=progress, is_cancelled=is_cancelled)
    if found is None:
        return None
    places = tuple(_places(desk, found))
    if found.problem is not None:
        return SkillsView((), {}, {}, (), say(found.problem), "", "", "", places=places)
    found = desk.skill_desk.with_scans(found)
    run = desk.skill_desk.curator(found)
    coming = {one.card.folder: one.move for one in run.moves} if run.runs else {}
    skills: dict[str, SkillCard | ArchivedSkill] = {}
    for category in found.categories():
        skills |= {str(one.folder): one for one in category.skills}
    skills |= {str(one.folder): one for one in found.archived}
    now = time.time()
    obstacles = desk.skill_desk.obstacles(found)
    return SkillsView(
        keys=tuple(skills),
        cards={
            key: _card(key, one, now, coming.get(one.folder, "")) for key, one in skills.items()
        },
        skills=skills,
        categories=tuple(one.name for one in found.categories() if one.name),
        trouble="",
        notes=_notes(found),
        cost=tr(
            "The list in the prompt: {chars:,} characters, ≈ {tokens:,} tokens.",
            chars=found.index.chars,
            tokens=found.index.tokens,
        ),
        curator=curator_words(run),
        kept=_reasons({folder: one.archive for folder, one in obstacles.items()}),
        unpinnable=_reasons({folder: one.pin for folder, one in obstacles.items()}),
        places=places,
    )


def scan_step(desk: Desk, folders: tuple[Path, ...], is_cancelled: Callable[[], bool]) -> ScanStep:
    """Scan some of the skills in `folders`. For the background."""
    return desk.skill_desk.scan_some(folders, seconds=SCAN_SECONDS, is_cancelled=is_cancelled)


def _reasons(refusals: Mapping[Path, Refusal | None]) -> dict[str, str]:
    return {str(folder): say(one) for folder, one in refusals.items() if one is not None}


def _places(desk: Desk, found: Collection) -> Iterator[str]:
    """What is worth watching, what tells most first: roots, categories, skills, their files."""
    own = desk.home.skills
    # Of a folder that is not there yet the one above tells.
    wanted: dict[str, None] = {} if own.is_dir() else {str(own.parent): None}
    wanted |= dict.fromkeys((str(own), str(own / ARCHIVE)))
    wanted |= dict.fromkeys(str(root.path) for root in found.roots)
    for card in found.skills:
        for above in card.folder.parents:
            if str(above) in wanted or not above.is_relative_to(card.root.path):
                break
            wanted[str(above)] = None
    wanted |= dict.fromkeys(str(card.folder) for card in found.skills)
    wanted |= dict.fromkeys(str(card.folder / SKILL_FILE) for card in found.skills)
    yield from tuple(wanted)[:MOST_WATCHED]


def _notes(found: Collection) -> str:
    notes = [tr("{folder} cannot be looked into.", folder=folder) for folder in found.closed]
    if not found.complete:
        notes.append(tr("There are more folders than are looked into."))
    if found.usage is None:
        notes.append(tr("skills/.usage.json cannot be understood, so use and state are not known."))
    return sentences(*notes)


def _card(key: str, skill: SkillCard | ArchivedSkill, now: float, coming: str) -> Card:
    if isinstance(skill, ArchivedSkill):
        meta: tuple[str | Mark, ...] = (Mark(word(STATES, "archived")), skill.folder.name)
        return Card(key=key, text=skill.description, lead=skill.name, meta=meta)
    marks: list[str | Mark] = [Mark(word(STATES, skill.state), STATE_TONES[skill.state])]
    if coming in COMING:
        text, tip = COMING[coming]
        marks.append(Mark(tr(text), "warn", tr(tip)))
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
