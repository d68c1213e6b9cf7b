"""Which folders are offered: named in the environment, in `.env`, or by Obsidian itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.files import Disk
from store.home import HermesHome
from store.knowledge.folders import FolderList, FoldersChanged
from store.knowledge.vaults import (
    NoFolder,
    Offered,
    OneFolder,
    SeveralFolders,
    meant,
    obsidian_address,
    offered,
)
from store.refusals import NotFound, Unsupported


@pytest.fixture
def person(tmp_path: Path) -> Path:
    """The person's own folder."""
    folder = tmp_path / "person"
    folder.mkdir()
    return folder


def make_vault(path: Path) -> Path:
    (path / ".obsidian").mkdir(parents=True)
    return path


def ask(home: HermesHome, person: Path, *, dotenv: str = "", **env: str) -> Offered:
    (home.path / ".env").write_text(dotenv, encoding="utf-8")
    return offered(home, env={"HOME": str(person)} | env, disk=Disk())


@pytest.mark.parametrize(
    "line",
    [
        'OBSIDIAN_VAULT_PATH="~/My Vault"',
        "OBSIDIAN_VAULT_PATH='~/My Vault'",
        "OBSIDIAN_VAULT_PATH=~/My Vault",
        "OBSIDIAN_VAULT_PATH=~/My Vault/",
        "export OBSIDIAN_VAULT_PATH=${HOME}/My Vault",
        'OBSIDIAN_VAULT_PATH="$HOME/My Vault"',
    ],
)
def test_the_vault_that_env_names_is_found_however_it_is_written(
    home: HermesHome, person: Path, line: str
) -> None:
    vault = make_vault(person / "My Vault")
    found = ask(home, person, dotenv=line + "\n")
    assert isinstance(found, OneFolder)
    assert (found.offer.path, found.offer.state) == (vault, "vault")
    assert found.offer.sources == ("dotenv",)


def test_the_environment_may_hold_quotes_and_a_tilde(home: HermesHome, person: Path) -> None:
    vault = make_vault(person / "My Vault")
    for value in ('"~/My Vault"', "'~/My Vault'", "~/My Vault", str(vault), f" {vault} "):
        found = ask(home, person, OBSIDIAN_VAULT_PATH=value)
        assert isinstance(found, OneFolder), value
        assert found.offer.path == vault


def test_a_folder_without_its_mark_is_offered_as_a_folder(home: HermesHome, person: Path) -> None:
    (person / "notes").mkdir()
    found = ask(home, person, OBSIDIAN_VAULT_PATH="~/notes")
    assert isinstance(found, OneFolder)
    assert (found.offer.state, found.offer.usable) == ("folder", True)


@pytest.mark.parametrize(
    ("value", "state"),
    [("~/gone", "missing"), ("~/file", "no_folder"), ("notes", "relative"), ("~/\0", "closed")],
)
def test_what_cannot_be_used_says_why(
    home: HermesHome, person: Path, value: str, state: str
) -> None:
    (person / "file").write_text("x", encoding="utf-8")
    found = ask(home, person, OBSIDIAN_VAULT_PATH=value)
    assert isinstance(found, NoFolder)
    assert [(one.state, one.given) for one in found.others] == [(state, value)]


def test_two_vaults_are_asked_about_and_none_is_taken(home: HermesHome, person: Path) -> None:
    one, two = make_vault(person / "One"), make_vault(person / "Two")
    found = ask(home, person, dotenv=f"OBSIDIAN_VAULT_PATH={two}\n", OBSIDIAN_VAULT_PATH=str(one))
    assert isinstance(found, SeveralFolders)
    assert [offer.path for offer in found.offers] == [one, two]


def test_the_same_vault_named_twice_is_one(home: HermesHome, person: Path) -> None:
    vault = make_vault(person / "One")
    (person / "link").symlink_to(vault)
    line = f"OBSIDIAN_VAULT_PATH={person / 'link'}\n"
    found = ask(home, person, dotenv=line, OBSIDIAN_VAULT_PATH=str(vault))
    assert isinstance(found, OneFolder)
    assert found.offer.sources == ("environment", "dotenv")


def test_a_folder_of_vaults_offers_each(home: HermesHome, person: Path) -> None:
    vaults = [make_vault(person / "vaults" / name) for name in ("A", "B")]
    found = ask(home, person, OBSIDIAN_VAULT_PATH="~/vaults")
    assert isinstance(found, SeveralFolders)
    assert [offer.path for offer in found.offers] == [person / "vaults", *vaults]
    assert found.offers[1].sources == ("inside",)


