"""Two declarations of one provider made into one, and where they part."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from schema.fields import (
    UNSET,
    Described,
    Field,
    Group,
    Number,
    Option,
    Secret,
    Select,
    Text,
    Unset,
)
from schema.frozen import frozen
from schema.providers import ProviderSchema
from schema.values import Accepted, check, parse, show

_WORDS = ("label", "help", "info", "placeholder", "group", "url")
_MORE = ("env_key", "env_fallbacks", "aliases", "default_from")


def joined(
    main: ProviderSchema, more: ProviderSchema, *, words: Literal["main", "more"] = "main"
) -> ProviderSchema:
    """Every field of `main`, with what it does not say taken from `more`; then what only that has.

    `main` decides kind, default, choices (more's are added) and names of the environment; `words`
    says whose labels and helps are shown where both have some. A key that only `more` shows
    differently under conditions is taken in all its forms.
    """
    fields: list[Field] = []
    taken: set[str] = set()
    for key in main.keys:
        mine, theirs = main.of_key(key), _same(main.of_key(key)[0], more)
        taken.update(field.key for field in theirs)
        if len(mine) == 1 and not mine[0].when and any(field.when for field in theirs):
            fields += [_filled(one, mine[0], key, words, base="more") for one in theirs]
        else:
            fields += [_filled(one, _fitting(one, theirs), key, words) for one in mine]
    fields += [field for field in more.fields if field.key not in taken]
    order = list(dict.fromkeys(field.key for field in (more if words == "more" else main).fields))
    fields.sort(key=lambda field: order.index(field.key) if field.key in order else len(order))
    groups = {group.key: group for group in (*more.groups, *main.groups)}
    first = more.groups if words == "more" else main.groups
    ordered = [*first, *(group for group in groups.values() if group not in first)]
    said = more if words == "more" else main
    return replace(
        main,
        label=said.label,
        fields=tuple(fields),
        groups=_used(ordered, fields),
        docs_url=main.docs_url or more.docs_url,
        description=said.description or main.description or more.description,
        notes=tuple(dict.fromkeys((*main.notes, *more.notes))),
        unread=tuple(dict.fromkeys((*main.unread, *more.unread))),
    )


def _used(groups: list[Group], fields: list[Field]) -> tuple[Group, ...]:
    used = {field.group for field in fields}
    return tuple({group.key: group for group in groups if group.key in used}.values())


def _same(field: Field, other: ProviderSchema) -> tuple[Field, ...]:
    """The other's fields for the same setting: by key, by an older key, or the same secret."""
    found = other.of_key(field.key)
    if found:
        return found
    return tuple(
        one
        for one in other.fields
        if one.key in field.aliases
        or field.key in one.aliases
        or (one.env_key and one.env_key == field.env_key and type(one) is type(field))
    )


def _fitting(field: Field, others: tuple[Field, ...]) -> Field | None:
    """The one under the same conditions, else the first."""
    same = [other for other in others if other.when == field.when]
    return next(iter((*same, *others)), None)


def _filled(
    field: Field, other: Field | None, key: str, words: str, *, base: str = "main"
) -> Field:
    """The field with what it does not say taken from the other one."""
    if other is None:
        return field
    preferred = other if (words == "more") is (base == "main") else field
    second = field if preferred is other else other
    changes: dict[str, Any] = {
        name: getattr(preferred, name) or getattr(second, name) for name in _WORDS
    }
    changes |= {name: getattr(field, name) or getattr(other, name) for name in _MORE}
    changes |= {"key": key, "inline": field.inline or other.inline}
    changes["required"] = (other if base == "more" else field).required
    if isinstance(field, Select) and isinstance(other, Select):
        changes["options"] = _options(field.options, preferred.options, other.options)  # type: ignore[union-attr]
    made: Field = replace(field, **changes)
    if isinstance(made, Text) and isinstance(other, Number) and words == "more":
        made = _sharper(made, other)
    if made.default is not UNSET or other.default is UNSET or isinstance(made, Secret):
        return made
    if check(made, other.default) is not None:
        return made
    return replace(made, default=other.default)  # type: ignore[arg-type]


def _sharper(field: Text, number: Number) -> Field:
    """A text that only holds numbers, as the number that ours knows it to be."""
    said = "" if field.default is UNSET else str(field.default)
    read = parse(number, said)
    if not isinstance(read, Accepted) or not isinstance(read.value, int | float | Unset):
        return field
    common = {name: getattr(field, name) for name in Described.__dataclass_fields__}
    bounds = {name: getattr(number, name) for name in ("minimum", "maximum", "step", "whole")}
    return Number(**common, **bounds, default=number.default if not said else read.value)


def _options(
    mine: tuple[Option, ...], preferred: tuple[Option, ...], more: tuple[Option, ...]
) -> tuple[Option, ...]:
    """All choices once, in order; shown by the words that are preferred."""
    shown = {option.value: option for option in (*mine, *more, *preferred)}
    values = dict.fromkeys(option.value for option in (*mine, *more))
    return tuple(shown[value] for value in values)


# --- Where they part -------------------------------------------------------------------------


@frozen
class Difference:
    """Something that two declarations say differently of a key."""

    key: str
    about: str
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.key}: {self.about} is {self.theirs}, ours says {self.ours}"


def differences(ours: ProviderSchema, theirs: ProviderSchema) -> tuple[Difference, ...]:
    """Where ours parts from theirs, for every key of theirs."""
    found: list[Difference] = []
    for field in theirs.fields:
        same = [one for one in ours.of_key(field.key) if one.when == field.when]
        if not same:
            there = "missing" if not ours.of_key(field.key) else "without these conditions"
            found.append(Difference(field.key, "the field", there, f"there, when {field.when}"))
            continue
        for about, mine, other in _told(same[0], field):
            # Where theirs is silent, ours may say more: their loader reads more than they declare.
            if mine != other and other:
                found.append(Difference(field.key, about, mine, other))
    return tuple(found)


def _told(ours: Field, theirs: Field) -> list[tuple[str, str, str]]:
    """What is compared of two fields, as texts."""

    def options(field: Field) -> str:
        values = [option.value for option in field.options] if isinstance(field, Select) else []
        return ", ".join(sorted(values))

    return [
        ("the kind", type(ours).__name__, type(theirs).__name__),
        ("the choices", options(ours), options(theirs)),
        ("the default", show(ours, ours.default), show(theirs, theirs.default)),
        ("the environment name", ours.env_key, theirs.env_key),
        ("the fallback names", ", ".join(ours.env_fallbacks), ", ".join(theirs.env_fallbacks)),
        ("the older keys", ", ".join(ours.aliases), ", ".join(theirs.aliases)),
        ("the followed default", _followed(ours), _followed(theirs)),
        ("the scope", ours.scope, theirs.scope),
        ("required", str(ours.required), str(theirs.required)),
    ]


def _followed(field: Field) -> str:
    if field.default_from is None:
        return ""
    pairs = ", ".join(f"{value}: {default}" for value, default in field.default_from.defaults)
    return f"{field.default_from.key} ({pairs})"
