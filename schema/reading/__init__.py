"""Declarations are read here, never run: from texts to a `ProviderSchema`, or why not."""

from __future__ import annotations

from schema.providers import ProviderSchema, Reading, Wrong
from schema.reading.source import SourceTree

__all__ = [
    "SourceTree",
    "from_answer",
    "read_declaration",
    "read_new_style",
    "read_old_style",
    "read_yaml",
]


def read_new_style(source: SourceTree) -> Reading:
    """Read CONFIG_SCHEMA of the package's config_schema.py; Undeclared where there is none."""
    raise NotImplementedError


def read_old_style(source: SourceTree, name: str) -> Reading:
    """Read what get_config_schema() returns; Undeclared where no class of the package has it."""
    raise NotImplementedError


def read_declaration(source: SourceTree, name: str) -> Reading:
    """Read both styles; keys that only the old one has are added to the new one's."""
    raise NotImplementedError


def read_yaml(text: str, name: str) -> ProviderSchema | Wrong:
    """Read a declaration of our own format (docs/provider-declarations.md); strict."""
    raise NotImplementedError


def from_answer(value: object, name: str) -> ProviderSchema | Wrong:
    """Read what the plugin itself answered: a list of fields or an object, from JSON."""
    raise NotImplementedError
