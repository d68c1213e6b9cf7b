"""A home's config.yaml: read as the agent reads it, and changed one key at a time.

Everything else in the file stays as the person wrote it (store/config_edit.py). Nothing is
written where the file cannot be read, where it changed since it was read, or where someone else
manages the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Final

from schema.fields import UNSET, Unset
from schema.frozen import frozen
from store.files import Content, Disk, is_folder
from store.home import HermesHome
from store.managed import managed_refusal
from store.refusals import Conflict, Invalid, NotFound, ReadOnly, Refusal, Unreadable
from store.yaml_text import BOM, NotUtf8, NotYaml, YamlText, parse, position
from store.yaml_values import KeyPath, Scalar, at, has, render, same


class Seen(Enum):
    """What a caller says about the value that it saw, if it saw none in particular."""

    ANYTHING = "anything"


ANYTHING: Final = Seen.ANYTHING


@frozen
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


@frozen
class Edit:
    """A wish: `value` under the dotted `key`, UNSET to remove it.

    `seen` is the stored value that the person saw (UNSET for none).
    """

    key: str
    value: Scalar | Unset
    seen: object = ANYTHING


@frozen
class Plan:
    """Edits that can all be made: the file as it was `read`, and as it `would` be."""

    edits: tuple[Edit, ...]
    read: ConfigFile
    would: ConfigFile


@frozen
class Declined:
    """Why none of several edits is made: every refusal, by the key of the edit that it is about.

    The key is empty where it is about the whole file.
    """

    refusals: Mapping[str, Refusal]


@frozen
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


def plan_edits(
    home: HermesHome, edits: Iterable[Edit], *, disk: Disk, env: Mapping[str, str]
) -> Plan | Declined:
    """Read the file and see what all of `edits` would make of it. Writes nothing.

    An edit is refused as by `set_value`; one refusal declines them all.
    """
    edits = tuple(edits)
    refusals: dict[str, Refusal] = {}
    for edit in edits:
        managed = managed_refusal(home, edit.key, disk=disk, env=env)
        if managed is not None:
            refusals[edit.key] = managed
    there = is_folder(home.path)
    if there is not True:
        # A profile that was deleted must not come back as a lone configuration.
        return Declined(refusals or {"": there or NotFound("home", str(home.path))})
    file = read_config(home, disk=disk)
    if not isinstance(file, ConfigFile):
        return Declined(refusals or {"": file})
    text = file.yaml
    for edit in edits:
        done = refusals.get(edit.key) or _planned(file, text, edit, disk.newline)
        if isinstance(done, YamlText):
            text = done
        else:
            refusals[edit.key] = done
    if refusals:
        return Declined(refusals)
    if text is file.yaml:
        return Plan(edits, file, file)
    data = ((BOM if text.bom else "") + text.text).encode()
    return Plan(edits, file, ConfigFile(Content(home.config, data), text))


def write_plan(plan: Plan, *, disk: Disk) -> Conflict | ReadOnly | None:
    """Write what was planned, if the file is still as it was read then."""
    now, then = plan.read.content, plan.would.content
    if now.data == then.data:
        return None
    return disk.remove(now) if then.data is None else disk.replace(now, then.data)


def take_back(
    home: HermesHome, plan: Plan, *, disk: Disk, env: Mapping[str, str]
) -> Plan | Refusal:
    """Put the file back, byte for byte, as it was before `plan` was written.

    Refused with `Conflict` when it is no longer as the plan left it. Gives the plan that was
    carried out: taking that one back does the first again.
    """
    for edit in plan.edits:
        managed = managed_refusal(home, edit.key, disk=disk, env=env)
        if managed is not None:
            return managed
    back = Plan(plan.edits, plan.would, plan.read)
    return write_plan(back, disk=disk) or back


def _change(
    home: HermesHome,
    key: str,
    value: Scalar | Unset,
    *,
    disk: Disk,
    env: Mapping[str, str],
    seen: object,
) -> ConfigChanged | Refusal:
    plan = plan_edits(home, (Edit(key, value, seen),), disk=disk, env=env)
    if isinstance(plan, Declined):
        return next(iter(plan.refusals.values()))
    refused = write_plan(plan, disk=disk)
    if refused is not None:
        return refused
    before = plan.read.get(key)
    return ConfigChanged(key, not same(before, value), before, value, plan.would.line(key))


def _planned(file: ConfigFile, text: YamlText, edit: Edit, newline: str) -> YamlText | Refusal:
    """What `edit` makes of `text`, which is that of `file` with the edits before it."""
    now = file.get(edit.key)
    if edit.seen is not ANYTHING and not same(now, edit.seen):
        return Conflict(str(file.content.path), as_text(edit.seen), as_text(now))
    edited = _edited(text, tuple(edit.key.split(".")), edit.value, newline)
    if not isinstance(edited, str):
        return edited
    return text if edited == text.text else _parsed(edited, text.bom)


def _edited(file: YamlText, path: KeyPath, value: Scalar | Unset, newline: str) -> str | Refusal:
    # Most commands read the configuration and change nothing.
    from store.config_edit import set_in, unset_in

    if isinstance(value, Unset):
        return unset_in(file, path, newline=newline)
    return set_in(file, path, value, newline=newline)


def _parsed(text: str, bom: bool) -> YamlText:
    parsed = parse(((BOM if bom else "") + text).encode())
    if not isinstance(parsed, YamlText):
        raise TypeError("an edit was verified and yet does not parse")
    return parsed


def as_text(value: object) -> str:
    """A stored value as it would stand in the file; empty for none."""
    if value is UNSET:
        return ""
    return render(value) if value is None or isinstance(value, str | int | float) else str(value)
