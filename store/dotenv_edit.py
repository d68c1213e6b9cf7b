"""Changes of one line in the text of a `.env`, written so that every reader reads the same.

Readers are the two of Hermes, with python-dotenv behind one of them, and `sh`. Where no way of
writing a value pleases all of them it is refused; the keyring holds any. What comes out is read
again: the name has its value for both readers, and every other name has the one it had.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from schema.secrets import look_alikes
from store.dotenv import NAME, REFUSED_NAMES, Binding, Dotenv, glued_names, parse_dotenv
from store.files import Content
from store.refusals import Invalid, Refusal, Unsupported

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]*")
_BREAK = re.compile(r"(?:\r\n|\r|\n)?\Z")
_HEAD = re.compile(r"[^\S\r\n]*(?:export[^\S\r\n]+)?")


def name_refusal(name: str) -> Invalid | None:
    """Why `name` cannot be the name of a key, or None."""
    if not NAME.fullmatch(name):
        return Invalid("name", "bad_name")
    if name in REFUSED_NAMES:
        return Invalid("name", "name_refused")
    return None


def value_refusal(name: str, value: str) -> Invalid | None:
    """Why no environment of Hermes can carry `value` under `name`, or None.

    `column` is the place (from 1) of the first character that stands in the way.
    """
    for place, char in enumerate(value, 1):
        if (ord(char) < 32 and char != "\t") or ord(char) == 127 or "\ud800" <= char <= "\udfff":
            return Invalid("value", "control_character", column=place)
    odd = look_alikes(name, value)
    if odd:
        place = next(place for place, char in enumerate(value, 1) if ord(char) > 127)
        return Invalid("value", "look_alike", column=place)
    return None


def written(value: str) -> str | None:
    """`value` as it may stand behind the `=` for every reader; None if there is no such way."""
    if "${" in value or glued_names(value):
        # python-dotenv expands the one, Hermes 0.19 takes the other for a line of its own.
        return None
    if _PLAIN.fullmatch(value):
        return value
    if "'" not in value and "\\\\" not in value and not value.endswith("\\"):
        return f"'{value}'"
    # A backslash before the closing quote: python-dotenv 1.2.2 may look for another one.
    if "$" not in value and "`" not in value and not value.endswith("\\"):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return None


def with_value(file: Dotenv, name: str, value: str, *, newline: str) -> bytes | Refusal:
    """The file with `value` under `name`; the same bytes if every reader has it so already.

    The line that counts is replaced, its `export` kept and its comment moved to a line above; a
    new one goes to the end. `newline` is for a file that has no line end yet.
    """
    refused = name_refusal(name) or value_refusal(name, value)
    if refused is not None:
        return refused
    if file.value(name) == value == file.own_value(name):
        return file.content.data or b""
    how = written(value)
    if how is None:
        return Unsupported("dotenv_value", name)
    text, places = file.text, _places(file, name)
    if places is None:
        return Unsupported("dotenv_shape", name)
    if places:
        last = places[-1]
        line = text[last.start : last.end]
        ended = _BREAK.search(line)
        end = ended[0] if ended else ""
        head = _HEAD.match(line)
        comment = _comment(line, last)
        above = f"{comment}{end or _newline(text, newline)}" if comment else ""
        put = f"{above}{head[0] if head else ''}{name}={how}{end}"
        text = text[: last.start] + put + text[last.end :]
    else:
        end = _newline(text, newline)
        glue = end if text and not text.endswith(("\n", "\r")) else ""
        text += f"{glue}{name}={how}{end}"
    return _verified(file, text, {name: value})


def without(file: Dotenv, name: str) -> bytes | Refusal:
    """The file without `name`; the same bytes if it is not there.

    Several lines of that name go together if they say the same; else it is refused, since one of
    them may be the only copy of another key.
    """
    places = _places(file, name)
    if places is None:
        return Unsupported("dotenv_shape", name)
    if not places:
        return file.content.data or b""
    if len({one.value for one in places}) > 1:
        return Unsupported("dotenv_twice", name)
    text = file.text
    for one in reversed(places):
        text = text[: one.start] + text[one.end :]
    return _verified(file, text, {name: None})


def _places(file: Dotenv, name: str) -> list[Binding] | None:
    """Where `name` is defined; None if not every reader sees one whole line there."""
    loaded = [one for one in file.loaded if one.name == name]
    own = [one for one in file.own if one.name == name]
    if [(one.start, one.end) for one in loaded] != [(one.start, one.end) for one in own]:
        return None
    return loaded


def _comment(line: str, binding: Binding) -> str:
    """The comment behind the value, from its `#` on; empty without one."""
    found = re.search(r"[^\S\r\n](#[^\r\n]*)", line)
    if found is None or found[1] in binding.value:
        return ""
    return found[1].rstrip()


def _newline(text: str, newline: str) -> str:
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else newline


def _verified(file: Dotenv, text: str, meant: Mapping[str, str | None]) -> bytes | Refusal:
    data = (("\ufeff" if file.bom else "") + text).encode("utf-8", "surrogateescape")
    after = parse_dotenv(Content(file.content.path, data))
    if not isinstance(after, Dotenv):
        return Unsupported("dotenv_shape", next(iter(meant)))
    names = {one.name for one in (*file.loaded, *file.own, *after.loaded, *after.own)}
    for name in names | set(meant):
        values = (after.value(name), after.own_value(name))
        if name in meant:
            right = values == (meant[name], meant[name])
        else:
            right = values == (file.value(name), file.own_value(name))
        if not right:
            return Unsupported("dotenv_shape", name)
    return data
