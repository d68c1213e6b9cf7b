"""Which providers are found where, and what state they are in. No plugin is ever run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from schema.providers import Unread
from store.home import HermesHome
from store.providers.catalogue_row import Reason
from store.providers.collecting import Bounds, collect, digest_of
from store.providers.rules import BUNDLED, PROJECT_SWITCH
from store.refusals import NotFound
from tests.store.providers.conftest import World
from tests.support.desks import everything_in
from tests.support.fake_hermes import (
    DISCOVERY_NEW,
    FakeHermes,
    new_style,
    provider_code,
    put_plugin,
)

PLAIN = provider_code("one")


def test_bundled_ones_and_those_of_the_home_are_found(world: World) -> None:
    put_plugin(world.plugins / "mine", PLAIN, manifest="version: 2.0\ndescription: My memory\n")
    put_plugin(world.plugins / "other", "def register(ctx): pass\n")
    put_plugin(world.plugins / "_hidden", PLAIN)
    rows = world.rows()
    assert set(rows) == {"byterover", "hindsight", "honcho", "mem0", "openviking", "mine"}
    (mine,) = rows["mine"]
    assert (mine.source, mine.state, mine.version) == ("user", "ready", "2.0")
    assert mine.description == "My memory"
    assert mine.label == "Mine"
    (bundled,) = rows["hindsight"]
    assert (bundled.source, bundled.label) == ("bundled", "Hindsight")


def test_plugins_belong_to_the_profile(world: World) -> None:
    put_plugin(world.plugins / "mine", PLAIN)
    path = world.home.root / "profiles" / "work"
    path.mkdir(parents=True)
    of_work = world.providers(HermesHome(world.home.root, path, "work"))
    assert of_work.row("mine") == NotFound("provider", "mine")
    assert world.row("mine").path == world.plugins / "mine"


def test_a_plugin_of_a_bundled_name_is_shadowed(world: World) -> None:
    put_plugin(world.plugins / "mem0", PLAIN)
    world.write("config.yaml", "memory: {provider: mem0}\n")
    bundled, mine = world.rows()["mem0"]
    assert (bundled.source, bundled.active, bundled.shadowed_by) == ("bundled", True, "")
    assert (mine.source, mine.active, mine.state) == ("user", False, "shadowed")
    assert (mine.shadowed_by, mine.reason) == ("bundled", Reason("shadowed", ("bundled",)))
    assert world.row("mem0").source == "bundled"


def test_a_name_that_is_nowhere_is_configured_but_missing(world: World) -> None:
    for name, code in (("lm-studio", "not_found"), ("../../etc", "bad_name")):
        world.write("config.yaml", f"memory:\n  provider: {name}\n")
        (row,) = world.rows()[name]
        assert (row.state, row.active, row.reason.code) == ("missing", True, code)
    put_plugin(world.plugins / "general", "def register(ctx): pass\n")
    world.write("config.yaml", "memory:\n  provider: general\n")
    assert world.row("general").reason.code == "not_a_provider"


def test_what_is_lacking_is_named(world: World) -> None:
    assert world.row("mem0").state == "needs_config"
    assert world.row("mem0").reason == Reason("either", ("api_key", "host"))
    put_plugin(
        world.plugins / "mine",
        provider_code("dsn", dsn=', "required": True'),
        manifest="pip_dependencies: [psycopg>=3]\nexternal_dependencies:\n"
        "  - {name: pgtool, check: pgtool --version}\nrequires_env: [MY_TOKEN]\n",
    )
    assert world.row("mine").state == "not_installed"
    assert world.row("mine").reason == Reason("package", ("psycopg>=3",))
    world.hermes.install("psycopg", "2.9")
    assert world.row("mine").reason == Reason("package", ("psycopg>=3",))
    world.hermes.install("psycopg", "3.2")
    (world.hermes.packages / "psycopg-2.9.dist-info" / "METADATA").unlink()
    os.rmdir(world.hermes.packages / "psycopg-2.9.dist-info")
    assert world.row("mine").reason == Reason("program", ("pgtool",))
    tool = world.hermes.folder / "bin" / "pgtool"
    tool.write_text("#!/bin/sh\ntouch /nowhere\n")
    tool.chmod(0o755)
    assert world.row("mine").reason == Reason("field", ("dsn",))
    world.write("config.yaml", "memory:\n  mine: {dsn: x}\n")
    assert world.row("mine").reason == Reason("variable", ("MY_TOKEN",))
    world.write(".env", "MY_TOKEN=t\n")
    assert world.row("mine").state == "ready"
    world.write("config.yaml", "memory:\n  provider: mine\n  mine: {dsn: x}\n")
    assert world.row("mine").state == "active"


def test_what_hermes_installs_itself_is_no_hindrance(world: World) -> None:
    (world.hermes.providers / "mem0" / "plugin.yaml").write_text("pip_dependencies: [mem0ai]\n")
    world.write(".env", "MEM0_API_KEY=k\n")
    assert world.row("mem0").reason == Reason("package", ("mem0ai",))
    tools = world.hermes.packages / "tools"
    tools.mkdir()
    (tools / "lazy_deps.py").write_text('LAZY = {\n    "memory.mem0": ("mem0ai==2",),\n}\n')
    assert world.row("mem0").state == "ready"
    assert world.row("mem0").notes == (Reason("installs_itself", ("mem0ai",)),)


def test_a_project_and_packages_count_only_where_the_version_reads_them(world: World) -> None:
    put_plugin(world.folder / "project" / ".hermes" / "plugins" / "ours", PLAIN)
    package = put_plugin(world.hermes.packages / "memra", PLAIN)
    (world.hermes.packages / "alone.py").write_text(PLAIN)
    put_plugin(world.hermes.packages / "general", "def register(ctx): pass\n")
    world.hermes.install(
        "hermes-memra",
        "1.0",
        "[console_scripts]\nx = y:z\n[hermes_agent.memory_providers]\nmemra = memra:Provider\n"
        "../x = memra\n[hermes_agent.plugins]\nalone = alone\ngeneral = general\n",
    )
    rows = world.rows()
    for name in ("ours", "memra", "alone"):
        assert rows[name][0].state == "not_loaded", name
    assert rows["ours"][0].reason == Reason("place_not_read", ("0.19.0",))
    assert rows["memra"][0].reason == Reason("package_not_read", ("0.19.0", "hermes-memra"))
    assert rows["memra"][0].path == package
    assert rows["../x"][0].reason == Reason("bad_name", ("../x",))
    assert "general" not in rows
    (world.hermes.providers / "__init__.py").write_text(DISCOVERY_NEW)
    rows = world.rows()
    assert rows["ours"][0].reason == Reason("project_switch", (PROJECT_SWITCH,))
    assert rows["memra"][0].state == "ready"
    assert rows["alone"][0].state == "not_loaded"
    world.env[PROJECT_SWITCH] = "1"
    assert world.row("ours").state == "ready"
    put_plugin(world.plugins / "memra", PLAIN)
    mine, packaged = world.rows()["memra"]
    assert (mine.source, packaged.source, packaged.state) == ("user", "package", "shadowed")


def test_without_hermes_its_providers_can_be_configured(world: World) -> None:
    world.env["PATH"] = ""
    put_plugin(world.plugins / "mine", PLAIN)
    rows = world.rows()
    assert set(rows) == {*BUNDLED, "mine"}
    for name in BUNDLED:
        (row,) = rows[name]
        assert (row.source, row.path) == ("declared", None)
        assert world.form(name).fields, name
    assert rows["holographic"][0].reason == Reason("hermes")
    world.save("hindsight", {"mode": "local_external"})
    assert world.state("hindsight", "mode").value == "local_external"


def test_a_changed_declaration_is_read_again_and_a_failure_is_not_kept(world: World) -> None:
    put_plugin(world.plugins / "mine", PLAIN, "CONFIG_SCHEMA = (:\n")
    form = world.form("mine")
    path = world.plugins / "mine" / "config_schema.py"
    field = 'ProviderField(key="{}", label="L")'
    path.write_text(new_style(field.format("first"), name="mine"))
    assert "first" in world.form("mine").schema.keys
    stamp = path.stat()
    path.write_text(new_style(field.format("secnd"), name="mine"))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert "secnd" in world.form("mine").schema.keys
    assert form.problem is not None


def test_a_plugin_that_python_cannot_compile_is_broken(world: World) -> None:
    put_plugin(world.plugins / "mine", PLAIN + "\ndef x(:\n")
    row = world.row("mine")
    assert (row.state, row.reason.code) == ("broken", "syntax")


def test_where_a_plugin_keeps_its_settings_is_told_from_its_text(world: World) -> None:
    code = PLAIN + (
        "\n    def save_config(self, values, hermes_home):\n"
        '        path = Path(hermes_home) / "stuff" / "settings.json"\n'
    )
    put_plugin(world.plugins / "mine", code)
    saved = world.save("mine", {"one": "x"})
    assert saved.files[0].path == world.home.path / "stuff" / "settings.json"
    put_plugin(world.plugins / "named", PLAIN + '\nF = "n.json"\nfile = hermes_home / F\n')
    assert world.state("named", "one").saves_to == "n.json: one"
    for name, line in (("listed", '["plugins"]["listed"] = values'), ("given", "")):
        line = "config" + line if line else 'save_config({"plugins": {"given": values}})'
        put_plugin(world.plugins / name, f"{PLAIN}\n{line}\n")
        state = world.state(name, "one")
        assert (state.saves_to, state.notes) == (f"config.yaml: plugins.{name}.one", ())
    put_plugin(world.plugins / "both", PLAIN + '\na = home / "a.json"\nb = home / "b.json"\n')
    assert "place_guessed" in [note.code for note in world.state("both", "one").notes]
    put_plugin(world.plugins / "vague", PLAIN)
    state = world.state("vague", "one")
    assert state.saves_to == "config.yaml: memory.vague.one"
    assert "place_guessed" in [note.code for note in state.notes]
    put_plugin(world.plugins / "evil", code.replace('"stuff"', '".."'))
    assert world.state("evil", "one").saves_to == "config.yaml: memory.evil.one"


# -- a folder that means harm ----------------------------------------------------------------


@pytest.fixture
def hostile(world: World, tmp_path: Path) -> Path:
    """Plugins that would do anything; gives the file that they write if they are run."""
    mark = tmp_path / "was-run"
    writes = f"open({str(mark)!r}, 'w').close()\n"
    plugins = world.plugins
    put_plugin(plugins / "writes", writes + PLAIN, writes + "CONFIG_SCHEMA = None\n")
    put_plugin(
        plugins / "loops",
        PLAIN + "\nwhile True:\n    pass\n",
        "while True:\n    pass\nCONFIG_SCHEMA = 1\n",
    )
    put_plugin(plugins / "counts", PLAIN.replace("return [", "while True: pass\n        return ["))
    put_plugin(plugins / "deep", PLAIN, "CONFIG_SCHEMA = " + "(" * 400_000)
    put_plugin(plugins / "minus", PLAIN, "CONFIG_SCHEMA = " + "-" * 400_000 + "1\n")
    huge = put_plugin(plugins / "huge", PLAIN)
    (huge / "config_schema.py").write_bytes(b"CONFIG_SCHEMA = " + b"(" * 100_000_000)
    many = "*(ProviderField(key=f'k{i}', label='x') for i in range(10 ** 6))"
    put_plugin(plugins / "many", PLAIN, new_style(many, name="many"))
    put_plugin(
        plugins / "html",
        PLAIN,
        new_style(
            "ProviderField(key='a', label='<b>bold</b><img src=x>', info='<script>')",
            name="html",
            more='docs_url="javascript:alert(1)", ',
        ),
    )
    field = "ProviderField(key='a', label='x')"
    put_plugin(plugins / "escapes", PLAIN, new_style(field, name="../../escape"))
    put_plugin(plugins / "a b", PLAIN)
    put_plugin(plugins / ("x" * 100), PLAIN)
    outside = tmp_path / "outside.py"
    outside.write_text(new_style("ProviderField(key='secret', label='x')", name="linked"))
    linked = put_plugin(plugins / "linked", PLAIN)
    (linked / "config_schema.py").symlink_to(outside)
    (linked / "loop").symlink_to(linked)
    (linked / "root").symlink_to("/")
    (linked / "self").symlink_to("self")
    for name in ("pipe", "device", "closed"):
        (plugins / name).mkdir()
    os.mkfifo(plugins / "pipe" / "__init__.py")
    (plugins / "device" / "__init__.py").symlink_to("/dev/zero")
    pipes = put_plugin(plugins / "pipes", PLAIN, manifest="version: 1\n")
    os.mkfifo(pipes / "config_schema.py")
    os.mkfifo(pipes / "more.py")
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    put_plugin(plugins / "bomb", PLAIN, manifest=bomb + "pip_dependencies: [*u]\ndescription: *u\n")
    crowd = put_plugin(plugins / "crowd", PLAIN)
    for number in range(3_000):
        (crowd / f"f{number}.py").touch()
    return mark


@pytest.mark.timeout(60)
def test_a_hostile_folder_is_listed_explained_and_harmless(
    world: World, hostile: Path, tmp_path: Path
) -> None:
    modules = set(sys.modules)
    before = {str(one) for one in (tmp_path / "person").rglob("*")}
    rows = world.rows()
    expected = {
        *("writes", "loops", "counts", "deep", "minus", "huge", "many", "html", "escapes"),
        *("a b", "x" * 100, "linked", "pipe", "device", "pipes", "bomb", "crowd"),
    }
    assert expected <= set(rows)
    for name in expected:
        form = world.form(name)
        assert form.row.state in ("ready", "broken", "needs_config"), name
        assert len(form.fields) <= 2_000, name
    for name in ("pipe", "device"):
        assert rows[name][0].reason.code == "unreadable"
    for name in ("a b", "x" * 100):
        assert rows[name][0].reason.code == "bad_name"
    for name in ("huge", "deep", "minus", "many"):
        problem = world.form(name).problem
        assert problem is not None or world.form(name).schema.unread, name
    assert "secret" not in world.form("linked").schema.keys
    html = world.form("html")
    assert html.fields[0].field.label == "<b>bold</b><img src=x>"
    assert not html.schema.docs_url.startswith("javascript")
    escaping = world.form("escapes").fields[0]
    assert ".." not in escaping.saves_to
    assert not hostile.exists(), "a plugin was run"
    assert {str(one) for one in (tmp_path / "person").rglob("*")} == before
    assert not {name for name in set(sys.modules) - modules if "plugins" in name}


def test_collecting_stays_within_its_bounds(tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "__init__.py").write_text("x")
    (folder / "large.py").write_bytes(b"y" * 100)
    (folder / "a" / "b" / "c" / "deep.py").write_text("z")
    (folder / "bad.py").write_bytes(b"\xff")
    tree = collect(folder, bounds=Bounds(file_bytes=50, levels=3))
    assert dict(tree.files) == {"__init__.py": "x"}
    assert dict(tree.skipped) == {"large.py": "too large", "bad.py": "not UTF-8"}
    tree = collect(folder, bounds=Bounds(files=1))
    assert list(tree.files) == ["__init__.py"]


def test_the_digest_names_every_byte_of_the_code(tmp_path: Path) -> None:
    folder = put_plugin(tmp_path / "plugin", PLAIN)
    (folder / "sub").mkdir()
    (folder / "sub" / "x.so").write_bytes(b"1")
    first = digest_of(folder)
    assert digest_of(folder) == first
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert digest_of(folder) == first
    (folder / "sub" / "x.so").write_bytes(b"2")
    assert digest_of(folder) != first


def test_nothing_of_hermes_is_needed_to_be_executable(world: World) -> None:
    assert FakeHermes(world.hermes.folder).packages.is_dir()
    assert everything_in(world.home.path) == {}
    assert isinstance(world.form("mem0").problem, Unread | None)
