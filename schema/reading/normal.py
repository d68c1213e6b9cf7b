"""From what a declaration says of a field, in either style, to a field of ours.

Tolerant: what is not known or does not fit is named and left out. A mistake is only what would
make the form do wrong: a key that cannot be one, an environment name that is not a provider's.
"""

from __future__ import annotations

import math
from typing import Any

from schema.fields import (
    UNSET,
    Field,
    Json,
    Number,
    Option,
    Secret,
    Select,
    Text,
    Toggle,
    Unset,
)
from schema.frozen import frozen
from schema.reading import attributes as plain
from schema.reading.said import Said
from schema.reading.values import NOTHING
from schema.values import Accepted, check, parse

NAMES: dict[str, tuple[str, ...]] = {
    "key": ("key",),
    "label": ("label", "title"),
    "help": ("description", "help", "help_text"),
    "info": ("info", "long_description"),
    "placeholder": ("placeholder",),
    "group": ("group", "section", "category"),
    "url": ("url", "help_url", "docs_url", "link"),
    "kind": ("kind", "type", "widget"),
    "secret": ("secret", "sensitive", "is_secret"),
    "default": ("default",),
    "options": ("choices", "options", "enum"),
    "env": ("env_var", "env_key", "env", "env_name"),
    "fallbacks": ("env_fallbacks",),
    "aliases": ("aliases",),
    "inline": ("inline",),
    "required": ("required",),
    "read_only": ("read_only", "readonly"),
    "scope": ("scope",),
    "when": ("when",),
    "visible": ("visible_when",),
    "default_from": ("default_from",),
    "minimum": ("minimum", "min", "ge"),
    "maximum": ("maximum", "max", "le"),
    "step": ("step", "multipleOf"),
}
"""Under which names a declaration says what; the first that is there counts."""
TOLERATED = frozenset(
    (
        *("help_label", "search_placeholder", "searchable", "dynamic_options", "advanced"),
        *("name", "id", "order", "format", "examples", "items", "properties", "writeOnly"),
    )
)
"""Attributes that are known and say nothing for a form of ours."""

SECRET = ("secret", "password", "token")
SELECT = ("select", "segmented", "choice", "choices", "enum", "radio", "dropdown")
TOGGLE = ("bool", "boolean", "toggle", "switch", "checkbox")
WHOLE = ("integer", "int")
NUMBER = ("number", "float", "decimal", "double")
JSON = ("json", "object", "array", "list", "dict", "mapping")
TEXT = (
    *("text", "string", "str", "url", "uri", "path", "file", "directory", "textarea", "email"),
    *("multiline", "input", "hostname"),
)


@frozen(kw_only=True)
class Raw:
    """What a declaration says of one field: attributes by name, and where."""

    given: dict[str, object]
    file: str = ""
    line: int | None = None
    style: str = "old"


def field_of(raw: Raw, said: Said) -> Field | None:
    """The field, or None if it cannot be one; what is to be known goes into `said`."""
    key = _key(raw, said)
    if not key:
        return None
    given = _given(raw, key, said)
    common = _common(raw, key, given, said)
    options = plain.options_of(key, given.get("options"), said)
    kind = str(plain.text_of(given.get("kind")) or "").strip().lower()
    default = given.get("default", NOTHING)
    whole = isinstance(default, int) and not isinstance(default, bool)
    if kind in SECRET or plain.truth_of(given.get("secret")):
        if not common["env_key"] and raw.style == "new":
            said.note(key, "no environment variable is declared for this secret", line=raw.line)
        return Secret(**common)
    if options:
        return _select(key, common, options, default, said)
    if kind in TOGGLE or (isinstance(default, bool) and kind not in TEXT[:3]):
        return Toggle(**common, default=_flag(key, default, said))
    if kind in WHOLE or kind in NUMBER or (not kind and (whole or isinstance(default, float))):
        return _number(key, common, given, said, whole=kind in WHOLE or (not kind and whole))
    if kind in JSON or (not kind and isinstance(default, list | tuple | dict | set)):
        return Json(**common, default=_json(key, default, said))
    if kind in SELECT:
        said.note(key, "no choices are declared; any text can be given", line=raw.line)
    elif kind and kind not in TEXT:
        said.note(key, f"the kind {kind!r} is not known; shown as text", line=raw.line)
    return Text(**common, default=_text(key, default, said))


def _key(raw: Raw, said: Said) -> str:
    """The key; empty, with the reason said, if it is none."""
    value = plain.first(raw.given, ("key",))
    named = raw.given.get("name", raw.given.get("id"))
    if value is NOTHING and named is not None:
        value = named
        said.note(plain.line_of(named, 60), "declared under a name, without a key", line=raw.line)
    value = said.sure("", "the key of a field", value)
    if value is NOTHING:
        return ""
    key = plain.key_of(value)
    if not key:
        shown = plain.line_of(value, 60)
        said.wrong(shown, "this cannot be the key of a field" if shown else "a field has no key")
    return key


