"""Where values come from and where a save goes, provider by provider."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema.fields import UNSET
from store.home import HermesHome
from store.providers.forms import Form
from store.providers.saving import Mistakes, Saved, SavePlan
from store.refusals import Unsupported
from store.secrets.handover import Changed, HandoverOf
from tests.store.providers.conftest import World


def codes(world: World, name: str, key: str) -> list[str]:
    return [note.code for note in world.state(name, key).notes]


# -- secrets ---------------------------------------------------------------------------------


def test_a_key_tells_where_it_is_and_never_what_it_is(world: World) -> None:
    assert world.state("mem0", "api_key").source == "none"
    world.env["MEM0_API_KEY"] = "from-shell"
    assert world.state("mem0", "api_key").source == "environment"
    world.write(".env", "MEM0_API_KEY=from-file\n")
    assert world.state("mem0", "api_key").source == "dotenv"
    world.write("mem0.json", '{"api_key": "from-json"}')
    state = world.state("mem0", "api_key")
    assert (state.source, state.is_set, state.value, state.stored) == ("file", True, UNSET, UNSET)
    assert "from-" not in repr(world.form("mem0"))
    world.write(".env", "MEM0_API_KEY=\n")
    world.write("mem0.json", "{}")
    assert world.state("mem0", "api_key").source == "none", "an empty line hides the shell's"


def test_a_key_of_another_profile_is_not_this_ones(world: World) -> None:
    world.write(".env", "MEM0_API_KEY=k\n")
    path = world.home.root / "profiles" / "b"
    path.mkdir(parents=True)
    form = world.providers(HermesHome(world.home.root, path, "b")).form("mem0")
    assert isinstance(form, Form)
    state = form.state("api_key")
    assert state is not None
    assert not state.is_set
    assert form.row.state == "needs_config"


def test_a_key_in_the_keyring_shows_without_asking_it(world: World) -> None:
    providers = world.providers()
    index = providers.secrets.index_file
    index.parent.mkdir(parents=True)
    index.write_text('{"version": 1, "names": {"MEM0_API_KEY": {"changed": 1.0}}}')
    state = world.state("mem0", "api_key")
    assert (state.source, state.place) == ("keyring", "MEM0_API_KEY")
    assert world.row("mem0").state == "ready"
    assert not_handed_over(world) == ("MEM0_API_KEY",)
    assert providers.secrets.keyring.asked == 0
    world.write(".env", "MEM0_API_KEY=twin\n")
    assert codes(world, "mem0", "api_key") == ["twin"]
    assert not_handed_over(world) == (), "the agent has it from .env"
    assert not (world.home.path / "mem0.json").exists()


def test_a_key_that_hermes_does_not_get_is_said_until_it_does(world: World) -> None:
    index = world.providers().secrets.index_file
    index.parent.mkdir(parents=True)
    index.write_text('{"version": 1, "names": {"MEM0_API_KEY": {"changed": 1.0}}}')
    assert not_handed_over(world) == ("MEM0_API_KEY",)
    way = HandoverOf(world.home, disk=world.disk, env=world.env)
    assert isinstance(way.apply(), Changed)
    assert not_handed_over(world) == ()
    assert isinstance(way.undo(), Changed)
    assert not_handed_over(world) == ("MEM0_API_KEY",)


def not_handed_over(world: World) -> tuple[str, ...]:
    notes = world.row("mem0").notes
    return next((one.names for one in notes if one.code == "not_handed_over"), ())


# -- hindsight -------------------------------------------------------------------------------


def test_the_first_file_of_hindsight_counts_whole(world: World) -> None:
    shared = world.folder / "person" / ".hindsight" / "config.json"
    shared.parent.mkdir()
    shared.write_text('{"bank_id": "shared", "recall_budget": "low"}')
    assert world.state("hindsight", "bank_id").value == "shared"
    assert "shared_file" in [note.code for note in world.form("hindsight").notes]
    world.write("hindsight/config.json", '{"recall_budget": "high"}')
    assert not world.state("hindsight", "bank_id").is_set
    assert world.state("hindsight", "recall_budget").value == "high"


def test_older_keys_of_hindsight_are_read_too(world: World) -> None:
    world.write(
        "hindsight/config.json", '{"banks": {"hermes": {"bankId": "old", "budget": "low"}}}'
    )
    state = world.state("hindsight", "bank_id")
    assert (state.value, state.place) == (
        "old",
        "hindsight/config.json: banks.hermes.bankId",
    )
    assert world.state("hindsight", "recall_budget").value == "low"
    assert world.save("hindsight", {"bank_id": "new"}).did_not_stick == ()


def test_an_alias_that_the_runtime_does_not_read_is_called_that(world: World) -> None:
    world.write("hindsight/config.json", '{"apiUrl": "http://a"}')
    assert not world.state("hindsight", "api_url").is_set
    assert codes(world, "hindsight", "api_url") == ["ignored_value"]


def test_the_environment_of_hindsight_counts_only_without_a_file(world: World) -> None:
    world.write(".env", "HINDSIGHT_BANK_ID=e\nHINDSIGHT_API_URL=http://e\n")
    assert world.state("hindsight", "bank_id").source == "dotenv"
    world.write("hindsight/config.json", "{}")
    assert not world.state("hindsight", "bank_id").is_set
    assert world.state("hindsight", "api_url").value == "http://e"


# -- honcho ----------------------------------------------------------------------------------


def profile(world: World, name: str) -> HermesHome:
    path = world.home.root / "profiles" / name
    path.mkdir(parents=True, exist_ok=True)
    return HermesHome(world.home.root, path, name)


def honcho(world: World, home: HermesHome) -> Form:
    form = world.providers(home).form("honcho")
    assert isinstance(form, Form)
    return form


def test_the_files_of_honcho_are_looked_for_in_its_order(world: World) -> None:
    coder = profile(world, "coder")
    person = world.folder / "person" / ".honcho" / "config.json"
    assert honcho(world, coder).files == (person,)
    person.parent.mkdir()
    person.write_text("{}")
    (world.home.path / "honcho.json").write_text("{}")
    assert honcho(world, coder).files == (world.home.path / "honcho.json",)
    (coder.path / "honcho.json").write_text("{}")
    assert honcho(world, coder).files == (coder.path / "honcho.json",)
    assert world.form("honcho").files == (world.home.path / "honcho.json",)


@pytest.mark.parametrize(
    ("name", "env", "data", "host"),
    [
        ("default", {}, {}, "hermes"),
        ("default", {}, {"defaultHost": "local"}, "local"),
        ("coder", {}, {"defaultHost": "local"}, "hermes_coder"),
        ("coder", {"HERMES_HONCHO_HOST": "mine"}, {}, "mine"),
        ("coder", {}, {"hosts": {"hermes.coder": {"a": 1}}}, "hermes.coder"),
        ("coder", {}, {"hosts": {"hermes.coder": {}}}, "hermes_coder"),
        ("coder", {}, {"hosts": {"hermes.coder": {"a": 1}, "hermes_coder": {}}}, "hermes.coder"),
    ],
)
def test_the_host_block_is_named_by_honchos_rules(
    world: World, name: str, env: dict[str, str], data: dict[str, object], host: str
) -> None:
    world.env.update(env)
    home = world.home if name == "default" else profile(world, name)
    world.write("honcho.json", json.dumps(data))
    form = honcho(world, home)
    assert ("host", host) in [(note.code, note.detail) for note in form.notes]
    plan = world.providers(home).plan(form, {"workspace": "w"})
    assert isinstance(plan, SavePlan)
    assert isinstance(world.providers(home).save(plan), Saved)
    after = json.loads((world.home.path / "honcho.json").read_bytes())
    assert after["hosts"][host]["workspace"] == "w"


def test_a_block_shows_what_it_inherits_and_writes_only_itself(world: World) -> None:
    text = json.dumps(
        {
            "workspace": "root",
            "hosts": {
                "hermes": {"apiKey": "hch-at-secret", "oauth": {"refreshToken": "hch-rt-x"}},
                "hermes_coder": {"recallMode": "tools"},
                "selfhosted": {"baseUrl": "http://x"},
            },
        },
        indent=2,
    )
    path = world.write("honcho.json", text)
    coder = profile(world, "coder")
    state = honcho(world, coder).state("workspace")
    assert state is not None
    assert (state.value, [note.code for note in state.notes]) == ("root", ["inherited"])
    assert state.saves_to.endswith("hosts.hermes_coder.workspace")
    providers = world.providers(coder)
    plan = providers.plan(honcho(world, coder), {"workspace": "mine", "baseUrl": "http://y"})
    assert isinstance(plan, SavePlan)
    assert "hch-" not in repr([one.lines for one in plan.files])
    assert isinstance(providers.save(plan), Saved)
    after = json.loads(path.read_bytes())
    assert after["hosts"].pop("hermes_coder") == {"recallMode": "tools", "workspace": "mine"}
    assert after.pop("baseUrl") == "http://y"
    before = json.loads(text)
    del before["hosts"]["hermes_coder"]
    assert after == before


def test_a_key_that_a_sign_in_owns_is_left_alone(world: World) -> None:
    world.write("honcho.json", '{"hosts": {"hermes": {"apiKey": "hch-at-1"}}}')
    form = world.form("honcho")
    state = form.state("apiKey")
    assert state is not None
    assert state.locked == Unsupported("oauth_owned", "apiKey")
    assert [note.code for note in state.notes] == ["oauth"]
    checked = world.providers().check_secret(form, "apiKey")
    assert checked == Unsupported("oauth_owned", "apiKey")


def test_an_address_without_a_key_is_enough_for_honcho(world: World) -> None:
    world.write("honcho.json", '{"hosts": {"selfhosted": {"baseUrl": "http://x"}}}')
    assert world.row("honcho").state == "needs_config"
    world.save("honcho", {"baseUrl": "http://localhost:8000"})
    assert world.row("honcho").state == "ready"
    world.write("honcho.json", '{"baseUrl": "http://x", "hosts": {"hermes": {"enabled": false}}}')
    assert world.row("honcho").reason.code == "switched_off"


def test_hosts_that_are_no_object_are_not_replaced(world: World) -> None:
    path = world.write("honcho.json", '{"hosts": ["a"]}')
    plan = world.providers().plan(world.form("honcho"), {"workspace": "w"})
    assert isinstance(plan, Mistakes)
    assert path.read_text() == '{"hosts": ["a"]}'


# -- config.yaml and the environment ---------------------------------------------------------


def test_a_value_in_config_yaml_that_nothing_reads_is_called_that(world: World) -> None:
    world.write("config.yaml", "memory:\n  openviking:\n    recall_limit: 9\n")
    state = world.state("openviking", "recall_limit")
    assert (state.is_set, state.saves_to) == (False, ".env: OPENVIKING_RECALL_LIMIT")
    assert codes(world, "openviking", "recall_limit") == ["ignored_value"]


def test_a_mode_in_config_yaml_does_not_change_what_hindsight_does(world: World) -> None:
    world.write(
        "config.yaml",
        "memory:\n  hindsight: {mode: local_external, api_url: 'http://localhost:8888'}\n",
    )
    for key in ("mode", "api_url"):
        state = world.state("hindsight", key)
        assert (state.is_set, state.source) == (False, "default")
        assert codes(world, "hindsight", key) == ["ignored_value"]
    assert world.state("hindsight", "api_url").default == "https://api.hindsight.vectorize.io"
    world.save("hindsight", {"mode": "local_external"})
    assert world.state("hindsight", "mode").source == "file"


def test_openviking_reads_a_linked_file_after_the_environment(world: World) -> None:
    linked = world.folder / "person" / ".openviking" / "ovcli.conf"
    linked.parent.mkdir()
    linked.write_text('{"url": "http://linked"}')
    world.write("config.yaml", "memory:\n  openviking:\n    use_ovcli_config: true\n")
    assert world.state("openviking", "endpoint").value == "http://linked"
    assert world.row("openviking").state == "ready"
    world.save("openviking", {"endpoint": "http://own"})
    assert world.state("openviking", "endpoint").value == "http://own"


def test_the_values_of_config_yaml_are_shown_with_their_line(world: World) -> None:
    world.write("config.yaml", "a: 1\nmemory:\n  byterover:\n    auto_extract: false\n")
    state = world.state("byterover", "auto_extract")
    assert (state.source, state.line, state.value) == ("config", 4, "false")
    assert state.place == "config.yaml: memory.byterover.auto_extract"


def test_a_name_never_leads_out_of_the_home(world: World, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"one": "x"}')
    world.write("config.yaml", "memory: {provider: '../../secret'}\n")
    assert world.row("../../secret").reason.code == "bad_name"
