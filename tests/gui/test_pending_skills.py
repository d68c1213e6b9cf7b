"""Skill writes on the Pending page: what they would do to which files, and deciding on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from tests.gui.conftest import Start
from tests.gui.pending_driver import PendingDriver, ask_first, stage, stage_skill
from tests.support.skills import put_skill, skill_text, tree

PATCH, CREATE, GONE, FILE = "00000011", "00000012", "00000013", "00000014"
DEPLOY = skill_text("deploy", "how to deploy", "# Deploy\n\n1. Build\n2. Push\n")


@pytest.fixture
def home(empty_home: Path) -> Path:
    """A home with one skill, and records of several kinds about it and others."""
    ask_first(empty_home)
    put_skill(empty_home, "devops/deploy", DEPLOY, references__ports_dot_md="api: 80\n")
    stage_skill(
        empty_home,
        PATCH,
        age=9_000,
        origin="background_review",
        action="patch",
        name="deploy",
        old_string="1. Build",
        new_string="1. Test\n2. Build",
    )
    stage_skill(
        empty_home,
        CREATE,
        age=8_000,
        action="create",
        name="tune",
        content=skill_text("tune", "make it fast"),
    )
    stage_skill(
        empty_home,
        GONE,
        age=7_000,
        action="patch",
        name="deploy",
        old_string="3. Never was",
        new_string="3. Is",
    )
    stage_skill(
        empty_home,
        FILE,
        age=6_000,
        action="write_file",
        name="tune",
        file_path="references/notes.md",
        file_content="first note\n",
    )
    return empty_home


@pytest.fixture
def pending(start: Start, home: Path) -> PendingDriver:
    return PendingDriver(start(home, page="pending"))


def deploy(home: Path) -> str:
    return (home / "skills" / "devops" / "deploy" / "SKILL.md").read_text()


def queue(home: Path) -> list[str]:
    return sorted(path.stem for path in (home / "pending" / "skills").glob("*.json"))


def rows(pending: PendingDriver) -> list[str]:
    pending.desk.rest()
    return pending.page.detail.files.diff.text().split("\n")


def test_memory_and_skills_are_one_list_by_age(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000001", content="between the others", age=7_500)
    pending.wait(
        lambda: pending.ids() == [PATCH, CREATE, "00000001", GONE, FILE], "the memory write"
    )


def test_each_card_tells_the_action_the_skill_and_the_effect(pending: PendingDriver) -> None:
    patch, create, _, file = (pending.card(key) for key in pending.ids())
    assert (patch.lead, patch.lead_rest) == ("Patch", "skill deploy")
    assert [mark.text for mark in patch.lead_marks] == ["[auto]"]
    assert (create.lead, create.lead_rest, create.text) == ("Create", "skill tune", "make it fast")
    assert (file.lead, file.lead_rest) == ("Write a file", "of skill tune")
    assert file.text == "references/notes.md: first note"
    assert pending.badge(PATCH) == "+2 −1 lines"
    assert pending.badge(CREATE) == "new: 8 lines"
    assert pending.badge(GONE) == "text is gone"


def test_the_diff_of_every_file_is_shown_with_description_and_size(pending: PendingDriver) -> None:
    pending.choose(PATCH)
    assert "“how to deploy”" in pending.sentence()
    assert rows(pending)[0] == "skills/devops/deploy/SKILL.md"
    assert [line for line in rows(pending) if line[:1] in "+-"] == [
        "-  1. Build",
        "+  1. Test",
        "+  2. Build",
    ]
    size = len(DEPLOY) + len("1. Test\n2. Build") - len("1. Build")
    assert pending.page.detail.files.words() == f"1 file · {size}/100,000 chars"


def test_what_stands_in_the_way_is_said_and_the_write_is_shown_all_the_same(
    pending: PendingDriver,
) -> None:
    pending.choose(GONE)
    assert "does not stand in SKILL.md" in pending.problem()
    assert "+  3. Is" in rows(pending)
    assert not pending.desk.find(QPushButton, "approve_button").isEnabled()
    assert "1 can no longer apply" in pending.subtitle()


def test_a_write_that_needs_a_waiting_skill_is_not_stale(
    pending: PendingDriver, home: Path
) -> None:
    assert pending.badge(FILE) == "needs its skill first"
    assert pending.page.column.stale == {GONE}
    pending.choose(CREATE)
    pending.decide("A")
    pending.wait(lambda: pending.badges(FILE) == ["+1 line"], "its skill to be there")
    pending.choose(FILE)
    pending.decide("A")
    assert (home / "skills" / "tune" / "references" / "notes.md").read_text() == "first note\n"


def test_approving_writes_the_skill_and_undo_brings_all_back(
    pending: PendingDriver, home: Path
) -> None:
    before = tree(home / "skills")
    pending.choose(PATCH)
    pending.decide("A")
    assert "1. Test\n2. Build\n" in deploy(home)
    assert PATCH not in queue(home)
    assert pending.desk.toast() == "Approved."
    pending.press("U")
    pending.wait(lambda: PATCH in pending.ids(), "the record")
    assert tree(home / "skills") == before
    assert pending.current() == PATCH


def test_several_are_judged_one_after_the_other_with_the_end_state(
    pending: PendingDriver, home: Path
) -> None:
    pending.decide("Ctrl+A")
    assert pending.totals() == ("Skills: 3 writes — 3 files change\n1 of them would be declined.")
    pending.decide("Shift+A")
    assert queue(home) == [GONE]
    assert pending.desk.toast() == "Approved 3 writes."
    assert (home / "skills" / "tune" / "references" / "notes.md").exists()


def test_an_edited_text_is_written_and_the_original_stays_in_the_journal(
    pending: PendingDriver, home: Path
) -> None:
    record = home / "pending" / "skills" / f"{PATCH}.json"
    original = record.read_bytes()
    pending.choose(PATCH)
    pending.press("E")
    pending.editor().fields[0].set_text("1. Lint\n2. Build")
    assert "+  1. Lint" in rows(pending)
    pending.decide("Ctrl+Return")
    assert "1. Lint\n2. Build\n" in deploy(home)
    assert pending.desk.toast() == "Approved as edited."
    pending.press("U")
    pending.wait(lambda: PATCH in pending.ids(), "the record")
    pending.desk.rest()
    assert record.read_bytes() == original
    assert deploy(home) == DEPLOY


def test_an_edit_that_would_make_no_skill_is_told_while_typing(pending: PendingDriver) -> None:
    pending.choose(CREATE)
    pending.press("E")
    pending.editor().fields[0].set_text("no front matter")
    pending.desk.rest()
    assert "front matter" in pending.editor().problem()
    assert not pending.desk.find(QPushButton, "approve_edited").isEnabled()


def test_a_skill_that_changed_outside_is_judged_by_what_is_there_now(
    pending: PendingDriver, home: Path
) -> None:
    assert pending.badge(GONE) == "text is gone"
    put_skill(home, "devops/deploy", DEPLOY + "3. Never was\n")
    pending.choose(GONE)
    assert "+  3. Is" in rows(pending)
    assert pending.problem() == ""
    assert pending.badge(GONE) == "+1 −1 lines"
    pending.decide("A")
    assert deploy(home).endswith("3. Is\n")


def test_what_the_scan_calls_dangerous_is_told_also_where_it_stops_nothing(
    pending: PendingDriver, home: Path
) -> None:
    text = skill_text("wipe", "cleans up", "# Wipe\n\nrm -rf / --no-preserve-root\n")
    stage_skill(home, "00000021", action="create", name="wipe", content=text)
    pending.wait(lambda: "00000021" in pending.ids(), "the record")
    pending.choose("00000021")
    assert "dangerous (destructive_root_rm)" in pending.sentence()
    (home / "config.yaml").write_text(
        "memory:\n  write_approval: true\nskills:\n  guard_agent_created: true\n"
    )
    pending.wait(lambda: "scan of skills refuses" in pending.problem(), "the scan to stop it")


def test_a_skill_and_a_memory_write_of_one_id_are_two(pending: PendingDriver, home: Path) -> None:
    stage(home, PATCH, content="same id", age=9_500)
    pending.wait(lambda: f"skills/{PATCH}" in pending.ids(), "both of them")
    assert pending.card(PATCH).text == "same id"
    assert pending.card(f"skills/{PATCH}").lead_rest == "skill deploy"


def test_skill_records_of_any_content_break_nothing(pending: PendingDriver, home: Path) -> None:
    put_skill(home, "odd", bytes_dot_bin=b"\0\xff", assets__a_dot_bin=b"\0")
    folder = home / "pending" / "skills"
    (folder / "empty.json").write_text("{}")
    stage_skill(home, "00000021", action="fly", name="deploy")
    stage_skill(home, "00000022", action="create", name="../up", content="x")
    stage_skill(home, "00000023", action="create", name="big", content="y" * 100_001)
    stage_skill(home, "00000024", action="delete", name="odd")
    stage_skill(home, "00000025", action="patch", name="deploy", old_string="\ud800", new_string="")
    stage_skill(home, "00000026", name="odd", operations=[{"action": "delete"}, {"action": "edit"}])
    stage_skill(home, "00000027", action="write_file", name="odd", file_path="x", file_content=7)
    pending.wait(lambda: len(pending.ids()) == 12, "all of them")
    for key in pending.ids():
        pending.choose(key)
        assert pending.badges(key)
        assert pending.desk.text("record_title")
    raw = json.loads((folder / "00000022.json").read_text())
    assert raw["payload"]["name"] == "../up"
