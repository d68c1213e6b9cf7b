"""From an attribute of a declared field to a plain, bounded value of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from schema.fields import Condition, DefaultFrom, JsonValue, Option
from schema.patterns import understood
from schema.reading.limits import (
    MAX_HELP,
    MAX_ITEMS,
    MAX_KEY,
    MAX_LABEL,
    MAX_OPTIONS,
)
from schema.reading.said import Said
from schema.reading.values import NOTHING, REST, Made
from schema.visibility import as_text

PROVIDER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Names that Hermes' dashboard accepts (hermes-formats §6.1)."""
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_TAKEN = re.compile(
    r"PATH|HOME|SHELL|IFS|ENV|BASH_ENV|PS4|TMPDIR|LD_\w+|DYLD_\w+|PYTHON\w*|HERMES_HOME|GIT_\w+",
    re.IGNORECASE,
)
"""Names by which a plugin could steer other programs; no form writes them."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_MAX_DEEP = 12
_SIMPLE = (str, int, float, bool)


def line_of(value: object, most: int = MAX_LABEL) -> str:
    """One line of plain text: no control characters, no marks that turn the direction, cut."""
    text = " ".join(_CONTROL.sub(" ", text_of(value)).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def help_of(value: object) -> str:
    """Plain text that may have several lines, cut."""
    text = _CONTROL.sub(" ", text_of(value)).strip()
    return text if len(text) <= MAX_HELP else text[: MAX_HELP - 1] + "…"


def text_of(value: object) -> str:
    """The text of a plain value; empty for none and for what is no text."""
    value = plain(value)
    return as_text(value) if isinstance(value, _SIMPLE) else ""


def plain(value: object) -> object:
    """The value itself; of one of an enumeration its value."""
    if isinstance(value, Made) and value.kind == "enum":
        return value.attributes.get("value", NOTHING)
    return value


def truth_of(value: object) -> bool:
    """Whether a flag is set, also when it is written as a word."""
    if isinstance(value, str):
        return value.strip().lower() in ("true", "yes", "on", "1")
    return value is True or (isinstance(value, int) and value != 0)


def key_of(value: object) -> str:
    """A key that can be one; empty if it cannot: no path, no control characters, not too long."""
    key = text_of(value).strip()
    if not key or len(key) > MAX_KEY or _CONTROL.search(key) or key.startswith("."):
        return ""
    return "" if any(character in key for character in "/\\\n\t") else key


def env_of(where: str, value: object, said: Said) -> str:
    """The name of an environment variable; a mistake if a form must not write it."""
    name = text_of(value).strip()
    if not name:
        return ""
    if not _ENV_NAME.fullmatch(name):
        said.wrong(where, f"{line_of(name, 60)!r} is no name of an environment variable")
        return ""
    if _TAKEN.fullmatch(name):
        said.wrong(where, f"the environment variable {name} is not a provider's to set")
        return ""
    return name


def link_of(where: str, value: object, said: Said) -> str:
    """An address that may be opened; others are left out with a note."""
    address = "".join(text_of(value).split())
    if not address:
        return ""
    if not re.match(r"https?://[^/?#@\s]+([/?#]|$)", address, re.IGNORECASE) or len(address) > 2000:
        if re.match(r"[\w.-]+\.[a-z]{2,}(/|$)", address) and len(address) <= 2000:
            return f"https://{address}"
        said.note(
            where, f"a link was left out, only http and https are opened: {line_of(address, 80)}"
        )
        return ""
    return address if not _CONTROL.search(address) else ""


def texts_of(value: object) -> tuple[str, ...]:
    """Several texts, or one."""
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(text for text in map(text_of, several(value)) if text)[:MAX_OPTIONS]


def several(value: object) -> list[object]:
    """The items of a list or of anything like it."""
    if isinstance(value, list | tuple):
        return list(value[:MAX_ITEMS])
    if isinstance(value, set | frozenset):
        return sorted((item for item in value if item is not REST), key=str)
    if isinstance(value, dict):
        return [key for key in value if key is not REST]
    return []


def options_of(where: str, value: object, said: Said) -> tuple[Option, ...]:
    """The choices, each value once; written as values, as pairs, as mappings or as objects."""
    if isinstance(value, dict):
        value = list(value.items())
    found: dict[str, Option] = {}
    for one in several(value):
        one = said.sure(where, "a choice", one)
        if one is NOTHING:
            continue
        option = _option(plain(one))
        if option.value in found:
            said.note(where, f"the choice {option.value!r} is given more than once")
        elif len(found) >= MAX_OPTIONS:
            said.note(where, f"more than {MAX_OPTIONS} choices; the first are shown")
            break
        else:
            found[option.value] = option
    return tuple(found.values())


def _option(one: object) -> Option:
    given: Mapping[Any, object] = {}
    match one:
        case Made():
            given = one.attributes
        case dict():
            given = one
        case (value, label, *_):
            given = {"value": value, "label": label}
        case _:
            given = {"value": one}
    value = text_of(next((given[k] for k in ("value", "key", "id", "const") if k in given), None))
    label = line_of(next((given[k] for k in ("label", "title", "name") if given.get(k)), value))
    return Option(value, label or value, help_of(given.get("description")))


def conditions_of(where: str, value: object, said: Said) -> tuple[Condition, ...]:
    """The conditions of `when` and `visible_when`, in whatever shape; all must hold."""
    if isinstance(value, Made):
        value = [value]
    if isinstance(value, dict) and not {"key", "field"} & value.keys():
        return tuple(
            Condition(text_of(key), _wanted(said.sure(where, "a condition", one)))
            for key, one in value.items()
            if key is not REST
        )
    found = []
    for one in [value] if isinstance(value, dict) else several(value):
        given = one.attributes if isinstance(one, Made) else one
        if not isinstance(given, dict):
            said.note(where, "a condition could not be read; the field is always shown")
            continue
        key = text_of(given.get("key", given.get("field")))
        wanted = next(
            (given[k] for k in ("values", "value", "equals", "in") if given.get(k) is not None), ()
        )
        pattern = text_of(given.get("pattern"))
        if pattern and not understood(pattern):
            said.note(where, "a pattern in a condition is not understood; it counts as fulfilled")
            pattern = ""
        if key:
            found.append(Condition(key, _wanted(wanted), pattern))
    return tuple(found)


def _wanted(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple | set):
        return tuple(text_of(one) for one in several(value))
    return (text_of(value),)


def default_from_of(where: str, value: object, said: Said) -> DefaultFrom | None:
    """A default that follows another field: `{field, map}`."""
    if not isinstance(value, dict):
        return None
    key, given = text_of(value.get("field", value.get("key"))), value.get("map")
    if not key or not isinstance(given, dict):
        said.note(where, "a default that follows another field could not be read")
        return None
    pairs = [(text_of(k), text_of(said.sure(where, "a default", v))) for k, v in given.items()]
    return DefaultFrom(key, tuple(pair for pair in pairs if pair[0])[:MAX_OPTIONS])


def json_of(value: object, left: int = _MAX_DEEP, room: list[int] | None = None) -> object:
    """A copy of what is JSON, bounded; NOTHING where a part is not."""
    room = [MAX_ITEMS] if room is None else room
    room[0] -= 1
    value = plain(value)
    if room[0] < 0 or left < 0:
        return NOTHING
    if value is None or isinstance(value, _SIMPLE):
        return value
    if isinstance(value, list | tuple):
        items = [json_of(one, left - 1, room) for one in value[:MAX_ITEMS]]
        return NOTHING if NOTHING in items else items
    if isinstance(value, dict):
        made = {str(key): json_of(one, left - 1, room) for key, one in value.items()}
        return NOTHING if REST in value or NOTHING in made.values() else made
    return NOTHING


def container_of(value: object) -> JsonValue | None:
    """A JSON object or array; None if it is not one."""
    made = json_of(value)
    return made if isinstance(made, dict | list) else None


def first(given: dict[str, object], names: Iterable[str]) -> object:
    """The attribute under the first of the names that is there; NOTHING if none is."""
    return next((given[name] for name in names if given.get(name) is not None), NOTHING)
