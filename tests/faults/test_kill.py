"""The process is killed at each system call that changes the disk; the next start finds order.

strace kills it on entering a call, so that call and all after it never happen. What is killed
where is read from an undisturbed run of the same command before.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.desk import Desk, build_desk
from store.home import home_at
from store.undo import Undone
from tests.support.command_line import CommandLine

ROOT = Path(__file__).resolve().parents[2]
CHANGING = (
    *("write", "pwrite64", "ftruncate", "fsync", "fdatasync", "rename", "renameat", "renameat2"),
    *("unlink", "unlinkat", "mkdir", "mkdirat", "fchmod", "fchown", "flock", "openat"),
)
# Imports everything once. For each line (a command as JSON) it forks a child that lets itself be
# traced, tells its process id, and begins at the next byte; then it tells how the child ended.
SERVER = """
import ctypes, io, json, os, sys, yaml
from gui.cli import main
from gui.commands import drift, entries, pending, skills
import store.desk, store.hermes, store.skills.desk, store.undo
PR_SET_PTRACER, ANY = 0x59616D61, ctypes.c_ulong(-1)
while line := sys.stdin.buffer.raw.readline():
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANY, 0, 0, 0)
        os.write(1, b"%d\\n" % os.getpid())
        os.read(0, 1)
        streams = {name: io.BytesIO() for name in ("stdin", "stdout", "stderr")}
        os._exit(main(json.loads(line), **streams))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(1, b"%d\\n" % status)
