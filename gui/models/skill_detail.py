"""One skill in full as the Skills page shows it, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from gui.ages import age, moment
from gui.i18n import sentences, tr
from gui.models.cards import Tone
from gui.places import short_path
from gui.skill_card_words import say_here, say_offer, say_origin, say_problem, say_use
from gui.words import say
from schema.frozen import frozen
from store.refusals import SkillInvalid
from store.skills.cards import ArchivedSkill, SkillCard, SkillDetail
from store.skills.front_matter import read_front_matter
from store.skills.scanning import scan_problem

if TYPE_CHECKING:
    from store.desk import Desk

SEVERITY_TONES: dict[str, Tone] = {"bad": "bad", "warn": "warn", "info": "plain"}
LONGEST = 60_000
"""So many characters of a file are shown."""


@frozen
class SkillView:
    """One skill in full: facts as pairs, problems with their tone, its text.

    `files` are those beside SKILL.md: each path below the folder, and how it is called in the list.
    """

    key: str
    title: str
    facts: tuple[tuple[str, str], ...]
    problems: tuple[tuple[Tone, str], ...] = ()
    text: str = ""
    body: str = ""
    trouble: str = ""
    files: tuple[tuple[str, str], ...] = ()


@frozen
class SkillFileView:
    """A file of the skill whose `SkillView.key` is `key`: its text, or why there is none."""

    key: str
    path: str
    text: str = ""
    trouble: str = ""


def read_skill(desk: Desk, skill: SkillCard | ArchivedSkill) -> SkillView:
    """One skill in full. For the background."""
    key = str(skill.folder)
    if isinstance(skill, ArchivedSkill):
        return _archived_view(desk, skill, key)
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
        files=tuple(
            (one.path, one.path + ("" if one.there else tr(" (not there)"))) for one in detail.files
        ),
    )


def read_skill_file(desk: Desk, key: str, path: str) -> SkillFileView:
    """A file of the skill in the folder `key`. For the background."""
    found = desk.skill_desk.text_of(Path(key), path)
    if isinstance(found, str):
        return SkillFileView(key, path, found[:LONGEST])
    if isinstance(found, SkillInvalid):
        trouble = tr("{file} leads out of the skill's folder, so it is not read.", file=path)
        return SkillFileView(key, path, trouble=trouble)
    return SkillFileView(key, path, trouble=say(found))


def _archived_view(desk: Desk, skill: ArchivedSkill, key: str) -> SkillView:
    facts = (
        (tr("Description"), skill.description),
        (tr("Folder"), short_path(skill.folder, Path.home())),
        (tr("Restoring brings it to"), short_path(skill.returns_to, Path.home())),
        (tr("Origin"), say_origin(skill)),
    )
    found = desk.skill_desk.text_of(skill.folder)
    if not isinstance(found, str):
        return SkillView(key, skill.name, facts, trouble=say(found))
    body = read_front_matter(found).body
    return SkillView(key, skill.name, facts, text=found[:LONGEST], body=body[:LONGEST])


def _facts(detail: SkillDetail) -> list[tuple[str, str]]:
    card = detail.card
    offered = sentences(tr("; ").join(say_offer(card)), say_here(card)).strip()
    used = tr("{uses}, last active: {when}", uses=say_use(card),
              when=moment(card.use.last or 0)[:16] or tr("never"))  # fmt: skip
    return [
        (tr("Description"), card.description),
        (tr("In the list"), (card.line or tr("not listed")).strip()),
        (tr("Offered when"), offered),
        (tr("Use"), used),
        (tr("Made"), age(card.use.created or 0, time.time())),
        (tr("Origin"), say_origin(card)),
        (tr("Folder"), short_path(card.folder, Path.home())),
    ]


def _problems(detail: SkillDetail) -> list[tuple[Tone, str]]:
    problems = [one for one in detail.card.problems if one.code != "scan"]
    if detail.scan is not None:
        problems.append(scan_problem(detail.scan, guarded=detail.guarded))
    return [(SEVERITY_TONES[one.severity], say_problem(one)) for one in problems]
