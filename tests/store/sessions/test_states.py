"""A database that is missing, broken, held, closed, old or new: each its own word, none written."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from gui.session_words import NOTICES, STATES
from gui.words import say
from store.refusals import BrokenDatabase, Locked, NotFound
from store.sessions.conversations import Conversation, Listing
from store.sessions.found import Found
from store.sessions.library import Counts, SessionLibrary
from tests.support.unprivileged import Unprivileged

PAGE = 4096
LibraryAt = Callable[..., SessionLibrary]


def stamp(path: Path) -> tuple[str, int, int, int]:
    """What changes when a file is written, replaced or given another mode."""
    about = path.stat()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return digest, about.st_mtime_ns, about.st_mode, about.st_ino


def ask_everything(library: SessionLibrary) -> list[object]:
    """Every answer that the library gives."""
    return [
        library.counts(),
        library.listing(archived=True, children=True),
        library.conversation("20261029_110000_ffff02"),
        library.place(5),
        library.search("release"),
        library.search("桂林", limit=1_000),
        library.near(1_793_000_000.0),
        library.open_sessions(1_793_000_000.0, blocks=["x"]),
    ]


def pages_of(path: Path, table: str) -> list[int]:
    """Every page of a table, without the first one, by SQLite's own count."""
    with sqlite3.connect(path) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()[0]
        size = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    assert 1 < root <= size
    return [root]