def _given(raw: Raw, key: str, said: Said) -> dict[str, object]:
    """The attributes under our names; what could not be read is left out and named."""
    found: dict[str, object] = {}
    taken: set[str] = set()
    for ours, names in NAMES.items():
        taken.update(names)
        value = plain.first(raw.given, names)
        if value is not NOTHING:
            value = plain.plain(said.sure(key, names[0], value))
        if value is not NOTHING:
            found[ours] = value
    for name in raw.given:
        if name not in taken and name not in TOLERATED and not str(name).startswith("x-"):
            said.note(key, f"the attribute {plain.line_of(name, 60)!r} is not known", line=raw.line)
    return found


def _common(raw: Raw, key: str, given: dict[str, object], said: Said) -> dict[str, Any]:
    """What every kind of field has."""
    default_label = key.replace("_", " ").title() if raw.style == "old" else key
    env = plain.env_of(key, given.get("env"), said)
    fallbacks = plain.texts_of(given.get("fallbacks"))
    conditions = plain.conditions_of(key, given.get("when", ()), said)
    conditions += plain.conditions_of(key, given.get("visible", ()), said)
    return {
        "key": key,
        "label": plain.line_of(given.get("label")) or default_label,
        "help": plain.help_of(given.get("help")),
        "info": plain.help_of(given.get("info")),
        "placeholder": plain.line_of(given.get("placeholder")),
        "group": plain.line_of(given.get("group")),
        "url": plain.link_of(key, given.get("url"), said),
        "inline": plain.truth_of(given.get("inline")),
        "required": plain.truth_of(given.get("required")),
        "read_only": plain.truth_of(given.get("read_only")),
        "aliases": tuple(
            alias for alias in map(plain.key_of, plain.texts_of(given.get("aliases"))) if alias
        ),
        "env_key": env,
        "env_fallbacks": tuple(
            name for name in (plain.env_of(key, one, said) for one in fallbacks) if name
        ),
        "scope": "root" if plain.text_of(given.get("scope")) == "root" else "host",
        "when": conditions,
        "default_from": plain.default_from_of(key, given.get("default_from"), said),
    }


# --- Defaults of each kind -------------------------------------------------------------------


def _unfit(key: str, default: object, said: Said) -> Unset:
    said.note(key, f"the default {plain.line_of(default, 60)!r} does not fit and is left out")
    return UNSET


def _select(
    key: str, common: dict[str, Any], options: tuple[Option, ...], default: object, said: Said
) -> Field:
    value = plain.text_of(default)
    if not value or value in [option.value for option in options]:
        return Select(**common, options=options, default=value or UNSET)
    same = [option.value for option in options if option.value.lower() == value.lower()]
    return Select(
        **common, options=options, default=same[0] if same else _unfit(key, default, said)
    )


def _flag(key: str, default: object, said: Said) -> bool | Unset:
    if isinstance(default, bool):
        return default
    text = plain.text_of(default)
    if not text:
        return UNSET
    read = parse(Toggle(key=key, label=key), text)
    if isinstance(read, Accepted) and isinstance(read.value, bool):
        return read.value
    return _unfit(key, default, said)


def _bound(value: object) -> int | float | None:
    if isinstance(value, str):
        read = parse(Number(key="n", label="n"), value)
        value = read.value if isinstance(read, Accepted) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def _number(
    key: str, common: dict[str, Any], given: dict[str, object], said: Said, *, whole: bool
) -> Field:
    low, high = _bound(given.get("minimum")), _bound(given.get("maximum"))
    step = _bound(given.get("step"))
    if low is not None and high is not None and low > high:
        said.note(key, f"the bounds {low} and {high} leave no number and are left out")
        low = high = None
    default = given.get("default", NOTHING)
    field = Number(
        **common,
        minimum=low,
        maximum=high,
        step=step if step is not None and step > 0 else 1,
        whole=whole,
    )
    value = _bound(default)
    if value is None:
        return field if not plain.text_of(default) else _keep(field, _unfit(key, default, said))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if check(field, value) is not None:
        return _keep(field, _unfit(key, default, said))
    return Number(**common, minimum=low, maximum=high, step=field.step, whole=whole, default=value)


def _keep(field: Number, default: Unset) -> Number:
    """The field as it is: there is no default."""
    return field


def _json(key: str, default: object, said: Said) -> Any:
    if isinstance(default, str):
        if not default.strip():
            return UNSET
        read = parse(Json(key=key, label=key), default[:100_000])
        return read.value if isinstance(read, Accepted) else _unfit(key, default, said)
    made = plain.container_of(sorted(default, key=str) if isinstance(default, set) else default)
    if made is None:
        return UNSET if default in (NOTHING, None) else _unfit(key, default, said)
    return made


def _text(key: str, default: object, said: Said) -> str | Unset:
    if default is NOTHING or default is None or default == "":
        return UNSET
    if isinstance(default, list | tuple | set):
        return ", ".join(plain.texts_of(default)) or UNSET
    text = plain.text_of(default)
    if not text or len(text) > 10_000:
        return _unfit(key, default, said)
    return text.strip() or UNSET
