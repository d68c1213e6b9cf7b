"""Declarations in Python files: finds where a package declares its settings, and reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from schema.providers import Reading, Undeclared, Unread
from schema.reading import calls, names, operators
from schema.reading.evaluate import Reader
from schema.reading.package import Module, Package
from schema.reading.said import Said
from schema.reading.shapes import schema_of_list, schema_of_object
from schema.reading.source import SourceTree
from schema.reading.values import (
    NOTHING,
    Class,
    Function,
    Made,
    TooMuch,
    Unknown,
)

METHOD = "get_config_schema"
NEW_STYLE_FILE = "config_schema.py"
NEW_STYLE_NAME = "CONFIG_SCHEMA"
_TESTS = re.compile(r"(^|/)(tests?|examples?|docs?)/|(^|/)(test_[^/]*|conftest)\.py$")


def read_new_style(source: SourceTree) -> Reading:
    """Read CONFIG_SCHEMA of the package's config_schema.py; Undeclared where there is none."""
    if NEW_STYLE_FILE in source.skipped:
        return Unread(NEW_STYLE_FILE, None, "", source.skipped[NEW_STYLE_FILE])
    if NEW_STYLE_FILE not in source.files or NEW_STYLE_NAME not in source.files[NEW_STYLE_FILE]:
        return Undeclared()

    def read(reader: Reader) -> Reading:
        module = reader.package.module(NEW_STYLE_FILE)
        if not isinstance(module, Module):
            return module or Undeclared()
        value = names.of_module(reader, module, NEW_STYLE_NAME)
        if isinstance(value, Unknown):
            if value.guess is NOTHING:
                return _unread(value, NEW_STYLE_FILE)
            value = reader.sure(value)
        if value is NOTHING or value is None:
            return Undeclared()
        said = _said(reader, NEW_STYLE_FILE)
        if isinstance(value, Made):
            return schema_of_object(value, source.package, "new", said)
        return schema_of_list(value, source.package, "new", said)

    return _bounded(source, NEW_STYLE_FILE, read)


def read_old_style(source: SourceTree, name: str) -> Reading:
    """Read what get_config_schema() returns; Undeclared where no class of the package has it."""
    paths = [path for path in _ordered(source) if METHOD in source.files[path]]
    if not paths:
        skipped = [path for path in source.skipped if path.endswith(".py") and "/" not in path]
        if skipped:
            return Unread(skipped[0], None, "", source.skipped[skipped[0]])
        return Undeclared()

    def read(reader: Reader) -> Reading:
        found = _declaring(reader, paths)
        if isinstance(found, Unread):
            return found
        if found is None:
            return Undeclared()
        path, function = found
        node = function.node
        value = calls.apply(reader, function, [], {}, node, function.scope)
        if isinstance(value, Unknown):
            if value.guess is NOTHING:
                return _unread(value, path)
            value = reader.sure(value)
        if value is None or not isinstance(value, list | tuple | dict | Made):
            if value is None:
                return Undeclared()
            return Unread(path, node.lineno, METHOD, "what it gives is no list of fields")
        return schema_of_list(value, name, "old", _said(reader, path))

    return _bounded(source, paths[0], read)


def _bounded(source: SourceTree, file: str, read: Callable[[Reader], Reading]) -> Reading:
    """Read within the bounds; what goes beyond is named with the place."""
    reader = Reader(Package(source))
    try:
        return read(reader)
    except TooMuch as error:
        return Unread(file, error.line or reader.line, "", error.message)
    except RecursionError:
        return Unread(file, reader.line, "", "nested too deep")


def _unread(value: Unknown, file: str) -> Unread:
    return Unread(value.file or file, value.line, value.construct, value.why)


def _said(reader: Reader, file: str) -> Said:
    """What to say at first: where a best guess decided what there is."""
    said = Said(file)
    guesses = [guess for guess in reader.said.values() if guess.construct]
    for guess in guesses[:1]:
        more = f", and {len(guesses) - 1} more such places" if len(guesses) > 1 else ""
        said.note(
            "",
            f"read as it most likely is: {guess.construct} ({guess.why}){more}",
            line=guess.line,
            file=guess.file,
        )
    return said


# --- Where a package declares ----------------------------------------------------------------


def _ordered(source: SourceTree) -> list[str]:
    """The Python files, nearest to the root first; tests are none of the package's business."""
    paths = [path for path in source.files if path.endswith(".py") and not _TESTS.search(path)]
    return sorted(paths, key=lambda path: (path.count("/"), not path.endswith("__init__.py"), path))


def _declaring(reader: Reader, paths: list[str]) -> tuple[str, Function] | Unread | None:
    """The method of the class that is registered, else of the first that has it."""
    unread: Unread | None = None
    candidates: list[tuple[int, str, Function]] = []
    registered = _registered(reader)
    for cls in registered:
        found = _bound(reader, cls)
        if found is not None:
            return names.path(found.scope), found
    for path in paths:
        module = reader.package.module(path)
        if isinstance(module, Unread):
            unread = unread or module
            continue
        if module is None:
            continue
        for node in _classes(module.tree):
            method = _method(reader, module, node)
            if method is not None:
                candidates.append((1 if _provides(node) else 2, path, method))
        plain = names.of_module(reader, module, METHOD) if METHOD in module.about else NOTHING
        if isinstance(plain, Function) and plain.scope is module.scope:
            candidates.append((3, path, plain))
    if not candidates:
        return unread
    _, path, function = min(candidates, key=lambda candidate: candidate[0])
    return path, function


def _classes(tree: ast.Module) -> list[ast.ClassDef]:
    """Classes of the file itself, also where `try` or `if` stands around one."""
    found: list[ast.ClassDef] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                found.append(child)
            elif isinstance(child, ast.stmt | ast.ExceptHandler) and not isinstance(
                child, ast.FunctionDef | ast.AsyncFunctionDef
            ):
                waiting.append(child)
    return found


def _method(reader: Reader, module: Module, node: ast.ClassDef) -> Function | None:
    """get_config_schema of an object of the class, if the class itself has it."""
    if not any(
        (isinstance(one, ast.FunctionDef) and one.name == METHOD)
        or (isinstance(one, ast.Assign) and METHOD in ast.unparse(one.targets[0]))
        for one in node.body
    ):
        return None
    return _bound(reader, Class(node, module.scope))


def _bound(reader: Reader, cls: Class) -> Function | None:
    """get_config_schema of an object of the class, wherever in the package it comes from."""
    made = Made(cls.node.name, {}, names.path(cls.scope), cls.node.lineno)
    made.of = cls
    found = calls.taken(reader, names.member(reader, cls, METHOD), made, cls.node, cls.scope)
    return found if isinstance(found, Function) else None


def _provides(node: ast.ClassDef) -> bool:
    """Whether a class says that it is a memory provider."""
    return any("MemoryProvider" in ast.unparse(base) for base in node.bases)


def _registered(reader: Reader) -> list[Class]:
    """The classes of the package of which `register` makes an object."""
    found: dict[int, Class] = {}
    for path in _ordered(reader.package.source):
        if "register_memory_provider" not in reader.package.source.files[path]:
            continue
        module = reader.package.module(path)
        if not isinstance(module, Module):
            continue
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.FunctionDef) or node.name != "register":
                continue
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                    cls = operators.reader_guess(names.of_module(reader, module, inner.func.id))
                    if isinstance(cls, Class):
                        found[id(cls.node)] = cls
    return list(found.values())
