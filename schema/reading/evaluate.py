"""Reads an expression of a declaration, without running anything.

What is only known once the code runs becomes an `Unknown` and goes on as one; nothing is looked up
outside of the package's own texts. Every step is counted (`schema.reading.limits`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from schema.reading import calls, elsewhere, names, operators
from schema.reading.limits import MAX_DEPTH, MAX_ITEMS, MAX_MADE, MAX_STEPS, MAX_STRING
from schema.reading.values import (
    NOTHING,
    REST,
    Class,
    Function,
    Scope,
    TooMuch,
    Unknown,
    shown,
    too_large,
)

if TYPE_CHECKING:
    from schema.reading.package import Package


class Reader:
    """Reads expressions of one package. `said` are the places where a best guess was taken."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.steps = self.depth = self.made = self.calls = 0
        self.said: dict[tuple[str, int | None], Unknown] = {}
        self.line: int | None = None

    # --- Bounds and what cannot be known -----------------------------------------------------

    def step(self, node: ast.AST) -> None:
        """Count one step."""
        self.line = getattr(node, "lineno", self.line)
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooMuch(self.line, f"more than {MAX_STEPS:,} steps would be needed")

    def keep(self, value: object) -> object:
        """Count what came about; too large a value raises TooMuch."""
        if isinstance(value, str):
            size, most = len(value), MAX_STRING
        elif isinstance(value, list | tuple | dict | set | frozenset):
            size, most = len(value), MAX_ITEMS
        else:
            return value
        self.made += size
        if size > most or self.made > MAX_MADE:
            raise TooMuch(self.line, too_large(value, most))
        return value

    def unknown(self, node: ast.AST, scope: Scope, why: str, guess: object = NOTHING) -> Unknown:
        """Say that the value of `node` is only known once the code runs."""
        return Unknown(names.path(scope), getattr(node, "lineno", None), shown(node), why, guess)

    def sure(self, value: object) -> object:
        """Give the best guess for an unknown value, and remember that it was one."""
        if not isinstance(value, Unknown) or value.guess is NOTHING:
            return value
        self.said.setdefault((value.file, value.line), value)
        return value.guess

    # --- Expressions -------------------------------------------------------------------------

    def eval(self, node: ast.expr, scope: Scope) -> object:
        """Give what an expression says."""
        self.step(node)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooMuch(self.line, f"nested more than {MAX_DEPTH} expressions deep")
        try:
            read = _READ.get(type(node))
            if read is None:
                return self.unknown(node, scope, "this kind of expression is not read")
            return self.keep(read(self, node, scope))
        finally:
            self.depth -= 1

    def all(self, nodes: Iterable[ast.expr], scope: Scope) -> list[object]:
        """Give what each says; a starred one is laid out."""
        found: list[object] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += self.items(self.eval(node.value, scope), node, scope)
            else:
                found.append(self.eval(node, scope))
        return found

    def items(self, value: object, node: ast.AST, scope: Scope) -> list[object]:
        """Give what a loop over a value goes through; one Unknown if that cannot be told."""
        value = self.sure(value)
        if isinstance(value, Class):
            return names.enum_members(self, value)
        if isinstance(value, str | list | tuple | dict | set | frozenset | range):
            if len(value) > MAX_ITEMS:
                raise TooMuch(self.line, f"more than {MAX_ITEMS:,} items would be gone through")
            self.made += len(value)
            ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
            return [value if key is REST else key for key in ordered]
        if isinstance(value, Unknown):
            return [Unknown(value.file, value.line, value.construct, value.why)]
        return [self.unknown(node, scope, "what it goes through is not known")]


def _constant(reader: Reader, node: ast.Constant, scope: Scope) -> object:
    value = node.value
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return reader.unknown(node, scope, "this kind of value is not read")


def _name(reader: Reader, node: ast.Name, scope: Scope) -> object:
    return names.look_up(reader, node.id, scope, node)


def _list(reader: Reader, node: ast.List, scope: Scope) -> object:
    return reader.all(node.elts, scope)


def _tuple(reader: Reader, node: ast.Tuple, scope: Scope) -> object:
    return tuple(reader.all(node.elts, scope))


def _set(reader: Reader, node: ast.Set, scope: Scope) -> object:
    return operators.as_set(reader.all(node.elts, scope))


def _dict(reader: Reader, node: ast.Dict, scope: Scope) -> object:
    found: dict[object, object] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        made = reader.eval(value, scope)
        if key is None:
            made = reader.sure(made)
            found.update(made if isinstance(made, dict) else {REST: made})
        else:
            operators.put(found, reader.sure(reader.eval(key, scope)), made)
    return found


def _joined(reader: Reader, node: ast.JoinedStr, scope: Scope) -> object:
    parts: list[str] = []
    guessed: Unknown | None = None
    for part in node.values:
        value = reader.eval(part, scope)
        if isinstance(value, Unknown):
            if value.guess is NOTHING:
                return reader.unknown(node, scope, value.why)
            guessed, value = value, value.guess
        parts.append(str(value))
        reader.keep(parts[-1])
    text = "".join(parts)
    return text if guessed is None else reader.unknown(node, scope, guessed.why, text)


def _formatted(reader: Reader, node: ast.FormattedValue, scope: Scope) -> object:
    value = reader.eval(node.value, scope)
    if isinstance(value, Unknown) or node.format_spec is None:
        return elsewhere.as_str(reader, value, node, scope)
    spec = reader.eval(node.format_spec, scope)
    return elsewhere.formatted(reader, value, spec, node, scope)


