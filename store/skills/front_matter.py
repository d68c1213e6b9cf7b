"""The head of a SKILL.md: read leniently as the agent does, judged strictly before a write.

The rules are hermes-formats §10.2 (reading) and §3.6 (writing).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from schema.frozen import frozen
from store.refusals import MissingField, SkillInvalid, TooBig

BOM = "\ufeff"
FENCE = "---"
MAX_DESCRIPTION = 1024
NAME_WITHIN = 4000
"""So many characters from the start the agent looks for a skill's name."""
MOST_PARTS = 1_000
"""So many parts a value may have that is spelled out."""
DEEP = 500
"""A head with more brackets, or further indented, is nested by nobody who means well."""

_CLOSING = re.compile(r"\n---\s*\n")


@frozen
class FrontMatter:
    """What the head says, and the text below it; `fields` is empty where there is no head.

    `plain`: it is no YAML, and was read line by line.
    """

    fields: Mapping[str, Any]
    body: str
    plain: bool = False

    @property
    def description(self) -> str:
        """The description, on one line; empty for none."""
        value = self.fields.get("description")
        return "" if value is None else " ".join(spelled(value).split())


def read_front_matter(text: str) -> FrontMatter:
    """What stands in `text`; a head that is no YAML is read as plain `key: value` lines.

    YAML that is no mapping says nothing to the agent.
    """
    split = _split(text.removeprefix(BOM))
    if split is None:
        return FrontMatter({}, text)
    head, body = split
    fields = _leniently(head)
    return (
        FrontMatter(_plain(head), body, plain=True) if fields is None else FrontMatter(fields, body)
    )


def named_in(text: str) -> str:
    """The name by which a skill calls itself, as the agent's usage records look for it."""
    inside = False
    for line in text[:NAME_WITHIN].split("\n"):
        stripped = line.strip()
        if stripped == FENCE:
            if inside:
                return ""
            inside = True
        elif inside and stripped.startswith("name:"):
            name = stripped.partition(":")[2].strip().strip("\"'")
            if name:
                return name
    return ""


def check_front_matter(text: str) -> MissingField | SkillInvalid | TooBig | None:
    """Why the agent would not write `text` as a SKILL.md, or None."""
    if not text.strip():
        return MissingField("content")
    text = text.lstrip(BOM)
    if not text.startswith(FENCE):
        return SkillInvalid("no_front_matter", line=1)
    split = _split(text)
    if split is None:
        return SkillInvalid("front_matter_open")
    head, body = split
    fields = _yaml(head)
    if isinstance(fields, SkillInvalid):
        return fields
    if not isinstance(fields, dict):
        return SkillInvalid("front_matter_no_mapping")
    for key, problem in (("name", "no_name"), ("description", "no_description")):
        if key not in fields:
            return SkillInvalid(problem)
    size = len(spelled(fields["description"], MAX_DESCRIPTION * "…" + "…"))
    if size > MAX_DESCRIPTION:
        return TooBig("description", size, MAX_DESCRIPTION)
    return None if body.strip() else SkillInvalid("no_body")


def spelled(value: object, otherwise: str = "") -> str:
    """A value of a head as text; a few lines of YAML can stand for more than memory holds."""
    waiting, count = [value], 0
    while waiting:
        one = waiting.pop()
        count += 1
        if count > MOST_PARTS:
            return otherwise
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list | tuple | set):
            waiting += one
    try:
        return str(value)
    except ValueError:  # a number of more digits than Python spells
        return otherwise


def _split(text: str) -> tuple[str, str] | None:
    """Head and body, None if the head never ends; a fence is a line of only three dashes."""
    if not text.startswith(FENCE):
        return None
    rest = text[len(FENCE) :]
    end = _CLOSING.search(rest)
    return None if end is None else (rest[: end.start()], rest[end.end() :])


def _leniently(head: str) -> dict[str, Any] | None:
    """What the head means to the agent's readers, which use libyaml; None if it is no YAML."""
    import yaml

    # libyaml's reader ends the whole process where things are nested too deep.
    loader = yaml.SafeLoader if _is_deep(head) else getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        value = yaml.load(head, Loader=loader)  # noqa: S506 (both are safe ones)
    except Exception:
        return None
    return value if isinstance(value, dict) else {}


def _is_deep(head: str) -> bool:
    opened = sum(map(head.count, ("[", "{", "- ", "-\t", "? ")))
    return opened > DEEP or any(len(line) - len(line.lstrip()) > DEEP for line in head.split("\n"))


def _yaml(head: str) -> object | SkillInvalid:
    """What the head means to the agent's own loader, which is the one written in Python."""
    import yaml

    try:
        value: object = yaml.safe_load(head)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # The head begins on the line of its opening fence.
        return SkillInvalid("front_matter_not_yaml", line=None if mark is None else mark.line + 1)
    except Exception:
        # A constructor raises whatever its value raises; the agent cannot write it either.
        return SkillInvalid("front_matter_not_yaml")
    return value


def _plain(head: str) -> dict[str, Any]:
    pairs = (line.partition(":") for line in head.split("\n") if ":" in line)
    return {key.strip(): value.strip() for key, _, value in pairs if key.strip()}
