"""Undo brings back exact bytes, or its own entries only, or says what is in its way."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.desk import Desk
from store.files import Disk
from store.home import HermesHome
from store.journal import Intent, Journal, JournalEntry, Part
from store.memory.entries import Document, Entry
from store.memory.operations import (
    Add,
    Arrange,
    Batch,
    Change,
    Remove,
    Replace,
    Whole,
)
from store.memory.state import Written
from store.pending.records import Record
from store.refusals import (
    REFUSALS,
    Conflict,
    Drifted,
    Locked,
    NotFound,
    OverBudget,
    Unreadable,
    Unsupported,
)
from store.undo import Undone, put_back
from tests.support.desks import Faults, everything_in, home_at, joined, limits, opened
from tests.support.holder import holding


def put(home: HermesHome, data: bytes) -> Path:
    path = home.memory_file("memory")
    path.write_bytes(data)
    return path


def done(result: object) -> int:
    assert isinstance(result, Written), result
    assert result.change_id is not None
    return result.change_id


def staged(desk: Desk, **payload: object) -> str:
    record_id = desk.queue.stage({"target": "memory"} | payload)
    assert isinstance(record_id, str), record_id
    return record_id


# --- The exact bytes ------------------------------------------------------------------------

ODD_FILES = (
    None,
    b"",
    b"  \n",
    joined("one", "two", "three"),
    b"\xef\xbb\xbf" + joined("one", "two", "three"),
    b"one\r\n\xc2\xa7\r\ntwo\r\n\xc2\xa7\r\nthree\r\n",
    joined("one", "two", "one", "three"),
    b"\n\n" + joined("one", "two", "three") + b"\n",
    b'<!-- hermes-memory-identities:v1 -->\n<!-- hermes-memory-entry:{"id":"a"} -->\n'
    + joined("one", "two", "three"),
)
CHANGES: tuple[Change, ...] = (
    Add("new"),
    Replace(Whole("one"), "1"),
    Remove(Whole("two")),
    Batch((Add("new"), Remove(Whole("one")), Replace(Whole("three"), "3"))),
    Batch((Remove(Whole("one")), Remove(Whole("two")))),
)


@pytest.mark.parametrize("data", ODD_FILES)
@pytest.mark.parametrize("change", CHANGES)
def test_an_undo_restores_every_byte(
    desk: Desk, home: HermesHome, data: bytes | None, change: Change
) -> None:
    if data is not None:
        put(home, data)
    before = everything_in(home.path)
    result = desk.library.change("memory", change)
    if isinstance(result, REFUSALS):
        assert everything_in(home.path) == before
        return
    number = done(result)
    assert desk.undo.undo(number) == Undone(number, number + 1, exact=True)
    assert everything_in(home.path) == before


def test_an_undo_of_a_move_restores_both_files(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    home.memory_file("user").write_bytes(b"mine\n")
    before = everything_in(home.path)
    number = done(desk.library.move("memory", "user", Whole("one")))
    assert isinstance(desk.undo.undo(number), Undone)
    assert everything_in(home.path) == before


@pytest.mark.parametrize("handle", ["approve", "reject"])
def test_an_undo_brings_a_handled_record_back(desk: Desk, home: HermesHome, handle: str) -> None:
    put(home, joined("one", "two"))
    record_id = staged(desk, action="replace", old_text="one", content="1")
    before = everything_in(home.path)
    ((_, number),) = getattr(desk.queue, handle)([record_id]).done
    assert everything_in(home.path) != before
    assert isinstance(desk.undo.undo(number), Undone)
    assert everything_in(home.path) == before
    assert isinstance(desk.queue.find(record_id), Record)


def test_an_undo_can_be_undone(desk: Desk, home: HermesHome) -> None:
    path = put(home, joined("one", "two"))
    number = done(desk.library.change("memory", Remove(Whole("two"))))
    undone = desk.undo.undo(number)
    assert isinstance(undone, Undone)
    assert isinstance(desk.undo.undo(undone.change_id), Undone)
    assert path.read_bytes() == b"one"


def test_without_a_number_the_latest_changes_are_undone_one_by_one(
    desk: Desk, home: HermesHome
) -> None:
    path = put(home, b"one")
    for text in ("two", "three"):
        done(desk.library.change("memory", Add(text)))
    assert [getattr(desk.undo.undo(), "undone", None) for _ in range(2)] == [2, 1]
    assert path.read_bytes() == b"one"
    assert desk.undo.undo() == NotFound("change", "")


# --- Among the changes of others ------------------------------------------------------------


def test_what_others_added_since_stays(desk: Desk, home: HermesHome) -> None:
    path = put(home, joined("one", "two", "three"))
    number = done(desk.library.change("memory", Replace(Whole("two"), "2")))
    put(home, joined("one", "2", "three", "by the agent"))
    undone = desk.undo.undo(number)
    assert isinstance(undone, Undone)
    assert not undone.exact
    assert path.read_bytes() == joined("one", "two", "three", "by the agent")


def test_a_removed_entry_comes_back_behind_its_neighbour(desk: Desk, home: HermesHome) -> None:
    path = put(home, joined("one", "two", "three"))
    number = done(desk.library.change("memory", Remove(Whole("two"))))
    put(home, joined("zero", "one", "three"))
    desk.undo.undo(number)
    assert path.read_bytes() == joined("zero", "one", "two", "three")


def test_a_batch_that_swapped_entries_puts_each_back_in_its_place(
    desk: Desk, home: HermesHome
) -> None:
    path = put(home, joined("one", "two", "three"))
    change = Batch((Remove(Whole("one")), Add("four")))
    number = done(desk.library.change("memory", change))
    put(home, joined("two", "three", "four", "by the agent"))
    desk.undo.undo(number)
    assert path.read_bytes() == joined("one", "two", "three", "by the agent")


def test_an_entry_that_others_changed_since_is_a_conflict_with_both_versions(
    desk: Desk, home: HermesHome
) -> None:
    path = put(home, b"one")
    number = done(desk.library.change("memory", Add("two")))
    put(home, joined("one", "two, by the agent"))
    refused = desk.undo.undo(number)
    assert refused == Conflict(str(path), "one\n§\ntwo", "one\n§\ntwo, by the agent")
    assert path.read_bytes() == joined("one", "two, by the agent")


def test_an_undo_does_not_change_how_the_entry_of_another_reads(
    desk: Desk, home: HermesHome
) -> None:
    file = home.memory_file("memory")
    file.write_bytes("a\n§".encode())
    assert isinstance(desk.library.change("memory", Add("b")), Written)
    file.write_bytes(file.read_bytes() + "\n§\nc".encode())
    before = file.read_bytes()
    assert isinstance(desk.undo.undo(), Conflict)
    assert file.read_bytes() == before


def test_another_order_cannot_be_taken_back_once_others_wrote(desk: Desk, home: HermesHome) -> None:
    path = put(home, joined("one", "two"))
    digest = desk.library.load("memory").digest
    number = done(desk.library.change("memory", Arrange(("two", "one"), digest)))
    put(home, joined("two", "one", "three"))
    assert isinstance(desk.undo.undo(number), Conflict)
    assert path.read_bytes() == joined("two", "one", "three")


def test_what_others_have_taken_back_already_counts_as_undone(desk: Desk, home: HermesHome) -> None:
    path = put(home, joined("one", "two"))
    number = done(desk.library.change("memory", Remove(Whole("two"))))
    put(home, joined("one", "two"))
    assert desk.undo.undo(number) == Undone(number, number + 1, exact=True)
    assert desk.undo.undo(number) == Unsupported("already_undone", str(number))
    assert path.read_bytes() == joined("one", "two")


def test_an_undo_obeys_the_budget_unless_it_makes_the_file_smaller(tmp_path: Path) -> None:
    home = home_at(tmp_path / "h", memory=joined("one", "two"), config=limits(memory=20))
    with opened(home, tmp_path / "data") as desk:
        number = done(desk.library.change("memory", Remove(Whole("two"))))
        path = put(home, joined("one", "by the agent"))
        assert desk.undo.undo(number) == OverBudget("memory", 24, 20, 18)
        assert path.read_bytes() == joined("one", "by the agent")


@pytest.mark.parametrize(
    ("now", "kind"), [("one\n\n§\n\ntwo\n§\nx".encode(), Drifted), (b"caf\xe9", Unreadable)]
)
def test_a_file_in_trouble_is_left_alone(
    desk: Desk, home: HermesHome, now: bytes, kind: type
) -> None:
    put(home, b"one")
    number = done(desk.library.change("memory", Add("two")))
    path = put(home, now)
    assert isinstance(desk.undo.undo(number), kind)
    assert path.read_bytes() == now


def test_a_record_that_was_staged_again_under_its_name_is_a_conflict(
    desk: Desk, home: HermesHome
) -> None:
    record_id = staged(desk, action="add", content="x")
    ((_, number),) = desk.queue.reject([record_id]).done
    path = home.pending("memory") / f"{record_id}.json"
    path.write_bytes(b"{}")
    assert isinstance(desk.undo.undo(number), Conflict)
    assert path.read_bytes() == b"{}"


# --- Refusals -------------------------------------------------------------------------------


def test_only_what_happened_and_was_not_undone_can_be_undone(desk: Desk, home: HermesHome) -> None:
    put(home, b"one")
    number = done(desk.library.change("memory", Add("two")))
    desk.undo.undo(number)
    assert desk.undo.undo(number) == Unsupported("already_undone", str(number))
    assert desk.undo.undo(99) == NotFound("change", "99")
    intent = desk.journal.begin(Intent("desk", "add", "memory"), [])
    assert desk.undo.undo(intent) == Unsupported("not_done", str(intent))  # type: ignore[arg-type]


def test_an_undo_waits_for_the_lock_no_longer_than_told(desk: Desk, home: HermesHome) -> None:
    path = put(home, b"one")
    number = done(desk.library.change("memory", Add("two")))
    with holding(path.with_name("MEMORY.md.lock")):
        assert isinstance(desk.undo.undo(number, wait=0.05), Locked)
    assert path.read_bytes() == joined("one", "two")


def test_a_journal_that_cannot_be_read_is_said(desk: Desk) -> None:
    desk.journal.path.parent.mkdir(parents=True)
    desk.journal.path.write_bytes(b"no database " * 100)
    assert isinstance(desk.undo.undo(), Unreadable)
    assert desk.recover() == ()


# --- After a crash --------------------------------------------------------------------------


@contextmanager
def begun(home: HermesHome, data: Path, *parts: Part, action: str = "add") -> Iterator[Desk]:
    """A desk that finds an intent with these parts, left by a desk that died."""
    with opened(home, data) as dead:
        intent = Intent("desk", action, "memory" if len(parts) == 1 else "both")
        assert isinstance(dead.journal.begin(intent, parts), int)
    with opened(home, data) as desk:
        yield desk


def only_state(desk: Desk) -> str:
    entry = desk.journal.get(1)
    assert isinstance(entry, JournalEntry)
    return entry.state


def test_a_change_that_landed_before_others_wrote_has_happened(
    home: HermesHome, tmp_path: Path
) -> None:
    path = put(home, joined("one", "two", "by the agent"))
    part = Part("memories/MEMORY.md", b"one", joined("one", "two"))
    with begun(home, tmp_path / "data", part) as desk:
        assert len(desk.recover()) == 1
        assert only_state(desk) == "done"
    assert path.read_bytes() == joined("one", "two", "by the agent")


def test_a_change_that_did_not_land_before_others_wrote_has_not_happened(
    home: HermesHome, tmp_path: Path
) -> None:
    path = put(home, joined("one", "by the agent"))
    part = Part("memories/MEMORY.md", b"one", joined("one", "two"))
    with begun(home, tmp_path / "data", part) as desk:
        assert len(desk.recover()) == 1
        assert only_state(desk) == "abandoned"
    assert path.read_bytes() == joined("one", "by the agent")


def test_a_move_is_finished_among_what_others_wrote(home: HermesHome, tmp_path: Path) -> None:
    put(home, joined("one", "two", "by the agent"))
    home.memory_file("user").write_bytes(joined("mine", "one", "also by the agent"))
    parts = (
        Part("memories/USER.md", b"mine", joined("mine", "one")),
        Part("memories/MEMORY.md", joined("one", "two"), b"two"),
    )
    with begun(home, tmp_path / "data", *parts, action="move") as desk:
        desk.recover()
        assert only_state(desk) == "done"
    assert everything_in(home.path) == {
        "memories/MEMORY.md": joined("two", "by the agent"),
        "memories/USER.md": joined("mine", "one", "also by the agent"),
    }


def test_a_file_that_was_rewritten_in_place_but_not_cut_is_cut(
    home: HermesHome, tmp_path: Path
) -> None:
    path = put(home, b"onetwo")
    part = Part("memories/MEMORY.md", b"is two", b"one")
    with begun(home, tmp_path / "data", part) as desk:
        desk.recover()
        assert only_state(desk) == "done"
    assert path.read_bytes() == b"one"


def test_what_cannot_be_finished_now_is_tried_again_at_the_next_start(
    home: HermesHome, tmp_path: Path
) -> None:
    home.memory_file("user").write_bytes(joined("mine", "one"))
    path = put(home, b"one")
    parts = (
        Part("memories/USER.md", b"mine", joined("mine", "one")),
        Part("memories/MEMORY.md", b"one", b""),
    )
    with begun(home, tmp_path / "data", *parts, action="move") as desk:
        (home.memories / "MEMORY.md.lock").mkdir()
        assert desk.recover() == ()
        (home.memories / "MEMORY.md.lock").rmdir()
        path.rename(home.memories / "elsewhere")
        path.mkdir()
        assert desk.recover() == ()
        assert only_state(desk) == "intent"
        path.rmdir()
        (home.memories / "elsewhere").rename(path)
        assert len(desk.recover()) == 1
    assert path.read_bytes() == b""


def test_a_move_that_the_disk_does_not_let_finish_stays_open(
    home: HermesHome, tmp_path: Path
) -> None:
    home.memory_file("user").write_bytes(joined("mine", "one"))
    path = put(home, b"one")
    parts = (
        Part("memories/USER.md", b"mine", joined("mine", "one")),
        Part("memories/MEMORY.md", b"one", b""),
    )
    with begun(home, tmp_path / "data", *parts, action="move") as desk:
        with opened(home, tmp_path / "data", disk=Faults(step="replace").disk()) as full:
            assert full.recover() == ()
        assert only_state(desk) == "intent"
        assert path.read_bytes() == b"one"
        assert len(desk.recover()) == 1
    assert path.read_bytes() == b""


def test_an_intent_of_a_desk_that_lives_is_its_own(home: HermesHome, tmp_path: Path) -> None:
    put(home, b"one")
    part = Part("memories/MEMORY.md", b"one", joined("one", "two"))
    with begun(home, tmp_path / "data", part) as desk:
        with holding(home.memories / "MEMORY.md.lock"):
            assert desk.undo.recover(wait=0.05) == ()
        assert only_state(desk) == "intent"


def test_a_change_that_ends_while_recovery_waits_keeps_its_end(
    home: HermesHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Done by a living desk, and changed again by another, between the look and the lock.
    put(home, b"something else")
    part = Part("memories/MEMORY.md", b"one", joined("one", "two"))
    with begun(home, tmp_path / "data", part) as desk:
        unfinished = desk.journal.unfinished()
        desk.journal.finish(1, "done")
        monkeypatch.setattr(Journal, "unfinished", lambda self: unfinished)
        assert desk.recover() == ()
        assert only_state(desk) == "done"


def test_temporary_files_that_a_dead_desk_left_are_removed(desk: Desk, home: HermesHome) -> None:
    home.pending("memory").mkdir(parents=True)
    left = [home.memories / ".desk_0123.tmp", home.pending("memory") / ".desk_4567.tmp"]
    of_others = [home.memories / ".mem_0123.tmp", home.memories / "desk_0123.tmp"]
    for path in (*left, *of_others):
        path.touch()
    with holding(home.memories / "MEMORY.md.lock"):
        desk.recover()
        assert all(path.exists() for path in left)
    desk.recover()
    assert not any(path.exists() for path in left)
    assert all(path.exists() for path in of_others)


def test_a_start_on_a_clean_home_touches_nothing(desk: Desk, home: HermesHome) -> None:
    assert desk.recover() == ()
    assert list(home.memories.iterdir()) == []
    assert not desk.journal.path.parent.exists()


# --- Laws -----------------------------------------------------------------------------------

NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=5, unique=True)


@st.composite
def changes_of(draw: st.DrawFn, texts: list[str]) -> Change:
    """A change of a file with these entries; what comes is upper case, and so new."""
    new = st.sampled_from("UVWXYZ")
    single = [st.builds(Add, new)]
    if texts:
        known = st.sampled_from(texts).map(Whole)
        single += [st.builds(Remove, known), st.builds(Replace, known, new)]
    many = st.lists(st.one_of(single), min_size=1, max_size=3)
    return draw(st.one_of(*single, many.map(lambda several: Batch(tuple(several)))))


@settings(max_examples=50)
@given(st.data(), NAMES, st.lists(st.sampled_from("mnopq"), max_size=3, unique=True))
def test_undo_puts_back_only_its_own_entries_or_says_conflict(
    data: st.DataObject, texts: list[str], of_others: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = home_at(Path(folder) / "home", memory=joined(*texts))
        path = home.memory_file("memory")
        with opened(home, Path(folder) / "data", disk=Disk("\n")) as desk:
            result = desk.library.change("memory", data.draw(changes_of(texts)))
            if not isinstance(result, Written) or result.change_id is None:
                return
            kept = [text for text in path.read_text("utf-8").split("\n§\n") if text]
            # Others take some entries away and add their own, anywhere.
            taken = data.draw(st.sets(st.sampled_from(kept))) if kept else set()
            others = [text for text in kept if text not in taken]
            for text in of_others:
                others.insert(data.draw(st.integers(0, len(others))), text)
            path.write_bytes(joined(*others))
            undone = desk.undo.undo(result.change_id)
            after = [text for text in path.read_text("utf-8").split("\n§\n") if text]
            if isinstance(undone, Undone):
                ours = set(kept) - set(texts)
                theirs_taken = taken & set(texts)
                expected = (set(texts) - theirs_taken) | set(of_others)
                assert Counter(after) == Counter(expected)
                assert not ours & set(after)
                of_theirs = [text for text in after if text in of_others]
                assert of_theirs == [text for text in others if text in of_others]
            else:
                assert isinstance(undone, Conflict)
                assert after == others


@given(NAMES, NAMES)
def test_what_is_put_back_and_done_again_is_what_it_was(
    before: list[str], after: list[str]
) -> None:
    first, second = (Document(tuple(map(Entry, texts))) for texts in (before, after))
    back = put_back(first, second, second)
    if back is not None:
        assert set(back.texts) == set(before)
        again = put_back(second, first, back)
        assert again is not None
        assert set(again.texts) == set(after)
