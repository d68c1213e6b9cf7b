"""What somebody meets who sees the window for the first time, often by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from gui.i18n import sentences, use_language
from gui.models.cards import Mark
from gui.theme import Theme
from gui.widgets.cards import CardList
from gui.widgets.checks import CheckBox
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent
from tests.gui.pending_driver import PendingDriver, ask_first, stage

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def pending(start: Start, empty_home: Path) -> PendingDriver:
    """Give the Pending page with three writes that wait."""
    ask_first(empty_home)
    write_as_agent(empty_home / "memories" / "MEMORY.md", "The build runs on larch")
    for number in range(3):
        stage(empty_home, f"0000000{number}", content=f"Fact {number}", age=9_000 - number)
    return PendingDriver(start(empty_home, page="pending"))


def focused() -> QWidget | None:
    return QApplication.focusWidget()


def is_squeezed(desk: MemoryDriver) -> bool:
    column = desk.column("user")
    return column.height() < column.minimumSizeHint().height()


def test_an_empty_column_has_the_room_it_needs_at_once(
    start: Start, own_surroundings: Path
) -> None:
    desk = start()
    desk.keys(desk.find(QAbstractButton, "welcome_create"), KEY.Key_Space)
    desk.wait(lambda: desk.sees("user_empty"), "the empty page")
    desk.wait(lambda: not is_squeezed(desk), "room for the empty profile")


def test_a_search_without_a_match_has_the_room_it_needs(desk: MemoryDriver) -> None:
    desk.window.search.setText("nowhere to be found")
    desk.wait(lambda: desk.sees("user_empty") and not is_squeezed(desk), "room for the words")


@pytest.mark.parametrize("key", [KEY.Key_Return, KEY.Key_Enter])
def test_return_presses_the_focused_button(
    start: Start, own_surroundings: Path, key: Qt.Key
) -> None:
    desk = start()
    desk.keys(desk.find(QAbstractButton, "welcome_sample"), key)
    desk.wait(lambda: desk.page.isVisible() and len(desk.texts("memory")) > 10, "the sample")


def test_return_presses_the_action_of_a_card(desk: MemoryDriver, hermes_home: Path) -> None:
    text = desk.texts("memory")[0]
    desk.choose("memory", text)
    button = desk.column("memory").findChild(QAbstractButton, "card_memory_move")
    assert button is not None
    button.setFocus()
    desk.keys(button, KEY.Key_Return)
    desk.wait(lambda: text in entries_of(hermes_home / "memories" / "USER.md"), "the move")
    assert desk.column("memory").editor() is None


@pytest.mark.parametrize("width", [640, 900, 1200])
def test_the_toast_covers_nothing_that_can_be_pressed(pending: PendingDriver, width: int) -> None:
    window = pending.desk.window
    window.resize(width, 640)
    pending.desk.wait(lambda: window.width() == width, "the size")
    window.toast.show_message("Approved: the build runs on larch, and more words", "Undo")
    covered = [
        button.objectName()
        for button in window.findChildren(QAbstractButton)
        if button.isVisible()
        and not window.toast.isAncestorOf(button)
        and button.rect()
        .translated(button.mapTo(window, button.rect().topLeft()))
        .intersects(window.toast.geometry())
    ]
    assert covered == []


def test_the_toast_goes_with_its_page(desk: MemoryDriver) -> None:
    desk.window.toast.show_message("Entry deleted.", "Undo")
    desk.click("side_pending")
    assert desk.toast() == ""


def test_words_give_way_before_a_mark_is_cut(theme: Theme) -> None:
    cards = CardList(theme, name="cards", label="Cards")
    delegate = cards.itemDelegate()
    mark = Mark("loses 3 lines", "bad")
    assert delegate.fitting(("6df3bc83", "3 days ago", mark), 1_000) == (
        "6df3bc83",
        "3 days ago",
        mark,
    )
    assert delegate.fitting(("6df3bc83", "3 days ago", mark), 180) == ("3 days ago", mark)
    assert delegate.fitting(("6df3bc83", "3 days ago", mark), 100) == (mark,)
    cards.deleteLater()


def test_the_key_of_the_search_does_not_cover_its_words(desk: MemoryDriver) -> None:
    search = desk.window.search
    hint = desk.find(QWidget, "search_hint")
    assert hint.isVisible()
    search.offer("Many more words than there is room for beside the key")
    assert not hint.isVisible()


def test_ctrl_k_in_a_search_begins_a_new_one(desk: MemoryDriver) -> None:
    search = desk.window.search
    search.setText("printer")
    desk.keys(desk.window, KEY.Key_K, CONTROL)
    desk.qtbot.keyClicks(search, "larch")
    assert search.text() == "larch"


def test_esc_ends_the_search_from_its_results(desk: MemoryDriver) -> None:
    whole = desk.texts("memory")
    desk.window.search.setText(whole[0])
    cards = desk.choose("memory", whole[0])
    cards.setFocus()
    desk.keys(cards, KEY.Key_Escape)
    assert desk.window.search.text() == ""
    assert desk.texts("memory") == whole


def test_after_the_only_match_is_deleted_the_keyboard_stays_in_the_list(
    desk: MemoryDriver,
) -> None:
    whole = desk.texts("memory")
    desk.window.search.setText(whole[0])
    cards = desk.choose("memory", whole[0])
    cards.setFocus()
    desk.keys(cards, KEY.Key_Delete)
    desk.wait(lambda: desk.texts("memory") == [] and desk.sees("memory_empty"), "no match")
    assert focused() is cards
    desk.keys(cards, KEY.Key_Escape)
    assert desk.texts("memory") == whole[1:]


def test_the_keyboard_starts_on_the_first_card(desk: MemoryDriver) -> None:
    cards = desk.cards("memory")
    desk.wait(lambda: focused() is cards, "the keyboard")
    card = cards.current_card()
    assert card is not None
    assert card.text == desk.texts("memory")[0]
    assert cards.selectionModel().isSelected(cards.currentIndex())


def test_some_of_many_ticked_shows_as_part(pending: PendingDriver) -> None:
    box = pending.desk.find(CheckBox, "select_all")
    states = []
    for key in pending.ids():
        states.append(box.checkState())
        pending.page.column.toggle(key)
    states.append(box.checkState())
    part = Qt.CheckState.PartiallyChecked
    assert states == [Qt.CheckState.Unchecked, part, part, Qt.CheckState.Checked]


def test_a_part_that_is_pressed_becomes_the_whole(pending: PendingDriver) -> None:
    pending.page.column.toggle(pending.ids()[0])
    pending.desk.keys(pending.desk.find(CheckBox, "select_all"), KEY.Key_Return)
    assert pending.page.column.ticked_count() == 3


def test_without_a_home_no_page_and_no_profile_can_be_chosen(
    start: Start, own_surroundings: Path
) -> None:
    desk = start()
    side = desk.window.side
    assert not side.profiles.isVisible()
    assert not side.button("pending").isEnabled()
    desk.click("welcome_create")
    desk.wait(side.profiles.isVisible, "the profiles")
    assert side.button("pending").isEnabled()


def test_a_home_that_is_elsewhere_can_be_chosen(
    start: Start, own_surroundings: Path, hermes_home: Path
) -> None:
    desk = start()
    desk.click("welcome_folder")
    assert desk.asker.asked == ["Choose a Hermes home"]
    assert desk.sees("page_welcome"), "none was chosen"
    desk.asker.chosen = hermes_home
    desk.click("welcome_folder")
    desk.wait(lambda: desk.page.isVisible() and bool(desk.texts("memory")), "the home")
    assert desk.program.place.desk.home.path == hermes_home  # type: ignore[union-attr]


def test_the_usage_is_told_in_the_language_of_the_window(start: Start, empty_home: Path) -> None:
    write_as_agent(empty_home / "memories" / "MEMORY.md", "larch")
    desk = start(empty_home)
    use_language("zh_CN")
    desk.page.refresh()
    numbers = desk.column("memory").meter.numbers
    desk.wait(lambda: numbers().startswith("0% — 5/2,200 字符"), "the numbers in Chinese")


def test_all_ways_on_are_seen_in_the_smallest_window(start: Start, own_surroundings: Path) -> None:
    desk = start()
    desk.window.resize(640, 480)
    names = ("welcome_create", "welcome_sample", "welcome_folder")
    buttons = [desk.find(QAbstractButton, name) for name in names]
    desk.wait(lambda: len({button.y() for button in buttons}) == 3, "one below the other")
    assert all(button.visibleRegion().boundingRect() == button.rect() for button in buttons)


def test_sentences_join_with_a_blank_only_where_the_script_wants_one() -> None:
    assert sentences("One.", "Two.") == "One. Two."
    assert sentences("已拒绝。", "其余未动。") == "已拒绝。其余未动。"


def test_the_button_below_a_single_card_does_not_lie_on_it(start: Start, hermes_home: Path) -> None:
    desk = start(hermes_home, profile="work")
    for target in ("memory", "user"):
        cards, add = desk.find(QWidget, f"{target}_cards"), desk.find(QWidget, f"{target}_add")
        desk.wait(
            lambda cards=cards, add=add: add.geometry().top() >= cards.geometry().bottom(),  # type: ignore[misc]
            "the button to stand below the cards",
        )
