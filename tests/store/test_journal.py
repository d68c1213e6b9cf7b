"""The journal: what it keeps, who may read it, and what happens when its file is in trouble."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from store import journal_file as module
from store.changes import Intent, Part
from store.desk import Desk
from store.home import HermesHome
from store.journal import Journal, JournalEntry, journal_path
from store.memory.operations import Add
from store.memory.state import Written
from store.refusals import Locked, ReadOnly, Unreadable
from tests.support.desks import everything_in, home_at, joined, opened
from tests.support.unprivileged import Unprivileged

ROOT = Path(__file__).resolve().parents[2]
ADDED = Intent("desk", "add", "memory", (), ("new",))
PART = Part("memories/MEMORY.md", b"old", b"old\n\xc2\xa7\nnew")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path / "data" / "journal" / "0123" / "default.sqlite", clock=lambda: 7.5)
    yield journal
    journal.close()


def done(journal: Journal, intent: Intent = ADDED, part: Part = PART) -> int:
    number = journal.begin(intent, [part])
    assert isinstance(number, int)
    journal.finish(number, "done")
    return number


def broken(path: Path, data: bytes = b"this was a database once" * 100) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
connection.execute("COMMIT")
connection.close()
"""


@contextmanager
def holding_as_sqlite(path: Path) -> Iterator[Callable[[], object]]:
    """Another process writes to the database until the end of the block, or until it is told."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process.communicate


# --- What it keeps --------------------------------------------------------------------------


def test_a_change_is_kept_with_the_bytes_before_and_after(journal: Journal) -> None:
    number = done(journal)
    assert journal.get(number) == JournalEntry(number, 7.5, ADDED, "done", None, (PART,))


def test_absent_and_empty_files_are_two_things(journal: Journal) -> None:
    number = done(journal, part=Part("memories/USER.md", None, b""))
    entry = journal.get(number)
    assert isinstance(entry, JournalEntry)
    assert (entry.parts[0].before, entry.parts[0].after) == (None, b"")


def test_changes_come_newest_first_and_leave_out_what_did_not_happen(journal: Journal) -> None:
    first, second = done(journal), done(journal)
    called_off, open_still = journal.begin(ADDED, [PART]), journal.begin(ADDED, [PART])
    assert isinstance(called_off, int)
    journal.finish(called_off, "abandoned")
    changes = journal.changes()
    assert not isinstance(changes, Unreadable)
    assert [entry.id for entry in changes] == [second, first]
    unfinished = journal.unfinished()
    assert not isinstance(unfinished, Unreadable)
    assert [entry.id for entry in unfinished] == [open_still]


def test_changes_of_a_target_include_those_of_both(journal: Journal) -> None:
    of_user = done(journal, Intent("desk", "add", "user"))
    done(journal, Intent("desk", "add", "memory"))
    of_both = done(journal, Intent("desk", "move", "both"))
    changes = journal.changes(target="user")
    assert not isinstance(changes, Unreadable)
    assert [entry.id for entry in changes] == [of_both, of_user]
    assert [entry.id for entry in journal.changes(limit=1)] == [of_both]  # type: ignore[union-attr]


def test_what_was_undone_is_undoable_no_more(journal: Journal) -> None:
    first, second = done(journal), done(journal)
    undo = done(journal, Intent("desk", "undo", "memory", undoes=second))
    entry = journal.get(second)
    assert isinstance(entry, JournalEntry)
    assert (entry.undoable, entry.undone_by) == (False, undo)
    latest = journal.latest_undoable()
    assert isinstance(latest, JournalEntry)
    assert latest.id == first


def test_reading_a_journal_that_is_not_there_makes_none(journal: Journal) -> None:
    assert journal.changes() == ()
    assert journal.get(1) is None
    assert journal.latest_undoable() is None
    assert journal.unfinished() == ()
    assert not journal.path.parent.exists()


def test_every_profile_has_a_journal_named_by_the_real_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    direct = journal_path(tmp_path, HermesHome(root, root / "profiles" / "coder", "coder"))
    linked = journal_path(tmp_path, HermesHome(tmp_path / "link", root, "coder"))
    assert direct == linked
    assert direct.name == "coder.sqlite"


# --- Who may read it ------------------------------------------------------------------------


def test_the_journal_is_open_to_its_owner_only(journal: Journal) -> None:
    done(journal)
    files = {path.name: stat.S_IMODE(path.stat().st_mode) for path in journal.path.parent.iterdir()}
    assert set(files.values()) == {0o600}, files
    folders = list(journal.path.parents)[:3]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700] * 3


def test_a_journal_that_others_may_read_is_closed_to_them(journal: Journal) -> None:
    done(journal)
    journal.close()
    journal.path.chmod(0o644)
    assert journal.changes()
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600


# --- Trouble --------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"this was a database once" * 100, b"SQLite format 3\0" * 400])
def test_reading_a_broken_file_says_so_and_touches_nothing(journal: Journal, data: bytes) -> None:
    broken(journal.path, data)
    for answer in (
        journal.changes(),
        journal.unfinished(),
        journal.get(1),
        journal.latest_undoable(),
    ):
        assert isinstance(answer, Unreadable)
        assert answer.path == str(journal.path)
    assert everything_in(journal.path.parent) == {journal.path.name: data}


def test_a_broken_file_is_set_aside_when_a_change_begins(journal: Journal) -> None:
    broken(journal.path)
    data = journal.path.read_bytes()
    assert done(journal) == 1
    assert journal.set_aside is not None
    assert journal.set_aside.read_bytes() == data
    assert journal.set_aside.name.startswith("default.sqlite.broken-")
    assert len(journal.changes()) == 1  # type: ignore[arg-type]


def test_a_file_that_breaks_while_it_is_open_is_set_aside_too(journal: Journal) -> None:
    for _ in range(50):
        done(journal)
    journal.close()
    data = bytearray(journal.path.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)  # the first page, with the schema, is whole
    journal.path.write_bytes(data)
    assert isinstance(journal.changes(), Unreadable)
    assert done(journal) == 1
    assert journal.set_aside is not None
    assert journal.set_aside.read_bytes() == bytes(data)


def test_a_journal_that_another_desk_has_begun_anew_is_not_set_aside(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(journal)
    begin = journal._insert

    def broken_a_moment_ago(*_: object, **__: object) -> int:
        monkeypatch.setattr(journal, "_insert", begin)
        error = sqlite3.DatabaseError("file is not a database")
        error.sqlite_errorcode = sqlite3.SQLITE_NOTADB
        raise error

    monkeypatch.setattr(journal, "_insert", broken_a_moment_ago)
    assert done(journal) == 2
    assert journal.set_aside is None


def test_a_journal_that_was_removed_is_not_waited_for(journal: Journal) -> None:
    done(journal)
    for path in list(journal.path.parent.iterdir()):
        path.unlink()
    journal.reach_disk()


def test_a_journal_that_the_disk_does_not_take_is_told(journal: Journal) -> None:
    done(journal)
    wal = journal.path.with_name(f"{journal.path.name}-wal")
    wal.unlink()
    wal.mkdir()
    with pytest.raises(IsADirectoryError):
        journal.reach_disk()
    wal.rmdir()


def test_a_deleted_journal_starts_anew(journal: Journal) -> None:
    done(journal)
    journal.close()
    for path in list(journal.path.parent.iterdir()):
        path.unlink()
    assert journal.changes() == ()
    assert done(journal) == 1


def test_a_journal_deleted_while_it_is_open_starts_anew(journal: Journal) -> None:
    done(journal)
    for path in list(journal.path.parent.iterdir()):
        path.unlink()
    assert done(journal) == 1
    with Journal(journal.path)._writing() as connection:
        assert connection.execute("SELECT count(*) FROM change").fetchone() == (1,)
        connection_of_another = connection
    connection_of_another.close()


def test_a_journal_that_another_program_keeps_to_itself_is_locked(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(journal)
    journal.close()
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert journal.begin(ADDED, [PART]) == Locked(str(journal.path), 0.1)
    finally:
        other.close()
    assert done(journal) == 2


def fill(journal: Journal) -> None:
    """Let the journal's file grow no further."""
    assert journal._connection is not None
    pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
    journal._connection.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_is_said_and_the_next_change_works(journal: Journal) -> None:
    done(journal)
    fill(journal)
    large = Part("memories/MEMORY.md", b"x" * 100_000, b"y" * 100_000)
    assert journal.begin(ADDED, [large]) == ReadOnly(str(journal.path), "database or disk is full")
    journal.close()
    assert done(journal, part=large) == 2


