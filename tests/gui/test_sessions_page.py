"""The Sessions page: the list, searching as one types, reading, and remembering."""

from __future__ import annotations

import shutil
import sqlite3
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from gui.pages.sessions import Origin
from tests.gui.belongs_driver import BelongsDriver
from tests.gui.conftest import Start
from tests.gui.sessions_driver import SessionsDriver


@pytest.fixture
def sessions(start: Start, hermes_home: Path) -> SessionsDriver:
    return SessionsDriver(start(hermes_home))


def test_conversations_are_listed_and_the_first_is_shown(sessions: SessionsDriver) -> None:
    assert "Compacted in place" in sessions.titles()
    assert sessions.messages()
    assert sessions.desk.text("session_title") == sessions.titles()[0]


def test_a_chinese_phrase_is_found_and_leads_to_its_place(sessions: SessionsDriver) -> None:
    sessions.search("索引优化")
    assert sessions.hits()
    assert all("索引优化" in text for text in sessions.hits())
    assert "索引优化" in sessions.current_message()


def test_what_a_person_may_type_is_never_wrong(sessions: SessionsDriver) -> None:
    for text in ('"', "AND", "a OR", "(", "*", "NOT", "字", "%"):
        sessions.page.search(text)
        sessions.desk.rest()
        assert not sessions.desk.sees("fault")
    sessions.page.search("")
    assert sessions.page.list.isVisible()


def test_filters_narrow_a_search(sessions: SessionsDriver) -> None:
    sessions.search("数据库")
    every = len(sessions.hits())
    sessions.filter("source", "telegram")
    assert 0 < len(sessions.hits()) < every
    sessions.filter("role", "You")
    assert all(card.meta[0] == "You" for card in sessions.page.hits.card_model().cards)


def test_what_is_hidden_is_said_and_can_be_shown(sessions: SessionsDriver) -> None:
    for word in ("轮", "turn", "rewound"):
        sessions.page.search(word)
        sessions.desk.rest()
        if "taken back" in sessions.desk.text("search_hidden"):
            before = len(sessions.hits())
            sessions.desk.click("search_everything")
            sessions.desk.rest()
            marks = [card.spoken() for card in sessions.page.hits.card_model().cards]
            assert len(sessions.hits()) >= before
            assert not sessions.desk.sees("search_everything")
            assert any("taken back" in spoken for spoken in marks) or before == len(marks)
            return
    pytest.fail("nothing is hidden in the fixture")


def test_what_is_found_stands_together_by_conversation(sessions: SessionsDriver) -> None:
    sessions.search("release")
    results = sessions.page._results
    assert results is not None
    roots = [results.hits[str(card.key)].root for card in results.cards]
    assert len(set(roots)) > 2
    changes = sum(one != other for one, other in pairwise(roots))
    assert changes == len(set(roots)) - 1
    named = [root for root, card in zip(roots, results.cards, strict=True) if card.lead]
    assert named == list(dict.fromkeys(roots))


def test_a_search_that_is_left_is_over_and_the_list_is_back(sessions: SessionsDriver) -> None:
    sessions.search("release")
    sessions.desk.window.open_page("memory")
    sessions.desk.rest()
    sessions.desk.window.open_page("sessions")
    sessions.desk.rest()
    assert sessions.desk.window.search.text() == ""
    assert sessions.page.list.isVisible()


def test_in_another_profile_nothing_of_the_first_is_found(sessions: SessionsDriver) -> None:
    sessions.search("release")
    assert sessions.hits()
    chooser = sessions.desk.window.side.profiles
    chooser.setCurrentIndex(1)
    chooser.activated.emit(1)
    sessions.desk.wait(lambda: not sessions.hits(), "the other profile")
    sessions.desk.rest()
    assert sessions.hits() == []
    assert sessions.messages() == []


