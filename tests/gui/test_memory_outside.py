"""The agent, an editor or another desk writes while the Memory page is open."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.widgets.bars import ConflictBar
from gui.widgets.texts import DiffView
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent


@pytest.fixture
def memory(hermes_home: Path) -> Path:
    return hermes_home / "memories" / "MEMORY.md"


def conflict(desk: MemoryDriver) -> ConflictBar:
    return desk.editor("memory").conflict


def edit_and_replace(desk: MemoryDriver, memory: Path, *entries: str) -> None:
    """Type into the first entry, then let the agent write, and wait until the page has seen it."""
    editor = desk.edit("memory", entries_of(memory)[0])
    desk.type_over(editor, "mine")
    write_as_agent(memory, *entries)
    desk.wait(lambda: desk.texts("memory")[-1] == entries[-1], "the page to see the new file")


def test_what_the_agent_adds_shows_at_once_and_nothing_jumps(
    start: Start, empty_home: Path
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    many = [f"entry number {number}, long enough to be seen" for number in range(60)]
    write_as_agent(path, *many)
    desk = start(empty_home)
    cards = desk.choose("memory", many[30])
    index = cards.card_model().index_of((many[20], 0))
    cards.scrollTo(index, cards.ScrollHint.PositionAtTop)
    place = cards.visualRect(index).top()
    write_as_agent(path, "a new first entry", *many[:25], *many[26:], "a new last entry")
    desk.wait(lambda: "a new last entry" in desk.texts("memory"), "the new entry")
    current = cards.current_card()
    assert current is not None
    assert current.text == many[30]
    moved = cards.card_model().index_of((many[20], 0))
    assert cards.visualRect(moved).top() == place


def test_an_edit_stays_when_another_entry_changes_and_saving_keeps_both(
    desk: MemoryDriver, memory: Path
) -> None:
    first, *rest = entries_of(memory)
    edit_and_replace(desk, memory, first, *rest, "from the agent")
    editor = desk.editor("memory")
    assert editor.text() == "mine"
    assert not conflict(desk).isVisible()
    desk.save(editor)
    desk.wait(lambda: desk.column("memory").editor() is None, "the save")
    assert entries_of(memory) == ["mine", *rest, "from the agent"]


def test_an_entry_changed_under_an_edit_can_be_kept_mine(desk: MemoryDriver, memory: Path) -> None:
    _, *rest = entries_of(memory)
    edit_and_replace(desk, memory, "theirs", *rest[:-1], "last, changed too")
    desk.wait(lambda: conflict(desk).isVisible(), "the conflict bar")
    desk.click("entry_conflict_keep")
    assert desk.editor("memory").text() == "mine"
    desk.save(desk.editor("memory"))
    desk.wait(lambda: desk.column("memory").editor() is None, "the save")
    assert entries_of(memory) == ["mine", *rest[:-1], "last, changed too"]


def test_an_entry_changed_under_an_edit_can_be_reloaded_and_mine_had_back(
    desk: MemoryDriver, memory: Path
) -> None:
    _, *rest = entries_of(memory)
    edit_and_replace(desk, memory, "theirs", *rest[:-1], "last, changed too")
    desk.wait(lambda: conflict(desk).isVisible(), "the conflict bar")
    desk.click("entry_conflict_reload")
    assert desk.editor("memory").text() == "theirs"
    desk.press_toast()
    assert desk.editor("memory").text() == "mine"
    desk.save(desk.editor("memory"))
    desk.wait(lambda: entries_of(memory)[0] == "mine", "the save over theirs")


def test_both_versions_can_be_compared(desk: MemoryDriver, memory: Path) -> None:
    _, *rest = entries_of(memory)
    edit_and_replace(desk, memory, "theirs", *rest[:-1], "last, changed too")
    desk.wait(lambda: conflict(desk).isVisible(), "the conflict bar")
    desk.click("entry_conflict_compare")
    assert desk.find(DiffView, "compare_diff").text() == "- theirs\n+ mine"
    desk.click("compare_close")


def test_an_entry_removed_under_an_edit_loses_no_word(desk: MemoryDriver, memory: Path) -> None:
    _, *rest = entries_of(memory)
    edit_and_replace(desk, memory, *rest[:-1], "last, changed too")
    desk.wait(lambda: conflict(desk).isVisible(), "the conflict bar")
    assert desk.editor("memory").text() == "mine"
    desk.click("entry_conflict_keep")
    desk.save(desk.editor("memory"))
    desk.wait(lambda: "mine" in entries_of(memory), "the entry written anew")
    assert entries_of(memory) == [*rest[:-1], "last, changed too", "mine"]


def test_a_change_between_seeing_and_saving_is_a_conflict_and_not_a_loss(
    desk: MemoryDriver, memory: Path
) -> None:
    _, *rest = entries_of(memory)
    editor = desk.edit("memory", entries_of(memory)[0])
    desk.type_over(editor, "mine")
    desk.program.place.watch.hold([memory])  # the watch has not told yet
    write_as_agent(memory, "theirs", *rest)
    desk.save(editor)
    desk.wait(lambda: conflict(desk).isVisible(), "the conflict bar")
    assert desk.editor("memory").text() == "mine"
    assert entries_of(memory) == ["theirs", *rest]


def test_an_edit_survives_the_file_going_away_and_coming_back(
    desk: MemoryDriver, memory: Path
) -> None:
    before = entries_of(memory)
    editor = desk.edit("memory", before[0])
    desk.type_over(editor, "mine")
    memory.unlink()
    desk.wait(lambda: conflict(desk).isVisible(), "the conflict bar")
    write_as_agent(memory, *before)
    desk.wait(lambda: not conflict(desk).isVisible(), "the conflict to end")
    assert desk.editor("memory").text() == "mine"
    desk.save(desk.editor("memory"))
    desk.wait(lambda: entries_of(memory) == ["mine", *before[1:]], "the save")


def test_the_footer_tells_of_a_change_from_outside(desk: MemoryDriver, memory: Path) -> None:
    assert desk.window.footer.agent_text() == "", "no Hermes is found: nothing to say of its agent"
    write_as_agent(memory, "only this")
    desk.wait(lambda: "just now" in desk.window.footer.agent_text(), "the footer")
