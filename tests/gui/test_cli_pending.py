"""Commands on the approval queue."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DeskDirs
from tests.support.command_line import CommandLine


@pytest.fixture
def desk(hermes_home: Path, desk_dirs: DeskDirs) -> CommandLine:
    return CommandLine(hermes_home)


def waiting(desk: CommandLine) -> set[str]:
    return {path.stem for path in (desk.home / "pending" / "memory").glob("*.json")}


# -- looking ---------------------------------------------------------------------------------


def test_list_shows_all_oldest_first_with_what_stands_in_the_way(desk: CommandLine) -> None:
    desk.stage("0000000a", action="remove", old_text="nowhere", created_at=1.0)
    listed = desk.json("pending", "list")
    assert listed["unreadable"] == []
    records = {one["id"]: one for one in listed["records"]}
    assert list(records)[:5] == ["0000000a", "162386ec", "6df3bc83", "90751a92", "ca2a1f86"]
    assert [one["created_at"] for one in listed["records"]] == sorted(
        one["created_at"] for one in listed["records"]
    )
    assert records["0000000a"]["problem"] == "no_match"
    assert "“nowhere”" in records["0000000a"]["message"]
    first = records["162386ec"]
    assert (first["subsystem"], first["action"], first["target"]) == ("memory", "add", "user")
    assert (first["origin"], first["problem"]) == ("foreground", None)
    assert records["3c200255"]["problem"] is None


def test_list_of_one_subsystem(desk: CommandLine) -> None:
    for name, count in (("memory", 4), ("skills", 6)):
        records = desk.json("pending", "list", "--subsystem", name)["records"]
        assert [one["subsystem"] for one in records] == [name] * count


def test_files_that_are_no_records_are_shown(desk: CommandLine) -> None:
    folder = desk.home / "pending" / "memory"
    (folder / "broken.json").write_text("{", encoding="utf-8")
    (folder / "list.json").write_text("[1]", encoding="utf-8")
    (folder / "link.json").symlink_to(folder / "162386ec.json")
    listed = desk.json("pending", "list", "--subsystem", "memory")
    assert len(listed["records"]) == 4
    assert [Path(one["file"]).name for one in listed["unreadable"]] == [
        "broken.json",
        "link.json",
        "list.json",
    ]
    assert all(one["message"] for one in listed["unreadable"])
    assert "broken.json" in desk("pending", "list").out
    rejected = desk.json("pending", "reject", "--all", "--subsystem", "memory")
    assert len(rejected["done"]) == 4
    assert len(rejected["unreadable"]) == 3
    assert "broken.json" in desk("pending", "approve", "--all").err


def test_records_of_all_profiles_name_theirs(desk: CommandLine) -> None:
    work = desk.home / "profiles" / "work"
    shutil.copytree(desk.home / "pending" / "memory", work / "pending" / "memory")
    records = desk.json("pending", "list", "--all-profiles", "--subsystem", "memory")["records"]
    assert sorted(one["profile"] for one in records) == ["default"] * 4 + ["work"] * 4
    by_profile = {(one["profile"], one["id"]): one["problem"] for one in records}
    assert by_profile["default", "90751a92"] is None
    assert by_profile["work", "90751a92"] == "no_match"


def test_numbers_that_json_does_not_have_are_null(desk: CommandLine) -> None:
    path = desk.stage("0000000a", content="x")
    path.write_text(path.read_text("utf-8").replace("1.0", "Infinity"), encoding="utf-8")
    ran = desk("pending", "show", "0000000a", "--json")
    assert json.loads(ran.out, parse_constant=pytest.fail)["record"]["created_at"] is None


def test_show_tells_the_effect(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    shown = desk.json("pending", "show", "6df3bc83")
    assert shown["record"]["payload"]["old_text"] == "staging deploy"
    effect = shown["effect"]
    assert (effect["ok"], effect["reason"], effect["operation"]) == (True, None, None)
    assert "-The staging deploy needs the VPN; without it" in effect["diff"]
    assert "+The staging deploy needs the VPN and an approved" in effect["diff"]
    assert effect["limit"] == 2200
    assert effect["chars_after"] < effect["chars_before"] == 467
    assert effect["tokens"] < 0
    assert desk.bytes_of_all_files() == before
    assert "≈ " in desk("pending", "show", "6df3bc83").out


def test_show_marks_lines_that_a_replace_would_lose(desk: CommandLine) -> None:
    desk.write("# A\nrule one\n# B\nrule two")
    desk.stage("0000000a", action="replace", old_text="# B\nrule two", content="# B\nrule 2")
    effect = desk.json("pending", "show", "0000000a")["effect"]
    assert effect["lost_lines"] == ["# A", "rule one"]
    text = desk("pending", "show", "0000000a").out
    assert "get lost:\n    # A\n    rule one\n" in text


def test_show_names_the_operation_in_the_way(desk: CommandLine) -> None:
    operations = [{"action": "add", "content": "x"}, {"action": "remove", "old_text": "nowhere"}]
    desk.stage("0000000a", action="batch", operations=operations)
    effect = desk.json("pending", "show", "0000000a")["effect"]
    assert (effect["ok"], effect["reason"], effect["operation"]) == (False, "no_match", 2)


def test_a_write_to_a_skill_is_shown_as_a_diff_with_its_size(desk: CommandLine) -> None:
    shown = desk.json("pending", "show", "3c200255")
    assert shown["record"]["payload"]["name"] == "vpn-check"
    effect = shown["effect"]
    assert (effect["ok"], effect["reason"], effect["operation"]) == (True, None, None)
    assert effect["diff"].startswith("--- /dev/null\n+++ b/skills/devops/vpn-check/SKILL.md\n@@ ")
    assert effect["diff"].endswith("\n+ping the gateway")
    assert (effect["chars_before"], effect["chars_after"], effect["limit"]) == (None, 220, 100_000)
    assert effect["description"] == "Check the VPN before deploying"
    assert [one["path"] for one in effect["files"]] == ["skills/devops/vpn-check/SKILL.md"]
    assert effect["lost_lines"] == []
    text = desk("pending", "show", "a42e06a5").out
    assert "\n--- a/skills/devops/tidepool-release/SKILL.md\n" in text
    assert "1 file, " in text


def test_what_stands_in_the_way_of_a_skill_record_is_listed(desk: CommandLine) -> None:
    shutil.rmtree(desk.home / "skills" / "data")
    shutil.copytree(
        desk.home / "skills" / "weekly-report", desk.home / "skills" / "x" / "weekly-report"
    )
    records = desk.json("pending", "list", "--subsystem", "skills")["records"]
    found = {one["action"]: one["problem"] for one in records}
    assert found == {
        "create": None,
        "patch": None,
        "edit": "ambiguous",
        "write_file": None,
        "remove_file": None,
        "delete": "not_found",
    }
    assert "There is no skill in a folder “stale-notes”" in desk("pending", "list").out


# -- deciding --------------------------------------------------------------------------------


def test_approve_applies_exactly_the_named(desk: CommandLine) -> None:
    answer = desk.json("pending", "approve", "90751a92", "162386ec")
    assert answer["done"] == ["90751a92", "162386ec"]
    assert answer["refused"] == []
    assert "note" not in answer
    assert "Printer queue" not in desk.memory.read_text("utf-8")
    assert desk.user.read_text("utf-8").endswith("ripgrep 而不是 grep")
    assert waiting(desk) == {"6df3bc83", "ca2a1f86"}


def test_approve_all_goes_on_after_a_refusal(desk: CommandLine) -> None:
    ran = desk("pending", "approve", "--all", "--subsystem", "memory", "--json")
    assert ran.status == 1
    assert ran.data["ok"] is False
    assert ran.data["done"] == ["162386ec", "6df3bc83", "90751a92"]
    (refused,) = ran.data["refused"]
    assert (refused["id"], refused["reason"], refused["operation"]) == ("ca2a1f86", "no_match", 3)
    assert waiting(desk) == {"ca2a1f86"}
    assert len(list((desk.home / "pending" / "skills").iterdir())) == 6


def test_approve_all_means_memory_and_skills(desk: CommandLine) -> None:
    answer = desk.json("pending", "approve", "--all")
    assert [one["id"] for one in answer["refused"]] == ["ca2a1f86"]
    assert len(answer["done"]) == 9
    skills = desk.home / "skills"
    assert (skills / "devops" / "vpn-check" / "SKILL.md").is_file()
    assert not (skills / "data" / "stale-notes").exists()
    usage = json.loads((skills / ".usage.json").read_text("utf-8"))
    assert "stale-notes" not in usage
    assert list((desk.home / "pending" / "skills").iterdir()) == []


def test_skills_and_memory_together_are_all_or_none(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    ids = ["3c200255", "90751a92", "ca2a1f86"]
    refused = desk.json("pending", "approve", *ids, "--together")["refused"]
    assert {one["id"]: one.get("record") for one in refused} == {
        "3c200255": "ca2a1f86",
        "90751a92": "ca2a1f86",
        "ca2a1f86": None,
    }
    assert desk.bytes_of_all_files() == before
    done = desk.json("pending", "approve", "3c200255", "9354c0ad", "162386ec", "--together")
    assert done["done"] == ["3c200255", "9354c0ad", "162386ec"]
    assert desk.json("history", "undo")["exact"] is True
    assert desk.bytes_of_all_files() == before


def test_an_undone_deletion_brings_all_of_the_skill_back(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    desk.json("pending", "approve", "ef4b8b4a")
    assert desk.bytes_of_all_files() != before
    shown = desk.json("history", "list")["changes"][0]
    assert (shown["action"], shown["target"], shown["record"]) == (
        "approve",
        "stale-notes",
        "ef4b8b4a",
    )
    assert desk.json("history", "undo")["exact"] is True
    assert desk.bytes_of_all_files() == before


def test_together_is_all_or_none_on_the_end_state(desk: CommandLine) -> None:
    desk.write("x" * 2190)
    shutil.rmtree(desk.home / "pending")
    desk.stage("0000000a", content="y" * 100, created_at=1.0)
    desk.stage("0000000b", action="remove", old_text="x" * 2190, created_at=2.0)
    before = desk.bytes_of_all_files()
    alone = desk.json("pending", "approve", "0000000a")
    assert alone["refused"][0]["reason"] == "over_budget"
    assert desk.bytes_of_all_files() == before
    assert desk.json("pending", "approve", "--all", "--together")["ok"] is True
    assert desk.memory.read_text("utf-8") == "y" * 100
    assert waiting(desk) == set()


def test_an_approval_where_there_is_no_file_makes_one(desk: CommandLine) -> None:
    shutil.rmtree(desk.home / "memories")
    assert desk.json("pending", "approve", "162386ec")["done"] == ["162386ec"]
    assert desk.user.read_text("utf-8") == "喜欢用 ripgrep 而不是 grep"


def test_an_approval_says_that_the_providers_copy_stays(desk: CommandLine) -> None:
    desk.json("config", "set", "memory.provider", "honcho")
    answer = desk.json("pending", "approve", "162386ec")
    assert "honcho" in answer["note"]
    assert "honcho" in desk("pending", "approve", "90751a92").out


def test_reject_drops_and_can_be_undone(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    assert desk.json("pending", "reject", "--all", "--subsystem", "memory")["done"] == [
        "162386ec",
        "6df3bc83",
        "90751a92",
        "ca2a1f86",
    ]
    assert waiting(desk) == set()
    desk.json("history", "undo")
    assert waiting(desk) == {"ca2a1f86"}
    for _ in range(3):
        desk.json("history", "undo")
    assert desk.bytes_of_all_files() == before


def test_an_undone_approval_waits_again(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    desk.json("pending", "approve", "6df3bc83")
    assert desk.json("history", "undo")["exact"] is True
    assert desk.bytes_of_all_files() == before


def test_nothing_to_approve_is_done_already(desk: CommandLine) -> None:
    shutil.rmtree(desk.home / "pending")
    ran = desk("pending", "approve", "--all")
    assert (ran.status, ran.out) == (0, "Nothing waits for approval.\n")


def test_a_staged_write_is_a_record_of_the_agents_kind(desk: CommandLine) -> None:
    payload = {"action": "replace", "target": "memory", "old_text": "Printer", "content": "新"}
    record_id = desk.json("pending", "stage", "-", stdin=json.dumps(payload))["id"]
    text = (desk.home / "pending" / "memory" / f"{record_id}.json").read_text("utf-8")
    record = json.loads(text)
    assert list(record)[:4] == ["id", "subsystem", "action", "summary"]
    assert text == json.dumps(record, indent=2, ensure_ascii=False)
    assert record["payload"]["matched_entry"] == 'Printer queue "atlas" prints duplex by default'
    assert desk.json("pending", "approve", record_id)["ok"] is True
    assert desk.memory.read_text("utf-8").endswith("§\n新")


# -- what is not the desk's to decide ----------------------------------------------------------


def test_reject_all_leaves_what_the_desk_cannot_judge(desk: CommandLine) -> None:
    desk.stage("0000000c", content="a provider's", provider="other")
    desk.stage("0000000d", action="rename")
    rejected = desk.json("pending", "reject", "--all", "--subsystem", "memory")
    assert len(rejected["done"]) == 4
    assert {one["id"]: one["reason"] for one in rejected["left"]} == {
        "0000000c": "unsupported",
        "0000000d": "unsupported",
    }
    assert waiting(desk) == {"0000000c", "0000000d"}
    assert "0000000c" in desk("pending", "reject", "--all").err
    assert desk.json("pending", "reject", "0000000c")["done"] == ["0000000c"]


def test_approving_together_names_the_write_in_the_way(desk: CommandLine) -> None:
    refused = desk.json("pending", "approve", "162386ec", "nope", "--together")["refused"]
    found = {one["id"]: one for one in refused}
    assert found["nope"]["reason"] == found["162386ec"]["reason"] == "not_found"
    assert found["162386ec"]["record"] == "nope"
    assert "nope stands in the way" in found["162386ec"]["message"]


def test_a_whole_record_can_be_staged(desk: CommandLine) -> None:
    payload = {"action": "add", "target": "user", "content": "staged whole"}
    given = json.dumps({"id": "00000000", "payload": payload})
    staged = desk.json("pending", "stage", "-", stdin=given)
    record = desk.json("pending", "show", staged["id"])["record"]
    assert record["payload"]["content"] == "staged whole"
    given = json.dumps({"action": "add", "content": "for whom?"})
    refused = desk.json("pending", "stage", "-", stdin=given)
    assert refused["reason"] == "invalid"
    assert "target" in refused["message"]


# -- editing, setting aside, reviewing -----------------------------------------------------------


def payload_of(desk: CommandLine, record_id: str) -> dict[str, Any]:
    payload: dict[str, Any] = desk.json("pending", "show", record_id)["record"]["payload"]
    return payload


def test_an_edited_record_asks_for_something_else_and_the_journal_keeps_it(
    desk: CommandLine,
) -> None:
    before = desk.bytes_of_all_files()
    raw = desk.json("pending", "show", "162386ec")["record"]
    given = json.dumps(raw["payload"] | {"content": "nur rg"})
    assert desk.json("pending", "edit", "162386ec", "-", stdin=given)["id"] == "162386ec"
    edited = desk.json("pending", "show", "162386ec")["record"]
    assert edited["payload"]["content"] == "nur rg"
    assert edited["summary"] == "add to user profile: nur rg"
    assert {key: edited[key] for key in ("origin", "created_at")} == {
        key: raw[key] for key in ("origin", "created_at")
    }
    (change,) = desk.json("history", "list")["changes"]
    assert (change["action"], change["record"]) == ("edit", "162386ec")
    assert "-    " in desk.json("history", "show", str(change["id"]))["files"][0]["diff"]
    again = desk.json("pending", "edit", "162386ec", "-", stdin=given)
    assert (again["ok"], again["change_id"]) == (True, None)
    desk.json("history", "undo")
    assert desk.bytes_of_all_files() == before


def test_an_edited_skill_record_is_approved_as_edited(desk: CommandLine) -> None:
    payload = payload_of(desk, "3c200255")
    payload["content"] = payload["content"].replace("ping the gateway", "ping it twice")
    desk.json("pending", "edit", "3c200255", "-", stdin=json.dumps(payload))
    assert payload_of(desk, "3c200255") == payload
    desk.json("pending", "approve", "3c200255")
    text = (desk.home / "skills" / "devops" / "vpn-check" / "SKILL.md").read_text("utf-8")
    assert text.endswith("ping it twice\n")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ('{"action": "remove", "target": "memory", "old_text": "nowhere"}', "no_match"),
        ('{"action": "add", "target": "memory", "content": " "}', "empty"),
        ("[]", "invalid"),
        ('{"action": "rename", "target": "memory"}', "unsupported"),
    ],
)
def test_an_edit_that_could_not_apply_is_refused(
    desk: CommandLine, given: str, reason: str
) -> None:
    before = desk.bytes_of_all_files()
    assert desk.json("pending", "edit", "162386ec", "-", stdin=given)["reason"] == reason
    assert desk.bytes_of_all_files() == before


def test_a_staged_skill_write_is_a_record_of_the_agents_kind(desk: CommandLine) -> None:
    given = payload_of(desk, "a42e06a5")
    record_id = desk.json("pending", "stage", "-", stdin=json.dumps(given))["id"]
    staged = json.loads((desk.home / "pending" / "skills" / f"{record_id}.json").read_bytes())
    theirs = json.loads((desk.home / "pending" / "skills" / "a42e06a5.json").read_bytes())
    kept = {"id": record_id, "created_at": staged["created_at"]}
    assert staged == theirs | kept
    assert list(staged) == list(theirs)
    assert list(staged["payload"]) == list(theirs["payload"])
    given["old_string"] = "stands nowhere at all, nor anything like it"
    assert desk.json("pending", "stage", "-", stdin=json.dumps(given))["reason"] == "no_match"


def test_what_cannot_be_used_is_set_aside_and_can_come_back(desk: CommandLine) -> None:
    folder = desk.home / "pending" / "memory"
    (folder / "broken.json").write_text("{", encoding="utf-8")
    desk.stage("0000000c", content="a provider's", provider="other")
    before = desk.bytes_of_all_files()
    listed = desk.json("pending", "list")["unreadable"][0]["file"]
    answer = desk.json("pending", "set-aside", listed)
    assert Path(answer["path"]).read_text(encoding="utf-8") == "{"
    assert desk.json("pending", "set-aside", "0000000c")["ok"] is True
    assert desk.json("pending", "list")["unreadable"] == []
    assert waiting(desk) == {"162386ec", "6df3bc83", "90751a92", "ca2a1f86"}
    assert desk.json("pending", "set-aside", "162386ec")["reason"] == "unsupported"
    assert desk.json("pending", "set-aside", "nowhere")["reason"] == "not_found"
    assert desk.json("pending", "set-aside", "../../config.json")["reason"] == "not_found"
    desk.json("history", "undo")
    desk.json("history", "undo")
    assert desk.bytes_of_all_files() == before


def test_a_link_is_set_aside_as_a_link(desk: CommandLine) -> None:
    folder = desk.home / "pending" / "memory"
    (folder / "link.json").symlink_to("162386ec.json")
    place = Path(desk.json("pending", "set-aside", "link.json")["path"])
    assert place.is_symlink()
    assert not (folder / "link.json").is_symlink()
    desk.json("history", "undo")
    assert (folder / "link.json").readlink() == Path("162386ec.json")


def test_a_review_asks_for_each_and_does_what_is_said(desk: CommandLine) -> None:
    ran = desk("pending", "review", "--subsystem", "memory", stdin="y\nwhat?\nn\ns\n")
    assert waiting(desk) == {"90751a92", "ca2a1f86"}
    assert ran.status == 0
    assert ran.out == "Approved 1 write. Rejected 1 write. 2 still wait.\n"
    assert ran.err.count("Approve? ") == 5
    assert "── 3/4 ──" in ran.err
    assert "-The staging deploy needs the VPN; without it" in ran.err


def test_a_review_tells_scripts_what_became_of_each(desk: CommandLine) -> None:
    ran = desk("pending", "review", "--json", stdin="y\ny\ny\ny\ny\nq\n")
    assert ran.status == 1
    assert ran.data["done"] == ["162386ec", "6df3bc83", "90751a92", "3c200255"]
    assert [one["id"] for one in ran.data["refused"]] == ["ca2a1f86"]
    assert (ran.data["rejected"], ran.data["edited"], ran.data["skipped"]) == ([], [], [])


def test_a_review_edits_with_the_editor_of_the_person(
    desk: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "import sys, pathlib; p = pathlib.Path(sys.argv[1]); "
    script += "p.write_text(p.read_text('utf-8').replace('ripgrep', 'rg'), 'utf-8')"
    editor = tmp_path / "an editor.py"
    editor.write_text(script, encoding="utf-8")
    monkeypatch.setenv("EDITOR", f"{sys.executable} '{editor}'")
    ran = desk("pending", "review", "--json", stdin="e\ny\nq\n")
    assert (ran.data["edited"], ran.data["done"]) == (["162386ec"], ["162386ec"])
    assert desk.user.read_text("utf-8").endswith("喜欢用 rg 而不是 grep")
    monkeypatch.setenv("EDITOR", str(tmp_path / "none"))
    assert "VISUAL or EDITOR" in desk("pending", "review", stdin="e\nq\n").err
