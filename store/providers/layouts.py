"""Where each provider really reads each of its settings, in the order of its own loader.

A declaration says what can be set; where it is kept is known for each provider (hermes-formats
§6.4, §7). A value is saved where its loader finds it first, never merely where a form of Hermes
would put it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from schema.fields import UNSET, Field, Secret, Select, Value
from schema.frozen import frozen
from schema.providers import ProviderSchema
from store.home import DEFAULT
from store.providers.json_text import JsonFile, is_set
from store.providers.rules import is_provider_name
from store.providers.sources import EnvPlace, JsonPlace, Place, Sources, YamlPlace, exists

if TYPE_CHECKING:
    from store.providers.hints import Hint

OAUTH = "hch-at-"
"""How an access token of Honcho begins; it and its grant are not ours to touch."""


@frozen
class Layout:
    """Where one field lives.

    `reads`: in the order of the provider's loader. `target`: where a save counts, None if there
    is no such place. `cleared`: removed too when the field is unset. `ignored`: where a value may
    stand that nothing reads. `notes` are codes for a person.
    """

    reads: tuple[Place, ...]
    target: Place | None
    cleared: tuple[Place, ...] = ()
    ignored: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()


@frozen
class Carried:
    """A value that would no longer be read once the file `file` exists, and moves into it."""

    variable: str
    to: JsonPlace


@frozen
class Home:
    """How one provider keeps its settings in one home.

    `files` are those that it reads, the first being the one that a save goes to. `carried`: what
    a first save takes along. `defaults` replace what the declaration says.
    """

    lay_out: Callable[[Field], Layout]
    files: tuple[Path, ...] = ()
    locks: tuple[Path, ...] = ()
    carried: tuple[Carried, ...] = ()
    defaults: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def home_of(schema: ProviderSchema, name: str, sources: Sources, hint: Hint | None = None) -> Home:
    """How the provider `name` keeps its settings; `hint` is what its code says of that."""
    if not (is_provider_name(name) and is_provider_name(schema.name)):
        # A name never leads out of the home.
        return Home(lambda field: Layout((), None))
    if schema.storage == "honcho_host_block" or name == "honcho":
        return _honcho(sources)
    known = _KNOWN.get(name)
    if known is not None:
        return known(sources)
    if schema.storage == "flat_json":
        return _flat(sources.home.path / schema.name / "config.json", sources)
    return _unknown(schema.name or name, sources, hint)


# -- helpers ---------------------------------------------------------------------------------


def _env(*names: str) -> tuple[Place, ...]:
    return tuple(EnvPlace(name) for name in dict.fromkeys(names) if name)


def _secret_layout(field: Field, in_file: tuple[Place, ...], *names: str) -> Layout:
    """A key: what a file holds in plain text is read first, a save goes to the environment."""
    variables = _env(*names, field.env_key, *field.env_fallbacks)
    return Layout((*in_file, *variables), variables[0] if variables else None)


def _in_object(file: Path, block: tuple[str, ...], field: Field, *more: str) -> tuple[Place, ...]:
    keys = dict.fromkeys((field.key, *field.aliases, *more))
    return tuple(JsonPlace(file, block, key) for key in keys)


def _flat(file: Path, sources: Sources) -> Home:
    """One object in one file (hermes-formats §7.1)."""

    def lay_out(field: Field) -> Layout:
        places = _in_object(file, (), field)
        if isinstance(field, Secret):
            return _secret_layout(field, places)
        # A form of Hermes shows these where the file says nothing.
        reads = (*places, *_env(*field.env_fallbacks, field.env_key))
        return Layout(reads, places[0], places[1:])

    return Home(lay_out, (file,))


def _unknown(name: str, sources: Sources, hint: Hint | None) -> Home:
    """A plugin that saves by itself, in a way that cannot be known without running it."""
    home = sources.home.path
    usual = (home / name / "config.json", home / f"{name}.json")
    said_file = None if hint is None else hint.file
    said_section = () if hint is None else hint.section
    file = said_file
    if file is None and not said_section:
        file = next((path for path in usual if exists(path)), None)
    section = said_section or ("memory", name)
    notes = () if said_file or said_section else ("place_guessed",)

    def lay_out(field: Field) -> Layout:
        keys = (field.key, *field.aliases)
        in_yaml = tuple(YamlPlace(section, key) for key in keys)
        in_files = tuple(
            place
            for path in dict.fromkeys((*([file] if file else []), *usual))
            for place in _in_object(path, (), field)
        )
        legacy = (YamlPlace(("memory", "provider_config"), field.key),)
        if isinstance(field, Secret):
            return _secret_layout(field, (*in_files, *in_yaml))
        variables = _env(field.env_key, *field.env_fallbacks)
        if file is None:
            reads = (*in_yaml, *in_files, *legacy, *variables)
            return Layout(reads, in_yaml[0], in_yaml[1:], notes=notes)
        reads = (*in_files, *in_yaml, *legacy, *variables)
        return Layout(reads, in_files[0], in_files[1 : len(keys)], notes=notes)

    return Home(lay_out, (file,) if file else (sources.home.config,))


# -- the providers of Hermes -----------------------------------------------------------------


def _hindsight(sources: Sources) -> Home:
    """The first of two files that can be read counts whole; the environment only without one."""
    own = sources.home.path / "hindsight" / "config.json"
    shared = sources.person / ".hindsight" / "config.json"
    file = own if exists(own) or not exists(shared) else shared
    there = exists(file)
    old = ("banks", "hermes")
    always = {
        "api_url": "HINDSIGHT_API_URL",
        "timeout": "HINDSIGHT_TIMEOUT",
        "idle_timeout": "HINDSIGHT_IDLE_TIMEOUT",
        "retain_tags": "HINDSIGHT_RETAIN_TAGS",
        "observation_scopes": "HINDSIGHT_RETAIN_OBSERVATION_SCOPES",
        "retain_source": "HINDSIGHT_RETAIN_SOURCE",
        "retain_user_prefix": "HINDSIGHT_RETAIN_USER_PREFIX",
        "retain_assistant_prefix": "HINDSIGHT_RETAIN_ASSISTANT_PREFIX",
    }
    alone = {
        "mode": "HINDSIGHT_MODE",
        "bank_id": "HINDSIGHT_BANK_ID",
        "recall_budget": "HINDSIGHT_BUDGET",
    }
    older = {
        "bank_id": (JsonPlace(file, old, "bankId"),),
        "recall_budget": (JsonPlace(file, (), "budget"), JsonPlace(file, old, "budget")),
        "recall_prefetch_method": (JsonPlace(file, (), "prefetch_method"),),
    }

    def lay_out(field: Field) -> Layout:
        key = JsonPlace(file, (), field.key)
        if isinstance(field, Secret):
            first = ("llmApiKey", "llm_api_key") if "llm" in field.key else ("apiKey", "api_key")
            return _secret_layout(field, tuple(JsonPlace(file, (), one) for one in first))
        reads: tuple[Place, ...] = (key, *older.get(field.key, ()))
        reads += _env(always.get(field.key, ""), "" if there else alone.get(field.key, ""))
        aliases = tuple(place for place in _in_object(file, (), field)[1:] if place not in reads)
        return Layout(reads, key, aliases, ignored=aliases)

    carried = tuple(Carried(variable, JsonPlace(file, (), key)) for key, variable in alone.items())
    return Home(
        lay_out,
        (file,),
        carried=() if there else carried,
        notes=("shared_file",) if file == shared else (),
    )


def _mem0(sources: Sources) -> Home:
    file = sources.home.path / "mem0.json"
    variables = {
        "mode": "MEM0_MODE",
        "host": "MEM0_HOST",
        "user_id": "MEM0_USER_ID",
        "agent_id": "MEM0_AGENT_ID",
    }

    def lay_out(field: Field) -> Layout:
        key = JsonPlace(file, (), field.key)
        if isinstance(field, Secret):
            return _secret_layout(field, (key,), "MEM0_API_KEY" if field.key == "api_key" else "")
        unread = JsonPlace(sources.home.path / "mem0" / "config.json", (), field.key)
        return Layout((key, *_env(variables.get(field.key, ""))), key, ignored=(unread,))

    return Home(lay_out, (file,))


def _supermemory(sources: Sources) -> Home:
    file = sources.home.path / "supermemory.json"

    def lay_out(field: Field) -> Layout:
        key = JsonPlace(file, (), field.key)
        if isinstance(field, Secret):
            # A key in the file is not read.
            layout = _secret_layout(field, ())
            return Layout(layout.reads, layout.target, ignored=(key,))
        if field.key == "container_tag":
            return Layout((*_env("SUPERMEMORY_CONTAINER_TAG"), key), key)
        after = _env("SUPERMEMORY_BASE_URL") if field.key == "base_url" else ()
        unread = JsonPlace(sources.home.path / "supermemory" / "config.json", (), field.key)
        return Layout((key, *after), key, ignored=(unread,))

    return Home(lay_out, (file,))


def _byterover(sources: Sources) -> Home:
    section, legacy = ("memory", "byterover"), ("memory", "provider_config")
    used = section if sources.section(section) else legacy

    def lay_out(field: Field) -> Layout:
        key = YamlPlace(section, field.key)
        if isinstance(field, Secret):
            return _secret_layout(field, ())
        return Layout((YamlPlace(used, field.key),) if used != section else (key,), key)

    return Home(lay_out, (sources.home.config,))


def _holographic(sources: Sources) -> Home:
    section = ("plugins", "hermes-memory-store")

    def lay_out(field: Field) -> Layout:
        key = YamlPlace(section, field.key)
        unread = YamlPlace(("memory", "holographic"), field.key)
        return Layout((key,), key, ignored=(unread,))

    defaults = (("db_path", str(sources.home.path / "memory_store.db")),)
    return Home(lay_out, (sources.home.config,), defaults=defaults)


def _openviking(sources: Sources) -> Home:
    """The environment, then a file of OpenViking's own program if config.yaml asks for it."""
    section = ("memory", "openviking")
    settings = sources.section(section)
    linked: Path | None = None
    if settings.get("use_ovcli_config"):
        named = (sources.variable("OPENVIKING_CLI_CONFIG_FILE") or "").strip()
        named = named or str(settings.get("ovcli_config_path") or "")
        linked = _expanded(named, sources) if named else sources.person / ".openviking/ovcli.conf"
    in_file = {
        "endpoint": ("url",),
        "api_key": ("api_key", "root_api_key"),
        "account": ("account", "account_id"),
        "user": ("user", "user_id"),
        "agent": ("actor_peer_id", "agent_id"),
    }

    def lay_out(field: Field) -> Layout:
        variable = EnvPlace(field.env_key or f"OPENVIKING_{field.key.upper()}")
        after = tuple(
            JsonPlace(linked, (), key) for key in in_file.get(field.key, ()) if linked is not None
        )
        ignored = (YamlPlace(section, field.key),)
        return Layout((variable, *after), variable, ignored=ignored)

    files = (sources.home.path / ".env", *((linked,) if linked is not None else ()))
    return Home(lay_out, files, notes=("environment_only",))


