"""A running desk for the tests of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app import Options
from gui.i18n import ENGLISH, use_language
from gui.theme import Theme
from tests.conftest import DeskDirs
from tests.gui.driver import Driver, MemoryDriver

Start = Callable[..., MemoryDriver]


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, desk_dirs: DeskDirs) -> Iterator[Start]:
    """Start the desk on a home; it is closed after the test."""
    running: list[Driver] = []

    def start(home: Path | None = None, **options: object) -> MemoryDriver:
        driver = MemoryDriver(qtbot, qapp, Options(home=home, size=(1200, 760), **options))  # type: ignore[arg-type]
        running.append(driver)
        driver.open()
        return driver

    yield start
    for driver in running:
        driver.close()
    use_language(ENGLISH)


@pytest.fixture
def desk(start: Start, hermes_home: Path) -> MemoryDriver:
    """Give the Memory page on a copy of the fixture home."""
    return start(hermes_home)
