"""`memory-desk providers …`: the contract that scripts see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from store.desk import build_desk
from store.home import DEFAULT, HermesHome
from store.secrets.vault import Secrets
from tests.conftest import DeskDirs
from tests.support.command_line import CommandLine
from tests.support.desks import everything_in
from tests.support.fake_hermes import FakeHermes, provider_code, put_plugin
from tests.support.keyrings import FILE
from tests.support.unprivileged import Unprivileged


@pytest.fixture
def desk(
    tmp_path: Path, desk_dirs: DeskDirs, monkeypatch: pytest.MonkeyPatch, own_surroundings: Path
) -> CommandLine:
    hermes = FakeHermes(tmp_path / "venv").make()
    monkeypatch.setenv("PATH", str(hermes.folder / "bin"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.support.keyrings.InFile")
    monkeypatch.setenv(FILE, str(tmp_path / "keyring.json"))
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    home.mkdir()
    return CommandLine(home)


def field(desk: CommandLine, name: str, key: str) -> dict[str, Any]:
    fields = desk.json("providers", "show", name)["fields"]
    return next(one for one in fields if one["key"] == key)


def test_the_list_has_what_the_contract_says(desk: CommandLine) -> None:
    put_plugin(desk.home / "plugins" / "mem0", provider_code("x"))
    (desk.home / "config.yaml").write_text("memory:\n  provider: gone\n")
    rows = desk.json("providers", "list")["providers"]
    keys = {"name", "label", "source", "path", "state", "active", "shadowed_by", "message"}
    assert all(keys <= set(row) for row in rows)
    of_mem0 = [
        (row["source"], row["state"], row["shadowed_by"]) for row in rows if row["name"] == "mem0"
    ]
    assert of_mem0 == [("bundled", "needs_config", None), ("user", "shadowed", "bundled")]
    (gone,) = [row for row in rows if row["name"] == "gone"]
    assert (gone["state"], gone["active"]) == ("missing", True)
    assert gone["message"]
    text = desk("providers", "list").out
    assert "*  gone" in text
    assert "shadowed" in text


def test_a_form_as_data(desk: CommandLine) -> None:
    (desk.home / "hindsight").mkdir()
    (desk.home / "hindsight" / "config.json").write_text('{"mode": "odd", "api_key": "sk-1"}')
    shown = desk.json("providers", "show", "hindsight")
    assert {"name", "label", "storage", "docs_url", "files", "fields"} <= set(shown)
    keys = {
        *("key", "label", "kind", "value", "is_set", "source", "default", "options", "group"),
        *("inline", "visible", "required", "info", "problem"),
    }
    assert all(keys <= set(one) for one in shown["fields"])
    mode = field(desk, "hindsight", "mode")
    assert (mode["value"], mode["source"], mode["kind"]) == ("odd", "file", "select")
    assert mode["problem"].startswith("it must be one of cloud, local_external")
    secret = field(desk, "hindsight", "api_key")
    assert (secret["value"], secret["is_set"], secret["source"]) == ("", True, "file")
    assert "sk-1" not in json.dumps(shown)
    assert "sk-1" not in desk("providers", "show", "hindsight").out
    bank = field(desk, "hindsight", "bank_id")
    assert (bank["value"], bank["default"], bank["is_set"]) == (None, "hermes", False)


def test_set_is_all_or_nothing(desk: CommandLine) -> None:
    before = everything_in(desk.home)
    answer = desk.json("providers", "set", "hindsight", "bank_id=x", "mode=nope", "typo=1")
    assert set(answer["errors"]) == {"mode", "typo"}
    assert answer["reason"] == "invalid"
    assert everything_in(desk.home) == before
    answer = desk.json("providers", "set", "hindsight", "bank_id=x", "recall_budget=high")
    assert answer["changed"] == ["bank_id", "recall_budget"]
    (write,) = answer["writes"]
    assert write["file"] == str(desk.home / "hindsight" / "config.json")
    assert '+  "bank_id": "x",' in write["lines"]
    assert desk.json("providers", "set", "hindsight", "bank_id=x")["changed"] == []
    answer = desk.json("providers", "set", "hindsight", "--unset", "bank_id")
    assert answer["changed"] == ["bank_id"]
    assert field(desk, "hindsight", "bank_id")["is_set"] is False
    assert desk.json("status")["provider"] == {"active": "", "state": "off"}


def test_a_dry_run_writes_nothing(desk: CommandLine) -> None:
    answer = desk.json("providers", "set", "hindsight", "bank_id=x", "--dry-run")
    assert answer["changed"] == ["bank_id"]
    assert answer["writes"][0]["lines"]
    assert everything_in(desk.home) == {}


def test_wrong_usage_is_told_from_a_wrong_value(desk: CommandLine) -> None:
    for words in ([], ["novalue"], ["=x"], ["a=1", "--unset", "a"]):
        assert desk("providers", "set", "hindsight", *words).status == 2
    assert desk("providers", "set", "nobody", "a=1").status == 1
    assert desk.json("providers", "show", "nobody")["reason"] == "not_found"


def test_a_secret_goes_to_the_keyring_and_nowhere_else(
    desk: CommandLine, tmp_path: Path, desk_dirs: DeskDirs
) -> None:
    answer = desk.json(
        "providers", "set", "mem0", "user_id=me", "--secret", "api_key", stdin="sk-hush\n"
    )
    assert answer["changed"] == ["user_id", "api_key"]
    assert "sk-hush" in (tmp_path / "keyring.json").read_text()
    for folder in (desk.home, desk_dirs.data):
        assert not any(b"sk-hush" in data for data in everything_in(folder).values())
    secret = field(desk, "mem0", "api_key")
    assert (secret["source"], secret["is_set"], secret["value"]) == ("keyring", True, "")
    assert desk.json("providers", "use", "mem0")["active"] == "mem0"


@pytest.mark.parametrize(
    ("backend", "reason"),
    [
        ("keyring.backends.fail.Keyring", "no_keyring"),
        ("tests.support.keyrings.Locked", "keyring_locked"),
    ],
)
def test_without_a_keyring_nothing_at_all_is_changed(
    desk: CommandLine, monkeypatch: pytest.MonkeyPatch, backend: str, reason: str
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", backend)
    answer = desk.json(
        "providers", "set", "mem0", "user_id=me", "--secret", "api_key", stdin="sk-hush"
    )
    assert (answer["ok"], answer["reason"]) == (False, reason)
    assert everything_in(desk.home) == {}


def test_a_key_that_a_file_outranks_is_said_to_have_no_effect(desk: CommandLine) -> None:
    (desk.home / "mem0.json").write_text('{"api_key": "sk-old"}')
    ran = desk("providers", "set", "mem0", "--secret", "api_key", stdin="sk-new")
    assert ran.status == 0
    assert "mem0.json: api_key" in ran.err
    assert (desk.home / "mem0.json").read_text() == '{"api_key": "sk-old"}'


def test_use_says_where_conversations_go_and_off_leaves(desk: CommandLine) -> None:
    answer = desk.json("providers", "use", "honcho")
    assert (answer["reason"], answer["state"]) == ("invalid", "needs_config")
    answer = desk.json("providers", "use", "honcho", "--anyway")
    assert (answer["active"], answer["destination"]) == ("honcho", "cloud")
    assert answer["bundled"] is True
    assert desk.json("status")["provider"] == {"active": "honcho", "state": "needs_config"}
    desk.json("providers", "set", "honcho", "baseUrl=http://localhost:8000")
    ran = desk("providers", "use", "honcho")
    assert "this computer only (http://localhost:8000)" in ran.out
    assert desk.json("status")["provider"]["state"] == "active"
    assert desk.json("providers", "off") == {"ok": True, "active": "", "changed": True}
    assert desk.json("providers", "use", "nobody", "--anyway")["reason"] == "not_found"


def test_a_plugin_is_asked_only_with_a_yes(desk: CommandLine, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    put_plugin(desk.home / "plugins" / "mine", f"open({str(mark)!r}, 'w')\n" + provider_code("x"))
    answer = desk.json("providers", "ask", "mine")
    assert (answer["ok"], answer["reason"]) == (False, "invalid")
    assert not mark.exists()


def test_a_file_that_does_not_parse_is_named_with_its_place(desk: CommandLine) -> None:
    (desk.home / "mem0.json").write_text('{\n "a": 1,\n}')
    shown = desk.json("providers", "show", "mem0")
    assert shown["locked"]["line"] == 3
    answer = desk.json("providers", "set", "mem0", "user_id=x")
    assert answer["reason"] == "invalid"
    assert answer["line"] == 3


def test_a_save_is_in_the_history_and_undone_there(desk: CommandLine) -> None:
    changed = desk.json("providers", "set", "hindsight", "bank_id=x")
    (change,) = desk.json("history", "list")["changes"]
    assert (change["action"], change["target"]) == ("configure", "provider:hindsight")
    assert change["after"] == "bank_id = x"
    assert desk.json("history", "show", str(changed["change_id"]))["files"]
    assert desk.json("history", "undo")["undone"] == changed["change_id"]
    assert field(desk, "hindsight", "bank_id")["is_set"] is False


def test_a_key_in_the_keyring_is_not_said_to_be_in_a_file(desk: CommandLine) -> None:
    opened = build_desk(HermesHome(desk.home, desk.home, DEFAULT))
    index = Secrets(opened.home, disk=opened.disk).index_file
    opened.close()
    index.parent.mkdir(parents=True)
    index.write_text('{"version": 1, "names": {"HINDSIGHT_API_KEY": {"changed": 1.0}}}')
    found = field(desk, "hindsight", "api_key")
    assert (found["source"], found["place"]) == ("keyring", "HINDSIGHT_API_KEY")
    text = desk("providers", "show", "hindsight").out
    assert "the keyring: HINDSIGHT_API_KEY" in text
    assert ".env" not in text
    assert "starts without HINDSIGHT_API_KEY" in text


def test_looking_changes_nothing_and_runs_nothing(desk: CommandLine) -> None:
    (desk.home / "honcho.json").write_text('{"hosts": {}}')
    before = everything_in(desk.home.parent)
    desk("providers", "list")
    for name in ("honcho", "hindsight", "mem0"):
        desk("providers", "show", name)
    assert everything_in(desk.home.parent) == before
    opened = build_desk(HermesHome(desk.home, desk.home, DEFAULT))
    assert Secrets(opened.home, disk=opened.disk).keyring.asked == 0
    opened.close()


def test_a_folder_that_may_not_be_written_is_a_calm_refusal(
    unprivileged: Unprivileged,
) -> None:
    home = unprivileged.folder / ".hermes"
    (home / "hindsight").mkdir(parents=True)
    file = home / "hindsight" / "config.json"
    file.write_text('{"bank_id": "a"}')
    unprivileged.give(home)
    file.chmod(0o000)
    unprivileged.assert_cannot_read(file)
    ran = unprivileged.run_desk("providers", "set", "hindsight", "bank_id=x", "--json")
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["reason"] == "unreadable"
    file.chmod(0o600)
    (home / "hindsight").chmod(0o500)
    ran = unprivileged.run_desk("providers", "set", "hindsight", "bank_id=x", "--json")
    assert json.loads(ran.stdout)["reason"] == "read_only"
    assert file.read_text() == '{"bank_id": "a"}'
    ran = unprivileged.run_desk("providers", "list", "--json")
    assert ran.returncode == 0, ran.stderr
