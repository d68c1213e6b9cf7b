"""Files a thousand times as long as a memory, in the real window: it stays at hand.

How long the event loop may be held is measured in tests/benchmarks. Here a bound that only what
grows with the file would break; the window's answer is looked at in words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.conftest import Start
from tests.gui.repair_driver import RepairDriver, broken_home
from tests.support.held import Held
from tests.support.long_files import LONG_FILES

FROZEN = 2_000.0
"""Milliseconds after which a person would take the window for dead, however busy the machine."""


@pytest.mark.parametrize("kind", LONG_FILES)
def test_a_long_file_opens_without_freezing_the_window(
    start: Start, empty_home: Path, kind: str
) -> None:
    broken_home(empty_home, LONG_FILES[kind]())
    desk = start(empty_home)
    held = Held()
    tasks = desk.program.tasks
    held.until(lambda: not tasks.busy, "the Memory page")
    held.do("asking", lambda: desk.program.place.page_wanted.emit("repair", "memory"))
    repair = RepairDriver(desk)
    held.until(lambda: repair.page.ready and not tasks.busy, "the Repair page")
    if kind == "entries":
        assert desk.sees("repair_empty")
        assert held.longest[0] < FROZEN, held.longest
        return
    assert "times the budget" in repair.why()
    assert 0 < len(repair.texts()) <= 401
    assert " of " in desk.text("repair_about")
    (rest,) = repair.dropped.card_model().cards
    assert "not looked at yet" in rest.spoken()
    assert rest.lead == "What follows"
    assert len(rest.text) < 200
    before = len(repair.page.entries.work.keys)  # type: ignore[union-attr]
    held.do("going on", lambda: repair.dropped.opened.emit(rest.key))
    held.until(lambda: not tasks.busy, "the next part")
    assert len(repair.page.entries.work.keys) > before  # type: ignore[union-attr]
    assert held.longest[0] < FROZEN, held.longest


def test_what_fits_is_kept_applied_and_undone(start: Start, empty_home: Path) -> None:
    data = LONG_FILES["lines"]()
    path = broken_home(empty_home, data)
    repair = RepairDriver(start(empty_home)).open()
    repair.desk.wait(lambda: repair.desk.sees("repair_fit_button"), "the offer")
    repair.desk.click("repair_fit_button")
    repair.desk.wait(repair.can_apply, "the check")
    repair.desk.rest()
    assert len(repair.texts()) > 1
    assert not repair.desk.sees("repair_fit_button")
    repair.apply()
    repair.desk.wait(lambda: len(path.read_bytes()) <= 2_200, "the repair")
    assert [copy.read_bytes() for copy in path.parent.glob("MEMORY.md.bak.*")] == [data]
    repair.desk.wait(lambda: "is repaired" in repair.desk.toast(), "the news")
    repair.desk.rest()
    repair.desk.press_toast()
    repair.desk.wait(lambda: path.read_bytes() == data, "the file as it was")
