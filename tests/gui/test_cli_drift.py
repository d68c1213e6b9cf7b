"""`drift check`, `drift repair` and `backups`, as a script and as a person use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gui import repair_words
from store.memory.repair import propose
from tests.conftest import DeskDirs
from tests.corpus.test_corpus_is_sound import ALL, CHANGES, WHYS
from tests.support.command_line import CommandLine

SPACED = "one\n\n§\n\ntwo\n§\none\n§\nthree".encode()
CLEAN = "one\n§\ntwo\n§\nthree".encode()
CHINESE = "林晓住在杭州。\n§\n周航管数据库。"
REPAIR = ("drift", "repair", "--target", "memory")


@pytest.fixture
def desk(hermes_home: Path, desk_dirs: DeskDirs) -> CommandLine:
    desk = CommandLine(hermes_home)
    desk.write("a name", to="USER.md")
    desk.memory.write_bytes(SPACED)
    return desk


def proposed(answer: dict[str, Any]) -> list[str]:
    return [one["text"] for one in answer["entries"]]


# -- check -----------------------------------------------------------------------------------


def test_check_proposes_a_list_that_says_where_each_entry_came_from(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    files = desk.json("drift", "check")["files"]
    assert files["MEMORY.md"]["proposal"] == [
        {"text": "one", "from": [1, 1], "changes": ["trimmed"]},
        {"text": "two", "from": [5, 5], "changes": ["trimmed"]},
        {"text": "three", "from": [9, 9], "changes": []},
    ]
    assert files["MEMORY.md"]["dropped"] == [{"text": "one", "from": [7, 7], "why": "duplicate"}]
    assert files["USER.md"]["proposal"] == []
    assert desk.bytes_of_all_files() == before
    text = desk("drift", "check").out
    assert "Line 2" in text
    assert "a list of 3 entries" in text
    assert "memory-desk drift repair --target memory" in text


def test_what_check_says_of_a_file_is_a_plan(desk: CommandLine) -> None:
    found = desk.json("drift", "check")["files"]["MEMORY.md"]
    answer = desk.json(*REPAIR, "--apply", "--plan", "-", stdin=json.dumps(found))
    assert answer["ok"]
    assert desk.memory.read_bytes() == CLEAN


# -- repair ----------------------------------------------------------------------------------


def test_without_apply_a_plan_is_printed_and_nothing_is_written(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    ran = desk(*REPAIR)
    assert ran.status == 0
    plan = json.loads(ran.out)
    assert proposed(plan) == ["one", "two", "three"]
    assert (plan["target"], plan["encoding"]) == ("memory", "utf-8")
    assert "Line 2" in ran.err
    answer = desk.json(*REPAIR)
    assert {"backup": "", "chars": len(CLEAN.decode()), "limit": 2200}.items() <= answer.items()
    assert answer["needed"]
    assert desk.bytes_of_all_files() == before


def test_apply_writes_copies_and_can_be_undone(desk: CommandLine) -> None:
    answer = desk.json(*REPAIR, "--apply")
    assert {"ok", "backup", "entries", "dropped", "chars", "limit"} <= set(answer)
    assert proposed(answer) == ["one", "two", "three"]
    assert [one["why"] for one in answer["dropped"]] == ["duplicate"]
    assert (answer["changed"], answer["proven"]) == (True, True)
    assert Path(answer["backup"]).read_bytes() == SPACED
    assert desk.memory.read_bytes() == CLEAN
    assert not desk.json("drift", "check")["files"]["MEMORY.md"]["drift"]
    assert desk.json("history", "undo", str(answer["change_id"]))["exact"]
    assert desk.memory.read_bytes() == SPACED


def test_apply_tells_a_person_what_happened_and_the_way_back(desk: CommandLine) -> None:
    ran = desk(*REPAIR, "--apply")
    assert "Repaired MEMORY.md, now 3 entries" in ran.out
    assert "MEMORY.md.bak." in ran.out
    assert "history undo" in ran.out


def test_an_edited_plan_is_written_as_it_says(desk: CommandLine, tmp_path: Path) -> None:
    plan = json.loads(desk(*REPAIR).out)
    plan["entries"][1]["target"] = "user"
    plan["entries"][2]["text"] = "three, and more"
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(plan), encoding="utf-8")
    shown = desk.json(*REPAIR, "--plan", file)
    assert (shown["problems"], shown["lost"]) == ([], [])
    assert desk.memory.read_bytes() == SPACED
    answer = desk.json(*REPAIR, "--plan", file, "--apply")
    assert answer["sent"] == 1
    assert desk.memory.read_text("utf-8") == "one\n§\nthree, and more"
    assert desk.user.read_text("utf-8") == "a name\n§\ntwo"


def test_what_a_plan_would_lose_is_said(desk: CommandLine) -> None:
    plan = json.loads(desk(*REPAIR).out)
    del plan["entries"][1]
    answer = desk.json(*REPAIR, "--plan", "-", stdin=json.dumps(plan))
    assert answer["lost"] == ["two"]
    ran = desk(*REPAIR, "--plan", "-", "--apply", stdin=json.dumps(plan))
    assert (ran.status, "nowhere in the plan: two" in ran.err) == (0, True)


@pytest.mark.parametrize(
    ("change", "reason", "entry", "says"),
    [
        ({"entries": ["one", "x" * 2201]}, "over_budget", 2, "2,201 characters"),
        ({"entries": ["one", "two\n§\nthree"]}, "delimiter", 2, "Line 2"),
        ({"entries": [""]}, "empty", 1, "empty"),
        ({"entries": []}, "empty", 0, "keeps no entry"),
        ({"digest": "0"}, "conflict", 0, "has changed"),
    ],
)
def test_what_stands_in_the_way_of_a_plan_is_told_with_its_entry(
    desk: CommandLine, change: dict[str, Any], reason: str, entry: int, says: str
) -> None:
    plan = json.dumps(json.loads(desk(*REPAIR).out) | change)
    shown = desk.json(*REPAIR, "--plan", "-", stdin=plan)
    assert [(one["entry"], one["reason"]) for one in shown["problems"]] == [(entry, reason)]
    answer = desk.json(*REPAIR, "--plan", "-", "--apply", stdin=plan)
    assert (answer["ok"], answer["reason"], answer["entry"]) == (False, reason, entry)
    ran = desk(*REPAIR, "--plan", "-", "--apply", stdin=plan)
    assert ran.status == 1
    assert says in ran.err
    assert desk.memory.read_bytes() == SPACED


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("nonsense", "not valid JSON"),
        ("[]", "no JSON object"),
        ('{"target": "memory", "digest": "0"}', "must be a list"),
        ('{"target": "user", "digest": "0", "entries": []}', "the other memory file"),
    ],
)
def test_what_is_no_plan_is_refused(desk: CommandLine, given: str, says: str) -> None:
    answer = desk.json(*REPAIR, "--plan", "-", "--apply", stdin=given)
    assert (answer["reason"], says in answer["message"]) == ("invalid", True)


def test_a_file_that_needs_no_repair_is_left_alone(desk: CommandLine) -> None:
    desk.memory.write_bytes(CLEAN.replace(b"\n", b"\r\n"))
    answer = desk.json(*REPAIR, "--apply")
    assert (answer["changed"], answer["backup"]) == (False, "")
    assert "needs no repair" in desk(*REPAIR).err
    assert desk.memory.read_bytes() == CLEAN.replace(b"\n", b"\r\n")


def test_a_file_that_is_not_there_is_said_to_be_missing(desk: CommandLine) -> None:
    desk.memory.unlink()
    assert desk.json(*REPAIR)["reason"] == "not_found"


def test_a_guessed_encoding_is_shown_and_written_only_when_it_is_named(desk: CommandLine) -> None:
    desk.memory.write_bytes(CHINESE.encode("gb18030"))
    shown = desk.json(*REPAIR)
    assert (shown["guess"], shown["encoding"]) == ("gb18030", "")
    assert proposed(shown) == CHINESE.split("\n§\n")
    refused = desk.json(*REPAIR, "--apply")
    assert (refused["reason"], refused["encoding"]) == ("unreadable", "gb18030")
    assert desk.memory.read_bytes() == CHINESE.encode("gb18030")
    plan = json.dumps(shown | {"encoding": "gb18030"})
    assert desk.json(*REPAIR, "--plan", "-", "--apply", stdin=plan)["ok"]
    assert desk.memory.read_text("utf-8") == CHINESE


def test_an_encoding_may_be_named_on_the_command_line(desk: CommandLine) -> None:
    desk.memory.write_bytes("Łódź".encode("cp1250"))
    assert desk.json(*REPAIR, "--encoding", "utf-8")["reason"] == "invalid"
    assert desk.json(*REPAIR, "--encoding", "cp1250", "--apply")["ok"]
    assert desk.memory.read_text("utf-8") == "Łódź"
    assert desk(*REPAIR, "--encoding", "rot13").status == 2


# -- backups ---------------------------------------------------------------------------------


@pytest.fixture
def backed_up(desk: CommandLine) -> CommandLine:
    for name, data in (
        ("MEMORY.md.bak.1793100000", b"three\n\xc2\xa7\nfour\n\xc2\xa7\n\nfive"),
        ("MEMORY.md.bak.1793100007", b"three\n\xc2\xa7\nfour\n\xc2\xa7\n\nfive"),
        ("MEMORY.md.bak.1793200000", SPACED),
        ("USER (conflicted copy).md", b"another name"),
    ):
        (desk.memory.parent / name).write_bytes(data)
    return desk


def test_backups_are_listed_by_content_with_what_only_they_have(backed_up: CommandLine) -> None:
    groups = backed_up.json("backups", "list")["groups"]
    memory = [one for one in groups if one["target"] == "memory"]
    assert [[Path(file).name[-10:] for file in one["files"]] for one in memory] == [
        ["1793200000"],
        ["1793100007", "1793100000"],
    ]
    same, other = memory
    assert (same["same_as_file"], same["only_here"]) == (True, [])
    assert (other["entries"], other["only_here"]) == (["three", "four", "five"], ["four", "five"])
    assert other["copies"][1]["at"] == "2026-10-27T11:20:00Z"
    assert [one["only_here"] for one in groups if one["kind"] == "copy"] == [["another name"]]
    text = backed_up("backups", "list", "--target", "memory").out
    assert "it is MEMORY.md as it is now" in text
    assert "lacks these:\n  2  four\n  3  five" in text
    assert "another name" not in text


def test_one_backup_is_shown_with_numbers(backed_up: CommandLine) -> None:
    shown = backed_up("backups", "show", "MEMORY.md.bak.1793100000").out
    assert shown == "  1  three\n  2  four\n  3  five\n"
    answer = backed_up.json(
        "backups", "show", backed_up.memory.parent / "USER (conflicted copy).md"
    )
    assert (answer["target"], answer["entries"]) == ("user", ["another name"])


def test_an_entry_of_a_backup_is_taken_back(backed_up: CommandLine) -> None:
    backed_up.json(*REPAIR, "--apply")
    restore = ("backups", "restore", "MEMORY.md.bak.1793100000", "--entry")
    assert backed_up.json(*restore, "2")["changed"]
    assert backed_up.memory.read_bytes() == CLEAN + "\n§\nfour".encode()
    assert not backed_up.json(*restore, "2")["changed"]
    for number in ("0", "4"):
        answer = backed_up.json(*restore, number)
        assert (answer["reason"], answer["kind"]) == ("not_found", "entry")


def test_a_whole_backup_is_taken_back_and_undone(backed_up: CommandLine) -> None:
    answer = backed_up.json("backups", "restore", "MEMORY.md.bak.1793100000")
    assert (answer["changed"], answer["state"]) == (True, "drift")
    assert backed_up.memory.read_text("utf-8") == "three\n§\nfour\n§\n\nfive"
    assert backed_up.json("history", "undo")["exact"]
    assert backed_up.memory.read_bytes() == SPACED
    assert "finds it in drift" in backed_up("backups", "restore", "MEMORY.md.bak.1793100000").err


def test_an_entry_of_a_guessed_backup_is_taken_only_when_its_encoding_is_named(
    backed_up: CommandLine,
) -> None:
    name = "MEMORY.md.bak.1793300000"
    (backed_up.memory.parent / name).write_bytes(CHINESE.encode("gb18030"))
    backed_up.memory.write_bytes(CLEAN)
    assert "gb18030" in backed_up("backups", "show", name).err
    take = ("backups", "restore", name, "--entry", "2")
    assert backed_up.json(*take)["reason"] == "unreadable"
    assert backed_up.json(*take, "--encoding", "gb18030")["ok"]
    assert backed_up.memory.read_text("utf-8").endswith("\n§\n周航管数据库。")


def test_prune_keeps_one_of_each_content(backed_up: CommandLine) -> None:
    answer = backed_up.json("backups", "prune")
    assert [Path(file).name for file in answer["removed"]] == ["MEMORY.md.bak.1793100000"]
    assert (backed_up.memory.parent / "MEMORY.md.bak.1793100007").exists()
    assert "nothing was removed" in backed_up("backups", "prune").out


def test_a_backup_that_is_not_there_is_not_found(desk: CommandLine) -> None:
    for command in ("show", "restore"):
        answer = desk.json("backups", command, "MEMORY.md.bak.1")
        assert (answer["reason"], answer["kind"]) == ("not_found", "backup")
    assert desk.json("backups", "list") == {"ok": True, "groups": []}
    assert "no backup" in desk("backups", "list").out


# -- words -----------------------------------------------------------------------------------


def test_every_change_reason_and_note_has_words() -> None:
    assert set(repair_words.CHANGES) == CHANGES
    assert set(repair_words.WHYS) == WHYS | {"by_hand", "beyond"}
    for case in ALL:
        proposal = propose(case.data, limit=case.expected["limit"])
        assert proposal is not None
        for note in proposal.notes:
            assert repair_words.say_note(note).endswith(".")
