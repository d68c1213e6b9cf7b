"""What is installed for Hermes goes in, is mended, and comes out again to the byte."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from store.files import Disk
from store.home import HermesHome
from store.refusals import Conflict, Invalid, Managed, Unsupported
from store.secrets.check import launcher
from store.secrets.handover import Changed, Handover, HandoverOf, desk_command

COMMAND = (sys.executable, "-P", "-m", "gui")
CONFIGS = {
    "none": None,
    "empty": "",
    "comments": "# mine\n\n# enabled: no\n",
    "no end": "model: m",
    "sections": "plugins:\n  disabled: [other]\nsecrets:\n  bitwarden:\n    enabled: false\n",
    "null sections": "plugins:\nsecrets: null\nx: 1\n",
    "flow": "plugins: {enabled: [a]}\nsecrets: {x: 1}\n",
    "block list": "plugins:\n  enabled:\n  - a # n\n\n# end\nx: 1\n",
    "crlf": "model: m\r\nplugins:\r\n  enabled:\r\n    - a\r\n",
    "bom": "\ufeffmodel: m # c\n",
    "switched off": "secrets:\n  memory_desk:\n    enabled: false # for now\n",
    "quoted": 'model: "a: b" # c\nlist:\n- 1\n-   2\n',
}


@pytest.fixture
def home(tmp_path: Path) -> HermesHome:
    path = tmp_path / "home"
    path.mkdir()
    return HermesHome(path, path, "default")


def way(home: HermesHome, *command: str, **env: str) -> HandoverOf:
    data = {"MEMORY_DESK_DATA_DIR": str(home.path.parent / "data"), "HOME": str(home.path), **env}
    data |= {"MEMORY_DESK_CONFIG_DIR": str(home.path.parent / "config")}
    return HandoverOf(home, disk=Disk("\n"), env=data, command=command or COMMAND)


def everything(home: HermesHome) -> dict[str, bytes | None]:
    return {
        path.relative_to(home.path).as_posix(): None if path.is_dir() else path.read_bytes()
        for path in sorted(home.path.rglob("*"))
    }


def state(one: HandoverOf) -> str:
    now = one.look()
    assert isinstance(now, Handover)
    return now.state


def applied(one: HandoverOf) -> Changed:
    done = one.apply()
    assert isinstance(done, Changed), done
    return done


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
@pytest.mark.parametrize("plugins", [False, True], ids=["no folder", "a folder"])
def test_undo_leaves_every_byte_as_it_was(
    home: HermesHome, config: str | None, plugins: bool
) -> None:
    if config is not None:
        home.config.write_bytes(config.encode())
    if plugins:
        (home.path / "plugins" / "other").mkdir(parents=True)
        (home.path / "plugins" / "other" / "plugin.yaml").write_text("name: other\n", "utf-8")
    before = everything(home)
    one = way(home)
    assert state(one) == "off"
    applied(one)
    assert state(one) == "on"
    assert applied(one).changed == (), "it is so already"
    (one.folder / "__pycache__").mkdir()
    (one.folder / "__pycache__" / "x.pyc").write_bytes(b"what Python leaves")
    done = one.undo()
    assert isinstance(done, Changed)
    assert done.exact
    assert everything(home) == before
    assert state(one) == "off"
    assert not one.record_file.exists()


def test_only_the_lines_meant_are_new(home: HermesHome) -> None:
    home.config.write_text("# mine\nmodel: m  # c\nplugins:\n  enabled:\n    - a\n", "utf-8")
    applied(way(home))
    assert home.config.read_text("utf-8") == (
        "# mine\nmodel: m  # c\nplugins:\n  enabled:\n    - a\n    - memory_desk\n"
        "secrets:\n  memory_desk:\n    enabled: true\n"
    )


def test_a_file_that_changed_since_loses_only_what_was_put_in(home: HermesHome) -> None:
    home.config.write_text("model: m\n", "utf-8")
    one = way(home)
    applied(one)
    with home.config.open("a", encoding="utf-8") as file:
        file.write("mine: 1  # c\n")
    done = one.undo()
    assert isinstance(done, Changed)
    assert not done.exact
    assert home.config.read_text("utf-8") == "model: m\nmine: 1  # c\n"


def test_the_record_holds_nothing_of_the_file(home: HermesHome) -> None:
    home.config.write_text("model:\n  api_key: canary-1\n", "utf-8")
    one = way(home)
    applied(one)
    assert "canary" not in one.record_file.read_text("utf-8")
    assert one.record_file.stat().st_mode & 0o077 == 0


def test_a_desk_that_went_away_is_broken_and_repaired(home: HermesHome, tmp_path: Path) -> None:
    home.config.write_text("model: m\n", "utf-8")
    before = everything(home)
    gone = tmp_path / "gone"
    gone.write_text("", "utf-8")
    applied(way(home, str(gone)))
    gone.unlink()
    now = way(home).look()
    assert isinstance(now, Handover)
    assert (now.state, now.missing) == ("broken", str(gone))
    assert [Path(path).name for path in applied(way(home)).changed] == ["command.json"]
    assert state(way(home)) == "on"
    way(home).undo()
    assert everything(home) == before


@pytest.mark.parametrize("lost", ["plugin.yaml", "__init__.py", "command.json"])
def test_half_of_it_is_said_to_be_half_and_mended(home: HermesHome, lost: str) -> None:
    one = way(home)
    applied(one)
    (one.folder / lost).unlink()
    assert state(one) == "partly"
    applied(one)
    assert state(one) == "on"


def test_somebody_elses_plugin_of_that_name_is_left_alone(home: HermesHome) -> None:
    folder = home.path / "plugins" / "memory_desk"
    folder.mkdir(parents=True)
    (folder / "plugin.yaml").write_text("name: memory_desk\nauthor: Somebody\n", "utf-8")
    before = everything(home)
    assert way(home).apply() == Conflict(str(folder))
    way(home).undo()
    assert everything(home) == before


@pytest.mark.parametrize(
    ("config", "refusal"),
    [
        ("plugins:\n  disabled: [memory_desk]\n", Unsupported),
        ("plugins:\n  enabled: yes please\n", Invalid),
        ("plugins: [1]\n", Invalid),
        ("a: [unclosed\n", Invalid),
        ("plugins:\n  enabled: &x [a]\nother: *x\n", Unsupported),
    ],
)
def test_a_file_that_stands_in_the_way_stays(
    home: HermesHome, config: str, refusal: type[object]
) -> None:
    home.config.write_text(config, "utf-8")
    before = everything(home)
    assert isinstance(way(home).apply(), refusal)
    assert everything(home) == before


def test_a_managed_installation_is_not_changed(home: HermesHome) -> None:
    assert isinstance(way(home, HERMES_MANAGED="nix").apply(), Managed)
    assert everything(home) == {}


def newer_hermes(place: Path) -> Path:
    """A stand-in for a newer Hermes: an environment in which its command source lies."""
    site = place / "lib" / "python3.11" / "site-packages"
    (site / "agent" / "secret_sources").mkdir(parents=True)
    (site / "agent" / "secret_sources" / "command.py").write_text("", "utf-8")
    (site / "plugins" / "memory").mkdir(parents=True)
    info = site / "hermes_agent-0.21.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: hermes-agent\nVersion: 0.21.0\n", "utf-8")
    (place / "bin").mkdir()
    (place / "bin" / "python").write_text("", "utf-8")
    (place / "bin" / "hermes").write_text(f"#!{place}/bin/python\n", "utf-8")
    return place / "bin"


@pytest.mark.skipif(shutil.which("sh") is None, reason="this source is for POSIX")
def test_a_newer_hermes_gets_a_command(home: HermesHome, tmp_path: Path) -> None:
    home.config.write_text("model: m\n", "utf-8")
    before = everything(home)
    one = way(home, PATH=str(newer_hermes(tmp_path / "newer")))
    assert applied(one).method == "command"
    now = one.look()
    assert isinstance(now, Handover)
    assert (now.method, now.state, now.command[0], now.uncovered) == (
        *("command", "on", sys.executable),
        (),
    )
    assert not (home.path / "plugins").exists()
    one.undo()
    assert everything(home) == before
    home.config.write_text("secrets:\n  command: {enabled: true, command: pass show}\n", "utf-8")
    assert one.apply() == Unsupported("handover_taken", "secrets.command")


def test_the_command_is_absolute_and_a_launcher_names_no_key(home: HermesHome) -> None:
    command = desk_command()
    assert Path(command[0]).is_absolute()
    text = launcher(command, home)
    assert text.startswith("#!/bin/sh\nexec ")
    assert text.endswith('secrets exec -- hermes "$@"\n')
    json.dumps(command)
