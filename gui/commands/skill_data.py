"""Skills and what is wrong with them, as scripts see them."""

from __future__ import annotations

from gui.skill_card_words import say_problem
from store.skills.cards import ArchivedSkill, SkillCard
from store.skills.lifecycle import Use
from store.skills.problems import SkillProblem


def skill_data(card: SkillCard) -> dict[str, object]:
    """A skill as scripts see it; times as Hermes keeps them."""
    return {
        "name": card.name,
        "category": card.category or None,
        "path": str(card.folder),
        "external": card.external,
        "linked": card.linked,
        "description": card.description,
        "state": card.state,
        "pinned": card.pinned,
        "provenance": card.provenance,
        "curated": card.curated,
        **_use_data(card.use),
        "chars": card.chars,
        "index_line": card.line,
        "offered_when": {
            "platforms": card.offer.platforms,
            "environments": card.offer.environments,
            **card.offer.conditions,
            "here": card.offered.here,
            "because": card.offered.because,
        },
        "problems": [problem_data(one) for one in card.problems],
    }


def archived_data(skill: ArchivedSkill) -> dict[str, object]:
    """A skill in the archive as scripts see it."""
    return {
        "name": skill.name,
        "category": None,
        "path": str(skill.folder),
        "external": False,
        "linked": False,
        "description": skill.description,
        "state": "archived",
        "pinned": False,
        "provenance": skill.provenance,
        "curated": False,
        **_use_data(skill.use),
        "archived_at": skill.archived_at,
        "returns_to": str(skill.returns_to),
        "index_line": None,
        "offered_when": None,
        "problems": [],
    }


def problem_data(problem: SkillProblem) -> dict[str, object]:
    """What is wrong, as scripts see it."""
    return {
        "code": problem.code,
        "severity": problem.severity,
        "about": problem.about,
        "line": problem.line,
        "message": say_problem(problem),
    }


def _use_data(use: Use) -> dict[str, object]:
    return {
        "last_activity_at": use.last_activity_at,
        "created_at": use.created_at,
        "uses": use.uses,
        "views": use.views,
        "patches": use.patches,
    }
