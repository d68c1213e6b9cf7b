"""Where a text is met, and the passage that is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.sessions.matching import SNIPPET_CHARS, Matcher, folded
from store.sessions.query import parse


@pytest.mark.parametrize(
    ("typed", "text", "fits"),
    [
        ("youer", "修改youer服务端", True),
        ("youer", "you er", False),
        ("art", "start", False),
        ("art", "ART, of course", True),
        ("dep*", "redeploy", False),
        ("dep*", "we deploy", True),
        ("cafe", "le Café", True),
        ("École", "ecole", True),
        ('"release checklist"', "release-checklist", True),
        ('"release checklist"', "release the checklist", False),
        ("chat-send", "chat send", True),
        ("桂", "去桂林", True),
        ("a桂", "A桂", True),
        ("桂林 NOT 阳朔", "桂林和阳朔", False),
        ("x OR y", "only y", True),
        ("İstanbul", "in istanbul", True),
        ("한국", "대한국민", True),
    ],
)
def test_a_text_fits(typed: str, text: str, fits: bool) -> None:
    matcher = Matcher(parse(typed))
    assert matcher.fits(matcher.fold(text)) is fits


@given(st.text(max_size=50))
def test_folding_keeps_every_character_at_its_place(text: str) -> None:
    assert len(folded(text)) == len(text)


def test_a_snippet_names_the_places_that_were_found() -> None:
    text = "x" * 300 + " 去桂林旅游，又去\n桂林 " + "y" * 300
    found = Matcher(parse("桂林")).snippet(text)
    assert found.text.startswith("…x")
    assert found.text.endswith("y…")
    assert [found.text[begin:end] for begin, end in found.ranges] == ["桂林", "桂林"]
    assert "\n" not in found.text
    assert len(found.text) == SNIPPET_CHARS + 2


def test_places_that_lie_over_one_another_are_one() -> None:
    assert Matcher(parse("桂林 林山")).snippet("在桂林山上").ranges == ((1, 4),)


def test_where_nothing_is_found_the_beginning_is_shown() -> None:
    found = Matcher(parse("nothing")).snippet("", "words " * 100)
    assert found.text.startswith("words words")
    assert found.ranges == ()


def test_what_was_typed_with_its_marks_is_shown_first() -> None:
    found = Matcher(parse("C++")).snippet("a C in C++ code")
    assert [found.text[begin:end] for begin, end in found.ranges] == ["C++"]


@given(st.text(max_size=400), st.text(min_size=1, max_size=5))
def test_ranges_are_in_the_snippet_and_in_order(text: str, typed: str) -> None:
    found = Matcher(parse(typed)).snippet(text)
    last = 0
    for begin, end in found.ranges:
        assert last <= begin < end <= len(found.text)
        last = end
