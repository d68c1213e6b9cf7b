"""The handover's keys in config.yaml: put in by splices that are remembered, and taken out again.

Remembered are the pieces that were put in, and digests of the whole: the file may hold keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from schema.frozen import frozen
from store.config import ConfigFile
from store.config_edit import set_in, unset_in
from store.config_list import add_item, remove_item
from store.files import Content, digest_of
from store.refusals import Refusal
from store.yaml_text import BOM, YamlText, parse
from store.yaml_values import KeyPath, at, has

Method = Literal["plugin", "command", "none"]

NAME = "memory_desk"
ENABLED: KeyPath = ("plugins", "enabled")
COMMAND: KeyPath = ("secrets", "command", "command")


@frozen
class Splice:
    """At `start`, `removed` gave way to `text`."""

    start: int
    removed: str
    text: str


@frozen
class Record:
    """What was done to a home. `before` and `after` are digests of config.yaml."""

    method: Method
    before: str
    after: str
    splices: tuple[Splice, ...]
    folder_made: bool
    keys: tuple[str, ...]


@frozen
class Step:
    """One edit: a value under a key, or an item at the end of a list."""

    path: KeyPath
    value: str | bool
    item: bool = False


@frozen
class Planned:
    """The file as it will be, and how it comes to be so."""

    data: bytes
    splices: tuple[Splice, ...]


def planned(config: ConfigFile, steps: list[Step], newline: str) -> Planned | Refusal:
    """What all of `steps` make of the file."""
    file, splices = config.yaml, []
    for step in steps:
        edited = (
            add_item(file, step.path, str(step.value), newline=newline)
            if step.item
            else set_in(file, step.path, step.value, newline=newline)
        )
        if not isinstance(edited, str):
            return edited
        if edited != file.text:
            shift = len(BOM) if file.bom else 0
            splices.append(_splice(file.text, edited, shift))
        file = _parsed(edited, file.bom)
    data = ((BOM if file.bom else "") + file.text).encode()
    return Planned(data, tuple(splices))


def _splice(before: str, after: str, shift: int) -> Splice:
    """The one place in which two texts differ."""
    most = min(len(before), len(after))
    start = next((n for n in range(most) if before[n] != after[n]), most)
    room = most - start
    end = 0
    while end < room and before[-1 - end] == after[-1 - end]:
        end += 1
    return Splice(start + shift, before[start : len(before) - end], after[start : len(after) - end])


def _parsed(text: str, bom: bool) -> YamlText:
    return _parsed_bytes(((BOM if bom else "") + text).encode())


def _parsed_bytes(data: bytes) -> YamlText:
    parsed = parse(data)
    if not isinstance(parsed, YamlText):
        raise TypeError("an edit was verified and yet does not parse")
    return parsed


def missing(data: Mapping[Any, Any]) -> tuple[str, ...]:
    """The sections that will be made, the inner ones first."""
    sections = (ENABLED, ("plugins",), ("secrets",))
    return tuple(".".join(path) for path in sections if not has(data, path))


def value_at(data: object, path: KeyPath) -> object:
    """What stands at `path`; None if nothing does."""
    return at(data, path) if has(data, path) else None


def list_at(data: object, path: KeyPath) -> list[object]:
    """The list at `path`; empty if there is none."""
    found = value_at(data, path)
    return found if isinstance(found, list) else []


def runs_the_desk(data: Mapping[Any, Any]) -> bool:
    """Whether the newer source runs this desk, however it is started."""
    words, on = value_at(data, COMMAND), value_at(data, ("secrets", "command", "enabled"))
    return bool(on) and isinstance(words, str) and words.endswith(" secrets export")


def config_without(
    config: ConfigFile, record: Record | None, *, newline: str
) -> tuple[bytes | Refusal | None, bool]:
    """config.yaml without our keys, and whether that is to the byte what was there before."""
    now = config.content
    if record is not None and now.digest == record.before:
        return now.data, True
    if record is not None and now.digest == record.after and now.data is not None:
        text = now.data.decode("utf-8")
        for one in reversed(record.splices):
            end = one.start + len(one.text)
            if text[one.start : end] != one.text:
                break
            text = text[: one.start] + one.removed + text[end:]
        else:
            data = None if record.before == digest_of(None) else text.encode()
            if digest_of(data) == record.before:
                return data, True
    return _keys_out(config, record, newline), False


def as_before(config: ConfigFile, record: Record | None, *, newline: str) -> ConfigFile:
    """The file as it was before the first time, if that can be had to the byte; else as it is."""
    data, exact = config_without(config, record, newline=newline)
    if not exact or not isinstance(data, bytes | None):
        return config
    return ConfigFile(Content(config.content.path, data), _parsed_bytes(data or b""))


def _keys_out(config: ConfigFile, record: Record | None, newline: str) -> bytes | Refusal | None:
    """Only our own keys taken out: somebody has changed the file since."""
    text = config.yaml
    out: list[KeyPath] = [("secrets", NAME)]
    if runs_the_desk(text.data):
        out.append(("secrets", "command"))
    edited = remove_item(text, ENABLED, NAME, newline=newline)
    made = [tuple(key.split(".")) for key in record.keys] if record is not None else []
    for path in (*out, *made):
        if not isinstance(edited, str):
            return edited
        text = _parsed(edited, text.bom)
        if has(text.data, path) and (path in out or not at(text.data, path)):
            edited = unset_in(text, path, newline=newline)
    if not isinstance(edited, str):
        return edited
    if config.content.data is None:
        return None
    return ((BOM if text.bom else "") + edited).encode()
