"""The part of the Settings page that is about the desk itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from gui.theme import Scheme
from store.preferences import load_preferences
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.settings_driver import SettingsDriver


@pytest.fixture
def settings(start: Start, hermes_home: Path) -> SettingsDriver:
    return SettingsDriver(start(hermes_home, page="settings"))


def _install_hermes(folder: Path) -> Path:
    """Lay out an environment that holds hermes-agent 0.19.0; nothing of it is run."""
    info = folder / "lib" / "python3.11" / "site-packages" / "hermes_agent-0.19.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hermes-agent\nVersion: 0.19.0\n")
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text("")
    return python


def test_colours_change_at_once_and_are_kept(settings: SettingsDriver) -> None:
    theme = settings.desk.program.theme
    settings.pick("colour_scheme", "Dark")
    assert theme.scheme is Scheme.DARK
    assert load_preferences(env=os.environ).preferences.colour_scheme == "dark"
    settings.pick("colour_scheme", "Light")
    assert theme.scheme is Scheme.LIGHT
    assert load_preferences(env=os.environ).preferences.colour_scheme == "light"


def test_a_language_is_kept_for_the_next_start_and_that_is_said(settings: SettingsDriver) -> None:
    settings.pick("language", "简体中文")
    assert load_preferences(env=os.environ).preferences.language == "zh_CN"
    assert settings.label("language", "help") == "Takes effect when the desk is started next."


def test_a_choice_that_cannot_be_kept_goes_back_and_says_why(
    settings: SettingsDriver, desk_dirs: DeskDirs
) -> None:
    desk_dirs.config.mkdir(parents=True)
    (desk_dirs.config / "preferences.json").mkdir()
    settings.pick("colour_scheme", "Dark")
    assert settings.desk.program.theme.scheme is Scheme.LIGHT
    assert settings.row("colour_scheme").editor.value() == "system"
    assert "preferences.json" in settings.desk.toast()


def test_being_told_can_be_switched_off_and_holds_at_once(settings: SettingsDriver) -> None:
    place = settings.desk.program.place
    with settings.desk.qtbot.waitSignal(place.preferences_changed, timeout=20_000):
        settings.press("notifications", "off")
    settings.pick("tray", "None")
    assert (place.preferences.notifications, place.preferences.tray) == (False, "off")
    assert load_preferences(env=os.environ).preferences == place.preferences
    settings.press("notifications", "on")
    assert place.preferences.notifications


def test_starting_at_login_is_an_entry_of_the_system_and_gone_when_switched_off(
    settings: SettingsDriver, own_surroundings: Path
) -> None:
    entry = own_surroundings / ".config" / "autostart" / "hermes-memory-desk.desktop"
    assert settings.row("start_at_login").editor.value() is False
    settings.press("start_at_login", "on")
    assert "--minimised" in entry.read_text()
    settings.press("start_at_login", "off")
    assert not entry.exists()
    # What the system's own tools do shows here.
    settings.press("start_at_login", "on")
    entry.unlink()
    settings.page.own.refresh()
    settings.rest()
    assert settings.row("start_at_login").editor.value() is False


def test_an_entry_that_cannot_be_written_is_said_and_the_switch_goes_back(
    settings: SettingsDriver, own_surroundings: Path
) -> None:
    (own_surroundings / ".config").write_text("no folder")
    settings.press("start_at_login", "on")
    assert settings.row("start_at_login").editor.value() is False
    assert "autostart" in settings.desk.toast()


def test_the_path_of_hermes_is_kept_and_what_is_there_is_said(
    settings: SettingsDriver, tmp_path: Path, desk_dirs: DeskDirs
) -> None:
    python = _install_hermes(tmp_path / "venv")
    settings.type("hermes", str(tmp_path / "venv"))
    assert not desk_dirs.config.exists()  # not while it is half typed
    settings.desk.keys(settings.line("hermes"), Qt.Key.Key_Return)
    settings.rest()
    assert settings.desk.text("hermes_found") == f"Found hermes-agent 0.19.0. {python}"
    stored = json.loads((desk_dirs.config / "preferences.json").read_text())
    assert stored == {"hermes": str(tmp_path / "venv")}
    assert settings.desk.program.place.preferences.hermes == str(tmp_path / "venv")


def test_a_path_that_leads_nowhere_is_kept_and_said(
    settings: SettingsDriver, tmp_path: Path
) -> None:
    settings.type("hermes", str(tmp_path / "nothing"))
    settings.line("curator.backup.keep").setFocus()
    settings.rest()
    assert settings.desk.text("hermes_found") == "There is no Hermes at this path."
    assert "There is no Hermes" in settings.description("hermes")


def test_the_folders_of_private_text_can_be_read_and_shown(
    settings: SettingsDriver, desk_dirs: DeskDirs
) -> None:
    shown: list[Path] = []
    settings.page.own.opener = lambda path: bool(shown.append(path))
    assert settings.desk.text("place_journal_path") == str(desk_dirs.data)
    assert settings.desk.text("place_log_path") == str(desk_dirs.log)
    assert not settings.page.own.findChild(QAbstractButton, "place_log_show").isEnabled()
    desk_dirs.data.mkdir(parents=True, exist_ok=True)
    settings.page.own.refresh()
    settings.rest()
    settings.page.own.findChild(QAbstractButton, "place_journal_show").click()
    assert shown == [desk_dirs.data]
    assert settings.desk.toast().startswith("No file manager answered; the folder is ")


def test_a_number_is_kept_once_it_is_typed_to_the_end(
    settings: SettingsDriver, desk_dirs: DeskDirs
) -> None:
    settings.type("untouched_days", "40")
    assert not desk_dirs.config.exists(), "not while it is half typed"
    settings.desk.keys(settings.line("untouched_days"), Qt.Key.Key_Return)
    settings.rest()
    assert load_preferences(env=os.environ).preferences.untouched_days == 40
    settings.type("untouched_days", "0")
    settings.desk.keys(settings.line("untouched_days"), Qt.Key.Key_Return)
    settings.rest()
    assert load_preferences(env=os.environ).preferences.untouched_days == 40
    assert settings.label("untouched_days", "problem")
