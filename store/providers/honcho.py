"""Where Honcho keeps its settings: host blocks in one of three files (hermes-formats §7.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from schema.fields import UNSET, Field, Secret
from store.home import CUSTOM, DEFAULT
from store.providers.json_text import JsonFile, is_set
from store.providers.layouts import (
    Carried,
    Home,
    Layout,
    in_object,
    secret_layout,
    variables_of,
)
from store.providers.sources import JsonPlace, Sources, exists

OAUTH: Final = "hch-at-"
"""How an access token begins; it and its grant are not ours to touch."""


def honcho_home(sources: Sources) -> Home:
    """Host blocks in the first of three files (hermes-formats §7.2)."""
    file = honcho_file(sources)
    found = sources.json(file)
    data = found if isinstance(found, JsonFile) else None
    host = honcho_host(sources, data)
    block = host_block(host, data)
    there = exists(file)

    def lay_out(field: Field) -> Layout:
        in_host = in_object(file, block, field)
        in_root = in_object(file, (), field)
        if isinstance(field, Secret):
            return secret_layout(field, (in_host[0], in_root[0]), "HONCHO_API_KEY")
        variables = variables_of(
            *(name for name in _fallbacks(field) if _always(name) or not there)
        )
        if field.key == "timeout":
            # The loader asks the host block first, whatever the declaration says.
            in_use = any(is_set(sources.value(place)) for place in in_host)
            mine = in_host if in_use else in_root
            return Layout((*in_host, *in_root, *variables), mine[0], mine[1:])
        if field.scope == "root":
            return Layout((*in_root, *variables), in_root[0], in_root[1:])
        inherited = tuple(place for pair in zip(in_host, in_root, strict=True) for place in pair)
        if field.key != "pinUserPeer":
            inherited = (*in_host, *in_root)
        return Layout((*inherited, *variables), in_host[0], in_host[1:])

    defaults = [("workspace", host), ("aiPeer", host)]
    notes = ["oauth"] if _has_grant(data, block) else []
    if file != sources.home.path / "honcho.json":
        notes.append("shared_file")
    if _configured(data, block):
        defaults.append(("observationMode", "unified"))
    carried = (
        () if there else (Carried("HONCHO_ENVIRONMENT", JsonPlace(file, block, "environment")),)
    )
    return Home(lay_out, (file,), (file,), carried, tuple(defaults), (*notes, f"host:{block[-1]}"))


def honcho_file(sources: Sources) -> Path:
    """The file that Honcho reads; if there is none, the shared one, also for the first write."""
    home = sources.home
    for path in (home.path / "honcho.json", home.root / "honcho.json"):
        if exists(path):
            return path
    return sources.person / ".honcho" / "config.json"


def honcho_host(sources: Sources, data: JsonFile | None) -> str:
    """The name of the host block that this profile uses."""
    named = (sources.variable("HERMES_HONCHO_HOST") or "").strip()
    if named:
        return named
    profile = sources.home.profile
    if profile in (DEFAULT, CUSTOM):
        default = data.get(("defaultHost",)) if data is not None else UNSET
        return (str(default).strip() if is_set(default) else "") or "hermes"
    safe = "".join(char if char.isalnum() or char in "_-" else "_" for char in profile).strip("_")
    return f"hermes_{safe or 'profile'}"


def host_block(host: str, data: JsonFile | None) -> tuple[str, ...]:
    """Where the block of `host` lies: the old form with a dot where only that holds anything."""
    block = ("hosts", host)
    nothing: tuple[object, ...] = (UNSET, None, {})
    if data is not None and host.startswith("hermes_") and data.get(block) in nothing:
        old = ("hosts", f"hermes.{host.removeprefix('hermes_')}")
        if data.get(old) not in nothing:
            return old
    return block


def _has_grant(data: JsonFile | None, block: tuple[str, ...]) -> bool:
    if data is None:
        return False
    key = data.get((*block, "apiKey"))
    return is_set(data.get((*block, "oauth"))) or (isinstance(key, str) and key.startswith(OAUTH))


def _configured(data: JsonFile | None, block: tuple[str, ...]) -> bool:
    """Whether Honcho counts as set up on purpose, which changes one default."""
    if data is None:
        return False
    found = data.get(block)
    return (isinstance(found, dict) and bool(found)) or data.get(("enabled",)) is True


def _fallbacks(field: Field) -> tuple[str, ...]:
    return (*field.env_fallbacks, field.env_key)


def _always(name: str) -> bool:
    """Whether Honcho reads the variable beside a file too; the others only without one."""
    return name in ("HONCHO_API_KEY", "HONCHO_BASE_URL", "HONCHO_TIMEOUT")
