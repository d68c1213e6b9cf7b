"""Declarations of our own (docs/provider-declarations.md): strict, all mistakes at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from schema.fields import Group, Mistake, closest
from schema.providers import Note, ProviderSchema, Storage, Wrong
from schema.reading import attributes as plain
from schema.reading.limits import MAX_FIELDS, MAX_FILE
from schema.reading.normal import Raw, field_of
from schema.reading.said import Said

SCHEMA_ATTRIBUTES = ("provider", "label", "description", "docs_url", "storage", "groups", "fields")
FIELD_ATTRIBUTES = (
    *("key", "kind", "label", "help", "info", "placeholder", "group", "url", "inline", "required"),
    *("read_only", "default", "options", "aliases", "env", "env_fallbacks", "scope", "when"),
    *("default_from", "minimum", "maximum", "step", "note"),
)
KINDS = ("text", "select", "secret", "bool", "number", "integer", "json")
_STORAGES: tuple[Storage, ...] = ("flat_json", "honcho_host_block", "own")


def read_yaml(text: str, name: str) -> ProviderSchema | Wrong:
    """Read one declaration of our own format, for the provider `name`."""
    given = _loaded(text)
    if isinstance(given, Wrong):
        return given
    said = Said()
    _known(given, SCHEMA_ATTRIBUTES, "", said)
    if given.get("provider") != name or not plain.PROVIDER_NAME.fullmatch(name):
        said.wrong("provider", f"is not the provider's name, {name!r}")
    if given.get("storage") not in _STORAGES:
        said.wrong("storage", f"is none of {', '.join(_STORAGES)}")
    groups = _groups(given.get("groups", []), said)
    raws = given.get("fields")
    if not isinstance(raws, list) or not raws or len(raws) > MAX_FIELDS:
        return Wrong((*said.mistakes, Mistake("fields", f"is no list of 1 to {MAX_FIELDS} fields")))
    notes: list[Note] = []
    fields: dict[object, Any] = {}
    for raw in raws:
        made = _field(raw, [group.key for group in groups], said, notes)
        if made is None:
            continue
        if (made.key, made.when) in fields:
            said.wrong(made.key, "declared more than once under the same conditions")
        fields[made.key, made.when] = made
    _about_conditions(list(fields.values()), said)
    docs_url = plain.link_of("docs_url", given.get("docs_url"), said)
    mistakes = (*said.mistakes, *(Mistake(note.where, note.message) for note in said.notes))
    if mistakes:
        return Wrong(tuple(dict.fromkeys(mistakes)))
    return ProviderSchema(
        name=name,
        label=str(given.get("label") or name),
        storage=given["storage"],
        fields=tuple(fields.values()),
        groups=groups,
        docs_url=docs_url,
        description=plain.help_of(given.get("description")),
        style="ours",
        notes=tuple(notes),
    )


def _loaded(text: str) -> dict[str, Any] | Wrong:
    # It takes long to load, and only this needs it.
    import yaml

    if len(text) > MAX_FILE:
        return Wrong((Mistake("", f"more than {MAX_FILE:,} characters"),))
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # not every PyYAML has the quick one
    try:
        given = yaml.load(text, Loader=loader)  # noqa: S506 (both are safe ones)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return Wrong((Mistake("", f"not valid YAML: {error}"),))
    if plain.container_of(given) is None or not isinstance(given, dict):
        return Wrong((Mistake("", "no mapping of plain values, or too large"),))
    return given


def _known(given: dict[str, Any], names: tuple[str, ...], key: str, said: Said) -> None:
    for name in given:
        if name not in names:
            said.wrong(key or str(name), f"unknown attribute {name!r}{_hint(name, names)}")


def _hint(name: object, known: Iterable[str]) -> str:
    near = closest(str(name), known)
    return f"; did you mean {near!r}?" if near else ""


def _groups(given: object, said: Said) -> tuple[Group, ...]:
    found: list[Group] = []
    for one in given if isinstance(given, list) else ():
        if not isinstance(one, dict) or set(one) != {"key", "label"}:
            said.wrong("groups", "a group has a key and a label, and nothing else")
            continue
        found.append(Group(str(one["key"]), str(one["label"])))
    return tuple(found)


def _field(raw: object, groups: list[str], said: Said, notes: list[Note]) -> Any:
    if not isinstance(raw, dict):
        said.wrong("fields", "a field is a mapping")
        return None
    key = str(raw.get("key", ""))
    _known(raw, FIELD_ATTRIBUTES, key, said)
    if raw.get("kind") not in KINDS:
        said.wrong(key, f"unknown kind {raw.get('kind')!r}{_hint(raw.get('kind'), KINDS)}")
    for name in ("label", "help"):
        if not isinstance(raw.get(name), str) or not raw[name].strip():
            said.wrong(key, f"no {name}")
    if raw.get("group") not in groups:
        said.wrong(key, f"unknown group {raw.get('group')!r}{_hint(raw.get('group'), groups)}")
    if raw.get("kind") == "select" and not raw.get("options"):
        said.wrong(key, "no options")
    for option in raw.get("options") or ():
        value = option.get("value") if isinstance(option, dict) else option
        if not isinstance(value, str):
            said.wrong(key, f"the option {value!r} is no text; YAML reads on, yes and 1 as others")
    if note := raw.get("note"):
        notes.append(Note(key, None, plain.help_of(note)))
    if raw.get("kind") not in KINDS or (raw["kind"] == "select" and not raw.get("options")):
        return None
    given = {name: raw[name] for name in FIELD_ATTRIBUTES if name in raw and name != "note"}
    return field_of(Raw(given=given, style="ours"), said)


def _about_conditions(fields: list[Any], said: Said) -> None:
    keys = {field.key for field in fields}
    for field in fields:
        named = [condition.key for condition in field.when]
        if field.default_from is not None:
            named.append(field.default_from.key)
        for key in named:
            if key not in keys:
                said.wrong(field.key, f"depends on {key!r}, which is no field")
