"""What stands for something while a declaration is read.

Texts, numbers, lists, tuples, dicts and sets stand for themselves.
"""

from __future__ import annotations

import ast
from enum import Enum
from typing import Final

from schema.frozen import frozen
from schema.reading.limits import MAX_CONSTRUCT


class Nothing(Enum):
    """No value at all, where None would be one."""

    NOTHING = "nothing"


NOTHING: Final = Nothing.NOTHING


class TooMuch(Exception):
    """A bound was reached; nothing more is read."""

    def __init__(self, line: int | None, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def too_large(value: object, most: int) -> str:
    """Say that something of the kind of `value` would come about that is too large."""
    if isinstance(value, str):
        return f"something of more than {most:,} characters would come about"
    return f"something of more than {most:,} items would come about"


@frozen
class Unknown:
    """A value that is only known once the code runs; `guess` is what it most likely is."""

    file: str
    line: int | None
    construct: str
    why: str
    guess: object = NOTHING


REST: Final = Unknown("", None, "", "not all of it could be read")
"""A key of a dict, or item of a set, that stands for more that could not be read."""


@frozen
class Foreign:
    """A name from outside of the package, with its module: `os.environ`."""

    name: str

    @property
    def last(self) -> str:
        """The name alone."""
        return self.name.rpartition(".")[2]


@frozen
class Method:
    """A method of a value that stands for itself, not called yet; `unsure` if that is a guess."""

    owner: object
    name: str
    unsure: Unknown | None = None


@frozen
class Partial:
    """A call of something with some of its arguments given already."""

    called: object
    given: tuple[object, ...]
    named: tuple[tuple[str, object], ...]


class Scope:
    """The names of a function, a comprehension, a class or a module, and where to look further."""

    __slots__ = ("module", "names", "of_class", "outer")

    def __init__(
        self, module: object, outer: Scope | None = None, *, of_class: bool = False
    ) -> None:
        self.names: dict[str, object] = {}
        self.module, self.outer, self.of_class = module, outer, of_class

    @property
    def seen_by_functions(self) -> Scope:
        """Where functions that are defined here look further: not into a class around them."""
        return self.outer if self.of_class and self.outer is not None else self


class Function:
    """A function of the package; `owner` is the self or class that it was taken from."""

    __slots__ = ("node", "owner", "scope")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        scope: Scope,
        owner: object = NOTHING,
    ) -> None:
        self.node, self.scope, self.owner = node, scope, owner


class Class:
    """A class of the package."""

    __slots__ = ("members", "node", "scope")

    def __init__(self, node: ast.ClassDef, scope: Scope) -> None:
        self.node, self.scope = node, scope
        self.members: dict[str, object] = {}


class Made:
    """An object: of a class of the package, or of one that declares (`kind` is its name).

    `unsure`: a best guess decided what it is like.
    """

    __slots__ = ("attributes", "file", "kind", "line", "of", "unsure")

    def __init__(self, kind: str, attributes: dict[str, object], file: str, line: int) -> None:
        self.kind, self.attributes, self.file, self.line = kind, attributes, file, line
        self.of: Class | None = None
        self.unsure: Unknown | None = None


def shown(node: ast.AST) -> str:
    """The source text of a node, on one line and shortened."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (RecursionError, ValueError, MemoryError):
        return ""
    return text if len(text) <= MAX_CONSTRUCT else text[: MAX_CONSTRUCT - 1] + "…"
