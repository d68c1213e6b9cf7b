"""What differs between versions of Hermes about providers, as one value read from its files."""

from __future__ import annotations

import re

from schema.frozen import frozen
from store.hermes import Found
from store.providers.collecting import head

BUNDLED = (
    *("byterover", "hindsight", "holographic", "honcho"),
    *("mem0", "openviking", "retaindb", "supermemory"),
)
"""The providers that 0.19.0 brings along, and that we declare ourselves too."""

OWN_GROUP = "hermes_agent.memory_providers"
GENERAL_GROUP = "hermes_agent.plugins"
"""The entry points by which a package offers a provider (hermes-formats §6.1)."""

PROJECT_SWITCH = "HERMES_ENABLE_PROJECT_PLUGINS"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_SOURCE_BYTES = 1 << 20
_LAZY = re.compile(r"[\"']memory\.([a-z0-9_]+)[\"']\s*:")


@frozen
class Rules:
    """Which places a version reads providers from, beside its own and the home's.

    `project`: folders of the project, if switched on. `packages`: packages of a group of their
    own. `plugins`: general plugins may register one. `installs` are providers whose packages
    Hermes installs itself when they are first used.
    """

    project: bool = False
    packages: bool = False
    plugins: bool = False
    installs: frozenset[str] = frozenset()


def is_provider_name(name: str) -> bool:
    """Whether Hermes would take `name` for a provider's; nothing else ever becomes a path."""
    return _NAME.fullmatch(name) is not None


def rules_of(found: Found | None) -> Rules:
    """The rules of an installed Hermes, told from its own source and not from its number."""
    if found is None or found.plugins_dir is None:
        return Rules()
    base = found.plugins_dir.parent.parent
    discovery = _source(found, "plugins/memory/__init__.py")
    general = _source(found, "hermes_cli/plugins.py")
    lazy = head(base / "tools" / "lazy_deps.py", _SOURCE_BYTES)
    return Rules(
        project=PROJECT_SWITCH in discovery,
        packages=OWN_GROUP in discovery,
        plugins="def register_memory_provider" in general,
        installs=frozenset(_LAZY.findall(lazy.decode("utf-8", "replace")))
        if isinstance(lazy, bytes)
        else frozenset(),
    )


def _source(found: Found, name: str) -> str:
    if found.plugins_dir is None:
        return ""
    data = head(found.plugins_dir.parent.parent / name, _SOURCE_BYTES)
    return data.decode("utf-8", "replace") if isinstance(data, bytes) else ""
