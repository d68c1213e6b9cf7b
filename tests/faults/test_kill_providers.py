"""A save of provider settings is killed at each system call that changes the disk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.desk import Desk, build_desk
from store.home import home_at
from store.undo import Undone
from tests.faults.test_kill import CHANGING, ROOT, points_of

# Forks a child for each command, which lets itself be traced and begins at the next byte.
SERVER = """
import ctypes, io, json, os, sys, yaml
from gui.cli import main
from gui.commands import providers
import store.desk, store.hermes, store.undo, store.providers.desk, store.providers.undoing
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
BEFORE = '{\n  "hosts": {"hermes": {"apiKey": "sk-kept", "workspace": "old"}},\n  "x": 1\n}'


class Scene:
    """A home with a file of Honcho, started anew again and again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "now" / "home"
        self.env = os.environ | {
            "PYTHONPATH": str(ROOT),
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder / "now"),
            "MEMORY_DESK_DATA_DIR": str(folder / "now" / "data"),
            "MEMORY_DESK_CONFIG_DIR": str(folder / "now" / "config"),
        }
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-c", SERVER],
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    @property
    def file(self) -> Path:
        return self.home / "honcho.json"

    def start_again(self) -> None:
        shutil.rmtree(self.folder / "now", ignore_errors=True)
        self.home.mkdir(parents=True)
        self.file.write_text(BEFORE)
        self.file.chmod(0o600)

    def run(self, *inject: str) -> tuple[int, str]:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        words = ["--home", str(self.home), "providers", "set", "honcho"]
        words += ["workspace=new", "peerName=me"]
        self._server.stdin.write(json.dumps(words).encode() + b"\n")
        self._server.stdin.flush()
        child = self._server.stdout.readline().decode().strip()
        calls = "trace=" + ",".join(f"?{name}" for name in CHANGING)
        trace = self.folder / "trace"
        with subprocess.Popen(
            ["strace", "-s", "0", "-o", trace, "-e", calls, *inject, "-p", child],
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
        return status, trace.read_text(encoding="utf-8", errors="replace")

    def desk(self) -> Desk:
        return build_desk(home_at(self.home, root=self.home), env=self.env)

    def close(self) -> None:
        self._server.communicate(timeout=30)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    if shutil.which("strace") is None:
        pytest.fail("no strace: run ./test once, or install it")
    scene = Scene(tmp_path)
    yield scene
    scene.close()


@pytest.mark.timeout(300)
def test_a_kill_at_any_moment_of_a_save_leaves_old_or_new(scene: Scene) -> None:
    scene.start_again()
    old = scene.file.read_bytes()
    status, trace = scene.run()
    assert status == 0
    new = scene.file.read_bytes()
    assert json.loads(new)["hosts"]["hermes"] == {
        "apiKey": "sk-kept",
        "workspace": "new",
        "peerName": "me",
    }
    points = list(points_of(trace))
    assert {"write", "fsync", "rename", "flock", "pwrite64"} <= {one.name for one in points}
    ends = set()
    for point in points:
        scene.start_again()
        kill = f"inject={point.name}:signal=KILL:when={point.count}"
        status, _ = scene.run("-e", kill)
        assert status == -signal.SIGKILL, point
        torn = scene.file.read_bytes()
        assert torn in (old, new), point
        ends.add(torn)
        check_next_start(scene, torn, old, new)
    assert ends == {old, new}, "some kills came before the change, some after"


def check_next_start(scene: Scene, torn: bytes, old: bytes, new: bytes) -> None:
    """The next start says how far it came, keeps no half-written copy, and can take it back."""
    desk = scene.desk()
    try:
        desk.recover()
        assert scene.file.read_bytes() == torn
        assert desk.journal.unfinished() == ()
        assert [one for one in scene.home.rglob("*") if one.suffix == ".tmp"] == []
        changes = desk.journal.changes()
        assert isinstance(changes, tuple)
        assert len(changes) == (torn == new)
        if torn == new:
            assert isinstance(desk.undo.undo(), Undone)
            assert scene.file.read_bytes() == old
    finally:
        desk.close()