def _binary(reader: Reader, node: ast.BinOp, scope: Scope) -> object:
    # A long sum of texts is nested to the left; it is gone through, not into.
    right: list[tuple[ast.operator, ast.expr]] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        reader.step(left)
        right.append((left.op, left.right))
        left = left.left
    value = reader.eval(left, scope)
    for op, operand in reversed(right):
        value = reader.keep(
            operators.binary(reader, op, value, reader.eval(operand, scope), node, scope)
        )
    return value


def _unary(reader: Reader, node: ast.UnaryOp, scope: Scope) -> object:
    value = reader.eval(node.operand, scope)
    if isinstance(node.op, ast.Not):
        truth = operators.truth(value)
        if isinstance(truth, bool):
            return not truth
        guess = NOTHING if truth.guess is NOTHING else not truth.guess
        return reader.unknown(node, scope, truth.why, guess)
    if isinstance(node.op, ast.USub) and isinstance(value, int | float):
        return -value
    return reader.unknown(node, scope, "this kind of expression is not read")


def _bool(reader: Reader, node: ast.BoolOp, scope: Scope) -> object:
    wanted = isinstance(node.op, ast.Or)
    value: object = NOTHING
    unsure: Unknown | None = None
    for part in node.values:
        value = reader.eval(part, scope)
        truth = operators.truth(value)
        if isinstance(truth, Unknown):
            unsure = unsure or truth
            # `unknown or "this"` most likely is "this"; `unknown and …` is nothing to go by.
            if (truth.guess is NOTHING and not wanted) or truth.guess is wanted:
                break
        elif truth is wanted:
            break
    if unsure is None:
        return value
    guess = value.guess if isinstance(value, Unknown) else value
    return reader.unknown(node, scope, unsure.why, guess)


def _compare(reader: Reader, node: ast.Compare, scope: Scope) -> object:
    left = reader.eval(node.left, scope)
    result: object = True
    for op, operand in zip(node.ops, node.comparators, strict=True):
        right = reader.eval(operand, scope)
        result = operators.compare(reader, op, left, right, node, scope)
        if result is not True:
            return result
        left = right
    return result


def _choice(reader: Reader, node: ast.IfExp, scope: Scope) -> object:
    truth = operators.truth(reader.eval(node.test, scope))
    if isinstance(truth, bool):
        return reader.eval(node.body if truth else node.orelse, scope)
    likely = node.body if truth.guess is NOTHING or truth.guess else node.orelse
    value = reader.eval(likely, scope)
    guess = value.guess if isinstance(value, Unknown) else value
    if truth.guess is NOTHING:
        # With nothing to go by, the other side is as likely, and often the plain one.
        other = reader.eval(node.orelse, scope)
        guess = other if isinstance(value, Unknown) and value.guess is NOTHING else guess
    return reader.unknown(node, scope, truth.why, guess)


def _attribute(reader: Reader, node: ast.Attribute, scope: Scope) -> object:
    return names.attribute(reader, reader.eval(node.value, scope), node.attr, node, scope)


def _subscript(reader: Reader, node: ast.Subscript, scope: Scope) -> object:
    owner = reader.eval(node.value, scope)
    if isinstance(node.slice, ast.Slice):
        return operators.sliced(reader, owner, node, scope)
    return operators.item(reader, owner, reader.eval(node.slice, scope), node, scope)


def _call(reader: Reader, node: ast.Call, scope: Scope) -> object:
    return calls.call(reader, node, scope)


def _lambda(reader: Reader, node: ast.Lambda, scope: Scope) -> object:
    return Function(node, scope)


def _walrus(reader: Reader, node: ast.NamedExpr, scope: Scope) -> object:
    value = reader.eval(node.value, scope)
    scope.names[node.target.id] = value
    return value


def _comprehension(
    reader: Reader, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope
) -> object:
    found: list[object] = []
    _loop(
        reader,
        node.generators,
        scope,
        node,
        lambda inner: found.append(reader.eval(node.elt, inner)),
        found.append,
    )
    return operators.as_set(found) if isinstance(node, ast.SetComp) else found


def _dict_comprehension(reader: Reader, node: ast.DictComp, scope: Scope) -> object:
    found: dict[object, object] = {}

    def take(inner: Scope) -> None:
        key = reader.sure(reader.eval(node.key, inner))
        operators.put(found, key, reader.eval(node.value, inner))

    _loop(reader, node.generators, scope, node, take, lambda more: found.update({REST: more}))
    return found


def _loop(
    reader: Reader,
    generators: list[ast.comprehension],
    scope: Scope,
    node: ast.AST,
    take: Callable[[Scope], object],
    more: Callable[[object], object],
) -> None:
    """Go through `for … if …`; what cannot be told is taken once as `more`."""
    if not generators:
        take(scope)
        return
    first, *others = generators
    for item in reader.items(reader.eval(first.iter, scope), node, scope):
        reader.step(node)
        inner = Scope(scope.module, scope)
        names.bind(reader, first.target, item, inner)
        kept: object = True
        for test in first.ifs:
            kept = operators.truth(reader.eval(test, inner))
            if isinstance(kept, Unknown):
                reader.said.setdefault((kept.file, kept.line), kept)
            if kept is False or (isinstance(kept, Unknown) and kept.guess is NOTHING):
                break
            kept = kept.guess if isinstance(kept, Unknown) else kept
            if not kept:
                break
        if isinstance(kept, Unknown):
            more(kept)
        elif kept:
            _loop(reader, others, inner, node, take, more)


def _starred(reader: Reader, node: ast.Starred, scope: Scope) -> object:
    return reader.eval(node.value, scope)


_READ: dict[type[ast.AST], Callable[..., object]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool,
    ast.Compare: _compare,
    ast.IfExp: _choice,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Starred: _starred,
}
