"""Garbage is collected in the UI thread, and never while that would hold the window up."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gui.garbage import MANY, Garbage

seen: list[int] = []


class Node:
    """Something that is part of a cycle."""

    def __init__(self) -> None:
        self.itself = self


def note(phase: str, info: dict[str, int]) -> None:
    if phase == "start":
        seen.append(info["generation"])


@pytest.fixture
def look(qapp: QApplication) -> Iterator[QTimer]:
    """Give what makes the collector look around; what it did is in `seen`."""
    owner = QObject()
    garbage = Garbage(owner)
    timer = garbage.findChild(QTimer, "garbage")
    assert timer is not None
    gc.callbacks.append(note)
    gc.collect()
    seen.clear()
    yield timer
    gc.callbacks.remove(note)
    garbage.close()


def test_python_collects_nothing_by_itself_until_it_is_closed(look: QTimer) -> None:
    assert not gc.isenabled()


def test_a_cycle_is_collected(look: QTimer) -> None:
    node = Node()
    gone = weakref.ref(node)
    del node
    kept = [[number] for number in range(2_000)]
    look.timeout.emit()
    assert seen == [0]
    assert gone() is None
    assert len(kept) == 2_000


def test_what_was_read_of_a_long_file_is_not_looked_through(look: QTimer) -> None:
    kept = [[number] for number in range(2 * MANY)]
    look.timeout.emit()
    look.timeout.emit()
    assert seen == []
    assert gc.get_count()[0] < MANY
    assert len(kept) == 2 * MANY


@pytest.mark.parametrize(
    ("state", "generation"),
    [
        (Qt.ApplicationState.ApplicationActive, 1),
        (Qt.ApplicationState.ApplicationInactive, 2),
    ],
)
def test_the_oldest_wait_until_the_person_is_elsewhere(
    look: QTimer,
    monkeypatch: pytest.MonkeyPatch,
    state: Qt.ApplicationState,
    generation: int,
) -> None:
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: state)
    monkeypatch.setattr(gc, "get_count", lambda: (1_000, 20, 20))
    look.timeout.emit()
    assert seen == [generation]
