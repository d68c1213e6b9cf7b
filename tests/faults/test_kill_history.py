"""Killed at each system call of an undo, a restore, or of forgetting: old or new, never between."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.memory.operations import Add, Whole
from store.memory.state import Written
from store.refusals import Unreadable
from tests.faults.test_kill import Scene, State, Victim, points_of

PRIVATE = "the neighbour is called Wilhelmine"


class HistoryScene(Scene):
    """A home with a past: an entry added, one moved, one written by another program, a backup."""

    def make(self) -> None:
        memories = self.home / "memories"
        memories.mkdir(parents=True)
        (self.home / "pending" / "memory").mkdir(parents=True)
        (memories / "MEMORY.md").write_bytes(b"first\n\xc2\xa7\nsecond")
        (memories / "USER.md").write_bytes(b"a name")
        text = f"first\n§\n{PRIVATE}\n§\nthird"
        (memories / "MEMORY.md.bak.1700000000").write_bytes(text.encode())
        desk = self.desk()
        desk.look_back()
        for done in (
            desk.library.change("memory", Add(PRIVATE)),
            desk.library.move("memory", "user", Whole("first")),
        ):
            assert isinstance(done, Written)
        path = memories / "MEMORY.md"
        path.write_bytes(path.read_bytes() + b"\n\xc2\xa7\nby hand\n")
        desk.look_back()
        desk.close()
        (self.folder / "now").rename(self.folder / "start")

    def tells_of_it(self) -> set[str]:
        """The files, in the home and of the desk, in which the private entry stands."""
        return {
            path.name
            for path in (self.folder / "now").rglob("*")
            if path.is_file() and b"Wilhelmine" in path.read_bytes()
        }


@pytest.fixture
def scene(tmp_path: Path) -> HistoryScene:
    scene = HistoryScene(tmp_path)
    scene.make()
    return scene


@pytest.fixture
def victim(scene: HistoryScene) -> Iterator[Victim]:
    victim = Victim(scene)
    yield victim
    victim.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "command",
    [
        ["history", "undo", "2"],
        ["history", "restore", "--before", "2"],
        ["history", "forget", "--yes", PRIVATE],
    ],
    ids=["undo a move", "restore both files", "forget"],
)
def test_a_kill_on_the_way_back_leaves_old_or_new(
    scene: HistoryScene, victim: Victim, command: list[str]
) -> None:
    forgets = "forget" in command
    scene.start_again()
    old = scene.state()
    status, trace = victim.run(command)
    assert status == 0
    new = scene.state()
    assert new != old
    assert bool(scene.tells_of_it()) != forgets
    ends = set()
    for point in points_of(trace):
        scene.start_again()
        status, _ = victim.run(command, "-e", f"inject={point.name}:signal=KILL:when={point.count}")
        assert status == -signal.SIGKILL, point
        torn = scene.state()
        assert torn.memory in (old.memory, new.memory), point
        assert torn.user in (old.user, new.user), point
        ends.add(check_next_start(scene, (old, new), forgets=forgets))
    assert ends == {old, new}, "some kills came before the change, some after"


def check_next_start(scene: HistoryScene, either: tuple[State, State], *, forgets: bool) -> State:
    """What the next start makes of it; the state that it ends in."""
    desk = scene.desk()
    try:
        desk.recover()
        end = scene.state()
        assert end in either
        assert desk.journal.unfinished() == ()
        assert desk.journal.forgetting() == ()
        assert desk.look_back() == ()
        changes = desk.journal.changes()
        assert not isinstance(changes, Unreadable)
        assert len(changes) == 3 + (end == either[1])
    finally:
        desk.close()
    if forgets:
        assert bool(scene.tells_of_it()) == (end == either[0])
    assert not list(scene.home.rglob("*.tmp"))
    return end
