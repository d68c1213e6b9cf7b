"""Providers and their forms as scripts see them. A secret's value is always empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.commands.answers import refusal_data
from gui.field_words import say_problem
from gui.provider_words import say_note, say_row, say_unreadable
from gui.words import say
from schema.fields import Field, Json, Number, Secret, Select, Text, Toggle, Unset

if TYPE_CHECKING:
    from store.providers.catalogue_row import Row
    from store.providers.forms import FieldState, Form

KINDS: dict[type[Field], str] = {
    Text: "text",
    Select: "select",
    Secret: "secret",
    Toggle: "bool",
    Number: "number",
    Json: "json",
}
"""What scripts call the kinds of fields."""


def row_data(row: Row) -> dict[str, object]:
    """A provider as scripts see it."""
    return {
        "name": row.name,
        "label": row.label,
        "source": row.source,
        "path": None if row.path is None else str(row.path),
        "state": row.state,
        "active": row.active,
        "shadowed_by": row.shadowed_by or None,
        "message": say_row(row),
        "reason": row.reason.code or None,
        "version": row.version or None,
    }


def form_data(form: Form) -> dict[str, object]:
    """A form as scripts see it."""
    return {
        "name": form.name,
        "label": form.schema.label,
        "storage": form.schema.storage,
        "docs_url": form.schema.docs_url,
        "files": [str(path) for path in form.files],
        "fields": [field_data(state) for state in form.fields],
        "state": form.row.state,
        "locked": None if form.locked is None else refusal_data(form.locked),
        "declaration": form.schema.style,
        "declaration_problem": None if form.problem is None else say_unreadable(form.problem),
        "notes": [say_note(note) for note in form.notes],
    }


def field_data(state: FieldState) -> dict[str, object]:
    """A field as scripts see it; the value of a secret is always empty."""
    field = state.field
    secret = isinstance(field, Secret)
    options = field.options if isinstance(field, Select) else ()
    return {
        "key": field.key,
        "label": field.label,
        "kind": KINDS[type(field)],
        "value": "" if secret else _plain(state.value),
        "is_set": state.is_set,
        "source": state.source,
        "place": state.place or None,
        "saves_to": state.saves_to or None,
        "default": _plain(state.default),
        "options": [
            {"value": one.value, "label": one.label, "description": one.description}
            for one in options
        ],
        "group": field.group,
        "inline": field.inline,
        "visible": state.visible,
        "required": field.required,
        "info": field.info or field.help,
        "problem": None if state.problem is None else say_problem(state.problem),
        "notes": [say_note(note) for note in state.notes],
        "locked": None if state.locked is None else say(state.locked),
    }


def _plain(value: object) -> object:
    return None if isinstance(value, Unset) else value
