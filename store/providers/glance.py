"""The state of the provider in use, for a status that must be quick: its form is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from schema.fields import Field, Secret, Text
from schema.providers import ProviderSchema

if TYPE_CHECKING:
    from store.desk import Desk

# What decides whether a provider of Hermes is ready; all else of its declaration does not.
_DECIDING: Final[dict[str, tuple[Field, ...]]] = {
    "byterover": (),
    "hindsight": (
        Text(key="mode", label="mode"),
        Secret(key="api_key", label="api_key", env_key="HINDSIGHT_API_KEY"),
        Text(key="api_url", label="api_url"),
    ),
    "holographic": (),
    "honcho": (
        Secret(key="apiKey", label="apiKey", env_key="HONCHO_API_KEY"),
        Text(
            key="baseUrl",
            label="baseUrl",
            aliases=("base_url",),
            env_fallbacks=("HONCHO_BASE_URL",),
            scope="root",
        ),
    ),
    "mem0": (
        Secret(key="api_key", label="api_key", env_key="MEM0_API_KEY"),
        Text(key="host", label="host"),
    ),
    "openviking": (Text(key="endpoint", label="endpoint", env_key="OPENVIKING_ENDPOINT"),),
    "retaindb": (),
    "supermemory": (),
}


def state_of_active(desk: Desk) -> str:
    """The state of the provider that config.yaml names; `off` without one."""
    from store.hermes import Found, find
    from store.preferences import load_preferences
    from store.providers.catalogue import bundled_at, surroundings

    name = desk.library.settings().provider
    if not name or name.lower() in ("built-in", "builtin", "none"):
        return "off"
    if name in _DECIDING:
        setting = load_preferences(env=desk.env).preferences.hermes
        found = find(env=desk.env, setting=setting)
        around = surroundings(found if isinstance(found, Found) else None, desk.env)
        one = bundled_at(around, name)
        if one is not None:
            from store.providers.looking import declared_row

            schema = ProviderSchema(
                name=name,
                label=name,
                storage="honcho_host_block" if name == "honcho" else "own",
                fields=_DECIDING[name],
                style="ours",
            )
            return declared_row(desk, one, around, schema).state
    from store.providers.desk import Providers

    row = Providers(desk).row(name)
    return row.state if hasattr(row, "state") else "missing"
