"""Settings that are not read again while nobody touches them, and are never outdated."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from store import settings_kept
from store.home import HermesHome
from store.settings_kept import KeptSettings
from tests.support.desks import Faults, limits


class Reader:
    """Kept settings of a home, and which files were read for them."""

    def __init__(self, home: HermesHome) -> None:
        self.home = home
        self.faults = Faults()
        self.env: dict[str, str] = {"HERMES_MANAGED_DIR": str(home.path / "none")}
        self.kept = KeptSettings(home, disk=self.faults.disk(), env=self.env)

    def limit(self) -> int:
        return self.kept.read().limit("memory")

    def reads(self) -> int:
        """How many files were read since this was asked last."""
        count = self.faults.steps.count("read")
        self.faults.seen.clear()
        return count


@pytest.fixture
def reader(home: HermesHome) -> Reader:
    home.config.write_text(limits(memory=1111))
    return Reader(home)


@pytest.fixture
def long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as touched long ago."""
    monkeypatch.setattr(settings_kept, "SETTLED_SECONDS", -1e9)


def test_a_file_touched_just_now_is_read_every_time(reader: Reader) -> None:
    for memory in (1111, 2222, 3333):  # in place, the same size, within one tick of the clock
        reader.home.config.write_text(limits(memory=memory))
        assert reader.limit() == memory
    reader.reads()
    assert reader.limit() == 3333
    assert reader.reads() > 0


@pytest.mark.usefixtures("long_ago")
def test_a_file_that_nobody_touches_is_not_read_again(reader: Reader) -> None:
    assert reader.limit() == 1111
    assert reader.reads() > 0
    assert reader.limit() == 1111
    assert reader.reads() == 0


@pytest.mark.usefixtures("long_ago")
def test_every_way_of_touching_it_is_seen(reader: Reader, home: HermesHome) -> None:
    assert reader.limit() == 1111
    home.config.write_text(limits(memory=2222) + "# longer\n")
    assert reader.limit() == 2222
    other = home.path / "other.yaml"
    other.write_text(limits(memory=3333) + "# longer\n")
    now = home.config.stat()
    os.utime(other, ns=(now.st_atime_ns, now.st_mtime_ns))
    other.replace(home.config)
    assert reader.limit() == 3333
    home.config.unlink()
    assert reader.limit() == 2200


@pytest.mark.usefixtures("long_ago")
def test_what_an_administrator_sets_is_seen(reader: Reader, tmp_path: Path) -> None:
    assert reader.limit() == 1111
    managed = tmp_path / "managed"
    reader.env["HERMES_MANAGED_DIR"] = str(managed)
    assert reader.limit() == 1111
    managed.mkdir()
    (managed / "config.yaml").write_text(limits(memory=99))
    assert reader.limit() == 99
    assert reader.kept.read().system == ""
    reader.env["HERMES_MANAGED"] = "nix"
    assert reader.kept.read().system == "NixOS"


@pytest.mark.usefixtures("long_ago")
def test_a_file_in_trouble_is_read_every_time(reader: Reader, home: HermesHome) -> None:
    home.config.write_text("memory: [unclosed\n")
    for _ in range(2):
        assert reader.kept.read().problem is not None
        assert reader.reads() > 0