def _retaindb(sources: Sources) -> Home:
    variables = {"base_url": "RETAINDB_BASE_URL", "project": "RETAINDB_PROJECT"}

    def lay_out(field: Field) -> Layout:
        variable = EnvPlace(
            variables.get(field.key) or field.env_key or f"RETAINDB_{field.key.upper()}"
        )
        return Layout(
            (variable,), variable, ignored=(YamlPlace(("memory", "retaindb"), field.key),)
        )

    return Home(lay_out, (sources.home.path / ".env",), notes=("environment_only",))


# -- honcho ----------------------------------------------------------------------------------


def _honcho(sources: Sources) -> Home:
    """Host blocks in the first of three files (hermes-formats §7.2)."""
    file = honcho_file(sources)
    found = sources.json(file)
    data = found if isinstance(found, JsonFile) else None
    host = honcho_host(sources, data)
    block = _block_of(host, data)
    there = exists(file)

    def lay_out(field: Field) -> Layout:
        in_host = _in_object(file, block, field)
        in_root = _in_object(file, (), field)
        if isinstance(field, Secret):
            return _secret_layout(field, (in_host[0], in_root[0]), "HONCHO_API_KEY")
        variables = _env(*(name for name in _fallbacks(field) if _always(name) or not there))
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
    if profile in (DEFAULT, "custom"):
        default = data.get(("defaultHost",)) if data is not None else UNSET
        return (str(default).strip() if is_set(default) else "") or "hermes"
    safe = "".join(char if char.isalnum() or char in "_-" else "_" for char in profile).strip("_")
    return f"hermes_{safe or 'profile'}"


def _block_of(host: str, data: JsonFile | None) -> tuple[str, ...]:
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


def _expanded(path: str, sources: Sources) -> Path:
    return sources.person / path[2:] if path.startswith("~/") else Path(path)


_KNOWN: dict[str, Callable[[Sources], Home]] = {
    "byterover": _byterover,
    "hindsight": _hindsight,
    "holographic": _holographic,
    "mem0": _mem0,
    "openviking": _openviking,
    "retaindb": _retaindb,
    "supermemory": _supermemory,
}


# -- how a value is written ------------------------------------------------------------------


def to_store(name: str, field: Field, place: Place, value: Value) -> object:
    """`value` as the provider's own loader takes it at `place`."""
    if isinstance(place, EnvPlace):
        return text_of(value)
    if name == "holographic" and isinstance(field, Select) and value == "false":
        # To this provider every text is true, also "false".
        return False
    return value


def text_of(value: object) -> str:
    """A value as text in an environment."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else _json(value)


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
