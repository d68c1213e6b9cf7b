"""A person makes room in a full memory file: two entries go to a note, and come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.pages.knowledge import KnowledgePage
from gui.pages.room import RoomPage
from store.desk import build_desk
from store.home import home_at
from store.knowledge.folders import FoldersChanged
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.driver import Driver, write_as_agent

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
KEPT = "Prefers answers in Simplified Chinese with English technical terms"
TODO = "TODO: write the tests for the parser by 2026-03-01"
PROGRESS = "Currently debugging the flaky upload test"


def _focused(desk: Driver) -> None:
    desk.rest()
    assert QApplication.focusWidget() is not None


@pytest.mark.parametrize("pointers", [False, True])
def test_two_entries_go_to_a_note_and_one_undo_brings_both_back(
    start: Start, empty_home: Path, desk_dirs: DeskDirs, tmp_path: Path, pointers: bool
) -> None:
    memory = empty_home / "memories" / "MEMORY.md"
    write_as_agent(memory, TODO, KEPT, PROGRESS)
    vault = tmp_path / "Vault"
    (vault / ".obsidian").mkdir(parents=True)
    note = vault / "Tasks.md"
    note.write_bytes(b"# Tasks\r\n\r\nlast line")
    desk_before = build_desk(home_at(empty_home, root=empty_home))
    assert isinstance(desk_before.knowledge.add_folder(vault), FoldersChanged)
    desk_before.knowledge.refresh()
    desk_before.close()
    before = memory.read_bytes(), note.read_bytes()

    desk = start(empty_home)
    desk.rest()
    desk.keys(desk.window, Qt.Key.Key_R, CONTROL)
    desk.wait(lambda: isinstance(desk.window.page(), RoomPage), "the page")
    _focused(desk)
    page = desk.window.page()
    assert isinstance(page, RoomPage)
    assert page._ticked == {TODO, PROGRESS}, "a fifth of the limit is wanted"
    desk.keys(desk.window, Qt.Key.Key_M, CONTROL | SHIFT)
    desk.wait(lambda: isinstance(desk.window.page(), KnowledgePage), "the notes")
    desk.rest()
    assert "2 entries go to the end of the note" in desk.text("knowledge_moving_text")
    if pointers:
        box = desk.window.findChild(type(desk.window.page().pointer), "leave_pointer")  # type: ignore[union-attr]
        assert box is not None
        box.setFocus()
        desk.keys(box, Qt.Key.Key_Space)
    desk.keys(desk.window, Qt.Key.Key_Return, CONTROL)
    desk.rest()

    assert desk.toast() == "2 entries moved to the note “Tasks”."
    gone = f"{TODO}\r\n\r\n{PROGRESS}".encode()
    assert note.read_bytes() == before[1] + b"\r\n\r\n" + gone
    left = memory.read_text("utf-8").split("\n§\n")
    if pointers:
        assert left[0].startswith("TODO: write the tests")
        assert left[0].endswith("in the note “Tasks” (Tasks.md).")
        assert left[1] == KEPT
        assert left[2].startswith("Currently debugging")
    else:
        assert left == [KEPT]

    desk.keys(desk.window, Qt.Key.Key_Z, CONTROL)
    desk.rest()
    assert (memory.read_bytes(), note.read_bytes()) == before
