"""What the desk saves is what each provider's own loader in the real package reads, and back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from schema.fields import UNSET, Unset
from store.desk import Desk, build_desk
from store.home import DEFAULT, HermesHome
from store.providers.desk import Providers
from store.providers.forms import FieldState, Form
from store.providers.rules import BUNDLED
from store.providers.saving import Saved, SavePlan
from tests.support.desks import everything_in

WORKER = Path(__file__).parents[1] / "support" / "provider_worker.py"


class RealProviders:
    """The providers of hermes-agent 0.19.0, asked in a process of its own."""

    def __init__(self, python: Path, folder: Path) -> None:
        folder.mkdir()
        self._process = subprocess.Popen(
            [python, "-P", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HERMES_HOME": str(folder), "HOME": str(folder)},
            encoding="utf-8",
        )

    def ask(self, do: str, person: Person, name: str = "", **more: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"do": do, "home": str(person.home.path), "person": str(person.folder)}
        self._process.stdin.write(json.dumps(request | {"name": name} | more) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        assert "error" not in said, said["error"]
        return said["answer"]

    def close(self) -> None:
        self._process.communicate(timeout=60)


@dataclass(frozen=True)
class Person:
    """A person with a Hermes home, and the desk's providers on it."""

    folder: Path
    home: HermesHome
    python: Path

    @property
    def env(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder),
            "PATH": str(self.python.parent),
            "MEMORY_DESK_DATA_DIR": str(self.folder / "desk"),
            "MEMORY_DESK_CONFIG_DIR": str(self.folder / "desk"),
        }

    def at(self, home: HermesHome) -> Person:
        return Person(self.folder, home, self.python)

    def open(self) -> Desk:
        return build_desk(self.home, env=self.env)

    def form(self, name: str) -> Form:
        desk = self.open()
        try:
            form = Providers(desk, project=self.folder).form(name)
        finally:
            desk.close()
        assert isinstance(form, Form), form
        return form

    def state(self, name: str, key: str) -> FieldState:
        state = self.form(name).state(key)
        assert state is not None
        return state

    def save(self, name: str, values: Mapping[str, str | Unset]) -> Saved:
        desk = self.open()
        try:
            providers = Providers(desk, project=self.folder)
            form = providers.form(name)
            assert isinstance(form, Form), form
            plan = providers.plan(form, values)
            assert isinstance(plan, SavePlan), plan
            saved = providers.save(plan)
            assert isinstance(saved, Saved), saved
            return saved
        finally:
            desk.close()


@pytest.fixture(scope="module")
def real(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealProviders]:
    real = RealProviders(hermes_python, tmp_path_factory.mktemp("real") / "home")
    yield real
    real.close()


@pytest.fixture
def person(tmp_path: Path, hermes_python: Path) -> Person:
    path = tmp_path / "person" / ".hermes"
    path.mkdir(parents=True)
    return Person(tmp_path / "person", HermesHome(path, path, DEFAULT), hermes_python)


# By provider: what is typed, and what its loader says then.
SAVED: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "byterover": ({"auto_extract": "false"}, {"extracts": False}),
    "hindsight": (
        {
            "mode": "local_external",
            "api_url": "http://localhost:9999",
            "bank_id": "mine",
            "recall_budget": "high",
        },
        {
            "mode": "local_external",
            "api_url": "http://localhost:9999",
            "bank_id": "mine",
            "recall_budget": "high",
        },
    ),
    "holographic": (
        {"auto_extract": "false", "default_trust": "0.75", "hrr_dim": "512"},
        {"extracts": False, "default_trust": 0.75, "hrr_dim": 512},
    ),
    "honcho": (
        {
            "baseUrl": "http://localhost:8000",
            "workspace": "place",
            "saveMessages": "false",
            "contextTokens": "1500",
            "userPeerAliases": '{"42": "me"}',
            "recallMode": "tools",
            "timeout": "12.5",
        },
        {
            "base_url": "http://localhost:8000",
            "workspace_id": "place",
            "save_messages": False,
            "context_tokens": 1500,
            "user_peer_aliases": {"42": "me"},
            "recall_mode": "tools",
            "timeout": 12.5,
        },
    ),
    "mem0": (
        {"host": "http://10.0.0.5:8888", "user_id": "me", "rerank": "true"},
        {"host": "http://10.0.0.5:8888", "user_id": "me", "rerank": "true"},
    ),
    "openviking": (
        {"endpoint": "http://127.0.0.1:2000", "recall_limit": "9", "recall_resources": "true"},
        {"endpoint": "http://127.0.0.1:2000", "limit": 9, "resources": True},
    ),
    "retaindb": (
        {"base_url": "http://localhost:7000", "project": "p 1"},
        {"RETAINDB_BASE_URL": "http://localhost:7000", "RETAINDB_PROJECT": "p 1"},
    ),
    "supermemory": (
        {"container_tag": "tag", "base_url": "http://localhost:6767", "max_recall_results": "7"},
        {"container_tag": "tag", "address": "http://localhost:6767", "max_recall_results": 7},
    ),
}


