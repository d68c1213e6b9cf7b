"""Whether a skill has a problem, told quickly for a status: its conditions and scan stay aside."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from store.skills.front_matter import BOM, FrontMatter, read_front_matter
from store.skills.problems import head_problems, link_problems, linked_in
from store.yaml_plain import read_plain

_PLAIN_HEAD = re.compile(r"---\n(.*?\n)---[ \t]*\n", re.DOTALL)
_SIMPLE = re.compile(
    r"^( *\w+: )(?:\[[A-Za-z0-9_./-]+(?:, [A-Za-z0-9_./-]+)*\]|\d+\.\d+\.\d+)$", re.MULTILINE
)
"""A list of plain words or a version: surely YAML, and nothing of what is looked at here."""


def has_problem(folder: Path, data: bytes | None) -> bool:
    """Whether the SKILL.md (None: it cannot be read) of `folder` is broken, or a file of it gone.

    What is only worth knowing is no problem, as in the list of skills.
    """
    try:
        text = (data or b"").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return True
    head = _plainly(text.removeprefix(BOM)) or read_front_matter(text)
    if any(one.severity != "info" for one in head_problems(text, head)):
        return True
    return any(True for _ in link_problems(folder, linked_in(head.body)))


def _plainly(text: str) -> FrontMatter | None:
    """A head that is read without a whole reader of YAML; None for any other."""
    found = _PLAIN_HEAD.match(text)
    fields: Any = None if found is None else read_plain(_SIMPLE.sub(r"\1[]", found[1]))
    return FrontMatter(fields, text[found.end() :]) if found and isinstance(fields, dict) else None
