"""An empty home and a desk on it, for tests of the store."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.desk import Desk
from store.home import HermesHome
from tests.support.desks import home_at, opened


@pytest.fixture(autouse=True)
def no_waiting_for_the_platter(monkeypatch: pytest.MonkeyPatch) -> None:
    """What survives a power cut is not what these many small homes are about."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def home(tmp_path: Path) -> HermesHome:
    """A home with a folder of memories and nothing in it."""
    return home_at(tmp_path / "home")


@pytest.fixture
def desk(home: HermesHome, tmp_path: Path) -> Iterator[Desk]:
    """A desk on `home`."""
    with opened(home, tmp_path / "data") as desk:
        yield desk
