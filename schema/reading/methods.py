"""Methods of plain values: what a text, a list, a dict or a set gives, each bounded."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from schema.reading import operators
from schema.reading.limits import MAX_STRING
from schema.reading.values import NOTHING, REST, Method, Scope, TooMuch, too_large

if TYPE_CHECKING:
    from schema.reading.evaluate import Reader

_TEXT_METHODS = frozenset(
    (
        *("strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold"),
        *("removeprefix", "removesuffix", "startswith", "endswith", "swapcase", "isdigit"),
        *("splitlines", "partition", "rpartition", "isidentifier", "isupper", "islower"),
    )
)
_PATH_METHODS = frozenset(("expanduser", "resolve", "absolute", "as_posix"))


def method(
    reader: Reader,
    called: Method,
    given: list[object],
    named: dict[str, object],
    node: ast.AST,
    scope: Scope,
) -> object:
    """What a method of a text, list, dict or set gives; lists and dicts are changed."""
    owner, name = called.owner, called.name
    result: object = NOTHING
    if isinstance(owner, str):
        result = _of_text(reader, owner, name, [reader.sure(one) for one in given], named)
    elif isinstance(owner, list):
        result = _of_list(reader, owner, name, given, node, scope)
    elif isinstance(owner, dict):
        result = _of_dict(reader, owner, name, given, named, node, scope)
    elif isinstance(owner, set) and name in ("add", "update", "union"):
        more = given if name == "add" else reader.items(given[0] if given else (), node, scope)
        owner |= {one for one in more if operators.hashable(one)}
        result = owner
    elif isinstance(owner, tuple) and name == "index":
        result = NOTHING
    if result is NOTHING:
        return reader.unknown(node, scope, f"the method {name} is not read here")
    if called.unsure is not None:
        return reader.unknown(node, scope, called.unsure.why, operators.reader_guess(result))
    return reader.keep(result)


def _of_text(
    reader: Reader, text: str, name: str, given: list[object], named: dict[str, object]
) -> object:
    texts = all(isinstance(one, str) for one in given)
    if name in _PATH_METHODS:
        return text
    if name in ("read_text", "read"):
        return file_of(reader, text)
    if name == "open" and file_of(reader, text) is not NOTHING:
        return text
    if name in _TEXT_METHODS and texts and not named and len(given) <= 1:
        result: object = getattr(text, name)(*given)
        return result
    match name, given:
        case "split" | "rsplit", [] | [str()]:
            return text.split(*given) if given != [""] else NOTHING  # type: ignore[arg-type]
        case "join", [list() | tuple() | set() as several]:
            items = sorted(several, key=str) if isinstance(several, set) else several
            if all(isinstance(item, str) for item in items):
                if sum(len(item) + len(text) for item in items) <= MAX_STRING:
                    return text.join(items)
                raise TooMuch(reader.line, too_large("", MAX_STRING))
        case "replace", [str() as old, str() as new]:
            if old and len(text) + text.count(old) * len(new) <= MAX_STRING:
                return text.replace(old, new)
        case "joinpath", [*parts] if texts:
            return "/".join([text.rstrip("/"), *map(str, parts)])
        case "with_name", [str() as other]:
            return f"{text.rpartition('/')[0]}/{other}"
        case "with_suffix", [str() as suffix]:
            return text.rpartition(".")[0] + suffix
        case "format", _:
            return _format(text, given, named)
    return NOTHING


def file_of(reader: Reader, path: str) -> object:
    """The text of a file of the package itself; NOTHING of any other."""
    inside = path.removeprefix("<PACKAGE>/")
    return reader.package.source.files.get(inside, NOTHING) if inside != path else NOTHING


def _format(text: str, given: list[object], named: dict[str, object]) -> object:
    """`"… {} {name}".format(…)` without any specification."""
    made, rest = "", text.replace("{{", "\0").replace("}}", "\1")
    for index in range(len(text) + 1):
        before, brace, after = rest.partition("{")
        made += before
        if not brace:
            return made.replace("\0", "{").replace("\1", "}")
        name, closed, rest = after.partition("}")
        place = int(name) if name.isascii() and name.isdigit() and len(name) < 4 else index
        value = named.get(name, NOTHING)
        if value is NOTHING and (not name or name.isdigit()) and place < len(given):
            value = given[place]
        if not closed or not isinstance(value, str | int | float):
            return NOTHING
        made += str(value)
        if len(made) > MAX_STRING:
            return NOTHING
    return NOTHING


def _of_list(
    reader: Reader,
    items: list[Any],
    name: str,
    given: list[Any],
    node: ast.AST,
    scope: Scope,
) -> object:
    match name, given:
        case "append", [one]:
            items.append(one)
        case "extend", [more]:
            items.extend(reader.items(more, node, scope))
        case "insert", [int() as place, one]:
            items.insert(place, one)
        case "copy", []:
            return list(items)
        case "pop", [] | [int()]:
            return items.pop(*given) if items and not given else NOTHING
        case "remove", [one]:
            if operators.hashable(one) and one in items:
                items.remove(one)
        case "clear", []:
            items.clear()
        case "reverse", []:
            items.reverse()
        case "sort", _:
            pass
        case _:
            return NOTHING
    reader.keep(items)
    reader.made -= len(items) - 1
    return None


def _of_dict(
    reader: Reader,
    found: dict[object, Any],
    name: str,
    given: list[Any],
    named: dict[str, Any],
    node: ast.AST,
    scope: Scope,
) -> object:
    key = reader.sure(given[0]) if given else None
    match name:
        case "get" | "pop" | "setdefault" if given and operators.hashable(key):
            if key in found:
                return found[key]
            default = given[1] if len(given) > 1 else named.get("default")
            if REST in found:
                why = "not all of it could be read"
                return reader.unknown(node, scope, why, operators.reader_guess(default))
            if name == "setdefault":
                found[key] = default
            return default
        case "keys":
            return list(found)
        case "values":
            return list(found.values())
        case "items":
            return list(found.items())
        case "copy":
            return dict(found)
        case "update":
            if given:
                key = reader.sure(given[0])
                found.update(key if isinstance(key, dict) else {REST: key})
            found.update(named)
            return None
    return NOTHING
