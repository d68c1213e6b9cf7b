"""Which fields of a declaration are shown for given values, and which default holds then.

A value that is given is compared, else the default that holds. Whether the other field is itself
shown does not matter (hermes-formats §6.3).
"""

from __future__ import annotations

from collections.abc import Mapping

from schema.fields import UNSET, Condition, Field, Toggle, Unset, Value
from schema.patterns import finds
from schema.values import OFF, ON, Accepted, parse

_FOLLOWED = 8
"""So many fields may depend on one another in a row; a circle ends here."""


def visible(fields: tuple[Field, ...], values: Mapping[str, object]) -> tuple[Field, ...]:
    """Those of `fields` whose conditions all hold, in order."""
    by_key = _by_key(fields)
    return tuple(field for field in fields if _holds(field, by_key, values, _FOLLOWED))


def effective_default(
    field: Field, fields: tuple[Field, ...], values: Mapping[str, object]
) -> Value | Unset:
    """The default of `field` while `values` are set: what `default_from` says, else its own."""
    return _default(field, _by_key(fields), values, _FOLLOWED)


def as_text(value: object, field: Field | None = None) -> str:
    """The text by which a value is compared: true and false in lower case, 2.0 as 2, none as ""."""
    if value is None or value is UNSET:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = str(value).strip()
    if isinstance(field, Toggle) and text.lower() in (*ON, *OFF):
        return "true" if text.lower() in ON else "false"
    return text


ByKey = Mapping[str, list[Field]]


def _by_key(fields: tuple[Field, ...]) -> ByKey:
    found: dict[str, list[Field]] = {}
    for field in fields:
        found.setdefault(field.key, []).append(field)
    return found


def _holds(field: Field, by_key: ByKey, values: Mapping[str, object], left: int) -> bool:
    return all(_condition(condition, by_key, values, left) for condition in field.when)


def _condition(
    condition: Condition, by_key: ByKey, values: Mapping[str, object], left: int
) -> bool:
    text, toggle = _effective(condition.key, by_key, values, left)
    if condition.values:
        wanted = {as_text(value, toggle) for value in condition.values}
        if text not in wanted:
            return False
    return not condition.pattern or finds(condition.pattern, text)


def _effective(
    key: str, by_key: ByKey, values: Mapping[str, object], left: int
) -> tuple[str, Field | None]:
    """The text that the key's value has now, and the field that it was taken as."""
    same = by_key.get(key, [])
    given = values.get(key)
    if as_text(given):
        return as_text(given, same[0] if same else None), same[0] if same else None
    if not same or left <= 0:
        return "", None
    now = next((field for field in same if _holds(field, by_key, values, left - 1)), same[0])
    return as_text(_default(now, by_key, values, left - 1), now), now


def _default(field: Field, by_key: ByKey, values: Mapping[str, object], left: int) -> Value | Unset:
    if field.default_from is not None:
        text, _ = _effective(field.default_from.key, by_key, values, left)
        found = dict(field.default_from.defaults).get(text)
        if found is not None:
            read = parse(field, found)
            return read.value if isinstance(read, Accepted) else field.default
    return field.default
