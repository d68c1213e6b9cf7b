"""Which names are those of keys, and who uses them (hermes-formats §6.3 and §6.4)."""

from __future__ import annotations

import re

from schema.frozen import frozen

_ENDS = ("_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD")
_TEMPLATE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_KEY_WORDS = re.compile(
    r"(?i)(?:^|_|-)(?:api_?key|key|token|secret|password|passwd|credential)s?$|apikey$"
)
_CAMEL = re.compile(r"[a-z](?:Key|Token|Secret|Password)$")
# Settings that only sound like keys.
_NO_KEYS = re.compile(r"(?i)(?:_env|_name|_file|_path|_id|_limit|max_tokens|_tokens)$|^tokens?$")

OAUTH = ("hch-at-", "hch-rt-")
"""How tokens begin that an OAuth grant of Honcho owns: they are left alone."""


@frozen
class KeyOf:
    """A key of a provider: its environment name, and the fields of its files that may hold it."""

    provider: str
    name: str
    fields: tuple[str, ...] = ()


KEYS = (
    KeyOf("byterover", "BRV_API_KEY"),
    KeyOf("hindsight", "HINDSIGHT_API_KEY", ("apiKey", "api_key")),
    KeyOf("hindsight", "HINDSIGHT_LLM_API_KEY", ("llmApiKey", "llm_api_key")),
    KeyOf("honcho", "HONCHO_API_KEY", ("apiKey",)),
    KeyOf("mem0", "MEM0_API_KEY", ("api_key",)),
    KeyOf("openviking", "OPENVIKING_API_KEY", ("api_key",)),
    KeyOf("retaindb", "RETAINDB_API_KEY", ("api_key",)),
    KeyOf("supermemory", "SUPERMEMORY_API_KEY", ("api_key",)),
)

SECRET_SOURCES = {"BWS_ACCESS_TOKEN": "bitwarden", "OP_SERVICE_ACCOUNT_TOKEN": "onepassword"}


def is_key_name(name: str) -> bool:
    """Whether an environment name is that of a key."""
    return name.endswith(_ENDS) or any(one.name == name for one in KEYS)


def is_key_field(field: str) -> bool:
    """Whether a field of a file sounds like one that holds a key."""
    sounds = _KEY_WORDS.search(field) or _CAMEL.search(field)
    return sounds is not None and _NO_KEYS.search(field) is None


def users_of(name: str) -> tuple[str, ...]:
    """The providers and sources that read `name` from their environment."""
    users = [one.provider for one in KEYS if one.name == name]
    if name in SECRET_SOURCES:
        users.append(SECRET_SOURCES[name])
    return tuple(users)


def name_for(provider: str, field: str) -> str | None:
    """The environment name that stands in for `field` of a provider's file."""
    return next(
        (one.name for one in KEYS if one.provider == provider and field in one.fields), None
    )


def templates_in(text: str) -> tuple[str, ...]:
    """The names that `text` takes from the environment, as `${NAME}`."""
    return tuple(dict.fromkeys(_TEMPLATE.findall(text)))


def is_template(text: str) -> bool:
    """Whether `text` holds no key but says where one is."""
    return _TEMPLATE.search(text) is not None
