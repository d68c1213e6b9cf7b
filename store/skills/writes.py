"""Writes to skills as values: what a staged skill record asks for (hermes-formats §3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from schema.frozen import frozen
from store.refusals import Invalid, MissingField, Unsupported

SkillAction = Literal["create", "edit", "patch", "write_file", "remove_file", "delete"]
FIELDS = (
    *("content", "category", "file_path", "file_content"),
    *("old_string", "new_string", "replace_all", "absorbed_into"),
)
"""The fields of a payload beside action and name, in the agent's order."""


@frozen
class Create:
    """A new skill with this SKILL.md, in a category or in none."""

    name: str
    content: str | None
    category: str | None = None
    action: SkillAction = "create"


@frozen
class Edit:
    """Another SKILL.md in place of the present one."""

    name: str
    content: str | None
    action: SkillAction = "edit"


@frozen
class Patch:
    """One text of a file in place of another; SKILL.md if `file_path` is empty."""

    name: str
    old_string: str | None
    new_string: str | None
    file_path: str = ""
    replace_all: bool = False
    action: SkillAction = "patch"


@frozen
class WriteFile:
    """A supporting file, new or in place of the present one."""

    name: str
    file_path: str
    file_content: str | None
    action: SkillAction = "write_file"


@frozen
class RemoveFile:
    """A supporting file goes."""

    name: str
    file_path: str
    action: SkillAction = "remove_file"


@frozen
class Delete:
    """The whole skill goes. `absorbed_into` names the skill that has taken it in, if one has."""

    name: str
    absorbed_into: str = ""
    action: SkillAction = "delete"


@frozen
class UnknownWrite:
    """An operation of a batch that no version is known to have."""

    action: str
    name: str = ""


SkillOperation = Create | Edit | Patch | WriteFile | RemoveFile | Delete | UnknownWrite


@frozen
class SkillBatch:
    """All or nothing, each judged on what those before it have made. Newer versions stage it."""

    operations: tuple[SkillOperation, ...]


SkillWrite = SkillOperation | SkillBatch


def skill_write(payload: Mapping[str, Any]) -> SkillWrite | Invalid | Unsupported:
    """What a skill payload asks for, or why it is no write that the agent knows."""
    operations = payload.get("operations")
    if operations is None:
        write = _operation(payload, "")
        if isinstance(write, UnknownWrite):
            return Unsupported("unknown_action", write.action)
        return write
    if not isinstance(operations, list) or not all(isinstance(one, Mapping) for one in operations):
        return Invalid("record", "operations_are_no_list")
    name = payload.get("name")
    made = [_operation(one, name if isinstance(name, str) else "") for one in operations]
    refused = next((one for one in made if isinstance(one, Invalid)), None)
    return refused or SkillBatch(tuple(one for one in made if not isinstance(one, Invalid)))


def missing_field(write: SkillOperation) -> MissingField | None:
    """The field that the agent would ask for; each in the order in which it asks."""
    given: tuple[tuple[str, object], ...]
    match write:
        case Create(_, content) | Edit(_, content):
            given = (("content", content or None),)
        case Patch(_, old, new):
            given = (("old_string", old or None), ("new_string", new))
        case WriteFile(_, path, text):
            given = (("file_path", path or None), ("file_content", text))
        case RemoveFile(_, path):
            given = (("file_path", path or None),)
        case _:
            given = ()
    if isinstance(write, Create):
        given = (*given, ("name", write.name or None))
    return next((MissingField(field) for field, value in given if value is None), None)


def operations_of(write: SkillWrite) -> tuple[SkillOperation, ...]:
    """The operations of a batch, or the one that it is."""
    return write.operations if isinstance(write, SkillBatch) else (write,)


def _operation(given: Mapping[str, Any], default: str) -> SkillOperation | Invalid:
    texts = {field: given.get(field) for field in FIELDS if field != "replace_all"}
    texts["name"] = given.get("name") or default
    action = given.get("action")
    if any(value is not None and not isinstance(value, str) for value in texts.values()):
        return Invalid("record", "field_is_no_text")
    name, content, path = str(texts["name"]), texts["content"], texts["file_path"] or ""
    old, new = texts["old_string"], texts["new_string"]
    match action:
        case "create":
            return Create(name, content, texts["category"])
        case "edit":
            return Edit(name, content)
        case "patch" if content and default and old is None and new is None:
            return Edit(name, content)  # how newer versions spell it in their batches
        case "patch":
            return Patch(name, old, new, path, bool(given.get("replace_all")))
        case "write_file":
            return WriteFile(name, path, texts["file_content"])
        case "remove_file":
            return RemoveFile(name, path)
        case "delete":
            return Delete(name, (texts["absorbed_into"] or "").strip())
        case other:
            shown = other if isinstance(other, str) else ""
            return UnknownWrite(shown.encode("utf-8", "backslashreplace").decode(), name)
