"""The Repair page: explains, proposes, lets the person change all of it, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from tests.gui.conftest import Start
from tests.gui.driver import entries_of
from tests.gui.repair_driver import RepairDriver, broken_home

Key, Mod = Qt.Key, Qt.KeyboardModifier
APPENDED = "one\n§\ntwo \n\n§\nthree\n§\none\n".encode()
REFUSAL = (
    "Refusing to write MEMORY.md: file on disk has content that wouldn't round-trip through the "
    "memory tool's parser"
)


@pytest.fixture
def repair(start: Start, empty_home: Path) -> RepairDriver:
    broken_home(empty_home, APPENDED, b"I am Ada")
    return RepairDriver(start(empty_home)).open()


def path_of(home: Path) -> Path:
    return home / "memories" / "MEMORY.md"


# -- looking -----------------------------------------------------------------------------------


def test_the_banner_leads_to_what_is_wrong_and_what_could_be(repair: RepairDriver) -> None:
    assert repair.desk.text("page_title") == "Memory › Repair MEMORY.md"
    assert "Line 3" in repair.why()
    assert "Nothing has been lost" in repair.why()
    assert repair.texts() == ["one", "two", "three"]
    assert repair.marks(0) == ["line 1", "as it was"]
    assert repair.marks(1)[0] == "line 3"
    assert "removed" in repair.marks(1)[1]
    assert repair.left_out() == ["one"]
    assert repair.marks(0, repair.dropped) == ["line 8", "stands there already"]
    assert "3 entries" in repair.page.entries.meter.numbers()
    assert "17/2,200" in repair.page.entries.meter.numbers()


def test_the_file_is_shown_as_it_is_with_its_trouble_marked(repair: RepairDriver) -> None:
    rows = repair.file().rows()
    assert [row.text for row in rows] == APPENDED.decode().removesuffix("\n").split("\n")
    assert [row.number for row in rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert sorted(repair.file().marks) == [3, 4, 5, 8]
    assert rows[4].note == "a blank line before the delimiter"


def test_choosing_an_entry_points_at_its_lines(repair: RepairDriver) -> None:
    repair.choose(2)
    assert [*repair.file().pointed] == [6]


def test_a_copy_that_is_the_broken_file_is_named(start: Start, empty_home: Path) -> None:
    path = broken_home(empty_home, APPENDED)
    path.with_name("MEMORY.md.bak.1700000000").write_bytes(APPENDED)
    repair = RepairDriver(start(empty_home)).open()
    assert "MEMORY.md.bak.1700000000 is a copy of the file as it is now" in repair.why()


def test_an_entry_longer_than_the_budget_is_named_with_its_lines(
    start: Start, empty_home: Path
) -> None:
    data = ("# A\n" + "word " * 40 + "\n# B\n" + "other " * 30).encode()
    broken_home(empty_home, data, limit=300)
    repair = RepairDriver(start(empty_home)).open()
    assert "more than the whole budget of 300" in repair.why()
    assert len(repair.texts()) > 1
    assert sorted(repair.file().marks) == [1, 2, 3, 4]


def test_a_pasted_refusal_leads_to_the_page(start: Start, empty_home: Path) -> None:
    broken_home(empty_home, APPENDED)
    desk = start(empty_home)
    desk.window.search.setText(json.dumps({"success": False, "error": REFUSAL}))
    repair = RepairDriver(desk)
    repair.wait_open()
    assert repair.texts() == ["one", "two", "three"]


def test_a_pasted_refusal_of_a_file_that_is_in_order_now_says_so(
    start: Start, empty_home: Path
) -> None:
    broken_home(empty_home, b"one")
    desk = start(empty_home)
    desk.window.search.setText(REFUSAL)
    desk.wait(lambda: desk.sees("found"), "the answer")
    assert "in order now" in desk.text("found_text")


def test_a_file_in_order_has_nothing_to_repair(start: Start, empty_home: Path) -> None:
    path = broken_home(empty_home, APPENDED)
    repair = RepairDriver(start(empty_home)).open()
    path.write_bytes(b"one")
    repair.desk.wait(lambda: repair.desk.sees("repair_empty"), "the news")
    assert not repair.can_apply()
    repair.desk.click("repair_empty_back")
    assert repair.desk.window.page() is repair.desk.page


# -- applying ----------------------------------------------------------------------------------


def test_applying_keeps_a_copy_and_can_be_undone_to_the_byte(
    repair: RepairDriver, empty_home: Path
) -> None:
    path = path_of(empty_home)
    repair.apply()
    repair.desk.wait(lambda: path.read_bytes() == "one\n§\ntwo\n§\nthree".encode(), "the repair")
    desk = repair.desk
    desk.wait(lambda: "MEMORY.md is repaired: 3 entries." in desk.toast(), "the news")
    assert [copy.read_bytes() for copy in path.parent.glob("MEMORY.md.bak.*")] == [APPENDED]
    desk.wait(lambda: desk.texts("memory") == ["one", "two", "three"], "the Memory page")
    desk.rest()
    desk.press_toast()
    desk.wait(lambda: path.read_bytes() == APPENDED, "the file as it was")


def test_a_guess_is_shown_with_its_doubt_and_asked_before_it_is_applied(
    start: Start, empty_home: Path
) -> None:
    text = "项目 tidepool 的数据库是 PostgreSQL\n§\n用户喜欢简短的回答"
    path = broken_home(empty_home, text.encode("gbk"))
    repair = RepairDriver(start(empty_home)).open()
    assert "a guess" in repair.desk.text("repair_encoding_words")
    assert repair.texts() == text.split("\n§\n")
    assert not repair.can_apply()
    assert repair.desk.window.focusWidget().objectName() == "repair_encoding_yes"  # type: ignore[union-attr]
    repair.key(Key.Key_Space)
    repair.desk.wait(repair.can_apply, "the way to be free")
    repair.apply()
    repair.desk.wait(lambda: path.read_bytes() == text.encode(), "the repair")


def test_another_encoding_can_be_chosen_and_one_that_does_not_fit_is_refused(
    start: Start, empty_home: Path
) -> None:
    path = broken_home(empty_home, b"caf\xe9 one\n\xa7\nna\xefve two")
    repair = RepairDriver(start(empty_home)).open()
    choice = repair.desk.find(QComboBox, "repair_encoding_choice")
    for name in ("utf-8", "latin-1"):
        choice.setCurrentText(name)
        choice.activated.emit(choice.currentIndex())
        repair.desk.rest()
        if name == "utf-8":
            assert repair.desk.text("repair_encoding_problem") == "The file cannot be utf-8."
            assert not repair.can_apply()
    assert "as you said" in repair.desk.text("repair_encoding_words")
    repair.apply()
    repair.desk.wait(lambda: path.read_bytes() == "café one\n§\nnaïve two".encode(), "the repair")


# -- working -----------------------------------------------------------------------------------


def test_an_entry_is_edited_split_and_joined_by_keys(repair: RepairDriver) -> None:
    repair.choose(1)
    repair.key(Key.Key_Return)
    repair.editor().field.selectAll()
    repair.desk.qtbot.keyClicks(repair.editor().field, "two and more")
    cursor = repair.editor().field.textCursor()
    cursor.setPosition(3)
    repair.editor().field.setTextCursor(cursor)
    repair.key(Key.Key_Return, Mod.AltModifier)
    assert repair.texts() == ["one", "two", "and more", "three"]
    assert "changed by you" in repair.marks(2)
    repair.choose(1)
    repair.key(Key.Key_J, Mod.ControlModifier)
    assert repair.texts() == ["one", "two\nand more", "three"]
    repair.desk.press_toast()
    assert repair.texts() == ["one", "two", "and more", "three"]


def test_a_cut_falls_where_the_cursor_is_also_behind_an_emoji(repair: RepairDriver) -> None:
    repair.choose(1)
    repair.key(Key.Key_Return)
    field = repair.editor().field
    field.set_text("😀 smile 国 two")
    cursor = field.textCursor()
    cursor.setPosition(len("😀 smile ".encode("utf-16-le")) // 2)
    field.setTextCursor(cursor)
    repair.key(Key.Key_Return, Mod.AltModifier)
    assert repair.texts()[1:3] == ["😀 smile", "国 two"]


def test_what_is_left_out_is_named_and_can_be_kept(repair: RepairDriver) -> None:
    repair.choose(2)
    repair.key(Key.Key_Delete)
    assert repair.texts() == ["one", "two"]
    assert repair.left_out() == ["one", "three"]
    assert repair.marks(1, repair.dropped) == ["line 6", "left out by hand"]
    repair.dropped.setFocus()
    repair.dropped.choose(1)
    repair.key(Key.Key_Insert)
    assert repair.texts() == ["one", "two", "three"]
    assert repair.left_out() == ["one"]


def test_entries_are_put_in_order_and_the_file_has_that_order(
    repair: RepairDriver, empty_home: Path
) -> None:
    repair.choose(2)
    repair.key(Key.Key_Up, Mod.AltModifier)
    repair.key(Key.Key_Up, Mod.AltModifier)
    assert repair.texts() == ["three", "one", "two"]
    repair.apply()
    path = path_of(empty_home)
    repair.desk.wait(lambda: entries_of(path) == ["three", "one", "two"], "the repair")


def test_an_entry_goes_to_the_other_file_in_one_change(
    repair: RepairDriver, empty_home: Path
) -> None:
    repair.choose(1)
    repair.key(Key.Key_M, Mod.ControlModifier)
    assert "goes to User profile" in repair.marks(1)
    repair.apply()
    path = path_of(empty_home)
    user = path.with_name("USER.md")
    repair.desk.wait(lambda: repair.desk.sees("toast_action"), "the news")
    assert entries_of(user) == ["I am Ada", "two"]
    repair.desk.wait(lambda: entries_of(path) == ["one", "three"], "the repaired file")
    repair.desk.rest()
    repair.desk.press_toast()
    repair.desk.wait(lambda: repair.desk.toast() == "Undone.", "the files as they were")
    assert path.read_bytes() == APPENDED
    repair.desk.wait(lambda: entries_of(user) == ["I am Ada"], "the other file as it was")


def test_what_stands_in_the_way_is_said_and_keeps_from_applying(repair: RepairDriver) -> None:
    repair.choose(1)
    repair.key(Key.Key_Return)
    repair.editor().field.set_text("two\n§\nhalves")
    repair.key(Key.Key_Return, Mod.ControlModifier)
    repair.desk.wait(lambda: not repair.can_apply(), "the check")
    assert repair.desk.text("repair_in_the_way").startswith("Entry 2: ")
    assert "stands in the way" in repair.marks(1)


def test_starting_over_gives_back_the_proposal_and_can_be_taken_back(repair: RepairDriver) -> None:
    repair.choose(1)
    repair.key(Key.Key_Delete)
    repair.desk.click("repair_again_button")
    assert repair.texts() == ["one", "two", "three"]
    repair.desk.press_toast()
    assert repair.texts() == ["one", "three"]


def test_leaving_the_page_keeps_the_work_and_closing_asks(repair: RepairDriver) -> None:
    repair.choose(1)
    repair.key(Key.Key_Delete)
    repair.key(Key.Key_Left, Mod.AltModifier)
    assert repair.desk.window.page() is repair.desk.page
    repair.desk.rest()
    repair.open()
    assert repair.texts() == ["one", "three"]
    repair.desk.asker.answers = [False]
    repair.desk.window.close()
    assert repair.desk.asker.asked == ["Leave without saving?"]
    assert repair.desk.window.isVisible()


# -- the file changes meanwhile ------------------------------------------------------------------


def test_a_change_outside_is_shown_at_once_while_nothing_was_done(
    repair: RepairDriver, empty_home: Path
) -> None:
    path_of(empty_home).write_bytes("uno\n\n§\ndos".encode())
    repair.desk.wait(lambda: repair.texts() == ["uno", "dos"], "the new proposal")
    assert not repair.desk.sees("repair_conflict")


def changed_under_work(repair: RepairDriver, home: Path) -> None:
    repair.choose(2)
    repair.key(Key.Key_Delete)
    repair.desk.rest()
    path_of(home).write_bytes(APPENDED + "§\nfour from elsewhere\n\n".encode())
    repair.desk.wait(lambda: repair.desk.sees("repair_conflict"), "the conflict")
    repair.desk.rest()


def test_a_change_outside_keeps_the_work_and_is_compared(
    repair: RepairDriver, empty_home: Path
) -> None:
    changed_under_work(repair, empty_home)
    assert repair.texts() == ["one", "two"]
    assert not repair.can_apply()
    repair.desk.click("repair_conflict_compare")
    repair.desk.wait(lambda: repair.desk.sees("compare_diff"), "the comparison")
    from gui.widgets.texts import DiffView

    shown = repair.desk.find(DiffView, "compare_diff").text()
    assert "- four from elsewhere" in shown
    repair.desk.click("compare_close")


def test_kept_work_names_the_words_that_it_would_lose(
    repair: RepairDriver, empty_home: Path
) -> None:
    changed_under_work(repair, empty_home)
    repair.desk.click("repair_conflict_keep")
    repair.desk.wait(repair.can_apply, "the check")
    assert "four, from, elsewhere" in repair.desk.text("repair_warning")
    repair.apply()
    path = path_of(empty_home)
    repair.desk.wait(lambda: entries_of(path) == ["one", "two"], "the repair")


def test_reloading_takes_the_file_and_the_work_can_be_had_back(
    repair: RepairDriver, empty_home: Path
) -> None:
    changed_under_work(repair, empty_home)
    repair.desk.click("repair_conflict_reload")
    assert "four from elsewhere" in repair.texts()
    repair.desk.press_toast()
    assert repair.texts() == ["one", "two"]
    assert repair.desk.sees("repair_conflict")
