"""Whatever a plugin's files hold, reading them ends soon, raises nothing and runs nothing."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schema.providers import ProviderSchema, Undeclared, Unread, Wrong
from schema.reading import SourceTree, from_answer, read_declaration, read_yaml
from schema.reading.limits import MAX_FIELDS, MAX_FILE, MAX_NESTING, MAX_STEPS
from schema.reading.parsing import too_deep
from schema.reading.python import Reader, read_old_style
from tests.schema.test_reading import method

ANY = (ProviderSchema, Undeclared, Unread, Wrong)
"""All that reading may give."""


def read(text: str) -> object:
    source = SourceTree({"__init__.py": text, "config_schema.py": text}, {}, "probe")
    return read_declaration(source, "probe")


DEEP = 100_000
FAR = 10**9

BOMBS = {
    "brackets": "get_config_schema = " + "(" * DEEP,
    "lists": "get_config_schema = " + "[" * DEEP + "]" * DEEP,
    "minus": "get_config_schema = " + "-" * DEEP + "1",
    "dots": "get_config_schema = x" + ".a" * DEEP,
    "else": "get_config_schema = " + "1 if x else " * DEEP + "1",
    "elif": "if x: pass\n" + "elif x: pass\n" * 5_000 + "# get_config_schema",
    "in a format": 'get_config_schema = f"{' + "-" * 5_000 + '1}"',
    "quotes": "get_config_schema = " + "'\\" * DEEP,
    "null": "get_config_schema = '\0'",
    "digits": "get_config_schema = " + "9" * 10_000,
    "blocks": "\n".join(" " * depth + "if x:" for depth in range(200)) + " get_config_schema",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_text_that_would_overrun_a_parser_is_named(name: str) -> None:
    assert isinstance(read(BOMBS[name]), Unread)


GROWING = {
    "a text times a number": f'return [{{"key": "a", "default": "x" * {FAR}}}]',
    "a list times a number": f"return [1] * {FAR}",
    "a power": 'return [{"key": "a", "default": 10 ** 10 ** 10}]',
    "a shift": f'return [{{"key": "a", "default": 1 << {FAR}}}]',
    "a long range": f'return [{{"key": str(i)}} for i in range({FAR})]',
    "a width to fill": f'return [{{"key": "a", "default": f"{{1:>{FAR}}}"}}]',
    "a width by percent": f'return [{{"key": "a", "default": "%{FAR}d" % 1}}]',
    "a width by format": f'return [{{"key": "a", "default": "{{:>{FAR}}}".format(1)}}]',
    "a width by name": f'return [{{"key": "a", "default": "x".center({FAR})}}]',
    "tabs": f'return [{{"key": "a", "default": "\\t".expandtabs({FAR})}}]',
    "doubling": "t = 'x'\nfor i in range(100):\n    t = t + t\nreturn [{'key': t}]",
    "doubling lists": "t = [1]\nfor i in range(100):\n    t = t + t\nreturn t",
    "replacing": "t = 'xx'\nfor i in range(100):\n    t = t.replace('x', 'xx')\nreturn [t]",
    "joining": "t = 'xx'\nfor i in range(100):\n    t = t.join([t, t, t])\nreturn [{'key': t}]",
    "one list many times": (
        "t = {'key': 'a', 'default': [1]}\n"
        "for i in range(100):\n    t = {'key': 'a', 'default': [t, t]}\nreturn [t]"
    ),
    "a list in itself": "t = []\nt.append(t)\nreturn [{'key': 'a', 'default': t}]",
    "a loop in loops": "n = 0\n"
    + "".join(f"{' ' * depth}for i{depth} in range(4000):\n" for depth in range(4))
    + "     n += 1\nreturn []",
    "a loop for ever": "while True:\n    pass\nreturn [{'key': 'a'}]",
    "calling itself": "return self.get_config_schema()",
    "calling itself twice": "return self.get_config_schema() + self.get_config_schema()",
    "a generator for ever": "while True:\n    yield {'key': 'a'}",
}


@pytest.mark.parametrize("name", GROWING)
def test_nothing_grows_beyond_its_bound(name: str) -> None:
    assert isinstance(read(method(GROWING[name])), ANY)


def test_a_text_of_a_hundred_megabytes_is_not_parsed() -> None:
    read_it = read("get_config_schema = " + "(" * 100_000_000)
    assert isinstance(read_it, Unread)
    assert read_it.message == f"the file has 100,000,020 characters; at most {MAX_FILE:,} are read"


def test_too_many_fields_are_named_and_the_first_are_shown() -> None:
    shown = read(method("return [{'key': f'k{i}'} for i in range(900)]"))
    assert isinstance(shown, ProviderSchema)
    assert len(shown.fields) == MAX_FIELDS
    (unread,) = shown.unread
    assert unread.message == "900 fields are declared; the first 500 are shown"

    many = read(method("return [{'key': f'k{i}'} for i in range(10 ** 6)]"))
    assert isinstance(many, Unread)
    assert many.message == "more than 5,000 items would be gone through"
    assert many.line == 4


def test_the_steps_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    step = Reader.step

    def counted(self: Reader, node: ast.AST) -> None:
        step(self, node)
        seen.append(self.steps)

    monkeypatch.setattr(Reader, "step", counted)
    assert isinstance(read(method(GROWING["a loop in loops"])), Unread)
    assert max(seen) <= MAX_STEPS


def test_nothing_of_a_hostile_package_runs(tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    source = SourceTree(
        {
            "__init__.py": f"open({str(trace)!r}, 'w').write('x')\n"
            + method(
                "__import__('pathlib').Path(TRACE).touch()\n"
                "exec('open(TRACE, \"w\")')\n"
                "eval('open(TRACE, \"w\")')\n"
                "(lambda: open(TRACE, 'w'))()\n"
                "''.__class__.__mro__[1].__subclasses__()\n"
                "return [{'key': 'a', 'default': open(TRACE, 'w').name}]",
                before=f"import os\nTRACE = {str(trace)!r}\nos.system('touch ' + TRACE)\n",
            )
        },
        {},
        "probe",
    )
    shown = read_old_style(source, "probe")
    assert isinstance(shown, ProviderSchema)
    assert [field.key for field in shown.fields] == ["a"]
    assert not trace.exists()


HOSTILE_FIELDS = [
    ({"key": "../x"}, "../x: this cannot be the key of a field"),
    ({"key": "a\nb"}, "a b: this cannot be the key of a field"),
    ({"key": "a", "secret": True, "env_var": "A\nB=c"}, "a: 'A B=c' is no name of an environment"),
    ({"key": "a", "env_var": "LD_PRELOAD"}, "a: the environment variable LD_PRELOAD is not"),
    ({"key": "a", "env_fallbacks": ["PATH"]}, "a: the environment variable PATH is not"),
]


@pytest.mark.parametrize(("field", "said"), HOSTILE_FIELDS, ids=lambda value: str(value)[:20])
def test_what_would_make_a_form_do_wrong_is_refused(field: object, said: str) -> None:
    made = from_answer([field, {"key": "fine"}], "probe")
    assert isinstance(made, Wrong)
    (mistake,) = made.mistakes
    assert f"{mistake.key}: {mistake.message}".startswith(said)


def test_a_name_that_is_a_path_is_refused() -> None:
    made = from_answer({"name": "../x", "label": "X", "fields": [{"key": "a", "label": "A"}]}, "x")
    assert isinstance(made, Wrong)
    assert made.mistakes[0].key == "../x"


def test_texts_stay_plain_and_short_and_links_lead_to_the_web_only() -> None:
    made = from_answer(
        [
            {
                "key": "a",
                "label": "<b>\u202eevil</b>\n" + "x" * 10_000,
                "description": "line\n<img src=x>\0",
                "url": "javascript:alert(1)",
            },
            {"key": "b", "url": "https://user@evil.example/"},
            {"key": "c", "url": "https://example.org/a?b=c"},
        ],
        "probe",
    )
    assert isinstance(made, ProviderSchema)
    a, b, c = made.fields
    assert a.label.startswith("<b> evil</b> xxx")
    assert len(a.label) == 200
    assert a.help == "line\n<img src=x>"
    assert (a.url, b.url, c.url) == ("", "", "https://example.org/a?b=c")
    assert [note.where for note in made.notes] == ["a", "b"]


# --- Laws ------------------------------------------------------------------------------------

_LINES = (
    "fields = []",
    "fields.append({'key': 'a', 'default': x})",
    "fields += [dict(key=k) for k in fields]",
    "x = x + x",
    "x = [x, *x, {**x}]",
    "x = f'{x}{x!r:>9}' or x.get('a', x)[0]",
    "x = self.get_config_schema()",
    "for x in fields: fields.append(x)",
    "if x: return fields",
    "if os.environ.get('A'): fields.extend(x)",
    "try: x = a.b\nexcept E: x = 'y'",
    "while x: fields.append(x)",
    "def f(*a, **b): return f(*a, x, **b)",
    "x = f(x, y=x)",
    "class C(Enum): A = 1",
    "x = C.A.value * 9",
    "x, (y, *z) = fields",
    "fields[0]['key'] = x",
    "x = {x: y for x, y in enumerate(fields)}",
    "x = sorted(set(map(str, range(99)))) * 99",
    "with open(x) as x: x = json.loads(x.read())",
    "return fields",
    "return {'type': 'object', 'properties': x}",
    "raise x",
    "del x",
    "yield x",
)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.lists(st.sampled_from(_LINES), max_size=9).map("\n".join))
def test_any_statements_are_read_without_raising(body: str) -> None:
    assert isinstance(read(method(body, before="import os, json\nx = 1\n")), ANY)


@given(st.text(max_size=300).map(lambda text: text + "\n# get_config_schema CONFIG_SCHEMA"))
def test_any_text_is_read_without_raising(text: str) -> None:
    assert isinstance(read(text), ANY)


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_a_real_shape_that_is_damaged_is_read_without_raising(seed: int, times: int) -> None:
    chance = random.Random(seed)
    text = list(method("return [dict(key=f'{x}', default={'a': [1, (2,)]}, when={'b': x})]"))
    for _ in range(times):
        text[chance.randrange(len(text))] = chance.choice("()[]{}'\"\\:,=*+-. \nxf0#")
    assert isinstance(read("".join(text) + "\n# get_config_schema"), ANY)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "key",
                    "label",
                    "type",
                    "default",
                    "choices",
                    "when",
                    "fields",
                    "properties",
                    "name",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(_json)
def test_any_answer_is_read_without_raising(value: object) -> None:
    assert isinstance(from_answer(value, "probe"), ANY)


@given(st.text(max_size=200) | _json.map(str))
def test_any_yaml_is_read_without_raising(text: str) -> None:
    assert isinstance(read_yaml(text, "probe"), Wrong)


@given(st.sampled_from(["(", "[", "{", "-", "not ", "~"]), st.integers(0, 2 * MAX_NESTING))
def test_a_text_is_too_deep_exactly_when_it_nests_more_than_is_allowed(
    one: str, times: int
) -> None:
    assert bool(too_deep("x = 1, [" + one * times)) is (times + 1 > MAX_NESTING)
    if one not in "([{":
        assert not too_deep("x = [" + f"{one}, " * times)
