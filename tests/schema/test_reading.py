"""Declarations in the shapes in which plugins write them are read, with nothing of them run."""

from __future__ import annotations

from textwrap import dedent

import pytest

from schema.fields import (
    UNSET,
    Condition,
    DefaultFrom,
    Json,
    Number,
    Option,
    Secret,
    Select,
    Text,
    Toggle,
)
from schema.providers import ProviderSchema, Undeclared, Unread
from schema.reading import SourceTree, read_declaration, read_new_style, read_old_style

HERMES = "from plugins.memory.config_schema import *\n"


def tree(package: str = "probe", **files: str) -> SourceTree:
    texts = {name.replace("__", "/") + ".py": dedent(text) for name, text in files.items()}
    return SourceTree(texts, {}, package)


def new(text: str, **files: str) -> ProviderSchema:
    read = read_new_style(tree(config_schema=dedent(text), **files))
    assert isinstance(read, ProviderSchema), read
    return read


def old(text: str, **files: str) -> ProviderSchema:
    """Read a package whose __init__.py is `text`."""
    texts = {"__init__.py": dedent(text)}
    texts |= {name.replace("__", "/") + ".py": dedent(body) for name, body in files.items()}
    read = read_old_style(SourceTree(texts, {}, "probe"), "probe")
    assert isinstance(read, ProviderSchema), read
    return read


def method(body: str, before: str = "") -> str:
    inner = "\n".join(" " * 8 + line for line in dedent(body).strip().splitlines())
    return (
        f"{dedent(before)}\n"
        "class Probe(MemoryProvider):\n"
        "    def get_config_schema(self):\n"
        f"{inner}\n\n"
        "def register(ctx):\n"
        "    ctx.register_memory_provider(Probe())\n"
    )


def keys(schema: ProviderSchema) -> list[str]:
    return [field.key for field in schema.fields]


# --- The new style ---------------------------------------------------------------------------


def test_every_attribute_of_the_new_style_arrives() -> None:
    schema = new(
        """
        from plugins.memory import config_schema as host
        from plugins.memory.config_schema import (
            KIND_SELECT as SELECT, ProviderConfigSchema as Schema, ProviderField as F,
        )
        _OPTIONS = (host.ProviderFieldOption("a", "A", "first"),)
        CONFIG_SCHEMA = Schema(
            "probe", "Probe", host.STORAGE_HONCHO_HOST_BLOCK, "https://example.org/docs",
            fields=(
                F("mode", "Mode", SELECT, "a", "Which.", "choose", _OPTIONS, inline=True),
                F(key="key", label="Key", kind=host.KIND_SECRET, env_key="PROBE_KEY"),
                F("n", "N", kind="number", default="2.5", aliases=("m",), group="More",
                  env_fallbacks=("PROBE_N",), info="Long.", scope="root"),
                F("o", "O", kind="bool", default="true"),
                F("j", "J", kind="json", default='{"a": [1]}'),
                F("t", "T", required=True, read_only=True, when={"mode": "a"},
                  help_url="https://example.org/t"),
            ),
        )
        """
    )
    assert schema == ProviderSchema(
        name="probe",
        label="Probe",
        storage="honcho_host_block",
        docs_url="https://example.org/docs",
        style="new",
        groups=schema.groups,
        fields=(
            Select(
                key="mode",
                label="Mode",
                help="Which.",
                placeholder="choose",
                options=(Option("a", "A", "first"),),
                default="a",
                inline=True,
            ),
            Secret(key="key", label="Key", env_key="PROBE_KEY"),
            Number(
                key="n",
                label="N",
                default=2.5,
                aliases=("m",),
                group="More",
                env_fallbacks=("PROBE_N",),
                info="Long.",
                scope="root",
            ),
            Toggle(key="o", label="O", default=True),
            Json(key="j", label="J", default={"a": [1]}),
            Text(
                key="t",
                label="T",
                required=True,
                read_only=True,
                when=(Condition("mode", ("a",)),),
                url="https://example.org/t",
            ),
        ),
    )
    assert [group.label for group in schema.groups] == ["More"]


