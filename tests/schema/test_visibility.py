"""Which fields are shown, and which default holds, for what is set."""

from __future__ import annotations

from schema.fields import (
    UNSET,
    Condition,
    DefaultFrom,
    Field,
    Number,
    Option,
    Select,
    Text,
    Toggle,
)
from schema.visibility import as_text, effective_default, visible

MODE = Select(
    key="mode",
    label="Mode",
    options=(Option("cloud", "Cloud"), Option("local", "Local")),
    default="cloud",
)


def keys(fields: tuple[Field, ...], **values: object) -> list[str]:
    return [field.key for field in visible(fields, values)]


def test_without_a_value_the_default_decides() -> None:
    url = Text(key="url", label="URL", when=(Condition("mode", ("local",)),))
    assert keys((MODE, url)) == ["mode"]
    assert keys((MODE, url), mode="local") == ["mode", "url"]
    assert keys((MODE, url), mode="") == ["mode"]


def test_all_conditions_must_hold() -> None:
    both = Text(key="x", label="X", when=(Condition("a", ("1",)), Condition("b", ("2", "3"))))
    assert keys((both,), a="1") == []
    assert keys((both,), a=1, b=3.0) == ["x"]


def test_a_pattern_must_be_found_where_there_is_one() -> None:
    field = Text(key="x", label="X", when=(Condition("url", (), r"^https?://local"),))
    assert keys((field,), url="http://localhost") == ["x"]
    assert keys((field,), url="https://example.org") == []


def test_words_for_on_count_as_on_for_a_switch_only() -> None:
    switch = Toggle(key="on", label="On", default=False)
    text = Text(key="on", label="On")
    field = Text(key="x", label="X", when=(Condition("on", ("true",)),))
    assert keys((switch, field), on="yes") == ["on", "x"]
    assert keys((switch, field), on=True) == ["on", "x"]
    assert keys((text, field), on="yes") == ["on"]


def test_the_same_key_looks_different_under_conditions() -> None:
    cloud = Text(key="url", label="U", default="https://c", when=(Condition("mode", ("cloud",)),))
    local = Text(key="url", label="U", default="http://l", when=(Condition("mode", ("local",)),))
    fields = (MODE, cloud, local)
    assert visible(fields, {}) == (MODE, cloud)
    assert visible(fields, {"mode": "local"}) == (MODE, local)
    depends = Text(key="x", label="X", when=(Condition("url", ("http://l",)),))
    assert keys((*fields, depends), mode="local") == ["mode", "url", "x"]


def test_a_default_follows_the_other_field() -> None:
    model = Text(
        key="model",
        label="Model",
        default="big",
        default_from=DefaultFrom("mode", (("local", "small"), ("cloud", "large"))),
    )
    assert effective_default(model, (MODE, model), {}) == "large"
    assert effective_default(model, (MODE, model), {"mode": "local"}) == "small"
    assert effective_default(model, (MODE, model), {"mode": "gone"}) == "big"
    number = Number(key="n", label="N", default_from=DefaultFrom("mode", (("cloud", "many"),)))
    assert effective_default(number, (MODE, number), {}) is UNSET


def test_a_circle_of_conditions_and_defaults_ends() -> None:
    one = Text(
        key="a",
        label="A",
        when=(Condition("b", ("x",)),),
        default_from=DefaultFrom("b", (("x", "x"),)),
    )
    two = Text(
        key="b",
        label="B",
        when=(Condition("a", ("x",)),),
        default_from=DefaultFrom("a", (("x", "x"),)),
    )
    assert keys((one, two)) == []
    assert effective_default(one, (one, two), {}) is UNSET
    assert keys((one, two), a="x", b="x") == ["a", "b"]


def test_a_value_is_compared_as_text() -> None:
    assert [as_text(value) for value in (True, 2.0, 2.5, None, UNSET, " a ")] == [
        "true",
        "2",
        "2.5",
        "",
        "",
        "a",
    ]
