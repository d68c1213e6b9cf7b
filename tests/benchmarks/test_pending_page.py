"""How long the event loop is held while a person works on the Pending page."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gui.app import Options
from gui.pages.pending import PendingPage
from tests.benchmarks.conftest import Measured
from tests.conftest import DeskDirs
from tests.gui.driver import Driver, write_as_agent
from tests.support.held import Held

MANY = 10_000
ROUNDS = 5
"""Of several rounds the quietest counts: what others do on the machine is not ours."""
GOAL = 50.0
MAKING = "making the window"
ENTRIES = [f"Entry {number}: the service {number} listens on port {number}" for number in range(30)]

pytestmark = pytest.mark.timeout(300)
Record = Callable[[Measured], None]


class Person:
    """Someone at the page, with a watch on the event loop."""

    def __init__(self, qtbot: QtBot, driver: Driver) -> None:
        self.qtbot, self.driver = qtbot, driver
        self.held = Held()

    @property
    def page(self) -> PendingPage:
        page = self.driver.window.page()
        assert isinstance(page, PendingPage)
        return page

    def open(self) -> None:
        program = self.driver.program
        self.held.do(MAKING, program.open)
        self.held.do(MAKING, QCoreApplication.processEvents)  # the first frame, still empty
        self.held.until(lambda: self.page.ready, "reading")
        self.held.until(lambda: not program.tasks.busy, "judging")
        window = self.driver.window
        window.activateWindow()
        self.held.until(window.isActiveWindow, "waiting")  # shortcuts need that
        self.page.take_focus()

    def key(
        self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        self.held.do(key.name, lambda: self.qtbot.keyClick(self.page.column.list, key, modifier))

    def rest(self, what: str) -> None:
        self.held.until(lambda: not self.driver.program.tasks.busy, what)

    def decide(self, key: Qt.Key, what: str) -> None:
        before = self.page.column.list.current_key()
        self.key(key)
        self.held.until(lambda: self.page.column.list.current_key() != before, what)
        self.rest(what)


Meet = Callable[[Path], Person]


@pytest.fixture
def meet(qtbot: QtBot, qapp: QApplication, desk_dirs: DeskDirs) -> Iterator[Meet]:
    """Someone at the page of a home."""
    met: list[Person] = []

    def meet(home: Path) -> Person:
        options = Options(home=home, page="pending", size=(1200, 760))
        met.append(Person(qtbot, Driver(qtbot, qapp, options)))
        return met[-1]

    # What the tests themselves keep is not the window's to look through for garbage.
    gc.collect()
    gc.freeze()
    yield meet
    for person in met:
        person.driver.close()
    gc.unfreeze()


@pytest.fixture
def person(meet: Meet, empty_home: Path) -> Person:
    fill(empty_home)
    return meet(empty_home)


def fill(home: Path) -> None:
    """A queue of thousands: adds, replaces and removals, a third of them stale."""
    (home / "config.yaml").write_text("memory:\n  write_approval: true\n")
    write_as_agent(home / "memories" / "MEMORY.md", *ENTRIES)
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True)
    for number in range(MANY):
        entry = ENTRIES[number % len(ENTRIES)] if number % 3 else f"gone {number}"
        payload: dict[str, object] = {"action": "remove", "target": "memory", "content": None}
        payload["old_text"] = entry
        if number % 2:
            payload |= {"action": "replace", "content": f"{entry} and more"}
        if number % 5 == 0:
            content = f"Note {number}, on port {number % 97}"
            payload |= {"action": "add", "content": content, "old_text": None}
        record = {
            "id": f"{number:08x}",
            "subsystem": "memory",
            "action": payload["action"],
            "summary": "a summary",
            "origin": "background_review" if number % 2 else "foreground",
            "created_at": 1_790_000_000.0 + number,
            "payload": payload,
        }
        (folder / f"{number:08x}.json").write_text(json.dumps(record, indent=2))


def work_for_a_while(person: Person) -> tuple[float, str]:
    """Go through, scroll, filter, tick and decide; the longest turn, and what it was."""
    person.held.turns.clear()
    cards = person.page.column.list
    for _ in range(20):
        person.key(Qt.Key.Key_J)
        person.rest("going through")
    bar = cards.verticalScrollBar()
    for step in range(40):
        person.held.do("scrolling", partial(bar.setValue, bar.maximum() * step // 40))
        person.rest("scrolling")
    for text in ("port 7", ""):
        person.held.do("filtering", partial(person.driver.window.search.setText, text))
        person.rest("filtering")
    for _ in range(2):
        person.key(Qt.Key.Key_Space)
        person.rest("ticking")
    person.decide(Qt.Key.Key_R, "rejecting")
    approve = person.driver.find(QPushButton, "approve_button")
    while not approve.isEnabled():
        person.key(Qt.Key.Key_J)
        person.rest("going through")
    person.decide(Qt.Key.Key_A, "approving")
    return person.held.longest


def approve_a_queue(person: Person) -> tuple[float, str]:
    """The journey of tests/journeys/test_approve_queue.py on its home, and all of it undone."""
    person.held.turns.clear()
    cards = person.page.column.list
    waiting = list(cards.pending_model().keys)
    for key in (Qt.Key.Key_J, Qt.Key.Key_K):
        person.key(key)
        person.rest("going through")
    person.decide(Qt.Key.Key_A, "approving")
    person.decide(Qt.Key.Key_R, "rejecting")
    for _ in range(2):
        person.key(Qt.Key.Key_U)
        person.rest("undoing")
    person.held.until(lambda: list(cards.pending_model().keys) == waiting, "undoing")
    person.key(Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    person.rest("ticking")
    person.key(Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    person.held.until(lambda: not cards.pending_model().keys, "rejecting all")
    person.rest("rejecting all")
    person.held.do("undoing", person.page.place.undo)
    person.held.until(lambda: list(cards.pending_model().keys) == waiting, "undoing")
    person.rest("undoing")
    person.page.take_focus()
    return person.held.longest


def test_approving_a_queue_never_holds_the_window(
    meet: Meet, hermes_home: Path, measured: Record
) -> None:
    person = meet(hermes_home)
    person.open()
    longest, what = min(approve_a_queue(person) for _ in range(ROUNDS))
    measured(
        Measured(
            what=f"longest time the event loop is held while a queue is approved ({what})",
            ours=longest,
            unit="ms",
            goal=GOAL,
        )
    )


def test_ten_thousand_records_never_hold_the_window(person: Person, measured: Record) -> None:
    person.open()
    assert person.page.column.list.pending_model().rowCount() == MANY
    longest, what = min(work_for_a_while(person) for _ in range(ROUNDS))
    measured(
        Measured(
            what=f"longest time the event loop is held, 10,000 records waiting ({what})",
            ours=longest,
            unit="ms",
            goal=GOAL,
        )
    )


def test_ten_thousand_records_appear_without_holding_the_window(
    meet: Meet, empty_home: Path, measured: Record
) -> None:
    fill(empty_home)
    rounds = []
    for _ in range(3):
        person = meet(empty_home)
        person.open()
        rounds.append(max(turn for turn in person.held.turns if turn[1] != MAKING))
        person.driver.window.hide()
    longest, what = min(rounds)
    measured(
        Measured(
            what=f"longest time the event loop is held, 10,000 records appearing ({what})",
            ours=longest,
            unit="ms",
            goal=GOAL,
        )
    )
