"""Where does this belong? Three questions, answered by the text at first, and four ways to go."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton

from gui.models.belongs import Belongs
from gui.pages.knowledge import KnowledgePage
from store.desk import build_desk
from store.home import home_at
from tests.gui.belongs_driver import BelongsDriver
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent
from tests.gui.room_driver import RoomDriver

LIKES = "Prefers replies in Simplified Chinese with English technical terms"
VPN = "The staging deploy needs the VPN; without it the health check times out"
STEPS = "1. pull the branch 2. run make 3. restart the service"
SECRET = "api_key = 'abcdefghij0123456789'"
TOLD = "password: hunter2secret99"
"""A secret to the advice, and none to the agent's scan: the history keeps it."""


@pytest.fixture
def memory(empty_home: Path) -> Path:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, LIKES, VPN, STEPS)
    return path


def user_of(memory: Path) -> Path:
    return memory.with_name("USER.md")


@pytest.mark.parametrize(
    ("text", "asked", "layer"),
    [
        (LIKES, ["about_you", "always"], "user"),
        (VPN, ["about_you", "steps", "always"], "memory"),
        (STEPS, ["about_you", "steps"], "skill"),
    ],
)
def test_the_text_answers_at_first(
    start: Start, empty_home: Path, text: str, asked: list[str], layer: str
) -> None:
    page = BelongsDriver(start(empty_home), Belongs(text))
    assert (page.asked(), page.suggested()) == (asked, [layer])
    button = page.desk.find(QAbstractButton, f"send_{layer}_button")
    assert button.property("kind") == "primary"


def test_single_keys_answer_and_lead_elsewhere(start: Start, empty_home: Path) -> None:
    page = BelongsDriver(start(empty_home), Belongs(VPN))
    page.answer(1)
    assert page.suggested() == ["user"]
    page.answer(2)
    assert page.suggested() == ["note"]
    page.desk.keys(page.page.questions, Qt.Key.Key_Up)
    page.answer(2, 1)
    assert page.suggested() == ["skill"]
    page.desk.keys(page.page.questions, Qt.Key.Key_Up)
    page.desk.keys(page.page.questions, Qt.Key.Key_Down)
    page.desk.keys(page.page.questions, Qt.Key.Key_Right)
    assert page.asked() == ["about_you", "steps", "always"]
    page.desk.click("answer_always_2")
    assert page.suggested() == ["note"]


