"""Keeps keys out of what is shown and kept: lines of a file with secrets as •••."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from store.providers.json_text import leaves
from store.secrets.names import is_key_field, is_key_name

HIDDEN = "•••"

_IN_ADDRESS = re.compile(r"(\w+://[^/\s:@\"']*:)[^@/\s\"']+(@)")
_JSON_PAIR = re.compile(r"\"((?:[^\"\\]|\\.)*)\"(\s*:\s*)\"(?:[^\"\\]|\\.)*\"")
_YAML_PAIR = re.compile(r"^([+-]?\s*(?:-\s+)?[\"']?([\w.-]+)[\"']?\s*:\s+)(.+)$")


def is_secret_name(name: str) -> bool:
    """Whether what is kept under `name` is likely a key or password."""
    return is_key_field(name) or is_key_name(name)


def is_secret(name: str, value: object) -> bool:
    """Whether a value must not be kept or shown: by its name, or as a password in an address."""
    return is_secret_name(name) or any(_IN_ADDRESS.search(text) for text in leaves(value))


def changed_lines(before: str, after: str, *, secrets: frozenset[str] = frozenset()) -> list[str]:
    """The lines that go and come, marked - and +, with secrets hidden.

    `secrets` are texts that must not appear, wherever they stand.
    """
    import difflib

    old, new = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    found = []
    for tag, start, end, begin, stop in matcher.get_opcodes():
        if tag != "equal":
            found += ["-" + line for line in old[start:end]]
            found += ["+" + line for line in new[begin:stop]]
    return [masked(line, secrets) for line in found]


def masked(line: str, secrets: frozenset[str] = frozenset()) -> str:
    """One line with what is secret in it hidden."""
    for secret in sorted(secrets, key=len, reverse=True):
        for form in {
            secret,
            json.dumps(secret)[1:-1],
            json.dumps(secret, ensure_ascii=False)[1:-1],
        }:
            line = line.replace(form, HIDDEN)
    line = _JSON_PAIR.sub(_without_value, line)
    line = _IN_ADDRESS.sub(rf"\1{HIDDEN}\2", line)
    pair = _YAML_PAIR.match(line)
    if pair is not None and is_secret_name(pair[2]):
        return f"{pair[1]}{HIDDEN}"
    return line


def _without_value(found: re.Match[str]) -> str:
    if not is_secret_name(found[1]):
        return found[0]
    return f'"{found[1]}"{found[2]}"{HIDDEN}"'


def secrets_in(data: object, name: str = "") -> Iterator[str]:
    """Every text below a secret's name; those that are too short to be one are left out."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if is_secret_name(str(key)):
                yield from (text for text in leaves(value) if len(text) > 3)
            else:
                yield from secrets_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from secrets_in(value)
