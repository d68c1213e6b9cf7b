"""A person wonders where a memory went, finds out who changed it, and brings it back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from gui.pages.memory_history import HistoryPage
from tests.gui.driver import MemoryDriver, entries_of
from tests.support.agent import Agent

ATLAS = 'Printer queue "atlas" prints duplex by default'


def test_a_change_of_the_agent_is_found_and_taken_back(
    desk: MemoryDriver, hermes_home: Path, hermes_python: Path
) -> None:
    memory = hermes_home / "memories" / "MEMORY.md"
    desk.rest()
    with Agent(hermes_python, hermes_home) as agent:
        assert agent.replace("memory", "Printer queue", "There is no printer")["success"]
        desk.wait(lambda: "There is no printer" in desk.texts("memory"), "the agent's edit")
        assert agent.add("memory", "fir is the GPU machine")["success"]
        desk.wait(lambda: "fir is the GPU machine" in desk.texts("memory"), "the agent's entry")
        desk.rest()

        # The entry itself tells who wrote it, and its history what stood there before.
        desk.choose("memory", "There is no printer")
        desk.act("memory", "history")
        desk.wait(lambda: isinstance(desk.window.page(), HistoryPage), "the history")
        page = desk.window.page()
        assert isinstance(page, HistoryPage)
        desk.wait(lambda: page.ready and ATLAS in page.diff.toPlainText(), "what it changed")
        assert "+  There is no printer" in page.diff.toPlainText()

        # They take it back with the keyboard; what the agent wrote since stays.
        page.changes.setFocus()
        undo = page.findChild(QAction, "history_undo")
        assert undo is not None
        desk.keys(page.changes, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
        desk.wait(lambda: ATLAS in entries_of(memory), "the old entry")
        desk.rest()
        assert "There is no printer" not in entries_of(memory)
        assert entries_of(memory)[-1] == "fir is the GPU machine"
        assert ATLAS in agent.blocks()["memory"]
        assert agent.remove("memory", "fir is the GPU")["success"]
