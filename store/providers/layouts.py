"""Where each provider really reads each of its settings, in the order of its own loader.

A declaration says what can be set; where it is kept is known for each provider (hermes-formats
§6.4, §7). A value is saved where its loader finds it first, never merely where a form of Hermes
would put it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from schema.fields import Field, Secret, Select, Value
from schema.frozen import frozen
from schema.providers import ProviderSchema
from store.providers.rules import is_provider_name
from store.providers.sources import EnvPlace, JsonPlace, Place, Sources, YamlPlace, exists

if TYPE_CHECKING:
    from store.providers.hints import Hint


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
        from store.providers.honcho import honcho_home

        return _telling_unread(honcho_home(sources), "honcho", sources)
    known = _KNOWN.get(name)
    if known is not None:
        return _telling_unread(known(sources), name, sources)
    if schema.storage == "flat_json":
        return _flat(sources.home.path / schema.name / "config.json", sources)
    return _unknown(schema.name or name, sources, hint)


def _telling_unread(home: Home, name: str, sources: Sources) -> Home:
    """The same, saying too where forms of Hermes may have put values that the loader never reads.

    Those forms look into all of these places (hermes-formats §6.5); the provider does not.
    """
    folder = sources.home.path

    def lay_out(field: Field) -> Layout:
        layout = home.lay_out(field)
        usual: tuple[Place, ...] = (
            YamlPlace(("memory", name), field.key),
            JsonPlace(folder / f"{name}.json", (), field.key),
            JsonPlace(folder / name / "config.json", (), field.key),
        )
        known = (*layout.reads, *layout.cleared, *layout.ignored, layout.target)
        unread = tuple(place for place in usual if place not in known)
        return replace(layout, ignored=(*layout.ignored, *unread))

    return replace(home, lay_out=lay_out)


# -- helpers ---------------------------------------------------------------------------------


def variables_of(*names: str) -> tuple[Place, ...]:
    """The variables of these names, the empty ones left out."""
    return tuple(EnvPlace(name) for name in dict.fromkeys(names) if name)


def secret_layout(field: Field, in_file: tuple[Place, ...], *names: str) -> Layout:
    """A key: what a file holds in plain text is read first, a save goes to the environment."""
    variables = variables_of(*names, field.env_key, *field.env_fallbacks)
    return Layout((*in_file, *variables), variables[0] if variables else None)


def in_object(file: Path, block: tuple[str, ...], field: Field, *more: str) -> tuple[Place, ...]:
    """The field's key and its aliases, and `more`, in one object of a file."""
    keys = dict.fromkeys((field.key, *field.aliases, *more))
    return tuple(JsonPlace(file, block, key) for key in keys)


def _flat(file: Path, sources: Sources) -> Home:
    """One object in one file (hermes-formats §7.1)."""

    def lay_out(field: Field) -> Layout:
        places = in_object(file, (), field)
        if isinstance(field, Secret):
            return secret_layout(field, places)
        # A form of Hermes shows these where the file says nothing.
        reads = (*places, *variables_of(*field.env_fallbacks, field.env_key))
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
            for place in in_object(path, (), field)
        )
        legacy = (YamlPlace(("memory", "provider_config"), field.key),)
        if isinstance(field, Secret):
            return secret_layout(field, (*in_files, *in_yaml))
        variables = variables_of(field.env_key, *field.env_fallbacks)
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
            return secret_layout(field, tuple(JsonPlace(file, (), one) for one in first))
        reads: tuple[Place, ...] = (key, *older.get(field.key, ()))
        reads += variables_of(always.get(field.key, ""), "" if there else alone.get(field.key, ""))
        aliases = tuple(place for place in in_object(file, (), field)[1:] if place not in reads)
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
            return secret_layout(field, (key,), "MEM0_API_KEY" if field.key == "api_key" else "")
        unread = JsonPlace(sources.home.path / "mem0" / "config.json", (), field.key)
        return Layout((key, *variables_of(variables.get(field.key, ""))), key, ignored=(unread,))

    return Home(lay_out, (file,))


def _supermemory(sources: Sources) -> Home:
    file = sources.home.path / "supermemory.json"

    def lay_out(field: Field) -> Layout:
        key = JsonPlace(file, (), field.key)
        if isinstance(field, Secret):
            # A key in the file is not read.
            layout = secret_layout(field, ())
            return Layout(layout.reads, layout.target, ignored=(key,))
        if field.key == "container_tag":
            return Layout((*variables_of("SUPERMEMORY_CONTAINER_TAG"), key), key)
        after = variables_of("SUPERMEMORY_BASE_URL") if field.key == "base_url" else ()
        unread = JsonPlace(sources.home.path / "supermemory" / "config.json", (), field.key)
        return Layout((key, *after), key, ignored=(unread,))

    return Home(lay_out, (file,))


def _byterover(sources: Sources) -> Home:
    section, legacy = ("memory", "byterover"), ("memory", "provider_config")
    used = section if sources.section(section) else legacy

    def lay_out(field: Field) -> Layout:
        key = YamlPlace(section, field.key)
        if isinstance(field, Secret):
            return secret_layout(field, ())
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
