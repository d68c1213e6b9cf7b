"""Values of a YAML file: found by path, compared in kind, written so that they read back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from store.yaml_text import YamlText, parse

Scalar = str | bool | int | float | None
KeyPath = tuple[str, ...]

_PLAIN = re.compile(r"[^\W\d_][^\x00-\x1f\x7f]*")


def has(data: object, path: KeyPath) -> bool:
    """Whether there is a value, null included, at `path`."""
    for part in path:
        if not isinstance(data, Mapping) or part not in data:
            return False
        data = data[part]
    return True


def at(data: object, path: KeyPath) -> Any:
    """The value at `path`, which must be there."""
    for part in path:
        data = data[part]  # type: ignore[index]
    return data


def same(one: object, other: object) -> bool:
    """Equal in kind too: 1, 1.0 and true are three values, and not-a-number is itself."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


def render(value: Scalar, *, style: str | None = None) -> str:
    """`value` as YAML 1.1 that reads back as itself; a text keeps `style`, its quotes, if it can.

    A text that YAML would read as something else (no, 12:30, 1e3) is quoted.
    """
    if isinstance(value, str):
        return _render_text(value, style)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _render_float(value)
    return str(value)


def _render_text(value: str, style: str | None) -> str:
    printable = all(character.isprintable() for character in value)
    if style not in ("'", '"') and _reads_as_itself(value):
        return value
    if style != '"' and printable:
        return "'" + value.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, value)) + '"'


def _render_float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    # YAML 1.1 wants the point that Python leaves out of 1e+22.
    return re.sub(r"^(-?\d+)e", r"\1.0e", repr(value))


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character.isprintable():
        return character
    code = ord(character)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def _reads_as_itself(value: str) -> bool:
    if not _PLAIN.fullmatch(value) or value != value.strip():
        return False
    # Inside and outside of brackets.
    read = parse(f"a: {value}\nb: [{value}]\n".encode())
    return isinstance(read, YamlText) and same(dict(read.data), {"a": value, "b": [value]})


def encodable(value: str) -> bool:
    """Whether `value` can be written as UTF-8: half a surrogate pair cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in value)