def test_a_commit_that_fails_leaves_no_transaction_open(journal: Journal) -> None:
    number = done(journal)
    assert journal._connection is not None
    journal._connection.execute("PRAGMA foreign_keys = ON")

    def write_what_only_the_commit_refuses() -> None:
        with journal._writing() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            connection.execute("INSERT INTO part(change_id, ordinal, path) VALUES (999, 0, '')")

    with pytest.raises(sqlite3.IntegrityError):
        write_what_only_the_commit_refuses()
    assert done(journal) == number + 1


def test_a_database_of_another_program_is_not_written_to(journal: Journal) -> None:
    journal.path.parent.mkdir(parents=True)
    connection = sqlite3.connect(journal.path)
    connection.execute("CREATE TABLE change(something TEXT)")
    connection.commit()
    connection.close()
    assert isinstance(journal.begin(ADDED, [PART]), ReadOnly)
    assert isinstance(journal.changes(), Unreadable)


def test_a_change_is_refused_while_the_journal_cannot_be_written(
    unprivileged: Unprivileged,
) -> None:
    home = home_at(unprivileged.folder / "home", memory=joined("one", "two"))
    data = unprivileged.folder / "data"
    data.mkdir()
    unprivileged.give(unprivileged.folder)
    data.chmod(0o500)
    assert unprivileged.run(["touch", data / "probe"]).returncode != 0
    before = everything_in(home.path)
    done = unprivileged.run_python(
        "import sys; from pathlib import Path; from store.desk import build_desk\n"
        "from store.home import HermesHome; from store.memory.operations import Add\n"
        "home = Path(sys.argv[1])\n"
        "desk = build_desk(HermesHome(home, home, 'default'),"
        " env={'MEMORY_DESK_DATA_DIR': sys.argv[2]})\n"
        "print(desk.library.change('memory', Add('three')).code)\n"
        "print(type(desk.journal.changes()).__name__)",
        home.path,
        data,
    )
    assert done.stdout.split() == ["read_only", "tuple"], done.stderr
    assert everything_in(home.path) == before


