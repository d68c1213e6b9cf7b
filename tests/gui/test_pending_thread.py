"""The Pending page touches no disk on the UI thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import DeskDirs
from tests.gui import test_ui_thread as hook
from tests.gui.conftest import Start
from tests.gui.pending_driver import PendingDriver, stage


@pytest.fixture
def touched() -> Iterator[list[str]]:
    """What the UI thread did to the watched folders."""
    hook._touched.clear()
    yield hook._touched
    hook._watching.clear()


def test_no_record_is_read_or_decided_on_the_ui_thread(
    start: Start, hermes_home: Path, desk_dirs: DeskDirs, touched: list[str]
) -> None:
    pending = PendingDriver(start(hermes_home, page="pending"))
    places = [hermes_home, desk_dirs.data, desk_dirs.config, desk_dirs.log]
    hook._watching.extend(places)

    pending.press("J K")
    pending.desk.click("show_prompt")
    pending.decide("A")
    pending.decide("R")
    pending.press("U")
    pending.wait(lambda: len(pending.ids()) == 9, "the undo")
    pending.decide("Ctrl+A Shift+R")
    pending.desk.press_toast()
    pending.wait(lambda: len(pending.ids()) == 9, "the undo of all")
    pending.press("E")
    pending.type("!")
    pending.decide("Ctrl+Return")
    pending.choose("a42e06a5")
    pending.decide("A")
    pending.press("U")
    pending.wait(lambda: "a42e06a5" in pending.ids(), "the undo of a skill write")
    pending.desk.click("gate_skills")
    pending.desk.rest()
    pending.desk.window.search.setText("printer")
    pending.desk.rest()
    pending.desk.window.search.clear()

    hook._watching.clear()  # this is the agent
    stage(hermes_home, "0000000a", content="from the agent")
    hook._watching.extend(places)
    pending.wait(lambda: "0000000a" in pending.ids(), "the news")
    pending.desk.rest()
    hook._watching.clear()
    assert touched == []
