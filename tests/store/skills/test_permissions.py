"""What the system does not allow, as a user whom file modes hold back, stays whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.desks import home_at
from tests.support.skills import put_record, put_skill, skill_text, tree
from tests.support.unprivileged import Unprivileged

WRITES = {
    "create": {"name": "fresh", "category": "office", "content": skill_text("fresh")},
    "edit": {"name": "demo", "content": skill_text("demo", body="new")},
    "patch": {"name": "demo", "old_string": "1. it", "new_string": "1. that"},
    "write_file": {"name": "demo", "file_path": "references/x.md", "file_content": "x"},
    "remove_file": {"name": "demo", "file_path": "references/guide.md"},
    "delete": {"name": "demo"},
}


@pytest.fixture
def home(unprivileged: Unprivileged) -> Iterator[Path]:
    """A home of the unprivileged user with a skill and a record for each action."""
    home = home_at(unprivileged.folder / "home").path
    put_skill(home, "demo", references__guide_dot_md="one")
    put_skill(home, "office/other")
    for number, (action, payload) in enumerate(WRITES.items(), 1):
        put_record(home, f"{number:08}", created_at=number, action=action, **payload)
    unprivileged.give(unprivileged.folder)
    yield home
    for path in (home, *home.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)


def approve_all(user: Unprivileged, home: Path) -> dict[str, str]:
    """Approve every record; what stood in the way of each, by its action."""
    env = {"MEMORY_DESK_DATA_DIR": str(user.folder / "data"), "MEMORY_DESK_LANGUAGE": "en"}
    ran = user.run_desk("--home", home, "--json", "pending", "approve", "--all", env=env)
    answer = json.loads(ran.stdout)
    refused = {one["id"]: one["reason"] for one in answer["refused"]}
    return {action: refused.get(f"{number:08}", "done") for number, action in enumerate(WRITES, 1)}


def test_in_closed_folders_nothing_is_written(unprivileged: Unprivileged, home: Path) -> None:
    skills = home / "skills"
    (skills / ".usage.json.lock").touch()
    unprivileged.give(skills / ".usage.json.lock")
    for folder in (skills, skills / "office", skills / "demo", skills / "demo" / "references"):
        folder.chmod(0o500)
    before = tree(home)
    assert set(approve_all(unprivileged, home).values()) == {"read_only"}
    assert tree(home) == before


def test_a_folder_closed_deep_in_a_skill_keeps_its_deletion_whole(
    unprivileged: Unprivileged, home: Path
) -> None:
    (home / "skills" / "demo" / "references").chmod(0o500)
    before = tree(home / "skills" / "demo")
    said = approve_all(unprivileged, home)
    assert said["delete"] == said["write_file"] == said["remove_file"] == "read_only"
    assert said["create"] == said["edit"] == "done"
    after = tree(home / "skills" / "demo")
    assert after.keys() == before.keys()


def test_what_cannot_be_read_is_not_deleted(unprivileged: Unprivileged, home: Path) -> None:
    secret = home / "skills" / "demo" / "references" / "guide.md"
    secret.chmod(0)
    unprivileged.assert_cannot_read(secret)
    said = approve_all(unprivileged, home)
    assert said["delete"] == said["remove_file"] == "unreadable"
    secret.chmod(0o600)
    assert secret.read_text(encoding="utf-8") == "one"


def test_skills_that_cannot_be_entered_are_not_found(
    unprivileged: Unprivileged, home: Path
) -> None:
    skills = home / "skills"
    skills.chmod(0)
    unprivileged.assert_cannot_read(skills / "demo" / "SKILL.md")
    assert "done" not in approve_all(unprivileged, home).values()
    skills.chmod(0o700)
    assert (skills / "demo" / "references" / "guide.md").is_file()
    assert len(list((home / "pending" / "skills").iterdir())) == len(WRITES)


def test_a_queue_that_cannot_be_emptied_leaves_the_skills_alone(
    unprivileged: Unprivileged, home: Path
) -> None:
    (home / "pending" / "skills").chmod(0o500)
    before = tree(home)
    assert set(approve_all(unprivileged, home).values()) == {"read_only"}
    assert tree(home) == before


def test_folders_that_can_be_listed_but_not_entered_are_no_fault(
    unprivileged: Unprivileged, home: Path
) -> None:
    demo = home / "skills" / "demo"
    (demo / "references").chmod(0o600)
    said = approve_all(unprivileged, home)
    assert said["delete"] in ("unreadable", "read_only")
    demo.chmod(0o600)
    ran = unprivileged.run_desk("--home", home, "--json", "pending", "list")
    found = {one["action"]: one["problem"] for one in json.loads(ran.stdout)["records"]}
    assert found["delete"] == "not_found"


# -- archive, restore, pin --------------------------------------------------------------------


def ask(user: Unprivileged, home: Path, *words: str) -> dict[str, object]:
    env = {"MEMORY_DESK_DATA_DIR": str(user.folder / "data"), "MEMORY_DESK_LANGUAGE": "en"}
    ran = user.run_desk("--home", home, "--json", *words, env=env)
    answer = json.loads(ran.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("closed", ["skills", "skills/office", "skills/.archive"])
def test_a_skill_stays_where_folders_are_closed(
    closed: str, unprivileged: Unprivileged, home: Path
) -> None:
    for place in ("skills/.usage.json.lock", "skills/.archive"):
        path = home / place
        path.touch() if path.suffix else path.mkdir()
        unprivileged.give(path)
    (home / closed).chmod(0o500)
    before = tree(home)
    assert ask(unprivileged, home, "skills", "archive", "other")["reason"] == "read_only"
    assert tree(home) == before


def test_a_skill_stays_where_its_record_cannot_be_written(
    unprivileged: Unprivileged, home: Path
) -> None:
    usage = home / "skills" / ".usage.json"
    usage.write_text("{}", encoding="utf-8")
    usage.chmod(0)
    unprivileged.give(usage)
    unprivileged.assert_cannot_read(usage)
    for verb in ("archive", "pin"):
        assert ask(unprivileged, home, "skills", verb, "other")["reason"] == "unreadable"
    assert (home / "skills" / "office" / "other" / "SKILL.md").is_file()


def test_whose_a_skill_is_must_be_known_to_move_it(unprivileged: Unprivileged, home: Path) -> None:
    book = home / "skills" / ".bundled_manifest"
    book.write_text("other:a\n", encoding="utf-8")
    book.chmod(0)
    unprivileged.give(book)
    unprivileged.assert_cannot_read(book)
    assert ask(unprivileged, home, "skills", "archive", "other")["reason"] == "unreadable"
    assert (home / "skills" / "office" / "other" / "SKILL.md").is_file()


def test_what_is_in_a_skill_need_not_be_readable_to_move_it(
    unprivileged: Unprivileged, home: Path
) -> None:
    secret = home / "skills" / "demo" / "references"
    secret.chmod(0)
    unprivileged.assert_cannot_read(secret / "guide.md")
    assert ask(unprivileged, home, "skills", "archive", "demo")["ok"]
    assert ask(unprivileged, home, "history", "undo")["ok"]
    secret.chmod(0o700)
    assert (secret / "guide.md").read_text(encoding="utf-8") == "one"


def test_a_closed_skill_is_listed_and_the_rest_beside_it(
    unprivileged: Unprivileged, home: Path
) -> None:
    closed = home / "skills" / "demo"
    (closed / "SKILL.md").chmod(0)
    unprivileged.assert_cannot_read(closed / "SKILL.md")
    (home / "skills" / "shut").mkdir(mode=0o000)
    unprivileged.give(home / "skills" / "shut")
    answer = ask(unprivileged, home, "skills", "list")
    skills = answer["skills"]
    assert isinstance(skills, list)
    seen = {one["name"]: [problem["code"] for problem in one["problems"]] for one in skills}
    assert seen["demo"] == ["unreadable"]
    assert "other" in seen
    assert answer["closed"] == [str(home / "skills" / "shut")]
    shown = ask(unprivileged, home, "skills", "show", "demo")
    assert shown["reason"] == "unreadable"


def test_skills_that_cannot_be_looked_into_are_not_none(
    unprivileged: Unprivileged, home: Path
) -> None:
    (home / "skills").chmod(0)
    assert ask(unprivileged, home, "skills", "list")["reason"] == "unreadable"
    status = ask(unprivileged, home, "status")
    health = status["health"]
    assert isinstance(health, list)
    assert "skills_unreadable" in {one["code"] for one in health}
    assert status["skills"] == dict.fromkeys(("active", "stale", "archived", "pinned"))
