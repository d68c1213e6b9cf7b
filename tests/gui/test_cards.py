"""The list of cards: any length, any width, one entry edited in its place."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.models.cards import Card, Mark
from gui.theme import Theme
from gui.widgets.cards import CardList
from gui.widgets.titled_cards import ExplainedList


class Room(QWidget):
    """A window with one list in it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.cards = CardList(theme, name="cards", label="Cards")
        self.column = QVBoxLayout(self)
        self.column.addWidget(self.cards)
        self.resize(420, 500)


@pytest.fixture
def room(qtbot: QtBot, theme: Theme) -> Room:
    room = Room(theme)
    qtbot.addWidget(room)
    room.show()
    qtbot.waitExposed(room)
    return room


def some(number: int, words: int = 12) -> list[Card]:
    return [
        Card(key=n, text=f"card {n} " + "word 字 " * (n % words), meta=(f"{n} chars",))
        for n in range(number)
    ]


def test_ten_thousand_cards_never_hold_the_window_up(room: Room, qtbot: QtBot) -> None:
    cards = some(10_000)
    longest = 0.0
    begun = time.perf_counter()
    room.cards.show_cards(cards)
    longest = time.perf_counter() - begun
    last = room.cards.card_model().index(9_999, 0)
    end = time.perf_counter() + 30
    while not room.cards.visualRect(last).isValid() and time.perf_counter() < end:
        begun = time.perf_counter()
        QApplication.processEvents()
        longest = max(longest, time.perf_counter() - begun)
    assert room.cards.visualRect(last).isValid()
    assert longest < 0.5


def test_a_card_is_as_high_as_its_text_needs(room: Room, qtbot: QtBot) -> None:
    short, long = Card(1, "short"), Card(2, "much longer than one line can be " * 9)
    lines = Card(3, "one\ntwo\nthree")
    room.cards.show_cards([short, long, lines])
    model, rect = room.cards.card_model(), room.cards.visualRect
    one, many, three = (rect(model.index(row, 0)).height() for row in range(3))
    assert one < three < many
    room.resize(900, 500)
    qtbot.waitUntil(lambda: rect(model.index(1, 0)).height() < many)


def test_long_texts_are_laid_out_in_turns_and_then_known(room: Room, qtbot: QtBot) -> None:
    cards = [Card(n, f"card {n} " + "word 字 " * 200) for n in range(100)]
    room.cards.show_cards(cards)
    assert not room.cards.is_laid_out()
    assert room.cards.content_height() is None
    qtbot.waitUntil(lambda: room.cards.content_height() is not None)
    assert room.cards.is_laid_out()
    rect, model = room.cards.visualRect, room.cards.card_model()
    assert room.cards.content_height() == rect(model.index(99, 0)).bottom() + 1
    room.cards.show_cards([*cards, Card(100, "short")])
    assert room.cards.is_laid_out(), "what is measured need not be measured again"


def test_an_editor_takes_the_place_of_its_card_and_pushes_the_others(room: Room) -> None:
    room.cards.show_cards(some(4))
    model = room.cards.card_model()
    below = room.cards.visualRect(model.index(2, 0)).top()
    editor = QLabel("editor")
    editor.setMinimumHeight(200)
    room.cards.open_editor(1, editor)
    place = room.cards.visualRect(model.index(1, 0))
    assert editor.geometry().topLeft() == place.topLeft()
    assert editor.height() >= 200
    assert room.cards.visualRect(model.index(2, 0)).top() > below
    room.cards.show_cards([Card("new", "before all"), *some(4)])
    assert editor.geometry().top() == room.cards.visualRect(model.index_of(1)).top()
    room.cards.close_editor()
    assert room.cards.edited_key() is None


def test_actions_stand_on_the_card_under_the_mouse_and_work_on_it(room: Room, qtbot: QtBot) -> None:
    done: list[object] = []
    action = QAction("Do it", room)
    action.setObjectName("do")
    action.triggered.connect(lambda: done.append(room.cards.current_card().key))  # type: ignore[union-attr]
    room.cards.set_actions([action], on_card=[action])
    room.cards.show_cards(some(4))
    room.cards.choose(0)
    strip = room.cards.findChild(QWidget, "card_actions")
    assert strip is not None
    rect = room.cards.visualRect(room.cards.card_model().index(2, 0))
    qtbot.mouseMove(room.cards.viewport(), rect.center())
    qtbot.waitUntil(lambda: rect.contains(strip.geometry().center()))
    button = room.cards.findChild(QWidget, "card_do")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert done == [2]


def test_the_menu_of_a_card_is_there_for_the_keyboard(room: Room, qtbot: QtBot) -> None:
    action = QAction("Do it", room)
    room.cards.set_actions([action])
    room.cards.show_cards(some(3))
    room.cards.choose(1)
    room.cards.setFocus()
    qtbot.keyClick(room.cards, Qt.Key.Key_Menu)
    menu = QApplication.activePopupWidget()
    if menu is None:  # a virtual screen may not turn the key into the event
        from PySide6.QtGui import QContextMenuEvent

        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
        room.cards.contextMenuEvent(event)
        menu = QApplication.activePopupWidget()
    assert menu is not None
    assert menu.actions() == [action]
    menu.close()


def test_every_kind_of_card_is_painted(room: Room, theme: Theme) -> None:
    room.cards.show_cards(
        [
            Card(1, "", meta=()),
            Card(2, "𠮷👩‍👩‍👧 \u202e right to left \u202c שלום", meta=("4 chars",)),
            Card(3, "text", meta=(Mark("bad", "bad"), "and", Mark("plain")), struck=True),
            Card(
                4, "text", lead="Add", lead_rest="to a file", lead_marks=(Mark("[auto]", "warn"),)
            ),
            Card(5, "find the needle, NEEDLE and straße", meta=("x",)),
        ]
    )
    room.cards.mark_matches("needle")
    picture = room.grab().toImage()
    assert picture.pixelColor(200, 300).isValid()
    for wish in ("dark", "contrast", "system"):
        theme.choose(wish)
        assert not room.grab().toImage().isNull()


def test_words_beside_marks_go_on_below_them(theme: Theme, qtbot: QtBot) -> None:
    cards = ExplainedList(theme, name="explained", label="Explained")
    qtbot.addWidget(cards)
    cards.resize(260, 400)
    mark = Mark("needs configuration", "warn")
    long = "RETAINDB_API_KEY or RETAINDB_TOKEN not set"
    cards.show_cards([Card(1, "Short", (mark, "lacks brv")), Card(2, "Long", (mark, long))])
    cards.show()
    model = cards.card_model()
    short, wrapped = (cards.visualRect(model.index(row, 0)).height() for row in (0, 1))
    assert wrapped > short
    cards.grab()
    cards.resize(700, 400)
    cards.executeDelayedItemsLayout()
    assert cards.visualRect(model.index(1, 0)).height() == short