def test_newer_conditions_kinds_and_attributes_are_tolerated_and_named() -> None:
    schema = new(
        HERMES
        + """
LOCAL = ProviderFieldCondition("url", pattern="^http://local")
CONFIG_SCHEMA = ProviderConfigSchema(
    name="probe", label="Probe", storage=STORAGE_CONFIG_YAML, submit_action="save",
    custom_surface="x", actions=(ProviderConfigAction("start", "Start"),),
    fields=(
        ProviderField("kind", "Kind", kind=KIND_SEGMENTED, options=(
            ProviderFieldOption("a", "A"), ProviderFieldOption("b", "B"))),
        ProviderField("x", "X", visible_when=(
            ProviderFieldCondition("kind", values=("a", "b")), LOCAL)),
        ProviderField("y", "Y", kind="hologram", sparkle=3),
        ProviderField("z", "Z", kind=KIND_SELECT, dynamic_options=True, searchable=True),
        ProviderField("w", "W", visible_when=(ProviderFieldCondition("x", pattern="(?=a)"),)),
    ),
)
"""
    )
    assert schema.storage == "own"
    assert [type(field) for field in schema.fields] == [Select, Text, Text, Text, Text]
    assert schema.fields[1].when == (
        Condition("kind", ("a", "b")),
        Condition("url", (), "^http://local"),
    )
    said = [(note.where, note.message) for note in schema.notes]
    assert ("", "the attribute 'custom_surface' is not known") in said
    assert ("y", "the attribute 'sparkle' is not known") in said
    assert ("y", "the kind 'hologram' is not known; shown as text") in said
    assert ("z", "no choices are declared; any text can be given") in said
    assert (
        "w",
        "a pattern in a condition is not understood; it counts as fulfilled",
    ) in said


def test_helpers_stand_ins_and_best_guesses_of_the_new_style_are_read() -> None:
    schema = new(
        """
        import sys
        sys.path[:0] = ["/somewhere"]
        try:
            from plugins.memory.config_schema import (
                KIND_SELECT, ProviderConfigSchema, ProviderField, ProviderFieldOption)
        except Exception:
            KIND_SELECT = "select"
            class ProviderField:
                def __init__(self, key, label, **more): pass

        def _options(*pairs):
            return tuple(ProviderFieldOption(value, label) for value, label in pairs)

        def _running():
            try:
                import elsewhere
                return elsewhere.MODEL
            except Exception:
                pass
            return "small"

        CONFIG_SCHEMA = ProviderConfigSchema(
            name="probe",
            label="Probe",
            fields=(
                ProviderField("mode", "Mode", KIND_SELECT, default="b",
                              options=_options(("a", "A"), ("b", "B"))),
                ProviderField("model", "Model", default=_running()),
            ),
        )
        """
    )
    mode, model = schema.fields
    assert isinstance(mode, Select)
    assert [option.value for option in mode.options] == ["a", "b"]
    assert model.default == "small"
    assert [note.where for note in schema.notes] == ["model"]


def test_a_declaration_for_newer_hosts_only_is_none_for_this_one() -> None:
    text = """
    from plugins.memory import config_schema as _host
    CONFIG_SCHEMA = None
    if getattr(_host, "SETUP_API_VERSION", 0) >= 1:
        from plugins.memory.config_schema import ProviderConfigSchema
        CONFIG_SCHEMA = ProviderConfigSchema(name="probe", label="Probe")
    """
    assert read_new_style(tree(config_schema=text)) == Undeclared()
    assert read_new_style(tree(config_schema="def get_config_schema(): return []")) == Undeclared()
    assert read_new_style(tree(other="")) == Undeclared()


# --- The old style ---------------------------------------------------------------------------


