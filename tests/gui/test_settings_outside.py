"""config.yaml changes elsewhere, is broken, or belongs to someone else, while the page is open."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from gui.widgets.bars import Banner
from gui.widgets.texts import DiffView
from tests.gui.conftest import Start
from tests.gui.driver import Driver, write_as_agent
from tests.gui.settings_driver import SettingsDriver, write
from tests.gui.test_settings_page import APPROVAL, CONFIG, ENABLED, LIMIT

BROKEN = "memory:\n  memory_char_limit: 3000\n  a: [1, 2\nskills:\n"


@pytest.fixture(autouse=True)
def scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The administrator's folder, not there yet."""
    path = tmp_path / "scope"
    monkeypatch.setenv("HERMES_MANAGED_DIR", str(path))
    return path


@pytest.fixture
def config(hermes_home: Path) -> Path:
    path = hermes_home / "config.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def settings(start: Start, config: Path, hermes_home: Path) -> SettingsDriver:
    return SettingsDriver(start(hermes_home, page="settings"))


def _bar(settings: SettingsDriver) -> bool:
    return settings.desk.sees("settings_conflict")


def _banner(settings: SettingsDriver) -> str:
    banner = settings.desk.find(Banner, "settings_banner")
    return banner.accessibleName() if banner.isVisible() else ""


def _enabled(settings: SettingsDriver) -> list[str]:
    return [key for key, row in settings.page.form.rows.items() if row.editor.isEnabled()]


# --- Changed elsewhere ----------------------------------------------------------------------------


def test_without_a_draft_the_new_values_show_at_once(
    settings: SettingsDriver, config: Path
) -> None:
    write(config, CONFIG.replace("3000", "4000"))
    settings.desk.wait(lambda: settings.line(LIMIT).text() == "4000", "the new value")
    assert not _bar(settings)
    settings.desk.wait(lambda: "  memory_char_limit: 4000  # more" in settings.lines(), "it below")


def test_a_form_with_edits_is_not_reloaded_and_the_conflict_stands_at_its_field(
    settings: SettingsDriver, config: Path
) -> None:
    settings.type(LIMIT, "2500")
    newer = CONFIG.replace("3000", "4000").replace("true\ns", "false\ns")
    write(config, newer)
    settings.desk.wait(lambda: _bar(settings), "the bar")
    settings.rest()
    assert settings.line(LIMIT).text() == "2500"
    words = "config.yaml says 4000 by now; reload, or keep yours."
    assert settings.label(LIMIT, "problem") == words
    assert words in settings.description(LIMIT)
    settings.save()
    assert config.read_text() == newer
    assert settings.line(LIMIT).hasFocus()


def test_reload_takes_what_is_in_the_file(settings: SettingsDriver, config: Path) -> None:
    settings.type(LIMIT, "2500")
    write(config, CONFIG.replace("3000", "4000"))
    settings.desk.wait(lambda: _bar(settings), "the bar")
    settings.desk.click("settings_conflict_reload")
    assert settings.line(LIMIT).text() == "4000"
    assert settings.edited() == []
    assert not _bar(settings)


def test_keep_mine_keeps_the_draft_and_takes_all_the_rest(
    settings: SettingsDriver, config: Path
) -> None:
    settings.type(LIMIT, "2500")
    newer = CONFIG.replace("3000", "4000").replace("true\ns", "false\ns")
    write(config, newer)
    settings.desk.wait(lambda: _bar(settings), "the bar")
    settings.desk.click("settings_conflict_keep")
    settings.rest()
    assert not _bar(settings)
    assert settings.edited() == [LIMIT]
    assert settings.row(APPROVAL).editor.value() is False
    settings.save()
    assert config.read_text() == newer.replace("4000", "2500")


def test_compare_shows_the_file_and_the_draft(settings: SettingsDriver, config: Path) -> None:
    settings.type(LIMIT, "2500")
    write(config, CONFIG.replace("3000", "4000"))
    settings.desk.wait(lambda: _bar(settings), "the bar")
    settings.desk.click("settings_conflict_compare")
    settings.rest()
    shown = settings.desk.find(DiffView, "compare_diff").text().split("\n")
    assert "-   memory_char_limit: 4000  # more" in shown
    assert "+   memory_char_limit: 2500  # more" in shown
    settings.desk.click("compare_close")


def test_what_is_no_business_of_the_draft_disturbs_nobody(
    settings: SettingsDriver, config: Path, hermes_home: Path
) -> None:
    settings.type(LIMIT, "2500")
    write(config, "# one line more\n" + CONFIG.replace("sk-not", "sk-still-not"))
    write_as_agent(hermes_home / "memories" / "MEMORY.md", "x" * 2600)
    settings.desk.wait(
        lambda: "104%" in settings.desk.text(f"usage_{LIMIT}_words"), "the fuller file"
    )
    settings.rest()
    assert not _bar(settings)
    assert settings.label(LIMIT, "problem") == ""
    settings.save()
    assert config.read_text() == "# one line more\n" + CONFIG.replace(
        "sk-not", "sk-still-not"
    ).replace("3000", "2500")


# --- Broken ---------------------------------------------------------------------------------------


