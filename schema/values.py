"""From what was typed to a value and back: one way each, for every kind of field.

A person's mistake is returned as a `Problem`, never raised. For every value of a field's kind,
`parse(field, show(field, value)) == Accepted(value)`.
"""

from __future__ import annotations

import json
import math
import re
from typing import Literal, assert_never

from schema.fields import UNSET, Field, Json, Number, Secret, Select, Text, Toggle, Unset, Value
from schema.frozen import frozen

Reason = Literal[
    "not_text",
    "not_an_option",
    "not_yes_or_no",
    "not_a_number",
    "not_whole",
    "too_small",
    "too_large",
    "not_json",
    "not_object_or_array",
    "line_break",
    "unknown_key",
]

ON = ("true", "yes", "on", "1")
OFF = ("false", "no", "off", "0")
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
_FRACTION = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@frozen
class Accepted:
    """A value of the field's kind, or UNSET for none."""

    value: Value | Unset


@frozen
class Problem:
    """Why a value cannot be taken. The sentence for a person is made where it is shown.

    `limit` goes with too_small and too_large; `options` are what would be accepted, and with
    unknown_key the key that was probably meant.
    """

    key: str
    reason: Reason
    limit: int | float | None = None
    options: tuple[str, ...] = ()


def parse(field: Field, raw: str) -> Accepted | Problem:
    """Read what was typed. Blanks at the ends do not count; nothing typed means UNSET."""
    typed = raw.strip()
    if isinstance(field, Text):
        if typed.lower() in field.same_as_empty:
            typed = ""
        return Accepted(typed if typed or field.keeps_empty else UNSET)
    if not typed:
        return Accepted(UNSET)
    value = _read(field, typed)
    if isinstance(value, Problem):
        return value
    return check(field, value) or Accepted(value)


def show(field: Field, value: Value | Unset | None) -> str:
    """The text for a value in an editor: UNSET and null are empty, a secret always is.

    A value of another kind than the field's (a file may hold anything) shows as it would be
    written in JSON, so it is seen and not mistaken for a default.
    """
    if value is UNSET or value is None or isinstance(field, Secret):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def check(field: Field, value: object) -> Problem | None:
    """Whether a value that is already typed (a stored one, a default) is one of the field's."""
    wrong: Reason | None
    match field:
        case Text():
            wrong = None if isinstance(value, str) else "not_text"
        case Secret():
            wrong = _about_secret(value)
        case Toggle():
            wrong = None if isinstance(value, bool) else "not_yes_or_no"
        case Json():
            wrong = None if isinstance(value, dict | list) else "not_object_or_array"
        case Select():
            values = tuple(option.value for option in field.options)
            return None if value in values else Problem(field.key, "not_an_option", options=values)
        case Number():
            return _about_number(field, value)
        case _:
            assert_never(field)
    return None if wrong is None else Problem(field.key, wrong)


def _read(field: Field, typed: str) -> Value | Problem:
    if isinstance(field, Toggle):
        word = typed.lower()
        if word in ON or word in OFF:
            return word in ON
        return Problem(field.key, "not_yes_or_no", options=("true", "false"))
    if isinstance(field, Number):
        if _WHOLE.fullmatch(typed):
            return int(typed)
        if not _FRACTION.fullmatch(typed) or not math.isfinite(float(typed)):
            return Problem(field.key, "not_a_number")
        number = float(typed)
        return int(number) if number.is_integer() and not field.whole else number
    if isinstance(field, Json):
        try:
            # NaN and Infinity are no JSON; Python reads them unless told otherwise.
            return _container(field, json.loads(typed, parse_constant=_no_constant))
        except (ValueError, RecursionError):
            return Problem(field.key, "not_json")
    return typed


def _container(field: Json, value: object) -> Value | Problem:
    if isinstance(value, dict | list):
        return value
    return Problem(field.key, "not_object_or_array")


def _no_constant(name: str) -> object:
    raise ValueError(name)


def _about_secret(value: object) -> Reason | None:
    if not isinstance(value, str):
        return "not_text"
    return "line_break" if len(value.splitlines()) > 1 else None


def _about_number(field: Number, value: object) -> Problem | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return Problem(field.key, "not_a_number")
    if isinstance(value, float) and not math.isfinite(value):
        return Problem(field.key, "not_a_number")
    if field.whole and not isinstance(value, int):
        return Problem(field.key, "not_whole")
    if field.minimum is not None and value < field.minimum:
        return Problem(field.key, "too_small", limit=field.minimum)
    if field.maximum is not None and value > field.maximum:
        return Problem(field.key, "too_large", limit=field.maximum)
    return None
