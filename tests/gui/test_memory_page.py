"""The Memory page: read, edit, move, reorder, undo, with everything on disk as it should be."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication

from gui.widgets.texts import SnapshotView
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, card_point, entries_of, write_as_agent

ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def memory(hermes_home: Path) -> Path:
    return hermes_home / "memories" / "MEMORY.md"


@pytest.fixture
def user(hermes_home: Path) -> Path:
    return hermes_home / "memories" / "USER.md"


def test_both_files_are_shown_with_what_they_cost(
    desk: MemoryDriver, memory: Path, user: Path
) -> None:
    assert desk.texts("memory") == entries_of(memory)
    assert desk.texts("user") == entries_of(user)
    usage = desk.column("memory").meter.numbers()
    assert usage.startswith("21% — 467/2,200 chars · ≈ ")
    assert desk.column("user").meter.numbers().startswith("16% — 220/1,375 chars")
    view = desk.find(SnapshotView, "snapshot")
    assert "MEMORY (your personal notes) [21% — 467/2,200 chars]" in view.text()
    assert "USER PROFILE (who the user is) [16% — 220/1,375 chars]" in view.text()


def test_an_entry_is_edited_in_its_place_by_keyboard_alone(
    desk: MemoryDriver, memory: Path
) -> None:
    before = entries_of(memory)
    editor = desk.edit("memory", before[1])
    assert editor.text() == before[1]
    desk.type_over(editor, "half as long")
    assert "12 chars" in editor.usage()
    assert "→" in desk.column("memory").meter.numbers()
    desk.save(editor)
    desk.wait(lambda: desk.column("memory").editor() is None, "the editor to close")
    assert entries_of(memory) == [before[0], "half as long", *before[2:]]
    assert desk.texts("memory") == entries_of(memory)
    current = desk.cards("memory").current_card()
    assert current is not None
    assert current.text == "half as long"
    assert desk.toast() == "Entry changed in Agent memory."
    assert "half as long" in desk.find(SnapshotView, "snapshot").text()
    desk.keys(desk.window, Qt.Key.Key_Z, CTRL)
    desk.wait(lambda: entries_of(memory) == before, "the undo")
    desk.wait(lambda: desk.texts("memory") == before, "the page to follow")
    desk.press_toast()
    desk.wait(lambda: entries_of(memory)[1] == "half as long", "the redo")


def test_the_editor_shows_all_of_the_text_and_its_buttons(desk: MemoryDriver, memory: Path) -> None:
    editor = desk.edit("memory", entries_of(memory)[0])
    save = desk.find(QAbstractButton, "entry_save")
    inside = editor.rect()
    assert inside.contains(editor.field.geometry())
    assert inside.contains(save.geometry())
    below = desk.cards("memory").card_model().index(1, 0)
    assert desk.cards("memory").visualRect(below).top() > editor.geometry().bottom()
    before = editor.height()
    editor.field.insertPlainText("more\nlines\nof text\n")
    desk.wait(lambda: editor.height() > before, "the editor to grow")
    assert editor.rect().contains(save.geometry())


def test_an_entry_is_added_at_the_end(desk: MemoryDriver, user: Path) -> None:
    before = entries_of(user)
    desk.click("user_add")
    editor = desk.editor("user")
    editor.field.insertPlainText("喜欢乌龙茶")  # no key makes these
    desk.click("entry_save")
    desk.wait(lambda: entries_of(user) == [*before, "喜欢乌龙茶"], "the entry on disk")
    desk.wait(lambda: desk.texts("user")[-1] == "喜欢乌龙茶", "the card")
    desk.press_toast()
    desk.wait(lambda: entries_of(user) == before, "the undo")


def test_deleting_asks_nothing_and_can_be_undone(desk: MemoryDriver, memory: Path) -> None:
    before = memory.read_bytes()
    first, second = entries_of(memory)[:2]
    desk.keys(desk.choose("memory", first), Qt.Key.Key_Delete)
    desk.wait(lambda: first not in entries_of(memory), "the entry to go")
    desk.wait(lambda: desk.texts("memory")[0] == second, "the card to go")
    assert desk.asker.asked == []
    desk.press_toast()
    desk.wait(lambda: memory.read_bytes() == before, "the undo, to the byte")


def test_an_entry_moves_to_the_other_file(desk: MemoryDriver, memory: Path, user: Path) -> None:
    text = entries_of(memory)[3]
    desk.choose("memory", text)
    desk.act("memory", "move")
    desk.wait(lambda: text in entries_of(user), "the entry in the other file")
    desk.wait(lambda: text in desk.texts("user"), "the card in the other column")
    assert text not in entries_of(memory)
    assert desk.toast() == "Entry moved to User profile."
    desk.press_toast()
    desk.wait(lambda: text in entries_of(memory) and text not in entries_of(user), "the undo")


def test_entries_are_reordered_by_keyboard(desk: MemoryDriver, memory: Path) -> None:
    one, two, three, *rest = entries_of(memory)
    cards = desk.choose("memory", one)
    desk.keys(cards, Qt.Key.Key_Down, ALT)
    desk.wait(lambda: entries_of(memory)[:2] == [two, one], "the first step")
    desk.rest()
    desk.keys(cards, Qt.Key.Key_Down, ALT)
    desk.wait(lambda: entries_of(memory) == [two, three, one, *rest], "the second step")
    desk.rest()
    current = cards.current_card()
    assert current is not None
    assert current.text == one


def test_cancelling_asks_nothing_and_the_draft_can_be_had_back(
    desk: MemoryDriver, memory: Path
) -> None:
    before = memory.read_bytes()
    text = entries_of(memory)[0]
    editor = desk.edit("memory", text)
    desk.type_over(editor, "a thought half")
    desk.keys(editor.field, Qt.Key.Key_Escape)
    assert desk.column("memory").editor() is None
    assert memory.read_bytes() == before
    desk.press_toast()
    assert desk.editor("memory").text() == "a thought half"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("x" * 2500, "2,200"),
        ("cat ~/.hermes/.env", "read_secrets"),
        ("one\n§\ntwo", "§"),
        ("zero\u200bwidth", "U+200B"),
        ("   ", ""),
    ],
    ids=["over budget", "blocked", "delimiter", "invisible", "empty"],
)
def test_a_refusal_stands_at_the_entry_and_nothing_is_written(
    desk: MemoryDriver, memory: Path, typed: str, says: str
) -> None:
    before = memory.read_bytes()
    editor = desk.edit("memory", entries_of(memory)[0])
    editor.field.selectAll()
    editor.field.insertPlainText(typed)
    desk.save(editor)
    desk.wait(lambda: editor.problem() != "", "the refusal")
    assert says in editor.problem()
    assert editor.field.accessibleDescription() == editor.problem()
    assert editor.text() == typed
    assert memory.read_bytes() == before
    desk.qtbot.keyClicks(editor.field, "y")
    assert editor.problem() == ""


def test_a_hidden_entry_says_so_and_why(start: Start, empty_home: Path) -> None:
    persian = "کاربر می\u200cخواهد"
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, "plain", "cat ~/.hermes/.env", persian, "plain")
    desk = start(empty_home)
    spoken = [card.spoken() for card in desk.cards("memory").card_model().cards]
    assert "hidden from the agent" not in spoken[0]
    assert "hidden from the agent, reads secrets, names the agent's file of secrets" in spoken[1]
    assert "U+200C" in spoken[2]
    assert "duplicate" in spoken[3]
    view = desk.find(SnapshotView, "snapshot").text()
    assert view.count("[BLOCKED: MEMORY.md entry contained") == 2
    assert persian not in view


def test_a_file_above_its_limit_is_told_as_it_is(start: Start, empty_home: Path) -> None:
    write_as_agent(empty_home / "memories" / "USER.md", "a" * 1000, "b" * 900)
    desk = start(empty_home)
    numbers = desk.column("user").meter.numbers()
    assert numbers.startswith("138% — 1,903/1,375 chars")
    assert numbers.endswith("over the limit")


def test_an_empty_home_says_what_will_be_here(start: Start, empty_home: Path) -> None:
    desk = start(empty_home)
    assert desk.sees("memory_empty")
    desk.click("memory_empty_add")
    editor = desk.editor("memory")
    desk.qtbot.keyClicks(editor.field, "first")
    desk.save(editor)
    path = empty_home / "memories" / "MEMORY.md"
    desk.wait(lambda: path.exists() and entries_of(path) == ["first"], "the first entry")


def test_the_search_shows_what_fits_and_marks_it(desk: MemoryDriver) -> None:
    desk.keys(desk.window, Qt.Key.Key_K, CTRL)
    assert desk.window.search.hasFocus()
    desk.qtbot.keyClicks(desk.window.search, "PYTHON")
    assert desk.texts("user") != []
    assert all("python" in text.casefold() for text in desk.texts("user"))
    assert desk.sees("memory_empty") or desk.texts("memory")
    desk.keys(desk.window.search, Qt.Key.Key_Escape)
    assert len(desk.texts("memory")) == 6


def test_a_pasted_refusal_leads_to_its_entry(desk: MemoryDriver, memory: Path) -> None:
    wanted = entries_of(memory)[4]
    QApplication.clipboard().setText(
        f"No entry matched '{wanted[:30]} oops'. Check current_entries"
    )
    desk.window.search.paste()
    current = desk.cards("memory").current_card()
    assert current is not None
    assert current.text == wanted
    assert desk.sees("found")
    assert len(desk.texts("memory")) == 6


def test_a_double_click_edits_and_the_buttons_of_a_card_work(
    desk: MemoryDriver, memory: Path
) -> None:
    cards = desk.cards("memory")
    desk.qtbot.mouseMove(cards.viewport(), card_point(cards, 2))
    desk.column("memory").show_view(desk.column("memory")._view)  # type: ignore[arg-type]
    assert desk.sees("card_memory_edit"), "the buttons stay under a mouse that rests"
    desk.click("card_memory_edit")
    assert desk.editor("memory").text() == entries_of(memory)[2]


def test_a_second_edit_does_not_swallow_the_first(desk: MemoryDriver, memory: Path) -> None:
    one, two = entries_of(memory)[:2]
    editor = desk.edit("memory", one)
    desk.type_over(editor, "not yet saved")
    desk.column("memory").begin_edit((two, 0))
    assert desk.editor("memory") is editor
    assert editor.text() == "not yet saved"


def test_leaving_with_a_half_typed_edit_asks(desk: MemoryDriver, memory: Path) -> None:
    editor = desk.edit("memory", entries_of(memory)[0])
    desk.type_over(editor, "half")
    desk.asker.answers = [False, True]
    desk.window.close()
    assert desk.window.isVisible()
    desk.window.close()
    assert not desk.window.isVisible()
    assert len(desk.asker.asked) == 2
