"""Several entries are chosen on the Memory page, and what is done to them is one change."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from gui.models.cards import SHOWN
from gui.models.knowledge import MoveToNote
from gui.models.ticks import MOST_MERGED, MOST_TICKED
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, card_point, entries_of, write_as_agent
from tests.gui.knowledge_driver import KnowledgeDriver
from tests.gui.test_memory_long import home_with

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def memory(hermes_home: Path) -> Path:
    return hermes_home / "memories" / "MEMORY.md"


def chosen(desk: MemoryDriver) -> tuple[str, ...]:
    return desk.column("memory").choice.texts()


def words(desk: MemoryDriver) -> str:
    return "" if desk.page.chosen is None else desk.page.chosen.words()


def click(desk: MemoryDriver, row: int, modifier: Qt.KeyboardModifier, at: QPoint | None = None):  # type: ignore[no-untyped-def]
    cards = desk.cards("memory")
    where = at or card_point(cards, row)
    desk.qtbot.mouseClick(cards.viewport(), LEFT, modifier, where)


def test_cards_are_chosen_with_the_mouse(desk: MemoryDriver, memory: Path) -> None:
    texts = entries_of(memory)
    click(desk, 0, CTRL)
    click(desk, 2, CTRL)
    assert chosen(desk) == (texts[0], texts[2])
    click(desk, 1, Qt.KeyboardModifier.NoModifier)
    assert chosen(desk) == (texts[0], texts[2]), "a plain click only goes there"
    click(desk, 3, SHIFT)
    assert chosen(desk) == (texts[0], texts[2], texts[3]), "from the last one chosen on"
    click(desk, 1, SHIFT)
    assert chosen(desk) == tuple(texts[:3]), "the range takes the place of the range before"
    box = desk.cards("memory").visualRect(desk.cards("memory").card_model().index(1, 0))
    click(desk, 1, Qt.KeyboardModifier.NoModifier, QPoint(box.left() + 20, box.bottom() - 26))
    assert chosen(desk) == (texts[0], texts[2]), "its box alone lets go of a card"
    desk.click("chosen_end")
    assert (chosen(desk), words(desk)) == ((), "")
    assert desk.sees("card_memory_edit"), "the buttons of the card are back"


def test_cards_are_chosen_with_the_keyboard_and_it_is_heard(
    desk: MemoryDriver, memory: Path
) -> None:
    texts, cards = entries_of(memory), desk.cards("memory")
    model = cards.card_model()
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert model.data(model.index(0, 0), Qt.ItemDataRole.CheckStateRole) is None
    desk.keys(cards, Qt.Key.Key_Space, CTRL)
    assert chosen(desk) == (texts[0],)
    assert model.data(model.index(0, 0), spoken).startswith("chosen, ")
    assert model.data(model.index(1, 0), Qt.ItemDataRole.CheckStateRole) == (
        Qt.CheckState.Unchecked
    )
    merge = desk.column("memory").findChild(QAction, "memory_merge")
    assert merge is not None
    assert not merge.isEnabled(), "one alone is not merged"
    desk.keys(cards, Qt.Key.Key_A, CTRL)
    assert chosen(desk) == tuple(texts)
    desk.keys(cards, Qt.Key.Key_Escape)
    assert chosen(desk) == ()
    assert merge.text() == "Merge with the next"


def test_entries_of_one_file_are_chosen_at_a_time(desk: MemoryDriver) -> None:
    desk.keys(desk.cards("memory"), Qt.Key.Key_Space, CTRL)
    desk.cards("user").take_focus()
    desk.keys(desk.cards("user"), Qt.Key.Key_A, CTRL)
    assert chosen(desk) == ()
    assert words(desk).startswith(f"{len(desk.texts('user'))} entries chosen — ")


def test_what_is_chosen_is_deleted_as_one_change(desk: MemoryDriver, memory: Path) -> None:
    before = memory.read_bytes()
    texts, cards = entries_of(memory), desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_Delete)
    desk.wait(lambda: entries_of(memory) == texts[2:], "the deletion")
    desk.rest()
    assert desk.toast() == "2 entries deleted from Agent memory."
    assert (chosen(desk), words(desk)) == ((), "")
    desk.press_toast()
    desk.wait(lambda: memory.read_bytes() == before, "the undo")
    desk.rest()


def test_deleting_all_is_refused_in_a_sentence_and_the_choice_stays(
    desk: MemoryDriver, memory: Path
) -> None:
    before = memory.read_bytes()
    cards = desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_A, CTRL)
    desk.keys(cards, Qt.Key.Key_Delete)
    desk.wait(lambda: desk.sees("memory_problem"), "the refusal")
    desk.rest()
    assert memory.read_bytes() == before
    assert len(chosen(desk)) == len(entries_of(memory))


def test_an_entry_that_changed_meanwhile_keeps_the_others_as_they_are(
    desk: MemoryDriver, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, cards = entries_of(memory), desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    # The agent writes, and the desk has not heard of it yet.
    write_as_agent(memory, texts[0], "another", *texts[2:])
    desk.keys(cards, Qt.Key.Key_Delete)
    desk.wait(lambda: desk.sees("memory_problem"), "the conflict")
    desk.rest()
    assert "None of the entries was changed." in desk.text("memory_problem_text")
    assert entries_of(memory) == [texts[0], "another", *texts[2:]]
    assert chosen(desk) == (texts[0], texts[2])
    assert "1 changed on disk and is no longer chosen" in words(desk)


def test_what_is_chosen_stays_so_when_others_write(desk: MemoryDriver, memory: Path) -> None:
    texts, cards = entries_of(memory), desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    write_as_agent(memory, "came first", *texts)
    desk.wait(lambda: desk.texts("memory")[0] == "came first", "the agent's entry")
    assert chosen(desk) == tuple(texts[:2])
    write_as_agent(memory, "came first", *texts[2:])
    desk.wait(lambda: texts[0] not in desk.texts("memory"), "the agent's change")
    assert (chosen(desk), words(desk)) == ((), "")
    assert desk.toast() == "What was chosen is no longer there."


def test_the_search_lets_the_choice_be_and_says_what_it_hides(
    start: Start, empty_home: Path
) -> None:
    path = home_with(empty_home, ["red one", "blue one", "red two"])
    desk = start(empty_home)
    desk.keys(desk.cards("memory"), Qt.Key.Key_A, CTRL)
    desk.window.search.setText("blue")
    assert "2 of them are not found by the search" in words(desk)
    desk.cards("memory").take_focus()
    desk.keys(desk.cards("memory"), Qt.Key.Key_Escape)
    desk.keys(desk.cards("memory"), Qt.Key.Key_A, CTRL)
    assert chosen(desk) == ("blue one",)
    desk.window.search.clear()
    desk.keys(desk.cards("memory"), Qt.Key.Key_M, CTRL)
    desk.wait(lambda: entries_of(path) == ["red one", "red two"], "the move")
    desk.rest()


def test_a_secret_among_the_chosen_is_asked_about(start: Start, empty_home: Path) -> None:
    secret = 'password = "hunter2hunter2hunter2"'
    path = home_with(empty_home, ["one", secret, "three"])
    desk = start(empty_home)
    state = desk.column("memory").state()
    assert state is not None
    assert "hardcoded_secret" in state.entries[1].threats
    desk.asker.answers = [False]
    desk.keys(desk.cards("memory"), Qt.Key.Key_Down, SHIFT)
    desk.keys(desk.cards("memory"), Qt.Key.Key_Delete)
    desk.rest()
    assert desk.asker.asked == ["This cannot be undone"]
    assert entries_of(path) == ["one", secret, "three"]
    assert chosen(desk) == ("one", secret)


def test_what_is_chosen_is_copied_as_text_and_to_another_profile(
    start: Callable[..., MemoryDriver], hermes_home: Path, memory: Path
) -> None:
    other = hermes_home / "profiles" / "work" / "memories" / "MEMORY.md"
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_text("theirs", encoding="utf-8")
    desk = start(hermes_home)
    texts, cards, column = entries_of(memory), desk.cards("memory"), desk.column("memory")
    name = "memory_copy_to_work"
    desk.wait(lambda: column.findChild(QAction, name) is not None, "the profiles")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == "\n\n".join(texts[:2])
    column.findChild(QAction, name).trigger()  # type: ignore[union-attr]
    desk.wait(lambda: entries_of(other) == ["theirs", *texts[:2]], "the copies")
    desk.rest()
    assert desk.toast() == "2 entries copied to work."
    desk.keys(desk.window, Qt.Key.Key_Z, CTRL)
    desk.wait(lambda: entries_of(other) == ["theirs"], "the undo of what was done last")
    assert entries_of(memory) == texts
    desk.rest()


def test_a_cancelled_merge_leaves_the_choice(desk: MemoryDriver, memory: Path) -> None:
    texts, cards = entries_of(memory), desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_J, CTRL)
    desk.keys(desk.editor("memory").field, Qt.Key.Key_Escape)
    assert chosen(desk) == tuple(texts[:2])
    assert words(desk)


def test_of_fifty_thousand_entries_the_first_are_chosen(start: Start, empty_home: Path) -> None:
    count = 50_000
    path = home_with(empty_home, [f"Entry {n} says that it holds." for n in range(count)])
    desk = start(empty_home)
    desk.rest()
    cards = desk.cards("memory")
    longest = 0.0
    for key, modifier in (
        (Qt.Key.Key_A, CTRL),
        (Qt.Key.Key_Space, CTRL),
        (Qt.Key.Key_Down, SHIFT),
        (Qt.Key.Key_J, CTRL),
    ):
        began = time.perf_counter()
        desk.keys(cards, key, modifier)
        longest = max(longest, time.perf_counter() - began)
    assert len(desk.texts("memory")) == SHOWN + 1
    assert desk.toast() == f"At most {MOST_MERGED} entries can be merged at once."
    assert words(desk).startswith(f"{MOST_TICKED:,} entries chosen — ")
    assert len(entries_of(path)) == count
    assert longest < 1.0, longest


def test_a_new_entry_is_split_too(desk: MemoryDriver, memory: Path) -> None:
    before = entries_of(memory)
    desk.column("memory").begin_add()
    editor = desk.editor("memory")
    desk.qtbot.keyClicks(editor.field, "red blue")
    for _ in range(5):
        desk.keys(editor.field, Qt.Key.Key_Left)
    desk.click("entry_split_button")
    desk.wait(lambda: entries_of(memory) == [*before, "red", "blue"], "both entries")
    desk.rest()


def test_asking_about_a_draft_comes_before_another_profile(
    start: Start, hermes_home: Path, memory: Path
) -> None:
    other = hermes_home / "profiles" / "work" / "memories" / "MEMORY.md"
    other.parent.mkdir(parents=True, exist_ok=True)
    write_as_agent(other, "zinnia")
    desk = start(hermes_home)
    desk.type_over(desk.edit("memory", entries_of(memory)[0]), "half typed")
    desk.window.search.setText("zinnia")
    desk.wait(lambda: desk.sees("search_elsewhere"), "the offer")
    desk.click("search_elsewhere")
    desk.wait(lambda: desk.sees("elsewhere_cards"), "the entry")
    desk.asker.answers = [False]
    elsewhere = desk.page.elsewhere
    assert elsewhere is not None
    elsewhere.list.take_focus()
    desk.keys(elsewhere.list, Qt.Key.Key_Return)
    desk.rest()
    assert desk.asker.asked == ["Leave without saving?"]
    assert desk.window.side.profiles.currentText() == "default"
    assert desk.editor("memory").text() == "half typed"


def test_several_entries_go_to_one_note_as_one_change(
    desk: MemoryDriver, memory: Path, tmp_path: Path
) -> None:
    before, texts = memory.read_bytes(), entries_of(memory)
    vault = tmp_path / "vault"
    vault.mkdir()
    note = vault / "Work.md"
    note.write_text("# Work\n", "utf-8")
    assert desk.program.place.desk is not None
    desk.program.place.desk.knowledge.add_folder(vault)
    click(desk, 0, CTRL)
    click(desk, 2, CTRL)
    desk.keys(desk.cards("memory"), Qt.Key.Key_M, CTRL | SHIFT)
    notes = KnowledgeDriver(desk)
    desk.wait(lambda: len(notes.titles()) == 1, "the note")
    desk.rest()
    notes.choose("Work")
    notes.page.append()
    desk.rest()
    assert entries_of(memory) == [texts[1], *texts[3:]]
    assert note.read_text("utf-8").index(texts[0]) < note.read_text("utf-8").index(texts[2])
    desk.press_toast()
    desk.wait(lambda: memory.read_bytes() == before, "the undo")
    desk.wait(lambda: note.read_text("utf-8") == "# Work\n", "the undo of the note")
    desk.rest()


@pytest.mark.parametrize("becomes", ["changed", None])
def test_a_merge_goes_on_when_its_first_entry_changed_meanwhile(
    desk: MemoryDriver, memory: Path, becomes: str | None
) -> None:
    texts, cards = entries_of(memory), desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_J, CTRL)
    write_as_agent(memory, *([becomes] if becomes else []), *texts[1:])
    editor = desk.editor("memory")
    desk.wait(lambda: editor.conflict.isVisible(), "the conflict")
    editor.conflict.keep_requested.emit()
    desk.save(desk.editor("memory"))
    merged = "\n".join(texts[:2])
    desk.wait(lambda: sorted(entries_of(memory)) == sorted([merged, *texts[2:]]), "the merge")
    desk.rest()


def test_a_merge_leaves_alone_what_changed_of_the_others(desk: MemoryDriver, memory: Path) -> None:
    texts, cards = entries_of(memory), desk.cards("memory")
    desk.keys(cards, Qt.Key.Key_Down, SHIFT)
    desk.keys(cards, Qt.Key.Key_J, CTRL)
    write_as_agent(memory, texts[0], "another text", *texts[2:])
    desk.wait(lambda: "another text" in desk.texts("memory"), "the change")
    desk.save(desk.editor("memory"))
    desk.wait(lambda: desk.sees("entry_problem"), "a word on it")
    desk.rest()
    assert entries_of(memory) == [texts[0], "another text", *texts[2:]]
    desk.save(desk.editor("memory"))
    merged = "\n".join(texts[:2])
    desk.wait(lambda: entries_of(memory) == [merged, "another text", *texts[2:]], "the merge")
    desk.rest()


@pytest.mark.parametrize(("answer", "left"), [(False, ("one", "three")), (True, None)])
def test_a_secret_goes_to_a_note_only_if_that_is_wanted(
    start: Start, empty_home: Path, answer: bool, left: tuple[str, ...] | None
) -> None:
    secret = "password: hunter2secret99"
    path = home_with(empty_home, ["one", secret, "three"])
    desk = start(empty_home)
    wanted: list[MoveToNote] = []
    desk.program.place.page_wanted.connect(lambda _, about: wanted.append(about))
    desk.keys(desk.cards("memory"), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    desk.asker.answers = [answer]
    desk.act("memory", "note")
    desk.rest()
    assert desk.asker.asked == ["A secret would stand in a plain file"]
    assert wanted[0].texts == (left or ("one", secret, "three"))
    assert len(entries_of(path)) == 3
