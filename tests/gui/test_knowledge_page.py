"""The Knowledge page: folders, search as one types, and the two moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QMenu

from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of
from tests.gui.knowledge_driver import KnowledgeDriver

GARDEN = (
    "---\ntags: [plants]\n---\n# Garden\n\nTomatoes need water in the evening.\n番茄晚上浇水。\n"
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = tmp_path / "My Vault"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / "Garden.md").write_text(GARDEN, "utf-8")
    (vault / "Deep").mkdir()
    (vault / "Deep" / "Server.md").write_text("# Server\n\nThe server is named larch.", "utf-8")
    return vault


@pytest.fixture
def notes(start: Start, hermes_home: Path, vault: Path) -> KnowledgeDriver:
    page = KnowledgeDriver(start(hermes_home))
    page.desk.asker.chosen = vault  # type: ignore[attr-defined]
    page.page.add()
    page.desk.wait(lambda: len(page.titles()) == 2, "the notes")
    page.desk.rest()
    return page


def test_without_a_folder_the_page_says_what_it_is_for(start: Start, hermes_home: Path) -> None:
    page = KnowledgeDriver(start(hermes_home))
    assert page.desk.sees("no_folders")


def test_the_notes_of_a_folder_are_listed_and_read(notes: KnowledgeDriver) -> None:
    assert sorted(notes.titles()) == ["Garden", "Server"]
    notes.choose("Garden")
    assert notes.desk.text("note_title") == "Garden"
    assert "Obsidian" in notes.desk.text("folder_0")


def test_a_word_in_either_language_is_found(notes: KnowledgeDriver) -> None:
    notes.search("tomatoe")
    assert notes.titles() == ["Garden"]
    notes.search("浇水")
    assert notes.titles() == ["Garden"]
    notes.search("nothing like it")
    assert notes.titles() == []
    notes.search("")
    assert len(notes.titles()) == 2


def test_a_selection_becomes_an_entry(notes: KnowledgeDriver, hermes_home: Path) -> None:
    notes.choose("Server")
    notes.select_raw("The server is named larch.")
    notes.desk.click("note_remember_memory")
    notes.desk.rest()
    memory = hermes_home / "memories" / "MEMORY.md"
    assert entries_of(memory)[-1] == "The server is named larch."
    notes.desk.press_toast()
    notes.desk.rest()
    assert "The server is named larch." not in entries_of(memory)


def test_an_entry_moves_to_a_note_and_back(
    notes: KnowledgeDriver, hermes_home: Path, vault: Path
) -> None:
    memory = hermes_home / "memories" / "MEMORY.md"
    before, note = memory.read_bytes(), vault / "Garden.md"
    entry = entries_of(memory)[0]
    desk: MemoryDriver = notes.desk  # type: ignore[assignment]
    desk.window.open_page("memory")
    desk.rest()
    desk.choose("memory", entry)
    desk.act("memory", "note")
    desk.wait(lambda: desk.window._current == "knowledge", "the notes")
    desk.rest()
    assert "goes to the end" in desk.text("knowledge_moving_text")
    notes.choose("Garden")
    desk.find(QCheckBox, "leave_pointer").setChecked(False)
    append = notes.page.findChild(QAction, "append")
    assert append is not None
    append.trigger()
    desk.rest()
    assert entry not in entries_of(memory)
    assert note.read_text("utf-8").startswith(GARDEN)
    assert entry in note.read_text("utf-8")
    assert notes.page.list.hasFocus(), "the keyboard is where nothing is taken away by it"
    desk.press_toast()
    desk.rest()
    assert (memory.read_bytes(), note.read_text("utf-8")) == (before, GARDEN)


def test_taking_a_folder_off_changes_nothing_in_it(notes: KnowledgeDriver, vault: Path) -> None:
    before = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    notes.desk.click("folder_0_remove")
    notes.desk.wait(lambda: notes.desk.sees("no_folders"), "the empty page")
    assert {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()} == before


def test_what_others_write_is_shown(notes: KnowledgeDriver, vault: Path) -> None:
    """In its place, replaced, new, in a new folder, renamed and gone: each is told by itself."""
    page, desk = notes.page, notes.desk
    note = vault / "Garden.md"
    notes.choose("Garden")

    desk.wait(lambda: page._followed is not None, "the watch")
    desk.rest()
    desk.wait(lambda: is_watched(notes), "the background to take it up")
    with note.open("a", encoding="utf-8") as stream:
        stream.write("Basil does not like frost.\n")
    desk.wait(lambda: "Basil" in page.reader.raw.text(), "a note written in its place")
    temporary = vault / "Garden.tmp"
    temporary.write_text("# Orchard\n\nPears.\n", "utf-8")
    temporary.replace(note)
    desk.wait(lambda: "Pears" in page.reader.raw.text(), "a note that was replaced")
    note.write_text("# Orchard\n\nPears and quinces.\n", "utf-8")
    desk.wait(lambda: "quinces" in page.reader.raw.text(), "a replaced note written in its place")
    (vault / "New").mkdir()
    (vault / "New" / "Fresh.md").write_text("# Fresh\n\nJust come.", "utf-8")
    desk.wait(lambda: "Fresh" in notes.titles(), "a note in a new folder")
    desk.rest()
    desk.wait(lambda: is_watched(notes), "the background to take it up")
    (vault / "New" / "Later.md").write_text("# Later\n\nJust come too.", "utf-8")
    desk.wait(lambda: "Later" in notes.titles(), "a note in a folder that was new")
    (vault / "Deep" / "Server.md").rename(vault / "Server two.md")
    desk.wait(lambda: any("Server two" in key for key in keys_of(notes)), "a renamed note")
    (vault / "New" / "Fresh.md").unlink()
    desk.wait(lambda: "Fresh" not in notes.titles(), "a note that is gone")


def is_watched(notes: KnowledgeDriver) -> bool:
    followed = notes.page._followed
    return followed is not None and followed.watch.is_watching


def keys_of(notes: KnowledgeDriver) -> list[str]:
    return [str(card.key) for card in notes.page.list.card_model().cards]


def test_a_search_shows_a_note_that_came_to_fit(notes: KnowledgeDriver, vault: Path) -> None:
    desk = notes.desk
    desk.wait(lambda: notes.page._followed is not None, "the watch")
    desk.wait(lambda: is_watched(notes), "the background to take it up")
    notes.search("quince")
    assert notes.titles() == []
    (vault / "Quince.md").write_text("# Quince\n\nA quince is no pear.", "utf-8")
    desk.wait(lambda: notes.titles() == ["Quince"], "the search to find it")


def test_a_folder_that_was_taken_off_comes_back_with_undo(notes: KnowledgeDriver) -> None:
    notes.desk.click("folder_0_remove")
    notes.desk.wait(lambda: notes.desk.sees("no_folders"), "the empty page")
    notes.desk.rest()
    notes.desk.press_toast()
    notes.desk.wait(lambda: len(notes.titles()) == 2, "the notes again")


def test_a_folder_that_vanishes_is_said_to_be_gone(notes: KnowledgeDriver, vault: Path) -> None:
    page, desk = notes.page, notes.desk
    desk.wait(lambda: page._followed is not None, "the watch")
    desk.rest()
    vault.rename(vault.with_name("Elsewhere"))
    assert page._followed is not None
    page._followed._look_at_all()
    desk.wait(lambda: notes.titles() == [], "the notes to go")
    assert "not there" in desk.text("folder_0")


def test_many_changes_at_once_are_looked_at_together(
    notes: KnowledgeDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What syncs writes thousands of notes, and other pages read in the same lane."""
    page, desk = notes.page, notes.desk
    desk.wait(lambda: page._followed is not None, "the watch")
    desk.rest()
    looks: list[frozenset[str]] = []
    monkeypatch.setattr(
        "gui.pages.knowledge_watch.update_notes", lambda _, paths: looks.append(paths)
    )
    followed = page._followed
    assert followed is not None
    for number in range(200):
        followed._look(frozenset({f"note {number}"}))
    desk.wait(lambda: len(looks) == 2, "the first, and all others in one")
    desk.rest()
    assert looks == [{"note 0"}, {f"note {number}" for number in range(1, 200)}]