def overwrite(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(b"\xa5" * PAGE)


def spoil(table: str) -> Callable[[Path], None]:
    return lambda path: overwrite(path, pages_of(path, table)[0])


def cut(size: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, size)


def fill_with_text(path: Path) -> None:
    path.write_text("this is no database\n" * 500)


def fill_with_other_tables(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sessions(id, name)")
    connection.close()


BROKEN = {
    "data": (spoil("messages"), "corrupt"),
    "cut at a page": (cut(50 * PAGE), "truncated"),
    "cut in a page": (cut(50 * PAGE + 1), "truncated"),
    "cut in its head": (cut(60), "truncated"),
    "text": (fill_with_text, "not_sqlite"),
    "empty": (cut(0), "foreign"),
    "other tables": (fill_with_other_tables, "foreign"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_kind_of_damage_has_its_own_state_and_nothing_is_written(
    name: str, database: Path, library_at: LibraryAt
) -> None:
    breaks, state = BROKEN[name]
    breaks(database)
    before = stamp(database)
    answers = ask_everything(library_at(database))
    refusals = [one for one in answers if isinstance(one, BrokenDatabase)]
    assert {one.state for one in refusals} == {state}
    # Where the data itself is damaged, what does not touch the damage is still shown.
    assert len(refusals) == len(answers) or state == "corrupt"
    assert isinstance(library_at(database).search("桂林", limit=1_000), BrokenDatabase)
    assert stamp(database) == before


def test_every_state_has_a_message_of_its_own() -> None:
    states = {state for _, state in BROKEN.values()} | {"no_permission", "read_only_folder"}
    assert states == set(STATES)
    said = [say(BrokenDatabase("P", state, "D")) for state in states]
    said += [say(Locked("P", 1)), say(NotFound("database", "P"))]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("table", "notice"),
    [
        ("messages_fts_data", "word_broken"),
        ("messages_fts_idx", "word_broken"),
        ("messages_fts_docsize", "word_broken"),
        ("messages_fts_trigram_data", "trigram_broken"),
        ("messages_fts_trigram_idx", "trigram_broken"),
    ],
)
def test_a_broken_index_is_said_and_gone_around(
    table: str, notice: str, database: Path, library_at: LibraryAt
) -> None:
    whole = library_at(shutil.copy(database, database.with_name("whole.db")))
    spoil(table)(database)
    before = stamp(database)
    library = library_at(database)
    noticed: set[str] = set()
    for typed in (
        "release",
        '"release checklist"',
        "chat-send",
        "大别山项目",
        "桂林",
        "zebra",
        "re*",
    ):
        expected, found = (one.search(typed, limit=1_000) for one in (whole, library))
        assert isinstance(expected, Found)
        assert isinstance(found, Found)
        assert expected.hits
        assert {one.message_id for one in found.hits} == {one.message_id for one in expected.hits}
        assert found.hidden == expected.hidden
        assert found.complete
        noticed |= set(found.notices)
    assert noticed == {notice}
    assert isinstance(library.conversation("20261029_110000_ffff02"), Conversation)
    assert stamp(database) == before


def test_a_search_without_any_index_finds_the_same(database: Path, library_at: LibraryAt) -> None:
    whole = library_at(shutil.copy(database, database.with_name("whole.db")))
    with sqlite3.connect(database) as connection:
        for index in ("messages_fts", "messages_fts_trigram"):
            for event in ("insert", "delete", "update"):
                connection.execute(f"DROP TRIGGER {index}_{event}")
            connection.execute(f"DROP TABLE {index}")
    connection.close()
    library = library_at(database)
    for typed in ("release", "大别山项目", "桂林", "zebra", "grep AND 项目", "a", "VPN NOT 断线"):
        expected, found = (one.search(typed, limit=1_000) for one in (whole, library))
        assert isinstance(expected, Found)
        assert isinstance(found, Found)
        assert {one.message_id for one in expected.hits} <= {one.message_id for one in found.hits}
        assert found.ways == ("scan",)
        assert found.notices == ("no_word_index", "no_trigram")


def test_an_index_that_is_behind_is_not_believed(database: Path, library_at: LibraryAt) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("DROP TRIGGER messages_fts_insert")
        connection.execute(
            "INSERT INTO messages(session_id, role, content, timestamp)"
            " VALUES ('20261031_150000_gggg01', 'user', 'a lonely wombat', 1.0)"
        )
    connection.close()
    found = library_at(database).search("wombat")
    assert isinstance(found, Found)
    assert len(found.hits) == 1
    assert found.notices == ("word_behind",)


def test_a_missing_database_is_empty_and_none_is_made(
    tmp_path: Path, library_at: LibraryAt
) -> None:
    library = library_at(tmp_path / "state.db")
    assert library.listing() == Listing(state="absent")
    found = library.search("anything")
    assert isinstance(found, Found)
    assert found.hits == ()
    assert isinstance(library.counts(), NotFound)
    assert library.conversation("x") == NotFound("session", "x")
    assert library.near(1.0) == ()
    assert library.open_sessions(1.0) == ()
    assert list(tmp_path.iterdir()) == []
    assert isinstance(library_at(tmp_path / "no" / "state.db").counts(), NotFound)


def test_a_folder_in_its_place_is_no_database(tmp_path: Path, library_at: LibraryAt) -> None:
    (tmp_path / "state.db").mkdir()
    found = library_at(tmp_path / "state.db").counts()
    assert isinstance(found, BrokenDatabase)
    assert found.state == "not_sqlite"


# -- beside others -----------------------------------------------------------------------------


def test_a_writer_in_the_middle_does_not_hold_a_reader_up(
    database: Path, library: SessionLibrary
) -> None:
    with sqlite3.connect(database) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE messages SET content = 'zanzibar' WHERE id = 5")
        assert isinstance(library.counts(), Counts)
        found = library.search("zanzibar")
        assert isinstance(found, Found)
        assert not found.hits
        writer.commit()
        found = library.search("zanzibar")
        assert isinstance(found, Found)
        assert [one.message_id for one in found.hits] == [5]
    writer.close()


def test_a_database_that_another_keeps_to_itself_is_locked(
    database: Path, library: SessionLibrary
) -> None:
    writer = sqlite3.connect(database)
    writer.execute("PRAGMA locking_mode = EXCLUSIVE")
    writer.execute("BEGIN EXCLUSIVE")
    writer.execute("UPDATE messages SET content = 'x' WHERE id = 5")
    before = database.stat().st_size
    for answer in ask_everything(library):
        assert answer == Locked(str(database), 0.2)
    assert database.stat().st_size == before
    writer.rollback()
    writer.close()
    assert isinstance(library.counts(), Counts)


def test_what_a_dead_writer_left_in_its_wal_is_seen_and_stays(
    database: Path, library_at: LibraryAt, tmp_path: Path
) -> None:
    writer = sqlite3.connect(database)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("UPDATE messages SET content = 'zanzibar' WHERE id = 5")
    writer.commit()
    dead = tmp_path / "dead"
    dead.mkdir()
    for ending in ("", "-wal"):  # as a crash leaves them
        shutil.copy(f"{database}{ending}", dead / f"state.db{ending}")
    writer.close()
    before = stamp(dead / "state.db"), stamp(dead / "state.db-wal")
    library = library_at(dead / "state.db")
    found = library.search("zanzibar")
    assert isinstance(found, Found)
    assert [one.message_id for one in found.hits] == [5]
    library.close()
    assert (stamp(dead / "state.db"), stamp(dead / "state.db-wal")) == before


def test_a_sound_database_is_never_written(database: Path, library: SessionLibrary) -> None:
    before = stamp(database)
    folder = set(database.parent.iterdir())
    for answer in ask_everything(library):
        assert not isinstance(answer, NotFound | Locked | BrokenDatabase)
    library.close()
    assert stamp(database) == before
    assert {one.name for one in set(database.parent.iterdir()) - folder} <= {
        "state.db-wal",
        "state.db-shm",
    }


def test_a_database_that_was_replaced_is_read_anew(
    database: Path, library: SessionLibrary, tmp_path: Path
) -> None:
    assert isinstance(library.counts(), Counts)
    other = tmp_path / "other.db"
    shutil.copy(database, other)
    with sqlite3.connect(other) as connection:
        connection.execute("DELETE FROM messages WHERE id > 100")
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    os.replace(other, database)
    for ending in ("-wal", "-shm"):
        database.with_name(f"state.db{ending}").unlink(missing_ok=True)
    found = library.counts()
    assert isinstance(found, Counts)
    assert found.messages == 100


# -- closed to us ------------------------------------------------------------------------------

ASK = """
import sys
from pathlib import Path
from gui.words import say
from store.sessions.library import SessionLibrary
from store.refusals import REFUSALS
library = SessionLibrary(Path(sys.argv[1]))
for answer in (library.counts(), library.search("release"), library.listing()):
    known = isinstance(answer, REFUSALS)
    print(getattr(answer, "state", type(answer).__name__) if known else "ok")
library.close()
"""


def asked(unprivileged: Unprivileged, path: Path) -> set[str]:
    ran = unprivileged.run_python(ASK, path)
    assert ran.stderr == ""
    return set(ran.stdout.split())


@pytest.fixture
def home(unprivileged: Unprivileged, fixture_home: Path) -> Path:
    return unprivileged.take_copy(fixture_home)


def test_a_folder_that_may_not_be_written_is_said(unprivileged: Unprivileged, home: Path) -> None:
    before = stamp(home / "state.db")
    home.chmod(0o500)
    assert asked(unprivileged, home / "state.db") == {"read_only_folder"}
    home.chmod(0o700)
    assert stamp(home / "state.db") == before
    assert not (home / "state.db-shm").exists()


def test_a_folder_that_may_not_be_written_is_read_beside_the_agent(
    unprivileged: Unprivileged, home: Path
) -> None:
    with sqlite3.connect(home / "state.db") as agent:
        agent.execute("UPDATE messages SET content = 'zanzibar' WHERE id = 5")
        agent.commit()
        unprivileged.give(home)
        home.chmod(0o500)
        assert asked(unprivileged, home / "state.db") == {"ok"}
        home.chmod(0o700)
    agent.close()


def test_a_file_that_may_not_be_read_is_said(unprivileged: Unprivileged, home: Path) -> None:
    (home / "state.db").chmod(0)
    unprivileged.assert_cannot_read(home / "state.db")
    assert asked(unprivileged, home / "state.db") == {"no_permission"}
    (home / "state.db").chmod(0o600)
    home.chmod(0)
    assert asked(unprivileged, home / "state.db") == {"no_permission"}
    home.chmod(0o700)


def test_a_file_that_may_not_be_written_is_read(unprivileged: Unprivileged, home: Path) -> None:
    (home / "state.db").chmod(0o444)
    before = stamp(home / "state.db")
    assert asked(unprivileged, home / "state.db") == {"ok"}
    assert stamp(home / "state.db") == before


# -- other versions ----------------------------------------------------------------------------


def test_an_old_schema_is_read_without_what_it_lacks(database: Path, library_at: LibraryAt) -> None:
    old = database.with_name("old.db")
    with sqlite3.connect(old) as connection:
        connection.executescript(
            """
            CREATE TABLE schema_version(version INTEGER NOT NULL);
            INSERT INTO schema_version VALUES (5);
            CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, started_at REAL);
            CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT,
                content TEXT, timestamp REAL);
            INSERT INTO sessions VALUES ('one', 'cli', 100.0);
            INSERT INTO messages VALUES (1, 'one', 'user', '去桂林', 101.0);
            INSERT INTO messages VALUES (2, 'one', 'assistant', 'A release', 102.0);
            """
        )
    connection.close()
    library = library_at(old)
    for answer in ask_everything(library):
        assert not isinstance(answer, BrokenDatabase)
    for typed, ids in (("桂林", [1]), ("release", [2])):
        found = library.search(typed)
        assert isinstance(found, Found)
        assert [one.message_id for one in found.hits] == ids
        assert set(found.notices) == {"older", "no_word_index", "no_trigram"}
    listing = library.listing()
    assert isinstance(listing, Listing)
    (session,) = listing.sessions
    assert (session.id, session.messages, session.turns, session.archived) == ("one", 2, 1, False)


NEWER = """
DROP TRIGGER messages_fts_insert; DROP TRIGGER messages_fts_delete;
DROP TRIGGER messages_fts_update; DROP TRIGGER messages_fts_trigram_insert;
DROP TRIGGER messages_fts_trigram_delete; DROP TRIGGER messages_fts_trigram_update;
DROP TABLE messages_fts; DROP TABLE messages_fts_trigram;
UPDATE schema_version SET version = 30;
CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT);
ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT;
ALTER TABLE sessions ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions DROP COLUMN system_prompt;
ALTER TABLE messages ADD COLUMN display_kind TEXT;
INSERT INTO system_prompts VALUES ('h', 'You are. BLOCK NOW');
UPDATE sessions SET system_prompt_hash = 'h' WHERE id = '20261031_150000_gggg01';
CREATE VIEW messages_fts_src AS SELECT id, coalesce(content, '') AS content,
    coalesce(tool_name, '') AS tool_name, coalesce(tool_calls, '') AS tool_calls FROM messages;
CREATE VIEW messages_trigram_src AS SELECT id, coalesce(content, '') AS content,
    coalesce(tool_name, '') AS tool_name FROM messages WHERE role <> 'tool';
CREATE VIRTUAL TABLE messages_fts USING fts5(content, tool_name, tool_calls,
    content='messages_fts_src', content_rowid='id');
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(content, tool_name,
    content='messages_trigram_src', content_rowid='id', tokenize='trigram');
INSERT INTO messages_fts(messages_fts) VALUES ('rebuild');
INSERT INTO messages_fts_trigram(messages_fts_trigram) VALUES ('rebuild');
CREATE VIRTUAL TABLE messages_fts_cjk USING fts5(content);
"""


def test_the_newer_layout_is_read_and_searched(database: Path, library_at: LibraryAt) -> None:
    whole = library_at(shutil.copy(database, database.with_name("whole.db")))
    newer = Path(shutil.copy(database, database.with_name("newer.db")))
    with sqlite3.connect(newer) as connection:
        connection.executescript(NEWER)
    connection.close()
    library = library_at(newer)
    for typed in (
        "release",
        "大别山项目",
        "桂林",
        "数据库索引",
        "zebra",
        "grep",
        "chat-send",
        "youer",
    ):
        expected, found = (one.search(typed, limit=1_000) for one in (whole, library))
        assert isinstance(expected, Found)
        assert isinstance(found, Found)
        assert {one.message_id for one in expected.hits} <= {one.message_id for one in found.hits}
        assert found.notices == ("newer",)
    sessions = library.open_sessions(9e9, blocks=["BLOCK NOW"])
    assert isinstance(sessions, tuple)
    older = {one.id: one.older for one in sessions}
    assert older.pop("20261031_150000_gggg01") is False, "its prompt holds what there is now"
    assert all(older.values())


def test_every_notice_has_a_sentence() -> None:
    assert set(NOTICES) == {
        *("newer", "older", "no_word_index", "no_trigram"),
        *("word_broken", "trigram_broken", "word_behind", "trigram_behind"),
    }
