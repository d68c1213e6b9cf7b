"""Patterns of other people: found as `re` finds them, in bounded time, or refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.patterns import MAX_PATTERN, MAX_SEARCHED, finds, understood

_atom = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", "(?:ab|c)", "(a|b)", r"\."])
_repeat = st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}", "{1,}", "*?"])
_pattern = st.lists(st.tuples(_atom, _repeat), max_size=5).map(
    lambda parts: "".join(atom + repeat for atom, repeat in parts)
)


@given(_pattern, st.sampled_from(["", "^"]), st.sampled_from(["", "$"]), st.text("ab.1cAB\n"))
def test_what_is_understood_is_found_as_python_finds_it(
    pattern: str, begin: str, end: str, text: str
) -> None:
    whole = f"{begin}{pattern}{end}"
    # Without its flag, `$` also stands before a last line break.
    expected = re.search(whole.replace("$", r"\Z"), text, re.IGNORECASE)
    assert understood(whole)
    assert finds(whole, text) is bool(expected)


def test_a_pattern_of_a_real_declaration() -> None:
    local = r"^http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:/|$)"
    assert finds(local, "http://LOCALHOST:1933/x")
    assert finds(local, "http://[::1]")
    assert not finds(local, "http://127.0.0.1.example.org")


@pytest.mark.parametrize(
    "pattern",
    ["(?=a)", r"(a)\1", "(", ")", "[", "a**", "*a", "{2}", "(a{99}){99}", "a{5,2}", "[z-a]", "\\"],
)
def test_what_is_not_understood_is_refused_and_counts_as_found(pattern: str) -> None:
    assert not understood(pattern)
    assert finds(pattern, "anything")


@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "^(a|a)*$", "^((a*)*)*$", "^(a?){50}a{50}$", "(.*)(.*)(.*)(.*)b"]
)
def test_a_pattern_that_explodes_elsewhere_is_answered(pattern: str) -> None:
    assert understood(pattern)
    assert finds(pattern, "a" * (MAX_SEARCHED - 1) + "!") is False


def test_a_text_longer_than_is_searched_does_not_end_where_the_search_does() -> None:
    assert not finds("^a+$", "a" * (MAX_SEARCHED * 2))
    assert finds("^a+$", "a" * MAX_SEARCHED)


@given(st.text(max_size=MAX_PATTERN + 20), st.text(max_size=50))
def test_any_pattern_gets_an_answer(pattern: str, text: str) -> None:
    assert finds(pattern, text) in (True, False)