def test_the_vaults_that_obsidian_lists_are_offered(home: HermesHome, person: Path) -> None:
    one, two = make_vault(person / "One"), make_vault(person / "Two")
    place = person / ".config" / "obsidian" / "obsidian.json"
    place.parent.mkdir(parents=True)
    listed = {"a": {"path": str(one), "open": True}, "b": {"path": str(two)}, "c": {}, "d": 3}
    place.write_text(json.dumps({"vaults": listed}), encoding="utf-8")
    found = ask(home, person)
    assert isinstance(found, SeveralFolders)
    assert [offer.sources for offer in found.offers] == [("obsidian",), ("obsidian",)]
    for broken in ("", "[]", "{", '{"vaults": []}', '{"vaults": {"a": {"path": 3}}}'):
        place.write_text(broken, encoding="utf-8")
        assert ask(home, person) == NoFolder()


def test_what_is_configured_is_not_offered(home: HermesHome, person: Path) -> None:
    vault = make_vault(person / "One")
    env = {"HOME": str(person), "OBSIDIAN_VAULT_PATH": str(vault)}
    assert offered(home, env=env, disk=Disk(), known=[vault]) == NoFolder()


def test_the_place_that_hermes_takes_for_granted_is_offered_only_if_it_is_there(
    home: HermesHome, person: Path
) -> None:
    assert ask(home, person) == NoFolder()
    make_vault(person / "Documents" / "Obsidian Vault")
    found = ask(home, person)
    assert isinstance(found, OneFolder)
    assert found.offer.sources == ("usual",)


def test_an_unreadable_env_is_said(home: HermesHome, person: Path) -> None:
    (home.path / ".env").write_bytes("\ufeffX=1".encode("utf-16-le"))
    found = offered(home, env={"HOME": str(person)}, disk=Disk())
    assert isinstance(found, NoFolder)
    assert found.trouble is not None


def test_a_name_that_nothing_stands_for_stays() -> None:
    assert str(meant("${NO_SUCH}/x", {})) == "${NO_SUCH}/x"


def test_a_note_opens_in_obsidian_by_its_path() -> None:
    assert obsidian_address(Path("/a b/记.md")) == "obsidian://open?path=%2Fa%20b%2F%E8%AE%B0.md"


# -- the list ----------------------------------------------------------------------------------


def test_the_list_keeps_its_order_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    listed = FolderList(tmp_path / "data", disk=Disk())
    two, one = make_vault(tmp_path / "b"), make_vault(tmp_path / "a")
    for path in (two, one, two):
        assert isinstance(listed.add(path), FoldersChanged)
    assert [folder.path for folder in listed.read()] == [two, one]
    assert listed.path.stat().st_mode & 0o077 == 0
    assert isinstance(listed.remove(two), FoldersChanged)
    assert listed.remove(two) == NotFound("notes_folder", str(two))
    assert [folder.path for folder in listed.read()] == [one]


def test_a_link_to_a_folder_and_the_folder_are_the_same(tmp_path: Path) -> None:
    listed = FolderList(tmp_path / "data", disk=Disk())
    vault = make_vault(tmp_path / "vault")
    (tmp_path / "link").symlink_to(vault)
    listed.add(tmp_path / "link")
    again = listed.add(vault)
    assert isinstance(again, FoldersChanged)
    assert not again.changed
    assert [folder.path for folder in again.folders] == [vault]


def test_a_folder_in_a_folder_is_refused(tmp_path: Path) -> None:
    listed = FolderList(tmp_path / "data", disk=Disk())
    vault = make_vault(tmp_path / "vault")
    (vault / "inner").mkdir()
    listed.add(vault)
    assert listed.add(vault / "inner") == Unsupported("folder_in_folder", str(vault))
    assert listed.add(tmp_path) == Unsupported("folder_in_folder", str(vault))


def test_a_list_that_is_broken_is_kept_aside(tmp_path: Path) -> None:
    listed = FolderList(tmp_path / "data", disk=Disk())
    listed.path.parent.mkdir()
    listed.path.write_text("{broken", encoding="utf-8")
    assert listed.read() == ()
    assert isinstance(listed.add(make_vault(tmp_path / "vault")), FoldersChanged)
    (kept,) = listed.path.parent.glob("folders.json.bak.*")
    assert kept.read_text(encoding="utf-8") == "{broken"
