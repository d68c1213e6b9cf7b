"""What someone else manages: a whole installation, or single values of the configuration.

Two different things in Hermes, and both may hold at once (hermes-formats §1.4): a packaged
installation whose configuration must not be written at all, and an administrator's folder whose
values win over the person's, key by key.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schema.frozen import frozen
from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import Managed
from store.yaml_text import YamlText, parse

SYSTEM_FOLDER = Path("/etc/hermes")
_SYSTEMS = {"brew": "Homebrew", "homebrew": "Homebrew"}
_NIX = {"true", "1", "yes", "nix", "nixos"}


@frozen
class ManagedScope:
    """The administrator's values. `data` is empty when there is no such folder or no such file."""

    folder: Path | None = None
    data: Mapping[Any, Any] | None = None

    def pins(self, key: str) -> bool:
        """Whether the value of `key` (dotted) comes from here, whatever the person's file says."""
        node: object = self.data or {}
        for part in key.split("."):
            if not isinstance(node, Mapping):
                # A value in place of the whole section; null there is ignored by the agent.
                return node is not None
            if part not in node:
                return False
            node = node[part]
        return not isinstance(node, Mapping)


def managing_system(home: HermesHome, env: Mapping[str, str]) -> str | None:
    """Who manages this whole installation, as Hermes names them; None if nobody does."""
    named = env.get("HERMES_MANAGED", "").strip()
    if named:
        return "NixOS" if named.lower() in _NIX else _SYSTEMS.get(named.lower(), named)
    return "NixOS" if os.path.exists(home.path / ".managed") else None


def managed_scope(
    *, disk: Disk, env: Mapping[str, str], system_folder: Path = SYSTEM_FOLDER
) -> ManagedScope:
    """Read the administrator's values; a file that cannot be read counts as none, as in Hermes."""
    named = env.get("HERMES_MANAGED_DIR", "").strip()
    folder = Path(named) if named else system_folder
    if not os.path.isdir(folder):
        return ManagedScope()
    content = disk.read(folder / "config.yaml")
    if not isinstance(content, Content) or content.data is None:
        return ManagedScope(folder)
    parsed = parse(content.data)
    return ManagedScope(folder, parsed.data if isinstance(parsed, YamlText) else None)


def managed_refusal(
    home: HermesHome, key: str, *, disk: Disk, env: Mapping[str, str]
) -> Managed | None:
    """Why `key` may not be written here because of someone else, or None."""
    system = managing_system(home, env)
    if system is not None:
        return Managed(system, key)
    scope = managed_scope(disk=disk, env=env)
    if scope.folder is not None and scope.pins(key):
        return Managed(str(scope.folder), key)
    return None
