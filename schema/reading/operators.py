"""Operators between values that are known, or best guesses where one is not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from schema.reading.limits import MAX_ITEMS, MAX_NUMBER, MAX_STRING
from schema.reading.values import (
    NOTHING,
    REST,
    Class,
    Foreign,
    Function,
    Made,
    Method,
    Scope,
    TooMuch,
    Unknown,
    too_large,
)

if TYPE_CHECKING:
    from schema.reading.evaluate import Reader

Plain = str | int | float | bool | None


def truth(value: object) -> bool | Unknown:
    """Whether a value counts as true; the guess of an unknown one is a bool."""
    if isinstance(value, Unknown):
        if value.guess is NOTHING:
            return value
        guess = truth(value.guess)
        return Unknown(value.file, value.line, value.construct, value.why, guess)
    if isinstance(value, dict) and REST in value and len(value) == 1:
        return Unknown("", None, "", "not all of it could be read")
    if isinstance(value, Foreign):
        if value.last == "TYPE_CHECKING":
            return False
        return Unknown("", None, value.name, "it comes from outside of the package", True)
    if isinstance(value, Method | Function | Class | Made):
        return True
    return bool(value)


def hashable(value: object) -> bool:
    """Whether a value may be a key or stand in a set."""
    if isinstance(value, tuple):
        return len(value) <= MAX_ITEMS and all(
            not isinstance(one, tuple) and hashable(one) for one in value
        )
    return value is None or isinstance(value, str | int | float | bool)


def put(found: dict[object, object], key: object, value: object) -> None:
    """Set a key, or mark the dict as not wholly read if the key is not known."""
    if hashable(key):
        found[key] = value
    else:
        found[REST] = value


def as_set(items: Iterable[object]) -> object:
    """A set of what can stand in one."""
    return {item if hashable(item) else REST for item in items}


def binary(
    reader: Reader, op: ast.operator, left: object, right: object, node: ast.AST, scope: Scope
) -> object:
    """`left op right`."""
    for side in (left, right):
        if isinstance(side, Unknown) and side.guess is NOTHING:
            return _lists_with_unknown(op, left, right) or reader.unknown(node, scope, side.why)
    unsure = next((side for side in (left, right) if isinstance(side, Unknown)), None)
    result = _known(op, reader_guess(left), reader_guess(right))
    if result is NOTHING:
        return reader.unknown(node, scope, "this kind of expression is not read")
    return result if unsure is None else reader.unknown(node, scope, unsure.why, result)


def reader_guess(value: object) -> object:
    """The value, or the best guess of an unknown one."""
    return value.guess if isinstance(value, Unknown) else value


def _lists_with_unknown(op: ast.operator, left: object, right: object) -> object:
    """A list and an unknown one: what is known stays, and that there is more."""
    if not isinstance(op, ast.Add):
        return None
    if isinstance(left, list):
        return [*left, right]
    return [left, *right] if isinstance(right, list) else None


def _known(op: ast.operator, left: Any, right: Any) -> object:
    match op:
        case ast.Add() if _alike(left, right):
            return left + right
        case ast.Mult() if isinstance(left, int) and isinstance(right, str | list | tuple):
            return _known(op, right, left)
        case ast.Mult() if isinstance(left, str | list | tuple) and isinstance(right, int):
            most = MAX_STRING if isinstance(left, str) else MAX_ITEMS
            if len(left) * max(right, 0) > most:
                raise TooMuch(None, too_large(left, most))
            return left * right
        case ast.Div() if isinstance(left, str) and isinstance(right, str):
            # Only paths are divided.
            return f"{left.rstrip('/')}/{right.lstrip('/')}" if left else right
        case ast.Mod() if isinstance(left, str):
            return _percent(left, right)
        case ast.BitOr() if isinstance(left, dict) and isinstance(right, dict):
            return {**left, **right}
        case ast.BitOr() if isinstance(left, set) and isinstance(right, set):
            return left | right
        case ast.Sub() if isinstance(left, set) and isinstance(right, set):
            return left - right
        case _ if isinstance(left, int | float) and isinstance(right, int | float):
            return _number(op, left, right)
    return NOTHING


def _alike(left: object, right: object) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return len(left) + len(right) <= MAX_STRING or _too_long()
    return (isinstance(left, list) and isinstance(right, list)) or (
        isinstance(left, tuple) and isinstance(right, tuple)
    )


def _too_long() -> bool:
    raise TooMuch(None, too_large("", MAX_STRING))


_NUMBERS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: lambda left, right: left % right,
}


def _number(op: ast.operator, left: int | float, right: int | float) -> object:
    if isinstance(op, ast.Pow):
        if not (isinstance(right, int) and 0 <= right <= 64 and abs(left) <= 1024):
            return NOTHING
        left, right, op = left**right, 0, ast.Add()
    calculate = _NUMBERS.get(type(op))
    if calculate is None or any(abs(side) > MAX_NUMBER for side in (left, right)):
        return NOTHING
    try:
        result = calculate(left, right)
    except (ZeroDivisionError, OverflowError):
        return NOTHING
    return result if abs(result) <= MAX_NUMBER else NOTHING


def _percent(text: str, given: object) -> object:
    parts = text.split("%s")
    values = given if isinstance(given, tuple) else (given,)
    if "%" in "".join(parts) or len(values) != len(parts) - 1:
        return NOTHING
    if not all(isinstance(value, str | int | float) for value in values):
        return NOTHING
    return "".join(f"{a}{b}" for a, b in zip(parts, [*values, ""], strict=True))


def compare(
    reader: Reader, op: ast.cmpop, left: object, right: object, node: ast.AST, scope: Scope
) -> bool | Unknown:
    """`left op right`."""
    unsure = next((side for side in (left, right) if isinstance(side, Unknown)), None)
    known_left, known_right = reader_guess(left), reader_guess(right)
    if NOTHING in (known_left, known_right):
        return reader.unknown(node, scope, unsure.why if unsure else "")
    result = _compared(op, known_left, known_right)
    if result is None:
        return reader.unknown(node, scope, "this kind of comparison is not read")
    if unsure is None and isinstance(op, ast.In | ast.NotIn) and _has_more(right):
        found = result is isinstance(op, ast.In)
        if not found:
            return reader.unknown(node, scope, "not all of it could be read", result)
    return result if unsure is None else reader.unknown(node, scope, unsure.why, result)


def _has_more(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(isinstance(item, Unknown) for item in value)
    return isinstance(value, dict | set) and REST in value


def _compared(op: ast.cmpop, left: Any, right: Any) -> bool | None:
    simple = (str, int, float, bool, type(None))
    match op:
        case ast.Is() | ast.IsNot():
            same = left is right or (left == right and isinstance(left, bool | None))
            return same if isinstance(op, ast.Is) else not same
        case ast.Eq() | ast.NotEq() if isinstance(left, simple) and isinstance(right, simple):
            return (left == right) is isinstance(op, ast.Eq)
        case ast.In() | ast.NotIn():
            found = _contains(right, left)
            return None if found is None else found is isinstance(op, ast.In)
        case _ if _ordered(left, right):
            return _order(op, left, right)
    return None


def _contains(inside: Any, one: Any) -> bool | None:
    if isinstance(inside, str):
        return one in inside if isinstance(one, str) else None
    if isinstance(inside, dict | set | frozenset):
        return one in inside if hashable(one) else None
    if isinstance(inside, list | tuple):
        return any(hashable(item) and item == one for item in inside) if hashable(one) else None
    return None


def _ordered(left: object, right: object) -> bool:
    return (isinstance(left, str) and isinstance(right, str)) or (
        isinstance(left, int | float) and isinstance(right, int | float)
    )


def _order(op: ast.cmpop, left: Any, right: Any) -> bool | None:
    match op:
        case ast.Lt():
            return bool(left < right)
        case ast.LtE():
            return bool(left <= right)
        case ast.Gt():
            return bool(left > right)
        case ast.GtE():
            return bool(left >= right)
    return None


def item(reader: Reader, owner: object, key: object, node: ast.AST, scope: Scope) -> object:
    """`owner[key]`."""
    owner, key = reader.sure(owner), reader.sure(key)
    if isinstance(owner, Foreign):
        if owner.last == "environ":
            return reader.unknown(node, scope, "it is taken from the environment")
        return owner
    if isinstance(owner, dict) and hashable(key) and key in owner:
        return owner[key]
    if isinstance(owner, list | tuple | str) and isinstance(key, int):
        if -len(owner) <= key < len(owner):
            return owner[key]
        return reader.unknown(node, scope, "there is no such item")
    if isinstance(owner, Class):
        return owner
    why = owner.why if isinstance(owner, Unknown) else "there is no such item"
    return reader.unknown(node, scope, why)


def sliced(reader: Reader, owner: object, node: ast.Subscript, scope: Scope) -> object:
    """`owner[a:b]`."""
    part = node.slice
    assert isinstance(part, ast.Slice)  # noqa: S101 - the caller looked
    ends = [None if end is None else reader.eval(end, scope) for end in (part.lower, part.upper)]
    owner = reader.sure(owner)
    low, high = (end if isinstance(end, int) else None for end in ends)
    if part.step is None and [low, high] == ends and isinstance(owner, str | list | tuple):
        return owner[low:high]
    return reader.unknown(node, scope, "this kind of expression is not read")
