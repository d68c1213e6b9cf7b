"""What a name or an attribute stands for: in a function, a class, a module, or elsewhere."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from schema.providers import Unread
from schema.reading import calls, operators, running
from schema.reading.package import Module, concerned
from schema.reading.values import (
    NOTHING,
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

BUILTINS = frozenset(
    (
        *("str", "int", "float", "bool", "len", "list", "tuple", "dict", "set", "frozenset"),
        *("sorted", "reversed", "enumerate", "zip", "range", "min", "max", "any", "all", "iter"),
        *("isinstance", "issubclass", "getattr", "hasattr", "callable", "repr", "print", "super"),
        *("vars", "object", "type", "property", "map", "filter", "sum", "open", "abs", "round"),
    )
)
PLACES = {"__file__": "<PACKAGE>/{path}", "__name__": "{path}", "__doc__": ""}


def module_of(scope: Scope) -> Module:
    """The module that a scope belongs to."""
    return cast(Module, scope.module)


def path(scope: Scope) -> str:
    """The path of the file that a scope belongs to."""
    return module_of(scope).path


def look_up(reader: Reader, name: str, scope: Scope, node: ast.AST) -> object:
    """What a name stands for where it is read."""
    at: Scope | None = scope
    while at is not None:
        if name in at.names:
            return at.names[name]
        at = at.outer
    module = module_of(scope)
    found = of_module(reader, module, name)
    if found is not NOTHING:
        return found
    if name in PLACES:
        return PLACES[name].format(path=module.path)
    if name in BUILTINS or name.endswith(("Error", "Exception")):
        return Foreign(name)
    return reader.unknown(node, scope, f"nothing of the package says what {name} is")


def of_module(reader: Reader, module: Module, name: str) -> object:
    """What a module's own name stands for; NOTHING if it has none.

    Only the statements that concern the name are gone through, each once.
    """
    if name not in module.scope.names and name in module.about:
        if name in module.resolving:
            return Unknown(module.path, None, name, "it depends on itself")
        module.resolving.add(name)
        try:
            for statement in module.about[name]:
                if id(statement) not in module.done:
                    module.done.add(id(statement))
                    running.run([statement], module.scope, reader)
        finally:
            module.resolving.discard(name)
    if name in module.scope.names:
        return module.scope.names[name]
    for star in module.stars:
        found = imported(reader, module, star, name, star)
        if found is not NOTHING and not isinstance(found, Unknown):
            return found
    return NOTHING


def imported(
    reader: Reader, module: Module, statement: ast.ImportFrom, name: str, node: ast.AST
) -> object:
    """What `from … import name` gives."""
    target = reader.package.imported(module, statement.module or "", statement.level)
    if isinstance(target, Foreign):
        if statement.names[0].name == "*" and not declares(f"{target.name}.{name}"):
            return NOTHING
        return constant(Foreign(f"{target.name}.{name}"))
    inside = module_from(reader, target, module.scope, node) if target else None
    if isinstance(inside, Unknown):
        return inside
    if inside is not None:
        found = of_module(reader, inside, name)
        if found is not NOTHING:
            return found
    dotted = [*(statement.module.split(".") if statement.module else []), name]
    below = reader.package.imported(module, ".".join(dotted), statement.level)
    if isinstance(below, str):
        other = module_from(reader, below, module.scope, node)
        if other is not None:
            return other
    return Unknown(
        module.path, statement.lineno, f"import {name}", "the package has no such name or file"
    )


def module_from(
    reader: Reader, target: str, scope: Scope, node: ast.AST
) -> Module | Unknown | None:
    """The module of a path; Unknown if it cannot be parsed."""
    module = reader.package.module(target)
    if isinstance(module, Unread):
        return Unknown(module.file, module.line, "", module.message)
    return module


def declares(name: str) -> bool:
    """Whether a foreign name is one of Hermes' classes and constants for declarations."""
    module, _, last = name.rpartition(".")
    return module.endswith("config_schema") and last.startswith(("KIND_", "STORAGE_", "Provider"))


def constant(name: Foreign) -> object:
    """Hermes' KIND_TEXT and STORAGE_FLAT_JSON stand for "text" and "flat_json"."""
    if declares(name.name) and name.last.startswith(("KIND_", "STORAGE_")):
        return name.last.partition("_")[2].lower()
    return name


def bind(reader: Reader, target: ast.expr, value: object, scope: Scope) -> None:
    """`target = value`."""
    match target:
        case ast.Name(id=name):
            scope.names[name] = value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            items = reader.items(value, target, scope)
            if len(items) != len(parts) or any(isinstance(part, ast.Starred) for part in parts):
                items = [reader.unknown(target, scope, "it is not known what it is made of")] * len(
                    parts
                )
            for part, item in zip(parts, items, strict=True):
                bind(reader, part, item, scope)
        case ast.Subscript(value=owner, slice=key):
            inside = reader.eval(owner, scope)
            if isinstance(inside, dict):
                operators.put(inside, reader.sure(reader.eval(key, scope)), value)
        case ast.Attribute(value=owner, attr=attr):
            made = reader.eval(owner, scope)
            if isinstance(made, Made):
                made.attributes[attr] = value


# --- Attributes ------------------------------------------------------------------------------


