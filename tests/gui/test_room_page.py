"""Make room: what of one file could go, why, and what that frees."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from gui.models.knowledge import MoveToNote
from gui.pages.room import RoomPage
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent
from tests.gui.pending_driver import PendingDriver, ask_first, stage
from tests.gui.room_driver import RoomDriver

KEPT = "Prefers answers in Simplified Chinese with English technical terms"
OFFICE = "The office in Hafenstraße has three meeting rooms; the blue one has the good screen"
TODO = "TODO: write the tests for the parser by 2026-03-01"
PROGRESS = "Currently debugging the flaky upload test"
STEPS = "1. pull the branch 2. run make 3. restart the service"
SECRET = "api_key = 'abcdefghij0123456789'"
TOLD = "password: hunter2secret99"
"""A secret to the advice, and none to the agent's scan: the history keeps it."""
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALL = (KEPT, OFFICE, TODO, PROGRESS, STEPS)


@pytest.fixture
def memory(empty_home: Path) -> Path:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, *ALL)
    return path


def room_on(start: Start, memory: Path, characters: int | None = 60) -> RoomDriver:
    return RoomDriver(start(memory.parents[1]), "memory", characters)


def test_it_proposes_a_set_with_reasons_and_tells_what_that_frees(
    start: Start, memory: Path
) -> None:
    room = room_on(start, memory)
    assert room.ticked() == [TODO, PROGRESS]
    assert room.texts() == [TODO, PROGRESS, STEPS]
    first = room.cards()[0]
    assert len(first.reasons) == 2, "a todo whose date has passed is named once"
    assert first.meta[0] == f"frees {len(TODO) + 3} chars"
    before = len(memory.read_text("utf-8"))
    after = before - len(TODO) - len(PROGRESS) - 6
    assert f"{before} → {after}/2,200 chars" in room.total()
    assert "2 entries are ticked" in room.desk.text("room_said")


def test_another_number_is_another_set_at_once(start: Start, memory: Path) -> None:
    room = room_on(start, memory)
    room.want(20)
    assert room.ticked() == [TODO]
    room.want(0)
    assert room.ticked() == []
    assert room.desk.text("room_said") == "Nothing is ticked."
    room.desk.click("room_share")
    assert room.page.wanted.line.text() == "440"


def test_where_advice_is_not_enough_it_says_so_and_names_the_longest(
    start: Start, memory: Path
) -> None:
    room = room_on(start, memory, 1_000)
    assert room.ticked() == [TODO, PROGRESS]
    assert room.texts() == [TODO, PROGRESS, STEPS, OFFICE, KEPT]
    assert "not enough" in room.desk.text("room_said")
    assert room.cards()[3].reasons == ("Listed for its length alone.",)


def test_what_is_over_the_limit_is_wanted_first(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, *ALL, ("x " * 1_000).strip())
    room = room_on(start, path, None)
    over = len(path.read_text("utf-8")) - 2_200
    assert room.page.wanted.line.text() == str(over)
    assert f"({over})" in room.page.wanted.findChild(QWidget, "room_over").text()  # type: ignore[union-attr]


def test_what_is_ticked_is_deleted_as_one_change(start: Start, memory: Path) -> None:
    room = room_on(start, memory)
    before = memory.read_bytes()
    room.desk.click("room_delete_button")
    room.desk.rest()
    assert entries_of(memory) == [KEPT, OFFICE, STEPS]
    assert room.desk.toast() == "2 entries deleted from Agent memory."
    assert room.page.wanted.line.text() == "0", "as much as was wanted is free"
    assert room.ticked() == []
    room.desk.press_toast()
    room.desk.rest()
    assert memory.read_bytes() == before
    room.desk.wait(lambda: TODO in room.texts(), "the entry to be there again")


