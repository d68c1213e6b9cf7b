"""Reads plain YAML, as most config.yaml are, without loading a whole reader of YAML.

Plain is: keys of letters, sections by indentation, lists of values, and values on one line that
mean the same to every reader. Of anything else nothing is made here (`NOT_PLAIN`), so that what
this module reads is what the agent's own reader reads; tests hold the two against each other.
"""

from __future__ import annotations

import re
from typing import Any, Final

NOT_PLAIN: Final = object()
"""The answer for a text that needs the real reader."""

_WORD = r"[A-Za-z0-9_./@+=,-]+(?::[A-Za-z0-9_./@+=,-]+)*"
_LINE: Final = re.compile(
    r"( *)(?:(-)(?= +[^ #])|([A-Za-z_][A-Za-z0-9_]{0,99}):(?= |$)) *"
    r"(\[\]|\{\}|'[^'\\]*'|\"[^\"\\]*\"|-?[0-9][0-9.]*"
    rf"|[A-Za-z/]{_WORD}(?: {_WORD})*|[A-Za-z/])?(?: +#.*| *)"
)
_INTEGER: Final = re.compile(r"-?[1-9][0-9]{0,17}|0")
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}")
_WORDS: Final = {"true": True, "false": False, "null": None}
_DOUBTFUL: Final = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def read_plain(text: str) -> object:
    """Give the mapping that `text` means, or NOT_PLAIN."""
    root: dict[str, Any] = {}
    # Where keys may go on: the column and the section of each level.
    levels: list[tuple[int, dict[str, Any]]] = [(0, root)]
    # The key that was given no value yet, and the list below it with its column.
    open_key: str | None = None
    items: list[Any] | None = None
    items_at = 0
    for line in text.split("\n"):
        # What prints breaks no line, and libyaml takes it.
        if not line.isprintable():
            return NOT_PLAIN
        if line.lstrip(" ")[:1] in ("", "#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            return NOT_PLAIN
        indent, dash, key, written = found.groups()
        value = _value(written)
        if value is NOT_PLAIN:
            return NOT_PLAIN
        column, (level, section) = len(indent), levels[-1]
        if dash is not None:
            if open_key is None or column < level:
                return NOT_PLAIN
            if items is None:
                items, items_at = [], column
                section[open_key] = items
            elif column != items_at:
                return NOT_PLAIN
            items.append(value)
            continue
        if column > level:
            if open_key is None or items is not None:
                return NOT_PLAIN
            below: dict[str, Any] = {}
            section[open_key] = below
            section = below
            levels.append((column, section))
        while column < levels[-1][0]:
            levels.pop()
        level, section = levels[-1]
        if column != level or key in section or key.lower() in _DOUBTFUL:
            return NOT_PLAIN
        section[key] = value
        open_key, items = (key if written is None else None), None
    return root


def _value(written: str | None) -> object:
    """What stands behind a key or a dash; NOT_PLAIN where readers might not agree."""
    if written is None:
        return None
    if written in ("[]", "{}"):
        return [] if written == "[]" else {}
    if written[0] in "'\"":
        return written[1:-1]
    if written in _WORDS:
        return _WORDS[written]
    if written[0] in "-0123456789":
        if _INTEGER.fullmatch(written):
            return int(written)
        return float(written) if _DECIMAL.fullmatch(written) else NOT_PLAIN
    return NOT_PLAIN if written.lower() in _DOUBTFUL else written
