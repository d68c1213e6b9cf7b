"""A sentence for everything that can be wrong with a skill, or stand in the way of moving it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from gui.skill_card_words import (
    BECAUSE,
    MOVES,
    PROBLEMS,
    PROVENANCE,
    SPARED,
    STATES,
    say_problem,
)
from gui.skill_words import PROTECTED, SKILL_PROBLEMS
from store.skills.curator import Spared
from store.skills.lifecycle import Move, State
from store.skills.offer import CONDITIONS
from store.skills.owners import Provenance
from store.skills.problems import SkillProblem

STORE = Path(__file__).resolve().parents[2] / "store" / "skills"
MADE = {f"pin_{owner}" for owner in ("hub", "bundled")} | {"hub", "bundled"}
"""What the store puts together from whose a skill is."""


def given_to(kind: str, position: int) -> Iterator[str]:
    """The literal arguments of every `kind(…)` in the store."""
    for path in STORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == kind:
                given = node.args[position] if len(node.args) > position else None
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield given.value


CODES = sorted({*given_to("SkillProblem", 0), "front_matter_not_yaml", "no_body"})


@pytest.mark.parametrize("code", CODES)
def test_every_problem_has_a_sentence(code: str) -> None:
    assert code in PROBLEMS or code in SKILL_PROBLEMS
    said = say_problem(SkillProblem(code, "warn", ("one", "two"), 3))
    assert said.endswith(".")
    assert "{" not in said


def test_every_reason_to_leave_a_skill_where_it_is_has_a_sentence() -> None:
    reasons = {*given_to("Protected", 1), *MADE}
    assert len(reasons) > 10
    assert reasons <= PROTECTED.keys()


def test_every_state_move_and_owner_has_a_word() -> None:
    assert STATES.keys() == set(get_args(State))
    assert MOVES.keys() == set(get_args(Move))
    assert SPARED.keys() == set(get_args(Spared))
    assert PROVENANCE.keys() == set(get_args(Provenance))
    assert BECAUSE.keys() == {"disabled", "platforms", "environments", *CONDITIONS}
