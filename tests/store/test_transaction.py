"""A change happens whole or not at all: whatever is refused, wherever the process ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from store.changes import FileChange, Intent, Part
from store.desk import Desk
from store.files import Content, Disk
from store.home import HermesHome
from store.journal import Journal
from store.memory.operations import Add, Batch, Remove, Replace, Whole
from store.memory.state import Written
from store.pending.queue import Handled
from store.refusals import REFUSALS, Conflict, ReadOnly
from store.transaction import carry_out
from store.undo import Undone
from tests.support.desks import Death, Faults, everything_in, home_at, joined, opened

INTENT = Intent("desk", "add", "memory")


def record(record_id: str, **payload: object) -> bytes:
    payload = {"target": "memory", "content": None, "old_text": None} | payload
    whole = {"id": record_id, "origin": "background_review", "created_at": 1.5, "payload": payload}
    return json.dumps(whole, indent=2).encode()


RECORDS = {
    "aaaaaaaa": record("aaaaaaaa", action="replace", old_text="two", content="2 and two"),
    "bbbbbbbb": record("bbbbbbbb", action="add", target="user", content="staged"),
    "cccccccc": record("cccccccc", action="add", content="one"),
}


def furnished(path: Path) -> HermesHome:
    """A home with two entries in either file, and three records."""
    home = home_at(path, memory=joined("one", "two"), user=joined("mine", "me"))
    home.pending("memory").mkdir(parents=True)
    for name, data in RECORDS.items():
        (home.pending("memory") / f"{name}.json").write_bytes(data)
    return home


Act = Callable[[Desk], object]
ACTS: dict[str, Act] = {
    "add": lambda desk: desk.library.change("memory", Add("three")),
    "replace": lambda desk: desk.library.change("memory", Replace(Whole("one"), "1")),
    "remove": lambda desk: desk.library.change("user", Remove(Whole("me"))),
    "batch": lambda desk: desk.library.change("user", Batch((Add("x"), Remove(Whole("me"))))),
    "move": lambda desk: desk.library.move("memory", "user", Whole("one")),
    "approve": lambda desk: desk.queue.approve(["aaaaaaaa"]),
    "approve what is there": lambda desk: desk.queue.approve(["cccccccc"]),
    "approve together": lambda desk: desk.queue.approve([*RECORDS], together=True),
    "reject": lambda desk: desk.queue.reject(["bbbbbbbb"]),
    "undo": lambda desk: desk.undo.undo(1),
}
"""Each on a furnished home in which one change was made before, for `undo` to take back."""


def prepare(home: HermesHome, data: Path) -> None:
    with opened(home, data) as desk:
        done = desk.library.move("user", "memory", Whole("mine"))
        assert isinstance(done, Written)


def succeeded(result: object) -> bool:
    if isinstance(result, Handled):
        return bool(result.done) and not result.refused
    return isinstance(result, Written | Undone)


# --- One transaction ------------------------------------------------------------------------


@pytest.fixture
def files(home: HermesHome) -> tuple[Content, Content]:
    """Two files as they were read."""
    found = []
    for name in ("a", "b"):
        path = home.path / name
        path.write_bytes(b"old " + name.encode())
        found.append(Content(path, path.read_bytes()))
    return found[0], found[1]


def carry(desk: Desk, disk: Disk, *changes: FileChange) -> object:
    return carry_out(
        home=desk.home.path, disk=disk, journal=desk.journal, intent=INTENT, changes=changes
    )


def test_files_are_changed_in_the_order_given(desk: Desk, files: tuple[Content, Content]) -> None:
    faults = Faults()
    done = carry(desk, faults.disk(), FileChange(files[0], b"new a"), FileChange(files[1], None))
    assert done == 1
    assert [(step, path.name) for step, path in faults.seen if step in ("replace", "remove")] == [
        ("replace", "a"),
        ("remove", "b"),
    ]
    entry = desk.journal.get(1)
    assert getattr(entry, "parts", None) == (
        Part("a", b"old a", b"new a"),
        Part("b", b"old b", None),
    )


def test_what_would_change_nothing_is_not_written_and_not_noted(
    desk: Desk, files: tuple[Content, Content]
) -> None:
    faults = Faults()
    assert carry(desk, faults.disk(), FileChange(files[0], b"old a")) is None
    assert faults.seen == []
    assert desk.journal.changes() == ()


@pytest.mark.parametrize("last", [b"new b", None])
def test_a_refusal_of_a_later_file_puts_the_earlier_ones_back(
    desk: Desk, home: HermesHome, files: tuple[Content, Content], last: bytes | None
) -> None:
    files[1].path.write_bytes(b"by another")
    before = everything_in(home.path)
    refused = carry(desk, Disk("\n"), FileChange(files[0], b"new a"), FileChange(files[1], last))
    assert refused == Conflict(str(files[1].path))
    assert everything_in(home.path) == before
    assert desk.journal.changes() == ()
    assert desk.journal.unfinished() == ()


def test_a_new_file_of_a_refused_change_is_taken_away_again(
    desk: Desk, home: HermesHome, files: tuple[Content, Content]
) -> None:
    files[1].path.write_bytes(b"by another")
    new = FileChange(Content(home.path / "new", None), b"new")
    carry(desk, Disk("\n"), new, FileChange(files[1], b"new b"))
    assert not (home.path / "new").exists()


def test_what_cannot_even_be_put_back_is_left_to_the_next_start(
    desk: Desk, files: tuple[Content, Content]
) -> None:
    class NothingMoreAfterTheFirst(Faults):
        def __call__(self, step: object, path: Path) -> None:
            super().__call__(step, path)  # type: ignore[arg-type]
            if self.steps.count("replace") > 1:
                raise OSError(5, "Input/output error")

    disk = NothingMoreAfterTheFirst().disk()
    refused = carry(desk, disk, FileChange(files[0], b"new a"), FileChange(files[1], b"new b"))
    assert isinstance(refused, ReadOnly)
    assert refused.half_done
    assert files[0].path.read_bytes() == b"new a"
    assert len(desk.recover()) == 1
    assert files[1].path.read_bytes() == b"new b"
    assert desk.journal.unfinished() == ()


def test_without_a_journal_the_same_happens(
    home: HermesHome, files: tuple[Content, Content]
) -> None:
    files[1].path.write_bytes(b"by another")
    before = everything_in(home.path)
    changes = (FileChange(files[0], b"new a"), FileChange(files[1], b"new b"))
    refused = carry_out(
        home=home.path, disk=Disk("\n"), journal=None, intent=INTENT, changes=changes
    )
    assert isinstance(refused, Conflict)
    assert everything_in(home.path) == before


# --- Every act ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ACTS)
def test_an_act_that_the_system_refuses_at_any_step_leaves_everything(
    tmp_path: Path, name: str
) -> None:
    for at in range(100):
        place = tmp_path / str(at)
        home, faults = furnished(place / "home"), Faults(at=at)
        prepare(home, place / "data")
        before = everything_in(home.path)
        with opened(home, place / "data", disk=faults.disk()) as desk:
            result = ACTS[name](desk)
            if len(faults.seen) <= at:
                assert succeeded(result)
                assert at > 3
                return
            settings = faults.seen[at] == ("read", home.config)
            if settings:  # config.yaml that cannot be read means the defaults
                assert succeeded(result)
                continue
            assert not succeeded(result), faults.seen[at]
            refused = result.refused[0][1] if isinstance(result, Handled) else result
            assert isinstance(refused, REFUSALS)
            assert everything_in(home.path) == before, faults.seen[at]
            assert desk.journal.unfinished() == ()
            assert len(desk.journal.changes()) == 1  # type: ignore[arg-type]
    raise AssertionError("never came to an end")


def after_death(home: HermesHome, data: Path, name: str, disk: Disk, new: dict[str, bytes]) -> bool:
    """Do the act until it dies, then start again; whether it died. `new` is what it makes."""
    before = everything_in(home.path)
    died = False
    with opened(home, data, disk=disk) as desk:
        try:
            ACTS[name](desk)
        except Death:
            died = True
    with opened(home, data) as desk:
        desk.recover()
        assert desk.journal.unfinished() == ()
        changes = desk.journal.changes()
        assert isinstance(changes, tuple)
        noted = len(changes) == 2
        after = everything_in(home.path)
        if not noted:
            assert after == before, "not in the journal, so it must not have happened"
        else:
            assert after == new
        assert desk.recover() == ()
    return died


def outcome(place: Path, name: str) -> dict[str, bytes]:
    """What the act makes of a home when nothing disturbs it."""
    twin = furnished(place / "home")
    prepare(twin, place / "data")
    with opened(twin, place / "data") as desk:
        assert succeeded(ACTS[name](desk))
    return everything_in(twin.path)


@pytest.mark.parametrize("name", ACTS)
def test_an_act_that_dies_at_any_step_is_whole_or_nothing_after_the_next_start(
    tmp_path: Path, name: str
) -> None:
    new = outcome(tmp_path / "undisturbed", name)
    for at in range(100):
        place, disk = tmp_path / str(at), Faults(at=at, error=Death()).disk()
        home = furnished(place / "home")
        prepare(home, place / "data")
        if not after_death(home, place / "data", name, disk, new):
            assert at > 3
            return
    raise AssertionError("never came to an end")


@pytest.mark.parametrize("name", ACTS)
def test_an_act_that_dies_before_its_end_is_noted_has_happened(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = outcome(tmp_path / "undisturbed", name)
    home = furnished(tmp_path / "home")
    prepare(home, tmp_path / "data")
    finish, dead = Journal.finish, []

    def die_once(self: Journal, *given: object) -> None:
        if not dead:
            dead.append(given)
            raise Death
        finish(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(Journal, "finish", die_once)
    assert after_death(home, tmp_path / "data", name, Disk("\n"), new)
    with opened(home, tmp_path / "data") as desk:
        assert len(desk.journal.changes()) == 2  # type: ignore[arg-type]
