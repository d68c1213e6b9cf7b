"""Hermes' own memory settings, read with the agent's own rules.

The agent and its agent-less commands read the same file in different ways, and both differ from
what a person expects of `"no"` or `"3000"` (hermes-formats §2.2, §3.4, §4.1). What is wrong in
the file is said; what the agent makes of it is what counts here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from schema.fields import UNSET, Field
from schema.frozen import field, frozen, replace
from schema.settings import HERMES_SETTINGS
from schema.values import Accepted, Problem, check, parse
from store.config import (
    ANYTHING,
    ConfigChanged,
    ConfigFile,
    read_config,
    set_value,
    unset_value,
)
from store.files import Disk
from store.home import HermesHome, Target
from store.managed import ManagedScope, managed_scope, managing_system
from store.refusals import Invalid, Refusal

Source = Literal["file", "default", "managed"]

_SWITCHES: dict[Target, str] = {"memory": "memory_enabled", "user": "user_profile_enabled"}
_LIMITS: dict[Target, str] = {"memory": "memory_char_limit", "user": "user_char_limit"}
_APPROVING = {"on", "true", "yes", "1", "approve", "enabled"}
_REFERENCE = re.compile(r"\$\{([^}]+)\}")


def _tree() -> dict[str, Any]:
    """The declared defaults as the agent's tree of sections."""
    tree: dict[str, Any] = {}
    for declared in HERMES_SETTINGS.fields:
        *sections, name = declared.key.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[name] = declared.default
    return tree


_DEFAULTS = _tree()


@frozen
class MemoryOff:
    """Why the agent runs without any built-in memory although no switch says so.

    `reason`: `section` (`memory:` is no mapping), `nudge_interval` (a value that is no number),
    `agent_section` (`agent:` is no mapping, which breaks the whole file for the agent).
    `line` counts from 1; None when the value is not in the home's file.
    """

    reason: Literal["section", "nudge_interval", "agent_section"]
    line: int | None


@frozen
class Setting:
    """One of Hermes' own settings, for a page or a script.

    `value` is what the agent has, `${NAME}` resolved; `stored` what the home's file says as it is
    written, UNSET if nothing (hand it back as `seen`). `problem` tells that the value in use is
    not one of the field's kind. `managed_by` is set when it cannot be changed here.
    """

    field: Field
    value: object
    stored: object
    source: Source
    line: int | None
    problem: Problem | None
    managed_by: str


@frozen
class MemorySettings:
    """What one home's configuration means to the agent.

    `problem` is set when config.yaml cannot be read; the agent then runs on the defaults, and
    they are the values here. `system` names who manages the whole installation, so that nothing
    can be changed here; empty if nobody does.
    """

    memory_off: MemoryOff | None = None
    problem: Refusal | None = None
    system: str = ""
    _values: Mapping[str, Any] = field(default_factory=lambda: _DEFAULTS)
    _env: Mapping[str, str] = field(default_factory=dict, repr=False)
    _file: ConfigFile | None = field(default=None, repr=False)
    _managed: ManagedScope = field(default_factory=ManagedScope, repr=False)

    def value(self, key: str) -> object:
        """The value of the dotted `key` as the agent sees it, `${NAME}` resolved; None if none."""
        node: object = self._values
        for part in key.split("."):
            if not isinstance(node, Mapping) or part not in node:
                return None
            node = node[part]
        return _resolved(node, self._env)

    def enabled(self, target: Target) -> bool:
        """Whether the agent puts this file into its prompt. Any true value is on, `"no"` too."""
        return self.memory_off is None and bool(self.value(f"memory.{_SWITCHES[target]}"))

    def limit(self, target: Target) -> int:
        """How many characters an agent-less write may leave in the file.

        An unusable memory limit leaves both defaults, an unusable user limit only its own.
        """
        limits: dict[Target, int] = {
            name: _DEFAULTS["memory"][key] for name, key in _LIMITS.items()
        }
        for name, key in _LIMITS.items():
            number = _as_int(self._limit(key))
            if number is None:
                break
            limits[name] = number
        return limits[target]

    def prompt_limit(self, target: Target) -> int | float | None:
        """The limit as the running agent has it: not rounded; None if it is not a number at all.

        Without a number the agent fails on a file that is not empty, and on both blocks.
        """
        value = self._limit(_LIMITS[target])
        if isinstance(value, bool):
            return int(value)
        return value if isinstance(value, int | float) else None

    def approval(self, subsystem: Literal["memory", "skills"]) -> bool:
        """Whether writes of the agent are staged (hermes-formats §3.4)."""
        value = self.value(f"{subsystem}.write_approval")
        if isinstance(value, str):
            return value.strip().lower() in _APPROVING
        return value is True

    @property
    def provider(self) -> str:
        """The external provider's name; empty for none."""
        value = self.value("memory.provider")
        return value.strip() if isinstance(value, str) else ""

    def source(self, key: str) -> Source:
        """Where the value of the dotted `key` comes from."""
        if self._managed.pins(key):
            return "managed"
        if self.memory_off is not None and self.memory_off.reason == "agent_section":
            return "default"
        return "file" if self._file is not None and self._file.line(key) else "default"

    def line(self, key: str) -> int | None:
        """The line (from 1) of the dotted `key` in config.yaml; None if it is not there."""
        return None if self._file is None else self._file.line(key)

    def setting(self, key: str) -> Setting | None:
        """Everything about one of Hermes' own settings; None if there is no such key."""
        declared = HERMES_SETTINGS.field(key)
        if declared is None:
            return None
        value, source = self.value(key), self.source(key)
        return Setting(
            field=declared,
            value=value,
            stored=UNSET if self._file is None else self._file.get(key),
            source=source,
            line=self.line(key),
            problem=None if source == "default" else check(declared, value),
            managed_by=self.managed_by if source == "managed" else self.system,
        )

    def settings(self) -> tuple[Setting, ...]:
        """All of Hermes' own settings, in the order of the Settings page."""
        every = (self.setting(declared.key) for declared in HERMES_SETTINGS.fields)
        return tuple(setting for setting in every if setting is not None)

    @property
    def managed_by(self) -> str:
        """The administrator's folder; empty without one."""
        return str(self._managed.folder or "")

    def _limit(self, key: str) -> object:
        section = self._values.get("memory")
        if isinstance(section, Mapping) and key in section:
            return _resolved(section[key], self._env)
        # No section that could hold one: `int()` is never reached, or gets the default.
        return _DEFAULTS["memory"][key]


