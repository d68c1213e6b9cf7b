"""How long the event loop is held while files of some megabytes are opened for repair."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app import Options
from tests.benchmarks.conftest import Measured
from tests.conftest import DeskDirs
from tests.gui.driver import MemoryDriver
from tests.gui.repair_driver import RepairDriver, broken_home
from tests.support.held import Held
from tests.support.long_files import LONG_FILES

ROUNDS = 3
"""Of several rounds the quietest counts: what others do on the machine is not ours."""
GOAL = 50.0
pytestmark = pytest.mark.timeout(600)


def opened(desk: MemoryDriver) -> tuple[float, float]:
    """How long the longest turn took, and how long the one that calculated longest did that."""
    held, tasks = Held(), desk.program.tasks
    repair = RepairDriver(desk)
    held.do("asking", lambda: desk.program.place.page_wanted.emit("repair", "memory"))
    held.until(lambda: repair.page.ready and not tasks.busy, "the Repair page")
    desk.window.open_page("memory")
    desk.rest()
    return held.longest[0], held.most_calculated[0]


@pytest.mark.parametrize("kind", LONG_FILES)
def test_a_long_file_is_opened_for_repair(
    qtbot: QtBot,
    qapp: QApplication,
    desk_dirs: DeskDirs,
    empty_home: Path,
    kind: str,
    measured: Callable[[Measured], None],
) -> None:
    broken_home(empty_home, LONG_FILES[kind]())
    desk = MemoryDriver(qtbot, qapp, Options(home=empty_home, size=(1200, 760)))
    gc.collect()
    gc.freeze()
    try:
        desk.open()
        desk.rest()
        rounds = [opened(desk) for _ in range(ROUNDS)]
    finally:
        desk.close()
        gc.unfreeze()
    what = f"time the event loop is held while Repair opens 5 MB ({kind})"
    calculated = min(own for _, own in rounds)
    measured(Measured(what=f"longest processor {what}", ours=calculated, unit="ms", goal=GOAL))
    longest = min(whole for whole, _ in rounds)
    measured(Measured(what=f"longest {what}", ours=longest, unit="ms", goal=GOAL))
