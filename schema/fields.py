"""What can be configured: the six kinds of field, and the declaration that holds them.

A declaration is checked when it is made, not when it is drawn: every mistake in it is named at
once. Labels and help are English; whoever shows them translates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from typing import Final, Literal

from schema.frozen import frozen


class Unset(Enum):
    """No value at all: not an empty one, and not null."""

    UNSET = "unset"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET

JsonValue = dict[str, object] | list[object]
Value = str | bool | int | float | JsonValue


def N_(text: str) -> str:
    """Mark `text` for translation and give it back as it is."""
    return text


@frozen
class Condition:
    """What another field must hold: one of `values` where there are any, and what `pattern` finds.

    Values are compared as text (`schema.visibility.as_text`).
    """

    key: str
    values: tuple[str, ...] = ()
    pattern: str = ""


@frozen
class DefaultFrom:
    """A default that follows another field: pairs of that field's value and the default then."""

    key: str
    defaults: tuple[tuple[str, str], ...]


Scope = Literal["host", "root"]


@frozen(kw_only=True)
class Described:
    """What every field says about itself. `group` is a group's key; `help` one sentence.

    `info` is a longer help, `url` where a person gets the value. `inline`: part of the short
    panel. `aliases` are older keys for the same value. `env_key` is the environment name that
    holds it (always so for a secret), `env_fallbacks` are read where nothing else is set. `scope`
    places it in a file with host blocks. All conditions of `when` must hold for it to be shown.
    """

    key: str
    label: str
    help: str = ""
    group: str = ""
    info: str = ""
    placeholder: str = ""
    url: str = ""
    inline: bool = False
    required: bool = False
    read_only: bool = False
    aliases: tuple[str, ...] = ()
    env_key: str = ""
    env_fallbacks: tuple[str, ...] = ()
    scope: Scope = "host"
    when: tuple[Condition, ...] = ()
    default_from: DefaultFrom | None = None


@frozen
class Option:
    """One choice: the value that is stored and the word that is shown."""

    value: str
    label: str
    description: str = ""


@frozen(kw_only=True)
class Text(Described):
    """Free text, without blanks at its ends.

    `keeps_empty`: an empty text is a value of its own, else it means unset. `same_as_empty`:
    words (in lower case) that mean the empty text.
    """

    default: str | Unset = UNSET
    keeps_empty: bool = False
    same_as_empty: tuple[str, ...] = ()


@frozen(kw_only=True)
class Select(Described):
    """One of `options`."""

    options: tuple[Option, ...]
    default: str | Unset = UNSET


@frozen(kw_only=True)
class Secret(Described):
    """A key or password. Its value is never read into a form; there is no default."""

    @property
    def default(self) -> Unset:
        """Always unset."""
        return UNSET


@frozen(kw_only=True)
class Toggle(Described):
    """On or off."""

    default: bool | Unset = UNSET


@frozen(kw_only=True)
class Number(Described):
    """A number within bounds; `whole` allows no fraction. `step` is for a person's arrow keys."""

    default: int | float | Unset = UNSET
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: int | float = 1
    whole: bool = False


@frozen(kw_only=True)
class Json(Described):
    """A JSON object or array."""

    default: JsonValue | Unset = UNSET


Field = Text | Select | Secret | Toggle | Number | Json
FIELD_KINDS: tuple[type[Field], ...] = (Text, Select, Secret, Toggle, Number, Json)


@frozen
class Group:
    """Fields that are shown together under one heading."""

    key: str
    label: str


@frozen
class Mistake:
    """One thing that is wrong in a declaration; `key` names the field or group."""

    key: str
    message: str


class DeclarationError(Exception):
    """A declaration is wrong; `mistakes` are all of them."""

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        super().__init__("; ".join(f"{mistake.key}: {mistake.message}" for mistake in mistakes))
        self.mistakes = mistakes


@frozen
class Declaration:
    """Groups and fields in the order in which they are shown. Made by `declare`."""

    groups: tuple[Group, ...]
    fields: tuple[Field, ...]

    def field(self, key: str) -> Field | None:
        """The field of that key, if there is one."""
        return next((field for field in self.fields if field.key == key), None)

    def suggest(self, key: str) -> str:
        """The key that was probably meant by `key`; empty if none is near."""
        return closest(key, [field.key for field in self.fields])


def declare(*, groups: Iterable[Group] = (), fields: Iterable[Field]) -> Declaration:
    """Put a declaration together; raises `DeclarationError` with everything wrong in it."""
    from schema.values import check

    made = Declaration(tuple(groups), tuple(fields))
    mistakes = [*_repeated([group.key for group in made.groups], "group")]
    mistakes += _repeated([field.key for field in made.fields], "field")
    known = [group.key for group in made.groups]
    for field in made.fields:
        mistakes += [Mistake(field.key, message) for message in _about(field)]
        if field.group and field.group not in known:
            near = closest(field.group, known)
            hint = f"; did you mean {near!r}?" if near else ""
            mistakes.append(Mistake(field.key, f"unknown group {field.group!r}{hint}"))
        problem = None if field.default is UNSET else check(field, field.default)
        if problem is not None:
            mistakes.append(
                Mistake(field.key, f"the default fails its own check: {problem.reason}")
            )
    if mistakes:
        raise DeclarationError(tuple(mistakes))
    return made


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant by `word`; empty if none is near."""
    # Only a message for a person needs it, and it takes long to load.
    from difflib import get_close_matches

    names, word = list(known), word.lower()
    # The last part of a key is what people remember.
    tails = {name.rpartition(".")[2]: name for name in reversed(names)}
    if word in tails:
        return tails[word]
    near = get_close_matches(word, names, n=1, cutoff=0.75)
    tail = get_close_matches(word.rpartition(".")[2], tails, n=1, cutoff=0.75)
    return near[0] if near else tails[tail[0]] if tail else ""


def _repeated(keys: list[str], what: str) -> list[Mistake]:
    return [
        Mistake(key, f"{what} declared more than once")
        for key in dict.fromkeys(keys)
        if keys.count(key) > 1
    ]


def _about(field: Field) -> Iterable[str]:
    if not field.key.strip():
        yield "empty key"
    if not field.label.strip():
        yield "empty label"
    if isinstance(field, Select):
        yield from _about_options([option.value for option in field.options])
    if isinstance(field, Number):
        yield from _about_bounds(field)


def _about_options(values: list[str]) -> Iterable[str]:
    if not values:
        yield "no options"
    for value in dict.fromkeys(values):
        if values.count(value) > 1:
            yield f"option {value!r} given more than once"


def _about_bounds(field: Number) -> Iterable[str]:
    low = -math.inf if field.minimum is None else field.minimum
    high = math.inf if field.maximum is None else field.maximum
    if low > high:
        yield f"minimum {field.minimum} is above maximum {field.maximum}"
    if not field.step > 0:
        yield f"step {field.step} is not above 0"
