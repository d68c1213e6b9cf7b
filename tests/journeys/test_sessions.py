"""From a phrase that was once said to a memory, and from a memory back to where it was said."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.gui.conftest import Start
from tests.gui.driver import entries_of
from tests.gui.sessions_driver import SessionsDriver

PHRASE = "索引优化"


def test_a_chinese_phrase_is_found_read_in_its_place_and_made_an_entry(
    start: Start, hermes_home: Path
) -> None:
    desk = start(hermes_home)
    page = SessionsDriver(desk)
    page.search(PHRASE)
    assert page.hits()

    # Down into the hits, and with Enter into the conversation, at the place.
    desk.keys(desk.window.search, Qt.Key.Key_Return)
    desk.wait(page.page.hits.hasFocus, "the hits to have the keyboard")
    desk.keys(page.page.hits, Qt.Key.Key_Return)
    desk.wait(page.page.reader.list.hasFocus, "the conversation to have the keyboard")
    said = page.current_message()
    assert PHRASE in said

    # It is worth remembering, in fewer words.
    page.press(Qt.Key.Key_M)
    desk.wait(lambda: desk.window._current == "memory", "the Memory page")
    desk.rest()
    editor = desk.editor("memory")
    assert editor.text() == said.strip()
    editor.field.selectAll()
    QApplication.clipboard().setText("数据库索引优化：先确认环境，再运行脚本")
    desk.keys(editor.field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    desk.save(editor)
    desk.rest()
    memory = hermes_home / "memories" / "MEMORY.md"
    assert entries_of(memory)[-1] == "数据库索引优化：先确认环境，再运行脚本"


def test_an_entry_leads_to_the_messages_around_the_time_it_was_written(
    start: Start, hermes_home: Path
) -> None:
    fact = "The staging database moved to host zebra-7"
    desk = start(hermes_home)
    desk.page._begin_add()
    editor = desk.editor(desk.page._used)
    desk.type_over(editor, fact)
    desk.save(editor)
    desk.rest()
    _say(hermes_home / "state.db", "we moved the staging database yesterday", time.time() - 90)

    desk.act(desk.page._used, "origin")
    page = SessionsDriver(desk)
    desk.wait(lambda: "come from" in desk.text("session_title"), "the origin")
    desk.rest()
    assert "nearest" in desk.text("session_about")
    spoken = [card.spoken() for card in page.page.reader.list.card_model().cards]
    assert any("we moved the staging database" in one and "before" in one for one in spoken)


def _say(database: Path, text: str, at: float) -> None:
    """Let somebody have said something, as the agent would have kept it."""
    with sqlite3.connect(database) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(messages)")]
        row = connection.execute("SELECT * FROM messages WHERE role = 'user'").fetchone()
        message = dict(zip(names, row, strict=True))
        message |= {"content": text, "timestamp": at}
        message.pop("id")
        marks = ",".join("?" * len(message))
        connection.execute(
            f"INSERT INTO messages ({','.join(message)}) VALUES ({marks})",
            tuple(message.values()),
        )
    connection.close()
