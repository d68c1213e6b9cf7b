"""A text goes to a skill draft: a pending write in the queue, and out of memory, as one change."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from store.desk import Desk
from store.home import HermesHome
from store.journal import JournalEntry
from store.memory.operations import Add, Remove, Whole
from store.pending.records import Record
from store.pending.sending import SentToSkill
from store.refusals import Conflict, Empty
from store.undo import Undone
from tests.support.desks import Death, Faults, everything_in, joined, opened

STEPS = "1. Pull the branch\n2. Run make: all of it\n3. Restart the service"


@pytest.fixture
def full(desk: Desk) -> Desk:
    """A desk with three entries of memory."""
    for text in ("first", STEPS, "third"):
        desk.library.change("memory", Add(text))
    return desk


def files_of(home: HermesHome) -> dict[str, bytes]:
    return {name: data for name, data in everything_in(home.path).items() if name != "locks"}


def record_in(home: HermesHome) -> dict[str, object]:
    (path,) = home.pending("skills").glob("*.json")
    found: dict[str, object] = json.loads(path.read_text("utf-8"))
    return found


def test_an_entry_becomes_a_draft_that_can_be_approved(full: Desk, home: HermesHome) -> None:
    done = full.queue.send_to_skill(STEPS, source="memory")
    assert isinstance(done, SentToSkill)
    assert full.library.load("memory").document.texts == ("first", "third")
    record = record_in(home)
    assert list(record) == [
        *("id", "subsystem", "action", "summary", "origin", "created_at", "payload"),
    ]
    payload = record["payload"]
    assert isinstance(payload, dict)
    assert list(payload) == ["action", "name", "content", "replace_all"]
    assert (payload["action"], payload["name"]) == ("create", "pull-branch")
    assert record["summary"].startswith("create 'pull-branch' — Pull the branch")  # type: ignore[attr-defined]
    found = full.queue.find(done.record_id)
    assert isinstance(found, Record)
    assert found.problem is None
    handled = full.queue.approve([done.record_id])
    assert handled.refused == ()
    assert STEPS in (home.skills / "pull-branch" / "SKILL.md").read_text("utf-8")


def test_it_is_one_change_and_one_undo_takes_both_back(full: Desk, home: HermesHome) -> None:
    memory = home.memory_file("memory").read_bytes()
    done = full.queue.send_to_skill(STEPS, source="memory")
    assert isinstance(done, SentToSkill)
    change = full.journal.latest_undoable()
    assert isinstance(change, JournalEntry)
    assert (change.id, change.intent.action) == (done.change_id, "to_skill")
    undone = full.undo.undo()
    assert isinstance(undone, Undone)
    assert undone.exact
    assert home.memory_file("memory").read_bytes() == memory
    assert list(home.pending("skills").glob("*.json")) == []


def test_after_it_was_decided_it_is_not_taken_back(full: Desk, home: HermesHome) -> None:
    done = full.queue.send_to_skill(STEPS, source="memory")
    assert isinstance(done, SentToSkill)
    full.queue.approve([done.record_id])
    before = home.memory_file("memory").read_bytes()
    assert done.change_id is not None
    assert isinstance(full.undo.undo(done.change_id), Conflict)
    assert home.memory_file("memory").read_bytes() == before


def test_a_text_that_stands_nowhere_yet_is_staged_and_leaves_memory_alone(
    full: Desk, home: HermesHome
) -> None:
    memory = home.memory_file("memory").read_bytes()
    done = full.queue.send_to_skill("How to water plants: little, and often")
    assert isinstance(done, SentToSkill)
    assert home.memory_file("memory").read_bytes() == memory
    assert record_in(home)["id"] == done.record_id
    undone = full.undo.undo()
    assert isinstance(undone, Undone)
    assert list(home.pending("skills").glob("*.json")) == []


def test_a_name_that_is_taken_is_given_a_number(full: Desk, home: HermesHome) -> None:
    folder = home.skills / "pull-branch"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: pull-branch\ndescription: x\n---\ny\n", "utf-8")
    done = full.queue.send_to_skill(STEPS, source="memory")
    assert isinstance(done, SentToSkill)
    assert done.name == "pull-branch-2"


def test_an_entry_that_is_gone_sends_nothing(full: Desk, home: HermesHome) -> None:
    full.library.change("memory", Remove(Whole(STEPS)))
    before = files_of(home)
    assert isinstance(full.queue.send_to_skill(STEPS, source="memory"), Conflict)
    assert isinstance(full.queue.send_to_skill(" \n"), Empty)
    assert files_of(home) == before


def test_killed_at_any_step_it_is_finished_by_the_next_start_or_never_was(
    home: HermesHome, tmp_path: Path
) -> None:
    files = home.memory_file("memory"), home.pending("skills")
    ends = set()
    for at in count():
        data = tmp_path / f"data-{at}"
        files[0].write_bytes(joined("first", STEPS, "third"))
        for path in files[1].glob("*.json") if files[1].exists() else ():
            path.unlink()
        faults = Faults(at=at, error=Death())
        with opened(home, data, disk=faults.disk()) as desk, suppress(Death):
            desk.queue.send_to_skill(STEPS, source="memory")
        with opened(home, data) as desk:
            desk.recover()
            assert desk.journal.unfinished() == ()
            texts = desk.library.load("memory").document.texts
            drafts = list(files[1].glob("*.json"))
            assert (STEPS in texts) == (drafts == []), at
            ends.add(STEPS in texts)
        if len(faults.seen) <= at:
            break
    assert ends == {True, False}


def test_a_secret_is_in_no_name(desk: Desk) -> None:
    done = desk.queue.send_to_skill("api_key = 'abcdefghij0123456789' opens the door")
    assert isinstance(done, SentToSkill)
    assert done.name.startswith("from-memory-")


def test_nothing_is_staged_through_a_link(full: Desk, home: HermesHome, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    home.pending("skills").parent.mkdir(exist_ok=True)
    home.pending("skills").symlink_to(outside)
    assert getattr(full.queue.send_to_skill(STEPS, source="memory"), "code", "") == "invalid"
    assert list(outside.iterdir()) == []
    assert STEPS in full.library.load("memory").document.texts
