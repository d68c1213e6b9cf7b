"""What the other tests stand on: the fixture home, the guards, and the user without rights."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from tests.conftest import DeskDirs
from tests.support.leaks import Leaks
from tests.support.unprivileged import Unprivileged


def test_the_fixture_home_keeps_empty_folders_and_modes(hermes_home: Path) -> None:
    assert (hermes_home / "cron").is_dir()
    assert stat.S_IMODE((hermes_home / "memories" / "MEMORY.md").stat().st_mode) == 0o600
    assert stat.S_IMODE((hermes_home / "state.db").stat().st_mode) == 0o644
    assert stat.S_IMODE((hermes_home / "memories").stat().st_mode) == 0o700


def test_each_test_gets_a_home_folder_that_is_empty(desk_dirs: DeskDirs) -> None:
    assert list(Path.home().iterdir()) == []
    assert not desk_dirs.data.exists()
    assert "HERMES_HOME" not in os.environ


def test_the_unprivileged_user_is_held_back_by_modes(
    unprivileged: Unprivileged, hermes_home: Path
) -> None:
    home = unprivileged.take_copy(hermes_home)
    memory = home / "memories" / "MEMORY.md"
    code = "import pathlib, sys; print(len(pathlib.Path(sys.argv[1]).read_bytes()))"
    assert unprivileged.run_python(code, memory).stdout == "514\n"

    memory.chmod(0)

    unprivileged.assert_cannot_read(memory)
    assert "PermissionError" in unprivileged.run_python(code, memory).stderr


def test_the_unprivileged_user_can_import_the_desk(unprivileged: Unprivileged) -> None:
    done = unprivileged.run_python("import gui, store, schema, resources; print('imported')")
    assert done.stdout == "imported\n", done.stderr


def test_a_thread_left_running_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.leaks.DEADLINE", 0.01)
    leaks, end = Leaks(), threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    thread.start()
    try:
        assert leaks.found() == ["thread forgotten"]
    finally:
        end.set()
        thread.join()


def test_a_window_and_a_timer_left_behind_are_found(qapp: object) -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QLabel

    leaks = Leaks()
    window = QLabel("left open")
    window.setObjectName("forgotten")
    window.show()
    timer = QTimer()
    timer.start(60_000)

    assert leaks.found() == ["window forgotten", "running timer '' of NoneType"]
    assert leaks.found() == []


@pytest.mark.skipif("MEMORY_DESK_TEST_DESKTOP" not in os.environ, reason="only ./test has one")
def test_the_desktop_of_the_tests_has_a_screen_and_an_open_keyring(qapp: object) -> None:
    from keyring.core import load_keyring
    from PySide6.QtGui import QGuiApplication

    assert QGuiApplication.platformName() == "xcb"
    # By name: those of tests/support may be loaded, and preferred.
    keyring = load_keyring("keyring.backends.SecretService.Keyring")
    keyring.set_password("hermes-memory-desk/test", "NAME", "value")
    assert keyring.get_password("hermes-memory-desk/test", "NAME") == "value"
    keyring.delete_password("hermes-memory-desk/test", "NAME")