"""
ENTRIES = ("first", "second", "third\nwith a line more")


@dataclass(frozen=True, slots=True)
class Point:
    """Entering call `name` for the `count`th time; `text` is what that call did undisturbed."""

    name: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class State:
    """Everything that the operations here may change."""

    memory: bytes
    user: bytes
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A home, the desk's own folder, and copies of both to start from again and again."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "now" / "home"

    @property
    def plan(self) -> Path:
        return self.folder / "plan.json"

    def desk(self) -> Desk:
        env = {"MEMORY_DESK_DATA_DIR": str(self.folder / "now" / "data")}
        return build_desk(home_at(self.home, root=self.home), env=env)

    def set_up(self, *, used: bool, drifted: bool = False) -> None:
        """A home with three entries and a record.

        `used`: its journal holds a change already. `drifted`: MEMORY.md has blank lines that the
        agent refuses, no copy of it was made yet, and a plan moves an entry to the other file.
        """
        desk = CommandLine(self.home)
        self.home.mkdir(parents=True)
        desk.write(*ENTRIES)
        desk.write("a name", to="USER.md")
        desk.stage("0000000a", action="replace", old_text="second", content="2nd")
        if used:
            opened = self.desk()
            from store.memory.operations import Add

            opened.library.change("user", Add("a habit"))
            opened.close()
        if drifted:
            desk.memory.write_bytes("\n\n§\n\n".join(ENTRIES).encode())
            plan = desk.json("drift", "repair", "--target", "memory")
            plan["entries"][1]["target"] = "user"
            self.plan.write_text(json.dumps(plan), encoding="utf-8")
        (self.folder / "now").rename(self.folder / "start")

    def start_again(self) -> None:
        shutil.rmtree(self.folder / "now", ignore_errors=True)
        shutil.copytree(self.folder / "start", self.folder / "now")

    def state(self) -> State:
        queue = self.home / "pending" / "memory"
        return State(
            (self.home / "memories" / "MEMORY.md").read_bytes(),
            (self.home / "memories" / "USER.md").read_bytes(),
            tuple(sorted(path.name for path in queue.iterdir())),
        )


class Victim:
    """Runs commands on a scene's home under strace, each in a process of its own."""

    def __init__(self, scene: Scene) -> None:
        self._home = str(scene.home)
        self._trace = scene.folder / "trace"
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-c", SERVER],
            env=os.environ
            | {
                "PYTHONPATH": str(ROOT),
                "MEMORY_DESK_DATA_DIR": str(scene.folder / "now" / "data"),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, command: list[str], *inject: str) -> tuple[int, str]:
        """Run one command; its exit status, below 0 for a signal, and what strace noted."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(["--home", self._home, *command]).encode() + b"\n")
        self._server.stdin.flush()
        child = self._server.stdout.readline().decode().strip()
        calls = "trace=" + ",".join(f"?{name}" for name in CHANGING)
        with subprocess.Popen(
            ["strace", "-s", "0", "-o", self._trace, "-e", calls, *inject, "-p", child],
            stderr=subprocess.PIPE,
            text=True,
        ) as strace:
            assert strace.stderr is not None
            said = strace.stderr.readline()
            assert "attached" in said, said
            self._server.stdin.write(b"!")
            self._server.stdin.flush()
            status = int(self._server.stdout.readline())
            strace.communicate(timeout=30)
        return status, self._trace.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """End the server."""
        self._server.communicate(timeout=30)


def points_of(trace: str) -> Iterator[Point]:
    """Where to kill: every call that changes the disk.

    Of a run of more than three of the same call (the pages of a log) the first two and the last.
    """
    counts: dict[str, int] = {}
    found = []
    for line in trace.splitlines():
        match = re.match(r"(\w+)\((.*)", line)
        if match is None:
            continue
        name, text = match.groups()
        counts[name] = counts.get(name, 0) + 1
        if name != "openat" or "O_CREAT" in text:
            found.append(Point(name, counts[name], text))
    for index, point in enumerate(found):
        around = [one.name for one in found[max(index - 2, 0) : index + 2]]
        if around != [point.name] * 4:
            yield point


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    if shutil.which("strace") is None:
        pytest.fail("no strace: run ./test once, or install it")
    return Scene(tmp_path)


@pytest.fixture
def victim(scene: Scene) -> Iterator[Victim]:
    victim = Victim(scene)
    yield victim
    victim.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("command", "used"),
    [
        (["entries", "add", "--target", "memory", "fourth"], False),
        (["entries", "move", "--from", "memory", "--to", "user", "second"], True),
        (["pending", "approve", "0000000a"], True),
        (["drift", "repair", "--target", "memory", "--apply", "--plan"], True),
    ],
    ids=["add to a new journal", "move", "approve", "repair"],
)
def test_a_kill_at_any_moment_leaves_old_or_new(
    scene: Scene, victim: Victim, command: list[str], used: bool
) -> None:
    scene.set_up(used=used, drifted=command[0] == "drift")
    command = [*command, str(scene.plan)] if command[-1] == "--plan" else command
    scene.start_again()
    old = scene.state()
    status, trace = victim.run(command)
    assert status == 0
    new = scene.state()
    assert new != old
    points = list(points_of(trace))
    assert {"write", "fsync", "rename", "flock", "pwrite64"} <= {one.name for one in points}
    ends = set()
    for point in points:
        scene.start_again()
        kill = f"inject={point.name}:signal=KILL:when={point.count}"
        status, _ = victim.run(command, "-e", kill)
        assert status == -signal.SIGKILL, point
        torn = scene.state()
        assert torn.memory in (old.memory, new.memory), point
        assert torn.user in (old.user, new.user), point
        ends.add(check_next_start(scene, old, new, point))
    assert ends == {old, new}, "some kills came before the change, some after"


ADD = ["entries", "add", "--target", "memory", "fourth"]


def test_the_intent_is_on_the_disk_before_the_file_changes(scene: Scene, victim: Victim) -> None:
    scene.set_up(used=True)
    scene.start_again()
    status, trace = victim.run(ADD)
    assert status == 0
    assert before_the_rename(trace)[-2:] == ["fsync", "fdatasync"]
    assert before_the_rename(trace)[-3:-2] == ["pwrite64"], "the intent is written before"


def before_the_rename(trace: str) -> list[str]:
    """The calls that write or wait for the disk, up to the one that replaces the memory file."""
    calls = [found[1] for found in re.finditer(r"^(\w+)\(", trace, re.MULTILINE)]
    wanted = ("pwrite64", "fsync", "fdatasync")
    return [name for name in calls[: calls.index("rename")] if name in wanted]


def test_a_disk_that_refuses_the_intent_leaves_the_file(scene: Scene, victim: Victim) -> None:
    scene.set_up(used=True)
    scene.start_again()
    old = scene.state()
    status, trace = victim.run(ADD)
    assert status == 0
    last = before_the_rename(trace).count("fdatasync")
    scene.start_again()
    status, trace = victim.run(ADD, "-e", f"inject=fdatasync:error=EIO:when={last}")
    assert "INJECTED" in trace
    assert status == 1
    assert scene.state() == old
    assert [path for path in scene.home.rglob("*") if path.suffix == ".tmp"] == []
    desk = scene.desk()
    changes, unfinished = desk.journal.changes(), desk.journal.unfinished()
    desk.close()
    assert isinstance(changes, tuple)
    assert [one.intent.come for one in changes if "fourth" in one.intent.come] == []
    assert unfinished == ()


def check_next_start(scene: Scene, old: State, new: State, point: Point) -> State:
    """What the next start makes of it; the state that it ends in."""
    desk = scene.desk()
    changes_before = 1 if (scene.folder / "start" / "data").exists() else 0
    try:
        desk.recover()
        end = scene.state()
        assert end in (old, new), point
        assert desk.journal.unfinished() == (), point
        left = [path for path in scene.home.rglob("*") if path.suffix == ".tmp"]
        assert left == [], point
        changes = desk.journal.changes()
        assert isinstance(changes, tuple)
        assert len(changes) == changes_before + (end == new), point
        if end == new:
            undone = desk.undo.undo()
            assert isinstance(undone, Undone), point
            assert undone.exact, point
            assert scene.state() == old, point
    finally:
        desk.close()
    return end