def test_the_old_style_is_normalised_as_hermes_does() -> None:
    schema = old(
        method(
            """
            return [
                {"key": "api_key", "secret": True, "env_var": "PROBE_KEY", "url": "https://a.org",
                 "required": True, "description": "The key."},
                {"key": "flag", "default": True},
                {"key": "word", "default": "false", "choices": ["true", "false"]},
                {"key": "typed", "type": "boolean", "default": "yes"},
                {"key": "size", "type": "integer", "default": "7", "minimum": 1, "maximum": 9},
                {"key": "part", "type": "number", "default": 0.5, "step": 0.1},
                {"key": "count", "default": 3},
                {"key": "site", "type": "url", "default": "https://b.org", "label": "Site"},
                {"key": "tags", "default": ["a", "b"]},
                {"key": "model", "default": "m", "default_from": {
                    "field": "word", "map": {"true": "t", "false": "f"}}},
                {"key": "url", "default": "http://c", "when": {"flag": True}},
                {"key": "url", "default": "http://d", "when": {"flag": False, "count": 3}},
            ]
            """
        )
    )
    assert schema.style == "old"
    assert schema.storage == "own"
    assert not schema.notes
    assert schema.fields == (
        Secret(
            key="api_key",
            label="Api Key",
            help="The key.",
            env_key="PROBE_KEY",
            url="https://a.org",
            required=True,
        ),
        Toggle(key="flag", label="Flag", default=True),
        Select(
            key="word",
            label="Word",
            options=(Option("true", "true"), Option("false", "false")),
            default="false",
        ),
        Toggle(key="typed", label="Typed", default=True),
        Number(key="size", label="Size", default=7, minimum=1, maximum=9, whole=True),
        Number(key="part", label="Part", default=0.5, step=0.1),
        Number(key="count", label="Count", default=3, whole=True),
        Text(key="site", label="Site", default="https://b.org"),
        Json(key="tags", label="Tags", default=["a", "b"]),
        Text(
            key="model",
            label="Model",
            default="m",
            default_from=DefaultFrom("word", (("true", "t"), ("false", "f"))),
        ),
        Text(key="url", label="Url", default="http://c", when=(Condition("flag", ("true",)),)),
        Text(
            key="url",
            label="Url",
            default="http://d",
            when=(Condition("flag", ("false",)), Condition("count", ("3",))),
        ),
    )


def test_names_of_sibling_files_texts_and_dicts_are_followed() -> None:
    schema = old(
        method(
            """
            from hermes_constants import display_hermes_home
            place = f"{display_hermes_home()}/probe.db"
            return [
                {"key": "url", "default": DEFAULTS["url"]},
                {"key": "port", "default": str(DEFAULTS.get("port", 1)), "env_var": _env("port")},
                {"key": "gone", "default": DEFAULTS.get("gone", "none")},
                {"key": "place", "default": place},
                {"key": "mode", "choices": list(MODES), "default": MODES[0]},
                {"key": "kind", "choices": sorted(c.KINDS), "default": c.Kind.LOCAL.value},
                {"key": "text", "description": "one "
                    "two" + " three", "default": "{}-{x}".format("a", x="b")},
                {"key": "flag", "default": False if DEFAULTS["port"] > 100 else True},
            ]
            """,
            before="""
            from .config import DEFAULTS, MODES as MODES
            from . import config as c
            _env = lambda key: f"PROBE_{key.upper()}"
            """,
        ),
        config="""
        from enum import Enum
        _BASE = {"port": 7}
        DEFAULTS = {**_BASE, "url": "http://" + "h"}
        DEFAULTS["url"] += ":1"
        MODES = ("a", "b")
        KINDS = {"z", "y"}
        class Kind(str, Enum):
            LOCAL = "y"
        """,
    )
    said = {field.key: field.default for field in schema.fields}
    assert said == {
        "url": "http://h:1",
        "port": "7",
        "gone": "none",
        "place": "<HERMES_HOME>/probe.db",
        "mode": "a",
        "kind": "y",
        "text": "a-b",
        "flag": True,
    }
    assert schema.of_key("text")[0].help == "one two three"
    assert schema.of_key("port")[0].env_key == "PROBE_PORT"
    assert not schema.notes


