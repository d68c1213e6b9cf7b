"""The Settings page: a draft, what saving it would change, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from gui.forms.row import Row
from gui.i18n import tr, use_language
from gui.theme import GRID
from schema.settings import HERMES_SETTINGS
from tests.gui.conftest import Start
from tests.gui.settings_driver import CTRL, SettingsDriver, is_in_sight, write

LIMIT = "memory.memory_char_limit"
ENABLED = "memory.memory_enabled"
APPROVAL = "memory.write_approval"
CONFIG = """# mine
model:
  api_key: sk-not-for-this-page  # theirs
memory:
  memory_char_limit: 3000  # more
  write_approval: true
skills: {write_approval: true}
"""

Open = Callable[..., SettingsDriver]


@pytest.fixture
def config(hermes_home: Path) -> Path:
    path = hermes_home / "config.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture
def settings(
    start: Start,
    config: Path,
    hermes_home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> SettingsDriver:
    monkeypatch.setenv("HERMES_MANAGED_DIR", str(tmp_path / "nobody"))
    return SettingsDriver(start(hermes_home, page="settings"))


# --- Showing --------------------------------------------------------------------------------------


def test_the_form_is_laid_out_from_the_declaration_alone(settings: SettingsDriver) -> None:
    titles = [
        label.text()
        for label in settings.page.form.findChildren(QLabel)
        if label.objectName().endswith("_title")
    ]
    assert titles == [group.label for group in HERMES_SETTINGS.groups]
    assert [*settings.page.form.rows] == [field.key for field in HERMES_SETTINGS.fields]
    for field in HERMES_SETTINGS.fields:
        assert settings.label(field.key, "label") == field.label
        assert settings.label(field.key, "help") == field.help
        assert field.help in settings.description(field.key)


def test_every_value_says_where_it_comes_from(settings: SettingsDriver) -> None:
    assert settings.label(LIMIT, "source") == "line 5"
    assert settings.line(LIMIT).text() == "3000"
    assert settings.label("memory.user_char_limit", "source") == "default"
    assert settings.line("memory.user_char_limit").placeholderText() == "1375"
    assert settings.label("skills.write_approval", "source") == "line 7"


def test_the_lines_of_these_settings_are_shown_and_no_others(settings: SettingsDriver) -> None:
    assert settings.lines() == [
        "memory:",
        "  memory_char_limit: 3000  # more",
        "  write_approval: true",
        "skills: {write_approval: true}",
    ]
    assert settings.desk.text("preview_title") == "In config.yaml now"


def test_each_limit_stands_beside_what_its_file_holds_now(settings: SettingsDriver) -> None:
    usage = f"usage_{LIMIT}_words"
    assert settings.desk.text(usage) == "15% — 467/3,000 chars now"
    assert "467/3,000" in settings.description(LIMIT)
    settings.type(LIMIT, "400")
    assert settings.desk.text(usage).startswith("116% — 467/400 chars · over this limit")
    settings.type(LIMIT, "99x")
    assert settings.desk.text(usage) == "15% — 467/3,000 chars now"
    settings.press(LIMIT, "reset")
    assert settings.desk.text(usage) == "21% — 467/2,200 chars now"


def test_a_foreign_value_is_kept_and_what_the_agent_makes_of_it_is_said(
    settings: SettingsDriver, config: Path
) -> None:
    write(config, "memory:\n  memory_enabled: 'no'\n  memory_char_limit: lots\n")
    settings.desk.wait(lambda: settings.line(LIMIT).text() == "lots", "the new file")
    assert settings.label(ENABLED, "note") == (
        "What stands there cannot be right: it must be true or false. The agent takes it for on."
    )
    assert settings.label(LIMIT, "note").endswith("it must be a number.")
    assert settings.desk.text(f"usage_{LIMIT}_words") == "21% — 467/2,200 chars now"
    settings.press(APPROVAL, "on")
    settings.save()
    assert config.read_text() == (
        "memory:\n  memory_enabled: 'no'\n  memory_char_limit: lots\n  write_approval: true\n"
    )


def test_in_chinese_every_setting_has_words(settings: SettingsDriver) -> None:
    use_language("zh_CN")
    fields = HERMES_SETTINGS.fields
    texts = [text for field in fields for text in (field.label, field.help)]
    texts += [group.label for group in HERMES_SETTINGS.groups]
    assert [text for text in texts if tr(text) == text] == []


# --- Editing and saving ---------------------------------------------------------------------------


def test_saving_changes_the_lines_that_were_shown_before(
    settings: SettingsDriver, config: Path
) -> None:
    settings.type(LIMIT, "2500")
    settings.press(ENABLED, "off")
    assert settings.edited() == [ENABLED, LIMIT]
    assert settings.desk.text("preview_title") == "What Save would change"
    assert settings.lines()[:5] == [
        "  memory:",
        "-   memory_char_limit: 3000  # more",
        "+   memory_char_limit: 2500  # more",
        "    write_approval: true",
        "+   memory_enabled: false",
    ]
    assert config.read_text() == CONFIG
    settings.desk.click("save_button")
    settings.rest()
    assert config.read_text() == CONFIG.replace("3000", "2500").replace(
        "approval: true\ns", "approval: true\n  memory_enabled: false\ns"
    )
    assert settings.edited() == []
    assert settings.label(ENABLED, "source") == "line 7"
    assert settings.desk.toast() == "2 settings saved; they take effect next session."


def test_undo_puts_every_byte_back_and_redo_takes_it_again(
    settings: SettingsDriver, config: Path
) -> None:
    settings.press(LIMIT, "reset")
    settings.press(ENABLED, "on")
    settings.save()
    after = config.read_text()
    assert "memory_char_limit" not in after
    settings.press_toast()
    assert config.read_text() == CONFIG
    assert settings.desk.toast() == "Undone."
    assert settings.line(LIMIT).text() == "3000"
    settings.press_toast()
    assert config.read_text() == after
    assert settings.desk.toast() == "Done again."


def test_the_undo_key_means_the_settings_after_they_were_saved(
    settings: SettingsDriver, config: Path
) -> None:
    settings.press(APPROVAL, "off")
    settings.save()
    assert config.read_text() != CONFIG
    settings.row(APPROVAL).editor.take_focus()
    settings.desk.keys(settings.row(APPROVAL).editor.parts()[0], Qt.Key.Key_Z, CTRL)
    settings.rest()
    assert config.read_text() == CONFIG


def test_the_undo_key_never_brings_back_what_was_typed_before_a_save(
    settings: SettingsDriver, config: Path
) -> None:
    settings.type(LIMIT, "99x")
    settings.type(LIMIT, "300")
    settings.save()
    assert config.read_text() == CONFIG.replace("3000", "300")
    settings.desk.keys(settings.line(LIMIT), Qt.Key.Key_Z, CTRL)
    settings.rest()
    assert config.read_text() == CONFIG
    assert settings.line(LIMIT).text() == "3000"
    assert settings.edited() == []


def test_the_undo_key_in_a_field_takes_back_typing_until_the_page_is_left(
    settings: SettingsDriver,
) -> None:
    settings.type(LIMIT, "99x")
    settings.type(LIMIT, "2500")
    settings.desk.keys(settings.line(LIMIT), Qt.Key.Key_Z, CTRL)
    assert settings.line(LIMIT).text() != "2500"
    settings.type(LIMIT, "2500")
    settings.desk.window.open_page("memory")
    settings.desk.window.open_page("settings")
    settings.desk.keys(settings.line(LIMIT), Qt.Key.Key_Z, CTRL)
    assert settings.line(LIMIT).text() == "2500"


def test_undo_leaves_a_file_alone_that_changed_meanwhile(
    settings: SettingsDriver, config: Path
) -> None:
    settings.type(LIMIT, "2500")
    settings.save()
    newer = config.read_text() + "# from elsewhere\n"
    write(config, newer)
    settings.press_toast()
    assert config.read_text() == newer
    assert settings.desk.toast() == "config.yaml was changed since, so it was left as it is."


def test_a_mistake_is_said_below_its_field_and_nothing_is_saved_with_it(
    settings: SettingsDriver, config: Path
) -> None:
    settings.press("curator.backup.enabled", "off")
    settings.type("memory.user_char_limit", "0")
    assert settings.label("memory.user_char_limit", "problem") == "It must be at least 1."
    assert settings.description("memory.user_char_limit").startswith(
        "edited. It must be at least 1."
    )
    settings.save()
    assert config.read_text() == CONFIG
    save = settings.desk.find(QAbstractButton, "save_button")
    assert not save.isEnabled()
    assert save.toolTip() == "User profile limit cannot be saved: it must be at least 1."
    assert settings.desk.text("preview_title") == "Cannot be saved as it is"
    settings.type("memory.user_char_limit", "1")
    assert settings.label("memory.user_char_limit", "problem") == ""
    assert save.isEnabled()
    assert save.toolTip() == "Ctrl+S"


def test_revert_forgets_the_draft(settings: SettingsDriver, config: Path) -> None:
    settings.type(LIMIT, "2500")
    settings.press(ENABLED, "off")
    settings.desk.click("revert_button")
    assert settings.edited() == []
    assert settings.line(LIMIT).text() == "3000"
    settings.save()
    assert config.read_text() == CONFIG


def test_typing_the_old_value_again_leaves_nothing_to_save(settings: SettingsDriver) -> None:
    settings.type(LIMIT, "2500")
    settings.type(LIMIT, " 3000")
    assert settings.edited() == []
    assert settings.page.unsaved() == ""


def test_a_draft_is_not_lost_without_a_question(
    settings: SettingsDriver, config: Path, hermes_home: Path
) -> None:
    settings.type(LIMIT, "2500")
    settings.desk.asker.answers = [False, True]
    settings.desk.window.side.profiles.activated.emit(1)
    assert settings.desk.asker.asked == ["Leave without saving?"]
    assert settings.line(LIMIT).text() == "2500"
    settings.desk.window.side.profiles.activated.emit(1)
    settings.desk.wait(
        lambda: settings.label(LIMIT, "source") == "default", "the other profile's settings"
    )
    assert settings.edited() == []
    assert config.read_text() == CONFIG


# --- Finding a setting ----------------------------------------------------------------------------


def test_a_banner_elsewhere_can_lead_to_a_setting(
    start: Start, config: Path, hermes_home: Path
) -> None:
    desk = start(hermes_home)
    desk.window.open_page("settings")
    settings = desk.window.page()
    settings.focus_key("curator.backup.keep")  # type: ignore[union-attr]
    driver = SettingsDriver(desk)
    assert driver.line("curator.backup.keep").hasFocus()
    row = driver.row("curator.backup.keep")
    desk.wait(lambda: is_in_sight(row), "the row to be in sight")
    driver.page.focus_key(LIMIT)
    assert driver.line(LIMIT).hasFocus()


def test_search_leaves_what_is_about_it(settings: SettingsDriver) -> None:
    settings.desk.window.search.setText("CHAR_LIMIT")
    settings.desk.wait(lambda: not settings.row(ENABLED).isVisible(), "the search")
    shown = [key for key, row in settings.page.form.rows.items() if row.isVisible()]
    assert shown == [LIMIT, "memory.user_char_limit"]
    settings.desk.window.search.setText("no such thing")
    settings.desk.wait(lambda: settings.desk.sees("no_setting"), "the empty page")
    settings.desk.window.search.clear()
    settings.desk.wait(lambda: settings.row(ENABLED).isVisible(), "everything again")


def test_a_search_ends_with_the_page_as_its_field_does(settings: SettingsDriver) -> None:
    settings.desk.window.search.setText("char_limit")
    settings.desk.wait(lambda: not settings.row(ENABLED).isVisible(), "the search")
    settings.desk.window.open_page("memory")
    settings.desk.window.open_page("settings")
    assert settings.desk.window.search.text() == ""
    assert settings.row(ENABLED).isVisible()


def test_return_in_the_search_leads_into_the_first_field_found(settings: SettingsDriver) -> None:
    settings.line("curator.backup.keep").setFocus()
    search = settings.desk.window.search
    settings.desk.keys(settings.desk.window, Qt.Key.Key_K, CTRL)
    settings.desk.qtbot.keyClicks(search, "limit")
    settings.desk.keys(search, Qt.Key.Key_Return)
    assert settings.line(LIMIT).hasFocus()
    settings.desk.wait(lambda: is_in_sight(settings.row(LIMIT)), "the row to be in sight")
    search.setText("no such thing")
    search.setFocus()
    settings.desk.keys(search, Qt.Key.Key_Return)
    assert search.hasFocus()


def test_tab_goes_through_a_row_as_it_is_read(settings: SettingsDriver) -> None:
    settings.type("memory.user_char_limit", "1000")  # its button to go back is made only now
    settings.row(ENABLED).editor.take_focus()
    stops = []
    for _ in range(8):
        focused = settings.desk.window.focusWidget()
        stops.append(focused.objectName())
        settings.desk.keys(focused, Qt.Key.Key_Tab)
    assert [stop for stop in stops if "char_limit" in stop] == [
        f"field_{LIMIT}_reset",
        f"field_{LIMIT}_line",
        "field_memory.user_char_limit_reset",
        "field_memory.user_char_limit_line",
    ]


def test_in_a_small_window_the_fields_stand_below_their_words_and_none_is_cut_off(
    settings: SettingsDriver,
) -> None:
    settings.desk.window.resize(640, 480)
    area = settings.page._area

    def beyond() -> list[str]:
        edge = area.viewport().width() - 2 * GRID
        return [
            part.objectName()
            for row in area.findChildren(Row)
            for part in row.findChildren(QWidget)
            if part.isVisible() and part.mapTo(area.widget(), part.rect().topRight()).x() > edge
        ]

    settings.desk.wait(lambda: area.width() < 430 and not beyond(), "all to fit in")
    assert area.widget().width() == area.viewport().width()
    words = settings.row(LIMIT).findChild(QLabel, f"usage_{LIMIT}_words")
    line = settings.line(LIMIT)
    assert line.mapTo(area, QPoint()).y() > words.mapTo(area, words.rect().bottomLeft()).y()
    assert line.mapTo(area, QPoint()).x() == words.parentWidget().mapTo(area, QPoint()).x()


def test_the_keyboard_alone_reaches_every_field(settings: SettingsDriver) -> None:
    settings.page.take_focus()
    reached = set()
    for _ in range(120):
        focused = settings.desk.window.focusWidget()
        reached |= {
            key for key, row in settings.page.form.rows.items() if row.isAncestorOf(focused)
        }
        settings.desk.keys(focused, Qt.Key.Key_Tab)
    assert reached == set(settings.page.form.rows)


@pytest.mark.parametrize("size", [(700, 600), (1200, 760)])
def test_the_lines_stand_beside_the_form_or_below_it(
    settings: SettingsDriver, size: tuple[int, int]
) -> None:
    window = settings.desk.window
    window.resize(*size)
    settings.desk.wait(lambda: window.width() == size[0], "the new size")
    wide = size[0] > 1000
    assert settings.desk.sees("preview") == wide
    settings.press(APPROVAL, "off")
    assert settings.desk.sees("preview")
    area, pane = settings.page._area.geometry(), settings.page.pane.geometry()
    assert (pane.left() > area.right()) == wide
    assert (pane.top() > area.bottom()) == (not wide)
    if not wide:
        assert settings.lines() == [
            "  memory:",
            "-   write_approval: true",
            "+   write_approval: false",
        ]