def test_a_file_far_over_its_limit_is_made_smaller(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    long = [f"{word} " * 150 for word in ("one", "two", "three", "four")]
    write_as_agent(path, TODO, PROGRESS, *(text.strip() for text in long))
    room = room_on(start, path, 60)
    room.desk.click("room_delete_button")
    room.desk.rest()
    assert len(entries_of(path)) == 4
    assert len(path.read_text("utf-8")) > 2_200


def test_ticks_are_set_and_taken_off_by_keyboard_and_the_total_follows(
    start: Start, memory: Path
) -> None:
    room = room_on(start, memory)
    cards = room.page.list
    assert QApplication.focusWidget() is cards
    room.desk.keys(cards, Qt.Key.Key_Space)
    assert room.ticked() == [PROGRESS]
    room.desk.keys(cards, Qt.Key.Key_Down)
    room.desk.keys(cards, Qt.Key.Key_Down)
    room.desk.keys(cards, Qt.Key.Key_Space)
    assert room.ticked() == [PROGRESS, STEPS]
    assert "1 entry" not in room.desk.text("room_said")
    room.desk.keys(cards, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(room.ticked()) == 3
    room.desk.keys(cards, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert room.ticked() == []


def test_an_entry_that_is_gone_meanwhile_keeps_all_the_others(start: Start, memory: Path) -> None:
    room = room_on(start, memory)
    room.desk.program.place.watch.hold([memory])  # nobody tells the page
    write_as_agent(memory, KEPT, OFFICE, PROGRESS, STEPS)
    room.desk.click("room_delete_button")
    room.desk.rest()
    assert entries_of(memory) == [KEPT, OFFICE, PROGRESS, STEPS]
    assert "no longer there" in room.desk.text("room_problem_text")
    assert "Nothing was deleted" in room.desk.text("room_problem_text")
    assert room.ticked() == [PROGRESS], "what is still there is still ticked"


def test_a_change_by_the_agent_keeps_the_ticks(start: Start, memory: Path) -> None:
    room = room_on(start, memory)
    room.choose(STEPS)
    room.desk.keys(room.page.list, Qt.Key.Key_Space)
    write_as_agent(memory, *ALL, "Likes tea")
    room.desk.wait(lambda: room.page._view is not None and "Likes tea" in
                   room.page._view.texts("memory"), "the new entry")  # fmt: skip
    assert room.ticked() == [TODO, PROGRESS, STEPS]
    current = room.page.list.current_key()
    assert current == STEPS


def test_before_a_secret_goes_it_asks(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, KEPT, SECRET, TODO)
    room = room_on(start, path, 200)
    assert room.ticked() == [TODO], "a secret is never ticked by itself"
    room.choose(SECRET)
    room.desk.keys(room.page.list, Qt.Key.Key_Space)
    assert set(room.ticked()) == {SECRET, TODO}
    room.desk.asker.answers = [False]
    room.desk.click("room_delete_button")
    room.desk.rest()
    assert len(entries_of(path)) == 3
    room.desk.asker.answers = [True]
    room.desk.click("room_delete_button")
    room.desk.rest()
    assert entries_of(path) == [KEPT]
    assert room.desk.asker.asked == ["This cannot be undone"] * 2


def test_a_file_is_not_emptied_at_one_go(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, TODO, PROGRESS)
    room = room_on(start, path, 500)
    room.desk.click("room_delete_button")
    room.desk.rest()
    assert entries_of(path) == [TODO, PROGRESS]
    assert room.desk.sees("room_problem")


def test_a_broken_file_leads_to_repair(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_text("one\n\n§\n\ntwo", "utf-8")
    room = room_on(start, path)
    assert room.texts() == []
    room.desk.click("room_problem_action")
    room.desk.wait(lambda: room.desk.window._current == "repair", "the Repair page")
    room.desk.rest()


def test_shorten_and_merge_open_the_editor(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    first = "The staging server is called larch and stands in Frankfurt"
    second = "The staging server larch stands in Frankfurt, called larch"
    write_as_agent(path, first, KEPT, second)
    desk = start(empty_home)
    room = RoomDriver(desk, "memory", 10)
    assert room.ticked() == [second]
    room.choose(second)
    room.desk.keys(room.page.list, Qt.Key.Key_G)
    desk.rest()
    assert desk.editor("memory").text() == f"{first}\n{second}"
    desk.save(desk.editor("memory"))
    desk.rest()
    assert entries_of(path) == [f"{first}\n{second}", KEPT]
    room = RoomDriver(desk, "memory", 1_000)
    room.choose(KEPT)
    room.desk.keys(room.page.list, Qt.Key.Key_E)
    desk.rest()
    assert desk.editor("memory").text() == KEPT


def test_memory_the_overview_and_the_editor_lead_here(start: Start, memory: Path) -> None:
    desk = start(memory.parents[1])
    desk.keys(desk.window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: desk.window._current == "room", "the page")
    desk.rest()
    desk.window.open_page("overview")
    desk.rest()
    desk.click("advice_room")
    desk.wait(lambda: desk.window._current == "room", "the page")
    desk.rest()


def test_a_write_that_does_not_fit_leads_from_pending_to_room_for_it(
    start: Start, memory: Path
) -> None:
    home = memory.parents[1]
    ask_first(home)
    stage(home, "00000001", content="y " * 1_000)
    pending = PendingDriver(start(home, page="pending"))
    pending.choose("00000001")
    pending.desk.wait(lambda: pending.desk.sees("record_problem_action"), "what stands in the way")
    assert pending.desk.find(QAbstractButton, "record_problem_action").text() == "Make room…"
    pending.desk.click("record_problem_action")
    pending.desk.wait(lambda: pending.desk.window._current == "room", "the page")
    pending.desk.rest()
    room = pending.desk.window.page()
    assert isinstance(room, RoomPage)
    assert room.wanted.characters() == len(memory.read_text("utf-8")) + 3 + 1_999 - 2_200


def test_what_does_not_fit_leads_from_the_editor_to_room_for_it_and_is_kept(
    start: Start, memory: Path
) -> None:
    desk: MemoryDriver = start(memory.parents[1])
    desk.column("memory").begin_add()
    editor = desk.editor("memory")
    editor.field.set_text("y " * 1_000)
    desk.save(editor)
    desk.rest()
    desk.click("entry_room_button")
    desk.wait(lambda: desk.window._current == "room", "the page")
    desk.rest()
    file = memory.read_text("utf-8")
    lacking = len(file) + 3 + 1_999 - 2_200
    room = RoomDriver(desk, "memory", lacking)
    assert room.page.wanted.line.text() == str(lacking)
    desk.window.open_page("memory")
    desk.rest()
    assert len(desk.editor("memory").text().strip()) == 1_999
    desk.editor("memory").field.set_text("")
    desk.column("memory").edit.cancel()


@pytest.mark.parametrize("secret", [SECRET, TOLD])
def test_a_secret_goes_to_a_note_or_a_draft_only_if_that_is_wanted(
    start: Start, empty_home: Path, secret: str
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, KEPT, secret, TODO)
    room = room_on(start, path, 200)
    desk = room.desk
    assert secret in room.texts()
    assert room.ticked() == [TODO]
    wanted: list[object] = []
    desk.program.place.page_wanted.connect(lambda _, about: wanted.append(about))
    room.choose(secret)
    desk.asker.answers = [False]
    desk.keys(room.page.list, Qt.Key.Key_N)
    assert wanted == [], "one alone is left where it is"
    desk.keys(room.page.list, Qt.Key.Key_Space)
    desk.asker.answers = [False]
    desk.keys(desk.window, Qt.Key.Key_M, CONTROL | SHIFT)
    desk.rest()
    assert wanted == [MoveToNote("memory", TODO)], "the others go without it"
    room = room_on_again(room)
    room.choose(secret)
    desk.keys(room.page.list, Qt.Key.Key_Space)
    desk.asker.answers = [True]
    desk.keys(desk.window, Qt.Key.Key_M, CONTROL | SHIFT)
    desk.rest()
    moved = wanted[-1]
    assert isinstance(moved, MoveToNote)
    assert set(moved.texts) == {TODO, secret}
    assert desk.asker.asked == ["A secret would stand in a plain file"] * 3


def test_what_the_history_keeps_is_deleted_without_a_question(
    start: Start, empty_home: Path
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, KEPT, TOLD)
    room = room_on(start, path, 10)
    assert "not kept in the history" not in str(room.cards()[0].meta)
    room.choose(TOLD)
    room.desk.keys(room.page.list, Qt.Key.Key_Delete)
    room.desk.rest()
    assert entries_of(path) == [KEPT]
    assert room.desk.asker.asked == []
    room.desk.press_toast()
    room.desk.rest()
    assert entries_of(path) == [KEPT, TOLD], "it can be undone"


def room_on_again(room: RoomDriver) -> RoomDriver:
    """Come back to the page, which proposes anew."""
    return RoomDriver(room.desk, "memory", 200)
