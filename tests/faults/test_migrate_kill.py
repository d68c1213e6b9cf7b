"""The process is killed at each system call of a move that changes the disk; no key is lost.

As in test_kill.py, but each run is a process of its own: a keyring's library is not forked. The
keyring is a file, so that its own writes are among the calls.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.files import Disk
from store.home import HermesHome
from store.secrets.backends import judged
from store.secrets.migrate import Moves, move_keys, plan_moves
from store.secrets.ring import Keyring
from store.secrets.vault import Secrets
from tests.conftest import ROOT
from tests.faults.test_kill import CHANGING, SERVER, Point, points_of
from tests.support.keyrings import FILE, InFile

NAME, CANARY = "MEM0_API_KEY", "sk-canary-91c0aa"
PLAIN = {
    ".env": f"# mine\nA=1\nexport {NAME}='{CANARY}'\nB=2\n",
    "mem0.json": json.dumps({"api_key": CANARY, "host": "h"}, indent=2),
}
REST = {".env": "# mine\nA=1\nB=2\n", "mem0.json": json.dumps({"host": "h"}, indent=2)}


@dataclass(frozen=True, slots=True)
class Scene:
    """A home with a key in two plain files, the desk's folder and a keyring beside it."""

    folder: Path

    @property
    def now(self) -> Path:
        return self.folder / "now"

    @property
    def home(self) -> Path:
        return self.now / "home"

    def start_again(self) -> None:
        shutil.rmtree(self.now, ignore_errors=True)
        self.home.mkdir(parents=True)
        for name, text in PLAIN.items():
            (self.home / name).write_text(text, "utf-8")

    @property
    def env(self) -> dict[str, str]:
        return os.environ | {
            "PYTHONPATH": str(ROOT),
            "MEMORY_DESK_DATA_DIR": str(self.now / "data"),
            "PYTHON_KEYRING_BACKEND": "tests.support.keyrings.InFile",
            FILE: str(self.now / "keyring.json"),
        }

    def keys(self) -> Secrets:
        home = HermesHome(self.home, self.home, "default")
        ring = Keyring(loader=lambda: judged(InFile()), limit=20.0)
        return Secrets(home, disk=Disk(), env=self.env, keyring=ring)

    def places(self) -> set[str]:
        """Where the key is, whole."""
        found = {name for name in PLAIN if CANARY in (self.home / name).read_text("utf-8")}
        kept = self.now / "keyring.json"
        if kept.exists() and CANARY in json.loads(kept.read_text("utf-8")).values():
            found.add("keyring")
        return found


class Victim:
    """Runs one move after the other under strace, in forks of a process that has all loaded."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._trace = scene.folder / "trace"
        server = SERVER.replace(
            "import store.desk",
            "import gui.commands.secrets, store.secrets.migrate\nimport store.desk",
        )
        server = "import keyring.backend, tests.support.keyrings, store.secrets.check\n" + server
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-c", server],
            env=scene.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def run(self, *inject: str) -> tuple[int, str]:
        """Run the move; its exit status, below 0 for a signal, and what strace noted."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        words = ["--home", str(self._scene.home), "--json", "secrets", "migrate", "--apply"]
        self._server.stdin.write(json.dumps(words).encode() + b"\n")
        self._server.stdin.flush()
        child = self._server.stdout.readline().decode().strip()
        calls = "trace=" + ",".join(f"?{name}" for name in CHANGING)
        options = ["-f", "-s", "0", "-o", str(self._trace), "-e", calls, *inject, "-p", child]
        with subprocess.Popen(["strace", *options], stderr=subprocess.PIPE, text=True) as strace:
            assert strace.stderr is not None
            said = strace.stderr.readline()
            assert "attached" in said, said
            self._server.stdin.write(b"!")
            self._server.stdin.flush()
            status = int(self._server.stdout.readline())
            strace.communicate(timeout=30)
        # With threads, each line begins with the number of one.
        trace = self._trace.read_text(encoding="utf-8", errors="replace")
        return status, re.sub(r"(?m)^\d+ +", "", trace)

    def close(self) -> None:
        """End the server."""
        self._server.communicate(timeout=30)


@pytest.mark.timeout(600)
def test_a_move_killed_at_any_moment_loses_no_key_and_hides_no_twin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("strace") is None:
        pytest.fail("no strace: run ./test once, or install it")
    scene = Scene(tmp_path)
    monkeypatch.setenv(FILE, str(scene.now / "keyring.json"))
    scene.start_again()
    victim = Victim(scene)
    try:
        status, trace = victim.run()
        assert status == 0
        assert scene.places() == {"keyring"}
        assert {name: (scene.home / name).read_text("utf-8") for name in REST} == REST
        points = [one for one in points_of(trace) if one.name != "flock"]
        assert {"write", "fsync", "rename"} <= {one.name for one in points}
        ends = set()
        for point in points:
            scene.start_again()
            # A thread counts its own calls, so the count of all may come too late for any.
            status, _ = victim.run("-e", f"inject={point.name}:signal=KILL:when={point.count}")
            ends.add(check(scene, status, point))
        assert len(ends) >= 3, "some kills came before the keyring had it, some between, some after"
    finally:
        victim.close()


def check(scene: Scene, status: int, point: Point) -> frozenset[str]:
    """What a kill left, and what the next looks make of it."""
    assert status in (0, -signal.SIGKILL), point
    places = scene.places()
    assert places, f"the key is lost at {point}"
    for name in PLAIN:
        assert (scene.home / name).read_text("utf-8") in (PLAIN[name], REST[name]), point
    keys = scene.keys()
    listed = keys.listing()
    if "keyring" in places:
        shown = [one.name for one in listed.kept]
        assert shown == [NAME], f"a key in the keyring that nobody knows of, at {point}"
    if len(places) > 1 and "keyring" in places:
        assert listed.interrupted == (NAME,), f"two copies, and nobody says so, at {point}"
    plan = plan_moves(keys)
    assert isinstance(plan, Moves)
    assert move_keys(keys, plan).left == (), point
    assert scene.places() == {"keyring"}, point
    assert keys.listing().interrupted == (), point
    assert {name: (scene.home / name).read_text("utf-8") for name in REST} == REST, point
    left = [path for path in scene.home.rglob("*") if CANARY.encode() in path.read_bytes()]
    assert left == [], point
    return frozenset(places)
