"""Single keys of a JSON file: what was meant is what it says, and the rest keeps its text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files import Content
from store.providers.json_text import JsonFile, parse_json, rendered, set_key, unset_key

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
LAYOUTS = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 4, "ensure_ascii": False},
        {"indent": "\t"},
        {"separators": (",", ":")},
        {},
    ]
)


def parsed(text: str) -> JsonFile:
    found = parse_json(Content(Path("x.json"), text.encode()))
    assert isinstance(found, JsonFile)
    return found


def put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> bool:
    """Set in place; whether that can be."""
    for part in path[:-1]:
        under = data.get(part)
        if under is None:
            data[part] = under = {}
        if not isinstance(under, dict):
            return False
        data = under
    data[path[-1]] = value
    return True


@given(
    data=st.dictionaries(KEYS, VALUES, max_size=4),
    path=st.lists(KEYS, min_size=1, max_size=3).map(tuple),
    value=VALUES,
    layout=LAYOUTS,
    crlf=st.booleans(),
)
def test_a_key_that_is_set_reads_back_and_nothing_else_changes(
    data: dict[str, Any], path: tuple[str, ...], value: Any, layout: dict[str, Any], crlf: bool
) -> None:
    text = json.dumps(data, **layout)
    text = text.replace("\n", "\r\n") if crlf else text
    made = set_key(parsed(text), path, value)
    expected = json.loads(text)
    if not put(expected, path, value):
        assert not isinstance(made, str)
        return
    assert isinstance(made, str)
    assert json.loads(made) == expected
    if path[0] in data or len(path) > 1:
        return
    gone = unset_key(parsed(made), path)
    assert isinstance(gone, str)
    assert gone.split() == text.split() or not data


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("{}", ("a",), '{\n  "a": 1\n}'),
        ("{ }", ("a", "b"), '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"x":2}', ("a",), '{"x":2, "a": 1}'),
        ('{"a": 0, "a": 2}', ("a",), '{"a": 0, "a": 1}'),
        ('{\n\t"x": {}\n}', ("x", "a"), '{\n\t"x": {\n\t\t"a": 1\n\t}\n}'),
        ('{"hosts": null, "y": 1.50}', ("hosts", "h", "a"), None),
    ],
)
def test_the_layout_around_it_stays(before: str, path: tuple[str, ...], after: str | None) -> None:
    made = set_key(parsed(before), path, 1)
    assert isinstance(made, str)
    assert made == after or (after is None and made.endswith(', "y": 1.50}'))


def test_every_repetition_of_a_key_goes() -> None:
    text = '{\n  "a": 1,\n  "b": [1.0],\n  "a": {"a": 2}\n}'
    assert unset_key(parsed(text), ("a",)) == '{\n  "b": [1.0]\n}'
    assert unset_key(parsed(text), ("z",)) == text


def test_a_new_file_is_as_the_agents_own_writer_would_have_made_it() -> None:
    absent = parse_json(Content(Path("x.json"), None))
    assert isinstance(absent, JsonFile)
    assert set_key(absent, ("a", "ö"), ["x"]) == rendered({"a": {"ö": ["x"]}})
