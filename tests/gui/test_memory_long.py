"""Memory files of thousands of entries, in the real window: the first are seen, all are found."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from gui.models.cards import MORE, SHOWN
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of
from tests.support.held import Held

COUNT = 1_000
FROZEN = 2_000.0
"""Milliseconds after which a person would take the window for dead, however busy the machine."""


def home_with(home: Path, entries: list[str]) -> Path:
    path = home / "memories" / "MEMORY.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n§\n".join(entries), encoding="utf-8", newline="")
    (home / "config.yaml").write_text("memory:\n  memory_char_limit: 10000000\n")
    return path


@pytest.fixture
def path(empty_home: Path) -> Path:
    return home_with(empty_home, [f"entry number {number}" for number in range(COUNT)])


@pytest.fixture
def desk(start: Start, empty_home: Path, path: Path) -> MemoryDriver:
    return start(empty_home)


def test_the_last_card_brings_more(desk: MemoryDriver) -> None:
    assert len(desk.texts("memory")) == SHOWN + 1
    assert desk.texts("memory")[-1] == f"{COUNT - SHOWN:,} more; Enter shows some."
    cards = desk.cards("memory")
    assert cards.choose(MORE)
    desk.keys(cards, Qt.Key.Key_Return)
    assert desk.texts("memory")[SHOWN] == f"entry number {SHOWN}"
    cards.choose(MORE)
    desk.keys(cards, Qt.Key.Key_Return)
    assert desk.texts("memory") == [f"entry number {number}" for number in range(COUNT)]


def test_the_card_that_brings_more_is_no_entry(desk: MemoryDriver, path: Path) -> None:
    before = path.read_bytes()
    desk.cards("memory").choose(MORE)
    for action in ("delete", "move", "up", "copy"):
        desk.act("memory", action)
    desk.rest()
    assert path.read_bytes() == before
    assert len(desk.texts("memory")) == SHOWN + 1


def test_the_search_finds_entries_that_are_not_shown(desk: MemoryDriver) -> None:
    desk.qtbot.keyClicks(desk.window.search, "number 99")
    desk.wait(lambda: len(desk.texts("memory")) == 11, "the entries")
    assert desk.texts("memory")[-1] == "entry number 999"


def test_a_search_that_finds_hundreds_shows_the_first(desk: MemoryDriver) -> None:
    desk.qtbot.keyClicks(desk.window.search, "entry")
    desk.wait(lambda: desk.texts("memory")[-1] == "There are more; Enter shows some.", "the card")
    assert len(desk.texts("memory")) == SHOWN + 1


def test_an_entry_far_down_is_edited(desk: MemoryDriver, path: Path) -> None:
    editor = desk.edit("memory", f"entry number {COUNT - 10}")
    desk.type_over(editor, "better")
    desk.save(editor)
    desk.wait(lambda: "better" in entries_of(path), "the change")
    desk.rest()
    assert entries_of(path)[COUNT - 10] == "better"
    current = desk.cards("memory").current_card()
    assert current is not None
    assert current.text == "better"


def test_entries_that_say_the_same_keep_apart(start: Start, empty_home: Path) -> None:
    path = home_with(empty_home, ["one", "two", "one", *map(str, range(500))])
    desk = start(empty_home)
    cards = desk.cards("memory")
    keys = [card.key for card in cards.card_model().cards[:3]]
    assert keys == [("one", 0), ("two", 0), ("one", 1)]
    cards.choose(("one", 1))
    desk.keys(cards, Qt.Key.Key_Return)
    desk.type_over(desk.editor("memory"), "three")
    desk.save(desk.editor("memory"))
    desk.wait(lambda: "three" in entries_of(path), "the change")


def test_fifty_thousand_entries_open_without_freezing_the_window(
    start: Start, empty_home: Path
) -> None:
    home_with(empty_home, [f"Entry {n} says that something {n * 7} holds." for n in range(50_000)])
    held = Held()
    desk = start(empty_home)
    held.until(lambda: not desk.program.tasks.busy, "the Memory page")
    held.do("more", lambda: desk.cards("memory").opened.emit(MORE))
    held.until(desk.cards("memory").is_laid_out, "the cards")
    assert desk.texts("memory")[-1] == f"{50_000 - 2 * SHOWN:,} more; Enter shows some."
    assert held.longest[0] < FROZEN, held.longest