def read_settings(home: HermesHome, *, disk: Disk, env: Mapping[str, str]) -> MemorySettings:
    """Read the home's config.yaml and the administrator's values over it.

    `env` resolves `${NAME}` for reading; the agent's own also holds what the home's `.env` says.
    Never refuses: what cannot be read is `problem`.
    """
    managed = managed_scope(disk=disk, env=env)
    system = managing_system(home, env) or ""
    file = read_config(home, disk=disk)
    if isinstance(file, ConfigFile):
        return _settings(file, managed, env, None, system)
    return _settings(None, managed, env, file, system)


def change_setting(
    home: HermesHome,
    key: str,
    typed: str | None,
    *,
    disk: Disk,
    env: Mapping[str, str],
    seen: object = ANYTHING,
) -> ConfigChanged | Problem | Refusal:
    """Store what was `typed` for one of Hermes' own settings; None or nothing typed unsets it.

    A mistake in what was typed is a `Problem`, an unknown key too (with the one that was probably
    meant). `seen` is the `stored` value of the setting as it was shown; see store/config.py.
    """
    declared = HERMES_SETTINGS.field(key)
    if declared is None:
        meant = HERMES_SETTINGS.suggest(key)
        return Problem(key, "unknown_key", options=(meant,) if meant else ())
    parsed = Accepted(UNSET) if typed is None else parse(declared, typed)
    if isinstance(parsed, Problem):
        return parsed
    if parsed.value is UNSET:
        return unset_value(home, key, disk=disk, env=env, seen=seen)
    if isinstance(parsed.value, dict | list):
        raise TypeError(f"{key} is declared as JSON, which config.yaml has no place for yet")
    return set_value(home, key, parsed.value, disk=disk, env=env, seen=seen)


def _settings(
    file: ConfigFile | None,
    managed: ManagedScope,
    env: Mapping[str, str],
    problem: Refusal | None,
    system: str,
) -> MemorySettings:
    data = file.yaml.data if file is not None else {}
    if not _is_mapping_to_agent(data.get("agent")):
        line = None if file is None else file.line("agent")
        if "max_turns" not in data:
            # The agent fails on the whole file and starts with no configuration at all.
            off = MemoryOff("agent_section", line)
            return MemorySettings(off, None, system, _env=env, _file=file)
        problem, data = Invalid("agent", "not_a_section", line), {}
    values = _merged(_merged(_DEFAULTS, data), managed.data or {})
    found = MemorySettings(None, problem, system, values, env, file, managed)
    return replace(found, memory_off=_why_off(found))


def _why_off(settings: MemorySettings) -> MemoryOff | None:
    section = settings.value("memory")
    if not isinstance(section, Mapping):
        return MemoryOff("section", settings.line("memory"))
    if "nudge_interval" in section and _as_int(settings.value("memory.nudge_interval")) is None:
        return MemoryOff("nudge_interval", settings.line("memory.nudge_interval"))
    return None


def _is_mapping_to_agent(value: object) -> bool:
    """Whether the agent's own `dict(value or {})` works: pairs do, and nothing at all."""
    try:
        dict(value or {})  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return False
    return True


def _merged(base: Mapping[Any, Any], over: Mapping[Any, Any]) -> dict[Any, Any]:
    """Deep merge as the agent does it: a null never replaces a section (hermes-formats §4.2)."""
    result = dict(base)
    for key, value in over.items():
        under = result.get(key)
        if isinstance(under, dict):
            if isinstance(value, dict):
                result[key] = _merged(under, value)
            elif value is not None:
                result[key] = value
        else:
            result[key] = value
    return result


def _resolved(value: object, env: Mapping[str, str]) -> object:
    if not isinstance(value, str) or "${" not in value:
        return value
    return _REFERENCE.sub(lambda found: env.get(found[1], found[0]), value)


def _as_int(value: object) -> int | None:
    """What `int()` makes of `value`; None where it raises."""
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, OverflowError):
        return None
