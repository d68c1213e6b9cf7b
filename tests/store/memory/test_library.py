"""The two files of a home: read as values, changed under Hermes' lock, or left as they are."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.desk import Desk
from store.files import Disk
from store.home import FILE_NAMES, TARGETS, HermesHome, Target
from store.memory.operations import (
    Add,
    Arrange,
    Batch,
    Change,
    Part,
    Remove,
    Replace,
    Whole,
)
from store.memory.state import Written
from store.refusals import (
    REFUSALS,
    Conflict,
    Drifted,
    Locked,
    NoMatch,
    NotFound,
    OverBudget,
    ReadOnly,
    Refusal,
    Unreadable,
    Unsupported,
)
from tests.support.desks import Faults, everything_in, home_at, joined, limits, opened
from tests.support.holder import holding

HEADER = b"<!-- hermes-memory-identities:v1 -->\n"
A = b'<!-- hermes-memory-entry:{"id":"a"} -->\n'
B = b'<!-- hermes-memory-entry:{"id":"b"} -->\n'
DRIFTED = "one\n\n§\n\ntwo".encode()
EVERY_KIND: tuple[Change, ...] = (
    Add("new"),
    Replace(Part("one"), "1"),
    Remove(Part("one")),
    Batch((Remove(Part("one")), Add("new"))),
)


def memory(home: HermesHome) -> Path:
    return home.memory_file("memory")


def put(home: HermesHome, data: bytes, target: Target = "memory") -> Path:
    path = home.memory_file(target)
    path.write_bytes(data)
    return path


def written(result: Written | Refusal) -> Written:
    assert isinstance(result, Written), result
    return result


@pytest.fixture
def windows(home: HermesHome, tmp_path: Path) -> Iterator[Desk]:
    """A desk with the rules of Windows."""
    with opened(home, tmp_path / "windows", disk=Disk("\r\n", replace_attempts=5)) as desk:
        yield desk


# --- Reading --------------------------------------------------------------------------------


def test_a_missing_file_is_absent_and_has_no_entries(desk: Desk) -> None:
    state = desk.library.load("memory")
    assert (state.state, state.entries, state.chars, state.digest) == ("absent", (), 0, "")
    assert (state.snapshot.block, state.snapshot.reason) == ("", "empty")


def test_a_state_tells_entries_budget_and_marks(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "see ~/.ssh", "one"))
    state = desk.library.load("memory")
    assert [(e.index, e.text, e.chars, e.threats, e.duplicate) for e in state.entries] == [
        (1, "one", 3, (), False),
        (2, "see ~/.ssh", 10, ("ssh_access",), False),
        (3, "one", 3, (), True),
    ]
    assert (state.chars, state.limit) == (len("one\n§\nsee ~/.ssh"), 2200)
    assert state.blocked == 1
    assert state.notices == ("duplicates",)


@pytest.mark.parametrize(
    ("config", "memory_limit", "user_limit"),
    [
        (limits(3200, 2000), 3200, 2000),
        ("memory: null\n", 2200, 1375),
        ("memory:\n  memory_char_limit: '3000'\n", 3000, 1375),
        ("memory:\n  memory_char_limit: lots\n  user_char_limit: 99\n", 2200, 1375),
    ],
)
def test_limits_are_those_of_the_profile(
    tmp_path: Path, config: str, memory_limit: int, user_limit: int
) -> None:
    with opened(home_at(tmp_path / "h", config=config), tmp_path / "data") as desk:
        states = desk.library.load_both()
        assert [states[target].limit for target in TARGETS] == [memory_limit, user_limit]


def test_an_over_full_file_is_shown_as_it_is(tmp_path: Path) -> None:
    text = "x" * 3461
    home = home_at(tmp_path / "h", memory=text.encode(), config=limits(memory=3500, user=100))
    put(home, b"y" * 80 + joined("", "z" * 80), "user")
    with opened(home, tmp_path / "data") as desk:
        user = desk.library.load("user")
        assert (user.chars, user.limit, user.state) == (163, 100, "clean")
        assert "163/100 chars" in user.snapshot.block
        assert "100%" in user.snapshot.block  # the agent caps it, in its prompt
        assert desk.library.change("user", Add("more")) == OverBudget("user", 170, 100, 163)


@pytest.mark.parametrize(
    ("config", "enabled"),
    [
        ("", (True, True)),
        ("memory:\n", (True, True)),
        ("memory:\n  memory_enabled: false\n", (False, True)),
        ("memory:\n  user_profile_enabled: 'no'\n", (True, True)),
        ("memory:\n  user_profile_enabled: no\n", (True, False)),
        ("memory: x\n", (False, False)),
        ("memory: []\n", (False, False)),
    ],
)
def test_a_file_that_the_agent_ignores_is_told_as_such(
    tmp_path: Path, config: str, enabled: tuple[bool, bool]
) -> None:
    home = home_at(tmp_path / "h", memory=b"m", user=b"u", config=config)
    with opened(home, tmp_path / "data") as desk:
        states = desk.library.load_both()
        assert tuple(states[target].enabled for target in TARGETS) == enabled
        assert tuple(bool(states[target].snapshot.block) for target in TARGETS) == enabled


@given(st.binary(max_size=120), st.binary(max_size=40))
def test_any_bytes_are_a_state(own: bytes, other: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = home_at(Path(folder) / "home", memory=own, user=other)
        with opened(home, Path(folder) / "data") as desk:
            state = desk.library.load("memory")
            assert state.state in ("clean", "drift", "unreadable")
            assert (state.problem is None) == (state.state != "unreadable")
            # And what is refused is left as it is.
            for change in EVERY_KIND:
                before = memory(home).read_bytes()
                if isinstance(desk.library.change("memory", change), REFUSALS):
                    assert memory(home).read_bytes() == before


def test_a_backup_that_holds_more_is_noticed(desk: Desk, home: HermesHome) -> None:
    path = put(home, HEADER + A + joined("one", "two"))
    backup = path.with_name("MEMORY.md.bak.1700000000")
    backup.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert "backup_has_more" not in desk.library.load("memory").notices
    backup.write_bytes(joined("one", "two", "and three"))
    assert "backup_has_more" in desk.library.load("memory").notices


def test_a_backup_of_the_file_itself_holds_no_more(desk: Desk, home: HermesHome) -> None:
    path = put(home, b"one\r\n\xc2\xa7\r\ntwo")
    path.with_name("MEMORY.md.bak.1700000000").write_bytes(path.read_bytes())
    state = desk.library.load("memory")
    assert (state.state, state.notices) == ("clean", ("crlf",))


# --- Changing -------------------------------------------------------------------------------


def test_a_change_is_on_disk_and_said(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    done = written(desk.library.change("memory", Replace(Part("tw"), "2\r\nlines ")))
    assert memory(home).read_bytes() == joined("one", "2\nlines")
    assert done == Written(
        target="memory",
        action="replace",
        changed=True,
        chars=len("one\n§\n2\nlines"),
        limit=2200,
        entry_count=2,
        replaced="two",
        change_id=1,
    )


def test_a_first_entry_makes_folder_and_file(tmp_path: Path) -> None:
    path = tmp_path / "home"
    path.mkdir()
    with opened(HermesHome(path, path, "default"), tmp_path / "data") as desk:
        written(desk.library.change("user", Add("one")))
    assert everything_in(path) == {"memories/USER.md": b"one"}
    assert stat.S_IMODE((path / "memories" / "USER.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((path / "memories").stat().st_mode) == 0o700


def test_the_last_entry_removed_leaves_an_empty_file(desk: Desk, home: HermesHome) -> None:
    put(home, b"only")
    written(desk.library.change("memory", Remove(Part("only"))))
    assert memory(home).read_bytes() == b""


def test_an_entry_that_is_there_is_not_written_again(desk: Desk, home: HermesHome) -> None:
    path = put(home, b"one\r\n\xc2\xa7\r\ntwo\r\n\xc2\xa7\r\none")
    before = path.stat()
    done = written(desk.library.change("memory", Add("one ")))
    assert (done.changed, done.change_id) == (False, None)
    assert path.stat() == before


def test_what_another_added_meanwhile_stays(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    seen = desk.library.load("memory").entries[0].text
    put(home, joined("one", "two", "three, by the agent"))
    written(desk.library.change("memory", Replace(Whole(seen), "1")))
    assert memory(home).read_bytes() == joined("1", "two", "three, by the agent")


def test_an_entry_that_another_changed_meanwhile_is_shown_in_both_versions(
    desk: Desk, home: HermesHome
) -> None:
    path = put(home, joined("one, by the agent", "two"))
    refused = desk.library.change("memory", Replace(Whole("one"), "1"))
    assert refused == Conflict(str(path), seen="one", now="one, by the agent\n§\ntwo")
    assert path.read_bytes() == joined("one, by the agent", "two")


def test_an_order_is_refused_when_the_file_is_another(desk: Desk, home: HermesHome) -> None:
    path = put(home, joined("one", "two"))
    digest = desk.library.load("memory").digest
    put(home, joined("two", "one"))
    refused = desk.library.change("memory", Arrange(("two", "one"), digest))
    assert isinstance(refused, Conflict)
    digest = desk.library.load("memory").digest
    written(desk.library.change("memory", Arrange(("one", "two"), digest)))
    assert path.read_bytes() == joined("one", "two")


# --- Where we differ from 0.19.0 ------------------------------------------------------------


@pytest.mark.parametrize("change", EVERY_KIND)
@pytest.mark.parametrize("data", [b"User prefers caf\xe9", b"one\xd1", "one".encode("utf-16")])
def test_a_file_that_is_not_utf_8_is_refused_to_every_change(
    desk: Desk, home: HermesHome, change: Change, data: bytes
) -> None:
    path = put(home, data)
    refused = desk.library.change("memory", change)
    assert isinstance(refused, Unreadable)
    assert refused.byte is not None
    assert path.read_bytes() == data
    assert desk.library.load("memory").problem == refused


@pytest.mark.parametrize("change", EVERY_KIND)
def test_a_file_that_cannot_be_read_right_now_is_not_empty(
    home: HermesHome, tmp_path: Path, change: Change
) -> None:
    path = put(home, joined("one", "two"))
    before = everything_in(home.path)
    with opened(home, tmp_path / "data", disk=Faults(step="read").disk()) as desk:
        refused = desk.library.change("memory", change)
        assert refused == Unreadable(str(path), "No space left on device")
    assert everything_in(home.path) == before


def test_a_byte_order_mark_is_no_part_of_an_entry_and_not_written_back(
    desk: Desk, home: HermesHome
) -> None:
    put(home, b"\xef\xbb\xbf" + joined("one", "two"))
    state = desk.library.load("memory")
    assert [(entry.text, entry.threats) for entry in state.entries] == [("one", ()), ("two", ())]
    assert state.notices == ("bom",)
    # The agent, which keeps it, hides that entry; the snapshot says what the agent does.
    assert "invisible_unicode_U+FEFF" in state.snapshot.block
    written(desk.library.change("memory", Add("three")))
    assert memory(home).read_bytes() == joined("one", "two", "three")


def test_an_add_to_a_drifted_file_keeps_a_copy_and_normalises_it(
    desk: Desk, home: HermesHome
) -> None:
    put(home, DRIFTED)
    done = written(desk.library.change("memory", Add("three")))
    assert memory(home).read_bytes() == joined("one", "two", "three")
    assert Path(done.backup).read_bytes() == DRIFTED


def test_an_add_to_a_drifted_file_is_refused_when_no_copy_can_be_kept(
    home: HermesHome, tmp_path: Path
) -> None:
    path = put(home, DRIFTED)
    faults = Faults(step="create", times=1)  # the copy; the file itself could be written
    with opened(home, tmp_path / "data", disk=faults.disk()) as desk:
        assert isinstance(desk.library.change("memory", Add("three")), ReadOnly)
    assert path.read_bytes() == DRIFTED


@pytest.mark.parametrize("change", EVERY_KIND[1:])
def test_other_changes_of_a_drifted_file_are_refused_with_a_copy(
    desk: Desk, home: HermesHome, change: Change
) -> None:
    path = put(home, DRIFTED)
    refused = desk.library.change("memory", change)
    assert isinstance(refused, Drifted)
    assert refused.signals == ("round_trip",)
    assert path.read_bytes() == DRIFTED
    assert Path(refused.backup).read_bytes() == DRIFTED
    # Asked again, the same copy serves.
    assert desk.library.change("memory", change) == refused
    assert len(list(home.memories.glob("*.bak.*"))) == 1


def test_a_drifted_file_is_refused_without_a_copy_where_none_can_be_kept(
    home: HermesHome, tmp_path: Path
) -> None:
    path = put(home, DRIFTED)
    with opened(home, tmp_path / "data", disk=Faults(step="create").disk()) as desk:
        refused = desk.library.change("memory", Remove(Part("one")))
    assert refused == Drifted(str(path), ("round_trip",), backup="")


def test_two_copies_of_the_same_second_are_two(home: HermesHome, tmp_path: Path) -> None:
    with opened(home, tmp_path / "data", clock=lambda: 1_700_000_000.0) as desk:
        put(home, DRIFTED)
        desk.library.change("memory", Remove(Part("one")))
        put(home, DRIFTED + b" and more")
        desk.library.change("memory", Remove(Part("one")))
    copies = {path.name: path.read_bytes() for path in home.memories.glob("*.bak.*")}
    assert copies == {
        "MEMORY.md.bak.1700000000": DRIFTED,
        "MEMORY.md.bak.1700000001": DRIFTED + b" and more",
    }


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640])
def test_the_mode_of_a_file_is_kept(desk: Desk, home: HermesHome, mode: int) -> None:
    path = put(home, b"one")
    path.chmod(mode)
    written(desk.library.change("memory", Add("two")))
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_file_behind_a_link_is_changed_where_it_lies(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    real = tmp_path / "synchronised" / "MEMORY.md"
    real.parent.mkdir()
    real.write_bytes(b"one")
    memory(home).symlink_to(real)
    done = written(desk.library.change("memory", Add("two")))
    assert memory(home).is_symlink()
    assert real.read_bytes() == joined("one", "two")
    assert [path.name for path in real.parent.iterdir()] == ["MEMORY.md"]
    desk.undo.undo(done.change_id)
    assert memory(home).is_symlink()
    assert real.read_bytes() == b"one"


def test_a_text_with_other_line_ends_is_known_again(desk: Desk, home: HermesHome) -> None:
    for text in ("two\r\nlines", "two\rlines", "two\nlines"):
        written(desk.library.change("memory", Add(text)))
    assert memory(home).read_bytes() == b"two\nlines"


def test_failures_close_no_circuit(desk: Desk, home: HermesHome) -> None:
    put(home, b"one")
    for _ in range(5):
        assert desk.library.change("memory", Remove(Part("nowhere"))) == NoMatch("nowhere")
    written(desk.library.change("memory", Remove(Part("one"))))


# --- Line ends ------------------------------------------------------------------------------


def test_a_file_with_windows_line_ends_has_its_entries(desk: Desk, home: HermesHome) -> None:
    put(home, b"one\r\n\xc2\xa7\r\ntwo\r\n\xc2\xa7\r\nthree")
    state = desk.library.load("memory")
    assert (state.document.texts, state.state) == (("one", "two", "three"), "clean")
    assert state.chars == len("one\n§\ntwo\n§\nthree")
    written(desk.library.change("memory", Replace(Part("one"), "1")))
    assert memory(home).read_bytes() == joined("1", "two", "three")


def test_on_windows_line_ends_are_those_of_its_text_mode(windows: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    written(windows.library.change("memory", Add("three\nlines\r\nof\rit")))
    assert memory(home).read_bytes() == (
        b"one\r\n\xc2\xa7\r\ntwo\r\n\xc2\xa7\r\nthree\r\nlines\r\nof\r\nit"
    )
    state = windows.library.load("memory")
    assert state.document.texts[2] == "three\nlines\nof\nit"
    assert state.state == "clean"


def test_an_undo_on_windows_brings_the_exact_bytes_back(windows: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    done = written(windows.library.change("memory", Remove(Part("two"))))
    windows.undo.undo(done.change_id)
    assert memory(home).read_bytes() == joined("one", "two")


# --- Identity comments ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (Add("three"), HEADER + A + b"one" + joined("", "") + B + joined("two", "three")),
        (Replace(Part("one"), "1"), HEADER + A + b"1" + joined("", "") + B + b"two"),
        (Remove(Part("one")), HEADER + B + b"two"),
        (Remove(Part("two")), HEADER + A + b"one"),
        (
            Batch((Replace(Part("two"), "2"), Add("3"))),
            HEADER + A + b"one" + joined("", "") + B + joined("2", "3"),
        ),
    ],
)
def test_comments_of_newer_versions_are_kept(
    desk: Desk, home: HermesHome, change: Change, after: bytes
) -> None:
    before = HEADER + A + b"one" + joined("", "") + B + b"two"
    put(home, before)
    done = written(desk.library.change("memory", change))
    assert memory(home).read_bytes() == after
    desk.undo.undo(done.change_id)
    assert memory(home).read_bytes() == before


def test_an_entry_with_a_comment_is_not_moved(desk: Desk, home: HermesHome) -> None:
    put(home, HEADER + A + joined("one", "two"))
    before = everything_in(home.path)
    refused = desk.library.move("memory", "user", Part("one"))
    assert refused == Unsupported("identity_would_be_lost")
    assert everything_in(home.path) == before
    written(desk.library.move("memory", "user", Part("two")))
    assert memory(home).read_bytes() == HEADER + A + b"one"


# --- Moving ---------------------------------------------------------------------------------


def test_a_move_changes_both_files(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two", "three"))
    put(home, b"mine", "user")
    done = written(desk.library.move("memory", "user", Part("two")))
    assert (done.target, done.action, done.removed, done.entry_count) == ("user", "move", "two", 2)
    assert everything_in(home.path) == {
        "memories/MEMORY.md": joined("one", "three"),
        "memories/USER.md": joined("mine", "two"),
    }


def test_a_move_of_what_is_there_already_only_takes_it_away(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    put(home, joined("two", "mine"), "user")
    written(desk.library.move("memory", "user", Whole("two")))
    assert memory(home).read_bytes() == b"one"
    assert home.memory_file("user").read_bytes() == joined("two", "mine")


@pytest.mark.parametrize(
    ("user", "where", "code"),
    [
        (b"u" * 1370, Part("two"), "over_budget"),
        (b"caf\xe9", Part("two"), "unreadable"),
        (b"mine", Part("nowhere"), "no_match"),
        (b"mine", Part("o"), "ambiguous"),
        (b"mine", Part("~/.ssh"), "blocked"),
        (b"mine", Whole("gone"), "conflict"),
    ],
)
def test_a_move_that_is_refused_leaves_both_files(
    desk: Desk, home: HermesHome, user: bytes, where: Part | Whole, code: str
) -> None:
    put(home, joined("one", "two", "see ~/.ssh"))
    put(home, user, "user")
    before = everything_in(home.path)
    refused = desk.library.move("memory", "user", where)
    assert isinstance(refused, REFUSALS)
    assert refused.code == code
    assert everything_in(home.path) == before


def test_a_move_to_the_same_file_makes_no_sense(desk: Desk) -> None:
    assert desk.library.move("user", "user", Part("x")) == Unsupported("move_to_itself")


def test_moves_both_ways_and_adds_at_once_never_wait_for_each_other(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    put(home, joined(*(f"m{n}" for n in range(15))))
    put(home, joined(*(f"u{n}" for n in range(15))), "user")
    results: list[object] = []

    def move(source: Target, destination: Target, letter: str) -> None:
        with opened(home, tmp_path / "data") as own:
            for n in range(15):
                where = Whole(f"{letter}{n}")
                results.append(own.library.move(source, destination, where, wait=60))

    def add(target: Target) -> None:
        with opened(home, tmp_path / "data") as own:
            for n in range(15):
                results.append(own.library.change(target, Add(f"new {target} {n}"), wait=60))

    threads = [
        threading.Thread(target=move, args=("memory", "user", "m")),
        threading.Thread(target=move, args=("user", "memory", "u")),
        threading.Thread(target=add, args=("memory",)),
        threading.Thread(target=add, args=("user",)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert len(results) == 60
    assert all(isinstance(result, Written) for result in results), results
    kept = [text for target in TARGETS for text in desk.library.load(target).document.texts]
    assert sorted(kept) == sorted(
        [f"{letter}{n}" for letter in "mu" for n in range(15)]
        + [f"new {target} {n}" for target in TARGETS for n in range(15)]
    )


# --- Locks and a home that is gone ----------------------------------------------------------


@pytest.mark.parametrize("change", EVERY_KIND)
def test_a_file_that_another_holds_is_left_alone(
    desk: Desk, home: HermesHome, change: Change
) -> None:
    path = put(home, joined("one", "two"))
    with holding(path.with_name("MEMORY.md.lock")):
        refused = desk.library.change("memory", change, wait=0.05)
        assert refused == Locked(str(path.with_name("MEMORY.md.lock")), 0.05)
    assert everything_in(home.path) == {"memories/MEMORY.md": joined("one", "two")}


def test_a_move_waits_for_both_files(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    with holding(home.memories / "USER.md.lock"):
        refused = desk.library.move("memory", "user", Part("one"), wait=0.05)
        assert refused == Locked(str(home.memories / "USER.md.lock"), 0.05)


@pytest.mark.parametrize("targets", [TARGETS, TARGETS[::-1]])
def test_both_locks_are_always_taken_in_the_same_order(
    home: HermesHome, tmp_path: Path, targets: tuple[Target, ...]
) -> None:
    faults = Faults()
    with opened(home, tmp_path / "data", disk=faults.disk()) as desk:
        with desk.library.locks(targets, wait=0) as held:
            assert held is None
        assert [path.name for _, path in faults.seen] == ["MEMORY.md.lock", "USER.md.lock"]


def test_reading_never_waits_for_a_lock(desk: Desk, home: HermesHome) -> None:
    put(home, b"one")
    with holding(home.memories / "MEMORY.md.lock"):
        start = time.monotonic()
        assert desk.library.load("memory").document.texts == ("one",)
        assert time.monotonic() - start < 5


def test_a_lock_that_the_system_refuses_is_said(home: HermesHome, tmp_path: Path) -> None:
    path = put(home, b"one")
    faults = Faults(step="lock", error=PermissionError(13, "Permission denied"))
    with opened(home, tmp_path / "data", disk=faults.disk()) as desk:
        refused = desk.library.change("memory", Add("two"), wait=60)
        assert refused == ReadOnly(str(path.with_name("MEMORY.md.lock")), "Permission denied")
    assert path.read_bytes() == b"one"


def test_a_home_that_was_deleted_does_not_come_back_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "root" / "profiles" / "gone"
    with opened(HermesHome(tmp_path / "root", path, "gone"), tmp_path / "data") as desk:
        assert desk.library.change("memory", Add("one")) == NotFound("home", str(path))
    assert not (tmp_path / "root").exists()


@pytest.mark.parametrize("name", FILE_NAMES.values())
def test_a_folder_in_place_of_a_file_is_refused(desk: Desk, home: HermesHome, name: str) -> None:
    (home.memories / name).mkdir()
    target: Target = "memory" if name == "MEMORY.md" else "user"
    assert desk.library.load(target).state == "unreadable"
    assert isinstance(desk.library.change(target, Add("one")), Unreadable)


def test_a_pipe_in_place_of_a_file_is_refused_at_once(desk: Desk, home: HermesHome) -> None:
    os.mkfifo(memory(home))
    assert desk.library.load("memory").state == "unreadable"
    assert isinstance(desk.library.change("memory", Add("one")), Unreadable)
