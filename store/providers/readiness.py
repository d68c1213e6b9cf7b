"""Whether a provider has what it needs, told as its own `is_available()` would, without it.

For the providers of Hermes the rules of 0.19.0 are followed (hermes-formats §6.4, §7.2); of any
other only what it declares is known: its required fields and variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from schema.fields import UNSET
from store.providers.catalogue_row import Reason
from store.providers.forms import Form
from store.providers.honcho import honcho_file, honcho_host
from store.providers.installed import on_path
from store.providers.json_text import JsonFile, is_set
from store.providers.manifest import Manifest
from store.providers.sources import JsonPlace, Sources


def lacks(name: str, form: Form, manifest: Manifest, sources: Sources) -> Reason | None:
    """What keeps the provider from working, as far as settings tell; None if nothing does."""
    rule = _RULES.get(name)
    if rule is not None:
        return rule(form, sources)
    missing = form.lacking
    variables = tuple(one for one in manifest.variables if sources.variable_source(one) == "none")
    if missing:
        return Reason("field", missing)
    return Reason("variable", variables) if variables else None


def needs_packages(name: str, form: Form, sources: Sources) -> tuple[str, ...]:
    """What more than its manifest says a provider needs as it is set."""
    mode = _value(form, sources, "hindsight", "mode") if name == "hindsight" else ""
    return ("hindsight-all",) if mode in ("local", "local_embedded") else ()


def _value(form: Form, sources: Sources, name: str, key: str) -> str:
    """A setting in effect, also one that the declaration does not have."""
    state = form.state(key)
    if state is not None and state.is_set:
        return str(state.value)
    for path in form.files:
        found = sources.value(JsonPlace(path, (), key)) if path.suffix == ".json" else UNSET
        if is_set(found):
            return str(found)
    return sources.variable(f"{name.upper()}_{key.upper()}") or ""


def _has(form: Form, *keys: str) -> bool:
    return any(state.is_set for state in form.fields if state.key in keys)


def _hindsight(form: Form, sources: Sources) -> Reason | None:
    mode = _value(form, sources, "hindsight", "mode") or "cloud"
    if mode in ("local", "local_embedded", "local_external"):
        return None
    found = _has(form, "api_key", "api_url")
    return None if found else Reason("field", ("api_key",))


def _mem0(form: Form, sources: Sources) -> Reason | None:
    file = sources.home.path / "mem0.json"
    mode = _value(form, sources, "mem0", "mode")
    if mode == "oss":
        store = sources.value(JsonPlace(file, ("oss",), "vector_store"))
        return None if store and store is not UNSET else Reason("field", ("oss.vector_store",))
    return None if _has(form, "api_key", "host") else Reason("either", ("api_key", "host"))


def _honcho(form: Form, sources: Sources) -> Reason | None:
    found = sources.json(honcho_file(sources))
    data = found if isinstance(found, JsonFile) else None
    block = ("hosts", honcho_host(sources, data))
    for path in ((*block, "enabled"), ("enabled",)):
        enabled = UNSET if data is None else data.get(path)
        if enabled is not UNSET and enabled is not None:
            if not enabled:
                return Reason("switched_off", (".".join(path),))
            break
    if _has(form, "apiKey", "api_key", "baseUrl"):
        return None
    return Reason("either", ("apiKey", "baseUrl"))


def _openviking(form: Form, sources: Sources) -> Reason | None:
    state = form.state("endpoint")
    return None if state is not None and state.is_set else Reason("field", ("endpoint",))


def _byterover(form: Form, sources: Sources) -> Reason | None:
    return None if on_path("brv", sources.env, sources.person) else Reason("program", ("brv",))


def _variable(name: str) -> Callable[[Form, Sources], Reason | None]:
    def rule(form: Form, sources: Sources) -> Reason | None:
        there = sources.variable_source(name) != "none"
        return None if there else Reason("variable", (name,))

    return rule


def _nothing(form: Form, sources: Sources) -> Reason | None:
    return None


_RULES: Mapping[str, Callable[[Form, Sources], Reason | None]] = {
    "byterover": _byterover,
    "hindsight": _hindsight,
    "holographic": _nothing,
    "honcho": _honcho,
    "mem0": _mem0,
    "openviking": _openviking,
    "retaindb": _variable("RETAINDB_API_KEY"),
    "supermemory": _variable("SUPERMEMORY_API_KEY"),
}


def programs_lacking(manifest: Manifest, env: Mapping[str, str], person: Path) -> tuple[str, ...]:
    """The programs that the manifest asks for and that are nowhere."""
    return tuple(name for name in manifest.programs if on_path(name, env, person) is None)
