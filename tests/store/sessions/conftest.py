"""Databases of conversations for tests of what reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.sessions.library import SessionLibrary


@pytest.fixture
def database(hermes_home: Path) -> Path:
    """The state.db of a copy of the fixture home, as after a clean close."""
    return hermes_home / "state.db"


@pytest.fixture
def library_at() -> Iterator[Callable[[Path], SessionLibrary]]:
    """Make libraries that are closed after the test."""
    made: list[SessionLibrary] = []

    def make(path: Path, busy_seconds: float = 0.2) -> SessionLibrary:
        made.append(SessionLibrary(path, busy_seconds=busy_seconds))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def library(library_at: Callable[[Path], SessionLibrary], database: Path) -> SessionLibrary:
    """The conversations of `database`."""
    return library_at(database)
