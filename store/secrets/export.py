"""Keys as lines that a program reads: a shell, Hermes' own sources, python-dotenv."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]+")


def export_lines(values: Mapping[str, str]) -> str:
    """One line a name. Single quotes wherever they can be: nothing inside them is special."""
    return "".join(f"{name}={_written(value)}\n" for name, value in values.items())


def _written(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    if "'" not in value:
        return f"'{value}'"
    return '"' + re.sub(r'([\\"$`])', r"\\\1", value) + '"'
