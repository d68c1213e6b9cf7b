"""Declarations are read here, never run: from texts to a `ProviderSchema`, or why not."""

from __future__ import annotations

from schema.joining import joined
from schema.providers import ProviderSchema, Reading, Undeclared
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
        return new
    return new if isinstance(old, Undeclared) else old
