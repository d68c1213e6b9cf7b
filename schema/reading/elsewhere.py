"""What functions from outside of the package give: a short list of plain ones, each bounded.

The environment, files, clocks, the network and the home of a user are never asked.
"""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from schema.reading import calls, methods, names, operators
from schema.reading.attributes import json_of
from schema.reading.limits import MAX_ITEMS, MAX_STRING, MAX_YAML
from schema.reading.values import (
    NOTHING,
    REST,
    Class,
    Foreign,
    Made,
    Partial,
    Scope,
    TooMuch,
    Unknown,
)

if TYPE_CHECKING:
    from schema.reading.evaluate import Reader

METHOD_OF_ALL = "super().get_config_schema"
HOME = "<HERMES_HOME>"
"""Stands for the home, wherever a declaration asks for it."""

_SAME = frozenset(
    (
        *("Path", "PurePath", "PosixPath", "expanduser", "expandvars", "abspath", "realpath"),
        *("normpath", "fspath", "cast", "MappingProxyType", "OrderedDict", "_", "gettext"),
        *("dedent", "cleandoc", "lru_cache", "cache", "SecretStr"),
    )
)


def foreign(
    reader: Reader,
    called: Foreign,
    given: list[object],
    named: dict[str, object],
    node: ast.AST,
    scope: Scope,
) -> object:
    """What a function from elsewhere gives."""
    last = called.last
    if last in ("getenv",) or called.name.endswith("environ.get"):
        guess = given[1] if len(given) > 1 else named.get("default")
        return reader.unknown(node, scope, "the environment decides", operators.reader_guess(guess))
    if "hermes_home" in last.lower() or last in ("get_home", "hermes_dir"):
        return HOME
    plain = _BUILTINS.get(last)
    if plain is not None and (called.name == last or last in _FROM_MODULES):
        return plain(reader, given, named, node, scope)
    if last in _SAME and given:
        text = reader.sure(given[-1] if last == "cast" else given[0])
        if last in ("Path", "PurePath", "PosixPath") and len(given) > 1:
            return _join(reader, given, named, node, scope)
        if last in ("dedent", "cleandoc") and isinstance(text, str):
            return textwrap.dedent(text).strip() if last == "cleandoc" else textwrap.dedent(text)
        return given[-1] if last == "cast" else given[0]
    if last in ("dirname", "basename") and given and isinstance(given[0], str):
        return names.attribute(
            reader, given[0], "parent" if last == "dirname" else "name", node, scope
        )
    if called.name == METHOD_OF_ALL:
        return []
    if called.name in ("os.path.join", "posixpath.join"):
        return _join(reader, given, named, node, scope)
    if called.name.endswith("Path.home"):
        return "~"
    return reader.unknown(node, scope, f"{called.name} is not part of the package")


def as_str(reader: Reader, value: object, node: ast.AST, scope: Scope) -> object:
    """`str(value)`, of what is plain."""
    if isinstance(value, Unknown):
        guess = as_str(reader, value.guess, node, scope) if value.guess is not NOTHING else NOTHING
        return reader.unknown(node, scope, value.why, operators.reader_guess(guess))
    if isinstance(value, Made) and value.kind == "enum":
        return as_str(reader, value.attributes.get("value"), node, scope)
    if value is None or isinstance(value, str | bool | int | float):
        return str(value)
    if (
        isinstance(value, list | tuple)
        and len(value) <= 50
        and all(one is None or isinstance(one, str | bool | int | float) for one in value)
    ):
        return str(value)
    return reader.unknown(node, scope, "it is no plain text")


def formatted(reader: Reader, value: object, spec: object, node: ast.AST, scope: Scope) -> object:
    """`f"{value:spec}"`, of plain values and short specifications without a width to fill."""
    if isinstance(spec, str) and isinstance(value, str | int | float):
        digits = "".join(character for character in spec if character.isdigit())
        if len(spec) <= 6 and len(digits) <= 2:
            try:
                return format(value, spec)
            except ValueError:
                pass
    return reader.unknown(node, scope, "this format is not read")


# --- Functions that Python has ---------------------------------------------------------------


