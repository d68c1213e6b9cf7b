"""What the real agent makes of odd configurations, and that the desk reads the same from them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from schema.settings import HERMES_SETTINGS
from store.config import ConfigChanged
from store.files import Disk
from store.home import TARGETS, HermesHome
from store.settings import change_setting, read_settings
from store.yaml_values import at, same

# Run by the agent's Python in one process: a home a line in, one JSON object a line out. The
# running agent's part is its own start-up code, taken from its source and run as it is.
AGENT = """
import json, logging, os, sys, types
from pathlib import Path
logging.disable(logging.CRITICAL)
import agent.agent_init as start
source = Path(start.__file__).read_text()
begin = source.index("    agent._memory_store = None")
end = source.index("    # Memory provider plugin (external", begin)
code = compile("if True:\\n" + source[begin:end], "memory start", "exec")
for line in sys.stdin:
    os.environ["HERMES_HOME"] = line.strip()
    from hermes_cli.config import load_config
    from tools.memory_tool import load_on_disk_store
    from tools.write_approval import write_approval_enabled
    store = load_on_disk_store()
    agent = types.SimpleNamespace()
    try:
        config = load_config()
    except Exception:
        config = {}
    exec(code, {"agent": agent, "skip_memory": False, "_agent_cfg": config})
    running = agent._memory_store
    blocks = {}
    for target, on in (("memory", agent._memory_enabled), ("user", agent._user_profile_enabled)):
        blocks[target] = bool(running and on and running.format_for_system_prompt(target))
    print(json.dumps({
        "limits": {"memory": store.memory_char_limit, "user": store.user_char_limit},
        "blocks": blocks,
        "prompt": {t: repr(running._char_limit(t)) if running else None for t in blocks},
        "approval": {s: write_approval_enabled(s) for s in ("memory", "skills")},
    }), flush=True)
