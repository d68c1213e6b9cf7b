"""Work leaves the UI thread in one place, and comes back to whoever still waits for it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gui.tasks import Fault, Tasks, Ticket

GUI = Path(__file__).resolve().parents[2] / "gui"


class Page(QObject):
    """Someone who hands in work and keeps what comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[object] = []
        self.threads: list[threading.Thread] = []

    def take(self, result: object) -> None:
        self.got.append(result)
        self.threads.append(threading.current_thread())


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    tasks = Tasks()
    yield tasks
    assert tasks.close(10)


def test_work_runs_elsewhere_and_its_result_comes_back_to_the_ui_thread(
    tasks: Tasks, qtbot: QtBot
) -> None:
    page = Page()
    tasks.read(page, threading.current_thread, page.take)
    qtbot.waitUntil(lambda: page.got != [])
    assert page.got != [threading.main_thread()]
    assert page.threads == [threading.main_thread()]


def test_writes_are_done_one_after_the_other_in_their_order(tasks: Tasks, qtbot: QtBot) -> None:
    page, running, most = Page(), [0], [0]

    def work(number: int) -> int:
        running[0] += 1
        most[0] = max(most[0], running[0])
        running[0] -= 1
        return number

    for number in range(20):
        tasks.write(page, lambda number=number: work(number), page.take)
    qtbot.waitUntil(lambda: len(page.got) == 20)
    assert page.got == list(range(20))
    assert most == [1]


def test_a_slow_read_holds_up_no_write(tasks: Tasks, qtbot: QtBot) -> None:
    page, gate = Page(), threading.Event()
    tasks.read(page, lambda: gate.wait(20), page.take)
    tasks.write(page, lambda: "written", page.take)
    qtbot.waitUntil(lambda: page.got == ["written"])
    gate.set()
    qtbot.waitUntil(lambda: len(page.got) == 2)


def test_a_result_for_a_page_that_is_gone_is_dropped(tasks: Tasks, qtbot: QtBot) -> None:
    page, gate, other = Page(), threading.Event(), Page()
    got = page.got
    tasks.read(page, lambda: gate.wait(20), page.take)
    del page
    gate.set()
    tasks.read(other, lambda: 1, other.take)
    qtbot.waitUntil(lambda: other.got == [1])
    assert got == []


def test_cancelled_work_delivers_nothing_and_can_notice_it(tasks: Tasks, qtbot: QtBot) -> None:
    page, begun, ticket, noticed = Page(), threading.Event(), Ticket(), threading.Event()

    def long_work() -> str:
        begun.set()
        while not ticket.is_cancelled():
            threading.Event().wait(0.001)
        noticed.set()
        return "too late"

    tasks.read(page, long_work, page.take, ticket=ticket)
    assert begun.wait(10)
    ticket.cancel()
    tasks.read(page, lambda: "next", page.take)
    qtbot.waitUntil(lambda: page.got == ["next"])
    assert noticed.is_set()


def test_a_fault_is_written_down_told_and_does_not_stop_the_lane(qtbot: QtBot) -> None:
    page, faults, log = Page(), Page(), []
    tasks = Tasks(lambda name, error: log.append((name, error, threading.current_thread())))

    def breaks() -> None:
        raise ZeroDivisionError

    with qtbot.waitSignal(tasks.fault_happened):
        tasks.write(page, breaks, page.take, faults.take)
    tasks.write(page, lambda: "still here", page.take)
    qtbot.waitUntil(lambda: page.got == ["still here"])
    (fault,) = faults.got
    assert isinstance(fault, Fault)
    assert isinstance(fault.error, ZeroDivisionError)
    assert "breaks" in fault.work
    assert [(name, error) for name, error, _ in log] == [(fault.work, fault.error)]
    assert log[0][2] is not threading.main_thread()
    assert tasks.close(10)


def test_closing_finishes_every_queued_write(qtbot: QtBot) -> None:
    tasks, page, gate, done = Tasks(), Page(), threading.Event(), []
    tasks.write(page, lambda: gate.wait(20), page.take)
    for number in range(5):
        tasks.write(page, lambda number=number: done.append(number), page.take)
    gate.set()
    assert tasks.close(20)
    assert done == [0, 1, 2, 3, 4]


def test_threads_are_made_nowhere_else_in_the_window() -> None:
    a_lock = r"(?! import RLock\n)"
    makes = re.compile(
        rf"QThread|QRunnable|\bthreading\b{a_lock}|\bconcurrent\b|asyncio|multiprocessing"
    )
    found = [
        path.name
        for path in GUI.rglob("*.py")
        if path.name != "tasks.py" and makes.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
