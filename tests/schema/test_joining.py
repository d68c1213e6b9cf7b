"""Two declarations of one provider made into one, and where they part."""

from __future__ import annotations

from schema.fields import (
    UNSET,
    Condition,
    Field,
    Group,
    Number,
    Option,
    Secret,
    Select,
    Text,
    Toggle,
)
from schema.joining import Difference, differences, joined
from schema.providers import Note, ProviderSchema, Style, Unread


def schema(*fields: Field, style: Style = "old", groups: tuple[Group, ...] = ()) -> ProviderSchema:
    return ProviderSchema(
        name="probe", label=style, storage="own", fields=fields, groups=groups, style=style
    )


FOUND = schema(
    Secret(key="key", label="Key", env_key="PROBE_KEY"),
    Select(key="mode", label="Mode", options=(Option("a", "a"), Option("c", "c")), default="c"),
    Text(key="size", label="Size", default="7", help="Theirs."),
    Text(key="new", label="New"),
)
OURS = schema(
    Select(
        key="mode",
        label="How",
        help="Ours.",
        options=(Option("a", "First"), Option("b", "Second")),
        default="a",
        group="main",
    ),
    Secret(key="key", label="API key", env_key="OTHER_KEY", url="https://a.org", inline=True),
    Number(key="size", label="Length", help="Ours.", minimum=1, whole=True, default=5),
    Toggle(key="more", label="More", default=True),
    style="ours",
    groups=(Group("main", "Main"),),
)


def test_what_is_installed_decides_and_our_words_are_shown() -> None:
    made = joined(FOUND, OURS, words="more")
    assert made.style == "old"
    assert made.groups == (Group("main", "Main"),)
    assert made.fields == (
        Select(
            key="mode",
            label="How",
            help="Ours.",
            group="main",
            options=(Option("a", "First"), Option("c", "c"), Option("b", "Second")),
            default="c",
        ),
        Secret(key="key", label="API key", env_key="PROBE_KEY", url="https://a.org", inline=True),
        Number(key="size", label="Length", help="Ours.", minimum=1, whole=True, default=7),
        Toggle(key="more", label="More", default=True),
        Text(key="new", label="New"),
    )


def test_a_text_that_is_no_number_stays_a_text() -> None:
    found = schema(Text(key="size", label="Size", default="many"))
    assert joined(found, OURS, words="more").of_key("size")[0].default == "many"


def test_the_words_of_the_first_are_kept_where_nobody_asks_for_others() -> None:
    made = joined(FOUND, OURS)
    assert [field.label for field in made.fields] == ["Key", "Mode", "Size", "New", "More"]
    assert made.of_key("size")[0] == Text(key="size", label="Size", default="7", help="Theirs.")


def test_notes_and_unread_parts_of_both_are_kept() -> None:
    from dataclasses import replace

    one = replace(FOUND, notes=(Note("a", 1, "x"),))
    two = replace(OURS, unread=(Unread("f.py", 2, "c", "m"),))
    made = joined(one, two)
    assert (made.notes, made.unread) == (one.notes, two.unread)


def test_differences_are_named_by_key() -> None:
    assert [str(difference) for difference in differences(OURS, FOUND)] == [
        "key: the environment name is PROBE_KEY, ours says OTHER_KEY",
        "mode: the choices is a, c, ours says a, b",
        "mode: the default is c, ours says a",
        "size: the kind is Text, ours says Number",
        "size: the default is 7, ours says 5",
        "new: the field is there, when (), ours says missing",
    ]


def test_a_field_under_other_conditions_is_a_difference_and_more_names_are_none() -> None:
    ours = schema(
        Text(key="a", label="A", when=(Condition("mode", ("x",)),)),
        Text(key="b", label="B", env_fallbacks=("B",), aliases=("c",), default="d"),
    )
    theirs = schema(Text(key="a", label="A"), Text(key="b", label="B"))
    assert differences(ours, theirs) == (
        Difference("a", "the field", "without these conditions", "there, when ()"),
    )
    assert theirs.of_key("b")[0].default is UNSET
