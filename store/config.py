"""A home's config.yaml: read as the agent reads it, and changed one key at a time.

Everything else in the file stays as the person wrote it (store/config_edit.py). Nothing is
written where the file cannot be read, where it changed since it was read, or where someone else
manages the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from schema.fields import UNSET, Unset
from store.files import Content, Disk
from store.home import HermesHome
from store.managed import managed_refusal
from store.refusals import Conflict, Invalid, NotFound, Refusal, Unreadable
from store.yaml_text import BOM, NotUtf8, NotYaml, YamlText, parse, position
from store.yaml_values import KeyPath, Scalar, at, has, render, same


class Seen(Enum):
    """What a caller says about the value that it saw, if it saw none in particular."""

    ANYTHING = "anything"


ANYTHING: Final = Seen.ANYTHING


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What one read of config.yaml saw; `yaml` is empty when there is no file."""

    content: Content
    yaml: YamlText

    def get(self, key: str) -> object:
        """The stored value of the dotted `key` as it is written; UNSET if it is not there."""
        path = tuple(key.split("."))
        return at(self.yaml.data, path) if has(self.yaml.data, path) else UNSET

    def line(self, key: str) -> int | None:
        """The line (from 1) on which the dotted `key` stands; None if it is not there."""
        node: Any = self.yaml.root
        found = None
        for part in key.split("."):
            pairs = node.value if getattr(node, "id", "") == "mapping" else ()
            matching = [pair for pair in pairs if pair[0].value == part]
            if not matching:
                return None
            found, node = matching[-1]
        return None if found is None else position(found.start_mark)[0]


@dataclass(frozen=True, slots=True)
class ConfigChanged:
    """The key has its new value on disk. `changed` is False when it had it already.

    `before` and `after` are stored values, UNSET where there is none; `line` counts from 1.
    """

    key: str
    changed: bool
    before: object
    after: object
    line: int | None


def read_config(home: HermesHome, *, disk: Disk) -> ConfigFile | Refusal:
    """Read config.yaml; a missing file is an empty one.

    Refused with `Unreadable` when it cannot be read or decoded, with `Invalid` and the place when
    it is no YAML mapping. The agent runs on its defaults then.
    """
    content = disk.read(home.config)
    if isinstance(content, Unreadable):
        return content
    found = parse(content.data or b"")
    match found:
        case NotUtf8():
            return Unreadable(str(home.config), "not UTF-8", found.byte, found.utf16)
        case NotYaml():
            return Invalid(home.config.name, found.problem, found.line, found.column)
        case YamlText():
            return ConfigFile(content, found)


def set_value(
    home: HermesHome,
    key: str,
    value: Scalar,
    *,
    disk: Disk,
    env: Mapping[str, str],
    seen: object = ANYTHING,
) -> ConfigChanged | Refusal:
    """Store `value` under the dotted `key`; a missing file is made with just that section.

    `seen` is the stored value that the person saw (UNSET for none); another one there now is a
    `Conflict` with both. A value that the managed scope pins, or a managed installation, answers
    `Managed`.
    """
    return _change(home, key, value, disk=disk, env=env, seen=seen)


def unset_value(
    home: HermesHome,
    key: str,
    *,
    disk: Disk,
    env: Mapping[str, str],
    seen: object = ANYTHING,
) -> ConfigChanged | Refusal:
    """Remove the dotted `key`, so that Hermes' default holds. Refused as `set_value`."""
    return _change(home, key, UNSET, disk=disk, env=env, seen=seen)


def _change(
    home: HermesHome,
    key: str,
    value: Scalar | Unset,
    *,
    disk: Disk,
    env: Mapping[str, str],
    seen: object,
) -> ConfigChanged | Refusal:
    managed = managed_refusal(home, key, disk=disk, env=env)
    if managed is not None:
        return managed
    if not home.path.is_dir():
        # A profile that was deleted must not come back as a lone configuration.
        return NotFound("home", str(home.path))
    file = read_config(home, disk=disk)
    if not isinstance(file, ConfigFile):
        return file
    before = file.get(key)
    if seen is not ANYTHING and not same(before, seen):
        return Conflict(str(home.config), as_text(seen), as_text(before))
    text = _edited(file.yaml, tuple(key.split(".")), value, disk.newline)
    if not isinstance(text, str):
        return text
    if text != file.yaml.text:
        data = ((BOM if file.yaml.bom else "") + text).encode()
        refused = disk.replace(file.content, data)
        if refused is not None:
            return refused
        file = ConfigFile(Content(home.config, data), _parsed(data))
    return ConfigChanged(key, not same(before, value), before, value, file.line(key))


def _edited(file: YamlText, path: KeyPath, value: Scalar | Unset, newline: str) -> str | Refusal:
    # Most commands read the configuration and change nothing.
    from store.config_edit import set_in, unset_in

    if isinstance(value, Unset):
        return unset_in(file, path, newline=newline)
    return set_in(file, path, value, newline=newline)


def _parsed(data: bytes) -> YamlText:
    parsed = parse(data)
    if not isinstance(parsed, YamlText):
        raise TypeError("an edit was verified and yet does not parse")
    return parsed


def as_text(value: object) -> str:
    """A stored value as it would stand in the file; empty for none."""
    if value is UNSET:
        return ""
    return render(value) if value is None or isinstance(value, str | int | float) else str(value)
