"""From the value that a declaration is to a `ProviderSchema`: its shape decides how it is read."""

from __future__ import annotations

from schema.fields import Field, Group
from schema.providers import (
    ProviderSchema,
    Reading,
    Storage,
    Style,
    Undeclared,
    Unread,
    Wrong,
)
from schema.reading import attributes as plain
from schema.reading.limits import MAX_FIELDS
from schema.reading.normal import JSON, Raw, field_of
from schema.reading.said import Said
from schema.reading.values import REST, Made, Unknown

_STORAGES: dict[str, Storage] = {
    "": "flat_json",
    "flat_json": "flat_json",
    "honcho_host_block": "honcho_host_block",
    "config_yaml": "own",
}
_SCHEMA_ATTRIBUTES = frozenset(
    (
        *("name", "label", "storage", "docs_url", "fields", "description", "submit_action"),
        *("submit_label", "status_action", "actions"),
    )
)


def schema_of_list(value: object, name: str, style: Style, said: Said) -> Reading:
    """What a get_config_schema() returned: a list of fields, or an object in one of its shapes."""
    if isinstance(value, Made) and isinstance(value.attributes.get("fields"), list | tuple):
        return schema_of_object(value, name, style, said)
    raws, description = raws_of(value, said), ""
    if isinstance(value, dict):
        description = plain.help_of(value.get("description"))
    return finished(
        raws,
        said,
        name=name,
        label=name.replace("_", " ").replace("-", " ").title(),
        storage="own",
        style=style,
        description=description,
    )


def schema_of_object(made: Made, name: str, style: Style, said: Said) -> Reading:
    """A ProviderConfigSchema(…)."""
    given = {key: said.sure("", key, value) for key, value in made.attributes.items()}
    own = plain.text_of(given.get("name")) or name
    if not plain.PROVIDER_NAME.fullmatch(own):
        said.wrong(plain.line_of(own, 60), "this cannot be the name of a provider")
    declared = plain.text_of(given.get("storage"))
    storage = _STORAGES.get(declared)
    if storage is None:
        said.note("", f"the storage {plain.line_of(declared, 60)!r} is not known", line=made.line)
        storage = "own"
    for key in given:
        if key not in _SCHEMA_ATTRIBUTES:
            said.note("", f"the attribute {plain.line_of(key, 60)!r} is not known", line=made.line)
    return finished(
        raws_of(given.get("fields"), said, style="new"),
        said,
        name=own,
        label=plain.line_of(given.get("label")) or own,
        storage=storage,
        style=style,
        description=plain.help_of(given.get("description")),
        docs_url=plain.link_of("", given.get("docs_url"), said),
    )


def raws_of(value: object, said: Said, *, style: str = "old") -> list[Raw]:
    """The fields as they are declared: of a list, a JSON Schema, or a mapping of key to field."""
    if isinstance(value, Unknown):
        value = said.sure("", "the list of fields", value)
    if isinstance(value, dict):
        if REST in value:
            said.missing(Unread(said.file, None, "", "not all fields could be read"))
        if isinstance(value.get("properties"), dict):
            return _of_json_schema(value, said)
        for inner in ("fields", "settings", "config", "schema"):
            if isinstance(value.get(inner), list | tuple):
                return raws_of(value[inner], said, style=style)
        return [
            Raw(given={"key": key, **_attributes(one)}, file=said.file)
            for key, one in value.items()
            if isinstance(one, dict | Made)
        ]
    found: list[Raw] = []
    for one in value if isinstance(value, list | tuple) else ():
        if isinstance(one, Unknown):
            said.not_known(one)
        elif isinstance(one, Made):
            found.append(
                Raw(given=_attributes(one), file=one.file, line=one.line or None, style=style)
            )
        elif isinstance(one, dict):
            found.append(Raw(given=_attributes(one), file=said.file, style=style))
        else:
            shown = plain.line_of(getattr(one, "name", one), 60)
            said.missing(Unread(said.file, None, shown, "this is no field"))
    return found


def _attributes(one: object) -> dict[str, object]:
    given = one.attributes if isinstance(one, Made) else one
    return {str(key): value for key, value in given.items() if key is not REST}  # type: ignore[attr-defined]


def _of_json_schema(value: dict[object, object], said: Said) -> list[Raw]:
    """`{"type": "object", "properties": {…}, "required": […]}`."""
    required = plain.texts_of(value.get("required", ()))
    properties = value["properties"]
    found: list[Raw] = []
    for key, one in properties.items() if isinstance(properties, dict) else ():
        if key is REST or not isinstance(one, dict):
            said.missing(
                Unread(said.file, None, plain.line_of(key, 60), "this property could not be read")
            )
            continue
        given = {"key": key, **_attributes(one)}
        kind = one.get("type")
        if isinstance(kind, list | tuple):
            given["type"] = next((each for each in kind if each != "null"), "string")
        if one.get("format") == "password" or one.get("writeOnly") is True:
            given["secret"] = True
        if given.get("type") in JSON:
            given.pop("enum", None)
        if isinstance(given.get("required"), list | tuple):
            given.pop("required")
        given.setdefault("required", key in required)
        found.append(Raw(given=given, file=said.file))
    return found


def finished(
    raws: list[Raw],
    said: Said,
    *,
    name: str,
    label: str,
    storage: Storage,
    style: Style,
    description: str = "",
    docs_url: str = "",
) -> Reading:
    """The schema of these fields; every mistake at once if there is one."""
    if len(raws) > MAX_FIELDS:
        said.missing(
            Unread(
                said.file,
                raws[MAX_FIELDS].line,
                "",
                f"{len(raws):,} fields are declared; the first {MAX_FIELDS} are shown",
            )
        )
    fields: dict[object, Field] = {}
    for raw in raws[:MAX_FIELDS]:
        before = len(said.mistakes)
        field = field_of(raw, said)
        if field is None:
            if len(said.mistakes) == before:
                said.missing(Unread(raw.file, raw.line, "", "a field whose key could not be read"))
            continue
        if (field.key, field.when) in fields:
            said.note(field.key, "declared more than once; the first is shown", line=raw.line)
            continue
        fields[field.key, field.when] = field
    if said.mistakes:
        return Wrong(said.mistakes)
    if not fields:
        return said.unread[0] if said.unread else Undeclared()
    shown = tuple(fields.values())
    groups = dict.fromkeys(field.group for field in shown if field.group)
    return ProviderSchema(
        name=name,
        label=label,
        storage=storage,
        fields=shown,
        groups=tuple(Group(group, group) for group in groups),
        docs_url=docs_url,
        description=description,
        style=style,
        notes=said.notes,
        unread=said.unread,
    )
