"""Our own declarations: strict when they are read, and complete for a person of either language."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from textwrap import dedent

import pytest

from gui.i18n import tr, use_language
from schema.fields import Field, Number, Secret, Select
from schema.providers import ProviderSchema, Wrong
from schema.reading import read_yaml
from schema.reading.ours import FIELD_ATTRIBUTES
from schema.values import Accepted, parse, show
from schema.visibility import visible

ROOT = Path(__file__).parents[2]
BUNDLED = (
    *("byterover", "hindsight", "holographic", "honcho"),
    *("mem0", "openviking", "retaindb", "supermemory"),
)


def ours(name: str) -> ProviderSchema:
    text = (files("resources") / "providers" / f"{name}.yaml").read_text("utf-8")
    made = read_yaml(text, name)
    assert isinstance(made, ProviderSchema), made
    return made


def test_there_is_a_declaration_for_each_provider_of_hermes_and_for_no_other() -> None:
    held = {one.name for one in (files("resources") / "providers").iterdir()}
    assert held == {f"{name}.yaml" for name in BUNDLED}


@pytest.mark.parametrize("name", BUNDLED)
def test_ours_can_be_shown_from_the_file_alone(name: str) -> None:
    schema = ours(name)
    groups = [group.key for group in schema.groups]
    assert schema.style == "ours"
    assert schema.description.endswith(".")
    assert any(field.inline for field in schema.fields)
    assert {field.group for field in schema.fields} == set(groups)
    for field in schema.fields:
        assert field.help.endswith("."), field.key
        assert not isinstance(field, Secret) or field.env_key, field.key
        assert parse(field, show(field, field.default)) == Accepted(field.default), field.key
    for note in schema.notes:
        assert schema.of_key(note.where)


@pytest.mark.parametrize("name", BUNDLED)
def test_every_key_is_shown_at_most_once_whatever_is_chosen(name: str) -> None:
    schema = ours(name)
    choices = [
        (field.key, option.value)
        for field in schema.fields
        if isinstance(field, Select)
        for option in field.options
    ]
    for key, value in choices:
        shown = [field.key for field in visible(schema.fields, {key: value})]
        assert len(shown) == len(set(shown)), (key, value)


def texts(schema: ProviderSchema) -> list[str]:
    found = [schema.description, *(group.label for group in schema.groups)]
    found += [note.message for note in schema.notes]
    for field in schema.fields:
        found += [field.label, field.help, field.info]
        if isinstance(field, Select):
            for option in field.options:
                found += [option.label, option.description]
    return [text for text in found if text]


LEFT_AS_THEY_ARE = {
    *("OpenAI", "Anthropic", "Gemini", "Groq", "OpenRouter", "MiniMax", "Ollama", "LM Studio"),
}
"""Names of products."""


@pytest.mark.parametrize("name", BUNDLED)
def test_a_chinese_reader_sees_chinese_words(name: str) -> None:
    use_language("zh_CN")
    try:
        same = {text for text in texts(ours(name)) if tr(text) == text}
    finally:
        use_language("en")
    assert same <= LEFT_AS_THEY_ARE


def test_the_example_of_the_document_is_a_declaration() -> None:
    text = (ROOT / "docs" / "provider-declarations.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    made = read_yaml(example, "example")
    assert isinstance(made, ProviderSchema), made
    listed = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[^|]*`) \|", text, re.M))))
    assert listed == set(FIELD_ATTRIBUTES)


# --- Strictness ------------------------------------------------------------------------------


def wrong(fields: str, head: str = "") -> list[tuple[str, str]]:
    text = dedent(
        """
        provider: probe
        label: Probe
        storage: own
        groups:
          - {key: main, label: Main}
        fields:
        """
    ) + "".join(f"  {line}\n" for line in dedent(fields).strip().splitlines())
    made = read_yaml(text + dedent(head), "probe")
    assert isinstance(made, Wrong), made
    return [(mistake.key, mistake.message) for mistake in made.mistakes]


def test_every_mistake_is_named_at_once() -> None:
    assert wrong(
        """
        - {key: a, kind: texts, label: A, help: A., group: main}
        - {key: b, kind: text, label: B, help: B., group: mani, defualt: x}
        - {key: c, kind: select, label: C, help: C., group: main, options: [on]}
        - {key: d, kind: select, label: D, help: D., group: main}
        - {key: e, kind: integer, label: E, group: main, default: 1, minimum: 2}
        - {key: f, kind: text, label: F, help: F., group: main, when: {gone: x}}
        - {key: g, kind: secret, label: G, help: G., group: main, env: "A B", url: "ftp://x"}
        - {key: f, kind: text, label: F, help: F., group: main, when: {gone: x}}
        """
    ) == [
        ("a", "unknown kind 'texts'; did you mean 'text'?"),
        ("b", "unknown attribute 'defualt'; did you mean 'default'?"),
        ("b", "unknown group 'mani'; did you mean 'main'?"),
        ("c", "the option True is no text; YAML reads on, yes and 1 as others"),
        ("d", "no options"),
        ("e", "no help"),
        ("g", "'A B' is no name of an environment variable"),
        ("f", "declared more than once under the same conditions"),
        ("f", "depends on 'gone', which is no field"),
        ("e", "the default '1' does not fit and is left out"),
        ("g", "a link was left out, only http and https are opened: ftp://x"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "not valid YAML"),
        ("[1, 2]", "no mapping of plain values"),
        ("provider: other\nstorage: own", "is not the provider's name"),
        ("provider: probe\nstorage: pocket", "is none of flat_json"),
        ("provider: probe\nstorage: own\nfields: []", "is no list of 1 to 500 fields"),
        ("a: &a [1]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" * 1, "unknown attribute 'a'"),
        ("a: !!python/object/apply:os.getcwd []", "not valid YAML"),
        ("x" * 700_000, "more than 600,000 characters"),
    ],
)
def test_a_text_that_is_no_declaration_says_why(text: str, said: str) -> None:
    made = read_yaml(text, "probe")
    assert isinstance(made, Wrong)
    assert any(said in mistake.message for mistake in made.mistakes)


def test_aliases_that_would_grow_without_end_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    made = read_yaml("\n".join(lines), "probe")
    assert made == Wrong(made.mistakes)  # type: ignore[union-attr]
    assert "too large" in made.mistakes[0].message  # type: ignore[union-attr]


def test_numbers_keep_their_bounds() -> None:
    field: Field = ours("supermemory").of_key("api_timeout")[0]
    assert isinstance(field, Number)
    assert (field.minimum, field.maximum, field.step) == (0.5, 15, 0.5)