"""

ODD: dict[str, str] = {
    "nothing": "",
    "only comments": "# memory:\n#   memory_enabled: false\n",
    "an empty section": "memory:\n",
    "an empty mapping": "memory: {}\n",
    "a scalar section": "memory: x\n",
    "a false section": "memory: false\n",
    "a list section": "memory:\n- a\n",
    "an empty list section": "memory: []\n",
    "a quoted no": 'memory:\n  memory_enabled: "no"\n  user_profile_enabled: "false"\n',
    "a plain no": "memory:\n  memory_enabled: no\n  user_profile_enabled: off\n",
    "a null switch": "memory:\n  memory_enabled: null\n",
    "an empty text switch": 'memory:\n  memory_enabled: ""\n',
    "a zero switch": "memory:\n  user_profile_enabled: 0\n",
    "a quoted limit": 'memory:\n  memory_char_limit: "3000"\n',
    "a quoted user limit": 'memory:\n  user_char_limit: "3000"\n',
    "a broken limit": "memory:\n  memory_char_limit: many\n  user_char_limit: 900\n",
    "a broken user limit": "memory:\n  memory_char_limit: 900\n  user_char_limit: many\n",
    "a null limit": "memory:\n  memory_char_limit:\n  user_char_limit: 900\n",
    "a null user limit": "memory:\n  memory_char_limit: 900\n  user_char_limit: ~\n",
    "a fraction": "memory:\n  memory_char_limit: 3000.7\n",
    "infinity": "memory:\n  memory_char_limit: .inf\n",
    "sixty to the minute": "memory:\n  memory_char_limit: 12:30\n",
    "underscores": "memory:\n  memory_char_limit: 1_000\n  user_char_limit: '1_000'\n",
    "an octal number": "memory:\n  memory_char_limit: 010\n",
    "a switch for a limit": "memory:\n  memory_char_limit: yes\n",
    "a list for a limit": "memory:\n  memory_char_limit: [1]\n  user_char_limit: 900\n",
    "nothing left": "memory:\n  memory_char_limit: 0\n  user_char_limit: -5\n",
    "no nudge": "memory:\n  nudge_interval: 0\n",
    "a null nudge": "memory:\n  nudge_interval: null\n",
    "a broken nudge": "memory:\n  nudge_interval: often\n",
    "a quoted nudge": "memory:\n  nudge_interval: '12'\n",
    "a date": "memory:\n  memory_char_limit: 2024-01-02\n",
    "the last of two": "memory:\n  memory_char_limit: 5\nmemory:\n  user_char_limit: 7\n",
    "merged": "base: &b\n  memory_char_limit: 55\nmemory:\n  <<: *b\n",
    "from the environment": "memory:\n  memory_char_limit: ${DESK_TEST_LIMIT}\n",
    "an unknown name": "memory:\n  memory_char_limit: ${DESK_TEST_NOTHING}\n",
    "a switch from the environment": "memory:\n  memory_enabled: ${DESK_TEST_EMPTY}\n",
    "a tab after the colon": "memory:\n  memory_char_limit:\t50\n",
    "Windows lines": "memory:\r\n  memory_char_limit: 50\r\n",
    "old Mac lines": "memory:\r  memory_char_limit: 50\r",
    "a byte order mark": "\ufeffmemory:\n  memory_char_limit: 50\n",
    "an unclosed list": "memory:\n  memory_char_limit: 50\nbroken: [unclosed\n",
    "a month thirteen": "memory:\n  memory_char_limit: 50\nwhen: 2024-13-01\n",
    "two documents": "memory:\n  memory_char_limit: 50\n---\na: 1\n",
    "a list file": "- memory\n",
    "a text file": "memory\n",
    "a broken agent section": "agent: text\nmemory:\n  memory_char_limit: 50\n",
    "a broken agent section and turns": "agent: 5\nmax_turns: 3\nmemory:\n  user_char_limit: 5\n",
    "agent pairs": "agent:\n- [a, 1]\nmemory:\n  memory_char_limit: 50\n",
    "approval on": "memory:\n  write_approval: on\nskills:\n  write_approval: ' Approve '\n",
    "approval one": "memory:\n  write_approval: 1\nskills:\n  write_approval: '1'\n",
    "approval enable": "memory:\n  write_approval: enable\nskills: text\n",
}
MANAGED = {
    "a managed switch": ("memory:\n  memory_enabled: true\n", "memory:\n  memory_enabled: false\n"),
    "a managed null": ("", "memory:\n  memory_enabled:\n"),
    "managed over a scalar": ("memory: x\n", "memory:\n  memory_enabled: true\n"),
    "a managed scalar": ("memory:\n  memory_char_limit: 50\n", "memory: x\n"),
    "a managed null section": ("memory:\n  memory_char_limit: 50\n", "memory:\n"),
    "managed over broken": ("a: [\n", "memory:\n  memory_char_limit: 60\n"),
    "a broken managed file": ("memory:\n  memory_char_limit: 50\n", "a: [\n"),
}


def _home(folder: Path, config: bytes) -> Path:
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("one")
    (folder / "memories" / "USER.md").write_text("two")
    (folder / "config.yaml").write_bytes(config)
    return folder


def _ask(python: Path, homes: list[Path], env: dict[str, str]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [python, "-c", AGENT],
        input="".join(f"{home}\n" for home in homes),
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _environment(folder: Path, **more: str) -> dict[str, str]:
    return {
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
        "DESK_TEST_LIMIT": "77",
        "DESK_TEST_EMPTY": "",
        "HERMES_MANAGED_DIR": str(folder / "nothing-managed"),
        **more,
    }


def _ours(home: Path, env: dict[str, str]) -> dict[str, Any]:
    settings = read_settings(HermesHome(home, home, "default"), disk=Disk(), env=env)
    loads = all(settings.prompt_limit(target) is not None for target in TARGETS)
    # The store is there if anything is on; both blocks need both limits to be numbers.
    running = any(settings.enabled(target) for target in TARGETS)
    return {
        "limits": {target: settings.limit(target) for target in TARGETS},
        "blocks": {target: settings.enabled(target) and loads for target in TARGETS},
        "prompt": {
            target: settings.prompt_limit(target) if running else None for target in TARGETS
        },
        "approval": {name: settings.approval(name) for name in ("memory", "skills")},
    }


def _compare(agent: dict[str, Any], ours: dict[str, Any], name: str) -> None:
    for key in ("limits", "blocks", "approval"):
        assert ours[key] == agent[key], f"{name}: {key}"
    for target in TARGETS:
        limit, theirs = ours["prompt"][target], agent["prompt"][target]
        if limit is not None:
            # `True` is 1 to the agent's arithmetic and in its header.
            assert theirs.replace("True", "1") == repr(limit), f"{name}: prompt limit"


def test_odd_configurations_mean_to_the_desk_what_they_mean_to_the_agent(
    hermes_python: Path, tmp_path: Path
) -> None:
    env = _environment(tmp_path)
    homes = [_home(tmp_path / str(n), text.encode()) for n, text in enumerate(ODD.values())]
    homes.append(_home(tmp_path / "latin", b"memory:\n  memory_char_limit: 50 # caf\xe9\n"))
    agent = _ask(hermes_python, homes, env)
    assert len(agent) == len(homes)
    for name, home, answer in zip([*ODD, "not UTF-8"], homes, agent, strict=True):
        _compare(answer, _ours(home, env), name)


@pytest.mark.parametrize("name", MANAGED)
def test_managed_values_mean_to_the_desk_what_they_mean_to_the_agent(
    name: str, hermes_python: Path, tmp_path: Path
) -> None:
    own, managed = MANAGED[name]
    scope = tmp_path / "scope"
    scope.mkdir()
    (scope / "config.yaml").write_text(managed)
    env = _environment(tmp_path, HERMES_MANAGED_DIR=str(scope))
    home = _home(tmp_path / "home", own.encode())
    _compare(_ask(hermes_python, [home], env)[0], _ours(home, env), name)


def test_the_declared_defaults_are_the_agents_own(hermes_python: Path, tmp_path: Path) -> None:
    code = (
        "import json; from hermes_cli.config import DEFAULT_CONFIG as d;"
        "print(json.dumps({k: d[k] for k in ('memory', 'skills', 'curator')}))"
    )
    done = subprocess.run(
        [hermes_python, "-c", code],
        env=_environment(tmp_path, HERMES_HOME=str(tmp_path / "home")),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    theirs = json.loads(done.stdout)
    for field in HERMES_SETTINGS.fields:
        # These two are read with a default of their own and are not in the agent's tree.
        if field.key not in ("memory.nudge_interval", "skills.creation_nudge_interval"):
            path = tuple(field.key.split("."))
            assert same(at(theirs, path), field.default), field.key


def test_what_the_desk_sets_is_what_the_agent_reads(hermes_python: Path, tmp_path: Path) -> None:
    env = _environment(tmp_path)
    before = {
        "plain": b"model: x # c\nmemory:\n    provider: ''\n",
        "windows": b"\xef\xbb\xbf# c\r\nmemory: {}\r\n",
        "quoted": b"memory: {memory_char_limit: '9', user_char_limit: 7.5, write_approval: 1}",
        "none": b"",
    }
    homes = [_home(tmp_path / name, data) for name, data in before.items()]
    for folder in homes:
        home = HermesHome(folder, folder, "default")
        for key, typed in (
            ("memory.memory_char_limit", "3000"),
            ("memory.user_char_limit", "1500"),
            ("memory.write_approval", "on"),
            ("memory.user_profile_enabled", "no"),
            ("skills.write_approval", "yes"),
        ):
            changed = change_setting(home, key, typed, disk=Disk(), env=env)
            assert isinstance(changed, ConfigChanged)
    for answer in _ask(hermes_python, homes, env):
        assert answer == {
            "limits": {"memory": 3000, "user": 1500},
            "blocks": {"memory": True, "user": False},
            "prompt": {"memory": "3000", "user": "1500"},
            "approval": {"memory": True, "skills": True},
        }
