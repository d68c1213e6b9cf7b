"""What is typed becomes a value, and a value shown reads back as itself."""

from __future__ import annotations

import pytest
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
from schema.values import Accepted, Problem, check, parse, show

TEXT = Text(key="t", label="T")
SELECT = Select(key="s", label="S", options=(Option("a", "A"), Option("b c", "B")))
SECRET = Secret(key="k", label="K")
TOGGLE = Toggle(key="o", label="O")
NUMBER = Number(key="n", label="N", minimum=-2, maximum=1e30)
WHOLE = Number(key="w", label="W", minimum=1, whole=True)
JSON = Json(key="j", label="J")

_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
VALUES: dict[type[Field], st.SearchStrategy[tuple[Field, object]]] = {
    Text: st.text().map(str.strip).filter(bool).map(lambda value: (TEXT, value)),
    Select: st.sampled_from(["a", "b c"]).map(lambda value: (SELECT, value)),
    # A secret is never read into a form: all that can be shown of one is that there is none.
    Secret: st.just((SECRET, UNSET)),
    Toggle: st.booleans().map(lambda value: (TOGGLE, value)),
    Number: st.one_of(
        st.integers(1, 10**40).map(lambda value: (WHOLE, value)),
        st.floats(-2, 1e30).map(lambda value: (NUMBER, value)),
    ),
    Json: _json.filter(lambda value: isinstance(value, dict | list)).map(
        lambda value: (JSON, value)
    ),
}


def test_every_kind_of_field_has_its_law() -> None:
    assert set(VALUES) == set(FIELD_KINDS)


@given(st.one_of(*VALUES.values()))
def test_a_value_that_is_shown_reads_back_as_itself(pair: tuple[Field, object]) -> None:
    field, value = pair
    assert parse(field, show(field, value)) == Accepted(value)  # type: ignore[arg-type]
    assert value is UNSET or check(field, value) is None


@pytest.mark.parametrize("field", [TEXT, SELECT, SECRET, TOGGLE, NUMBER, JSON], ids=lambda f: f.key)
def test_nothing_typed_is_no_value_and_no_value_shows_as_nothing(field: Field) -> None:
    assert parse(field, " \t") == Accepted(UNSET)
    assert show(field, UNSET) == show(field, None) == ""


@pytest.mark.parametrize(
    ("field", "typed", "reason"),
    [
        (SELECT, "c", "not_an_option"),
        (TOGGLE, "maybe", "not_yes_or_no"),
        (NUMBER, "many", "not_a_number"),
        (NUMBER, "inf", "not_a_number"),
        (NUMBER, "nan", "not_a_number"),
        (NUMBER, "1e999", "not_a_number"),
        (NUMBER, "1_000", "not_a_number"),
        (NUMBER, "٣", "not_a_number"),
        (NUMBER, "9" * 5000, "not_a_number"),
        (NUMBER, "-2.5", "too_small"),
        (NUMBER, "1e31", "too_large"),
        (WHOLE, "2.5", "not_whole"),
        (WHOLE, "0", "too_small"),
        (JSON, "{", "not_json"),
        (JSON, "[NaN]", "not_json"),
        (JSON, "[" * 100_000, "not_json"),
        (JSON, "5", "not_object_or_array"),
        (SECRET, "one\ntwo", "line_break"),
    ],
)
def test_a_mistake_is_returned_with_its_reason(field: Field, typed: str, reason: str) -> None:
    problem = parse(field, typed)
    assert isinstance(problem, Problem)
    assert (problem.key, problem.reason) == (field.key, reason)


def test_a_bound_and_the_choices_are_told_with_the_mistake() -> None:
    assert parse(WHOLE, "0") == Problem("w", "too_small", limit=1)
    assert parse(SELECT, "c") == Problem("s", "not_an_option", options=("a", "b c"))


@pytest.mark.parametrize("typed", ["on", "Yes", "TRUE", "1", " true "])
def test_the_words_for_on_are_taken_in_any_case(typed: str) -> None:
    assert parse(TOGGLE, typed) == Accepted(True)


def test_words_that_mean_none_become_the_empty_text() -> None:
    field = Text(key="p", label="P", keeps_empty=True, same_as_empty=("none",))
    assert parse(field, "None") == parse(field, "") == Accepted("")


@pytest.mark.parametrize(
    ("field", "stored", "reason", "shown"),
    [
        (WHOLE, "3000", "not_a_number", "3000"),
        (WHOLE, True, "not_a_number", "true"),
        (WHOLE, 3000.7, "not_whole", "3000.7"),
        (TOGGLE, "no", "not_yes_or_no", "no"),
        (TOGGLE, None, "not_yes_or_no", ""),
        (SELECT, "gone", "not_an_option", "gone"),
        (TEXT, [1], "not_text", "[1]"),
        (TEXT, {(1, 2): 3}, "not_text", "{(1, 2): 3}"),
    ],
)
def test_a_stored_value_of_another_kind_is_shown_as_it_is_and_named(
    field: Field, stored: object, reason: str, shown: str
) -> None:
    problem = check(field, stored)
    assert problem is not None
    assert problem.reason == reason
    assert show(field, stored) == shown  # type: ignore[arg-type]


def test_a_secret_is_never_shown() -> None:
    assert show(SECRET, "hunter2") == ""


@pytest.mark.parametrize(
    ("typed", "line", "column", "detail"),
    [
        ('["a",', 1, 6, "value"),
        ('\n  {"a": 1,\n   b: 2}', 3, 4, "name"),
        ('{"a" 1}', 1, 6, "colon"),
        ('["a" "b"]', 1, 6, "comma"),
        ('["a', 1, 2, "string"),
        ("[] x", 1, 4, "end"),
        ('["a\tb"]', 1, 4, "control"),
        (r'["\q"]', 1, 3, "escape"),
        ('["NaN",\n NaN]', 2, 2, "number"),
    ],
)
def test_a_mistake_in_json_is_named_with_its_place(
    typed: str, line: int, column: int, detail: str
) -> None:
    problem = parse(JSON, typed)
    assert isinstance(problem, Problem)
    assert (problem.line, problem.column, problem.detail) == (line, column, detail)