def _str(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    return as_str(reader, given[0], node, scope) if given else ""


def _number(to: type) -> Callable[..., object]:
    def read(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
        value = operators.reader_guess(given[0]) if given else to()
        result: object = NOTHING
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 40):
            try:
                result = to(value)
            except (ValueError, OverflowError):
                result = NOTHING
        if result is NOTHING or (given and isinstance(given[0], Unknown)):
            return reader.unknown(node, scope, "it is worked out while running", result)
        return result

    return read


def _bool(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    return operators.truth(given[0]) if given else False


def _sequence(to: Callable[[list[object]], object]) -> Callable[..., object]:
    def read(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
        return to(reader.items(given[0], node, scope) if given else [])

    return read


def _dict(
    reader: Reader, given: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope
) -> object:
    found: dict[object, object] = {}
    first = reader.sure(given[0]) if given else {}
    if isinstance(first, dict):
        found.update(first)
    else:
        for pair in reader.items(first, node, scope):
            if isinstance(pair, tuple | list) and len(pair) == 2:
                operators.put(found, pair[0], pair[1])
            else:
                found[REST] = pair
    more = named.pop("**", None)
    found.update(named)
    return found if more is None else {**found, REST: more}


def _len(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    value = reader.sure(given[0]) if given else None
    if isinstance(value, str | list | tuple | dict | set):
        return len(value)
    return reader.unknown(node, scope, "its length is not known")


def _sorted(
    reader: Reader, given: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope
) -> object:
    items = reader.items(given[0], node, scope) if given else []
    if all(isinstance(item, str) for item in items) or all(
        isinstance(item, int | float) for item in items
    ):
        return sorted(items, reverse=named.get("reverse") is True)  # type: ignore[type-var]
    return items


def _range(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    ends = [end for end in map(reader.sure, given) if isinstance(end, int)]
    if not 1 <= len(ends) <= 3 or len(ends) != len(given):
        return reader.unknown(node, scope, "how far it goes is not known")
    if len(ends) == 3 and ends[2] == 0:
        return reader.unknown(node, scope, "it fails")
    made = range(*ends)
    if len(made) > MAX_ITEMS:
        raise TooMuch(reader.line, f"more than {MAX_ITEMS:,} items would be gone through")
    return list(made)


def _enumerate(
    reader: Reader, given: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope
) -> object:
    start = given[1] if len(given) > 1 else named.get("start", 0)
    begin = start if isinstance(start, int) else 0
    items = reader.items(given[0], node, scope) if given else []
    return [(begin + index, item) for index, item in enumerate(items)]


def _zip(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    return list(zip(*(reader.items(one, node, scope) for one in given), strict=False))


def _chain(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    return [item for one in given for item in reader.items(one, node, scope)]


def _map(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    if len(given) != 2:
        return reader.unknown(node, scope, "this call is not read")
    items = reader.items(given[1], node, scope)
    return [calls.apply(reader, given[0], [item], {}, node, scope) for item in items]


def _extreme(of: Callable[..., object]) -> Callable[..., object]:
    def read(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
        items = reader.items(given[0], node, scope) if len(given) == 1 else given
        if items and all(isinstance(item, int | float) for item in items):
            return of(items)
        return reader.unknown(node, scope, "this call is not read")

    return read


def _isinstance(
    reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope
) -> object:
    wanted = given[1] if len(given) == 2 else None
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    known = {"str": str, "bool": bool, "int": int, "float": float, "list": list, "dict": dict}
    known |= {"tuple": tuple, "set": set}
    value = given[0] if given else None
    if isinstance(value, Unknown) or not all(
        isinstance(kind, Foreign) and kind.last in known for kind in kinds
    ):
        return reader.unknown(node, scope, "it is looked at while running")
    return isinstance(value, tuple(known[kind.last] for kind in kinds))


def _getattr(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    if len(given) < 2 or not isinstance(given[1], str):
        return reader.unknown(node, scope, "this call is not read")
    owner = given[0]
    guess = given[2] if len(given) > 2 else NOTHING
    if isinstance(owner, Foreign):
        why = "it depends on what is installed"
        return reader.unknown(node, scope, why, operators.reader_guess(guess))
    found = names.attribute(reader, owner, given[1], node, scope)
    if isinstance(found, Unknown) and found.guess is NOTHING and guess is not NOTHING:
        return reader.unknown(node, scope, found.why, operators.reader_guess(guess))
    return found


def _super(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    """The object itself, seen as of its next class; nothing of another package."""
    at: Scope | None = scope
    while at is not None:
        owner = at.names.get("self", at.names.get("cls"))
        cls = owner.of if isinstance(owner, Made) else owner
        if isinstance(cls, Class):
            bases = names.lineage(reader, cls)[1:]
            if not bases:
                break
            made = Made(bases[0].node.name, {}, names.path(scope), 0)
            made.of = bases[0]
            return made
        at = at.outer
    # Hermes' own class declares nothing.
    return Foreign("super()")


def _join(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    parts = [part for part in map(operators.reader_guess, given) if isinstance(part, str)]
    if not parts or len(parts) != len(given):
        return reader.unknown(node, scope, "it is no plain path")
    return "/".join([*(part.rstrip("/") for part in parts[:-1]), parts[-1]])


def _asdict(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    if given and isinstance(given[0], Made):
        return {
            name: _asdict(reader, [value], {}, node, scope) if isinstance(value, Made) else value
            for name, value in given[0].attributes.items()
        }
    return reader.unknown(node, scope, "this call is not read")


def _replace(
    reader: Reader, given: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope
) -> object:
    if given and isinstance(given[0], Made):
        old = given[0]
        made = Made(old.kind, {**old.attributes, **named}, old.file, old.line)
        made.of = old.of
        return made
    return reader.unknown(node, scope, "this call is not read")


def _copy(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    return calls.copied(reader, given[0], 5) if given else None


def _loads(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    text = _text_of(reader, given)
    if text is not None:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return reader.unknown(node, scope, "it is no JSON")
    return reader.unknown(node, scope, "what is read here is not known")


def _yaml(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    text = _text_of(reader, given)
    # What YAML merges (`<<`) can grow without end while it is parsed.
    if text is None or len(text) > MAX_YAML or "<<" in text:
        return reader.unknown(node, scope, "what is read here is not known, or too large")
    import yaml

    try:
        made = json_of(yaml.safe_load(text))
    except (yaml.YAMLError, ValueError, RecursionError):
        made = NOTHING
    return reader.unknown(node, scope, "it is no plain YAML") if made is NOTHING else made


def _text_of(reader: Reader, given: list[Any]) -> str | None:
    """The text that is parsed: itself, or of a file of the package that was opened."""
    text = reader.sure(given[0]) if given else None
    if not isinstance(text, str):
        return None
    inside = methods.file_of(reader, text)
    found = inside if isinstance(inside, str) else text
    return found if len(found) <= MAX_STRING else None


def _open(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    if given and isinstance(given[0], str) and methods.file_of(reader, given[0]) is not NOTHING:
        return given[0]
    return reader.unknown(node, scope, "only files of the package are read")


def _partial(
    reader: Reader, given: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope
) -> object:
    return Partial(given[0], tuple(given[1:]), tuple(named.items())) if given else None


def _nothing(reader: Reader, given: list[Any], named: Any, node: ast.AST, scope: Scope) -> object:
    return None


_FROM_MODULES = frozenset(
    (
        *("asdict", "replace", "deepcopy", "copy", "loads", "load", "safe_load", "partial"),
        *("chain", "from_iterable", "dict"),
    )
)
_BUILTINS: dict[str, Callable[..., object]] = {
    "str": _str,
    "repr": _str,
    "int": _number(int),
    "float": _number(float),
    "bool": _bool,
    "list": _sequence(list),
    "iter": _sequence(list),
    "tuple": _sequence(tuple),
    "set": _sequence(operators.as_set),
    "frozenset": _sequence(operators.as_set),
    "reversed": _sequence(lambda items: items[::-1]),
    "dict": _dict,
    "len": _len,
    "sorted": _sorted,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "chain": _chain,
    "map": _map,
    "min": _extreme(min),
    "max": _extreme(max),
    "isinstance": _isinstance,
    "getattr": _getattr,
    "super": _super,
    "asdict": _asdict,
    "vars": _asdict,
    "replace": _replace,
    "deepcopy": _copy,
    "copy": _copy,
    "loads": _loads,
    "load": _loads,
    "safe_load": _yaml,
    "open": _open,
    "partial": _partial,
    "print": _nothing,
}
