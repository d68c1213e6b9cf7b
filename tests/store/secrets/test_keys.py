"""Keys of a home: set, cleared, found where they lie open, moved; and what each of that leaves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.desk import Desk, build_desk
from store.home import HermesHome
from store.refusals import (
    Empty,
    Invalid,
    KeyringFailed,
    KeyringLocked,
    KeyringRefused,
    NotFound,
    Unreadable,
    Unsupported,
)
from store.secrets.backends import judged
from store.secrets.index import Index, index_path, service_of
from store.secrets.migrate import Moved, Moves, move_keys, plan_moves
from store.secrets.names import users_of
from store.secrets.ring import Keyring
from store.secrets.states import Absent, Present, Secret
from store.secrets.vault import Given, KeyCleared, KeySet, Secrets, cleaned
from tests.support import keyrings

CANARY = "canary-77aa"


@pytest.fixture
def home(tmp_path: Path) -> HermesHome:
    path = tmp_path / "home"
    path.mkdir()
    return HermesHome(path, path, "default")


@pytest.fixture
def desk(home: HermesHome, tmp_path: Path) -> Iterator[Desk]:
    env = {"MEMORY_DESK_DATA_DIR": str(tmp_path / "data"), "HOME": str(tmp_path / "person")}
    desk = build_desk(home, env=env)
    yield desk
    desk.close()


def keys_of(desk: Desk, backend: Any = None, **env: str) -> Secrets:
    made = keyrings.Working() if backend is None else backend
    return Secrets(
        desk.home,
        disk=desk.disk,
        env={**desk.env, **env},
        keyring=Keyring(loader=lambda: judged(made), limit=20.0),
        journal=lambda: desk.journal,
        clock=lambda: 5.0,
    )


def kept(keys: Secrets) -> list[str]:
    index = keys.names()
    assert isinstance(index, Index)
    return [one.name for one in index.names]


def move(keys: Secrets, *names: str) -> Moved:
    plan = plan_moves(keys, names)
    assert isinstance(plan, Moves)
    return move_keys(keys, plan)


def left(moved: Moved) -> dict[str, str]:
    return {one.name: one.why for one in moved.left}


# -- one key ---------------------------------------------------------------------------------


def test_a_key_is_kept_under_its_home_and_listed_without_asking(desk: Desk) -> None:
    backend = keyrings.Working()
    keys = keys_of(desk, backend)
    assert keys.set("A_KEY", Secret("one")) == KeySet("A_KEY")
    assert backend.kept == {(service_of(desk.home), "A_KEY"): "one"}
    asked = keys.keyring.asked
    assert kept(keys) == ["A_KEY"]
    assert keys.listing().kept[0].changed == 5.0
    assert keys.keyring.asked == asked
    assert keys.read("A_KEY") == Present(Secret("one"))
    assert keys.clear("A_KEY") == KeyCleared("A_KEY", True)
    assert (kept(keys), backend.kept) == ([], {})
    assert keys.clear("A_KEY") == NotFound("secret", "A_KEY")


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_the_index_is_open_to_its_owner_only_and_holds_names(desk: Desk) -> None:
    keys = keys_of(desk)
    keys.set("A_KEY", Secret(CANARY))
    path = index_path(Path(desk.env["MEMORY_DESK_DATA_DIR"]), desk.home)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert CANARY not in path.read_text("utf-8")


def test_each_profile_has_keys_of_its_own(desk: Desk) -> None:
    root = desk.home.root
    coder = HermesHome(root, root / "profiles" / "coder", "coder")
    custom = [HermesHome(root, root / name, "custom") for name in ("a", "b")]
    assert len({service_of(one) for one in (desk.home, coder, *custom)}) == 4
    assert service_of(coder).endswith("/coder")
    assert len(service_of(coder).split("/")[1]) == 12


@pytest.mark.parametrize(
    ("backend", "refusal"),
    [
        (keyrings.Locked(), KeyringLocked),
        (keyrings.Weak(), KeyringRefused),
        (keyrings.Forgetting(), KeyringFailed),
        (keyrings.Lying(), KeyringFailed),
    ],
)
def test_what_was_not_kept_is_not_listed_and_lands_nowhere_else(
    desk: Desk, tmp_path: Path, backend: Any, refusal: type[Any]
) -> None:
    keys = keys_of(desk, backend)
    assert isinstance(keys.set("A_KEY", Secret(CANARY)), refusal)
    assert kept(keys) == []
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes(), path


def test_a_refused_replacement_leaves_the_old_key_listed(desk: Desk) -> None:
    backend = keyrings.SizeLimited()
    keys = keys_of(desk, backend)
    keys.set("A_KEY", Secret("one"))
    assert isinstance(keys.set("A_KEY", Secret("x" * 1300)), Invalid | object)
    assert kept(keys) == ["A_KEY"]
    assert keys.read("A_KEY") == Present(Secret("one"))


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        ("A_KEY", "", Empty("value")),
        ("1A", "x", Invalid("name", "bad_name")),
        ("PATH", "x", Invalid("name", "name_refused")),
        ("A_KEY", "sk-\u0430", Invalid("value", "look_alike", column=4)),
        ("A_KEY", "a\nb", Invalid("value", "control_character", column=2)),
    ],
)
def test_what_hermes_could_not_use_never_reaches_the_keyring(
    desk: Desk, name: str, value: str, refusal: Any
) -> None:
    keys = keys_of(desk)
    assert keys.set(name, Secret(value)) == refusal
    assert keys.keyring.asked == 0


def test_a_pasted_value_loses_what_is_around_it_and_that_is_told() -> None:
    assert cleaned("sk-1") == cleaned("sk-1")
    pasted = cleaned(" \u200bsk-1\ufeff\r\n")
    assert (pasted.secret, pasted.trimmed) == (Secret("sk-1"), True)
    assert not cleaned("sk-1").trimmed


def test_an_index_that_cannot_be_read_is_not_taken_for_empty(desk: Desk) -> None:
    keys = keys_of(desk)
    keys.index_file.parent.mkdir(parents=True)
    keys.index_file.write_text("{", "utf-8")
    assert isinstance(keys.names(), Invalid)
    assert isinstance(keys.give(), Invalid)
    assert isinstance(keys.set("A_KEY", Secret("x")), Invalid)
    assert keys.listing().index_problem is not None
    assert keys.index_file.read_text("utf-8") == "{"


def test_a_key_that_left_the_keyring_is_told_as_missing(desk: Desk) -> None:
    backend = keyrings.Working()
    keys = keys_of(desk, backend)
    keys.set("A_KEY", Secret("one"))
    keys.set("B_KEY", Secret("two"))
    backend.kept.pop((keys.service, "A_KEY"))
    given = keys.give()
    assert isinstance(given, Given)
    assert (given.missing, dict(given.values)) == (("A_KEY",), {"B_KEY": Secret("two")})


def test_without_keys_the_keyring_is_not_asked(desk: Desk) -> None:
    keys = keys_of(desk, keyrings.Failing())
    assert keys.give() == Given({})
    assert keys.keyring.asked == 0


def test_the_journal_names_the_key_and_offers_no_undo(desk: Desk) -> None:
    keys_of(desk).set("A_KEY", Secret(CANARY))
    keys_of(desk, keyrings.Locked()).set("B_KEY", Secret(CANARY))
    changes = desk.journal.changes()
    assert isinstance(changes, tuple)
    assert [(one.intent.action, one.intent.come, one.undoable) for one in changes] == [
        ("set_key", ("A_KEY",), False)
    ]
    assert desk.journal.latest_undoable() is None
    assert desk.undo.undo(changes[0].id) == Unsupported("keys_kept_out", str(changes[0].id))


# -- keys that lie open ----------------------------------------------------------------------

HONCHO = {
    "apiKey": "root-key",
    "hosts": {
        "hermes": {"apiKey": "host-key", "workspace": "w"},
        "hermes_coder": {"apiKey": "coder-key"},
        "signed": {"apiKey": "hch-at-1", "oauth": {"refreshToken": "hch-rt-1"}},
    },
}


def test_keys_are_found_wherever_they_lie_open(desk: Desk) -> None:
    home = desk.home.path
    (home / ".env").write_text("MEM0_API_KEY=m\nNOTHING=1\nA_TOKEN=${B}\nC_SECRET=***\n", "utf-8")
    (home / "mem0.json").write_text('{"api_key": "m", "oss": {"llm": {"api_key": "o"}}}', "utf-8")
    (home / "honcho.json").write_text(json.dumps(HONCHO, indent=2), "utf-8")
    (home / "config.yaml").write_text(
        "model:\n  api_key: ${MEM0_API_KEY}\n  max_tokens: x\nsmtp:\n  password: pw\n", "utf-8"
    )
    (home / "supermemory.json").write_text("\ufeff{", "utf-8")
    found = keys_of(desk, X_API_KEY="inherited").listing().finds
    said = {(one.name or ".".join(one.key), one.where, one.left, one.line) for one in found.found}
    assert said == {
        ("MEM0_API_KEY", "dotenv", "", 1),
        ("A_TOKEN", "dotenv", "template", 3),
        ("C_SECRET", "dotenv", "stars", 4),
        ("MEM0_API_KEY", "provider_file", "", 1),
        ("oss.llm.api_key", "provider_file", "no_name", 1),
        ("HONCHO_API_KEY", "provider_file", "", 2),
        ("HONCHO_API_KEY", "provider_file", "", 5),
        ("HONCHO_API_KEY", "provider_file", "other_host", 9),
        ("HONCHO_API_KEY", "provider_file", "oauth", 12),
        ("hosts.signed.oauth.refreshToken", "provider_file", "oauth", 14),
        ("smtp.password", "provider_file", "config_yaml", 5),
        ("X_API_KEY", "environment", "environment", None),
    }
    users = {one.name: one.used_by for one in found.found if one.where == "dotenv"}
    assert users["MEM0_API_KEY"] == ("mem0", "config.yaml: model.api_key")
    assert "root-key" not in repr(found)


@pytest.mark.parametrize(
    ("profile", "dotenv", "data", "movable"),
    [
        ("custom", "", {"defaultHost": "mine"}, "mine"),
        ("custom", "", {}, "hermes"),
        ("default", "HERMES_HONCHO_HOST=mine\n", {}, "mine"),
        ("...", "", {}, "hermes_profile"),
        ("coder", "", {}, "hermes.coder"),
    ],
)
def test_the_host_block_of_honcho_is_the_one_that_its_form_uses(
    desk: Desk, profile: str, dotenv: str, data: dict[str, str], movable: str
) -> None:
    path = desk.home.path
    desk.home = HermesHome(path, path, profile)
    (path / ".env").write_text(dotenv, "utf-8")
    hosts = {
        host: {"apiKey": f"of {host}"}
        for host in ("hermes", "mine", "hermes_profile", "hermes.coder")
    }
    (path / "honcho.json").write_text(json.dumps({**data, "hosts": hosts}), "utf-8")
    found = keys_of(desk).listing().finds.found
    assert [one.key[1] for one in found if not one.left] == [movable]


def test_a_key_of_another_profiles_environment_is_said_to_be_inherited(desk: Desk) -> None:
    found = keys_of(desk, MEM0_API_KEY="of another").listing().finds.found
    assert [(one.name, one.where) for one in found] == [("MEM0_API_KEY", "environment")]


def test_a_file_that_cannot_be_read_is_told(desk: Desk) -> None:
    (desk.home.path / ".env").mkdir()
    # It is not known what keys such a file holds, and that is not "none".
    (desk.home.path / "mem0.json").write_text('{"api_key": "cut o', "utf-8")
    problems = keys_of(desk).listing().finds.problems
    assert [type(one) for one in problems] == [Unreadable, Invalid]


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_a_loose_mode_is_told_and_tightened(desk: Desk) -> None:
    path = desk.home.path / ".env"
    path.write_text("MEM0_API_KEY=m\n", "utf-8")
    path.chmod(0o644)
    keys = keys_of(desk)
    assert keys.listing().finds.found[0].loose == 0o044
    assert keys.tighten(path) == 0o600
    assert keys.listing().finds.found[0].loose == 0
    assert keys.tighten(desk.home.path / "other") == NotFound("file", str(desk.home.path / "other"))


# -- moving ----------------------------------------------------------------------------------


def test_a_move_takes_one_line_and_leaves_every_other_byte(desk: Desk) -> None:
    path = desk.home.path / ".env"
    path.write_bytes(b"# mine\r\nA=1\r\nexport MEM0_API_KEY='m' \r\nB=\xff\r\n")
    backend = keyrings.Working()
    keys = keys_of(desk, backend)
    done = move(keys)
    assert (done.moved, done.left) == (("MEM0_API_KEY",), ())
    assert path.read_bytes() == b"# mine\r\nA=1\r\nB=\xff\r\n"
    assert backend.kept == {(keys.service, "MEM0_API_KEY"): "m"}
    assert kept(keys) == ["MEM0_API_KEY"]
    assert keys.listing().interrupted == ()


def test_a_move_takes_the_key_of_the_host_block_in_use_and_no_other(desk: Desk) -> None:
    path = desk.home.path / "honcho.json"
    data = {**HONCHO, "apiKey": "host-key"}
    path.write_text(json.dumps(data, indent=2), "utf-8")
    done = move(keys_of(desk))
    assert done.moved == ("HONCHO_API_KEY",)
    now = json.loads(path.read_text("utf-8"))
    assert "apiKey" not in now
    assert now["hosts"]["hermes"] == {"workspace": "w"}
    assert {name: now["hosts"][name] for name in ("hermes_coder", "signed")} == {
        name: HONCHO["hosts"][name]  # type: ignore[index]
        for name in ("hermes_coder", "signed")
    }


def test_keys_that_differ_all_stay(desk: Desk) -> None:
    (desk.home.path / ".env").write_text("MEM0_API_KEY=a\n", "utf-8")
    (desk.home.path / "mem0.json").write_text('{"api_key": "b"}', "utf-8")
    keys = keys_of(desk)
    done = move(keys)
    assert (done.moved, left(done)) == ((), {"MEM0_API_KEY": "differs"})
    assert keys.keyring.asked == 0


def test_a_key_that_the_keyring_has_otherwise_stays(desk: Desk) -> None:
    (desk.home.path / ".env").write_text("MEM0_API_KEY=a\n", "utf-8")
    keys = keys_of(desk)
    keys.set("MEM0_API_KEY", Secret("b"))
    assert left(move(keys)) == {"MEM0_API_KEY": "keyring_differs"}
    assert keys.read("MEM0_API_KEY") == Present(Secret("b"))
    assert "MEM0_API_KEY=a" in (desk.home.path / ".env").read_text("utf-8")


@pytest.mark.parametrize(
    "backend", [keyrings.Locked(), keyrings.Lying(), keyrings.Forgetting(), keyrings.Failing()]
)
def test_a_key_that_the_keyring_does_not_give_back_stays(desk: Desk, backend: Any) -> None:
    path = desk.home.path / ".env"
    path.write_text("MEM0_API_KEY=a\n", "utf-8")
    keys = keys_of(desk, backend)
    assert left(move(keys)) == {"MEM0_API_KEY": "refused"}
    assert path.read_text("utf-8") == "MEM0_API_KEY=a\n"
    assert kept(keys) == []


def test_a_move_that_cannot_remove_the_line_says_that_there_are_two(desk: Desk) -> None:
    path = desk.home.path / "mem0.json"
    path.write_text('{"api_key": "a"}', "utf-8")
    keys = keys_of(desk)
    plan = plan_moves(keys)
    assert isinstance(plan, Moves)
    path.write_text('{"api_key": "changed meanwhile"}', "utf-8")
    assert left(move_keys(keys, plan)) == {"MEM0_API_KEY": "refused"}
    assert keys.listing().interrupted == ("MEM0_API_KEY",)
    assert json.loads(path.read_text("utf-8")) == {"api_key": "changed meanwhile"}


def test_a_move_that_stopped_halfway_is_finished_by_the_next(desk: Desk) -> None:
    path = desk.home.path / "mem0.json"
    path.write_text('{"api_key": "a", "mode": "platform"}', "utf-8")
    backend = keyrings.Working()
    keys = keys_of(desk, backend)
    backend.kept[keys.service, "MEM0_API_KEY"] = "a"
    done = move(keys)
    assert done.moved == ("MEM0_API_KEY",)
    assert path.read_text("utf-8") == '{"mode": "platform"}'
    assert keys.read("MEM0_API_KEY") == Present(Secret("a"))


def test_only_the_named_keys_move(desk: Desk) -> None:
    (desk.home.path / ".env").write_text("MEM0_API_KEY=a\nA_TOKEN=b\n", "utf-8")
    keys = keys_of(desk)
    assert move(keys, "A_TOKEN").moved == ("A_TOKEN",)
    assert plan_moves(keys, ("NO_KEY",)) == NotFound("secret", "NO_KEY")
    assert (desk.home.path / ".env").read_text("utf-8") == "MEM0_API_KEY=a\n"


# -- a home that was moved ---------------------------------------------------------------------


def test_a_home_that_was_moved_takes_its_keys_over(desk: Desk, tmp_path: Path) -> None:
    backend = keyrings.Working()
    old = keys_of(desk, backend)
    old.set("A_KEY", Secret("one"))
    old.set("B_KEY", Secret("two"))
    assert old.strays() == ()
    moved = tmp_path / "elsewhere"
    desk.home.path.rename(moved)
    there = build_desk(HermesHome(moved, moved, "default"), env=desk.env)
    new = keys_of(there, backend)
    new.set("B_KEY", Secret("newer"))
    (stray,) = new.strays()
    assert (stray.home, stray.service) == (str(desk.home.path), old.service)
    assert new.link(stray) == ("A_KEY",)
    assert backend.kept == {
        (new.service, "A_KEY"): "one",
        (new.service, "B_KEY"): "newer",
        (old.service, "B_KEY"): "two",
    }, "another key is not thrown away"
    assert isinstance(new.clear("B_KEY"), KeyCleared)
    (stray,) = new.strays()
    assert new.link(stray) == ("B_KEY",)
    assert new.read("B_KEY") == Present(Secret("two"))
    assert new.strays() == ()
    there.close()


def test_keys_of_a_home_that_is_still_there_are_nobody_elses(desk: Desk, tmp_path: Path) -> None:
    keys_of(desk).set("A_KEY", Secret("one"))
    other = tmp_path / "other"
    other.mkdir()
    there = build_desk(HermesHome(other, other, "default"), env=desk.env)
    assert keys_of(there).strays() == ()
    there.close()


def test_every_key_that_a_provider_declares_has_its_user() -> None:
    import yaml

    folder = Path(__file__).resolve().parents[3] / "resources" / "providers"
    declared = {
        (path.stem, field["env"])
        for path in folder.glob("*.yaml")
        for field in yaml.safe_load(path.read_text("utf-8"))["fields"]
        if field.get("kind") == "secret"
    }
    assert declared
    assert {
        (provider, name) for provider, name in declared if provider not in users_of(name)
    } == set()


# -- .env by choice --------------------------------------------------------------------------


def test_a_key_goes_into_dotenv_only_by_choice_and_out_again(desk: Desk) -> None:
    path = desk.home.path / ".env"
    keys = keys_of(desk, keyrings.Weak())
    assert keys.set_in_dotenv("MEM0_API_KEY", Secret("a b")) is True
    assert path.read_text("utf-8") == "MEM0_API_KEY='a b'\n"
    assert keys.set_in_dotenv("MEM0_API_KEY", Secret("a b")) is False
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o600
    assert keys.clear_in_dotenv("MEM0_API_KEY") is True
    assert path.read_bytes() == b""
    assert keys.keyring.asked == 0
    assert isinstance(keys.read("MEM0_API_KEY"), KeyringRefused | Absent)
