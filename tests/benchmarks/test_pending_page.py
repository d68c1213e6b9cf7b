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


@pytest.fixture
def person(
    qtbot: QtBot, qapp: QApplication, empty_home: Path, desk_dirs: DeskDirs
) -> Iterator[Person]:
    fill(empty_home)
    options = Options(home=empty_home, page="pending", size=(1200, 760))
    # What the tests themselves keep is not the window's to look through for garbage.
    gc.collect()
    gc.freeze()
    person = Person(qtbot, Driver(qtbot, qapp, options))
    yield person
    person.driver.close()
    gc.unfreeze()


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


def test_ten_thousand_records_never_hold_the_window(person: Person, measured: Record) -> None:
    person.open()
    assert person.page.column.list.pending_model().rowCount() == MANY
    rounds = sorted(work_for_a_while(person) for _ in range(ROUNDS))
    longest, what = rounds[ROUNDS // 2]
    measured(
        Measured(
            what=f"longest time the event loop is held, 10,000 records waiting ({what})",
            ours=longest,
            unit="ms",
            goal=GOAL,
        )
    )


def test_ten_thousand_records_appear_without_holding_the_window(
    person: Person, measured: Record
) -> None:
    person.open()
    longest, what = max(turn for turn in person.held.turns if turn[1] != MAKING)
    measured(
        Measured(
            what=f"longest time the event loop is held, 10,000 records appearing ({what})",
            ours=longest,
            unit="ms",
            goal=GOAL,
        )
    )
