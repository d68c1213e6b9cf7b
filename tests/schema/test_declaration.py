"""A declaration is checked when it is made, and tells everything that is wrong with it."""

from __future__ import annotations

import pytest

from schema.fields import (
    Declaration,
    DeclarationError,
    Group,
    Number,
    Option,
    Select,
    Text,
    Toggle,
    declare,
)
from schema.settings import HERMES_SETTINGS
from schema.values import Accepted, parse, show


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(DeclarationError) as caught:
        declare(
            groups=[Group("limits", "Limits")],
            fields=[
                Number(key="a", label="A", default=5, maximum=4, group="limit"),
                Number(key="a", label="", minimum=2, maximum=1, step=0),
                Select(key="b", label="B", options=()),
                Select(key="c", label="C", options=(Option("x", "X"), Option("x", "Y"))),
                Toggle(key=" ", label="D", default="yes"),  # type: ignore[arg-type]
            ],
        )
    said = [(mistake.key, mistake.message) for mistake in caught.value.mistakes]
    assert said == [
        ("a", "field declared more than once"),
        ("a", "unknown group 'limit'; did you mean 'limits'?"),
        ("a", "the default fails its own check: too_large"),
        ("a", "empty label"),
        ("a", "minimum 2 is above maximum 1"),
        ("a", "step 0 is not above 0"),
        ("b", "no options"),
        ("c", "option 'x' given more than once"),
        (" ", "empty key"),
        (" ", "the default fails its own check: not_yes_or_no"),
    ]


def test_a_declaration_without_mistakes_is_given_back() -> None:
    made = declare(fields=[Text(key="a", label="A")])
    assert isinstance(made, Declaration)
    assert made.field("a") is made.fields[0]
    assert made.field("b") is None


def test_every_setting_of_hermes_has_a_group_a_sentence_and_a_default_that_shows() -> None:
    shown = {group.key for group in HERMES_SETTINGS.groups}
    for field in HERMES_SETTINGS.fields:
        assert field.group in shown
        assert field.help.endswith(".")
        assert parse(field, show(field, field.default)) == Accepted(field.default)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("memory.nudge_intervall", "memory.nudge_interval"),
        ("memory_char_limit", "memory.memory_char_limit"),
        ("Memory.Provider", "memory.provider"),
        ("curator.backup.kep", "curator.backup.keep"),
        ("model.default", ""),
    ],
)
def test_a_mistyped_key_finds_the_one_that_was_meant(typed: str, meant: str) -> None:
    assert HERMES_SETTINGS.suggest(typed) == meant
