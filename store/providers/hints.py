"""Where a plugin's own code keeps its settings, told from its text. Nothing is run.

`Path(hermes_home) / "x" / "config.json"` and `config["plugins"]["x"] = …` say it plainly; where a
plugin says two different things, or none, it is not known.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from schema.frozen import frozen
from store.providers.declarations import tree_of

_SECTIONS = ("plugins", "memory")
_DEEPEST = 3
_CONCERNED = re.compile(
    r"""\.json["']|\[["'](?:plugins|memory)["']\]|\{["'](?:plugins|memory)["']:"""
)
"""What a text must hold for a look at all of it to be worth its time."""

Keys = tuple[str, ...]


@frozen
class Hint:
    """A file of the home, or a section of its config.yaml; the other one is empty."""

    file: Path | None = None
    section: tuple[str, ...] = ()


def hint_of(place: Path, home: Path) -> Hint:
    """What the code in `place` says; an empty hint if it does not say one thing."""
    files: set[tuple[str, ...]] = set()
    sections: set[tuple[str, ...]] = set()
    for text in tree_of(place).files.values():
        if _CONCERNED.search(text):
            of_text = _said(text)
            files |= of_text[0]
            sections |= of_text[1]
    whole = {one for one in files if not _begins_another(one, files)}
    if len(whole) == 1:
        parts = whole.pop()
        good = all(part not in ("", ".", "..") and not set(part) & set("/\\\0") for part in parts)
        return Hint(home.joinpath(*parts)) if good and len(parts) <= _DEEPEST else Hint()
    if not whole and len(sections) == 1:
        return Hint(section=sections.pop())
    return Hint()


@lru_cache(maxsize=64)
def _said(text: str) -> tuple[frozenset[Keys], frozenset[Keys]]:
    """The files and the sections that one text names."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(), frozenset()
    files: set[Keys] = set()
    sections: set[Keys] = set()
    names = dict(_constants(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp):
            files.update(_file(node, names))
        elif isinstance(node, ast.Assign):
            sections.update(found for target in node.targets for found in _keys(target))
        elif isinstance(node, ast.Call):
            sections.update(found for given in node.args for found in _nested(given))
    return frozenset(files), frozenset(sections)


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a module gives to plain texts."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and isinstance(node.value.value, str):
                    yield target.id, node.value.value


def _file(node: ast.BinOp, names: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """The texts of `home / "a" / "b.json"`, where what they are joined to is the Hermes home."""
    parts: list[str] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Div):
        text = _text(left.right, names)
        if text is None:
            return
        parts.insert(0, text)
        left = left.left
    if not parts or not parts[-1].endswith(".json") or isinstance(left, ast.BinOp):
        return
    try:
        base = ast.unparse(left).lower()
    except (RecursionError, ValueError):
        return
    if base in ("home", "hermes_home") or "hermes_home" in base:
        yield tuple(parts)


def _text(node: ast.expr, names: dict[str, str]) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return names.get(node.id) if isinstance(node, ast.Name) else None


def _keys(target: ast.expr) -> Iterator[tuple[str, ...]]:
    """The section that `config["plugins"]["x"] = …` writes."""
    keys: list[str] = []
    while isinstance(target, ast.Subscript):
        key = target.slice
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return
        keys.insert(0, key.value)
        target = target.value
    if len(keys) == 2 and keys[0] in _SECTIONS and keys[1] not in ("provider", "enabled"):
        yield tuple(keys)


def _nested(given: ast.expr) -> Iterator[tuple[str, ...]]:
    """The section that `save_config({"memory": {"x": …}})` writes."""
    if not isinstance(given, ast.Dict) or len(given.keys) != 1:
        return
    outer, inner = given.keys[0], given.values[0]
    if not (isinstance(outer, ast.Constant) and outer.value in _SECTIONS):
        return
    if isinstance(inner, ast.Dict) and len(inner.keys) == 1:
        key = inner.keys[0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield str(outer.value), key.value


def _begins_another(one: tuple[str, ...], every: set[tuple[str, ...]]) -> bool:
    return any(one != other and other[: len(one)] == one for other in every)
