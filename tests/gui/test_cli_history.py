"""History at the command line: who did what, secrets said, versions from before, forgetting."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine

SECRET = "api_key = 'abcdefghij0123456789'"


@pytest.fixture
def desk(empty_home: Path, desk_dirs: object) -> CommandLine:
    """A home with two entries, which the desk has changed once."""
    desk = CommandLine(empty_home)
    desk.write("one", "two")
    desk.json("entries", "add", "--target", "memory", "three")
    return desk


def whos(desk: CommandLine) -> list[str]:
    return [change["who"] for change in desk.json("history", "list")["changes"]]


def test_a_command_that_changes_notes_what_others_did_before_it(desk: CommandLine) -> None:
    desk.memory.write_text("one\n§\ntwo\n§\nthree\n§\nfour", encoding="utf-8")
    assert whos(desk) == ["desk"]
    desk.json("entries", "add", "--target", "user", "a name")
    assert whos(desk) == ["desk", "agent", "desk"]
    (found,) = [one for one in desk.json("history", "list")["changes"] if one["who"] == "agent"]
    assert (found["action"], found["after"], found["undoable"]) == ("add", "four", True)
    shown = desk("history", "show", str(found["id"]))
    assert "the agent  add  MEMORY.md" in shown.out
    assert "+four" in shown.out


def test_reading_notes_nothing(desk: CommandLine) -> None:
    desk.memory.write_text("something else", encoding="utf-8")
    for words in (["status"], ["history", "list"], ["entries", "list", "--target", "memory"]):
        assert desk(*words).status == 0
    assert whos(desk) == ["desk"]


def test_the_answer_says_that_a_secret_is_gone_for_good(desk: CommandLine) -> None:
    desk.write("one", SECRET)
    answer = desk.json("entries", "remove", "--target", "memory", SECRET)
    assert "cannot be undone" in answer["note"]
    latest = desk.json("history", "list")["changes"][0]
    assert (latest["undoable"], SECRET in json.dumps(latest)) == (False, False)
    refused = desk.json("history", "undo", str(latest["id"]))
    assert refused["reason"] == "unsupported"


def test_an_undo_that_later_changes_build_on_names_them(desk: CommandLine) -> None:
    desk.json("entries", "replace", "--target", "memory", "three", "3")
    refused = desk.json("history", "undo", "1")
    assert (refused["reason"], refused["later"]) == ("conflict", [2])
    assert "2" in refused["message"]
    done = desk.json("history", "restore", "--before", "1")
    assert done["changed"]
    assert desk.memory.read_text("utf-8") == "one\n§\ntwo"


def test_forgetting_needs_a_yes_and_then_leaves_nothing(desk: CommandLine) -> None:
    assert desk.json("history", "forget", "three")["reason"] == "invalid"
    assert "three" in desk.memory.read_text("utf-8")
    done = desk.json("history", "forget", "--yes", "three")
    assert (done["entries"], done["changes"], done["backups"]) == (1, 2, [])
    assert desk.memory.read_text("utf-8") == "one\n§\ntwo"
    assert "three" not in desk("history", "show", "1").out
    assert desk.json("history", "forget", "--yes", "three")["reason"] == "not_found"
