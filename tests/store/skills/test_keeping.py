"""Pin, archive and restore: what stands in the way, what others do meanwhile, and the way back."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.desk import Desk
from store.home import HermesHome
from store.refusals import (
    REFUSALS,
    AlreadyThere,
    Conflict,
    Locked,
    NotFound,
    Protected,
    ReadOnly,
    SkillInvalid,
)
from store.restoring import restore
from store.skills.cards import Collection
from store.skills.keeping import Kept
from store.undo import Undone
from tests.support.desks import Faults, home_at, opened
from tests.support.skills import put_skill, put_usage, skill_text, tree


@pytest.fixture
def home(tmp_path: Path) -> HermesHome:
    home = home_at(tmp_path / "home")
    put_skill(home.path, "office/demo", references__guide_dot_md="one")
    put_skill(home.path, "other")
    put_usage(home.path, demo={"use_count": 2}, other={})
    return home


@pytest.fixture
def desk(home: HermesHome, tmp_path: Path) -> Iterator[Desk]:
    with opened(home, tmp_path / "data") as desk:
        yield desk


def look(desk: Desk) -> Collection:
    found = desk.skill_desk.look()
    assert found is not None
    return found


def usage_of(home: HermesHome, name: str) -> dict[str, object]:
    usage = json.loads((home.skills / ".usage.json").read_text(encoding="utf-8"))
    record = usage[name]
    assert isinstance(record, dict)
    return record


def archived(desk: Desk, home: HermesHome, place: str, name: str) -> Path:
    done = desk.skill_desk.archive(home.skills / place, seen=name)
    assert isinstance(done, Kept), done
    return done.folder


# -- done, and taken back ------------------------------------------------------------------------


def test_an_archived_skill_is_the_very_folder(desk: Desk, home: HermesHome) -> None:
    folder = home.skills / "office" / "demo"
    (folder / "scripts").mkdir()
    (folder / "scripts" / "run.sh").write_text("x")
    (folder / "scripts" / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("references/guide.md")
    os.utime(folder / "references" / "guide.md", (1, 2))
    before, number = tree(folder), folder.stat().st_ino
    place = archived(desk, home, "office/demo", "demo")
    assert place == home.skills / ".archive" / "demo"
    assert place.stat().st_ino == number
    assert tree(place) == before
    assert (place / "references" / "guide.md").stat().st_mtime == 2
    assert (place / "scripts" / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (home.skills / "office").is_dir(), "the agent leaves an empty category, too"
    undone = desk.undo.undo()
    assert isinstance(undone, Undone)
    assert undone.exact
    assert folder.stat().st_ino == number
    assert not (home.skills / ".archive").exists()


def test_undo_brings_back_the_category_that_is_gone(desk: Desk, home: HermesHome) -> None:
    archived(desk, home, "office/demo", "demo")
    (home.skills / "office").rmdir()
    assert isinstance(desk.undo.undo(), Undone)
    assert (home.skills / "office" / "demo" / "SKILL.md").is_file()


def test_undo_keeps_what_the_agent_counted_since(desk: Desk, home: HermesHome) -> None:
    archived(desk, home, "office/demo", "demo")
    usage = json.loads((home.skills / ".usage.json").read_text(encoding="utf-8"))
    usage["demo"]["use_count"] = 7
    usage["new"] = {"use_count": 1}
    (home.skills / ".usage.json").write_text(json.dumps(usage), encoding="utf-8")
    undone = desk.undo.undo()
    assert isinstance(undone, Undone)
    assert not undone.exact
    record = usage_of(home, "demo")
    assert (record["state"], record["archived_at"], record["use_count"]) == ("active", None, 7)
    assert usage_of(home, "new") == {"use_count": 1}


def test_undo_of_one_bundled_skill_leaves_the_others_left_out(desk: Desk, home: HermesHome) -> None:
    (home.skills / ".bundled_manifest").write_text("demo:a\nother:b\n", encoding="utf-8")
    (home.skills / ".curator_suppressed").write_text("# mine\nthird\n", encoding="utf-8")
    archived(desk, home, "office/demo", "demo")
    archived(desk, home, "other", "other")
    suppressed = home.skills / ".curator_suppressed"
    assert suppressed.read_text(encoding="utf-8") == "# mine\ndemo\nother\nthird\n"
    assert isinstance(desk.undo.undo(1), Undone)
    assert suppressed.read_text(encoding="utf-8") == "# mine\nother\nthird\n"
    assert isinstance(desk.undo.undo(2), Undone)
    assert suppressed.read_text(encoding="utf-8") == "# mine\nthird\n"


def test_undo_steps_on_nothing_that_came_since(desk: Desk, home: HermesHome) -> None:
    place = archived(desk, home, "office/demo", "demo")
    put_skill(home.path, "office/demo", skill_text("demo", "a new one"))
    before = tree(home.path)
    assert isinstance(desk.undo.undo(), Conflict)
    assert tree(home.path) == before
    shutil.rmtree(home.skills / "office" / "demo")
    (place / "SKILL.md").write_text("another one", encoding="utf-8")
    before = tree(home.path)
    assert isinstance(desk.undo.undo(), Conflict)
    assert tree(home.path) == before


def test_undo_follows_no_link_out_of_the_skills(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    archived(desk, home, "office/demo", "demo")
    (home.skills / "office").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (home.skills / "office").symlink_to(tmp_path / "elsewhere")
    assert isinstance(desk.undo.undo(), Conflict)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_an_undo_of_a_home_that_was_moved_still_works(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    archived(desk, home, "office/demo", "demo")
    desk.close()
    copy = Path(shutil.copytree(home.path, tmp_path / "copy"))
    shutil.rmtree(home.path)
    copy.rename(home.path)
    undone = desk.undo.undo()
    assert isinstance(undone, Undone)
    assert (home.skills / "office" / "demo" / "SKILL.md").is_file()


def test_a_move_is_no_version_to_be_brought_back(desk: Desk, home: HermesHome) -> None:
    archived(desk, home, "office/demo", "demo")
    desk.undo.undo()
    assert restore(desk.undo, 1).__class__.__name__ == "Unsupported"


def test_restoring_takes_exactly_the_folder_that_was_chosen(desk: Desk, home: HermesHome) -> None:
    archived(desk, home, "office/demo", "demo")
    put_skill(home.path, "demo", skill_text("demo", "the second"))
    second = archived(desk, home, "demo", "demo")
    assert second.name.startswith("demo-2")
    found = look(desk)
    assert len(found.archived_as("demo")) == 1, "the folder of that name exactly"
    done = desk.skill_desk.restore(second, seen="demo")
    assert isinstance(done, Kept)
    assert done.folder == home.skills / "demo"
    assert "the second" in (done.folder / "SKILL.md").read_text(encoding="utf-8")
    first = home.skills / ".archive" / "demo"
    assert desk.skill_desk.restore(first, seen="demo") == AlreadyThere("demo", str(done.folder))


def test_a_name_that_ends_in_a_time_of_its_own_keeps_it(desk: Desk, home: HermesHome) -> None:
    put_skill(home.path, "log-20260101000000")
    place = archived(desk, home, "log-20260101000000", "log-20260101000000")
    done = desk.skill_desk.restore(place, seen=place.name)
    assert isinstance(done, Kept)
    assert done.folder.name == "log-20260101000000"


def test_skills_within_a_skill_go_along_and_are_named(desk: Desk, home: HermesHome) -> None:
    put_skill(home.path, "office", skill_text("office"))
    done = desk.skill_desk.archive(home.skills / "office", seen="office")
    assert isinstance(done, Kept)
    assert done.also == ("demo",)
    desk.undo.undo()
    put_usage(home.path, demo={"pinned": True})
    before = tree(home.path)
    refused = desk.skill_desk.archive(home.skills / "office", seen="office")
    assert refused == Protected("office", "holds_kept")
    assert tree(home.path) == before


# -- what stands in the way ------------------------------------------------------------------------


def test_what_is_not_what_was_seen_is_a_conflict(desk: Desk, home: HermesHome) -> None:
    folder = home.skills / "office" / "demo"
    (folder / "SKILL.md").write_text(skill_text("renamed"), encoding="utf-8")
    assert isinstance(desk.skill_desk.archive(folder, seen="demo"), Conflict)
    assert isinstance(desk.skill_desk.pin(folder, seen="demo"), Conflict)
    assert desk.skill_desk.pin(home.skills / "none", seen="none") == NotFound("skill", "none")
    assert isinstance(desk.skill_desk.restore(home.skills / "other", seen="other"), NotFound)


def test_a_lock_that_is_held_is_said(desk: Desk, home: HermesHome) -> None:
    with desk.disk.locked(home.skills / ".usage.json", wait=1):
        refused = desk.skill_desk.archive(home.skills / "other", seen="other", wait=0)
    assert isinstance(refused, Locked)
    assert (home.skills / "other").is_dir()


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff", b"null"])
def test_damaged_counts_keep_skills_where_they_are(
    data: bytes, desk: Desk, home: HermesHome
) -> None:
    (home.skills / ".usage.json").write_bytes(data)
    put_skill(home.path, ".archive/gone")
    for act in (desk.skill_desk.archive, desk.skill_desk.pin):
        assert isinstance(act(home.skills / "other", seen="other"), SkillInvalid)
    done = desk.skill_desk.restore(home.skills / ".archive" / "gone", seen="gone")
    assert isinstance(done, Kept)
    assert (home.skills / ".usage.json").read_bytes() == data


def test_what_links_lead_to_is_never_moved(desk: Desk, home: HermesHome, tmp_path: Path) -> None:
    put_skill(tmp_path / "far", "linked")
    (home.skills / "by-link").symlink_to(tmp_path / "far" / "skills" / "linked")
    (home.skills / "all").symlink_to(tmp_path / "far" / "skills")
    for folder in (home.skills / "by-link", home.skills / "all" / "linked"):
        card = next(one for one in look(desk).skills if one.folder == folder)
        refused = desk.skill_desk.archive(folder, seen=card.name)
        assert refused == Protected(card.name, "linked")
    assert (tmp_path / "far" / "skills" / "linked" / "SKILL.md").is_file()


def test_an_archive_that_leads_elsewhere_takes_nothing(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    (tmp_path / "far").mkdir()
    (home.skills / ".archive").symlink_to(tmp_path / "far")
    refused = desk.skill_desk.archive(home.skills / "other", seen="other")
    assert isinstance(refused, SkillInvalid)
    assert list((tmp_path / "far").iterdir()) == []


def test_the_folder_of_all_skills_is_no_skill_to_archive(desk: Desk, home: HermesHome) -> None:
    (home.skills / "SKILL.md").write_text(skill_text("everything"), encoding="utf-8")
    refused = desk.skill_desk.archive(home.skills, seen="everything")
    assert refused == Protected("everything", "holds_all")


def test_external_skills_are_read_only(desk: Desk, home: HermesHome, tmp_path: Path) -> None:
    folder = put_skill(tmp_path / "outside", "lent")
    home.config.write_text(f"skills: {{external_dirs: ['{tmp_path}/outside/skills']}}\n")
    for act in (desk.skill_desk.archive, desk.skill_desk.pin, desk.skill_desk.unpin):
        assert act(folder, seen="lent") == Protected("lent", "external")


def test_restoring_beside_another_of_that_name_is_done_and_said(
    desk: Desk, home: HermesHome
) -> None:
    place = archived(desk, home, "office/demo", "demo")
    put_skill(home.path, "new/demo")
    done = desk.skill_desk.restore(place, seen="demo")
    assert isinstance(done, Kept)
    assert done.clashes == (home.skills / "new" / "demo",)


def test_pinning_what_is_pinned_changes_nothing(desk: Desk, home: HermesHome) -> None:
    folder = home.skills / "other"
    assert isinstance(desk.skill_desk.pin(folder, seen="other"), Kept)
    assert desk.skill_desk.pin(folder, seen="other") == Kept("other", folder, None)
    assert usage_of(home, "other")["pinned"] is True
    changes = desk.journal.changes()
    assert isinstance(changes, tuple)
    assert [one.intent.action for one in changes] == ["pin"]


# -- when the system declines ---------------------------------------------------------------------


@pytest.mark.parametrize("action", ["archive", "restore"])
def test_a_fault_at_any_step_leaves_all_as_it_was(
    action: str, home: HermesHome, tmp_path: Path
) -> None:
    (home.skills / ".bundled_manifest").write_text("other:b\n", encoding="utf-8")
    folder = home.skills / "other"
    if action == "restore":
        with opened(home, tmp_path / "data") as desk:
            folder = archived(desk, home, "other", "other")
    before = tree(home.path)
    refused = 0
    for at in range(200):
        faults = Faults(at=at)
        with opened(home, tmp_path / f"data{at}", disk=faults.disk()) as desk:
            done = getattr(desk.skill_desk, action)(folder, seen="other")
        if len(faults.steps) <= at:
            break
        if isinstance(done, REFUSALS):
            refused += isinstance(done, ReadOnly)
            now = tree(home.path)
            assert {key: now[key] for key in now if key != "skills/.archive"} == {
                key: before[key] for key in before if key != "skills/.archive"
            }, faults.steps[at]
        else:
            with opened(home, tmp_path / f"data{at}") as desk:
                assert isinstance(desk.undo.undo(), Undone)
            assert tree(home.path) == before
    assert isinstance(done, Kept)
    assert refused > 2
