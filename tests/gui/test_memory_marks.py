"""Cards of the Memory page tell quietly what is advised about their entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.models.cards import Mark
from gui.pages import memory_marks
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, card_point, entries_of, write_as_agent

KEPT = "Prefers answers in Simplified Chinese with English technical terms"
PROGRESS = "Currently debugging the flaky upload test"
TODO = "TODO: write the tests for the parser by 2026-03-01"
STAGING = "The staging server is called larch and stands in Frankfurt"
AGAIN = "The staging server larch stands in Frankfurt, called larch"


def marks(desk: MemoryDriver, target: str = "memory") -> dict[str, Mark]:
    cards = desk.cards(target).card_model().cards  # type: ignore[arg-type]
    return {card.text: one for card in cards for one in card.meta if isinstance(one, Mark)}


def started(start: Start, home: Path, *entries: str) -> MemoryDriver:
    write_as_agent(home / "memories" / "MEMORY.md", *entries)
    desk = start(home)
    desk.rest()
    return desk


def test_an_entry_of_which_something_is_advised_has_a_quiet_mark(
    start: Start, empty_home: Path
) -> None:
    desk = started(start, empty_home, KEPT, PROGRESS, TODO, STAGING, AGAIN)
    desk.wait(lambda: bool(marks(desk)), "the marks")
    found = marks(desk)
    assert {text: one.text for text, one in found.items()} == {
        PROGRESS: "reads like task progress",
        TODO: "something to do",
        AGAIN: "near-duplicate",
    }
    assert {one.tone for one in found.values()} == {"plain"}
    assert "something to know. Its date has passed" in found[TODO].tip
    assert STAGING in found[AGAIN].tip


def test_a_mark_goes_when_its_entry_changes(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    desk = started(start, empty_home, KEPT, PROGRESS)
    desk.wait(lambda: PROGRESS in marks(desk), "the mark")
    editor = desk.edit("memory", PROGRESS)
    desk.type_over(editor, "The upload test is flaky on Mondays")
    desk.save(editor)
    desk.rest()
    assert entries_of(path) == [KEPT, "The upload test is flaky on Mondays"]
    assert marks(desk) == {}


def test_the_mark_of_a_pair_goes_with_the_other_one(start: Start, empty_home: Path) -> None:
    desk = started(start, empty_home, KEPT, STAGING, AGAIN)
    desk.wait(lambda: AGAIN in marks(desk), "the mark")
    write_as_agent(empty_home / "memories" / "MEMORY.md", KEPT, AGAIN)
    desk.wait(lambda: STAGING not in desk.texts("memory"), "the change")
    desk.wait(lambda: marks(desk) == {}, "the mark to be gone")
    desk.rest()


def test_very_many_entries_have_no_marks(
    start: Start, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_marks, "MOST_ENTRIES", 2)
    desk = started(start, empty_home, KEPT, PROGRESS)
    desk.wait(lambda: PROGRESS in marks(desk), "the mark")
    write_as_agent(empty_home / "memories" / "MEMORY.md", KEPT, PROGRESS, TODO)
    desk.wait(lambda: TODO in desk.texts("memory"), "the change")
    desk.rest()
    desk.wait(lambda: marks(desk) == {}, "the marks to be left out")


def test_marks_that_come_leave_the_buttons_under_the_mouse(start: Start, empty_home: Path) -> None:
    desk = started(start, empty_home, KEPT, PROGRESS, TODO)
    desk.wait(lambda: PROGRESS in marks(desk), "the marks")
    cards, column = desk.cards("memory"), desk.column("memory")
    column.dress(None, name="marks")
    # Given by hand: the mouse of the screen need not move for it.
    cards._pointer = card_point(cards, 2)
    cards._hover(cards.indexAt(cards._pointer))
    assert desk.page._marks is not None
    desk.page._marks.read()
    desk.wait(lambda: PROGRESS in marks(desk), "the marks again")
    assert cards._hovered.row() == 2
