"""A key goes out of a JSON file, and every other character stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.secrets.json_text import line_of, members, without_key

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ('{"a": 1, "k": "x", "b": 2}', ("k",), '{"a": 1, "b": 2}'),
        ('{\n  "k": "x",\n  "a": 1\n}', ("k",), '{\n  "a": 1\n}'),
        ('{\n  "a": 1,\n  "k": "x"\n}\n', ("k",), '{\n  "a": 1\n}\n'),
        ('{"k": "x"}', ("k",), "{}"),
        ('{"h": {"i": {"k": "{,}", "b": []}}}', ("h", "i", "k"), '{"h": {"i": {"b": []}}}'),
        ('{"l": [{"k": 1}], "k": "x"}', ("k",), '{"l": [{"k": 1}]}'),
    ],
)
def test_a_key_goes_with_its_comma(before: str, path: tuple[str, ...], after: str) -> None:
    assert without_key(before, path) == after


@pytest.mark.parametrize("text", ["", "[]", "{", '{"k": 1, "k": 2}', '{"a": 1}', '{"k": 1} x'])
def test_what_is_not_there_once_stays(text: str) -> None:
    assert without_key(text, ("k",)) is None


@given(st.dictionaries(st.text(max_size=3), VALUES, min_size=1), st.sampled_from([None, 1, 4]))
def test_any_key_of_any_object_can_go(data: dict[str, Any], indent: int | None) -> None:
    text = json.dumps(data, indent=indent)
    for member in members(text):
        after = without_key(text, member.path)
        assert after is not None
        assert len(after) < len(text)
    assert {member.path[0] for member in members(text)} == set(data)


def test_a_key_is_found_with_its_line() -> None:
    text = '{\n  "a": 1,\n  "hosts": {\n    "h": {"k": "x"}\n  }\n}'
    assert line_of(text, ("hosts", "h", "k")) == 4
    assert line_of(text, ("nothing",)) is None
