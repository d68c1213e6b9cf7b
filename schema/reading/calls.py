"""Calls: of the package's own functions and classes, and of the few from elsewhere that are plain.

What a call from elsewhere gives is taken from a short list (`elsewhere`); nothing is ever called.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from schema.reading import elsewhere, methods, names, running
from schema.reading.limits import MAX_CALLS, MAX_ITEMS
from schema.reading.values import (
    NOTHING,
    REST,
    Class,
    Foreign,
    Function,
    Made,
    Method,
    Partial,
    Scope,
    Unknown,
)

if TYPE_CHECKING:
    from schema.reading.evaluate import Reader

DECLARED: dict[str, tuple[str, ...]] = {
    "ProviderField": (
        *("key", "label", "kind", "default", "description", "placeholder", "options", "env_key"),
        *("aliases", "env_fallbacks", "inline", "group", "info", "scope"),
    ),
    "ProviderFieldOption": ("value", "label", "description"),
    "ProviderFieldCondition": ("key", "values", "pattern"),
    "ProviderConfigSchema": ("name", "label", "storage", "docs_url", "fields"),
}
"""Hermes' own classes, with the order of their arguments (hermes-formats §6.2)."""


def call(reader: Reader, node: ast.Call, scope: Scope) -> object:
    """What a call gives."""
    called = reader.eval(node.func, scope)
    given = reader.all(node.args, scope)
    named: dict[str, object] = {}
    for keyword in node.keywords:
        value = reader.eval(keyword.value, scope)
        if keyword.arg is not None:
            named[keyword.arg] = value
            continue
        value = reader.sure(value)
        if isinstance(value, dict):
            named.update({str(key): one for key, one in value.items() if key is not REST})
        if not isinstance(value, dict) or REST in value:
            named["**"] = value
    return apply(reader, called, given, named, node, scope)


def apply(
    reader: Reader,
    called: object,
    given: list[object],
    named: dict[str, object],
    node: ast.AST,
    scope: Scope,
) -> object:
    """Call something with arguments."""
    if isinstance(called, Unknown):
        guess = called.guess
        if isinstance(guess, Function | Class | Method):
            return apply(reader, guess, given, named, node, scope)
        return reader.unknown(node, scope, called.why)
    if isinstance(called, Function):
        return _function(reader, called, given, named, node, scope)
    if isinstance(called, Class):
        return _class(reader, called, given, named, node, scope)
    if isinstance(called, Partial):
        every = [*called.given, *given]
        return apply(reader, called.called, every, {**dict(called.named), **named}, node, scope)
    if isinstance(called, Method):
        return methods.method(reader, called, given, named, node, scope)
    if isinstance(called, Foreign):
        if names.declares(called.name):
            line = getattr(node, "lineno", 0)
            return declared(called.last, given, named, names.path(scope), line)
        return elsewhere.foreign(reader, called, given, named, node, scope)
    return reader.unknown(node, scope, "what is called here is not known")


def declared(
    kind: str, given: list[object], named: dict[str, object], file: str, line: int
) -> Made:
    """An object of one of Hermes' classes."""
    order = DECLARED.get(kind, ())
    attributes = dict(zip(order, given, strict=False))
    attributes.update({f"argument {n + 1}": given[n] for n in range(len(order), len(given))})
    return Made(kind, {**attributes, **named}, file, line)


def _function(
    reader: Reader,
    function: Function,
    given: list[object],
    named: dict[str, object],
    node: ast.AST,
    scope: Scope,
) -> object:
    if reader.calls >= MAX_CALLS:
        return reader.unknown(node, scope, f"more than {MAX_CALLS} calls inside one another")
    if isinstance(function.node, ast.AsyncFunctionDef):
        return reader.unknown(node, scope, "it is given later")
    owner = [] if function.owner is NOTHING else [function.owner]
    inner = scope_of(reader, function, [*owner, *given], named, node)
    reader.calls += 1
    reader.depth += 1
    guesses = len(reader.said)
    try:
        if isinstance(function.node, ast.Lambda):
            return reader.eval(function.node.body, inner)
        ends = running.run(function.node.body, inner, reader)
    finally:
        reader.calls -= 1
        reader.depth -= 1
    if "<yields>" in inner.names:
        return inner.names["<yields>"]
    if ends is not None and ends.how == "raise":
        return reader.unknown(node, scope, "it fails")
    value = ends.value if ends is not None and ends.how == "return" else None
    if len(reader.said) > guesses:
        return _guessed(reader, value, node, scope)
    return value


def _guessed(reader: Reader, value: object, node: ast.AST, scope: Scope) -> object:
    """What a function gave after a best guess decided its way: a guess as well."""
    why = next(reversed(reader.said.values())).why
    if isinstance(value, str | int | float):
        return reader.unknown(node, scope, why, value)
    if isinstance(value, Made) and value.unsure is None:
        value.unsure = reader.unknown(node, scope, why)
    return value


