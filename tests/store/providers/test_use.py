"""Choosing a provider, and asking a plugin itself: only after a yes for exactly this code."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from store.providers.asking import Answered, NoAnswer, ask_plugin
from store.providers.catalogue_row import Row
from store.providers.desk import AskCheck, UseCheck, Used
from store.providers.destination import Destination, kind_of
from store.providers.forms import Form
from store.refusals import Conflict, Invalid, NotFound, Refusal
from store.undo import Undone
from tests.store.providers.conftest import World
from tests.support.desks import everything_in
from tests.support.fake_hermes import provider_code, put_plugin


def check(world: World, name: str) -> UseCheck:
    found = world.providers().check_use(name)
    assert isinstance(found, UseCheck), found
    return found


def test_use_writes_one_line_and_is_undone(world: World) -> None:
    world.write("config.yaml", "# mine\nmemory:\n  nudge_interval: 3 # x\n")
    world.write("mem0.json", '{"host": "http://10.0.0.1"}')
    found = check(world, "mem0")
    assert (found.agreed, found.row.source) == (False, "bundled")
    assert found.destination == Destination("your_server", "http://10.0.0.1")
    used = world.providers().use("mem0", agreed=found.digest)
    assert isinstance(used, Used)
    assert (used.active, used.changed) == ("mem0", True)
    assert world.home.config.read_text() == (
        "# mine\nmemory:\n  nudge_interval: 3 # x\n  provider: mem0\n"
    )
    assert world.row("mem0").state == "active"
    assert check(world, "mem0").agreed
    again = world.providers().use("mem0", agreed=found.digest)
    assert again == Used("mem0", changed=False)
    assert isinstance(world.desk().undo.undo(used.change_id), Undone)
    assert world.row("mem0").state == "ready"


def test_a_yes_is_for_one_version_of_the_code(world: World) -> None:
    folder = put_plugin(world.plugins / "mine", provider_code("one"))
    found = check(world, "mine")
    assert isinstance(world.providers().use("mine", agreed=found.digest), Used)
    assert check(world, "mine").agreed
    (folder / "more.py").write_text("x = 1\n")
    assert not check(world, "mine").agreed
    assert isinstance(world.providers().use("mine", agreed=found.digest), Conflict)
    before = everything_in(world.folder / "desk")
    (agreements,) = (data for name, data in before.items() if name.endswith("agreements.json"))
    assert found.digest.encode() in agreements


def test_what_is_not_ready_is_used_only_anyway(world: World) -> None:
    digest = check(world, "honcho").digest
    refused = world.providers().use("honcho", agreed=digest)
    assert refused == Invalid("provider", "needs_config")
    assert not world.home.config.exists()
    assert isinstance(world.providers().use("honcho", agreed=digest, anyway=True), Used)
    assert isinstance(world.providers().use("typo", agreed="", anyway=True), NotFound)
    assert world.providers().use("../x", agreed="", anyway=True) == Invalid("provider", "bad_name")


def test_off_leaves_the_settings(world: World) -> None:
    world.write("config.yaml", "memory:\n  provider: mem0  # chosen\n")
    world.write("mem0.json", '{"host": "h"}')
    assert world.providers().off() == Used("", changed=True, change_id=1)
    assert world.home.config.read_text() == "memory:\n  provider: ''  # chosen\n"
    assert (world.home.path / "mem0.json").exists()
    assert world.providers().off() == Used("", changed=False)


@pytest.mark.parametrize(
    ("address", "chosen", "kind"),
    [
        ("http://localhost:8888", False, "this_computer"),
        ("http://127.0.0.3", True, "this_computer"),
        ("http://[::1]:80", True, "this_computer"),
        ("192.168.1.5:8000", True, "your_server"),
        ("http://nas.local", True, "your_server"),
        ("https://memory.example.org", True, "your_server"),
        ("https://memory.example.org", False, "cloud"),
        ("https://api.mem0.ai", True, "cloud"),
        ("https://localhost.evil.com", False, "cloud"),
        ("http://user@127.0.0.1.evil.com", False, "cloud"),
        ("", True, "unknown"),
        ("http://[", True, "unknown"),
    ],
)
def test_where_conversations_go(address: str, chosen: bool, kind: str) -> None:
    assert kind_of(address, chosen=chosen) == kind


# -- asking ----------------------------------------------------------------------------------

# The plugin needs `plugins.memory` and `agent.memory_provider`; these stand in for Hermes' own.
LOADER = """
import importlib.util, os, pathlib
def load_memory_provider(name):
    place = pathlib.Path(os.environ["HERMES_HOME"], "plugins", name, "__init__.py")
    spec = importlib.util.spec_from_file_location(name, place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    class Collector:
        provider = None
        def register_memory_provider(self, provider):
            self.provider = provider
    found = Collector()
    module.register(found)
    return found.provider
"""
ASKED = """
import os, sys, subprocess
from pathlib import Path
class P:
    def get_config_schema(self):
        {body}
        return [{{"key": "asked", "description": "d", "default": {value}}}]
def register(ctx):
    print("noise on standard output")
    ctx.register_memory_provider(P())
# MemoryProvider
"""


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A Python that has modules of Hermes' names."""
    import venv

    folder = tmp_path / "python"
    venv.create(folder, symlinks=True)
    packages = next((folder / "lib").glob("python3*")) / "site-packages"
    for name, text in (
        ("plugins/__init__.py", ""),
        ("plugins/memory/__init__.py", LOADER),
        ("agent/__init__.py", ""),
        ("agent/memory_provider.py", "class MemoryProvider: pass\n"),
    ):
        path = packages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    info = packages / "hermes_agent-0.19.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Version: 0.19.0\n")
    (folder / "bin" / "hermes").write_text(f"#!{folder / 'bin' / 'python'}\n")
    return folder / "bin" / "python"


