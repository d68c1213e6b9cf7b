"""What a memory provider declares that a person can configure, and what could not be read of it."""

from __future__ import annotations

from typing import Literal

from schema.fields import Declaration, Field, Group, Mistake
from schema.frozen import frozen

Storage = Literal["flat_json", "honcho_host_block", "own"]
"""Where values are kept; `own`: as the store knows for that provider, else config.yaml."""

Style = Literal["new", "old", "ours", "asked"]
"""A config_schema.py, a get_config_schema(), our own file, or what the plugin answered."""


@frozen
class Note:
    """Something in a declaration that was tolerated and that a person may want to know.

    `where` is the key of a field, or empty for the whole declaration; `line` one of `file`.
    """

    where: str
    line: int | None
    message: str
    file: str = ""


@frozen
class Unread:
    """A part of a declaration that cannot be read without running it: the place and what is there.

    `construct` is the source text, shortened; empty where there is none to show.
    """

    file: str
    line: int | None
    construct: str
    message: str


@frozen
class Wrong:
    """A declaration that was read and is wrong; `mistakes` are all of them."""

    mistakes: tuple[Mistake, ...]


@frozen
class Undeclared:
    """A provider that declares no settings at all: there is nothing to configure."""


@frozen(kw_only=True)
class ProviderSchema:
    """A provider's settings, in the order in which they are shown.

    A key may occur several times in `fields` if `when` differs. `unread` are parts that the
    declaration has and these fields have not; where there are any, the form must say so.
    """

    name: str
    label: str
    storage: Storage
    fields: tuple[Field, ...]
    groups: tuple[Group, ...] = ()
    docs_url: str = ""
    description: str = ""
    style: Style
    notes: tuple[Note, ...] = ()
    unread: tuple[Unread, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key once, in order."""
        return tuple(dict.fromkeys(field.key for field in self.fields))

    def of_key(self, key: str) -> tuple[Field, ...]:
        """Every field of that key; more than one if it looks different under conditions."""
        return tuple(field for field in self.fields if field.key == key)

    def notes_on(self, key: str) -> tuple[Note, ...]:
        """What is to be known about that field."""
        return tuple(note for note in self.notes if note.where == key)

    def shown_as(self, fields: tuple[Field, ...]) -> Declaration:
        """The declaration of a form that shows these of its fields now."""
        used = {field.group for field in fields}
        return Declaration(tuple(group for group in self.groups if group.key in used), fields)


Reading = ProviderSchema | Undeclared | Unread | Wrong
