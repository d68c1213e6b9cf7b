"""Nothing touches the disk on the UI thread, and the event loop is never held for long."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.conftest import DeskDirs
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent

_watching: list[Path] = []
_touched: list[str] = []
_EVENTS = ("open", "os.", "shutil.", "sqlite3.connect", "tempfile.", "pathlib.", "fcntl.")


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if not _watching or threading.current_thread() is not threading.main_thread():
        return
    if not event.startswith(_EVENTS):
        return
    for argument in arguments:
        if isinstance(argument, str | bytes | os.PathLike):
            path = Path(os.fsdecode(argument))
            if any(path.is_relative_to(place) for place in _watching):
                _touched.append(f"{event} {path}")


sys.addaudithook(_audit)


@pytest.fixture
def touched(hermes_home: Path, desk_dirs: DeskDirs) -> Iterator[list[str]]:
    """What the UI thread did to files of the home and of the desk while a test lets us look."""
    _touched.clear()
    yield _touched
    _watching.clear()


def test_the_hook_sees_what_it_should(hermes_home: Path, touched: list[str]) -> None:
    _watching.append(hermes_home)
    (hermes_home / "config.yaml").read_text()
    os.listdir(hermes_home)
    assert len(touched) == 2


def test_no_disk_is_touched_on_the_ui_thread(
    desk: MemoryDriver, hermes_home: Path, desk_dirs: DeskDirs, touched: list[str]
) -> None:
    memory = hermes_home / "memories" / "MEMORY.md"
    first, second = entries_of(memory)[:2]
    desk.rest()
    _watching.extend([hermes_home, desk_dirs.data, desk_dirs.config, desk_dirs.log])

    editor = desk.edit("memory", first)
    desk.type_over(editor, "changed")
    desk.save(editor)
    desk.wait(lambda: desk.texts("memory")[0] == "changed", "the edit")
    desk.keys(desk.choose("memory", second), Qt.Key.Key_Delete)
    desk.wait(lambda: second not in desk.texts("memory"), "the deletion")
    desk.press_toast()
    desk.wait(lambda: second in desk.texts("memory"), "the undo")
    desk.act("memory", "move")
    desk.rest()
    desk.window.search.setText("python")
    desk.window.search.clear()

    _watching.clear()  # the agent of this test writes from this thread
    write_as_agent(memory, "from the agent")
    _watching.extend([hermes_home, desk_dirs.data])
    desk.wait(lambda: desk.texts("memory") == ["from the agent"], "the change from outside")
    desk.window.side.profiles.activated.emit(1)
    desk.wait(lambda: desk.window.side.profiles.currentText() == "work", "the other profile")
    desk.rest()
    assert touched == []
