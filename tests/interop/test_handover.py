"""The real agent gets its keys from the keyring, and starts all the same when it cannot."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import DeskDirs
from tests.support.fake_model import FakeModel, fake_model

ROOT = Path(__file__).resolve().parents[2]
CANARY = "sk-canary-0b7e42"
NAMES = ("MY_MODEL_API_KEY", "RETAINDB_API_KEY")
CONFIG = """# mine
model:
  default: m
  provider: custom
  base_url: {address}
  api_key: ${{MY_MODEL_API_KEY}}   # from the environment
memory:
  provider: retaindb
"""
# Says which of the names are set, and whether the memory provider finds itself available.
LOOK = """
import json, os, sys
import hermes_cli.main
from hermes_cli.plugins import discover_plugins
discover_plugins()
from plugins.memory import load_memory_provider
provider = load_memory_provider("retaindb")
names = json.loads(sys.argv[1])
print(json.dumps({"set": [name for name in names if os.environ.get(name)],
                  "available": bool(provider and provider.is_available())}))
"""


@pytest.fixture(scope="module")
def model() -> Iterator[FakeModel]:
    with fake_model() as model:
        yield model


@dataclass(frozen=True, slots=True)
class Scene:
    """A home, and programs that work on it."""

    home: Path
    env: dict[str, str]
    hermes_python: Path
    model: FakeModel

    @property
    def hermes(self) -> Path:
        return self.hermes_python.with_name("hermes")

    def desk(
        self, *words: str | Path, stdin: str = "", **env: str
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "gui", "--home", self.home, *words]
        return self._run(command, stdin, {"PYTHONPATH": str(ROOT), **env})

    def agent(self, *words: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
        return self._run([*words], "", {"HERMES_HOME": str(self.home), **env})

    def ask_hermes(self, **env: str) -> subprocess.CompletedProcess[str]:
        return self.agent(self.hermes, "-z", "hi", **env)

    def hand_over(self) -> None:
        """Install the plugin, with patience for a machine that has much to do."""
        done = self.desk("secrets", "handover", "--apply")
        assert done.returncode == 0, done.stderr
        plugin = self.home / "plugins" / "memory_desk" / "__init__.py"
        text = plugin.read_text("utf-8")
        assert "LIMIT_SECONDS = 3.0" in text
        plugin.write_text(text.replace("LIMIT_SECONDS = 3.0", "LIMIT_SECONDS = 60.0"), "utf-8")

    def start(self, **env: str) -> subprocess.CompletedProcess[str]:
        """A process that starts as `hermes` does, and only looks around then."""
        return self.agent(self.hermes_python, "-c", LOOK, json.dumps(NAMES), **env)

    def look(self, **env: str) -> dict[str, object]:
        return dict(json.loads(self.start(**env).stdout.splitlines()[-1]))

    def _run(
        self, command: list[str | Path], stdin: str, env: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=self.env | env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )


@pytest.fixture
def scene(
    empty_home: Path, desk_dirs: DeskDirs, hermes_python: Path, model: FakeModel, tmp_path: Path
) -> Scene:
    """A home whose model and provider need a key, with both keys set by the desk.

    In the real keyring where there is one, else in a file that stands for it.
    """
    model.tokens.clear()
    (empty_home / "config.yaml").write_text(CONFIG.format(address=model.address), "utf-8")
    desk_dirs.config.mkdir(parents=True)
    chosen = {"hermes": str(hermes_python.with_name("hermes"))}
    (desk_dirs.config / "preferences.json").write_text(json.dumps(chosen), "utf-8")
    scene = Scene(empty_home, dict(os.environ), hermes_python, model)
    if "MEMORY_DESK_TEST_DESKTOP" not in os.environ:
        pytest.skip("needs a keyring of ours")
    for name in NAMES:
        done = scene.desk("secrets", "set", name, stdin=CANARY + "\n")
        assert done.returncode == 0, done.stderr
    return scene


def lines_about_us(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line.strip() for line in done.stderr.splitlines() if "Memory Desk" in line]


@pytest.mark.timeout(400)
def test_by_the_plugin_the_keys_reach_a_real_hermes(scene: Scene) -> None:
    before = (scene.home / "config.yaml").read_bytes()
    assert scene.look()["set"] == []
    scene.hand_over()

    assert scene.look() == {"set": list(NAMES), "available": True}
    done = scene.ask_hermes()
    assert done.stdout.strip() == "hello"
    assert scene.model.tokens == [CANARY]
    assert lines_about_us(done) == [f"Memory Desk: applied 2 secrets ({', '.join(NAMES)})"]

    checked = json.loads(scene.desk("secrets", "handover", "--check", "--json").stdout)
    assert (checked["ok"], checked["works"], checked["method"]) == (True, True, "plugin")
    assert checked["set"] == list(NAMES)
    assert "hermes memory status" in checked["not_for"]

    assert scene.desk("secrets", "handover", "--undo").returncode == 0
    assert (scene.home / "config.yaml").read_bytes() == before
    assert not (scene.home / "plugins").exists()
    assert scene.look()["set"] == []


@pytest.mark.timeout(300)
def test_by_exec_the_keys_reach_a_real_hermes(scene: Scene) -> None:
    done = scene.desk("secrets", "exec", "--", scene.hermes, "-z", "hi")
    assert done.stdout.strip() == "hello"
    assert scene.model.tokens == [CANARY]
    look = [scene.hermes_python, "-c", LOOK, json.dumps(NAMES)]
    seen = json.loads(scene.desk("secrets", "exec", "--", *look).stdout.splitlines()[-1])
    assert seen == {"set": list(NAMES), "available": True}
    status = scene.desk("secrets", "exec", "--", sys.executable, "-c", "raise SystemExit(7)")
    assert status.returncode == 7

    launcher = scene.home.parent / "hermes-with-keys"
    assert scene.desk("secrets", "handover", "--launcher", launcher).returncode == 0
    assert CANARY not in launcher.read_text("utf-8")


HINDERED = {
    # A keyring that cannot be had, one that is locked, one that hangs, one that never was.
    "locked": ("tests.support.keyrings.Locked", "locked"),
    "none": ("keyring.backends.fail.Keyring", "no keyring"),
    "weak": ("tests.support.keyrings.Weak", "safely"),
    "slow": ("tests.support.keyrings.Hanging", "did not answer"),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("backend", "words"), HINDERED.values(), ids=HINDERED)
def test_a_keyring_that_gives_nothing_costs_one_line_and_no_start(
    scene: Scene, backend: str, words: str
) -> None:
    # The desk that Hermes starts finds the tests' keyrings through this path.
    scene.hand_over()
    command = scene.home / "plugins" / "memory_desk" / "command.json"
    start = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from gui.cli import main"
    wrapped = [sys.executable, "-P", "-c", f"{start}; sys.exit(main())"]
    command.write_text(json.dumps({"command": wrapped}), "utf-8")

    # One whole turn of the agent is enough; the others only start.
    run = scene.ask_hermes if words == "locked" else scene.start
    done = run(PYTHON_KEYRING_BACKEND=backend, LANG="C.UTF-8")

    assert done.returncode == 0
    assert words != "locked" or done.stdout.strip() == "hello"
    (line,) = lines_about_us(done)
    assert words in line
    assert CANARY not in done.stdout + done.stderr + "".join(scene.model.tokens)


@pytest.mark.timeout(300)
def test_a_desk_that_is_gone_costs_one_line_and_no_start(scene: Scene) -> None:
    scene.desk("secrets", "handover", "--apply")
    command = scene.home / "plugins" / "memory_desk" / "command.json"
    command.write_text(json.dumps({"command": ["/nowhere/memory-desk"]}), "utf-8")
    done = scene.start()
    assert done.returncode == 0
    (line,) = lines_about_us(done)
    assert "/nowhere/memory-desk cannot be started" in line

    shown = json.loads(scene.desk("secrets", "handover", "--json").stdout)
    assert (shown["ok"], shown["state"]) == (False, "broken")
    command.unlink()
    (line,) = lines_about_us(scene.start())
    assert "repair it in the desk" in line
    scene.hand_over()
    assert scene.look()["set"] == list(NAMES)


@pytest.mark.timeout(300)
def test_a_desk_that_does_not_answer_is_waited_for_3_seconds(scene: Scene) -> None:
    scene.desk("secrets", "handover", "--apply")
    command = scene.home / "plugins" / "memory_desk" / "command.json"
    wait = [sys.executable, "-c", "import sys, threading; threading.Event().wait(80)"]
    command.write_text(json.dumps({"command": wait}), "utf-8")
    (line,) = lines_about_us(scene.start())
    assert "did not answer within 3 s" in line


@pytest.mark.timeout(300)
def test_a_locked_keyring_starts_the_program_all_the_same(scene: Scene) -> None:
    backend = "tests.support.keyrings.Locked"
    show = [sys.executable, "-c", "print('runs')"]
    done = scene.desk("secrets", "exec", "--", *show, PYTHON_KEYRING_BACKEND=backend)
    assert (done.returncode, done.stdout) == (0, "runs\n")
    assert re.fullmatch(r"Without keys: .*locked.*\n", done.stderr)


def stand_in_for_the_newer_command_source(command: str, env: dict[str, str]) -> dict[str, str]:
    """What the source `command` of newer versions of Hermes does, as its repository tells.

    `/bin/sh -c`, 3 s, lines NAME=VALUE, one layer of quotes taken off. Not the real thing: no
    released version that we could install has it.
    """
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=3,
        check=False,
    )
    found: dict[str, str] = {}
    for line in done.stdout.decode().split("\n") if done.returncode == 0 else ():
        match = re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", line.strip())
        if match is not None:
            raw = match[2].strip()
            quoted = len(raw) >= 2 and raw[0] == raw[-1] and raw[0] in "'\""
            found[match[1]] = raw[1:-1] if quoted else raw
    return found


@pytest.mark.timeout(300)
def test_a_stand_in_for_the_newer_command_source_gets_the_keys(scene: Scene) -> None:
    import shlex

    from store.secrets.handover import desk_command

    scene.desk("secrets", "set", "ODD_PASSWORD", stdin='a b$c"d\\e#f')
    words = [*desk_command(), "--home", str(scene.home), "secrets", "export"]
    found = stand_in_for_the_newer_command_source(shlex.join(words), scene.env)
    assert found == {**dict.fromkeys(NAMES, CANARY), "ODD_PASSWORD": 'a b$c"d\\e#f'}
