"""The Backups page: what each copy has that the file lacks, taken back; all of it undoable."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from gui.models.backups import entry_cards, group_card
from gui.models.cards import Card
from gui.pages.backups import BackupsPage
from store.memory.backups import BackupFile, BackupGroup
from store.refusals import Unreadable
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of
from tests.gui.repair_driver import RepairDriver, broken_home

Key, Mod = Qt.Key, Qt.KeyboardModifier
NOW = "one\n§\ntwo".encode()
OLDER = "one\n\n§\n\ntwo\n§\nlost three\n§\nlost four".encode()


class BackupsDriver:
    """The Backups page; everything is done by keys or by what has a name."""

    def __init__(self, desk: MemoryDriver, about: object = None) -> None:
        self.desk = desk
        desk.program.place.page_wanted.emit("backups", about)
        desk.wait(lambda: isinstance(desk.window.page(), BackupsPage), "the page")
        desk.wait(lambda: self.page.ready, "the copies")
        desk.rest()

    @property
    def page(self) -> BackupsPage:
        page = self.desk.window.page()
        assert isinstance(page, BackupsPage)
        return page

    def names(self) -> list[str]:
        return [card.lead for card in self.page.groups.card_model().cards]

    def texts(self) -> list[str]:
        return [card.text for card in self.page.entries.card_model().cards]

    def group(self, row: int) -> list[str]:
        return words(self.page.groups.card_model().cards[row])

    def choose(self, row: int) -> None:
        self.page.groups.setFocus()
        self.page.groups.choose(self.page.groups.card_model().cards[row].key)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Mod.NoModifier) -> None:
        widget = self.desk.window.focusWidget()
        assert widget is not None
        self.desk.qtbot.keyClick(widget, key, modifier)


def words(card: Card) -> list[str]:
    return [item if isinstance(item, str) else item.text for item in card.meta]


@pytest.fixture
def path(empty_home: Path) -> Path:
    path = broken_home(empty_home, NOW)
    for name, data in (
        ("MEMORY.md.bak.1700000000", OLDER),
        ("MEMORY.md.bak.1700000005", OLDER),
        ("MEMORY.md.bak.1600000000", NOW),
        ("MEMORY (conflicted copy).md", b"from the laptop"),
        ("USER.md.bak.1500000000", b"I am Ada"),
    ):
        path.with_name(name).write_bytes(data)
    return path


@pytest.fixture
def backups(start: Start, empty_home: Path, path: Path) -> BackupsDriver:
    return BackupsDriver(start(empty_home), "memory")


def test_copies_with_the_same_content_are_one_with_what_the_file_lacks(
    backups: BackupsDriver,
) -> None:
    assert backups.names() == [
        "MEMORY (conflicted copy).md",
        "MEMORY.md.bak.1700000005",
        "MEMORY.md.bak.1600000000",
        "USER.md.bak.1500000000",
    ]
    cards = backups.page.groups.card_model().cards
    assert cards[1].text == "2 entries that MEMORY.md lacks."
    assert {"has more than the file", "1 twin"} <= set(backups.group(1))
    assert "the file as it is now" in backups.group(2)
    assert "a copy of another program" in backups.group(0)
    assert f"{len(OLDER)} bytes" in backups.group(1)
    backups.choose(1)
    assert backups.texts() == ["lost three", "lost four", "one", "two"]
    assert words(backups.page.entries.card_model().cards[0]) == ["not in MEMORY.md"]
    assert words(backups.page.entries.card_model().cards[2]) == ["in MEMORY.md"]


def test_an_entry_is_taken_back_by_keys_and_undone(backups: BackupsDriver, path: Path) -> None:
    backups.choose(1)
    backups.key(Key.Key_Return)
    backups.key(Key.Key_Insert)
    backups.desk.wait(lambda: entries_of(path) == ["one", "two", "lost three"], "the entry")
    backups.desk.wait(lambda: "in MEMORY.md again" in backups.desk.toast(), "the news")
    backups.desk.rest()
    assert backups.page.groups.card_model().cards[1].text == "1 entry that MEMORY.md lacks."
    backups.desk.press_toast()
    backups.desk.wait(lambda: path.read_bytes() == NOW, "the file as it was")


def test_a_whole_copy_takes_the_place_of_the_file_and_is_undone_to_the_byte(
    backups: BackupsDriver, path: Path
) -> None:
    backups.choose(1)
    backups.key(Key.Key_Return, Mod.ControlModifier)
    backups.desk.wait(lambda: path.read_bytes() == OLDER, "the copy")
    backups.desk.wait(lambda: "see Repair" in backups.desk.toast(), "the news")
    backups.desk.rest()
    backups.desk.press_toast()
    backups.desk.wait(lambda: path.read_bytes() == NOW, "the file as it was")


def test_twins_are_removed_and_made_again(backups: BackupsDriver, path: Path) -> None:
    twin = path.with_name("MEMORY.md.bak.1700000000")
    assert backups.desk.find(QPushButton, "backups_tidy_button").text() == "Remove 1 twin"
    backups.key(Key.Key_T, Mod.ControlModifier)
    backups.desk.wait(lambda: not twin.exists(), "the twin to go")
    assert path.with_name("MEMORY.md.bak.1700000005").read_bytes() == OLDER
    backups.desk.wait(lambda: "Removed 1 twin" in backups.desk.toast(), "the news")
    backups.desk.rest()
    backups.desk.press_toast()
    backups.desk.wait(twin.exists, "the twin")
    assert twin.read_bytes() == OLDER


def test_a_change_of_the_file_meanwhile_is_refused_and_shown(
    backups: BackupsDriver, path: Path
) -> None:
    backups.choose(1)
    view = backups.page._view
    assert view is not None
    view.digests["memory"] = "of another file"
    backups.key(Key.Key_Return, Mod.ControlModifier)
    backups.desk.wait(lambda: backups.desk.sees("backups_problem"), "the refusal")
    assert path.read_bytes() == NOW


def test_the_memory_page_leads_to_the_copies_by_a_key(
    start: Start, empty_home: Path, path: Path
) -> None:
    desk = start(empty_home)
    desk.rest()
    desk.qtbot.keyClick(desk.window, Key.Key_B, Mod.ControlModifier | Mod.ShiftModifier)
    desk.wait(lambda: isinstance(desk.window.page(), BackupsPage), "the page")


def test_without_a_copy_the_page_says_what_would_be_here(start: Start, empty_home: Path) -> None:
    broken_home(empty_home, NOW)
    backups = BackupsDriver(start(empty_home))
    assert backups.desk.text("backups_empty_title") == "There are no backups"
    backups.desk.click("backups_empty_back")
    assert backups.desk.window.page() is backups.desk.page


def test_the_repair_page_leads_to_the_copies_also_when_nothing_is_broken(
    start: Start, empty_home: Path, path: Path
) -> None:
    desk = start(empty_home)
    desk.program.place.page_wanted.emit("repair", "memory")
    repair = RepairDriver(desk)
    repair.wait_open()
    assert desk.text("repair_empty_title") == "There is nothing to repair"
    assert desk.find(QPushButton, "repair_copies_button").text() == "Backups (5)"
    desk.click("repair_empty_copies")
    desk.wait(lambda: isinstance(desk.window.page(), BackupsPage), "the copies")


def test_what_cannot_be_read_or_is_guessed_says_so() -> None:
    file = BackupFile(Path("/m/MEMORY.md.bak.1"), 1.0, 5)
    problem = Unreadable("/m/MEMORY.md.bak.1", "permission denied")
    broken = BackupGroup("memory", "backup", "", (file,), problem=problem)
    assert "cannot be read" in words(group_card(broken, 2.0))
    guessed = BackupGroup(
        "memory", "backup", "x", (file,), ("项目",), ("项目",), encoding="gb18030", doubt="guess"
    )
    assert "read as gb18030, a guess" in words(group_card(guessed, 2.0))


def test_a_giant_copy_gives_as_many_cards_as_a_person_sees() -> None:
    file = BackupFile(Path("/m/MEMORY.md.bak.1"), 1.0, 5)
    many = tuple(f"entry {number}" for number in range(1_000))
    cards = entry_cards(BackupGroup("memory", "backup", "x", (file,), many, many[900:]))
    assert len(cards) == 401
    assert cards[0].text == "entry 900"
    assert cards[-1].text.startswith("600 more")