@pytest.mark.parametrize("name", BUNDLED)
def test_a_saved_value_is_what_the_providers_own_loader_reads(
    real: RealProviders, person: Person, name: str
) -> None:
    typed, expected = SAVED[name]
    before = real.ask("load", person, name)
    assert {key: before.get(key) for key in expected} != expected, "the save would show nothing"
    saved = person.save(name, typed)
    assert set(saved.changed) == set(typed)
    assert saved.did_not_stick == ()
    found = real.ask("load", person, name)
    assert {key: found[key] for key in expected} == expected
    for key, value in typed.items():
        shown = person.state(name, key)
        assert shown.problem is None
        assert shown.is_set
        assert str(shown.value).lower() == value.lower() or key == "userPeerAliases"


def test_true_is_true_for_holographic_and_false_is_false(
    real: RealProviders, person: Person
) -> None:
    for typed, extracts in (("true", True), ("false", False)):
        person.save("holographic", {"auto_extract": typed})
        assert real.ask("load", person, "holographic")["extracts"] is extracts
    (person.home.config).write_text("plugins:\n  hermes-memory-store:\n    auto_extract: 'false'\n")
    assert real.ask("load", person, "holographic")["extracts"] is True
    notes = [note.code for note in person.state("holographic", "auto_extract").notes]
    assert "text_is_true" in notes


DECLARED: dict[str, dict[str, Any]] = {
    "hindsight": {"mode": "local_external", "api_url": "http://a.b:1", "recall_budget": "low"},
    "honcho": {
        "baseUrl": "http://localhost:8000",
        "workspace": "ünïcode",
        "saveMessages": False,
        "contextTokens": 7,
        "userPeerAliases": {"1": "two"},
        "recallMode": "context",
        "timeout": 3,
    },
}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_what_hermes_own_form_writes_shows_in_ours(
    real: RealProviders, person: Person, name: str
) -> None:
    real.ask("write_declared", person, name, values=DECLARED[name])
    form = person.form(name)
    for key, value in DECLARED[name].items():
        state = form.state(key)
        assert state is not None
        assert state.value == value, key
        assert state.stored == value, key
        assert state.source == "file"


OLD: dict[str, dict[str, Any]] = {
    "byterover": {"auto_extract": "false"},
    "hindsight": {"mode": "local_external", "api_url": "http://x.y:2", "timeout": "77"},
    "holographic": {"auto_extract": "true", "default_trust": "0.9"},
    "mem0": {"host": "http://h:3", "user_id": "someone", "rerank": "true"},
}


@pytest.mark.parametrize("name", sorted(OLD))
def test_what_hermes_dashboard_writes_shows_in_ours(
    real: RealProviders, person: Person, name: str
) -> None:
    real.ask("write_old", person, name, values=OLD[name])
    form = person.form(name)
    for key, value in OLD[name].items():
        state = form.state(key)
        assert state is not None
        assert str(state.value) == value, key
        assert state.source in ("file", "config")


def test_what_the_dashboard_writes_where_nothing_reads_it_is_called_that(
    real: RealProviders, person: Person
) -> None:
    real.ask("write_old", person, "openviking", values={"recall_limit": "11"})
    real.ask("write_old", person, "retaindb", values={"base_url": "http://n.o:1"})
    assert real.ask("load", person, "openviking")["limit"] == 6
    for name, key in (("openviking", "recall_limit"), ("retaindb", "base_url")):
        state = person.state(name, key)
        assert not state.is_set
        assert [note.code for note in state.notes] == ["ignored_value"]
        assert state.saves_to.startswith(".env: ")


def test_states_agree_with_the_dashboards(real: RealProviders, person: Person) -> None:
    ours = {"ready": "ready", "needs_config": "needs_config", "not_installed": "unavailable"}
    for environment in ("", "HONCHO_API_KEY=k\nMEM0_API_KEY=k\nSUPERMEMORY_API_KEY=k\n"):
        (person.home.path / ".env").write_text(environment)
        theirs = {row["name"]: row["status"] for row in real.ask("statuses", person)}
        desk = person.open()
        rows = Providers(desk, project=person.folder).catalogue().rows
        desk.close()
        told = {row.name: ours[row.state] for row in rows}
        # Without its program, Hermes says of byterover what it says of one without a key.
        theirs["byterover"] = told["byterover"]
        settled = {name: state for name, state in theirs.items() if state != "unavailable"}
        assert {name: told[name] for name in settled} == settled


