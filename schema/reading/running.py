"""Goes through the statements of a function or a file that build a declaration.

Where a condition is only known once the code runs, the likelier branch decides, and what the other
one adds to lists and mappings is taken as well: more can be configured then, and nothing is lost.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from schema.reading import calls, names, operators
from schema.reading.values import NOTHING, REST, Class, Foreign, Function, Scope, TooMuch, Unknown

if TYPE_CHECKING:
    from schema.reading.evaluate import Reader


class Ends:
    """How statements end before their last one: `return value`, `raise`, `break`, `continue`."""

    __slots__ = ("how", "value")

    def __init__(self, how: str, value: object = None) -> None:
        self.how, self.value = how, value


def run(statements: list[ast.stmt], scope: Scope, reader: Reader) -> Ends | None:
    """Go through statements; None if their end was reached."""
    for index, statement in enumerate(statements):
        reader.step(statement)
        if isinstance(statement, ast.If):
            ends = _if(statement, statements[index + 1 :], scope, reader)
            if ends is not None and ends.how == "done":
                return None
        elif isinstance(statement, ast.Try | ast.TryStar):
            ends = _try(statement, statements[index + 1 :], scope, reader)
        else:
            ends = _one(statement, scope, reader)
        if ends is not None:
            return ends
    return None


def _one(statement: ast.stmt, scope: Scope, reader: Reader) -> Ends | None:
    match statement:
        case ast.Return(value=value):
            return Ends("return", None if value is None else reader.eval(value, scope))
        case ast.Raise():
            return Ends("raise", statement)
        case ast.Break():
            return Ends("break")
        case ast.Continue():
            return Ends("continue")
        case ast.Expr(value=ast.Yield(value=one)) if one is not None:
            calls.yielded(scope).append(reader.eval(one, scope))
        case ast.Expr(value=ast.YieldFrom(value=each)):
            calls.yielded(scope).extend(reader.items(reader.eval(each, scope), statement, scope))
        case ast.Expr(value=said):
            if not isinstance(said, ast.Constant):
                reader.eval(said, scope)
        case ast.For():
            return _for(statement, scope, reader)
        case ast.With():
            for entered in statement.items:
                given = reader.eval(entered.context_expr, scope)
                if entered.optional_vars is not None:
                    names.bind(reader, entered.optional_vars, given, scope)
            return run(statement.body, scope, reader)
        case ast.Match():
            return _match(statement, scope, reader)
        case ast.While():
            _forget(statement, scope, reader, "how often it is gone through is not known")
        case _:
            _bind(statement, scope, reader)
    return None


def _bind(statement: ast.stmt, scope: Scope, reader: Reader) -> None:
    """Statements that give names their meaning; others are without one here."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            made = reader.eval(value, scope)
            for target in targets:
                names.bind(reader, target, made, scope)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            names.bind(reader, target, reader.eval(value, scope), scope)
        case ast.AugAssign(target=target, op=op, value=value):
            _add(target, op, reader.eval(value, scope), statement, scope, reader)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            scope.names[statement.name] = Function(statement, scope.seen_by_functions)
        case ast.ClassDef():
            scope.names[statement.name] = Class(statement, scope)
        case ast.Import():
            _import(statement, scope, reader)
        case ast.ImportFrom():
            for name in statement.names:
                if name.name != "*":
                    scope.names[name.asname or name.name] = names.imported(
                        reader, names.module_of(scope), statement, name.name, statement
                    )
        case ast.Delete(targets=targets):
            for target in targets:
                if isinstance(target, ast.Name):
                    scope.names.pop(target.id, None)


def _add(
    target: ast.expr, op: ast.operator, more: object, node: ast.stmt, scope: Scope, reader: Reader
) -> None:
    """`target += more`; a list stays the same list."""
    before = reader.eval(target, scope)
    if isinstance(op, ast.Add) and isinstance(before, list):
        before.extend(reader.items(more, node, scope))
        reader.keep(before)
        return
    if isinstance(op, ast.BitOr) and isinstance(before, dict):
        more = reader.sure(more)
        before.update(more if isinstance(more, dict) else {REST: more})
        return
    names.bind(
        reader,
        target,
        reader.keep(operators.binary(reader, op, before, more, node, scope)),
        scope,
    )


def _import(statement: ast.Import, scope: Scope, reader: Reader) -> None:
    module = names.module_of(scope)
    for name in statement.names:
        target = reader.package.imported(module, name.name, 0)
        bound = name.asname or name.name.split(".")[0]
        if isinstance(target, str) and (name.asname or "." not in name.name):
            inside = names.module_from(reader, target, scope, statement)
            scope.names[bound] = inside if inside is not None else Foreign(name.name)
        else:
            scope.names[bound] = Foreign(name.name if name.asname else bound)


def _for(statement: ast.For, scope: Scope, reader: Reader) -> Ends | None:
    for item in reader.items(reader.eval(statement.iter, scope), statement, scope):
        reader.step(statement)
        names.bind(reader, statement.target, item, scope)
        ends = run(statement.body, scope, reader)
        if ends is not None and ends.how == "break":
            return None
        if ends is not None and ends.how != "continue":
            return ends
    return run(statement.orelse, scope, reader)


