"""What a home's configuration means, where it comes from, and how it is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from schema.fields import UNSET
from schema.settings import HERMES_SETTINGS
from schema.values import Problem
from store.config import ConfigChanged
from store.files import Disk
from store.home import HermesHome
from store.refusals import Conflict, Invalid, Managed, Unreadable
from store.settings import MemoryOff, MemorySettings, change_setting, read_settings

DISK = Disk(newline="\n")


@pytest.fixture
def home(empty_home: Path) -> HermesHome:
    return HermesHome(empty_home, empty_home, "default")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HERMES_MANAGED_DIR": str(tmp_path / "scope")}


def _read(home: HermesHome, env: dict[str, str], text: str) -> MemorySettings:
    home.config.write_text(text)
    return read_settings(home, disk=DISK, env=env)


def test_without_a_file_everything_is_the_default(home: HermesHome, env: dict[str, str]) -> None:
    settings = read_settings(home, disk=DISK, env=env)
    assert settings.problem is None
    assert settings.memory_off is None
    assert settings.enabled("memory")
    assert settings.enabled("user")
    assert (settings.limit("memory"), settings.limit("user")) == (2200, 1375)
    assert not settings.approval("memory")
    assert settings.provider == ""
    for setting in settings.settings():
        assert setting.value == setting.field.default
        assert (setting.stored, setting.source, setting.line) == (UNSET, "default", None)
    assert not home.config.exists()


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"memory:\n  user_char_limit: 5\na: [\n", Invalid), (b"# \xff\n", Unreadable)],
)
def test_a_broken_file_is_named_and_the_agents_defaults_hold(
    data: bytes, kind: type, home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_bytes(data)
    settings = read_settings(home, disk=DISK, env=env)
    assert isinstance(settings.problem, kind)
    assert settings.limit("user") == 1375
    assert settings.enabled("memory")


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("x: 1\nmemory: on\n", MemoryOff("section", 2)),
        ("memory:\n- a\n", MemoryOff("section", 1)),
        ("memory:\n  nudge_interval: often\n", MemoryOff("nudge_interval", 2)),
        ("x: 1\n\nagent: text\n", MemoryOff("agent_section", 3)),
    ],
)
def test_memory_that_is_off_without_a_switch_says_why_and_where(
    text: str, off: MemoryOff, home: HermesHome, env: dict[str, str]
) -> None:
    settings = _read(home, env, text)
    assert settings.memory_off == off
    assert not settings.enabled("memory")
    assert not settings.enabled("user")


def test_each_value_tells_its_source_its_line_and_what_is_wrong_with_it(
    home: HermesHome, env: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "scope").mkdir()
    (tmp_path / "scope" / "config.yaml").write_text("memory:\n  user_char_limit: 99\n")
    settings = _read(
        home, env, 'memory:\n  memory_enabled: "no"\n  provider: ${P}\n  user_char_limit: 1\n'
    )
    switch = settings.setting("memory.memory_enabled")
    assert switch is not None
    assert (switch.value, switch.source, switch.line) == ("no", "file", 2)
    assert switch.problem == Problem("memory.memory_enabled", "not_yes_or_no")
    assert settings.enabled("memory")
    limit = settings.setting("memory.user_char_limit")
    assert limit is not None
    assert (limit.value, limit.source, limit.stored) == (99, "managed", 1)
    assert limit.managed_by == str(tmp_path / "scope")
    assert settings.limit("user") == 99
    assert settings.setting("memory.nothing") is None


def test_a_name_from_the_environment_is_resolved_for_reading_only(
    home: HermesHome, env: dict[str, str]
) -> None:
    settings = _read(home, {**env, "P": " mem0 "}, "memory:\n  provider: ${P}\n")
    assert settings.provider == "mem0"
    setting = settings.setting("memory.provider")
    assert setting is not None
    assert setting.stored == "${P}"
    assert home.config.read_text() == "memory:\n  provider: ${P}\n"


def test_what_is_typed_is_stored_as_the_value_that_it_means(
    home: HermesHome, env: dict[str, str]
) -> None:
    for key, typed in (
        ("memory.memory_char_limit", " 3000 "),
        ("memory.provider", "Built-in"),
        ("skills.write_approval", "on"),
        ("curator.min_idle_hours", "1.5"),
    ):
        changed = change_setting(home, key, typed, disk=DISK, env=env)
        assert isinstance(changed, ConfigChanged)
    assert home.config.read_text() == (
        "memory:\n  memory_char_limit: 3000\n  provider: ''\n"
        "skills:\n  write_approval: true\ncurator:\n  min_idle_hours: 1.5\n"
    )


@pytest.mark.parametrize("typed", [None, " "])
def test_nothing_typed_lets_the_default_hold(
    typed: str | None, home: HermesHome, env: dict[str, str]
) -> None:
    home.config.write_text("memory:\n  user_char_limit: 5\n  x: 1\n")
    change_setting(home, "memory.user_char_limit", typed, disk=DISK, env=env, seen=5)
    assert home.config.read_text() == "memory:\n  x: 1\n"


@pytest.mark.parametrize(
    ("key", "typed", "problem"),
    [
        ("memory.user_char_limit", "0", Problem("memory.user_char_limit", "too_small", 1)),
        ("memory.user_char_limit", "2.5", Problem("memory.user_char_limit", "not_whole")),
        (
            "memory.nudge_intervals",
            "5",
            Problem("memory.nudge_intervals", "unknown_key", options=("memory.nudge_interval",)),
        ),
        ("model.default", "x", Problem("model.default", "unknown_key")),
    ],
)
def test_a_mistake_in_what_was_typed_writes_nothing(
    key: str, typed: str, problem: Problem, home: HermesHome, env: dict[str, str]
) -> None:
    assert change_setting(home, key, typed, disk=DISK, env=env) == problem
    assert not home.config.exists()


def test_a_value_that_changed_since_it_was_shown_is_not_overwritten(
    home: HermesHome, env: dict[str, str]
) -> None:
    shown = _read(home, env, "memory:\n  user_char_limit: 5\n").setting("memory.user_char_limit")
    assert shown is not None
    home.config.write_text("memory:\n  user_char_limit: 6\n")
    refused = change_setting(home, shown.field.key, "7", disk=DISK, env=env, seen=shown.stored)
    assert isinstance(refused, Conflict)


def test_a_managed_installation_closes_every_setting(home: HermesHome, env: dict[str, str]) -> None:
    env = {**env, "HERMES_MANAGED": "homebrew"}
    settings = read_settings(home, disk=DISK, env=env)
    assert {setting.managed_by for setting in settings.settings()} == {"Homebrew"}
    for field in HERMES_SETTINGS.fields:
        assert change_setting(home, field.key, None, disk=DISK, env=env) == Managed(
            "Homebrew", field.key
        )
