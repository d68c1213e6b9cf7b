"""The Settings page touches no disk on the UI thread."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import DeskDirs
from tests.gui import test_ui_thread as hook
from tests.gui.conftest import Start
from tests.gui.settings_driver import SettingsDriver, write
from tests.gui.test_settings_page import APPROVAL, CONFIG, LIMIT


@pytest.fixture
def touched() -> Iterator[list[str]]:
    """What the UI thread did to the watched folders."""
    hook._touched.clear()
    yield hook._touched
    hook._watching.clear()


def test_no_setting_is_read_or_written_on_the_ui_thread(
    start: Start, hermes_home: Path, desk_dirs: DeskDirs, touched: list[str]
) -> None:
    config = hermes_home / "config.yaml"
    config.write_text(CONFIG)
    settings = SettingsDriver(start(hermes_home, page="settings"))
    places = [hermes_home, desk_dirs.data, desk_dirs.config, desk_dirs.log]
    hook._watching.extend(places)

    settings.type(LIMIT, "2500")
    settings.press(APPROVAL, "off")
    settings.save()
    settings.press_toast()
    settings.pick("colour_scheme", "Dark")
    settings.type(LIMIT, "2600")

    hook._watching.clear()  # this is someone else
    write(config, CONFIG.replace("3000", "4000"))
    hook._watching.extend(places)
    settings.desk.wait(lambda: settings.desk.sees("settings_conflict"), "the bar")
    settings.desk.click("settings_conflict_keep")
    settings.save()
    hook._watching.clear()
    assert config.read_text() == CONFIG.replace("3000", "2600")
    assert touched == []
