"""Bringing back what a change made: a new change under the same rules, which can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.desk import Desk
from store.home import HermesHome
from store.journal import JournalEntry
from store.memory.operations import Add, Part, Remove, Replace
from store.memory.state import Written
from store.refusals import Drifted, NotFound, OverBudget, Unreadable, Unsupported
from store.restoring import Restored, restore
from tests.support.desks import home_at, joined, limits
from tests.support.skills import put_record, put_skill, skill_text


@pytest.fixture
def home(tmp_path: Path) -> HermesHome:
    return home_at(tmp_path / "home", memory=joined("one", "two"), config=limits(memory=60))


def add(desk: Desk, text: str) -> int:
    done = desk.library.change("memory", Add(text))
    assert isinstance(done, Written)
    assert done.change_id is not None
    return done.change_id


def test_a_version_comes_back_whole_and_what_came_since_stays_in_the_journal(desk: Desk) -> None:
    file = desk.home.memory_file("memory")
    version = add(desk, "three")
    after = file.read_bytes()
    desk.library.change("memory", Replace(Part("one"), "1"))
    desk.library.change("memory", Remove(Part("two")))
    now = file.read_bytes()
    done = restore(desk.undo, version)
    assert isinstance(done, Restored)
    assert file.read_bytes() == after
    entry = desk.journal.get(done.change_id or 0)
    assert isinstance(entry, JournalEntry)
    assert (entry.intent.action, entry.intent.gone, entry.intent.come) == (
        "restore",
        ("1",),
        ("one", "two"),
    )
    desk.undo.undo()
    assert file.read_bytes() == now


def test_what_is_there_already_changes_nothing(desk: Desk) -> None:
    version = add(desk, "three")
    assert restore(desk.undo, version) == Restored(version, None)
    assert restore(desk.undo, 99) == NotFound("change", "99")


def test_a_rejection_has_no_version(desk: Desk) -> None:
    record = desk.queue.stage({"action": "add", "target": "memory", "content": "x"})
    assert isinstance(record, str)
    ((_, change),) = desk.queue.reject([record]).done
    assert restore(desk.undo, change or 0) == Unsupported("nothing_to_restore", str(change))


def test_a_version_over_the_budget_is_refused(desk: Desk) -> None:
    version = add(desk, "x" * 40)
    desk.library.change("memory", Remove(Part("x" * 40)))
    desk.home.config.write_text(limits(memory=20), encoding="utf-8")
    before = desk.home.memory_file("memory").read_bytes()
    refused = restore(desk.undo, version)
    assert isinstance(refused, OverBudget | Drifted)
    assert desk.home.memory_file("memory").read_bytes() == before


def test_a_file_in_drift_is_copied_before_a_version_takes_its_place(desk: Desk) -> None:
    file = desk.home.memory_file("memory")
    version = add(desk, "three")
    after = file.read_bytes()
    file.write_bytes(b"by hand\n\n\xc2\xa7\n\nand more")
    assert isinstance(restore(desk.undo, version), Restored)
    assert file.read_bytes() == after
    (copy,) = file.parent.glob("MEMORY.md.bak.*")
    assert copy.read_bytes() == b"by hand\n\n\xc2\xa7\n\nand more"


def test_a_version_of_a_skill_comes_back_but_counts_and_records_stay(desk: Desk) -> None:
    home = desk.home.path
    file = put_skill(home, "demo") / "SKILL.md"
    for number, body in enumerate(("second", "third"), 1):
        put_record(
            home, f"{number:08}", action="edit", name="demo", content=skill_text("demo", body=body)
        )
    (first, second) = desk.queue.approve(["00000001", "00000002"]).done
    usage = (home / "skills" / ".usage.json").read_bytes()
    assert file.read_text("utf-8").endswith("third")
    assert isinstance(restore(desk.undo, first[1] or 0), Restored)
    assert file.read_text("utf-8").endswith("second")
    assert (home / "skills" / ".usage.json").read_bytes() == usage
    assert not (home / "pending" / "skills" / "00000001.json").exists()
    assert isinstance(restore(desk.undo, second[1] or 0), Restored)
    assert file.read_text("utf-8").endswith("third")


def test_an_unreadable_file_is_not_overwritten(desk: Desk) -> None:
    version = add(desk, "three")
    file = desk.home.memory_file("memory")
    file.unlink()
    file.mkdir()
    assert isinstance(restore(desk.undo, version), Unreadable)