def scope_of(
    reader: Reader,
    function: Function,
    given: list[object],
    named: dict[str, object],
    node: ast.AST,
) -> Scope:
    """The names inside of a function when it is called."""
    inner = Scope(function.scope.module, function.scope)
    wanted = function.node.args
    places = [*wanted.posonlyargs, *wanted.args]
    missing = len(places) - len(wanted.defaults)
    rest = dict(named)
    for index, place in enumerate(places):
        if index < len(given):
            inner.names[place.arg] = given[index]
        elif place.arg in rest:
            inner.names[place.arg] = rest.pop(place.arg)
        elif index >= missing:
            inner.names[place.arg] = reader.eval(wanted.defaults[index - missing], function.scope)
        else:
            inner.names[place.arg] = reader.unknown(node, function.scope, "it is passed later")
    for place, default in zip(wanted.kwonlyargs, wanted.kw_defaults, strict=True):
        if place.arg in rest:
            inner.names[place.arg] = rest.pop(place.arg)
        elif default is not None:
            inner.names[place.arg] = reader.eval(default, function.scope)
        else:
            inner.names[place.arg] = reader.unknown(node, function.scope, "it is passed later")
    if wanted.vararg is not None:
        inner.names[wanted.vararg.arg] = tuple(given[len(places) :])
    if wanted.kwarg is not None:
        inner.names[wanted.kwarg.arg] = dict(rest)
    return inner


def _class(
    reader: Reader,
    cls: Class,
    given: list[object],
    named: dict[str, object],
    node: ast.AST,
    scope: Scope,
) -> object:
    """An object of a class of the package: what its arguments and its defaults say."""
    made = Made(cls.node.name, {}, names.path(scope), getattr(node, "lineno", 0))
    made.of = cls
    if any("TypedDict" in ast.unparse(base) for base in cls.node.bases):
        return dict(named)
    init = names.member(reader, cls, "__init__")
    if isinstance(init, Function) and not isinstance(init.node, ast.Lambda):
        inner = scope_of(reader, init, [made, *given], named, node)
        more = init.node.args.kwarg
        for name, value in inner.names.items():
            if more is not None and name == more.arg and isinstance(value, dict):
                made.attributes.update({str(key): one for key, one in value.items()})
            elif value is not made:
                made.attributes[name] = value
        if given or named:
            _function(reader, init, [made, *given], named, node, scope)
        return made
    order: dict[str, ast.expr | None] = {}
    for one in reversed(names.lineage(reader, cls)):
        for statement in one.node.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), value=value):
                    order[name] = value
    made.attributes.update(zip(order, given, strict=False))
    made.attributes.update(named)
    for name, default in order.items():
        if name not in made.attributes and default is not None:
            made.attributes[name] = _default(reader, default, cls.scope)
    return made


def _default(reader: Reader, default: ast.expr, scope: Scope) -> object:
    """The default of a dataclass's field, also where `field(…)` says it."""
    match default:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(attr="field"), keywords=keywords):
            for keyword in keywords:
                if keyword.arg == "default":
                    return reader.eval(keyword.value, scope)
                if keyword.arg == "default_factory":
                    made = reader.eval(keyword.value, scope)
                    return apply(reader, made, [], {}, default, scope)
            return reader.unknown(default, scope, "it has no default")
    return reader.eval(default, scope)


# --- Methods and members of the package ------------------------------------------------------


def marked(function: Function, decorator: str) -> bool:
    """Whether a function has that decorator."""
    if isinstance(function.node, ast.Lambda):
        return False
    return any(
        (isinstance(one, ast.Name) and one.id == decorator)
        or (isinstance(one, ast.Attribute) and one.attr == decorator)
        for one in function.node.decorator_list
    )


def taken(reader: Reader, found: object, owner: object, node: ast.AST, scope: Scope) -> object:
    """A member as it is when it is taken from `owner`: bound, or the value of a property."""
    if not isinstance(found, Function) or marked(found, "staticmethod"):
        return found
    if marked(found, "classmethod") and isinstance(owner, Made) and owner.of is not None:
        owner = owner.of
    bound = Function(found.node, found.scope, owner)
    if marked(found, "property") or marked(found, "cached_property"):
        return apply(reader, bound, [], {}, node, scope)
    return bound


def enum_member(cls: Class, name: str, value: object) -> Made:
    """One of an enumeration."""
    made = Made("enum", {"name": name, "value": value}, names.path(cls.scope), cls.node.lineno)
    made.of = cls
    return made


def yielded(scope: Scope) -> list[object]:
    """What the function that a scope belongs to has yielded so far."""
    found = scope.names.setdefault("<yields>", [])
    return found if isinstance(found, list) else []


def copied_names(reader: Reader, scope: Scope) -> dict[str, object]:
    """The names of a scope, with copies of what could be changed in place."""
    return {name: copied(reader, value, 3) for name, value in scope.names.items()}


def copied(reader: Reader, value: object, deep: int) -> object:
    """A copy of lists and dicts, `deep` levels down."""
    if deep <= 0 or not isinstance(value, list | dict):
        return value
    reader.made += len(value)
    reader.keep(value)
    if isinstance(value, list):
        return [copied(reader, one, deep - 1) for one in value[:MAX_ITEMS]]
    return {key: copied(reader, one, deep - 1) for key, one in value.items()}
