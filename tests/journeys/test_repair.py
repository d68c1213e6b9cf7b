"""A person repairs two broken files at the window with the keyboard alone; the agent agrees."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from gui.pages.memory import MemoryPage
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of
from tests.gui.repair_driver import RepairDriver
from tests.support.agent import Agent

Key, Mod = Qt.Key, Qt.KeyboardModifier
GIANT = "\n".join(
    line
    for head in ("Machines", "Habits", "项目")
    for line in (f"## {head}", *(f"- {head} {n}: kept in the shed of the mill" for n in range(20)))
)
APPENDED = "Prefers short answers \n\n§\n\nSpeaks German\n§\nPrefers short answers\n"


class Keyboard:
    """Keys go to whatever has the keyboard."""

    def __init__(self, desk: MemoryDriver) -> None:
        self.desk = desk

    def press(self, key: Key, modifier: Mod = Mod.NoModifier, times: int = 1) -> None:
        for _ in range(times):
            self.desk.keys(self.focused(), key, modifier)

    def focused(self) -> QWidget:
        widget = self.desk.window.focusWidget()
        assert widget is not None
        return widget

    def tab_to(self, name: str) -> None:
        for _ in range(60):
            if self.focused().objectName() == name:
                return
            self.press(Key.Key_Tab)
        raise AssertionError(f"{name} is not reached by Tab")


def test_the_giant_and_the_appended_file_are_repaired_and_given_back(
    start: Start, empty_home: Path, hermes_python: Path
) -> None:
    memory, user = (empty_home / "memories" / name for name in ("MEMORY.md", "USER.md"))
    memory.parent.mkdir()
    memory.write_bytes(GIANT.encode())
    user.write_bytes(APPENDED.encode())
    desk = start(empty_home)
    keys, repair = Keyboard(desk), RepairDriver(desk)
    with Agent(hermes_python, empty_home) as agent:
        # The agent refuses both. Its sentence is pasted, and leads to the first.
        refusal = agent.replace("memory", "Machines 3", "Machine 3 is gone")
        assert not refusal["success"]
        assert not agent.remove("user", "Speaks German")["success"]
        QApplication.clipboard().setText(refusal["error"])
        keys.press(Key.Key_K, Mod.ControlModifier)
        keys.press(Key.Key_V, Mod.ControlModifier)
        repair.wait_open()
        assert "more than the whole budget" in repair.why()
        assert [text.split("\n")[0] for text in repair.texts()] == [
            "## Machines",
            "## Habits",
            "## 项目",
        ]

        # Shorten one, move it up, leave one out.
        assert keys.focused() is repair.list
        keys.press(Key.Key_Down)
        keys.press(Key.Key_Return)
        keys.press(Key.Key_A, Mod.ControlModifier)
        desk.qtbot.keyClicks(keys.focused(), "Habits were many")
        keys.press(Key.Key_Return, Mod.ControlModifier)
        keys.press(Key.Key_Up, Mod.AltModifier)
        keys.press(Key.Key_Down, times=2)
        keys.press(Key.Key_Delete)
        assert [text.split("\n")[0] for text in repair.texts()] == [
            "Habits were many",
            "## Machines",
        ]
        repair.apply()
        desk.wait(lambda: len(entries_of(memory)) == 2, "the repair on disk")
        desk.wait(lambda: isinstance(desk.window.page(), MemoryPage), "the Memory page")
        desk.rest()
        assert agent.replace("memory", "Habits were many", "Habits were few")["success"]
        assert agent.replace("memory", "Habits were few", "Habits were many")["success"]

        # The other file, from its banner.
        keys.tab_to("user_banner_action")
        keys.press(Key.Key_Space)
        repair.wait_open()
        assert repair.texts() == ["Prefers short answers", "Speaks German"]
        assert repair.left_out() == ["Prefers short answers"]
        repair.apply()
        desk.wait(lambda: user.read_text() == "Prefers short answers\n§\nSpeaks German", "it")
        desk.rest()
        assert agent.remove("user", "Speaks German")["success"]
        assert agent.batch("user", [{"action": "add", "content": "Speaks German"}])["success"]

        # Both are given back, to the byte, and the agent refuses as before.
        desk.rest()
        for path, data in ((user, APPENDED), (memory, GIANT)):
            desk.qtbot.keySequence(desk.window, QKeySequence(QKeySequence.StandardKey.Undo))
            desk.wait(lambda path=path, data=data: path.read_bytes() == data.encode(), "the bytes")
            desk.rest()
        assert not agent.replace("memory", "Machines 3", "Machine 3 is gone")["success"]
        assert not agent.remove("user", "Speaks German")["success"]
