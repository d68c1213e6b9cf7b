"""A person types what turns out to be a way of doing something: it becomes a skill draft."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.gui.belongs_driver import BelongsDriver
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, write_as_agent

CONTROL = Qt.KeyboardModifier.ControlModifier
TYPED = "When the printer jams open tray two and pull the lever"


def test_a_new_entry_becomes_a_skill_draft_by_keyboard(start: Start, empty_home: Path) -> None:
    memory = empty_home / "memories" / "MEMORY.md"
    write_as_agent(memory, "The printer is called atlas")
    before = memory.read_bytes()
    desk: MemoryDriver = start(empty_home)
    desk.rest()
    desk.keys(desk.window, Qt.Key.Key_N, CONTROL)
    field = desk.editor("memory").field
    assert QApplication.focusWidget() is field
    desk.qtbot.keyClicks(field, TYPED)
    desk.keys(field, Qt.Key.Key_G, CONTROL)
    page = BelongsDriver(desk)
    questions = page.page.questions
    assert QApplication.focusWidget() is questions
    desk.keys(questions, Qt.Key.Key_2)  # about the work
    desk.keys(questions, Qt.Key.Key_1)  # steps
    assert page.suggested() == ["skill"]
    desk.keys(questions, Qt.Key.Key_Return)
    desk.rest()

    (path,) = (empty_home / "pending" / "skills").glob("*.json")
    record = json.loads(path.read_text("utf-8"))
    assert record["subsystem"] == "skills"
    assert record["action"] == "create"
    assert record["origin"] == "foreground"
    assert TYPED in record["payload"]["content"]
    assert memory.read_bytes() == before
    assert desk.toast() == f"The skill draft “{record['payload']['name']}” waits in Pending."
    assert desk.window._current == "memory"
    assert desk.column("memory").editor() is None

    desk.keys(desk.window, Qt.Key.Key_Z, CONTROL)
    desk.rest()
    assert not path.exists()
