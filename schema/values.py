"""From what was typed to a value and back: one way each, for every kind of field.

A person's mistake is returned as a `Problem`, never raised. For every value of a field's kind,
`parse(field, show(field, value)) == Accepted(value)`.
"""

from __future__ import annotations

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
Detail = Literal[
    "", "value", "name", "comma", "colon", "string", "end", "control", "escape", "number"
]
"""What is missing or wrong at a place of a JSON text: a value, a name in quotes, a comma, a colon,
the end of a string, something after the end, a line break in a string, a backslash, NaN."""

_DETAILS: dict[str, Detail] = {
    "Expecting value": "value",
    "Expecting property name": "name",
    "Illegal trailing comma": "value",
    "Expecting ',' delimiter": "comma",
    "Expecting ':' delimiter": "colon",
    "Unterminated string": "string",
    "Extra data": "end",
    "Invalid control character": "control",
    "Invalid \\": "escape",
}

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
    unknown_key the key that was probably meant. With not_json, `line` and `column` (from 1) and
    `detail` tell what is wrong where; the line is 0 if no place can be named.
    """

    key: str
    reason: Reason
    limit: int | float | None = None
    options: tuple[str, ...] = ()
    line: int = 0
    column: int = 0
    detail: Detail = ""


def parse(field: Field, raw: str) -> Accepted | Problem:
    """Read what was typed. Blanks at the ends do not count; nothing typed means UNSET."""
    typed = raw.strip()
    if isinstance(field, Text):
        if typed.lower() in field.same_as_empty:
            typed = ""
        return Accepted(typed if typed or field.keeps_empty else UNSET)
    if not typed:
        return Accepted(UNSET)
    value = _read_json(field, raw) if isinstance(field, Json) else _read(field, typed)
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
    import json

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
    return typed


def _read_json(field: Json, raw: str) -> Value | Problem:
    import json

    typed = raw.strip()
    try:
        # NaN and Infinity are no JSON; Python reads them unless told otherwise.
        value = json.loads(typed, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        begin = len(raw) - len(raw.lstrip())
        return _at(field, raw, begin + error.pos, _detail(error.msg))
    except _NoConstant as error:
        place = re.search(rf'(?<![\w"]){re.escape(str(error))}(?![\w"])', raw)
        return _at(field, raw, place.start() if place else 0, "number")
    except (ValueError, RecursionError):
        return Problem(field.key, "not_json")
    return value if isinstance(value, dict | list) else Problem(field.key, "not_object_or_array")


def _at(field: Json, raw: str, place: int, detail: Detail) -> Problem:
    line = raw.count("\n", 0, place) + 1
    column = place - raw.rfind("\n", 0, place)
    return Problem(field.key, "not_json", line=line, column=column, detail=detail)


def _detail(message: str) -> Detail:
    return next((code for begin, code in _DETAILS.items() if message.startswith(begin)), "")


class _NoConstant(ValueError):
    """NaN or Infinity stands in a JSON text."""


def _no_constant(name: str) -> object:
    raise _NoConstant(name)


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
