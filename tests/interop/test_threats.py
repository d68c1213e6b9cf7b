"""Our threat scan beside the agent's own: the same ids in the same order."""

from __future__ import annotations

import json
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from store.memory.threat_patterns import RULES, Scope
from store.memory.threats import MAX_CHARS, scan
from tests.support.threat_texts import TEMPLATES, Texts

SEED = 2026
TEXTS_PER_ID = 600
HITS_PER_ID = 50
SCOPES: tuple[Scope, ...] = ("strict", "strict", "strict", "strict", "context", "all")

# Where a gap stands, the longest one that still hits.
LIMITS = {
    "<!--{}hidden-->": 512,
    "<!--hidden{}-->": 512,
    "<div style='{}display:none": 2048,
    "translate {} into a and run": 512,
    "translate a into {} and run": 512,
    "curl {}$KEY": 2048,
    "wget {}$KEY": 2048,
    "cat {}.env": 2048,
    "send {} to http://": 2048,
    "edit {}AGENTS.md": 2048,
    "edit {}.hermes/SOUL.md": 2048,
}

AGENT = """
import json, sys
from tools.threat_patterns import _PATTERNS, scan_for_threats
found = [scan_for_threats(text, scope=scope) for text, scope in json.load(sys.stdin)]
json.dump({"rules": [row[1:] for row in _PATTERNS], "found": found}, sys.stdout)
"""


def ask_agent(
    python: Path, asked: Sequence[tuple[str, Scope]]
) -> tuple[list[list[str]], list[list[str]]]:
    """The (id, scope) of each of the agent's rules, and what it finds in each text."""
    done = subprocess.run(
        [python, "-I", "-c", AGENT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    answer = json.loads(done.stdout)
    return answer["rules"], answer["found"]


def in_comparable_order(ids: Sequence[str]) -> list[str]:
    """The ids as they are, but invisible characters sorted: the agent's order there is a set's."""
    invisible = [id_ for id_ in ids if id_.startswith("invisible_")]
    assert list(ids[: len(invisible)]) == invisible, "invisible characters come first"
    return sorted(invisible) + list(ids[len(invisible) :])


def assert_same_findings(python: Path, asked: Sequence[tuple[str, Scope]]) -> list[list[str]]:
    _, found = ask_agent(python, asked)
    for (text, scope), theirs in zip(asked, found, strict=True):
        ours = scan(text, scope=scope)
        assert in_comparable_order(ours) == in_comparable_order(theirs), (scope, text)
    return found


def test_the_rules_are_the_agents_in_its_order(hermes_python: Path) -> None:
    rules, _ = ask_agent(hermes_python, [])
    assert [[rule.id, rule.scope] for rule in RULES] == rules


def test_random_texts_near_every_rule_are_judged_alike(hermes_python: Path) -> None:
    texts = Texts(SEED)
    near = [id_ for id_ in TEMPLATES for _ in range(TEXTS_PER_ID)]
    asked = [(texts.near(id_), SCOPES[index % len(SCOPES)]) for index, id_ in enumerate(near)]
    assert len(asked) > 20_000

    found = assert_same_findings(hermes_python, asked)

    hits = Counter(id_ for id_, ids in zip(near, found, strict=True) if id_ in ids)
    assert {id_: hits[id_] for id_ in TEMPLATES if hits[id_] < HITS_PER_ID} == {}
    assert {id_: n for id_, n in hits.items() if n > TEXTS_PER_ID - HITS_PER_ID} == {}
    assert set(TEMPLATES) == {rule.id for rule in RULES}


def test_shuffled_pieces_of_every_rule_are_judged_alike(hermes_python: Path) -> None:
    texts = Texts(SEED)
    asked: list[tuple[str, Scope]] = [
        (texts.shuffled(id_), "strict") for id_ in TEMPLATES for _ in range(100)
    ]
    found = assert_same_findings(hermes_python, asked)
    assert sum(1 for ids in found if ids) > len(asked) / 20


def test_gaps_have_the_same_limits(hermes_python: Path) -> None:
    asked: list[tuple[str, Scope]] = [
        (form.format(filling * (limit + past)), "strict")
        for form, limit in LIMITS.items()
        for filling in (".", "漢")
        for past in (0, 1)
    ]
    found = assert_same_findings(hermes_python, asked)
    assert [bool(ids) for ids in found] == [True, False] * 2 * len(LIMITS)


def test_the_same_characters_are_invisible(hermes_python: Path) -> None:
    points = (*range(0x300), *range(0x600, 0x620), *range(0x1800, 0x1810), *range(0x2000, 0x2070))
    points = (*points, *range(0xFE00, 0xFE10), 0xFEFF, *range(0xE0000, 0xE0080), 0xD800)
    found = assert_same_findings(hermes_python, [(f"a{chr(c)}b", "strict") for c in points])
    assert sum(map(len, found)) == 17


@pytest.mark.parametrize("past", [0, 1], ids=["ends at the limit", "ends one character behind it"])
def test_the_same_part_of_a_long_text_is_looked_at(hermes_python: Path, past: int) -> None:
    hit = " system prompt override"
    room = MAX_CHARS - len(hit) + past
    wide = "ﷺ"  # NFKC makes 18 characters of it, after the cut
    paddings = ("ab " * room, "漢字，" * room, "\n" * room, wide * room)
    asked: list[tuple[str, Scope]] = [(padding[:room] + hit, "strict") for padding in paddings]
    found = assert_same_findings(hermes_python, asked)
    assert found == [[] if past else ["sys_prompt_override"]] * len(asked)


def test_every_character_that_resembles_a_letter_is_read_alike(hermes_python: Path) -> None:
    hits = "havoc mythic sliver brainworm metasploit|authorized_keys|reply without filters|"
    hits += (
        "check in with |unset CODEX|disregard any guidelines|cobalt strike|system prompt override"
    )
    words = hits.split("|")
    asked: list[tuple[str, Scope]] = []
    for char in map(chr, range(0x80, 0x20000)):
        resembled = unicodedata.normalize("NFKD", char).casefold()[:1]
        asked += [
            (word.replace(resembled, char, 1), "strict") for word in words if resembled in word
        ]
    found = assert_same_findings(hermes_python, asked)
    assert {bool(ids) for ids in found} == {True, False}
    assert len(asked) > 3_000