def test_what_a_tool_said_is_folded_until_it_is_opened(sessions: SessionsDriver) -> None:
    page = sessions.page
    tools = [message for message in page.reader._messages.values() if message.role == "tool"]
    assert tools
    page.reader.lead_to(tools[0].id)
    folded = sessions.current_message()
    sessions.act("unfold")
    assert sessions.current_message() == tools[0].text
    sessions.act("unfold")
    assert sessions.current_message() == folded


def test_a_message_becomes_an_entry_that_is_still_to_be_saved(
    sessions: SessionsDriver, hermes_home: Path
) -> None:
    before = (hermes_home / "memories" / "USER.md").read_bytes()
    text = sessions.messages()[0]
    sessions.page.reader.list.take_focus()
    sessions.act("remember_user")
    desk = sessions.desk
    desk.wait(lambda: desk.window._current == "memory", "the Memory page")
    desk.rest()
    editor = desk.editor("user")  # type: ignore[attr-defined]
    assert editor.text() == text
    assert (hermes_home / "memories" / "USER.md").read_bytes() == before


def test_a_message_is_asked_where_it_belongs(sessions: SessionsDriver) -> None:
    sessions.search("索引优化")
    text = sessions.current_message()
    sessions.act("belongs")
    page = BelongsDriver(sessions.desk)
    assert page.desk.text("belongs_text") == text
    assert page.suggested()
    page.desk.keys(page.page, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    sessions.desk.rest()
    assert sessions.desk.window._current == "sessions"


def test_an_entry_leads_to_what_was_said_when_it_was_written(sessions: SessionsDriver) -> None:
    desk = sessions.desk
    desk.program.place.page_wanted.emit("sessions", Origin("Printer queue atlas duplex"))
    desk.rest()
    assert "come from" in desk.text("session_title")
    assert desk.text("session_about")


def test_no_database_and_a_broken_one_have_their_own_words(
    start: Start, empty_home: Path, hermes_home: Path
) -> None:
    page = SessionsDriver(start(empty_home))
    assert page.desk.sees("no_sessions")
    assert not (empty_home / "state.db").exists()


def test_a_file_that_is_no_database_is_told(start: Start, empty_home: Path) -> None:
    (empty_home / "state.db").write_bytes(b"not a database, whatever its name says" * 100)
    page = SessionsDriver(start(empty_home))
    assert "no SQLite database" in page.desk.text("sessions_trouble_text")


def test_the_database_is_never_written(start: Start, hermes_home: Path) -> None:
    path = hermes_home / "state.db"
    before = sha256(path.read_bytes()).digest()
    page = SessionsDriver(start(hermes_home))
    page.search("数据库")
    assert sha256(path.read_bytes()).digest() == before


def test_a_conversation_that_came_meanwhile_is_there_when_the_page_is_opened_again(
    start: Start, hermes_home: Path
) -> None:
    page = SessionsDriver(start(hermes_home))
    count = len(page.titles())
    page.desk.window.open_page("memory")
    page.desk.rest()
    copy = hermes_home / "copy.db"
    shutil.copy(hermes_home / "state.db", copy)
    with sqlite3.connect(copy) as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(sessions)")]
        row = dict(zip(names, database.execute("SELECT * FROM sessions").fetchone(), strict=True))
        row |= {"id": "20991231_000000_abcdef", "title": None, "parent_session_id": None}
        marks = ",".join("?" * len(row))
        database.execute(
            f"INSERT INTO sessions ({','.join(row)}) VALUES ({marks})",
            tuple(row.values()),
        )
    database.close()
    for ending in ("-wal", "-shm"):
        (hermes_home / f"state.db{ending}").unlink(missing_ok=True)
    copy.replace(hermes_home / "state.db")
    page.desk.window.open_page("sessions")
    page.desk.wait(lambda: len(page.titles()) == count + 1, "the new conversation")


def test_the_footer_counts_open_sessions_that_carry_the_older_memory(
    start: Start, hermes_home: Path
) -> None:
    desk = start(hermes_home)
    desk.wait(lambda: "still carr" in desk.window.footer.agent_text(), "the count")