def attribute(reader: Reader, owner: object, name: str, node: ast.AST, scope: Scope) -> object:
    """`owner.name`."""
    if isinstance(owner, Unknown):
        if owner.guess is NOTHING:
            return reader.unknown(node, scope, owner.why)
        guess = attribute(reader, owner.guess, name, node, scope)
        if isinstance(guess, Method):
            return Method(guess.owner, guess.name, owner)
        return reader.unknown(node, scope, owner.why, guess)
    if isinstance(owner, Module):
        found = of_module(reader, owner, name)
        if found is NOTHING:
            return reader.unknown(node, scope, f"{owner.path} has no {name}")
        return found
    if isinstance(owner, Foreign):
        return constant(Foreign(f"{owner.name}.{name}"))
    if isinstance(owner, Class):
        return _of_class(reader, owner, name, node, scope, owner)
    if isinstance(owner, Made):
        return _of_made(reader, owner, name, node, scope)
    part = _of_path(owner, name) if isinstance(owner, str) else None
    return Method(owner, name) if part is None else part


def _of_path(path: str, name: str) -> str | None:
    """`path.parent` and the like, of a text that is a path."""
    before, _, last = path.rpartition("/")
    stem, dot, suffix = last.rpartition(".")
    match name:
        case "parent":
            return before
        case "name":
            return last
        case "stem":
            return stem or last
        case "suffix":
            return dot + suffix if stem else ""
    return None


def _of_made(reader: Reader, made: Made, name: str, node: ast.AST, scope: Scope) -> object:
    if name in made.attributes:
        value = made.attributes[name]
        if made.unsure is not None and isinstance(value, str | int | float):
            return reader.unknown(node, scope, made.unsure.why, value)
        return value
    if made.of is None:
        return reader.unknown(node, scope, f"{made.kind} says nothing of {name}")
    found = member(reader, made.of, name)
    if found is NOTHING and name in ("_asdict", "dict", "model_dump", "to_dict", "as_dict"):
        return Partial(Foreign("asdict"), (made,), ())
    if found is NOTHING:
        value = _set_by_init(reader, made, name)
        return reader.unknown(node, scope, "it is set while running") if value is NOTHING else value
    return calls.taken(reader, found, made, node, scope)


def _of_class(
    reader: Reader, cls: Class, name: str, node: ast.AST, scope: Scope, owner: object
) -> object:
    if name == "__name__":
        return cls.node.name
    found = member(reader, cls, name)
    if found is NOTHING:
        return reader.unknown(node, scope, f"{cls.node.name} has no {name}")
    if is_enum(reader, cls) and not isinstance(found, Function):
        return calls.enum_member(cls, name, found)
    return (
        found
        if isinstance(found, Function) and not calls.marked(found, "classmethod")
        else (calls.taken(reader, found, owner, node, scope))
    )


def member(reader: Reader, cls: Class, name: str) -> object:
    """What a class or one of its bases in the package says a name is; NOTHING if none does."""
    for one in lineage(reader, cls):
        if name in one.members:
            return one.members[name]
        statements = concerned(one.node.body).get(name)
        if statements:
            one.members[name] = Unknown(path(one.scope), None, name, "it depends on itself")
            inner = Scope(one.scope.module, one.scope, of_class=True)
            inner.names.update({k: v for k, v in one.members.items() if k != name})
            running.run(statements, inner, reader)
            one.members[name] = inner.names.get(name, NOTHING)
            if one.members[name] is not NOTHING:
                return one.members[name]
    return NOTHING


def lineage(reader: Reader, cls: Class) -> list[Class]:
    """The class and its bases in the package, nearest first."""
    found: list[Class] = []
    waiting = [cls]
    while waiting and len(found) < 20:
        one = waiting.pop(0)
        if one in found:
            continue
        found.append(one)
        bases = [reader.eval(base, one.scope) for base in one.node.bases]
        waiting += [base for base in bases if isinstance(base, Class)]
    return found


def is_enum(reader: Reader, cls: Class) -> bool:
    """Whether a class is an enumeration."""
    return any(
        isinstance(base, ast.Name | ast.Attribute)
        and (base.id if isinstance(base, ast.Name) else base.attr).endswith(("Enum", "Flag"))
        for one in lineage(reader, cls)
        for base in one.node.bases
    )


def enum_members(reader: Reader, cls: Class) -> list[object]:
    """What a loop over an enumeration goes through."""
    found: list[object] = []
    for statement in cls.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if not name.startswith("_"):
                found.append(calls.enum_member(cls, name, member(reader, cls, name)))
    return found


def _set_by_init(reader: Reader, made: Made, name: str) -> object:
    """What `self.name = …` in `__init__` says, with what is passed taken as not known."""
    init = member(reader, cast(Class, made.of), "__init__")
    if not isinstance(init, Function) or isinstance(init.node, ast.Lambda):
        return NOTHING
    for statement in init.node.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=attr)], value=value) | (
                ast.AnnAssign(target=ast.Attribute(value=ast.Name(), attr=attr), value=value)
            ) if attr == name and value is not None:
                made.attributes[name] = Unknown(
                    path(init.scope), statement.lineno, name, "it depends on itself"
                )
                scope = calls.scope_of(reader, init, [made], {}, statement)
                made.attributes[name] = reader.eval(value, scope)
                return made.attributes[name]
    return NOTHING
