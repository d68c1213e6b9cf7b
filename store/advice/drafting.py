"""A skill drafted from a text that tells how something is done. Pure.

The draft waits among the pending writes, where a person names it better and approves it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from schema.frozen import frozen
from store.advice.signs.secrets import has_secret

MOST_WORDS = 5
NAME_CHARS = 48
DESCRIPTION_CHARS = 160
_WORD = re.compile(r"[a-z0-9]+")
_EMPTY = frozenset(("a", "an", "the", "to", "of", "and", "is", "in", "on", "for", "it", "then"))
_LEADING = re.compile(r"^(?:[#>*\-\s]|\d+[.)、]\s*|步骤\s*\d*\s*[:：]?)+")


@frozen
class SkillDraft:
    """A SKILL.md and the name of its folder."""

    name: str
    content: str

    def payload(self) -> dict[str, str]:
        """The write that makes it, as the agent spells it (hermes-formats §3.3)."""
        return {"action": "create", "name": self.name, "content": self.content}


def drafts_of(text: str) -> Iterator[SkillDraft]:
    """A draft, and more of them under other names for where the first one is taken."""
    said = text.strip()
    name = _name(said)
    for number in count(1):
        yield _draft(name if number == 1 else f"{name}-{number}", said)


def _draft(name: str, text: str) -> SkillDraft:
    title = name.replace("-", " ").capitalize()
    # JSON is YAML: in quotes no colon and no bracket of the text means anything.
    description = json.dumps(_description(text), ensure_ascii=False)
    head = f"---\nname: {json.dumps(name)}\ndescription: {description}\n---\n"
    return SkillDraft(name, f"{head}\n# {title}\n\n{text}\n")


def _name(text: str) -> str:
    """The first telling words of Latin script; else a name that the text alone gives."""
    words = [word for word in _WORD.findall(_first_line(text).lower()) if word not in _EMPTY]
    telling = [word for word in words if not word.isdigit()][:MOST_WORDS]
    name = "-".join(telling)[:NAME_CHARS].strip("-")
    if len(telling) > 1 and not has_secret(text):  # a name is shown in many places
        return name
    return f"from-memory-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:6]}"


def _description(text: str) -> str:
    line = " ".join(_first_line(text).split())
    if len(line) <= DESCRIPTION_CHARS:
        return line
    return line[: DESCRIPTION_CHARS - 1].rstrip() + "…"


def _first_line(text: str) -> str:
    """The first line that says something, without the marks of a list or a heading."""
    lines = (_LEADING.sub("", line).strip() for line in text.splitlines())
    return next((line for line in lines if line), text.strip())
