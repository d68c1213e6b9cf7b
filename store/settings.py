"""Hermes' own memory settings, read with the agent's own rules.

The agent and its agent-less commands read the same file in different ways, and both differ from
what a person expects of `"no"` or `"3000"` (hermes-formats §2.2, §3.4, §4.1). What is wrong in
the file is said; what the agent makes of it is what counts here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from store.files import Content, Disk
from store.home import HermesHome, Target
from store.managed import ManagedScope, managed_scope
from store.refusals import Invalid, Refusal, Unreadable
from store.yaml_text import NotUtf8, YamlText, parse, position

Source = Literal["file", "default", "managed"]

DEFAULT_LIMITS: dict[Target, int] = {"memory": 2200, "user": 1375}
_SWITCHES: dict[Target, str] = {"memory": "memory_enabled", "user": "user_profile_enabled"}
_LIMITS: dict[Target, str] = {"memory": "memory_char_limit", "user": "user_char_limit"}
_APPROVING = {"on", "true", "yes", "1", "approve", "enabled"}
_REFERENCE = re.compile(r"\$\{([^}]+)\}")

_DEFAULTS: dict[str, Any] = {
    "memory": {
        "memory_enabled": True,
        "user_profile_enabled": True,
        "write_approval": False,
        "memory_char_limit": DEFAULT_LIMITS["memory"],
        "user_char_limit": DEFAULT_LIMITS["user"],
        "provider": "",
        "nudge_interval": 10,
    },
    "skills": {"write_approval": False, "creation_nudge_interval": 10},
    "curator": {
        "enabled": True,
        "interval_hours": 168,
        "min_idle_hours": 2,
        "stale_after_days": 30,
        "archive_after_days": 90,
        "consolidate": False,
        "prune_builtins": True,
        "backup": {"enabled": True, "keep": 5},
    },
}


@dataclass(frozen=True, slots=True)
class MemoryOff:
    """Why the agent runs without any built-in memory although no switch says so.

    `reason`: `section` (`memory:` is no mapping), `nudge_interval` (a value that is no number),
    `agent_section` (`agent:` is no mapping, which breaks the whole file for the agent).
    `line` counts from 1; None when the value is not in the home's file.
    """

    reason: Literal["section", "nudge_interval", "agent_section"]
    line: int | None


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """What one home's configuration means to the agent.

    `problem` is set when config.yaml cannot be read; the agent then runs on the defaults, and
    they are the values here.
    """

    memory_off: MemoryOff | None = None
    problem: Refusal | None = None
    _values: Mapping[str, Any] = field(default_factory=lambda: _DEFAULTS)
    _env: Mapping[str, str] = field(default_factory=dict, repr=False)
    _file: YamlText | None = field(default=None, repr=False)
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
        limits = dict(DEFAULT_LIMITS)
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
        return "default" if self._node(key) is None else "file"

    def line(self, key: str) -> int | None:
        """The line (from 1) of the dotted `key` in config.yaml; None if it is not there."""
        node = self._node(key)
        return None if node is None else position(node.start_mark)[0]

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

    def _node(self, key: str) -> Any:
        """The key's own node in the file, the last one of its name."""
        node: Any = self._file.root if self._file is not None else None
        found = None
        for part in key.split("."):
            pairs = node.value if getattr(node, "id", "") == "mapping" else ()
            matching = [pair for pair in pairs if pair[0].value == part]
            if not matching:
                return None
            found, node = matching[-1]
        return found


def read_settings(home: HermesHome, *, disk: Disk, env: Mapping[str, str]) -> MemorySettings:
    """Read the home's config.yaml and the administrator's values over it.

    `env` resolves `${NAME}` for reading; the agent's own also holds what the home's `.env` says.
    Never refuses: what cannot be read is `problem`.
    """
    managed = managed_scope(disk=disk, env=env)
    content = disk.read(home.config)
    if isinstance(content, Unreadable):
        return _settings(None, managed, env, content)
    parsed = parse(content.data or b"")
    if isinstance(parsed, YamlText):
        return _settings(parsed, managed, env, None)
    return _settings(None, managed, env, refusal_for(content, parsed))


def refusal_for(content: Content, problem: object) -> Refusal:
    """What stands in the way of a config.yaml that `parse` did not take."""
    if isinstance(problem, NotUtf8):
        return Unreadable(str(content.path), "not UTF-8", problem.byte, problem.utf16)
    return Invalid(
        content.path.name,
        getattr(problem, "problem", ""),
        getattr(problem, "line", None),
        getattr(problem, "column", None),
    )


def _settings(
    file: YamlText | None,
    managed: ManagedScope,
    env: Mapping[str, str],
    problem: Refusal | None,
) -> MemorySettings:
    data = file.data if file is not None else {}
    if not _is_mapping_to_agent(data.get("agent")):
        if "max_turns" not in data:
            # The agent fails on the whole file and starts with no configuration at all.
            line = MemorySettings(_file=file).line("agent")
            return MemorySettings(MemoryOff("agent_section", line), _env=env, _file=file)
        line = MemorySettings(_file=file).line("agent")
        problem, data = Invalid("config.yaml", "not a mapping of keys to values", line), {}
    values = _merged(_merged(_DEFAULTS, data), managed.data or {})
    found = MemorySettings(None, problem, values, env, file, managed)
    off = _why_off(found)
    return found if off is None else MemorySettings(off, problem, values, env, file, managed)


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
