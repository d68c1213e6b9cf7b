"""A plugin's plugin.yaml: what it says of itself and what it needs. Read, never obeyed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from schema.frozen import frozen
from store.providers.collecting import head
from store.yaml_text import YamlText, parse

_MAX_BYTES = 64 << 10
_MAX_CHARS = 500


@frozen
class Manifest:
    """All of it is optional. `programs` are the names of programs that must be there."""

    version: str = ""
    description: str = ""
    packages: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


def read_manifest(folder: Path) -> Manifest:
    """The manifest in `folder`; an empty one where there is none or it is no use."""
    data = head(folder / "plugin.yaml", _MAX_BYTES)
    parsed = parse(data) if isinstance(data, bytes) else None
    if not isinstance(parsed, YamlText):
        return Manifest()
    return Manifest(
        version=_text(parsed.data.get("version")),
        description=_text(parsed.data.get("description")),
        packages=_texts(parsed.data.get("pip_dependencies")),
        programs=tuple(_programs(parsed.data.get("external_dependencies"))),
        variables=_texts(parsed.data.get("requires_env")),
    )


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())[:_MAX_CHARS]


def _texts(value: object) -> tuple[str, ...]:
    items = value[:100] if isinstance(value, list) else []
    return tuple(text for item in items if isinstance(item, str) and (text := _text(item)))


def _programs(value: object) -> list[str]:
    import shlex

    found = []
    for item in value[:100] if isinstance(value, list) else []:
        if not isinstance(item, Mapping):
            continue
        name = _text(item.get("name"))
        try:
            words = shlex.split(_text(item.get("check")))
        except ValueError:
            words = []
        # The check is a command of someone else's: its program is looked for and not run.
        if program := words[0] if words else name:
            found.append(program)
    return found
