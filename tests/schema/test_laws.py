"""Laws over every kind of field, whatever its bounds, choices and attributes are."""

from __future__ import annotations

import math
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from schema.fields import (
    FIELD_KINDS,
    UNSET,
    Field,
    Json,
    Number,
    Option,
    Secret,
    Select,
    Text,
    Toggle,
)
from schema.values import Accepted, Problem, Reason, check, parse, show

_number = st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
).filter(lambda value: isinstance(value, dict | list))
_text = st.text(min_size=1, max_size=30).map(str.strip).filter(bool)


@st.composite
def _numbers(draw: st.DrawFn) -> tuple[Field, object]:
    whole = draw(st.booleans())
    value = draw(st.integers(-(10**15), 10**15) if whole else _number)
    low = draw(st.none() | st.just(value) | st.just(math.floor(value) - 1))
    high = draw(st.none() | st.just(value) | st.just(math.ceil(value) + 1))
    return Number(key="n", label="N", whole=whole, minimum=low, maximum=high), value


@st.composite
def _selects(draw: st.DrawFn) -> tuple[Field, object]:
    values = draw(st.lists(_text, min_size=1, max_size=6, unique=True))
    field = Select(key="s", label="S", options=tuple(Option(value, value) for value in values))
    return field, draw(st.sampled_from(values))


PAIRS: dict[type[Field], st.SearchStrategy[tuple[Field, object]]] = {
    Text: _text.map(lambda value: (Text(key="t", label="T"), value)),
    Select: _selects(),
    Secret: st.just((Secret(key="k", label="K"), UNSET)),
    Toggle: st.booleans().map(lambda value: (Toggle(key="o", label="O"), value)),
    Number: _numbers(),
    Json: _json.map(lambda value: (Json(key="j", label="J"), value)),
}


def test_every_kind_has_its_law() -> None:
    assert set(PAIRS) == set(FIELD_KINDS)


@given(st.one_of(*PAIRS.values()))
def test_what_is_shown_reads_back_as_the_value(pair: tuple[Field, object]) -> None:
    field, value = pair
    assert parse(field, show(field, value)) == Accepted(value)  # type: ignore[arg-type]


@given(st.one_of(*PAIRS.values()), st.text(max_size=20) | _json.map(str))
def test_what_is_typed_is_accepted_as_one_of_the_field_or_the_rule_is_named(
    pair: tuple[Field, object], typed: str
) -> None:
    field, _ = pair
    read = parse(field, typed)
    if isinstance(read, Problem):
        assert read.key == field.key
        assert read.reason in get_args(Reason)
    elif read.value is not UNSET:
        assert check(field, read.value) is None
        assert parse(field, show(field, read.value)) == read or isinstance(field, Secret)


@given(_numbers(), st.integers(1, 10**6))
def test_a_number_out_of_its_bounds_names_the_bound(
    pair: tuple[Number, int | float], beyond: int
) -> None:
    field, _ = pair
    if field.minimum is not None:
        problem = check(field, math.floor(field.minimum) - beyond)
        assert problem == Problem("n", "too_small", limit=field.minimum)
    if field.maximum is not None:
        problem = check(field, math.ceil(field.maximum) + beyond)
        assert problem == Problem("n", "too_large", limit=field.maximum)
