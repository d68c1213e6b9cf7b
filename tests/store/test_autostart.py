"""The entry that starts the desk at login: written on request, gone when it is switched off."""

from __future__ import annotations

import plistlib
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.autostart import (
    FileEntry,
    RunEntry,
    entry_for,
    own_command,
    start_at_login,
    starts_at_login,
)
from store.refusals import ReadOnly, Unreadable


def entry_in(folder: Path, *command: str) -> FileEntry:
    entry = entry_for(
        command or ("/usr/bin/memory-desk",),
        env={"XDG_CONFIG_HOME": str(folder)},
        platform="linux",
        person=folder,
    )
    assert isinstance(entry, FileEntry)
    return entry


def test_on_linux_it_is_a_file_in_the_autostart_folder(tmp_path: Path) -> None:
    entry = entry_in(tmp_path)
    assert entry.path == tmp_path / "autostart" / "hermes-memory-desk.desktop"
    assert not starts_at_login(entry)
    assert start_at_login(True, entry) is None
    assert starts_at_login(entry)
    assert 'Exec="/usr/bin/memory-desk" "--minimised"\n' in entry.path.read_text()
    assert start_at_login(True, entry) is None
    assert start_at_login(False, entry) is None
    assert list(entry.path.parent.iterdir()) == []
    assert start_at_login(False, entry) is None


def test_without_a_config_folder_of_its_own_it_is_the_usual_one(tmp_path: Path) -> None:
    for env in ({}, {"XDG_CONFIG_HOME": ""}, {"XDG_CONFIG_HOME": "relative"}):
        entry = entry_for(["x"], env=env, platform="linux", person=tmp_path)
        assert isinstance(entry, FileEntry)
        assert entry.path.parent == tmp_path / ".config" / "autostart"


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktops_own_tool_switched_off_is_off(tmp_path: Path, line: str) -> None:
    entry = entry_in(tmp_path)
    start_at_login(True, entry)
    entry.path.write_text(entry.path.read_text() + line + "\n")
    assert not starts_at_login(entry)
    assert start_at_login(True, entry) is None
    assert starts_at_login(entry)


def test_what_cannot_be_written_is_said_and_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("a file where the folder should be")
    entry = entry_in(tmp_path)
    assert not starts_at_login(entry)
    assert isinstance(start_at_login(True, entry), ReadOnly | Unreadable)
    assert not starts_at_login(entry)


def unquoted(line: str) -> list[str]:
    """Read an Exec line as the desktop entry specification says."""
    value = _unescaped(line)
    words, word, quoted, at = [], "", False, 0
    while at < len(value):
        sign = value[at]
        if sign == '"':
            quoted = not quoted
            if not quoted:
                words.append(word)
                word = ""
        elif quoted:
            if sign == "\\":
                at += 1
                sign = value[at]
            word += sign
        at += 1
    return [word.replace("%%", "%") for word in words]


def _unescaped(value: str) -> str:
    signs = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    out, at = "", 0
    while at < len(value):
        if value[at] == "\\":
            at += 1
            out += signs[value[at]]
        else:
            out += value[at]
        at += 1
    return out


@given(st.lists(st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"))))
def test_every_command_comes_out_as_it_went_in(words: list[str]) -> None:
    entry = entry_for(words, env={}, platform="linux", person=Path("/home/p"))
    assert isinstance(entry, FileEntry)
    (line,) = [line for line in entry.text.split("\n") if line.startswith("Exec=")]
    assert unquoted(line.removeprefix("Exec=")) == [*words, "--minimised"]


def test_on_macos_it_is_an_agent_of_the_person(tmp_path: Path) -> None:
    entry = entry_for(["/a b/desk"], env={}, platform="darwin", person=tmp_path)
    assert isinstance(entry, FileEntry)
    assert entry.path == tmp_path / "Library" / "LaunchAgents" / "hermes-memory-desk.plist"
    assert start_at_login(True, entry) is None
    stored = plistlib.loads(entry.path.read_bytes())
    assert stored["ProgramArguments"] == ["/a b/desk", "--minimised"]
    assert stored["RunAtLoad"] is True
    assert starts_at_login(entry)
    assert start_at_login(False, entry) is None
    assert not entry.path.exists()


def test_on_windows_it_is_a_value_of_the_run_key() -> None:
    entry = entry_for([r"C:\Program Files\desk.exe"], env={}, platform="win32", person=Path("/p"))
    assert entry == RunEntry("hermes-memory-desk", r'"C:\Program Files\desk.exe" --minimised')


@pytest.mark.skipif(sys.platform == "win32", reason="is about systems without a registry")
def test_where_there_is_no_registry_nothing_is_started_from_it() -> None:
    entry = RunEntry("hermes-memory-desk", "desk")
    assert not starts_at_login(entry)
    assert isinstance(start_at_login(True, entry), ReadOnly)


def test_the_command_is_the_one_that_was_started(tmp_path: Path) -> None:
    script = tmp_path / "memory-desk"
    script.write_text("")
    python = "/venv/bin/python"
    assert own_command(env={}, argv0=str(script), executable=python) == (str(script),)
    elsewhere = (python, "-P", "-m", "gui")
    assert own_command(env={}, argv0="/x/__main__.py", executable=python) == elsewhere
    assert own_command(env={}, argv0="memory-desk", executable=python) == elsewhere
    assert own_command(env={}, executable="/opt/desk", packed=True) == ("/opt/desk",)
    assert own_command(env={"APPIMAGE": "/d.AppImage"}) == ("/d.AppImage",)