def test_an_entry_goes_to_the_other_file_and_back(start: Start, memory: Path) -> None:
    desk = start(memory.parents[1])
    before = memory.read_bytes()
    desk.keys(desk.choose("memory", LIKES), Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    page = BelongsDriver(desk)
    assert page.suggested() == ["user"]
    page.accept()
    assert entries_of(memory) == [VPN, STEPS]
    assert entries_of(user_of(memory)) == [LIKES]
    assert desk.window._current == "memory"
    desk.press_toast()
    desk.rest()
    assert memory.read_bytes() == before


def test_an_entry_goes_to_a_skill_draft_and_one_undo_takes_it_back(
    start: Start, memory: Path
) -> None:
    desk = start(memory.parents[1])
    desk.choose("memory", STEPS)
    desk.act("memory", "belongs")
    page = BelongsDriver(desk)
    page.desk.keys(page.page.questions, Qt.Key.Key_S)
    desk.rest()
    assert entries_of(memory) == [LIKES, VPN]
    assert len(list((memory.parents[1] / "pending" / "skills").glob("*.json"))) == 1
    assert "waits in Pending" in desk.toast()
    desk.press_toast()
    desk.rest()
    assert STEPS in entries_of(memory)
    assert list((memory.parents[1] / "pending" / "skills").glob("*.json")) == []


def test_an_entry_that_is_where_it_belongs_stays(start: Start, memory: Path) -> None:
    page = BelongsDriver(start(memory.parents[1]), Belongs(VPN, source="memory"))
    assert not page.desk.find(QAbstractButton, "send_memory_button").isEnabled()
    before = memory.read_bytes()
    page.accept()
    assert page.desk.toast() == "It is where it belongs."
    assert memory.read_bytes() == before


def test_what_is_typed_for_a_new_entry_goes_where_it_belongs(start: Start, memory: Path) -> None:
    desk: MemoryDriver = start(memory.parents[1])
    desk.column("memory").begin_add()
    desk.type_over(desk.editor("memory"), "Likes green tea")
    desk.keys(desk.editor("memory").field, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    page = BelongsDriver(desk)
    page.accept()
    assert entries_of(user_of(memory)) == ["Likes green tea"]
    assert desk.window._current == "memory"
    assert desk.column("memory").editor() is None, "it is not typed anew"
    assert len(entries_of(memory)) == 3


def test_who_goes_back_finds_what_was_typed(start: Start, memory: Path) -> None:
    desk: MemoryDriver = start(memory.parents[1])
    desk.column("memory").begin_add()
    desk.click("entry_belongs_button")
    assert desk.toast() == "Write something first."
    desk.type_over(desk.editor("memory"), "Likes green tea")
    desk.click("entry_belongs_button")
    page = BelongsDriver(desk)
    desk.keys(page.page.questions, Qt.Key.Key_Escape)
    desk.rest()
    assert desk.editor("memory").text() == "Likes green tea"
    desk.column("memory").edit.cancel()


def test_a_given_text_says_in_the_editor_where_it_rather_belongs(
    start: Start, memory: Path
) -> None:
    desk: MemoryDriver = start(memory.parents[1])
    desk.column("memory").edit.begin_new(STEPS)
    action = desk.editor("memory").findChild(QAction, "entry_belongs")
    assert action is not None
    assert action.text() == "Rather: Skill draft…"
    desk.column("memory").edit.cancel()


def test_what_does_not_fit_is_said_and_leads_to_room(start: Start, memory: Path) -> None:
    write_as_agent(user_of(memory), "Reads a lot " * 110)
    desk = start(memory.parents[1])
    page = BelongsDriver(desk, Belongs(LIKES, source="memory"))
    page.accept()
    assert LIKES in entries_of(memory)
    lacking = len(user_of(memory).read_text("utf-8").strip()) + 3 + len(LIKES) - 1_375
    desk.click("belongs_problem_action")
    desk.rest()
    desk.wait(lambda: desk.window._current == "room", "room")
    desk.rest()
    room = desk.window.page()
    assert room is not None
    assert room._about.target == "user"  # type: ignore[attr-defined]
    assert room._about.characters == lacking  # type: ignore[attr-defined]


def test_before_a_secret_leaves_it_asks(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, SECRET, VPN)
    page = BelongsDriver(start(empty_home), Belongs(SECRET, source="memory"))
    assert "keyring" in page.desk.text("belongs_hint")
    page.desk.asker.answers = [False]
    page.desk.click("send_skill_button")
    page.desk.rest()
    page.desk.asker.answers = [False]
    page.desk.click("send_user_button")
    page.desk.rest()
    assert entries_of(path) == [SECRET, VPN]
    asked = ["A secret would stand in a plain file", "This cannot be undone"]
    assert page.desk.asker.asked == asked


@pytest.mark.parametrize("layer", ["skill", "note"])
def test_before_a_secret_goes_to_a_plain_file_it_asks(
    start: Start, empty_home: Path, layer: str
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    write_as_agent(path, TOLD, VPN)
    page = BelongsDriver(start(empty_home), Belongs(TOLD, source="memory"))
    page.desk.asker.answers = [False, True]
    page.desk.click(f"send_{layer}_button")
    page.desk.rest()
    assert page.desk.window._current == "belongs"
    assert entries_of(path) == [TOLD, VPN]
    page.desk.click(f"send_{layer}_button")
    page.desk.rest()
    assert page.desk.window._current != "belongs"
    assert page.desk.asker.asked == ["A secret would stand in a plain file"] * 2


@pytest.mark.parametrize("fresh", [False, True])
def test_a_text_goes_to_a_note(
    start: Start, memory: Path, tmp_path: Path, fresh: bool, desk_dirs: object
) -> None:
    vault = tmp_path / "Vault"
    (vault / ".obsidian").mkdir(parents=True)
    note = vault / "Work.md"
    note.write_text("# Work\n", "utf-8")
    home = memory.parents[1]
    before_it = build_desk(home_at(home, root=home))
    before_it.knowledge.add_folder(vault)
    before_it.knowledge.refresh()
    before_it.close()
    desk: MemoryDriver = start(home)
    text = "Likes green tea" if fresh else VPN
    about = Belongs(text, source=None if fresh else "memory", draft="memory" if fresh else None)
    if fresh:
        desk.column("memory").begin_add()
        desk.type_over(desk.editor("memory"), text)
    page = BelongsDriver(desk, about)
    page.desk.keys(page.page.questions, Qt.Key.Key_N)
    desk.wait(lambda: isinstance(desk.window.page(), KnowledgePage), "the notes")
    desk.rest()
    assert desk.sees("leave_pointer") == (not fresh)
    desk.keys(desk.window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desk.rest()
    assert note.read_text("utf-8") == f"# Work\n\n{text}\n"
    assert entries_of(memory) == ([LIKES, VPN, STEPS] if fresh else [LIKES, STEPS])
    if fresh:
        assert desk.window._current == "memory"
        assert desk.column("memory").editor() is None
    desk.press_toast()
    desk.rest()
    assert note.read_text("utf-8") == "# Work\n"
    assert entries_of(memory) == [LIKES, VPN, STEPS]


def test_a_procedure_goes_to_a_draft_from_the_page_that_makes_room(
    start: Start, memory: Path
) -> None:
    room = RoomDriver(start(memory.parents[1]), "memory", 40)
    room.choose(STEPS)
    room.desk.keys(room.page.list, Qt.Key.Key_S)
    room.desk.rest()
    assert entries_of(memory) == [LIKES, VPN]
    assert STEPS not in room.texts()
    assert room.page.wanted.line.text() == "0"
    room.desk.press_toast()
    room.desk.rest()
    assert STEPS in entries_of(memory)
