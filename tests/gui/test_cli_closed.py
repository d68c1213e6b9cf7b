"""Folders of a home that the desk may not enter: said as any other refusal, never a fault."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.unprivileged import Unprivileged


@pytest.fixture
def home(unprivileged: Unprivileged, hermes_home: Path) -> Path:
    return unprivileged.take_copy(hermes_home)


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert done.stderr == ""
    data = json.loads(done.stdout)
    assert isinstance(data, dict)
    assert done.returncode == (0 if data["ok"] else 1)
    return data


@pytest.mark.parametrize("closed", ["", "memories", "profiles", "profiles/work"])
def test_a_closed_folder_is_refused_and_no_fault(
    unprivileged: Unprivileged, home: Path, closed: str
) -> None:
    (home / closed).chmod(0)
    chosen = ["--home", home, "--profile", "work"] if "profiles" in closed else ["--home", home]
    for command in (
        ["entries", "list", "--target", "memory"],
        ["entries", "add", "--target", "memory", "new"],
    ):
        data = answer(unprivileged.run_desk(*chosen, "--json", *command))
        assert data["ok"] is False
        assert data["reason"] in ("unreadable", "read_only")
    for command in (["status"], ["profiles", "list"]):
        answer(unprivileged.run_desk(*chosen, "--json", *command))


def test_memory_can_be_edited_while_only_the_queue_is_closed(
    unprivileged: Unprivileged, home: Path
) -> None:
    (home / "pending").chmod(0)
    added = answer(
        unprivileged.run_desk(
            "--home", home, "--json", "entries", "add", "--target", "memory", "new"
        )
    )
    assert added["changed"] is True


def test_a_closed_queue_is_not_an_empty_one(unprivileged: Unprivileged, home: Path) -> None:
    (home / "pending").chmod(0)

    def desk(*words: str) -> dict[str, object]:
        return answer(unprivileged.run_desk("--home", home, "--json", *words))

    status = desk("status")
    pending, health = status["pending"], status["health"]
    assert isinstance(pending, dict)
    assert isinstance(health, list)
    assert (pending["memory"], pending["skills"], pending["unreadable"]) == (None, None, 0)
    assert "pending_unreadable" in [one["code"] for one in health]
    profiles = desk("profiles", "list")["profiles"]
    assert isinstance(profiles, list)
    assert profiles[0]["pending"] is None
    for words in (["list"], ["reject", "--all"], ["approve", "--all"]):
        assert desk("pending", *words)["reason"] == "unreadable"
    assert "cannot be read" in unprivileged.run_desk("--home", home, "profiles").stdout


def test_closed_profiles_are_not_none(unprivileged: Unprivileged, home: Path) -> None:
    (home / "profiles").chmod(0)
    data = answer(unprivileged.run_desk("--home", home, "--json", "profiles", "list"))
    assert (data["ok"], data["reason"]) == (False, "unreadable")
    profiles = data["profiles"]
    assert isinstance(profiles, list)
    assert [one["name"] for one in profiles] == ["default"]
