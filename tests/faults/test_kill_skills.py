"""Killed at each system call of an approval of a skill record, or of its undo: old or new."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.skills.keeping import Kept
from store.undo import Undone
from tests.faults.test_kill import Point, Scene, Victim, points_of
from tests.support.skills import CONFIG, put_record, put_skill, skill_text, tree

APPROVE = ["pending", "approve", "0000000a"]
UNDO = ["history", "undo"]
DELETE = {"action": "delete", "name": "demo"}
BATCH = {
    "action": "batch",
    "operations": [
        {"action": "create", "name": "fresh", "category": "new", "content": skill_text("fresh")},
        {
            "action": "write_file",
            "name": "fresh",
            "file_path": "references/a.md",
            "file_content": "a",
        },
        {"action": "patch", "name": "demo", "old_string": "1. it", "new_string": "1. that"},
        {"action": "remove_file", "name": "demo", "file_path": "references/guide.md"},
    ],
}
State = dict[str, bytes | str]


class SkillScene(Scene):
    """A home with a skill of many parts, a record about it, and perhaps that record approved."""

    def make(self, payload: dict[str, object], *, approved: bool) -> None:
        (self.home / "memories").mkdir(parents=True)
        (self.home / "config.yaml").write_text(CONFIG, encoding="utf-8")
        demo = put_skill(self.home, "demo", references__guide_dot_md="one\ntwo\n")
        (demo / "assets").mkdir()
        (demo / "link").symlink_to("references/guide.md")
        usage = {"demo": {"patch_count": 1}, "other": {"use_count": 2}}
        (self.home / "skills" / ".usage.json").write_text(json.dumps(usage), encoding="utf-8")
        put_record(self.home, "0000000a", **payload)
        if approved:
            desk = self.desk()
            assert len(desk.queue.approve(["0000000a"]).done) == 1
            desk.close()
        (self.folder / "now").rename(self.folder / "start")

    def make_library(self, verb: str, *, done: bool) -> None:
        """A home with a bundled skill, here or in the archive; `verb` perhaps done already."""
        (self.home / "memories").mkdir(parents=True)
        place = ".archive/demo" if verb == "restore" else "office/demo"
        put_skill(self.home, place, references__guide_dot_md="one\ntwo\n")
        skills = self.home / "skills"
        state = "archived" if verb == "restore" else "active"
        usage = {"demo": {"state": state}, "other": {"use_count": 2}}
        (skills / ".usage.json").write_text(json.dumps(usage), encoding="utf-8")
        if verb != "pin":
            (skills / ".bundled_manifest").write_text("demo:a\n", encoding="utf-8")
        if verb == "restore":
            (skills / ".curator_suppressed").write_text("demo\nother\n", encoding="utf-8")
        if done:
            desk = self.desk()
            act = getattr(desk.skill_desk, verb)
            assert isinstance(act(skills / place, seen="demo"), Kept)
            desk.close()
        (self.folder / "now").rename(self.folder / "start")

    def start_again(self) -> None:
        shutil.rmtree(self.folder / "now", ignore_errors=True)
        shutil.copytree(self.folder / "start", self.folder / "now", symlinks=True)

    def now(self) -> State:
        return tree(self.home)


@pytest.fixture
def scene(tmp_path: Path) -> SkillScene:
    if shutil.which("strace") is None:
        pytest.fail("no strace: run ./test once, or install it")
    return SkillScene(tmp_path)


@pytest.fixture
def victim(scene: SkillScene) -> Iterator[Victim]:
    victim = Victim(scene)
    yield victim
    victim.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("payload", [DELETE, BATCH], ids=["delete", "batch"])
@pytest.mark.parametrize("command", [APPROVE, UNDO], ids=["approve", "undo"])
def test_a_kill_at_any_moment_leaves_old_or_new(
    scene: SkillScene, victim: Victim, payload: dict[str, object], command: list[str]
) -> None:
    scene.make(payload, approved=command == UNDO)
    scene.start_again()
    old = scene.now()
    status, trace = victim.run(command)
    assert status == 0
    new = scene.now()
    assert new != old
    points = list(points_of(trace))
    wanted = {"write", "fsync", "flock", "pwrite64", "mkdir", "rename"}
    assert wanted - {one.name for one in points} <= {"mkdir"}
    ends = []
    for point in points:
        scene.start_again()
        kill = f"inject={point.name}:signal=KILL:when={point.count}"
        status, _ = victim.run(command, "-e", kill)
        assert status == -signal.SIGKILL, point
        ends.append(_check_next_start(scene, old, new, point, undoing=command == UNDO))
    assert old in ends
    assert new in ends


def _check_next_start(
    scene: SkillScene, old: State, new: State, point: Point, *, undoing: bool
) -> State:
    """What the next start makes of it; the state that it ends in."""
    desk = scene.desk()
    try:
        desk.recover()
        end = scene.now()
        assert end in (old, new), point
        assert desk.journal.unfinished() == (), point
        changes = desk.journal.changes()
        assert isinstance(changes, tuple)
        assert len(changes) == undoing + (end == new), point
        if end == new and not undoing:
            undone = desk.undo.undo()
            assert isinstance(undone, Undone), point
            assert undone.exact, point
            assert scene.now() == old, point
    finally:
        desk.close()
    return end


@pytest.mark.timeout(300)
@pytest.mark.parametrize("verb", ["archive", "restore", "pin"])
@pytest.mark.parametrize("undoing", [False, True], ids=["done", "taken back"])
def test_a_kill_while_a_skill_moves_leaves_old_or_new(
    scene: SkillScene, victim: Victim, verb: str, undoing: bool
) -> None:
    scene.make_library(verb, done=undoing)
    scene.start_again()
    old, command = scene.now(), UNDO if undoing else ["skills", verb, "demo"]
    status, trace = victim.run(command)
    assert status == 0
    new = scene.now()
    assert new != old
    points = list(points_of(trace))
    wanted = {"fsync", "flock", "pwrite64", "rename"}
    assert wanted <= {one.name for one in points}
    ends = []
    for point in points:
        scene.start_again()
        kill = f"inject={point.name}:signal=KILL:when={point.count}"
        status, _ = victim.run(command, "-e", kill)
        assert status == -signal.SIGKILL, point
        ends.append(_check_next_start(scene, old, new, point, undoing=undoing))
    assert old in ends
    assert new in ends
