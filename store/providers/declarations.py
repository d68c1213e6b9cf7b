"""Which declaration holds for a provider: its own, what it answered, or ours.

What an installed Hermes or a plugin declares wins over ours. Nothing is kept between two looks:
a file that changed is read again, and a failure is never remembered.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from schema.frozen import frozen
from schema.joining import joined
from schema.providers import ProviderSchema, Reading, Undeclared, Unread, Wrong
from schema.reading.source import SourceTree
from store.providers.collecting import Bounds, collect, head
from store.providers.rules import BUNDLED

_NEW = "config_schema.py"
_MOST_KNOWN = 64


@frozen
class Declared:
    """A declaration, and what kept the provider's own from being read."""

    schema: ProviderSchema
    problem: Unread | Wrong | None = None


def label_of(name: str) -> str:
    """A name as a person reads it, where nothing declares a better one."""
    return name.replace("_", " ").replace("-", " ").title()


def empty(name: str) -> ProviderSchema:
    """The declaration of a provider that has nothing to configure."""
    return ProviderSchema(name=name, label=label_of(name), storage="own", fields=(), style="old")


@cache
def ours(name: str) -> ProviderSchema | None:
    """What we declare ourselves for a provider of Hermes. It comes with the desk, so it stays."""
    if name not in BUNDLED:
        return None
    from importlib.resources import files

    from schema.reading import read_yaml

    file = files("resources") / "providers" / f"{name}.yaml"
    if not file.is_file():
        return None
    read = read_yaml(file.read_text("utf-8"), name)
    return read if isinstance(read, ProviderSchema) else None


def tree_of(place: Path) -> SourceTree:
    """The texts of a plugin's folder, or of the one module that it is."""
    if os.path.isdir(place):
        return collect(place)
    data = head(place, Bounds().file_bytes + 1)
    if isinstance(data, bytes) and len(data) <= Bounds().file_bytes:
        text = data.decode("utf-8-sig", "replace")
        return SourceTree({"__init__.py": text}, {}, place.stem)
    return SourceTree(
        {}, {"__init__.py": data if isinstance(data, str) else "too large"}, place.stem
    )


def declared(name: str, place: Path | None, *, bundled: bool) -> Declared:
    """The declaration that holds for the provider that lies in `place`.

    `bundled`: it is one of Hermes. What it declares itself decides; ours gives the words and
    what the provider reads without declaring it, and stands in where its own says nothing.
    """
    mine = ours(name) if bundled else None
    if place is None:
        return Declared(mine or empty(name))
    from schema.reading import read_new_style

    tree = tree_of(place)
    read = _read(tree, name)
    match read:
        case ProviderSchema(style="old") if _NEW in tree.files or _NEW in tree.skipped:
            # What the provider also declares in the new style could not be used: say so.
            new = read_new_style(tree)
            problem = new if isinstance(new, Unread | Wrong) else None
            return Declared(_with_ours(read, mine), problem)
        case ProviderSchema():
            return Declared(_with_ours(read, mine))
        case Undeclared():
            return Declared(mine or empty(name))
        case Unread() | Wrong():
            return Declared(mine or empty(name), read)


_known: dict[str, ProviderSchema] = {}
"""What was read before, by the name and every byte that it was read from."""


def _read(tree: SourceTree, name: str) -> Reading:
    """What the files declare. Of files that are the same byte for byte it is known already.

    Only what could be read is kept; a failure is looked at again each time.
    """
    from hashlib import sha256

    from schema.reading import read_declaration

    seen = (name, tree.package, sorted(tree.files.items()), sorted(tree.skipped.items()))
    key = sha256(repr(seen).encode("utf-8", "surrogatepass")).hexdigest()
    if key in _known:
        return _known[key]
    read = read_declaration(tree, name)
    if isinstance(read, ProviderSchema):
        if len(_known) >= _MOST_KNOWN:
            _known.pop(next(iter(list(_known))), None)
        _known[key] = read
    return read


def _with_ours(read: ProviderSchema, mine: ProviderSchema | None) -> ProviderSchema:
    return read if mine is None else joined(read, mine, words="more")


def syntax_error(place: Path) -> tuple[str, int] | None:
    """Why Python could not compile the plugin's first file, and where; None if it could.

    The file is parsed and not run.
    """
    import ast

    first = place / "__init__.py" if os.path.isdir(place) else place
    data = head(first, Bounds().file_bytes + 1)
    if isinstance(data, str) or len(data) > Bounds().file_bytes:
        return None
    try:
        ast.parse(data)
    except SyntaxError as error:
        return error.msg, error.lineno or 1
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__, 1
    return None
