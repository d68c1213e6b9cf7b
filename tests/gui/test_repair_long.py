"""Files a thousand times as long as a memory, in the real window: it stays at hand.

How long the event loop may be held is measured in tests/benchmarks. Here a bound that only what
grows with the file would break; the window's answer is looked at in words.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver
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
    assert repair.page.unsaved() == "", "the person did nothing yet"
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


# -- waiting ---------------------------------------------------------------------------------

SMALL = "one\n\n§\n\ntwo".encode()


@pytest.fixture
def slow(start: Start, empty_home: Path) -> Iterator[tuple[MemoryDriver, threading.Event]]:
    """Give a desk in which nothing is read until the event is set."""
    broken_home(empty_home, SMALL)
    desk, gate = start(empty_home), threading.Event()
    desk.rest()
    desk.program.tasks.read(desk.window, gate.wait, lambda _: None)
    yield desk, gate
    gate.set()


def test_who_does_not_want_to_wait_is_led_back(
    slow: tuple[MemoryDriver, threading.Event],
) -> None:
    desk, gate = slow
    desk.program.place.page_wanted.emit("repair", "memory")
    desk.wait(lambda: desk.sees("repair_waiting"), "a word on what goes on")
    assert "MEMORY.md" in desk.text("repair_waiting_text")
    desk.click("repair_waiting_action")
    assert desk.window.page() is desk.page, "the Memory page"
    gate.set()
    desk.rest()
    repair = RepairDriver(desk).open()
    assert repair.texts() == ["one", "two"]
    assert not desk.sees("repair_waiting")


def test_work_for_a_page_that_was_left_is_not_done(
    slow: tuple[MemoryDriver, threading.Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, gate = slow
    asked: list[object] = []
    monkeypatch.setattr("gui.pages.repair.read_repair", lambda *given: asked.append(given))
    desk.program.place.page_wanted.emit("repair", "memory")
    desk.window.open_page("memory")
    gate.set()
    desk.rest()
    assert not asked
    monkeypatch.undo()
    desk.window.open_page("repair")
    repair = RepairDriver(desk)
    repair.wait_open()
    assert repair.texts() == ["one", "two"], "it is done when the person comes back"


def test_who_stays_may_give_up_only_what_comes_next(start: Start, empty_home: Path) -> None:
    broken_home(empty_home, LONG_FILES["lines"]())
    repair = RepairDriver(start(empty_home)).open()
    desk, gate = repair.desk, threading.Event()
    before = repair.page.entries.work
    desk.program.tasks.read(desk.window, gate.wait, lambda _: None)
    (rest,) = repair.dropped.card_model().cards
    repair.dropped.opened.emit(rest.key)
    desk.wait(lambda: desk.sees("repair_waiting"), "a word on what goes on")
    desk.click("repair_waiting_action")
    gate.set()
    desk.rest()
    assert repair.page.entries.work is before


def test_parts_that_were_asked_for_are_there_when_the_person_comes_back(
    start: Start, empty_home: Path
) -> None:
    broken_home(empty_home, LONG_FILES["lines"]())
    repair = RepairDriver(start(empty_home)).open()
    (rest,) = repair.dropped.card_model().cards
    repair.dropped.opened.emit(rest.key)
    repair.desk.rest()
    work = repair.page.entries.work
    repair.desk.window.open_page("memory")
    repair.open()
    assert repair.page.entries.work is work


def test_a_picture_shows_the_cards(desk_dirs: DeskDirs, empty_home: Path, tmp_path: Path) -> None:
    broken_home(empty_home, LONG_FILES["lines"]())
    path = tmp_path / "repair.png"
    subprocess.run(
        [sys.executable, "-m", "gui", "--home", empty_home, "--screenshot", "repair", path],
        check=True,
        timeout=120,
    )
    seen = QImage(str(path)).copy(QRect(720, 300, 430, 240))
    colours = {seen.pixel(x, y) for x in range(0, 430, 3) for y in range(0, 240, 3)}
    assert len(colours) > 50, "letters have many greys"
