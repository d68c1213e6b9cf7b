"""The card model keeps each card's identity while the list changes under it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from gui.models.cards import Card, CardModel, Mark, Role


def cards(names: str) -> list[Card]:
    return [Card(key=name, text=f"text of {name}") for name in names]


def names(model: CardModel) -> str:
    return "".join(str(card.key) for card in model.cards)


@given(
    st.lists(st.sets(st.sampled_from("abcdefgh")).map(sorted), min_size=2, max_size=5), st.randoms()
)
def test_the_model_becomes_any_list_from_any_other(lists: list[list[str]], random: object) -> None:
    model = CardModel()
    for keys in lists:
        random.shuffle(keys)  # type: ignore[attr-defined]
        model.show(cards("".join(keys)))
        assert names(model) == "".join(keys)


@pytest.mark.parametrize("after", ["xabc", "abxc", "cab", "ab", "b", "bca", "axyzbc"])
def test_an_index_stays_with_its_card(after: str) -> None:
    model = CardModel()
    model.show(cards("abc"))
    kept = QPersistentModelIndex(model.index_of("b"))
    model.show(cards(after))
    assert kept.data(Role.CARD).key == "b"


def test_a_card_rewritten_at_its_place_keeps_its_index() -> None:
    model = CardModel()
    model.show(cards("abc"))
    kept = QPersistentModelIndex(model.index_of("b"))
    model.show(cards("aXc"))
    assert kept.data(Role.CARD).key == "X"


def test_nothing_is_told_when_nothing_changed(qtbot: QtBot) -> None:
    model = CardModel()
    model.show(cards("abc"))
    with (
        qtbot.assertNotEmitted(model.dataChanged),
        qtbot.assertNotEmitted(model.modelReset),
        qtbot.assertNotEmitted(model.rowsInserted),
    ):
        model.show(cards("abc"))


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester) -> None:
    model = CardModel()
    model.show(cards("abc"))
    qtmodeltester.check(model)
    model.show(cards("caxb"))
    model.show(cards("b"))
    model.show([])


def test_a_card_is_spoken_with_its_marks() -> None:
    card = Card(1, "the text", meta=("8 chars", Mark("duplicate", "warn", "why")), lead="Add")
    assert card.spoken() == "Add, the text, 8 chars, duplicate"
    assert card.tips() == "why"