def test_looking_at_every_form_leaves_every_byte(
    hermes_home: Path, tmp_path: Path, hermes_python: Path
) -> None:
    for path in (hermes_home, hermes_home / "profiles" / "work"):
        profile = DEFAULT if path == hermes_home else "work"
        home = HermesHome(hermes_home, path, profile)
        person = Person(tmp_path / "someone", home, hermes_python)
        before = everything_in(hermes_home)
        listing = sorted(str(one) for one in hermes_home.rglob("*"))
        desk = person.open()
        providers = Providers(desk, project=tmp_path)
        rows = providers.catalogue().rows
        assert {row.name for row in rows} >= set(BUNDLED)
        for row in rows:
            form = providers.form(row.name)
            assert isinstance(form, Form)
            plan = providers.plan(form, {})
            assert isinstance(plan, SavePlan)
            assert providers.save(plan) == Saved((), ())
        desk.close()
        assert everything_in(hermes_home) == before
        assert sorted(str(one) for one in hermes_home.rglob("*")) == listing


def test_a_saved_form_is_the_file_that_hermes_would_have_written(
    real: RealProviders, person: Person, tmp_path: Path
) -> None:
    other = tmp_path / "other" / ".hermes"
    other.mkdir(parents=True)
    twin = Person(tmp_path / "other", HermesHome(other, other, DEFAULT), person.python)
    for name, values in DECLARED.items():
        texts = {
            key: json.dumps(value) if isinstance(value, dict) else str(value).replace("F", "f")
            for key, value in values.items()
        }
        real.ask("write_declared", twin, name, values=values)
        person.save(name, texts)
        theirs = next(iter(everything_json(twin.folder, name).values()))
        ours = next(iter(everything_json(person.folder, name).values()))
        assert json.loads(ours) == json.loads(theirs)
        # Key by key, the lines are those of Hermes' own writer; only new keys stand last.
        assert sorted(ours.replace(b",", b"").split(b"\n")) == sorted(
            theirs.replace(b",", b"").split(b"\n")
        )


def everything_json(folder: Path, name: str) -> dict[str, bytes]:
    found = everything_in(folder)
    return {path: data for path, data in found.items() if name in path and path.endswith(".json")}


def test_a_named_profile_of_honcho_writes_only_its_own_block(
    real: RealProviders, person: Person
) -> None:
    root = person.home.path
    shared = root / "honcho.json"
    shared.write_text(
        json.dumps(
            {
                "hosts": {
                    "hermes": {"apiKey": "hch-at-1", "oauth": {"refreshToken": "hch-rt-1"}},
                    "selfhosted": {"baseUrl": "http://x"},
                },
                "baseUrl": "http://localhost:8000",
                "unknown": [1, 2],
            },
            indent=4,
        )
    )
    (root / "profiles" / "coder").mkdir(parents=True)
    coder = person.at(HermesHome(root, root / "profiles" / "coder", "coder"))
    before = json.loads(shared.read_bytes())
    coder.save("honcho", {"recallMode": "tools", "peerName": "me"})
    after = json.loads(shared.read_bytes())
    assert after["hosts"].pop("hermes_coder") == {"recallMode": "tools", "peerName": "me"}
    assert after == before
    assert shared.read_text().count("\n    ") > 3, "the layout stays"
    assert real.ask("load", coder, "honcho")["recall_mode"] == "tools"
    assert real.ask("load", coder, "honcho")["peer_name"] == "me"
    assert real.ask("load", person, "honcho")["recall_mode"] == "hybrid"


def test_the_first_save_of_honcho_goes_where_honcho_looks(
    real: RealProviders, person: Person
) -> None:
    saved = person.save("honcho", {"peerName": "me"})
    assert saved.files[0].path == person.folder / ".honcho" / "config.json"
    assert real.ask("load", person, "honcho")["peer_name"] == "me"
    assert (person.folder / ".honcho" / "config.json").stat().st_mode & 0o077 == 0


def test_a_first_file_does_not_hide_what_the_environment_said(
    real: RealProviders, person: Person
) -> None:
    (person.home.path / ".env").write_text(
        "HINDSIGHT_MODE=local_external\nHINDSIGHT_BANK_ID=team\n"
    )
    assert person.state("hindsight", "bank_id").value == "team"
    saved = person.save("hindsight", {"recall_budget": "high"})
    assert saved.changed == ("recall_budget",)
    found = real.ask("load", person, "hindsight")
    assert (found["mode"], found["bank_id"], found["recall_budget"]) == (
        "local_external",
        "team",
        "high",
    )


def test_unsetting_takes_the_aliases_too(real: RealProviders, person: Person) -> None:
    file = person.home.path / "honcho.json"
    file.write_text('{"baseUrl": "http://a", "base_url": "http://b", "x": 1}')
    person.save("honcho", {"baseUrl": UNSET})
    assert json.loads(file.read_bytes()) == {"x": 1}
    assert real.ask("load", person, "honcho")["base_url"] is None


def test_every_form_comes_up_without_running_anything(
    person: Person, tmp_path: Path, hermes_python: Path
) -> None:
    assert shutil.which("python3") is not None
    for name in BUNDLED:
        form = person.form(name)
        assert form.problem is None, name
        assert form.fields, name
        assert form.row.source == "bundled"
