"""The modules of one package: which statements concern a name, and where an import leads."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from schema.providers import Unread
from schema.reading.limits import MAX_PARSED
from schema.reading.parsing import parse_file
from schema.reading.source import SourceTree
from schema.reading.values import Foreign, Scope, TooMuch

_CHANGING = frozenset(
    ("append", "extend", "insert", "update", "add", "pop", "remove", "setdefault", "clear", "sort")
)
_ELSEWHERE = sys.stdlib_module_names | {
    *("agent", "gateway", "hermes_cli", "hermes_constants", "hermes_state", "tools", "plugins"),
    *("dotenv", "httpx", "openai", "pydantic", "requests", "yaml"),
}
"""Names that an import means something outside of the package by, whatever files it has."""


class Module:
    """One file of the package. `about` tells which of its statements concern a name."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self.scope = Scope(self)
        self.done: set[int] = set()
        self.resolving: set[str] = set()
        self.about = concerned(tree.body)
        self.stars = [
            node
            for node in tree.body
            if isinstance(node, ast.ImportFrom) and any(name.name == "*" for name in node.names)
        ]

    @property
    def parts(self) -> list[str]:
        """The dotted name of the package that the file lies in, below the root of the tree."""
        parts = self.path.split("/")
        return parts[:-1]


class Package:
    """All files that were collected; they are parsed when something of them is needed."""

    def __init__(self, source: SourceTree) -> None:
        self.source = source
        self._modules: dict[str, Module | Unread] = {}

    def module(self, path: str) -> Module | Unread | None:
        """Give the module of a path; None if there is no such file."""
        if path not in self._modules:
            text = self.source.files.get(path)
            if text is None:
                return None
            if len(self._modules) >= MAX_PARSED:
                raise TooMuch(None, f"more than {MAX_PARSED} files would have to be read")
            tree = parse_file(path, text)
            self._modules[path] = tree if isinstance(tree, Unread) else Module(path, tree)
        return self._modules[path]

    def find(self, dotted: list[str], *, inside: list[str]) -> str | None:
        """The path of a module given by its parts, looked for in the folder `inside`."""
        base = "/".join([*inside, *dotted])
        for path in (f"{base}.py", f"{base}/__init__.py" if base else "__init__.py"):
            if path in self.source.files:
                return path
        return None

    def imported(self, module: Module, name: str, level: int) -> str | Foreign | None:
        """Where `from <name> import` leads: a path, something foreign, or nowhere."""
        dotted = name.split(".") if name else []
        if level:
            above = module.parts
            if level - 1 > len(above):
                return self.find(dotted, inside=[])
            return self.find(dotted, inside=above[: len(above) - level + 1])
        return self._absolute(module, dotted) or Foreign(name)

    def _absolute(self, module: Module, dotted: list[str]) -> str | None:
        """An import by the package's own full name, or of a file that lies beside."""
        if dotted[:2] == ["plugins", "memory"] and len(dotted) > 2:
            dotted = dotted[2:] if dotted[2] != "config_schema" else []
        if not dotted or dotted[0] in _ELSEWHERE:
            return None
        beside = self.find(dotted, inside=module.parts) or self.find(dotted, inside=[])
        if beside:
            return beside
        own = dotted[0].replace("_", "-") == self.source.package.replace("_", "-")
        return self.find(dotted[1:], inside=[]) if own or len(dotted) > 1 else None


def concerned(body: list[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """For every name the statements, in order, that bind or change it."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in dict.fromkeys(_touched(statement)):
            found.setdefault(name, []).append(statement)
    return found


def _touched(statement: ast.stmt) -> Iterator[str]:
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                continue
            case ast.Import() | ast.ImportFrom():
                for name in node.names:
                    yield (name.asname or name.name).split(".")[0]
                continue
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if (
                attr in _CHANGING
            ):
                yield name
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                continue
        waiting.extend(reversed(list(ast.iter_child_nodes(node))))
