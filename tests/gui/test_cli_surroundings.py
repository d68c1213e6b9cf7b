"""The command line in odd surroundings: another locale, closed streams, a profile that is gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import DeskDirs
from tests.support.command_line import CommandLine

ROOT = Path(__file__).resolve().parents[2]
DESK = (sys.executable, "-P", "-m", "gui")


@pytest.fixture
def desk(hermes_home: Path, desk_dirs: DeskDirs) -> CommandLine:
    return CommandLine(hermes_home)


def test_arguments_and_paths_are_utf8_under_the_locale_c_too(
    desk: CommandLine, tmp_path: Path
) -> None:
    home = desk.home.rename(tmp_path / "hé")
    env = os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C", "PYTHONUTF8": "0"}
    command = [*DESK, "--home", home, "--json"]
    added = subprocess.run(
        [*command, "entries", "add", "--target", "memory", "é"],
        env=env,
        capture_output=True,
        check=True,
    )
    assert json.loads(added.stdout)["changed"] is True
    assert (home / "memories" / "MEMORY.md").read_text("utf-8").endswith("é")
    status = subprocess.run([*command, "status"], env=env, capture_output=True, check=True)
    assert json.loads(status.stdout)["home"] == str(home)


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix closes the stream")
def test_a_closed_standard_output_is_a_failure(desk: CommandLine) -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", *DESK, "--home", desk.home, "status"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert b"could not be written" in done.stderr


def test_profiles_are_listed_while_the_active_one_is_missing(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_HOME", str(desk.home))
    (desk.home / "active_profile").write_text("gone")
    env = os.environ | {"PYTHONPATH": str(ROOT)}

    def run(*words: str) -> dict[str, object]:
        done = subprocess.run([*DESK, "--json", *words], env=env, capture_output=True, check=False)
        data = json.loads(done.stdout)
        assert isinstance(data, dict)
        return data

    profiles = run("profiles", "list")["profiles"]
    assert isinstance(profiles, list)
    assert [one["name"] for one in profiles] == ["default", "work"]
    refused = run("entries", "list", "--target", "memory")
    assert refused["reason"] == "not_found"
    assert "active_profile" in str(refused["message"])
    assert "--profile default" in str(refused["message"])
    assert run("profiles")["profiles"] == profiles


def test_history_lists_all_or_says_how_many_more(desk: CommandLine) -> None:
    desk.write()
    for number in range(3):
        desk("entries", "add", "--target", "memory", f"entry {number}")
    assert len(desk.json("history", "list")["changes"]) == 3
    limited = desk.json("history", "list", "--limit", "1")
    assert (len(limited["changes"]), limited["more"]) == (1, 2)
    assert "2 older changes" in desk("history", "list", "--limit", "1").out


def test_history_names_the_record_that_was_rejected(desk: CommandLine) -> None:
    desk("pending", "reject", "162386ec")
    assert "162386ec" in desk("history", "list").out


def test_a_value_of_a_setting_can_come_from_standard_input(desk: CommandLine) -> None:
    set_to = desk.json("config", "set", "memory.nudge_interval", "-", stdin="7\n")
    assert set_to["ok"] is True
    assert desk.json("config", "get", "memory.nudge_interval")["value"] == 7
