"""What the system does not allow, as a user whom file modes hold back, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.home import HermesHome
from tests.support.desks import everything_in, home_at, joined
from tests.support.unprivileged import Unprivileged

# Does every kind of change to a home and prints what became of it, and of looking at it.
EVERY_CHANGE = """
import json, sys
from pathlib import Path
from store.desk import build_desk
from store.home import HermesHome
from store.memory.operations import Add, Batch, Part, Remove, Replace
home, data = map(Path, sys.argv[1:])
desk = build_desk(HermesHome(home, home, "default"), env={"MEMORY_DESK_DATA_DIR": str(data)})
changes = {
    "add": Add("new"),
    "replace": Replace(Part("one"), "1"),
    "remove": Remove(Part("one")),
    "batch": Batch((Add("new"), Remove(Part("one")))),
}
said = {name: desk.library.change("memory", change) for name, change in changes.items()}
said["move out"] = desk.library.move("memory", "user", Part("one"))
said["move in"] = desk.library.move("user", "memory", Part("mine"))
handled = desk.queue.approve(["0a0b0c0d"])
said["approve"] = dict(handled.refused).get("0a0b0c0d")
codes = {name: getattr(answer, "code", "done") for name, answer in said.items()}
state = desk.library.load("memory")
print(json.dumps({"codes": codes, "state": state.state, "texts": state.document.texts}))
"""
CHANGES = ("add", "replace", "remove", "batch", "move out", "move in", "approve")
RECORD = {
    "id": "0a0b0c0d",
    "subsystem": "memory",
    "action": "add",
    "summary": "",
    "origin": "foreground",
    "created_at": 1.0,
    "payload": {"action": "add", "target": "memory", "content": "x", "old_text": None},
}


@pytest.fixture
def home(unprivileged: Unprivileged) -> Iterator[HermesHome]:
    """A home of the unprivileged user."""
    home = home_at(unprivileged.folder / "home", memory=joined("one", "two"), user=b"mine")
    home.pending("memory").mkdir(parents=True)
    (home.pending("memory") / "0a0b0c0d.json").write_text(json.dumps(RECORD))
    (home.memories / "MEMORY.md.lock").touch()
    unprivileged.give(unprivileged.folder)
    yield home
    home.memories.chmod(0o700)


def every_change(user: Unprivileged, home: HermesHome) -> dict[str, object]:
    done = user.run_python(EVERY_CHANGE, home.path, user.folder / "data")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def test_a_file_that_may_not_be_read_is_refused_to_every_change(
    unprivileged: Unprivileged, home: HermesHome
) -> None:
    file = home.memory_file("memory")
    file.chmod(0o000)
    unprivileged.assert_cannot_read(file)
    before = everything_in(home.path)
    answer = every_change(unprivileged, home)
    assert answer["codes"] == dict.fromkeys(CHANGES, "unreadable")
    assert answer["state"] == "unreadable"
    assert everything_in(home.path) == before


def test_a_folder_that_may_not_be_written_is_refused_to_every_change(
    unprivileged: Unprivileged, home: HermesHome
) -> None:
    home.memories.chmod(0o500)
    assert unprivileged.run(["touch", home.memories / "probe"]).returncode != 0
    before = everything_in(home.path)
    answer = every_change(unprivileged, home)
    assert answer["codes"] == dict.fromkeys(CHANGES, "read_only")
    assert answer["texts"] == ["one", "two"]
    assert everything_in(home.path) == before


def test_a_lock_that_may_not_be_opened_is_refused_to_every_change(
    unprivileged: Unprivileged, home: HermesHome
) -> None:
    lock = home.memories / "MEMORY.md.lock"
    lock.chmod(0o000)
    unprivileged.assert_cannot_read(lock)
    before = everything_in(home.path)
    answer = every_change(unprivileged, home)
    assert answer["codes"] == dict.fromkeys(CHANGES, "read_only")
    assert answer["texts"] == ["one", "two"]
    assert everything_in(home.path) == before


def test_a_record_that_may_not_be_removed_is_not_applied(
    unprivileged: Unprivileged, home: HermesHome
) -> None:
    home.pending("memory").chmod(0o500)
    assert unprivileged.run(["touch", home.pending("memory") / "probe"]).returncode != 0
    answer = every_change(unprivileged, home)
    assert answer["codes"] == dict.fromkeys(CHANGES, "done") | {
        "remove": "no_match",  # replaced a moment before
        "batch": "no_match",
        "move out": "no_match",
        "approve": "read_only",
    }
    assert isinstance(answer["texts"], list)
    assert "x" not in answer["texts"]
    assert (home.pending("memory") / "0a0b0c0d.json").exists()


def test_a_folder_that_may_not_be_entered_is_unreadable_not_empty(
    unprivileged: Unprivileged, home: HermesHome
) -> None:
    home.memories.chmod(0o000)
    unprivileged.assert_cannot_read(home.memory_file("memory"))
    answer = every_change(unprivileged, home)
    assert answer["codes"] == dict.fromkeys(CHANGES, "read_only")
    assert answer["state"] == "unreadable"
    home.memories.chmod(0o700)
    assert Path(home.memory_file("memory")).read_bytes() == joined("one", "two")
