"""A sentence for everything that the store can answer."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from gui import change_words, field_words, threat_words, words
from schema.values import Problem, Reason
from store.changes import Intent
from store.journal import JournalEntry
from store.memory.drift import notices, signals
from store.memory.snapshot import NoBlock
from store.memory.state import FileState
from store.memory.threat_patterns import INVISIBLE, RULES
from store.refusals import (
    REFUSALS,
    AtOperation,
    AtRecord,
    Invalid,
    NotFound,
    Refusal,
    Unsupported,
    WouldEmpty,
)
from store.settings import MemoryOff

ROOT = Path(__file__).resolve().parents[2]
SAMPLES: dict[str, Any] = {
    "str": "some text",
    "int": 7,
    "float": 2.5,
    "bool": False,
    "tuple[str, ...]": ("round_trip",),
    "tuple[int, ...]": (7, 8),
    "int | None": None,
    "SingleRefusal": WouldEmpty("user"),
    "SingleRefusal | AtOperation": WouldEmpty("user"),
}


def sample(kind: type) -> Refusal:
    values = {field.name: SAMPLES[str(field.type)] for field in dataclasses.fields(kind)}
    made: Refusal = kind(**values)
    return made


def named_in_the_store(kind: str, position: int, of: str | None = None) -> Iterator[str]:
    """The literal arguments of every `kind(…)` in the store: codes that need words."""
    for path in (ROOT / "store").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != kind:
                continue
            if of is not None and getattr(node.args[0], "value", None) != of:
                continue
            for constant in ast.walk(node.args[position]):
                if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                    yield constant.value


def is_a_sentence(text: str) -> bool:
    return text[-1] in ".?" and "{" not in text and (text[0].isupper() or not text[0].isalpha())


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kind.__name__)
def test_every_refusal_has_a_sentence(kind: type) -> None:
    said = words.say(sample(kind))
    assert is_a_sentence(said) or said.startswith("some text"), said


def test_before_a_try_an_operation_in_the_way_is_told_as_what_would_happen() -> None:
    refusal = AtOperation(3, "remove", WouldEmpty("user"))
    assert "so none was applied: " in words.say(refusal)
    assert "so none would be applied: " in words.say(refusal, tried=False)


def test_every_change_that_the_journal_names_can_be_told() -> None:
    told = set(change_words.DONE)
    assert told == set(words.ACTIONS)
    for action in told:
        entry = JournalEntry(1, 5.0, Intent("desk", action, "user", (), ("x\ny",)), "done", None)
        said = change_words.say_last_change(entry, 5.0 + 7300)
        assert said.startswith("Last change: ")
        assert said.endswith(" · 2 h ago")
        assert "USER.md" in said or "“x y”" in said


def test_every_code_that_the_contract_names_is_one_of_a_refusal() -> None:
    codes = {kind.code for kind in REFUSALS if kind not in (AtOperation, AtRecord)}
    assert codes == {
        *("empty", "over_budget", "no_match", "ambiguous", "blocked", "delimiter", "would_empty"),
        *("stale", "drift", "unreadable", "conflict", "locked", "invalid", "not_found"),
        *("unsupported", "managed", "read_only", "no_keyring", "keyring_locked"),
    }


def test_everything_unsupported_has_a_sentence_of_its_own() -> None:
    problems = set(named_in_the_store("Unsupported", 0))
    assert {"move_to_itself", "skill_record"} <= problems
    assert problems <= set(words.UNSUPPORTED)
    for problem in problems:
        assert is_a_sentence(words.say(Unsupported(problem, "Name")))


def test_every_problem_of_a_record_has_words() -> None:
    problems = set(named_in_the_store("Invalid", 1, of="record"))
    assert "not_json" in problems
    assert problems <= set(words.RECORD_PROBLEMS)


def test_everything_that_can_be_missing_has_a_sentence_of_its_own() -> None:
    kinds = set(named_in_the_store("NotFound", 0))
    fallback = words.say(NotFound("no such kind", "X"))
    assert {kind for kind in kinds if words.say(NotFound(kind, "X")) == fallback} <= {"file"}


def test_every_value_problem_has_words() -> None:
    for reason in get_args(Reason):
        said = field_words.say_problem(Problem("key", reason, limit=3, options=("a", "b")))
        assert said
        assert "{" not in said
    assert "at least 3" in field_words.say_problem(Problem("key", "too_small", limit=3))
    assert "a, b" in field_words.say_problem(Problem("key", "not_an_option", options=("a", "b")))


def test_every_reason_state_signal_and_notice_has_words() -> None:
    assert set(get_args(NoBlock)) == set(words.SNAPSHOT_REASONS)
    assert set(get_args(FileState)) == set(words.FILE_STATES)
    assert set(signals("one\n\n§\n\ntwo", 2)) == set(words.SIGNALS) == set(words.SIGNAL_FIXES)
    odd = "\ufeff<!-- hermes-memory-identities:v1 -->\r\n§\none\n§\none\n§\n<<<<<<< a\n>>>>>>> b\n§"
    found = {*notices(odd.encode(), odd.replace("\r", "")), "invalid_utf8", "utf16"}
    assert found | {"backup_has_more"} == set(words.NOTICES)


@pytest.mark.parametrize("reason", ["section", "nudge_interval", "agent_section"])
def test_why_the_agent_runs_without_memory_is_said_with_the_line(reason: Any) -> None:
    said = words.say_memory_off(MemoryOff(reason, 12))
    assert "line 12" in said
    assert "line" not in words.say_memory_off(MemoryOff(reason, None))


def test_a_place_is_told_only_where_there_is_one() -> None:
    assert "(line 3, column 4)" in words.say(Invalid("config.yaml", "bad", 3, 4))
    assert "(line 3)" in words.say(Invalid("config.yaml", "bad", 3))
    assert "(" not in words.say(Invalid("config.yaml", "bad"))


def test_an_excerpt_is_one_short_line() -> None:
    assert words.excerpt("a\n  b\tc") == "a b c"
    cut = words.excerpt("x" * 100)
    assert (len(cut), cut[-1]) == (60, "…")


def test_every_finding_of_the_threat_scan_has_words_of_its_own() -> None:
    ids = [rule.id for rule in RULES]
    assert sorted(ids) == sorted(threat_words.REASONS)
    assert len({threat_words.say_threat(one) for one in ids}) == len(ids)
    said = [threat_words.say_threat(f"invisible_unicode_U+{ord(one):04X}") for one in INVISIBLE]
    assert "holds the invisible character U+200B" in said
    assert threat_words.say_threat("of_a_newer_agent") == "looks like an attack"
