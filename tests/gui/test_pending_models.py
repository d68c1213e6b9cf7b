"""What the Pending page is made of, without a window."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from gui.ages import age, moment
from gui.i18n import ENGLISH, use_language
from gui.models.cards import Card, Role
from gui.models.pending_detail import CONTEXT, DiffRow, folded
from gui.models.pending_edit import editable_texts, with_texts
from gui.models.pending_list import MANY_CHANGES, PendingModel
from gui.theme import Theme
from gui.widgets.pending_cards import PendingList, clamped
from store.memory.operations import Add, Batch, Part, Remove, Replace
from store.pending.effects import DiffLine, diff_lines

HOUR, DAY = 3_600.0, 86_400.0


def card(key: str) -> Card:
    return Card(key=key, text=f"text of {key}")


# --- The list -----------------------------------------------------------------------------------


@given(
    st.lists(st.sets(st.sampled_from("abcdefgh")).map(sorted), min_size=2, max_size=5), st.randoms()
)
def test_the_list_becomes_any_list_from_any_other(lists: list[list[str]], random: object) -> None:
    model = PendingModel(card)
    for keys in lists:
        random.shuffle(keys)  # type: ignore[attr-defined]
        model.show_keys(keys)
        assert list(model.keys) == keys
        assert model.rowCount() == len(keys)
        assert [model.index(row, 0).data(Role.CARD).key for row in range(len(keys))] == keys


@pytest.mark.parametrize("after", ["xabc", "axbyc", "ab", "b", "axyzbc"])
def test_an_index_stays_with_its_record(after: str) -> None:
    model = PendingModel(card)
    model.show_keys("abc")
    kept = QPersistentModelIndex(model.index_of("b"))
    model.show_keys(after)
    assert kept.data(Role.CARD).key == "b"


def test_only_cards_that_are_looked_at_are_made() -> None:
    made: list[str] = []
    model = PendingModel(lambda key: made.append(key) or card(key))  # type: ignore[func-returns-value]
    model.show_keys([str(number) for number in range(10 * MANY_CHANGES)])
    assert made == []
    model.index(5, 0).data(Role.CARD)
    model.index(5, 0).data(Role.CARD)
    assert made == ["5"]
    model.forget(["5"])
    model.index(5, 0).data(Role.CARD)
    assert made == ["5", "5"]


def test_the_list_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = PendingModel(card)
    model.show_keys("abc")
    qtmodeltester.check(model)
    model.show_keys("axc")
    model.show_keys("b")
    model.show_keys("")


def test_a_letter_that_is_no_key_looks_through_no_cards(
    qapp: QApplication, theme: Theme, qtbot: QtBot
) -> None:
    made: list[str] = []
    cards = PendingList(
        theme,
        name="cards",
        label="cards",
        make=lambda key: made.append(key) or card(key),  # type: ignore[func-returns-value]
    )
    qtbot.addWidget(cards)
    cards.show_keys([str(number) for number in range(5_000)])
    qtbot.keyClicks(cards, "xyz")
    assert len(made) < 50


# --- Texts on cards ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("short", ("short",)),
        ("one\ntwo", ("one", "two")),
        ("one\ntwo\nthree", ("one", "two…")),
        ("😀😀😀\nzwei", ("😀😀😀", "zwei")),
        ("", ("",)),
    ],
)
def test_a_card_shows_two_lines_and_says_if_there_is_more(
    qapp: QApplication, text: str, lines: tuple[str, ...]
) -> None:
    assert clamped(text, qapp.font(), 400.0) == lines


def test_a_long_text_is_cut_in_the_second_line(qapp: QApplication) -> None:
    first, second = clamped("word " * 60, qapp.font(), 200.0)
    assert second.endswith("…")
    assert not first.endswith("…")


# --- Diffs --------------------------------------------------------------------------------------

LINES = st.lists(st.sampled_from("abcde"), max_size=12).map("\n".join)


@given(LINES, LINES)
def test_folding_hides_only_lines_that_stay(before: str, after: str) -> None:
    lines = diff_lines(before, after)
    rows = folded(lines)
    shown = [row for row in rows if row.kind != "gap"]
    assert [row for row in shown if row.kind != "same"] == [
        DiffRow(line.kind, line.text, line.lost) for line in lines if line.kind != "same"
    ]
    hidden = sum(int(row.text.split()[0]) for row in rows if row.kind == "gap")
    assert len(shown) + hidden == len(lines)


def test_changes_keep_their_surroundings() -> None:
    lines = [DiffLine("same", str(number)) for number in range(20)]
    lines[10] = DiffLine("removed", "10", lost=True)
    kinds = [row.kind for row in folded(lines)]
    assert kinds == ["gap", *["same"] * CONTEXT, "removed", *["same"] * CONTEXT, "gap"]


# --- Edits --------------------------------------------------------------------------------------


def test_texts_of_a_batch_go_back_where_they_came_from() -> None:
    change = Batch((Add("one"), Remove(Part("x")), Replace(Part("y"), "two")))
    assert [(one.number, one.text) for one in editable_texts(change)] == [(1, "one"), (3, "two")]
    edited = with_texts(change, ["1", "2"])
    assert edited == Batch((Add("1"), Remove(Part("x")), Replace(Part("y"), "2")))


def test_unedited_texts_make_the_same_change() -> None:
    for change in (Add("a"), Replace(Part("x"), "b"), Remove(Part("x")), Batch((Add("c"),))):
        assert with_texts(change, [one.text for one in editable_texts(change)]) == change


# --- Ages ---------------------------------------------------------------------------------------

NOON = time.mktime((2026, 6, 15, 12, 0, 0, 0, 0, -1))


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (5, "just now"),
        (-500, "just now"),
        (300, "5 min ago"),
        (2 * HOUR, "2 h ago"),
        (25 * HOUR, "yesterday"),
        (3 * DAY, "3 days ago"),
        (90 * DAY, "3 months ago"),
    ],
)
def test_an_age_in_words(ago: float, words: str) -> None:
    assert age(NOON - ago, NOON) == words


def test_a_moment_that_is_not_known_has_no_age() -> None:
    assert (age(0, NOON), moment(0), moment(1e300), age(float("inf"), NOON)) == (
        "",
        "",
        "",
        "just now",
    )


def test_ages_speak_chinese() -> None:
    use_language("zh_CN")
    try:
        assert age(NOON - 3 * DAY, NOON) == "3 天前"
    finally:
        use_language(ENGLISH)
