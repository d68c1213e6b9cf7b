"""The texts of a staged write that a person may change before approving it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gui.i18n import tr
from schema.frozen import frozen

if TYPE_CHECKING:
    from store.memory.operations import Change, Operation
    from store.pending.records import Record, Staged


@frozen
class EditableText:
    """One text of a write: `number` of its operation (0 outside a batch) and what to call it."""

    number: int
    label: str
    text: str


MOST_CHARS = 100_000
"""A field for more would hold the window up; no memory is near it, and no skill may have more."""


def texts_of_record(record: Record) -> tuple[EditableText, ...]:
    """Give the texts that a record would write; none if it only removes, or they are endless."""
    if record.skill is None:
        return editable_texts(record.change)
    found = tuple(
        EditableText(number, _skill_label(number, given), given[field])
        for number, given, field in _skill_texts(record.raw.get("payload"))
    )
    return found if sum(len(one.text) for one in found) <= MOST_CHARS else ()


def edited_record(record: Record, texts: Sequence[str]) -> Record:
    """Give a record as it would be with these in the place of its texts, in their order."""
    if record.skill is None:
        change = record.change
        # Only texts are put in the place of texts, so it stays what a record can ask for.
        return record if change is None else replace(record, change=with_texts(change, texts))
    from store.refusals import REFUSALS
    from store.skills.writes import skill_write

    payload = edited_payload(record, texts)
    write = skill_write(payload)
    if isinstance(write, REFUSALS):
        return replace(record, skill=None, problem=write)
    return replace(record, skill=write, raw={**record.raw, "payload": payload})


def edited_payload(record: Record, texts: Sequence[str]) -> dict[str, Any]:
    """Give the payload of a skill record with these texts, all else as it stands there."""
    payload: dict[str, Any] = deepcopy(dict(record.raw["payload"]))
    for text, (_, given, field) in zip(texts, [*_skill_texts(payload)], strict=True):
        given[field] = text
    return payload


def _skill_texts(payload: object) -> Iterator[tuple[int, Any, str]]:
    """The operations of a skill payload that write a text, numbered, and the field it is in."""
    if not isinstance(payload, Mapping):
        return
    operations = payload.get("operations")
    several = operations if isinstance(operations, list) else None
    for number, given in enumerate([payload] if several is None else several, several is not None):
        field = _skill_field(given)
        if field:
            yield number, given, field


def _skill_field(given: Mapping[str, Any]) -> str:
    fields = {
        "create": ("content",),
        "edit": ("content",),
        "patch": ("new_string", "content"),
        "write_file": ("file_content",),
    }
    wanted = fields.get(str(given.get("action")), ())
    return next((field for field in wanted if isinstance(given.get(field), str)), "")


def _skill_label(number: int, given: Mapping[str, Any]) -> str:
    file = given.get("file_path") or "SKILL.md"
    label = tr("Text for {file}", file=file)
    return tr("Operation {number}, {what}", number=number, what=label) if number else label


def editable_texts(change: Change | None) -> tuple[EditableText, ...]:
    """Give the texts that `change` would write to a memory file."""
    found = _texts(change)
    return found if sum(len(one.text) for one in found) <= MOST_CHARS else ()


def _texts(change: Change | None) -> tuple[EditableText, ...]:
    from store.memory.operations import Add, Batch, Replace

    match change:
        case Batch(operations):
            return tuple(
                EditableText(number, _label(number, one), one.text)
                for number, one in enumerate(operations, 1)
                if isinstance(one, Add | Replace)
            )
        case Add(text) | Replace(text=text):
            return (EditableText(0, tr("Text"), text),)
    return ()


def _label(number: int, operation: Operation) -> str:
    from store.memory.operations import Add

    if isinstance(operation, Add):
        return tr("Operation {number}, add", number=number)
    return tr("Operation {number}, replace with", number=number)


def with_texts(change: Staged, texts: Sequence[str]) -> Staged:
    """Give `change` with these in the place of its `editable_texts`, in their order."""
    from store.memory.operations import Add, Batch, Replace

    waiting = iter(texts)
    match change:
        case Batch(operations):
            return Batch(
                tuple(
                    replace(one, text=next(waiting)) if isinstance(one, Add | Replace) else one
                    for one in operations
                )
            )
        case Add() | Replace():
            return replace(change, text=next(waiting))
    return change
