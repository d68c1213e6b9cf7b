"""Declarations are read here, never run: from texts to a `ProviderSchema`, or why not."""

from __future__ import annotations

from dataclasses import replace

from schema.joining import joined
from schema.providers import Note, ProviderSchema, Reading, Undeclared, Unread
from schema.reading.answers import from_answer
from schema.reading.ours import read_yaml
from schema.reading.python import read_new_style, read_old_style
from schema.reading.source import SourceTree

__all__ = [
    "SourceTree",
    "from_answer",
    "read_declaration",
    "read_new_style",
    "read_old_style",
    "read_yaml",
]


def read_declaration(source: SourceTree, name: str) -> Reading:
    """Read both styles; keys that only the old one has are added to the new one's."""
    new, old = read_new_style(source), read_old_style(source, name)
    if isinstance(new, ProviderSchema) and isinstance(old, ProviderSchema):
        return joined(new, old)
    if isinstance(new, ProviderSchema):
        if isinstance(old, Unread):
            said = f"get_config_schema() could not be read: {old.message}"
            return replace(new, notes=(*new.notes, Note("", old.line, said, old.file)))
        return new
    return new if isinstance(old, Undeclared) else old