def ask(tmp_path: Path, python: Path, body: str, value: str = "'x'") -> Answered | NoAnswer:
    folder = put_plugin(
        tmp_path / "home" / "plugins" / "mine", ASKED.format(body=body, value=value)
    )
    row = Row("mine", "Mine", "user", folder, "ready")
    env = {"SECRET_API_KEY": "hush", "HOME": str(tmp_path / "home")}
    return ask_plugin(row, python=python, env=env)


def test_a_plugin_answers_as_json_whatever_it_prints(tmp_path: Path, python: Path) -> None:
    said = ask(tmp_path, python, "print('more noise')")
    assert said == Answered([{"key": "asked", "description": "d", "default": "x"}])


def test_a_plugin_sees_no_secret_and_only_a_copy_of_its_home(tmp_path: Path, python: Path) -> None:
    before = tmp_path / "home"
    (before / "other").mkdir(parents=True)
    said = ask(
        tmp_path,
        python,
        "Path(os.environ['HERMES_HOME'], 'written').write_text('x'); Path('here').touch(); "
        "Path(__file__).with_name('own').touch()",
        "sorted(os.environ) + [os.environ['HOME'], os.getcwd(), os.environ['HERMES_HOME']]",
    )
    assert isinstance(said, Answered)
    told = said.value[0]["default"]
    assert "SECRET_API_KEY" not in told
    assert not any(str(before) in text for text in told)
    assert not Path(told[-1]).exists(), "the copy is gone"
    assert sorted(everything_in(before)) == ["plugins/mine/__init__.py"]


def test_a_plugin_that_hangs_or_floods_is_ended_with_its_children(
    tmp_path: Path, python: Path
) -> None:
    pid = tmp_path / "pid"
    body = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); "
        f"Path({str(pid)!r}).write_text(str(child.pid)); "
        "[None for _ in iter(int, 1)]"
    )
    folder = put_plugin(tmp_path / "mine", ASKED.format(body=body, value="1"))
    row = Row("mine", "Mine", "user", folder, "ready")
    said = ask_plugin(row, python=python, env={}, seconds=2)
    assert said == NoAnswer("ask_timeout")
    child = int(pid.read_text())
    status = Path(f"/proc/{child}/stat")
    assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_an_answer_without_end_is_cut_off(tmp_path: Path, python: Path) -> None:
    assert ask(tmp_path, python, "pass", "'x' * 10_000_000") == NoAnswer("ask_too_much")


@pytest.mark.parametrize("body", ["raise KeyError('no')", "sys.exit(3)", "os._exit(0)"])
def test_a_plugin_that_fails_is_no_fault_of_ours(tmp_path: Path, python: Path, body: str) -> None:
    said = ask(tmp_path, python, body)
    assert isinstance(said, NoAnswer)
    assert said.problem in ("ask_raised", "ask_no_json")


def test_a_package_is_asked_where_it_is_installed(tmp_path: Path, python: Path) -> None:
    packages = next((python.parent.parent / "lib").glob("python3*")) / "site-packages"
    folder = put_plugin(packages / "memra", ASKED.format(body="pass", value="'p'"))
    row = Row("memra-name", "Memra", "package", folder, "ready")
    said = ask_plugin(row, python=python, module="memra", env={})
    assert isinstance(said, Answered)
    assert said.value[0]["default"] == "p"


def test_a_broken_configuration_is_not_written_over(world: World) -> None:
    world.write("mem0.json", '{"host": "h"}')
    for text in ("broken: [unclosed", "memory: 3\n"):
        world.write("config.yaml", text)
        digest = check(world, "mem0").digest
        assert isinstance(world.providers().use("mem0", agreed=digest), Invalid)
        assert world.home.config.read_text() == text


def test_asking_needs_a_yes_for_exactly_this_code(
    world: World, python: Path, tmp_path: Path
) -> None:
    world.env["PATH"] = str(python.parent)
    (python.parent / "hermes").chmod(0o755)
    mark = tmp_path / "ran"
    body = f"Path({str(mark)!r}).touch()"
    code = ASKED.format(body=body, value="'x'").replace("return [", "return list(sys.argv) and [")
    folder = put_plugin(world.plugins / "mine", code)
    found = world.providers().check_ask("mine")
    assert isinstance(found, AskCheck)
    assert not found.agreed
    wrong = world.providers().ask("mine", agreed="another")
    assert isinstance(wrong, Conflict)
    assert not mark.exists()
    form = world.providers().ask("mine", agreed=found.digest)
    assert isinstance(form, Form), form
    assert mark.exists()
    mark.unlink()
    later = world.form("mine")
    assert later.schema.style in ("asked", "old")
    assert "asked" in later.schema.keys
    assert not mark.exists(), "the answer is remembered, the plugin not run again"
    (folder / "more.py").write_text("x = 1\n")
    again = world.providers().check_ask("mine")
    assert isinstance(again, AskCheck)
    assert not again.agreed


def test_a_bundled_name_that_is_only_declared_cannot_be_asked(world: World) -> None:
    world.env["PATH"] = ""
    refused = world.providers().check_ask("mem0")
    assert isinstance(refused, Refusal)
    assert shutil.which("python3") or sys.executable
    assert os.name == "posix"