@pytest.fixture
def vaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, ...]:
    """Seven vaults that Obsidian knows."""
    vaults = tuple(tmp_path / "vaults" / name for name in ("R&D", "B", "C", "D", "E", "F", "G"))
    for vault in vaults:
        (vault / ".obsidian").mkdir(parents=True)
        (vault / f"Of {vault.name}.md").write_text("# Note\n", "utf-8")
    known = tmp_path / "config" / "obsidian" / "obsidian.json"
    known.parent.mkdir(parents=True)
    known.write_text(
        json.dumps({"vaults": {str(at): {"path": str(one)} for at, one in enumerate(vaults)}}),
        "utf-8",
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return vaults


def test_several_vaults_are_offered_by_name_and_afterwards_in_a_menu(
    start: Start, hermes_home: Path, vaults: tuple[Path, ...]
) -> None:
    page = KnowledgeDriver(start(hermes_home))
    desk = page.desk
    shown = [desk.find(QAbstractButton, f"no_folders_offer_{at}") for at in range(5)]
    assert [one.accessibleName() for one in shown] == [f"Add {one}" for one in vaults[:5]]
    assert all(one.isVisible() for one in shown)
    assert shown[0].text().endswith("R&&D")
    tops = {one.y() for one in shown}
    assert len(tops) == 5, "one below the other, as there is no room beside"
    desk.click("no_folders_offer_0")
    desk.wait(lambda: page.titles() == ["Of R&D"], "its note")
    desk.rest()
    assert desk.find(QAbstractButton, "found_folders").text().startswith("6 other")
    desk.click("found_folders")
    menu = desk.find(QMenu, "found_folders_menu")
    desk.wait(menu.isVisible, "the menu")
    names = [one.text() for one in menu.actions() if not one.isSeparator()]
    assert names == [*(f"Add {one}" for one in vaults[1:6]), "Another folder…"]
    menu.actions()[0].trigger()
    menu.close()
    desk.wait(lambda: len(page.titles()) == 2, "the notes of both")
    desk.rest()


def test_what_lies_in_a_folder_is_not_offered(
    start: Start, hermes_home: Path, vaults: tuple[Path, ...]
) -> None:
    page = KnowledgeDriver(start(hermes_home))
    page.desk.asker.chosen = vaults[0].parent  # type: ignore[attr-defined]
    page.page.add()
    page.desk.wait(lambda: len(page.titles()) == 7, "the notes")
    page.desk.rest()
    assert not page.desk.sees("found_folders")


def test_one_vault_is_offered_by_its_name(
    start: Start, hermes_home: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OBSIDIAN_VAULT_PATH", str(vault))
    page = KnowledgeDriver(start(hermes_home))
    assert page.desk.find(QAbstractButton, "no_folders_offer_0").text() == f"Add {vault}"
    assert not page.desk.sees("no_folders_offer_1")
    page.desk.click("no_folders_offer_0")
    page.desk.wait(lambda: len(page.titles()) == 2, "the notes")
    page.desk.rest()
    assert not page.desk.sees("found_folders")
