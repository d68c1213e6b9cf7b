"""The history page, and what the Memory page tells of the past."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton

from gui.models.cards import Card, Mark
from gui.pages.memory_history import HistoryPage
from store.desk import Desk
from store.journal import JournalEntry
from store.refusals import Unreadable
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent

SECRET = "api_key = 'abcdefghij0123456789'"


class HistoryDriver:
    """The history page of a running desk."""

    def __init__(self, desk: MemoryDriver) -> None:
        self.desk = desk

    @property
    def page(self) -> HistoryPage:
        page = self.desk.window.page()
        assert isinstance(page, HistoryPage)
        return page

    def open(self) -> HistoryPage:
        self.desk.click("history_button")
        self.desk.wait(lambda: isinstance(self.desk.window.page(), HistoryPage), "the page")
        self.desk.wait(lambda: self.page.ready, "the history to be read")
        self.desk.rest()
        return self.page

    def texts(self) -> list[str]:
        return [card.text for card in self.page.changes.card_model().cards]

    def metas(self) -> list[str]:
        cards = self.page.changes.card_model().cards
        return [words_of(card) for card in cards]

    def choose(self, beginning: str) -> None:
        cards = self.page.changes.card_model().cards
        key = next(card.key for card in cards if card.text.startswith(beginning))
        assert self.page.changes.choose(key)
        self.desk.rest()

    def act(self, name: str) -> None:
        action = self.page.findChild(QAction, f"history_{name}")
        assert action is not None
        assert action.isEnabled(), name
        action.trigger()
        self.desk.rest()


@pytest.fixture
def memory(desk: MemoryDriver, hermes_home: Path) -> Path:
    """MEMORY.md, after the desk has looked back."""
    desk.wait(lambda: core(desk).journal.knows("memories/MEMORY.md"), "the first look back")
    desk.rest()
    return hermes_home / "memories" / "MEMORY.md"


@pytest.fixture
def history(desk: MemoryDriver) -> HistoryDriver:
    return HistoryDriver(desk)


def core(desk: MemoryDriver) -> Desk:
    found = desk.window._place.desk
    assert found is not None
    return found


def changes(desk: MemoryDriver) -> list[JournalEntry]:
    found = core(desk).journal.changes()
    assert not isinstance(found, Unreadable)
    return list(found)


def type_new(desk: MemoryDriver, text: str) -> None:
    desk.window.findChild(QAction, "add_entry").trigger()  # type: ignore[union-attr]
    desk.type_over(desk.editor("memory"), text)
    desk.save(desk.editor("memory"))
    desk.wait(lambda: text in desk.texts("memory"), "the entry")
    desk.rest()


def meta_of(desk: MemoryDriver, text: str) -> str:
    card = next(c for c in desk.cards("memory").card_model().cards if c.text == text)
    return words_of(card)


def words_of(card: Card) -> str:
    return " · ".join(item.text if isinstance(item, Mark) else item for item in card.meta)


def test_an_entry_tells_its_age_and_who_wrote_it_as_far_as_that_is_known(
    desk: MemoryDriver, memory: Path
) -> None:
    first = desk.texts("memory")[0]
    type_new(desk, "written here")
    write_as_agent(memory, *entries_of(memory), "written there")
    desk.wait(lambda: "written there" in desk.texts("memory"), "the agent's entry")
    desk.wait(lambda: "by the agent" in meta_of(desk, "written there"), "its age")
    assert "added just now by you" in meta_of(desk, "written here")
    assert " by " not in meta_of(desk, first)
    card = next(c for c in desk.cards("memory").card_model().cards if c.text == "written there")
    assert "a hand edit can look the same" in card.tips()


def test_changes_of_others_while_the_window_is_open_stand_in_the_history(
    desk: MemoryDriver, memory: Path, history: HistoryDriver
) -> None:
    history.open()
    assert desk.sees("history_empty")
    write_as_agent(memory, *entries_of(memory), "from the agent")
    desk.wait(lambda: len(history.texts()) == 1, "the agent's change")
    assert history.texts() == ["Added “from the agent”"]
    memory.write_text(memory.read_text("utf-8") + "\n", "utf-8")
    desk.wait(lambda: len(history.texts()) == 2, "the hand edit")
    desk.rest()
    assert history.metas()[0] == "just now · another program · MEMORY.md"
    history.choose("Wrote MEMORY.md in another form")
    assert "\n+" in history.page.diff.toPlainText()


def test_a_change_is_shown_line_by_line_and_undone(
    desk: MemoryDriver, memory: Path, history: HistoryDriver
) -> None:
    before = memory.read_bytes()
    type_new(desk, "to be undone")
    history.open()
    history.choose("Added “to be undone”")
    assert "+  to be undone" in history.page.diff.toPlainText()
    history.act("undo")
    assert memory.read_bytes() == before
    assert "Undid 1 change." in desk.toast()
    desk.wait(lambda: "undone" in history.metas()[1], "the mark")
    desk.press_toast()
    desk.wait(lambda: "to be undone" in entries_of(memory), "the undo undone")


def test_what_later_changes_build_on_is_undone_with_them_or_restored(
    desk: MemoryDriver, memory: Path, history: HistoryDriver
) -> None:
    before = memory.read_bytes()
    type_new(desk, "one")
    desk.type_over(desk.edit("memory", "one"), "two")
    desk.save(desk.editor("memory"))
    desk.wait(lambda: "two" in entries_of(memory), "the edit")
    desk.rest()
    history.open()
    history.choose("Added “one”")
    history.act("undo")
    assert desk.sees("history_problem")
    assert "builds on this one: 2" in desk.text("history_problem_text")
    desk.click("history_problem_action")
    desk.wait(lambda: memory.read_bytes() == before, "both undone")
    desk.rest()
    assert not desk.sees("history_problem")
    history.choose("Changed an entry to “two”")
    history.act("restore")
    desk.wait(lambda: "two" in entries_of(memory), "the version")
    history.act("before")
    assert "one" in entries_of(memory)
    desk.press_toast()
    desk.wait(lambda: "two" in entries_of(memory), "the restore undone")


def test_the_history_of_one_entry_and_a_search(
    desk: MemoryDriver, memory: Path, history: HistoryDriver
) -> None:
    type_new(desk, "a first wording")
    type_new(desk, "something else")
    desk.choose("memory", "a first wording")
    desk.act("memory", "history")
    desk.wait(lambda: isinstance(desk.window.page(), HistoryPage), "the page")
    desk.wait(lambda: history.page.ready and bool(history.texts()), "its history")
    assert history.texts() == ["Added “a first wording”"]
    desk.click("history_about_action")
    assert len(history.texts()) == 2
    desk.window.search.setText("something")
    desk.wait(lambda: history.texts() == ["Added “something else”"], "the search")


def test_nothing_is_forgotten_without_asking(
    desk: MemoryDriver, memory: Path, history: HistoryDriver
) -> None:
    type_new(desk, "the neighbour is called Wilhelmine")
    desk.asker.answers = [False, True]
    desk.choose("memory", "the neighbour is called Wilhelmine")
    desk.act("memory", "forget")
    assert "the neighbour is called Wilhelmine" in entries_of(memory)
    desk.act("memory", "forget")
    desk.wait(lambda: "Wilhelmine" not in memory.read_text("utf-8"), "it to be forgotten")
    desk.rest()
    assert "Forgotten, for good: 1 entry, 2 changes of the history." in desk.toast()
    assert desk.asker.asked == ["Forget this everywhere?"] * 2
    history.open()
    desk.wait(lambda: "cannot be undone" in history.metas()[0], "the history")
    history.choose("Removed" if "Removed" in history.texts()[0] else "A change")
    assert "Wilhelmine" not in history.page.diff.toPlainText()
    undo = history.page.findChild(QAction, "history_undo")
    assert undo is not None
    assert not undo.isEnabled()


@pytest.mark.parametrize(("answer", "there"), [(False, True), (True, False)])
def test_a_secret_is_asked_about_before_it_goes_for_good(
    desk: MemoryDriver, memory: Path, answer: bool, there: bool
) -> None:
    write_as_agent(memory, "one", SECRET)
    desk.wait(lambda: SECRET in desk.texts("memory"), "the entry")
    desk.rest()
    desk.asker.answers = [answer]
    desk.keys(desk.choose("memory", SECRET), Qt.Key.Key_Delete)
    desk.rest()
    assert desk.asker.asked == ["This cannot be undone"]
    assert (SECRET in entries_of(memory)) == there
    assert [one.withheld for one in changes(desk)] == [True] * (1 if there else 2)
    assert not desk.sees("toast_action"), "no undo is offered where there is none"


def test_an_edit_of_a_secret_that_is_called_off_goes_on(desk: MemoryDriver, memory: Path) -> None:
    write_as_agent(memory, "one", SECRET)
    desk.wait(lambda: SECRET in desk.texts("memory"), "the entry")
    desk.rest()
    desk.asker.answers = [False, True]
    desk.type_over(desk.edit("memory", SECRET), "the key is in the keyring")
    desk.save(desk.editor("memory"))
    assert SECRET in entries_of(memory)
    desk.save(desk.editor("memory"))
    desk.wait(lambda: "the key is in the keyring" in entries_of(memory), "the edit")


def test_a_crash_is_mended_when_the_window_opens(
    start: Callable[..., MemoryDriver], hermes_home: Path, desk_dirs: object
) -> None:
    from store.changes import Intent, Part
    from store.desk import build_desk
    from store.home import HermesHome

    memory = hermes_home / "memories" / "MEMORY.md"
    user = hermes_home / "memories" / "USER.md"
    broken = build_desk(HermesHome(hermes_home, hermes_home, "default"))
    first, second = user.read_bytes(), memory.read_bytes()
    parts = [
        Part("memories/USER.md", first, first + b"\n\xc2\xa7\nmoved"),
        Part("memories/MEMORY.md", second, second[:-1]),
    ]
    broken.journal.begin(Intent("desk", "move", "both"), parts)
    user.write_bytes(first + b"\n\xc2\xa7\nmoved")
    broken.close()
    desk = start(hermes_home)
    desk.wait(lambda: memory.read_bytes() == second[:-1], "the move to be finished")
    desk.wait(lambda: "left half done" in desk.toast(), "to be told")


# --- Entries in quantity --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["entries.md", "entries.json"])
def test_entries_go_out_as_a_document_and_come_in_again(
    desk: MemoryDriver, memory: Path, tmp_path: Path, name: str
) -> None:
    before = memory.read_bytes()
    type_new(desk, "comes and goes")
    desk.asker.chosen = tmp_path / name
    desk.act("memory", "export")
    desk.wait(lambda: (tmp_path / name).is_file(), "the document")
    desk.rest()
    desk.choose("memory", "comes and goes")
    desk.act("memory", "delete")
    desk.wait(lambda: memory.read_bytes() == before, "the entry to go")
    desk.rest()
    desk.act("user", "import")
    desk.wait(lambda: "comes and goes" in entries_of(memory), "the entry to come back")
    desk.rest()
    assert desk.toast() == "Imported 1 entry."
    desk.press_toast()
    desk.wait(lambda: memory.read_bytes() == before, "the import undone")
    desk.rest()


def test_a_document_that_is_none_is_refused_with_the_reason(
    desk: MemoryDriver, memory: Path, tmp_path: Path
) -> None:
    before = memory.read_bytes()
    desk.asker.chosen = tmp_path / "odd.md"
    desk.asker.chosen.write_text("just a line\n", encoding="utf-8")
    desk.act("memory", "import")
    desk.rest()
    assert "no list item" in desk.toast()
    assert memory.read_bytes() == before


def test_two_entries_are_merged_in_an_editor_that_tells_the_budget(
    desk: MemoryDriver, memory: Path
) -> None:
    before = memory.read_bytes()
    first, second, *others = entries_of(memory)
    desk.choose("memory", first)
    desk.act("memory", "merge")
    editor = desk.editor("memory")
    assert editor.text() == f"{first}\n{second}"
    length = len("\n§\n".join([f"{first}\n{second}", *others]))
    assert f"{length:,}/" in desk.text("entry_usage")
    assert "Merge" in [button.text() for button in editor.findChildren(QAbstractButton)]
    desk.save(editor)
    desk.wait(lambda: entries_of(memory) == [f"{first}\n{second}", *others], "the merge")
    desk.rest()
    desk.press_toast()
    desk.wait(lambda: memory.read_bytes() == before, "the merge undone")


def test_a_merge_of_an_entry_that_has_gone_meanwhile_changes_nothing(
    desk: MemoryDriver, memory: Path
) -> None:
    first, second, *others = entries_of(memory)
    desk.choose("memory", first)
    desk.act("memory", "merge")
    write_as_agent(memory, first, *others)
    desk.wait(lambda: second not in desk.texts("memory"), "the agent's change")
    desk.save(desk.editor("memory"))
    desk.rest()
    assert entries_of(memory) == [first, *others]
    assert desk.sees("entry_problem")


def test_an_entry_is_copied_to_another_profile_and_taken_back(
    start: Callable[..., MemoryDriver], hermes_home: Path
) -> None:
    other = hermes_home / "profiles" / "coder" / "memories" / "MEMORY.md"
    before = other.read_bytes() if other.exists() else None
    other.parent.mkdir(parents=True, exist_ok=True)
    desk = start(hermes_home)
    wanted = "memory_copy_to_coder"
    column = desk.column("memory")
    desk.wait(lambda: column.findChild(QAction, wanted) is not None, "the profiles")
    text = desk.texts("memory")[0]
    desk.choose("memory", text)
    column.findChild(QAction, wanted).trigger()  # type: ignore[union-attr]
    desk.wait(lambda: other.exists() and text in entries_of(other), "the copy")
    desk.rest()
    assert desk.toast() == "Entry copied to coder."
    desk.press_toast()
    desk.wait(lambda: (other.read_bytes() if other.exists() else None) == before, "the undo")
    desk.rest()
