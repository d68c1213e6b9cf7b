"""A person reviews their memory at the window while the real agent goes on writing."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from tests.gui.driver import MemoryDriver, entries_of
from tests.support.agent import Agent

DEPLOY = "The staging deploy needs the VPN; without it the health check times out after 30 s"
BETTER = "The staging deploy needs the VPN and 60 s of patience"
EMOJI = "Dislikes emojis in commit messages"
ATLAS = 'Printer queue "atlas" prints duplex by default'


def test_memory_is_reviewed_and_edited_while_the_agent_writes(
    desk: MemoryDriver, hermes_home: Path, hermes_python: Path
) -> None:
    memory, user = (hermes_home / "memories" / name for name in ("MEMORY.md", "USER.md"))
    first = memory.read_bytes()
    with Agent(hermes_python, hermes_home) as agent:
        # They begin to reword an entry; the agent notes something and the words stay.
        editor = desk.edit("memory", DEPLOY)
        desk.type_over(editor, "The staging deploy needs")
        assert agent.add("memory", "fir is the GPU machine")["success"]
        desk.wait(lambda: "fir is the GPU machine" in desk.texts("memory"), "the agent's entry")
        assert desk.editor("memory").field.toPlainText() == "The staging deploy needs"

        # They finish; the agent's entry stays, and the agent reads the result.
        desk.type_over(desk.editor("memory"), BETTER)
        desk.save(desk.editor("memory"))
        desk.wait(lambda: BETTER in entries_of(memory), "the edit on disk")
        assert DEPLOY not in entries_of(memory)
        assert entries_of(memory)[-1] == "fir is the GPU machine"
        desk.rest()
        block = agent.blocks()["memory"]
        assert BETTER in block
        assert block in desk.page.snapshot.toPlainText()

        # The agent changes the very entry they are editing: nothing is lost, both are shown.
        editor = desk.edit("memory", ATLAS)
        desk.type_over(editor, "The printer is called atlas")
        assert agent.replace("memory", "Printer queue", "Printer queue atlas moved out")["success"]
        desk.wait(lambda: desk.editor("memory").conflict.isVisible(), "the conflict to be shown")
        assert desk.editor("memory").field.toPlainText() == "The printer is called atlas"
        desk.keys(desk.editor("memory").field, Qt.Key.Key_Escape)
        desk.rest()
        assert "Printer queue atlas moved out" in entries_of(memory)

        # An entry is about the work, not about them: it goes to the other file, and back.
        before = user.read_bytes()
        desk.choose("user", EMOJI)
        desk.act("user", "move")
        desk.wait(lambda: EMOJI not in entries_of(user), "the move")
        assert EMOJI in entries_of(memory)
        desk.rest()
        desk.press_toast()
        desk.wait(lambda: user.read_bytes() == before, "the move undone")

        # All of it can be taken back, step by step, around what the agent wrote.
        desk.rest()
        desk.qtbot.keySequence(desk.window, QKeySequence(QKeySequence.StandardKey.Undo))
        desk.wait(lambda: DEPLOY in entries_of(memory), "the edit undone")
        assert "fir is the GPU machine" in entries_of(memory)
        assert set(first.decode().split("\n§\n")) - set(entries_of(memory)) == {ATLAS}
        # The agent still accepts every kind of write.
        assert agent.remove("memory", "fir is the GPU")["success"]
        assert agent.batch("memory", [{"action": "add", "content": "one more"}])["success"]
