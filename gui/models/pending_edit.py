"""The texts of a staged write that a person may change before approving it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.i18n import tr
from schema.frozen import frozen

if TYPE_CHECKING:
    from store.memory.operations import Change, Operation


@frozen
class EditableText:
    """One text of a write: `number` of its operation (0 outside a batch) and what to call it."""

    number: int
    label: str
    text: str


MOST_CHARS = 100_000
"""A field for more would hold the window up; no memory is near it."""


def editable_texts(change: Change | None) -> tuple[EditableText, ...]:
    """Give the texts that `change` would write; none if it only removes, or they are endless."""
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


def with_texts(change: Change, texts: Sequence[str]) -> Change:
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