STEP_BY_STEP = """
fields = []
fields.append(_field("a", "A", secret=True, env="PROBE_A"))
for key, default in (("b", 1), ("c", 2)):
    fields.append({"key": key, "default": default})
if EXTRA:
    fields += [dict(key="d", **COMMON)]
fields.extend({"key": k, "description": v} for k, v in MORE.items() if k != "no")
return fields
"""


def test_fields_that_are_built_step_by_step_are_read() -> None:
    schema = old(
        method(
            STEP_BY_STEP,
            before="""
            EXTRA = True
            COMMON = {"default": "x"}
            MORE = {"e": "E", "no": "", "f": "F"}

            def _field(key, text, *, secret=False, env=None):
                made = {"key": key, "description": text}
                if secret:
                    made["secret"] = True
                if env is not None:
                    made.update(env_var=env)
                return made
            """,
        )
    )
    assert keys(schema) == ["a", "b", "c", "d", "e", "f"]
    assert schema.fields[0] == Secret(key="a", label="A", help="A", env_key="PROBE_A")
    assert not schema.notes


def test_a_method_may_hand_on_to_a_function_of_the_same_name_in_another_file() -> None:
    schema = old(
        """
        from .provider import Probe
        def register(ctx):
            ctx.register_memory_provider(Probe())
        """,
        provider="""
        from .config_schema import get_config_schema
        class Probe:
            def get_config_schema(self):
                return get_config_schema()
        """,
        config_schema="""
        def get_config_schema():
            environment = {k: v for k in ("url",) if (v := secret(k))}
            fields = [{"key": "url"}, {"key": "mode"}]
            return [field for field in fields if field["key"] not in environment]
        """,
    )
    assert keys(schema) == ["url", "mode"]


def test_classes_of_the_package_may_stand_for_fields() -> None:
    schema = old(
        method(
            "return [asdict(setting) for setting in self.SETTINGS] + self._more()",
            before="""
            from dataclasses import asdict, dataclass, field

            @dataclass
            class Setting:
                key: str
                description: str = ""
                default: str = "d"
                choices: list = field(default_factory=list)
            """,
        ).replace(
            "    def get_config_schema",
            "    SETTINGS = [Setting('a', choices=['d', 'e']), Setting(key='b')]\n"
            "    def _more(self):\n        yield {'key': 'c', 'default': self.base}\n"
            "    @property\n    def base(self):\n        return 'f'\n"
            "    def get_config_schema",
        )
    )
    assert [(field.key, field.default) for field in schema.fields] == [
        ("a", "d"),
        ("b", "d"),
        ("c", "f"),
    ]
    assert isinstance(schema.fields[0], Select)


