"""What a file costs: the agent's count, a percentage that is honest, a rough count of tokens."""

from __future__ import annotations

import pytest

from store.memory.budget import approximate_tokens, count, percent, usage_line
from store.memory.entries import parse


def test_the_count_holds_delimiters_and_no_duplicates() -> None:
    assert count(parse("ab\n§\ncd\n§\nab")) == len("ab\n§\ncd")
    assert count(parse("")) == 0


def test_code_points_are_counted_not_bytes() -> None:
    assert count(parse("项目👨‍👩‍👧")) == 7


@pytest.mark.parametrize(
    ("chars", "limit", "line"),
    [
        (1474, 2200, "67% — 1,474/2,200 chars"),
        (0, 2200, "0% — 0/2,200 chars"),
        (3461, 2500, "138% — 3,461/2,500 chars"),
        (2681, 2200, "121% — 2,681/2,200 chars"),
        (5, 0, "0% — 5/0 chars"),
        (5, -1, "0% — 5/-1 chars"),
    ],
)
def test_usage_is_printed_as_the_agent_does_but_never_capped(
    chars: int, limit: int, line: str
) -> None:
    assert usage_line(chars, limit) == line


def test_a_percentage_is_cut_not_rounded() -> None:
    assert percent(199, 200) == 99


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("a" * 11, 4),
        ("记忆", 2),
        ("记忆" + "a" * 11, 6),
        ("한국", 2),
        ("é" * 11, 4),
    ],
)
def test_tokens_are_a_chinese_character_or_some_latin_ones(text: str, tokens: int) -> None:
    assert approximate_tokens(text) == tokens
