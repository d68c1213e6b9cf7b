"""Takes one key out of the text of a JSON file and leaves every other character as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from schema.frozen import frozen

JsonPath = tuple[str, ...]
_BLANKS = " \t\r\n"


@frozen
class Member:
    """A key with its value in some object of the text: where both begin and end."""

    path: JsonPath
    start: int
    value: int
    end: int


def without_key(text: str, path: JsonPath) -> str | None:
    """`text` without the member at `path`; None where that cannot be done safely.

    The comma and the line that it had for itself go with it. What comes out must say the same as
    before, but for that member.
    """
    try:
        data = json.loads(text)
        found = [one for one in members(text) if one.path == path]
    except (ValueError, RecursionError):
        return None
    if len(found) != 1:
        return None
    start, end = _with_comma(text, found[0])
    after = text[:start] + text[end:]
    try:
        same = json.loads(after) == _less(data, path)
    except (ValueError, RecursionError):
        return None
    return after if same else None


def line_of(text: str, path: JsonPath) -> int | None:
    """The line (from 1) on which the member at `path` stands."""
    try:
        found = next((one for one in members(text) if one.path == path), None)
    except (ValueError, RecursionError):
        return None
    return None if found is None else text.count("\n", 0, found.start) + 1


def members(text: str) -> Iterator[Member]:
    """Every member of every object in a valid text, outer ones first. Lists are passed over."""
    yield from _value(text, _skip(text, 0), ())[1]


def _value(text: str, place: int, path: JsonPath) -> tuple[int, list[Member]]:
    if text[place] == "{":
        return _object(text, place, path)
    if text[place] == "[":
        place = _skip(text, place + 1)
        while text[place] != "]":
            place, _ = _value(text, place, ())
            place = _skip(text, place)
            if text[place] == ",":
                place = _skip(text, place + 1)
        return place + 1, []
    _, end = json.JSONDecoder().raw_decode(text, place)
    return end, []


def _object(text: str, place: int, path: JsonPath) -> tuple[int, list[Member]]:
    found: list[Member] = []
    place = _skip(text, place + 1)
    while text[place] != "}":
        start = place
        key, place = scanstring(text, place + 1, False)
        place = _skip(text, _skip(text, place) + 1)
        value = place
        place, inner = _value(text, place, (*path, key))
        found += [Member((*path, key), start, value, place), *inner]
        place = _skip(text, place)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return place + 1, found


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place


def _with_comma(text: str, member: Member) -> tuple[int, int]:
    """From where to where the member goes, with one comma and the blanks that were its own."""
    after = _skip(text, member.end)
    before = len(text[: member.start].rstrip(_BLANKS))
    if text[after] == ",":
        # The next member moves up to where this one began.
        return member.start, _skip(text, after + 1)
    if text[before - 1] == ",":
        return before - 1, member.end
    return member.start, member.end


def _less(data: Any, path: JsonPath) -> Any:
    if len(path) == 1:
        return {key: value for key, value in data.items() if key != path[0]}
    return {key: _less(value, path[1:]) if key == path[0] else value for key, value in data.items()}
