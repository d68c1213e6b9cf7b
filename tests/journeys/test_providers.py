"""A person sets up a memory provider with the keyboard alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver
from tests.gui.providers_driver import ProvidersDriver
from tests.support.newer_hermes import newer_hermes

SHIFT = Qt.KeyboardModifier.ShiftModifier


class Keyboard:
    """Ten fingers on the Providers page: no pointer is used."""

    def __init__(self, page: ProvidersDriver) -> None:
        self.page = page
        self.desk = page.desk

    def focus(self) -> QWidget:
        focused = QApplication.focusWidget()
        assert focused is not None
        return focused

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
        self.desk.keys(self.focus(), key, modifier)
        self.desk.rest()

    def write(self, text: str) -> None:
        self.desk.qtbot.keyClicks(self.focus(), text)
        self.desk.rest()

    def choose(self, provider: str) -> None:
        """Go down the list to a provider, and into its form."""
        names = list(self.page.cards())
        assert self.focus() is self.page.page.list
        while self.page.chosen() != provider:
            way = names.index(provider) - names.index(self.page.chosen())
            self.press(Qt.Key.Key_Down if way > 0 else Qt.Key.Key_Up)
        self.desk.wait(lambda: self.page.detail.is_shown() and bool(self.page.shown()), "the form")
        self.desk.rest()
        self.press(Qt.Key.Key_Return)
        self.desk.wait(lambda: self.page.detail.isAncestorOf(self.focus()), "the form")

    def tab_to(self, key: str) -> None:
        """Press Tab until the field has the keyboard."""
        for _ in range(120):
            if self.page.row(key).editor.isAncestorOf(self.focus()):
                return
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not lead to {key}")


@pytest.fixture
def two_profiles(empty_home: Path) -> Path:
    (empty_home / "profiles" / "coder" / "memories").mkdir(parents=True)
    return empty_home


def _bytes(home: Path) -> dict[str, bytes]:
    files = (path for path in home.rglob("*") if path.is_file())
    return {str(path.relative_to(home)): path.read_bytes() for path in files}


def test_hindsight_is_set_up_while_the_profile_is_switched(
    start: Start, two_profiles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = newer_hermes(tmp_path / "newer")
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    desk = start(two_profiles)
    keyboard = _at_providers(desk)
    page = keyboard.page

    # Another mode: the key is no longer asked for, an address is.
    keyboard.choose("hindsight")
    assert "api_key" in page.shown()
    keyboard.tab_to("mode")
    for _ in range(2):  # past the default and the same by choice
        keyboard.press(Qt.Key.Key_Down)
    assert "api_key" not in page.shown()
    keyboard.tab_to("api_url")
    keyboard.write("http://box.lan:8888")

    # A list in JSON; the mistake is named before anything can be saved.
    keyboard.tab_to("recall_skip_patterns")
    keyboard.write('["^heartbeat",')
    assert page.label("recall_skip_patterns", "problem").startswith("Line 1, column 15")
    assert not page.page.save_action.isEnabled()
    keyboard.press(Qt.Key.Key_Backspace)
    keyboard.write("]")
    assert any("recall_skip_patterns" in line for line in page.lines())
    page.save()

    default = two_profiles / "hindsight" / "config.json"
    assert json.loads(default.read_text("utf-8")) == {
        "mode": "local_external",
        "api_url": "http://box.lan:8888",
        "recall_skip_patterns": ["^heartbeat"],
    }
    before = _bytes(two_profiles)

    # The other profile knows nothing of it, and what is saved there stays there.
    desk.window.side.profiles.setCurrentText("coder")
    desk.window.side.profiles.textActivated.emit("coder")
    desk.window.side.profile_wanted.emit("coder")
    desk.wait(lambda: _profile(desk) == "coder", "the other profile")
    desk.wait(lambda: page.page.ready, "its providers")
    desk.rest()
    page.page.list.setFocus()
    keyboard.choose("hindsight")
    assert page.label("mode", "source") == "default"
    keyboard.tab_to("bank_id")
    keyboard.write("coder-bank")
    page.save()
    written = two_profiles / "profiles" / "coder" / "hindsight" / "config.json"
    assert json.loads(written.read_text("utf-8")) == {"bank_id": "coder-bank"}
    after = _bytes(two_profiles)
    assert {name: after[name] for name in before} == before


def test_honcho_is_set_up_for_a_named_profile(start: Start, two_profiles: Path) -> None:
    shared = {
        "apiKey": "kept-as-it-is",
        "hosts": {
            "hermes": {"workspace": "home", "oauth": {"refreshToken": "hch-rt-kept"}},
            "selfhosted": {"baseUrl": "http://box"},
        },
    }
    file = two_profiles / "profiles" / "coder" / "honcho.json"
    file.write_text(json.dumps(shared, indent=2), "utf-8")
    before = file.read_bytes()
    desk = start(two_profiles, profile="coder")
    keyboard = _at_providers(desk)
    page = keyboard.page
    keyboard.choose("honcho")
    keyboard.tab_to("workspace")
    keyboard.write("work")
    keyboard.tab_to("peerName")
    keyboard.write("ada")
    page.save()
    saved = json.loads(file.read_text("utf-8"))
    assert saved["hosts"].pop("hermes_coder") == {"workspace": "work", "peerName": "ada"}
    assert saved == shared
    assert "saved" in desk.toast()

    # And back again, to the byte.
    desk.keys(desk.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: file.read_bytes() == before, "the way back")


def _at_providers(desk: MemoryDriver) -> Keyboard:
    """Go to the page by its shortcut, as one does."""
    desk.keys(desk.window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    page = ProvidersDriver(desk)
    desk.wait(page.page.list.hasFocus, "the list to have the keyboard")
    return Keyboard(page)


def _profile(desk: MemoryDriver) -> str:
    opened = desk.program.place.desk
    return "" if opened is None else opened.home.profile
