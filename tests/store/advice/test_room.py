"""Room is made of what is advised, each entry once; what a person ticks is reckoned alike."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from store.advice.judge import ACTIONS, Advice, Kind, Piece, advise, make_room
from store.advice.room import MOST_LONG, chars_without, choose_for_room, over_by, share_of
from store.home import Target
from store.memory.entries import DELIMITER

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
TODO = "TODO: write the tests for the parser by 2026-03-01"
PROGRESS = "Currently debugging the flaky upload test"
STEPS = "1. pull the branch 2. run make 3. restart the service"
LONG = (
    "The office in Hafenstraße has three meeting rooms, of which the blue one has the good screen"
)
KEPT = "Prefers answers in Simplified Chinese with English technical terms"


def advised(*texts: str, target: Target = "memory") -> tuple[Advice, ...]:
    return advise([Piece(target, text) for text in texts], now=NOW)


def test_what_goes_by_more_than_one_kind_is_named_once_with_all_reasons() -> None:
    texts = (KEPT, TODO, PROGRESS)
    choice = choose_for_room(advised(*texts), texts, "memory", 30)
    assert [one.entry for one in choice.candidates].count(TODO) == 1
    first = choice.candidates[0]
    assert first.entry == TODO
    assert {reason.kind for reason in first.reasons} == {"todo", "past_date"}
    assert first.frees == len(TODO) + len(DELIMITER)


def test_what_is_picked_stands_first_and_the_other_advice_below_it() -> None:
    texts = (KEPT, STEPS, PROGRESS, TODO)
    choice = choose_for_room(advised(*texts), texts, "memory", len(PROGRESS))
    assert choice.enough
    assert choice.picked == {TODO}
    assert [one.entry for one in choice.candidates] == [TODO, PROGRESS, STEPS]


def test_a_procedure_is_shown_and_never_picked() -> None:
    texts = (KEPT, STEPS)
    choice = choose_for_room(advised(*texts), texts, "memory", 10_000)
    assert choice.picked == frozenset()
    assert choice.candidates[0].entry == STEPS


def test_where_advice_is_not_enough_the_longest_are_named_too() -> None:
    texts = (KEPT, TODO, "short one", LONG, "a middling entry of some words here")
    choice = choose_for_room(advised(*texts), texts, "memory", 1_000)
    assert not choice.enough
    assert choice.picked == {TODO}
    assert [one.entry for one in choice.candidates] == [TODO, texts[3], KEPT, texts[4], texts[2]]
    assert choice.candidates[1].reasons == ()


def test_few_of_many_long_entries_are_named() -> None:
    texts = tuple(f"Machine {number} stands in room {number * 7}" for number in range(40))
    choice = choose_for_room((), texts, "memory", 10)
    assert len(choice.candidates) == MOST_LONG


def test_where_nothing_is_wanted_nothing_is_picked() -> None:
    texts = (KEPT, TODO)
    choice = choose_for_room(advised(*texts), texts, "memory", 0)
    assert (choice.picked, choice.enough) == (frozenset(), True)
    assert [one.entry for one in choice.candidates] == [TODO]


def test_advice_on_the_other_file_is_left_alone() -> None:
    choice = choose_for_room(advised(KEPT, TODO, target="user"), (KEPT,), "memory", 10)
    assert [one.entry for one in choice.candidates] == [KEPT]
    assert choice.picked == frozenset()


def _alike(entry: str, beside: str) -> Advice:
    kind: Kind = "near_duplicate"
    return Advice(kind, "memory", entry, len(entry) + 3, ACTIONS[kind], beside)


def test_of_texts_that_say_the_same_in_a_circle_one_stays() -> None:
    circle = (_alike("one", "three"), _alike("two", "one"), _alike("three", "two"))
    assert len(make_room(circle, "memory", 1_000).picked) == 2


def test_the_total_is_what_the_file_then_counts() -> None:
    texts = ("one", "two", "three")
    assert chars_without(texts, {"two"}) == len(DELIMITER.join(("one", "three")))
    assert chars_without(texts, set(texts)) == 0
    assert (over_by(2_300, 2_200), over_by(10, 2_200)) == (100, 0)
    assert share_of(2_200) == 440


@given(
    st.lists(
        st.sampled_from([KEPT, TODO, PROGRESS, STEPS, "x" * 600, "Likes tea", "Likes green tea"]),
        min_size=1,
        max_size=7,
        unique=True,
    ),
    st.integers(0, 1_500),
)
def test_what_is_said_to_be_enough_frees_as_much(texts: list[str], wanted: int) -> None:
    choice = choose_for_room(advised(*texts), texts, "memory", wanted)
    shown = [one.entry for one in choice.candidates]
    assert len(shown) == len(set(shown))
    assert choice.picked <= set(shown)
    gone = len(DELIMITER.join(texts)) - chars_without(texts, choice.picked)
    if choice.enough and len(choice.picked) < len(texts):
        assert gone >= wanted


def test_a_secret_is_named_and_never_picked() -> None:
    texts = (KEPT, "password: hunter2secret99", "api_key = 'abcdefghij0123456789'", TODO)
    choice = choose_for_room(advised(*texts), texts, "memory", 10_000, secrets=texts[2:3])
    assert choice.picked == {TODO}
    assert {one.entry for one in choice.candidates} == {*texts}
