"""A person tidies up by keyboard: merges, moves and splits entries, and finds one elsewhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent
from tests.support.desks import joined

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


def take_back(desk: MemoryDriver, path: Path, before: bytes) -> None:
    desk.keys(desk.window, Qt.Key.Key_Z, CTRL)
    desk.wait(lambda: path.read_bytes() == before, "the undo")
    desk.rest()


def test_entries_in_quantity_by_keyboard_alone(start: Start, hermes_home: Path) -> None:
    memory = hermes_home / "memories" / "MEMORY.md"
    user = hermes_home / "memories" / "USER.md"
    other = hermes_home / "profiles" / "work" / "memories" / "MEMORY.md"
    other.parent.mkdir(parents=True, exist_ok=True)
    write_as_agent(other, "nothing here", "The plotter is called zinnia")
    desk = start(hermes_home)
    desk.rest()
    before, users, texts = memory.read_bytes(), user.read_bytes(), entries_of(memory)
    cards = desk.cards("memory")

    # Three entries are chosen and merged; the budget goes along while they are edited.
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    chosen = desk.page.chosen
    assert chosen is not None
    chars = sum(map(len, texts[:3]))
    assert chosen.words() == f"3 entries chosen — {chars} chars"
    desk.keys(cards, Qt.Key.Key_J, CTRL)
    editor = desk.editor("memory")
    assert editor.text() == "\n".join(texts[:3])
    assert "→" in desk.column("memory").meter.numbers()
    assert chosen.words() == ""
    desk.save(editor)
    merged = joined("\n".join(texts[:3]), *texts[3:])
    desk.wait(lambda: memory.read_bytes() == merged, "the merge")
    desk.rest()
    assert desk.toast() == "Entries merged in Agent memory."
    take_back(desk, memory, before)

    # Two that do not stand together are moved.
    desk.choose("memory", texts[0])
    desk.keys(cards, Qt.Key.Key_Space, CTRL)
    desk.keys(cards, Qt.Key.Key_Down)
    desk.keys(cards, Qt.Key.Key_Down)
    desk.keys(cards, Qt.Key.Key_Space, CTRL)
    desk.keys(cards, Qt.Key.Key_M, CTRL)
    moved = joined(*texts[1:2], *texts[3:])
    desk.wait(lambda: memory.read_bytes() == moved, "the move")
    desk.rest()
    assert user.read_bytes() == users + joined("", texts[0], texts[2])
    assert desk.toast() == "2 entries moved to User profile."
    take_back(desk, memory, before)
    assert user.read_bytes() == users

    # One is split at the cursor.
    editor = desk.edit("memory", texts[1])
    editor.field.moveCursor(QTextCursor.MoveOperation.Start)
    desk.keys(editor.field, Qt.Key.Key_Return, ALT)
    assert "one would be empty" in editor.problem()
    editor.field.moveCursor(QTextCursor.MoveOperation.NextWord)
    head, tail = editor.parts()
    whole = len("\n§\n".join([texts[0], head.strip(), tail.strip(), *texts[2:]]))
    assert f"Split here: {len(head.strip())} + {len(tail.strip())} chars" in editor.usage()
    assert f" — {whole}/2,200 chars" in editor.usage()
    desk.keys(editor.field, Qt.Key.Key_Return, ALT)
    parts = joined(texts[0], head.strip(), tail.strip(), *texts[2:])
    desk.wait(lambda: memory.read_bytes() == parts, "the split")
    desk.rest()
    take_back(desk, memory, before)

    # An entry of another profile is found, and leads there.
    desk.keys(desk.window, Qt.Key.Key_K, CTRL)
    desk.qtbot.keyClicks(desk.window.search, "zinnia")
    desk.wait(lambda: desk.sees("search_elsewhere"), "the offer")
    desk.keys(desk.window, Qt.Key.Key_F, CTRL | SHIFT)
    desk.wait(lambda: desk.sees("elsewhere_cards"), "the entry")
    elsewhere = desk.page.elsewhere
    assert elsewhere is not None
    assert elsewhere.words() == "1 entry in other profiles."
    assert elsewhere.list.card_model().cards[0].spoken().startswith("work Agent memory, ")
    elsewhere.list.take_focus()
    desk.keys(desk.find(QWidget, "elsewhere_cards"), Qt.Key.Key_Return)
    desk.wait(lambda: desk.texts("memory") == entries_of(other), "the other profile")
    desk.rest()
    current = cards.current_card()
    assert current is not None
    assert current.text == "The plotter is called zinnia"
    assert desk.window.side.profiles.currentText() == "work"
    assert memory.read_bytes() == before