# --- Several at once ------------------------------------------------------------------------


def test_two_processes_share_one_journal(tmp_path: Path) -> None:
    home = home_at(tmp_path / "home", config="memory:\n  memory_char_limit: 1000000\n")
    worker = "tests.support.desk_worker"
    workers = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                worker,
                home.path,
                tmp_path / "data",
                "memory",
                name,
                "40",
                "60",
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("left", "right")
    ]
    answers = [json.loads(each.communicate(timeout=100)[0]) for each in workers]
    assert [answer["written"] for answer in answers] == [40, 40]
    with opened(home, tmp_path / "data") as desk:
        changes = desk.journal.changes()
        assert not isinstance(changes, Unreadable)
        assert sorted(entry.intent.come for entry in changes) == sorted(
            (f"{name} {number}",) for name in ("left", "right") for number in range(40)
        )
        assert desk.journal.unfinished() == ()


def test_another_who_makes_the_journal_at_this_moment_is_waited_for(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.path.parent.mkdir(parents=True)
    with holding_as_sqlite(journal.path) as let_go:
        monkeypatch.setattr("store.journal.time.sleep", lambda _: let_go())
        assert isinstance(journal.begin(ADDED, [PART]), int)


def test_two_journals_in_one_process_leave_each_other_their_locks(journal: Journal) -> None:
    done(journal)
    other = Journal(journal.path)
    done(other)
    # Who closes a journal as the last one removes its -wal. Another process is not the last.
    with holding_as_sqlite(journal.path):
        pass
    assert journal.path.with_name("default.sqlite-wal").exists()
    number = done(journal)
    other.close()
    journal.close()
    assert isinstance(journal.get(number), JournalEntry)


def test_threads_share_one_desk(desk: Desk) -> None:
    results: list[object] = []

    def add(name: str) -> None:
        results.extend(desk.library.change("memory", Add(f"{name} {n}")) for n in range(10))

    threads = [threading.Thread(target=add, args=(name,)) for name in ("a", "b", "c", "d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(isinstance(result, Written) for result in results)
    assert len(results) == 40
    assert len({result.change_id for result in results}) == 40  # type: ignore[attr-defined]
    assert len(desk.library.load("memory").entries) == 40


def test_the_journal_keeps_no_file_open_after_it_was_closed(journal: Journal) -> None:
    done(journal)
    journal.close()
    open_files = {
        os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink()
    }
    assert not any(str(journal.path.parent) in name for name in open_files)
    assert done(journal) == 2


def test_a_journal_of_an_earlier_desk_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as old:
        old.executescript("""
            CREATE TABLE change(id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL,
                who TEXT NOT NULL, action TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL,
                undoes INTEGER, gone TEXT NOT NULL, come TEXT NOT NULL, record TEXT NOT NULL);
            CREATE TABLE part(change_id INTEGER NOT NULL REFERENCES change(id),
                ordinal INTEGER NOT NULL, path TEXT NOT NULL, before BLOB, after BLOB,
                PRIMARY KEY(change_id, ordinal));
            INSERT INTO change VALUES (1, 5, 'desk', 'add', 'memory', 'done', NULL, '[]', '[]', '');
            INSERT INTO part VALUES (1, 0, 'memories/MEMORY.md', NULL, x'61');
            PRAGMA user_version = 1;
        """)
    with closing(Journal(path)) as journal:
        entry = journal.get(1)
        assert isinstance(entry, JournalEntry)
        assert entry.parts == (Part("memories/MEMORY.md", None, b"a", "file", 0o600),)
        folder = Part("skills/x", None, b"", "folder", 0o700)
        assert journal.begin(Intent("desk", "approve", "x"), [folder]) == 2
        added = journal.get(2)
        assert isinstance(added, JournalEntry)
        assert added.parts == (folder,)