SHAPES = {
    "a function of the class": (
        "class Probe:\n    @staticmethod\n"
        "    def get_config_schema():\n        return [{'key': 'a'}]\n"
    ),
    "a constant of the class": (
        "class Probe:\n    FIELDS = [{'key': 'a'}]\n    @classmethod\n"
        "    def get_config_schema(cls):\n        return cls.FIELDS\n"
    ),
    "a name for another function": (
        "def _fields(self):\n    return [{'key': 'a'}]\n"
        "class Probe:\n    get_config_schema = _fields\n"
    ),
    "a base of another file": (
        "from .base import Base\nclass Probe(Base):\n    KEY = 'a'\n"
        "def register(ctx):\n    probe = Probe()\n    ctx.register_memory_provider(probe)\n"
    ),
    "more than its base declares": method("return super().get_config_schema() + [{'key': 'a'}]"),
    "a copy": method("return copy.deepcopy(_FIELDS)", "import copy\n_FIELDS = [{'key': 'a'}]\n"),
    "a JSON file of the package": method(
        "return json.loads((Path(__file__).parent / 'fields.json').read_text(encoding='utf-8'))",
        "import json\nfrom pathlib import Path\n",
    ),
    "a JSON file that is opened": method(
        "with open(os.path.join(os.path.dirname(__file__), 'fields.json')) as f:\n"
        "    return json.load(f)",
        "import json, os\n",
    ),
    "a YAML file of the package": method(
        "return yaml.safe_load(Path(__file__).with_name('fields.yaml').read_text())",
        "import yaml\nfrom pathlib import Path\n",
    ),
    "a partial call": method(
        "return [_f(key='a')]", "from functools import partial\n_f = partial(dict, default=1)\n"
    ),
    "named tuples": method(
        "return [f._asdict() for f in _FIELDS]",
        "from typing import NamedTuple\nclass F(NamedTuple):\n    key: str\n_FIELDS = [F('a')]\n",
    ),
    "a match": method(
        "match MODE:\n    case 'x' | 'y':\n        return [{'key': 'a'}]\n    case _:\n"
        "        return []",
        "MODE = 'y'\n",
    ),
    "what depends on an import": method(
        "if not FOUND:\n    return []\nreturn [{'key': 'a'}]",
        "try:\n    import elsewhere\n    FOUND = True\nexcept ImportError:\n    FOUND = False\n",
    ),
    "what only another system has": method(
        "return [*([{'key': 'a'}] if sys.platform == 'x' else [])]", "import sys\n"
    ),
    "an object of objects": method("return {'a': {'type': 'string'}}"),
    "an object with fields": method("return {'fields': [{'name': 'a', 'type': 'text'}]}"),
    "a stand-in for Hermes": method(
        "return [Field('a').to_dict()]",
        "class Field:\n    def __init__(self, key, **more):\n        self.key = key\n"
        "    def to_dict(self):\n        return {'key': self.key}\n",
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_that_people_write_is_read(shape: str) -> None:
    source = SourceTree(
        {
            "__init__.py": SHAPES[shape],
            "base.py": "class Base:\n    KEY = 'x'\n    def get_config_schema(self):\n"
            "        return [{'key': self.KEY}]\n",
            "fields.json": '[{"key": "a"}]',
            "fields.yaml": "- key: a\n",
        },
        {},
        "probe",
    )
    read = read_declaration(source, "probe")
    assert isinstance(read, ProviderSchema), read
    assert keys(read) == ["a"]
    assert not read.unread


def test_a_json_schema_is_read_as_fields() -> None:
    schema = old(
        method(
            """
            return {"type": "object", "required": ["url"], "description": "About.", "properties": {
                "url": {"type": "string", "title": "Address", "format": "uri"},
                "key": {"type": "string", "format": "password", "env": "PROBE_KEY"},
                "n": {"type": ["integer", "null"], "minimum": 1, "default": 2},
                "on": {"type": "boolean", "default": True},
                "mode": {"enum": ["a", "b"], "default": "a"},
                "list": {"type": "array", "items": {"type": "string"}},
            }}
            """
        )
    )
    assert schema.description == "About."
    assert [type(field) for field in schema.fields] == [Text, Secret, Number, Toggle, Select, Json]
    assert schema.fields[0].label == "Address"
    assert [field.required for field in schema.fields] == [True, False, False, False, False, False]


# --- What only a run would tell --------------------------------------------------------------


def test_the_environment_is_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBE_URL", "http://from-the-environment")
    schema = old(
        method(
            """
            return [
                {"key": "a", "default": os.environ.get("PROBE_URL", "http://d")},
                {"key": "b", "default": os.getenv("PROBE_URL") or "http://e"},
                {"key": "c", "default": os.environ["PROBE_URL"]},
                {"key": "d", "default": f"{Path.home()}/x"},
            ]
            """,
            before="import os\nfrom pathlib import Path\n",
        )
    )
    assert [field.default for field in schema.fields] == ["http://d", "http://e", UNSET, "~/x"]
    assert [note.where for note in schema.notes] == ["a", "b", "c"]


def test_what_depends_on_settings_is_a_best_guess_with_a_note() -> None:
    schema = old(
        method(
            """
            mode = _load().get("mode", "cloud")
            fields = [{"key": "api_key", "secret": True, "required": mode != "local"}]
            if mode == "local":
                fields.append({"key": "path"})
            else:
                fields.append({"key": "url"})
            return fields
            """,
            before="""
            import os, json
            def _load():
                config = {"mode": os.environ.get("PROBE_MODE", "cloud")}
                if _file().exists():
                    config.update(json.loads(_file().read_text()))
                return config
            """,
        )
    )
    assert keys(schema) == ["api_key", "url", "path"]
    assert schema.fields[0].required
    assert any(note.where == "api_key" for note in schema.notes)
    assert any("read as it most likely is" in note.message for note in schema.notes)


def test_a_part_that_cannot_be_read_is_named_with_its_place() -> None:
    schema = old(
        method(
            """
            fields = [{"key": "a"}]
            fields.extend(discover())
            fields.append({"key": NAME, "default": "x"})
            return fields
            """,
            before="from elsewhere import discover\n",
        )
    )
    assert keys(schema) == ["a"]
    first, second = schema.unread
    assert (first.file, first.construct) == ("__init__.py", "discover()")
    assert first.line == 6
    assert second.message == "a field whose key could not be read"


def test_a_declaration_that_cannot_be_read_at_all_says_where() -> None:
    read = read_old_style(
        tree(provider=method("return remote.fetch(self.url)", "import remote")), "probe"
    )
    assert isinstance(read, Unread)
    assert (read.file, read.line, read.construct) == (
        "provider.py",
        4,
        "remote.fetch(self.url)",
    )
    broken = read_old_style(tree(provider="def get_config_schema(:"), "probe")
    assert isinstance(broken, Unread)
    assert broken.line == 1


def test_a_package_that_declares_nothing_has_nothing_to_configure() -> None:
    assert read_old_style(tree(provider="class P: pass"), "probe") == Undeclared()
    assert read_old_style(tree(provider=method("return []")), "probe") == Undeclared()


def test_the_class_that_is_registered_counts_before_a_stand_in() -> None:
    schema = old(
        """
        try:
            from agent.memory_provider import MemoryProvider
        except ImportError:
            class MemoryProvider:
                def get_config_schema(self):
                    return []

        class Other(MemoryProvider):
            def get_config_schema(self):
                return [{"key": "wrong"}]

        class Probe(MemoryProvider):
            def get_config_schema(self):
                return [{"key": "right"}]

        def register(ctx):
            ctx.register_memory_provider(Probe())
        """
    )
    assert keys(schema) == ["right"]


def test_both_styles_together_give_every_field_once() -> None:
    source = tree(
        config_schema=HERMES + "CONFIG_SCHEMA = ProviderConfigSchema('probe', 'Probe', fields=(\n"
        "    ProviderField('apiKey', 'API key', kind='secret', env_key='PROBE_KEY'),\n"
        "    ProviderField('mode', 'Mode', kind='select', default='a', inline=True,\n"
        "        options=(ProviderFieldOption('a', 'A'),)),\n"
        "    ProviderField('url', 'URL', default='http://a', aliases=('u',)),))\n",
        provider=method(
            """
            return [
                {"key": "api_key", "secret": True, "env_var": "PROBE_KEY"},
                {"key": "mode", "choices": ["a", "b"]},
                {"key": "url", "default": "http://a", "when": {"mode": "a"}},
                {"key": "url", "default": "http://b", "when": {"mode": "b"}},
                {"key": "more", "default": 1},
            ]
            """
        ),
    )
    read = read_declaration(source, "probe")
    assert isinstance(read, ProviderSchema)
    assert [(field.key, field.label, field.default) for field in read.fields] == [
        ("apiKey", "API key", UNSET),
        ("mode", "Mode", "a"),
        ("url", "URL", "http://a"),
        ("url", "URL", "http://b"),
        ("more", "More", 1),
    ]
    mode = read.fields[1]
    assert isinstance(mode, Select)
    assert [option.label for option in mode.options] == ["A", "b"]
    assert [field.aliases for field in read.of_key("url")] == [("u",), ("u",)]
