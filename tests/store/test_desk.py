"""The bundle that windows and commands work with: the right home, the right folders."""

from __future__ import annotations

from pathlib import Path

from store.desk import Desk, open_desk
from store.home import HermesHome
from store.memory.operations import Add
from store.memory.state import Written
from store.refusals import NotFound
from tests.support.desks import everything_in, home_at, opened


def test_a_home_that_is_not_there_is_refused_and_not_made(tmp_path: Path) -> None:
    refused = open_desk(home=tmp_path / "none", env={"HOME": str(tmp_path)})
    assert refused == NotFound("home", str(tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []


def test_opening_and_reading_writes_nothing(tmp_path: Path) -> None:
    home = home_at(tmp_path / "home", memory=b"one")
    env = {"MEMORY_DESK_DATA_DIR": str(tmp_path / "data"), "HOME": str(tmp_path)}
    desk = open_desk(home=home.path, env=env)
    assert isinstance(desk, Desk)
    desk.library.load_both()
    desk.queue.load()
    desk.journal.changes()
    desk.recover()
    desk.close()
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
    assert everything_in(tmp_path) == {"home/memories/MEMORY.md": b"one"}


def test_every_profile_has_its_own_files_and_its_own_journal(tmp_path: Path) -> None:
    root = tmp_path / "root"
    one = home_at(root, memory=b"of the default")
    other = home_at(root / "profiles" / "coder", memory=b"of the coder")
    with opened(one, tmp_path / "data") as desk:
        assert [home.profile for home in desk.profiles()] == ["default", "coder"]
        coder = desk.at(desk.profiles()[1])
        before = everything_in(root)
        assert isinstance(coder.library.change("memory", Add("new")), Written)
        after = everything_in(root)
        coder.close()
        changed = {name for name in after if after[name] != before.get(name)}
        assert changed == {"profiles/coder/memories/MEMORY.md"}
        assert desk.journal.changes() == ()
    with opened(HermesHome(root, other.path, "coder"), tmp_path / "data") as desk:
        assert len(desk.journal.changes()) == 1  # type: ignore[arg-type]