def _match(statement: ast.Match, scope: Scope, reader: Reader) -> Ends | None:
    """A match by plain values; the first case that fits, or may fit."""
    subject = operators.reader_guess(reader.eval(statement.subject, scope))
    for case in statement.cases:
        whole = case.pattern
        patterns = whole.patterns if isinstance(whole, ast.MatchOr) else [whole]
        values = [one.value for one in patterns if isinstance(one, ast.MatchValue)]
        fits = len(values) < len(patterns) or any(
            operators.hashable(subject) and reader.eval(value, scope) == subject for value in values
        )
        if fits and (case.guard is None or operators.truth(reader.eval(case.guard, scope))):
            return run(case.body, scope, reader)
    return None


def _if(statement: ast.If, rest: list[ast.stmt], scope: Scope, reader: Reader) -> Ends | None:
    truth = operators.truth(reader.eval(statement.test, scope))
    if isinstance(truth, bool):
        return run(statement.body if truth else statement.orelse, scope, reader)
    first, second = statement.body, statement.orelse
    if truth.guess is False:
        first, second = second, first
    reader.said.setdefault((truth.file, truth.line), truth)
    if truth.guess is NOTHING and (_leaves(first) or _leaves(second)):
        return _either(first, second, rest, scope, reader)
    ends = run(first, scope, reader)
    if ends is None and not _leaves(second):
        # Names keep what the likelier branch gave them, as a guess; what is added to lists stays.
        before = dict(scope.names)
        run(second, scope, reader)
        for name, value in before.items():
            other = scope.names.get(name)
            plain = isinstance(value, str | int | float) or value is None
            if plain and other is not value and other != value:
                value = reader.unknown(statement, scope, truth.why, value)
            scope.names[name] = value
    return ends


def _either(
    first: list[ast.stmt],
    second: list[ast.stmt],
    rest: list[ast.stmt],
    scope: Scope,
    reader: Reader,
) -> Ends | None:
    """Take the branch that gives more, each with all that follows it."""
    before = calls.copied_names(reader, scope)
    ends = [run([*first, *rest], scope, reader)]
    after = dict(scope.names)
    scope.names.clear()
    scope.names.update(before)
    ends.append(run([*second, *rest], scope, reader))
    worth = [_worth(one) for one in ends]
    if worth[0] >= worth[1]:
        scope.names.clear()
        scope.names.update(after)
        return ends[0] or Ends("done")
    return ends[1] or Ends("done")


def _worth(ends: Ends | None) -> int:
    """How much there is to read in what a branch gives."""
    if ends is None:
        return 1
    if ends.how == "raise":
        return -1
    value = ends.value
    if isinstance(value, Unknown):
        return 0 if value.guess is NOTHING else 1
    return 1 + len(value) if isinstance(value, list | tuple | dict) else 1


def _leaves(statements: list[ast.stmt]) -> bool:
    """Whether a function may end inside of statements."""
    return any(
        isinstance(node, ast.Return | ast.Raise)
        for statement in statements
        for node in ast.walk(statement)
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
    )


def _try(
    statement: ast.Try | ast.TryStar, rest: list[ast.stmt], scope: Scope, reader: Reader
) -> Ends | None:
    ends = run(statement.body, scope, reader)
    handler = statement.handlers[0].body if statement.handlers else []
    if ends is not None and ends.how == "raise" and statement.handlers:
        ends = run(handler, scope, reader)
    elif ends is None:
        ends = run(statement.orelse, scope, reader)
        _instead(statement, handler, scope, reader)
    elif ends.how == "return" and (value := _vague(ends.value)) is not None:
        # What cannot be known may also fail; what is given then is the best guess.
        other = run([*handler, *statement.finalbody, *rest], scope, reader)
        if other is not None and other.how == "return":
            guess = operators.reader_guess(other.value)
            ends = Ends(
                "return", Unknown(value.file, value.line, value.construct, value.why, guess)
            )
    return run(statement.finalbody, scope, reader) or ends


def _vague(value: object) -> Unknown | None:
    """The value as an unknown one, if nothing at all is known of it."""
    if isinstance(value, Foreign):
        return Unknown("", None, value.name, "it comes from outside of the package")
    return value if isinstance(value, Unknown) and value.guess is NOTHING else None


def _instead(
    statement: ast.Try | ast.TryStar, handler: list[ast.stmt], scope: Scope, reader: Reader
) -> None:
    """Take plain values from the handler for names that the body could not give a known one."""
    bound = {
        target.id
        for one in handler
        if isinstance(one, ast.Assign)
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    for name in bound:
        value = scope.names.get(name)
        vague = isinstance(value, Unknown) and value.guess is NOTHING
        if name in scope.names and not vague and not isinstance(value, Foreign):
            continue
        inner = Scope(scope.module, scope)
        run(handler, inner, reader)
        guess = operators.reader_guess(inner.names.get(name, NOTHING))
        if guess is not NOTHING and not isinstance(guess, Foreign | Class | Function):
            scope.names[name] = reader.unknown(statement, scope, "it may not be installed", guess)


def _forget(statement: ast.While, scope: Scope, reader: Reader, why: str) -> None:
    """A loop that is not gone through: what it binds or adds to is not known."""
    from schema.reading.package import concerned

    for name in concerned([statement]):
        value = scope.names.get(name)
        more = reader.unknown(statement, scope, why)
        if isinstance(value, list):
            value.append(more)
        elif isinstance(value, dict):
            value[REST] = more
        else:
            scope.names[name] = more


__all__ = ["Ends", "TooMuch", "run"]
