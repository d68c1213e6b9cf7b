"""The list of skills in the agent's prompt: its exact lines, and what it costs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from schema.frozen import frozen
from store.memory.budget import approximate_tokens
from store.skills.front_matter import spelled

SHOWN = 60
"""So many characters of a description the list shows; the rest is cut."""
OPENING, CLOSING = "<available_skills>\n", "\n</available_skills>"
INSTRUCTIONS = 1_550
"""Characters that stand around the list in 0.19.0, to tell the model to mind it."""
GENERAL = "general"
"""The category of a SKILL.md that stands in the folder of all skills itself."""


@frozen
class Listed:
    """A skill for the list: the category and name it has there, and its description in short."""

    category: str
    name: str
    short: str

    @property
    def line(self) -> str:
        """How it stands in the list."""
        return f"    - {self.name}: {self.short}" if self.short else f"    - {self.name}"


@frozen
class Index:
    """The whole list as the model gets it, empty if there is none.

    `chars` counts the instructions around it too, as they are in 0.19.0.
    """

    text: str

    @property
    def chars(self) -> int:
        """Characters of the list and of what stands around it."""
        return len(self.text) + INSTRUCTIONS if self.text else 0

    @property
    def tokens(self) -> int:
        """About how many tokens that is."""
        around = " " * INSTRUCTIONS if self.text else ""
        return approximate_tokens(self.text) + approximate_tokens(around)


def in_order(own: Iterable[Listed], external: Iterable[Listed]) -> tuple[Listed, ...]:
    """Those that get a line: of the home all, of the rest what has a new name, each once."""
    found = list(own)
    names = {one.name for one in found}
    for one in external:
        if one.name not in names:
            names.add(one.name)
            found.append(one)
    first: dict[tuple[str, str], Listed] = {}
    for one in found:
        first.setdefault((one.category, one.name), one)
    return tuple(sorted(first.values(), key=lambda one: (one.category, one.name)))


def build_index(lines: Iterable[Listed], categories: Mapping[str, str]) -> Index:
    """The list of what `in_order` gave; `categories` are their descriptions."""
    rows: list[str] = []
    category: str | None = None
    for one in lines:
        if one.category != category:
            category = one.category
            described = categories.get(category, "")
            rows.append(f"  {category}: {described}" if described else f"  {category}:")
        rows.append(one.line)
    return Index(f"{OPENING}{chr(10).join(rows)}{CLOSING}" if rows else "")


def category_of(parts: tuple[str, ...]) -> str:
    """The category of a skill in the list, from the parts of its folder's path below the root.

    One that stands in no category has its own name for one.
    """
    if not parts:
        return GENERAL
    return "/".join(parts[:-1]) if len(parts) > 1 else parts[0]


def short_description(fields: Mapping[str, Any]) -> str:
    """What the list shows of the description."""
    text = described(fields)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def described(fields: Mapping[str, Any]) -> str:
    """The description as the agent takes it: bare of blanks and quotes around it."""
    value = fields.get("description")
    return spelled(value).strip().strip("'\"") if value else ""


def name_in_list(fields: Mapping[str, Any], folder: str) -> str:
    """The name that the list shows: what the head gives, whatever that is, else the folder's."""
    return spelled(fields.get("name", folder)) or folder