def test_a_broken_file_is_shown_with_its_place_and_nothing_can_be_saved(
    settings: SettingsDriver, config: Path
) -> None:
    settings.type(LIMIT, "2500")
    write(config, BROKEN)
    settings.desk.wait(lambda: _banner(settings) != "", "the banner")
    settings.rest()
    assert _banner(settings).startswith("The agent is running on its defaults now. config.yaml")
    assert "(line 4, column 7)" in _banner(settings)
    assert _enabled(settings) == []
    assert "once config.yaml can be read" in settings.description(LIMIT)
    settings.save()
    assert config.read_text() == BROKEN
    shown: list[Path] = []
    settings.page.own.opener = lambda path: not shown.append(path)
    settings.desk.click("settings_banner_action")
    assert shown == [config.parent]

    write(config, CONFIG)
    settings.desk.wait(lambda: _banner(settings) == "", "the mended file")
    settings.rest()
    assert settings.edited() == [LIMIT]
    assert settings.line(LIMIT).text() == "2500"
    assert not _bar(settings)
    settings.save()
    assert config.read_text() == CONFIG.replace("3000", "2500")


def test_a_file_that_breaks_between_the_look_and_the_save_is_left_as_it_is(
    settings: SettingsDriver, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.type(LIMIT, "2500")
    settings.desk.program.place.watch.hold([config])  # nobody hears of it
    write(config, BROKEN)
    settings.save()
    assert config.read_text() == BROKEN
    assert "(line 4, column 7)" in _banner(settings)
    assert settings.line(LIMIT).text() == "2500"


@pytest.mark.parametrize("section", ["x", "[]", "3"])
def test_a_memory_that_is_no_section_closes_its_settings_and_can_be_removed(
    settings: SettingsDriver, config: Path, section: str
) -> None:
    text = f"# top\nmemory: {section}\nskills: {{write_approval: true}}\n"
    write(config, text)
    settings.desk.wait(lambda: _banner(settings) != "", "the banner")
    settings.rest()
    assert "“memory:” in config.yaml is not a mapping (line 2)" in _banner(settings)
    assert not any(key.startswith("memory.") for key in _enabled(settings))
    assert "skills.write_approval" in _enabled(settings)
    assert "it holds a single value where a section" in settings.description(ENABLED)
    settings.desk.click("settings_banner_action")
    settings.rest()
    assert config.read_text() == "# top\nskills: {write_approval: true}\n"
    assert _banner(settings) == ""
    assert settings.row(ENABLED).editor.isEnabled()
    settings.press_toast()
    assert config.read_text() == text


def test_a_nudge_that_is_no_number_is_said_and_led_to(
    settings: SettingsDriver, config: Path
) -> None:
    write(config, "memory:\n  nudge_interval: often\n")
    settings.desk.wait(lambda: _banner(settings) != "", "the banner")
    settings.rest()
    settings.desk.click("settings_banner_action")
    assert settings.line("memory.nudge_interval").hasFocus()


# --- Someone else's -------------------------------------------------------------------------------


def test_a_value_of_the_administrator_is_shown_as_such_and_cannot_be_changed(
    start: Start, config: Path, hermes_home: Path, scope: Path
) -> None:
    scope.mkdir()
    (scope / "config.yaml").write_text("memory:\n  memory_char_limit: 1234\n")
    settings = SettingsDriver(start(hermes_home, page="settings"))
    assert settings.line(LIMIT).text() == "1234"
    assert settings.label(LIMIT, "source") == "set by the administrator"
    assert settings.label(LIMIT, "locked") == f"{scope} manages {LIMIT}; change it there."
    assert LIMIT not in _enabled(settings)
    assert len(_enabled(settings)) == len(settings.page.form.rows) - 1
    assert "1 setting is set by the administrator" in _banner(settings)


def test_a_managed_installation_closes_the_whole_form(
    start: Start, config: Path, hermes_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MANAGED", "nix")
    settings = SettingsDriver(start(hermes_home, page="settings"))
    assert _banner(settings) == "NixOS manages this installation; change it there."
    assert _enabled(settings) == []
    assert "NixOS manages" in settings.description(LIMIT)
    assert settings.page.own.form.rows["colour_scheme"].editor.isEnabled()


def test_focus_is_somewhere_useful_when_nothing_can_be_edited(
    start: Start, config: Path, hermes_home: Path
) -> None:
    config.write_text(BROKEN)
    settings = SettingsDriver(start(hermes_home, page="settings"))
    focused = settings.desk.window.focusWidget()
    assert isinstance(focused, QWidget)
    assert focused.isEnabled()


def test_a_home_without_a_file_gets_one_with_the_first_setting(
    start: Start, empty_home: Path
) -> None:
    settings = SettingsDriver(start(empty_home, page="settings"))
    assert isinstance(settings.desk, Driver)
    assert settings.lines() == []
    settings.press(APPROVAL, "on")
    assert settings.lines() == ["+ memory:", "+   write_approval: true"]
    settings.save()
    assert (empty_home / "config.yaml").read_text() == "memory:\n  write_approval: true\n"
    settings.press_toast()
    assert not (empty_home / "config.yaml").exists()
