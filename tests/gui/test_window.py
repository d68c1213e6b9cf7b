"""The window around the pages: homes, profiles, the sample, the picture, names for everything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gui.app import Options, Program
from gui.pages import PAGES
from gui.widgets.action_row import ActionRow
from store.preferences import load_preferences
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent
from tests.support.command_line import CommandLine

ROOT = Path(__file__).resolve().parents[2]


def ancestors(widget: QWidget) -> Iterator[QWidget]:
    while (widget := widget.parentWidget()) is not None:
        yield widget


def unnamed(window: QWidget) -> list[str]:
    """What of the window has no name for a test, or none for a screen reader."""
    missing = []
    controls = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractItemView)
    for widget in window.findChildren(QWidget):
        own = type(widget).__module__.startswith(("gui.", "tests."))
        inside = widget.objectName().startswith("qt_") or (
            not own and not isinstance(widget, controls)
        )
        # Parts that Qt makes itself: the list of a combo box, the header of a table.
        inside = inside or isinstance(widget, QHeaderView)
        if inside or any(isinstance(above, QComboBox) for above in ancestors(widget)):
            continue
        if not widget.objectName():
            missing.append(f"{type(widget).__name__} has no object name")
        # A button that waits for its words, as a banner's does, is hidden until it has them.
        if isinstance(widget, controls) and widget.isVisible() and not widget.accessibleName():
            missing.append(f"{widget.objectName()} has no accessible name")
    missing += [
        f"action {action.text()} has no object name"
        for action in window.findChildren(QAction)
        if action.text()
        and not action.objectName()
        and isinstance(action.parent(), QWidget)
        and type(action.parent()).__module__.startswith("gui.")
    ]
    return missing


def test_every_control_of_every_page_has_its_names(desk: MemoryDriver, hermes_home: Path) -> None:
    for spec in PAGES:
        desk.window.open_page(spec.name)
        page = desk.window.page()
        assert page is not None
        desk.wait(lambda page=page: page.ready, f"page {spec.name}")
    desk.window.open_page("memory")
    editor = desk.edit("memory", desk.texts("memory")[0])
    editor.conflict.tell("changed")
    assert unnamed(desk.window) == []


def test_every_label_shows_plain_text(desk: MemoryDriver) -> None:
    labels = desk.window.findChildren(QLabel)
    rich = [label.objectName() for label in labels if label.textFormat() != Qt.TextFormat.PlainText]
    assert labels
    assert rich == []


def test_markup_in_an_entry_is_text(start: Start, empty_home: Path) -> None:
    text = "<b>bold</b> <img src='file:///etc/passwd'> & <script>"
    write_as_agent(empty_home / "memories" / "MEMORY.md", text)
    desk = start(empty_home)
    assert desk.texts("memory") == [text]
    editor = desk.edit("memory", text)
    assert editor.text() == text


def test_without_a_home_the_window_offers_to_make_one(
    start: Start, own_surroundings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = start()
    assert desk.sees("page_welcome")
    assert str(own_surroundings / ".hermes") in desk.text("welcome_text")
    desk.click("welcome_create")
    desk.wait(lambda: desk.window.page() is not None and desk.page.isVisible(), "the page")
    assert (own_surroundings / ".hermes" / "memories").is_dir()
    desk.wait(lambda: desk.sees("memory_empty"), "the empty page")


def test_without_a_home_the_sample_can_be_opened_and_leaves_nothing(
    start: Start, own_surroundings: Path
) -> None:
    desk = start()
    desk.click("welcome_sample")
    desk.wait(lambda: desk.page.isVisible() and len(desk.texts("memory")) > 10, "the sample")
    home = desk.program.place.desk.home.path  # type: ignore[union-attr]
    assert home.is_dir()
    desk.act("memory", "delete")
    desk.rest()
    desk.close()
    assert not home.exists()
    assert not (own_surroundings / ".hermes").exists()


def test_the_profiles_of_a_home_can_be_switched(desk: MemoryDriver, hermes_home: Path) -> None:
    desk.rest()
    chooser = desk.window.side.profiles
    assert [chooser.itemText(row) for row in range(chooser.count())] == ["default", "work"]
    chooser.setCurrentIndex(1)
    chooser.activated.emit(1)
    other = hermes_home / "profiles" / "work" / "memories" / "MEMORY.md"
    desk.wait(lambda: desk.texts("memory") == entries_of(other), "the other profile")
    untouched = (hermes_home / "memories" / "MEMORY.md").read_bytes()
    desk.choose("memory", entries_of(other)[0])
    desk.act("memory", "delete")
    desk.wait(lambda: entries_of(other) == [], "the change in the other profile")
    assert (hermes_home / "memories" / "MEMORY.md").read_bytes() == untouched


def test_undo_in_a_fresh_window_offers_the_latest_change_of_the_journal(
    start: Start, hermes_home: Path
) -> None:
    memory = hermes_home / "memories" / "MEMORY.md"
    before = memory.read_bytes()
    CommandLine(hermes_home).json("entries", "add", "--target", "memory", "Tea is in drawer 2")
    after = memory.read_bytes()
    desk = start(hermes_home)
    control = Qt.KeyboardModifier.ControlModifier
    desk.keys(desk.window, Qt.Key.Key_Z, control)
    desk.wait(lambda: "Tea is" in desk.toast(), "the offer")
    assert desk.toast() == "Last change: Added “Tea is in drawer 2” · just now"
    assert desk.find(QAbstractButton, "toast_action").text() == "Undo it"
    assert memory.read_bytes() == after, "it is offered, not done"
    desk.press_toast()
    desk.wait(lambda: memory.read_bytes() == before, "the undo")
    desk.wait(lambda: desk.toast() == "Undone.", "the word on it")
    desk.keys(desk.window, Qt.Key.Key_Z, control)
    desk.wait(lambda: desk.toast() == "There is nothing to undo here.", "that nothing is left")


def test_switching_with_a_half_typed_edit_asks_first(desk: MemoryDriver) -> None:
    desk.rest()
    editor = desk.edit("memory", desk.texts("memory")[0])
    desk.type_over(editor, "half")
    desk.asker.answers = [False]
    desk.window.side.profiles.activated.emit(1)
    desk.rest()
    assert desk.editor("memory").text() == "half"
    assert desk.window.side.profiles.currentText() == "default"


def test_an_active_profile_is_said_and_the_notice_can_be_put_away(
    start: Start, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (hermes_home / "active_profile").write_text("work\n")
    monkeypatch.setenv("HERMES_HOME", str(hermes_home))
    desk = start()
    assert desk.sees("banner")
    assert "work" in desk.text("banner_text")
    desk.rest()
    assert desk.window.side.profiles.currentText() == "work"
    desk.click("banner_action")
    assert not desk.sees("banner")


def test_the_footer_names_the_home_and_the_hermes_that_was_found(
    start: Start, own_surroundings: Path, hermes_home: Path
) -> None:
    desk = start(hermes_home)
    desk.rest()
    assert desk.window.footer.home_text().endswith("hermes-home · no Hermes found")


def test_a_fault_is_told_and_the_window_goes_on(
    desk: MemoryDriver, desk_dirs: DeskDirs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    library = type(desk.program.place.desk.library)  # type: ignore[union-attr]
    with monkeypatch.context() as patch:
        patch.setattr(library, "load_both", breaks)
        desk.page.refresh()
        desk.wait(lambda: desk.sees("banner"), "the banner")
    assert "ZeroDivisionError" in desk.text("banner_text")
    assert "ZeroDivisionError" in (desk_dirs.log / "memory-desk.log").read_text()
    desk.click("banner_action")
    desk.choose("memory", desk.texts("memory")[0])
    desk.act("memory", "delete")
    desk.wait(lambda: len(desk.texts("memory")) == 5, "work as usual")


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_picture_of_a_page_is_written_and_the_program_ends(
    tmp_path: Path, desk_dirs: DeskDirs, hermes_home: Path, language: str
) -> None:
    picture = tmp_path / "memory.png"
    environment = os.environ | {"MEMORY_DESK_LANGUAGE": language, "PYTHONPATH": str(ROOT)}
    before = (hermes_home / "memories" / "MEMORY.md").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "gui", "--home", hermes_home, "--screenshot", "memory", picture],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1200, 760)
    colours = {image.pixel(x, y) for x in range(0, 1200, 7) for y in range(0, 760, 7)}
    assert len(colours) > 20
    assert (hermes_home / "memories" / "MEMORY.md").read_bytes() == before


def test_a_picture_that_cannot_be_written_fails(
    tmp_path: Path, qapp: QApplication, desk_dirs: DeskDirs
) -> None:
    picture = tmp_path / "missing" / "x.png"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "gui", "--demo", "--screenshot", "memory", picture],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert str(picture) in done.stderr


def test_the_window_remembers_its_size(
    qtbot: QtBot, qapp: QApplication, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    first = MemoryDriver(qtbot, qapp, Options(home=hermes_home))
    first.open()
    first.window.resize(700, 600)
    first.close()
    kept = load_preferences().preferences
    second = Program(qapp, Options(home=hermes_home), dict(os.environ), kept)
    try:
        second.open()
        assert (second.window.width(), second.window.height()) == (700, 600)
    finally:
        second.close()


def test_in_a_narrow_window_what_does_not_fit_goes_into_a_menu(
    desk: MemoryDriver, qtbot: QtBot
) -> None:
    header = desk.find(ActionRow, "header")
    assert (header.folded(), desk.sees("backups_button")) == ([], True)
    desk.window.resize(700, 600)
    desk.wait(lambda: bool(header.folded()), "the header to fold")
    assert [action.objectName() for action in header.folded()] == ["history", "backups"]
    for button in header.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.width() >= button.sizeHint().width(), button.objectName()
            assert header.rect().contains(button.geometry()), button.objectName()
    assert desk.sees("add_entry_button")
    desk.click("header_more")
    menu = desk.find(QMenu, "header_menu")
    assert [action.text() for action in menu.actions()] == ["History", "Backups"]
    menu.actions()[1].trigger()
    menu.close()
    desk.wait(lambda: desk.window.page().name == "backups", "the backups")  # type: ignore[union-attr]
    desk.rest()


@pytest.mark.parametrize("page", ["keys", "knowledge"])
def test_an_empty_page_has_one_primary_button(start: Start, empty_home: Path, page: str) -> None:
    desk = start(empty_home, page=page)
    desk.rest()
    buttons = desk.window.findChildren(QAbstractButton)
    primary = [one for one in buttons if one.isVisible() and one.property("kind") == "primary"]
    assert len(primary) == 1, [one.objectName() for one in primary]
