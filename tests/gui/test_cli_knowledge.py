"""`memory-desk knowledge`: folders, search and the index, as scripts see them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import DeskDirs
from tests.support.command_line import CommandLine

Desk = CommandLine


@pytest.fixture
def desk(empty_home: Path, desk_dirs: DeskDirs) -> Desk:
    return CommandLine(empty_home)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with three notes; its name has a blank."""
    path = tmp_path / "My Vault"
    (path / ".obsidian").mkdir(parents=True)
    (path / "Printer.md").write_text("# Setup\n\nThe printer is on floor 2.\n", encoding="utf-8")
    (path / "计划.md").write_text("记忆断裂的问题\n", encoding="utf-8")
    (path / "bold\x1b[1m.md").write_text("odd needle\n", encoding="utf-8")
    return path


def test_a_folder_is_added_searched_and_taken_off_again(desk: Desk, vault: Path) -> None:
    folder = {"path": str(vault), "state": "vault"}
    added = desk.json("knowledge", "folders", "--add", vault)
    assert (added["changed"], added["folders"]) == (True, [folder])
    assert desk.json("knowledge", "folders", "--add", vault)["changed"] is False
    found = desk.json("knowledge", "search", "printer")
    (hit,) = found["results"]
    assert hit["path"] == str(vault / "Printer.md")
    assert hit["title"] == "Printer"
    assert "The printer is on floor 2." in hit["snippet"]
    assert [hit["snippet"][begin:end] for begin, end in hit["ranges"]] == ["printer"]
    assert (found["complete"], found["relaxed"], found["missing"]) == (True, False, [])
    (vault / "计划.md").write_text("桂林\n", encoding="utf-8")
    assert [one["title"] for one in desk.json("knowledge", "search", "桂林")["results"]] == ["计划"]
    gone = desk.json("knowledge", "folders", "--remove", vault)
    assert (gone["changed"], gone["folders"]) == (True, [])
    assert desk.json("knowledge", "search", "printer")["results"] == []
    assert (vault / "Printer.md").exists()


def test_the_index_tells_what_it_found(desk: Desk, vault: Path) -> None:
    desk("knowledge", "folders", "--add", vault)
    (vault / "long.md").write_bytes(b"x" * 3_000_000)
    done = desk.json("knowledge", "index")
    assert (done["notes"], done["added"]) == (3, 3)
    assert done["too_big"] == [str(vault / "long.md")]
    (vault / "Printer.md").rename(vault / "Scanner.md")
    said = desk("knowledge", "index")
    assert said.out == "3 notes in the index: 1 renamed\n"
    assert "long.md is too long" in said.err
    assert "nothing changed" in desk("knowledge", "index").out


def test_a_person_sees_titles_places_and_passages(desk: Desk, vault: Path) -> None:
    desk("knowledge", "folders", "--add", vault)
    said = desk("knowledge", "search", "printer")
    assert said.status == 0
    assert said.out == (
        f"[Printer]\n  {vault / 'Printer.md'}\n  # Setup  The [printer] is on floor 2.\n"
    )
    assert desk("knowledge", "search", "zebra").out == "No note fits.\n"
    assert "[断裂]" in desk("knowledge", "search", "断裂").out
    assert "some of them" in desk("knowledge", "search", "printer zebra").err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("search", ""), "empty"),
        (("folders", "--add", "/no/such/folder"), "not_found"),
        (("folders", "--remove", "/no/such/folder"), "not_found"),
    ],
)
def test_what_cannot_be_done_is_refused(desk: Desk, words: tuple[str, ...], reason: str) -> None:
    answer = desk.json("knowledge", *words)
    assert (answer["ok"], answer["reason"]) == (False, reason)


def test_a_folder_within_another_is_refused(desk: Desk, vault: Path) -> None:
    (vault / "inner").mkdir()
    desk("knowledge", "folders", "--add", vault)
    for path in (vault / "inner", vault.parent):
        answer = desk.json("knowledge", "folders", "--add", path)
        assert answer["reason"] == "unsupported"
        assert str(vault) in answer["message"]
    assert len(desk.json("knowledge", "folders")["folders"]) == 1


def test_a_file_is_no_folder(desk: Desk, vault: Path) -> None:
    assert desk.json("knowledge", "folders", "--add", vault / "计划.md")["reason"] == "not_found"


def test_without_a_folder_it_is_said_how_to_name_one(
    desk: Desk, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (("folders",), ("search", "x"), ("index",)):
        said = desk("knowledge", *words)
        assert said.status == 0
        assert "knowledge folders --add PATH" in said.err
    (desk.home / ".env").write_text(f'OBSIDIAN_VAULT_PATH="{vault}"\n', encoding="utf-8")
    said = desk("knowledge", "folders")
    assert f"{vault} may be meant (OBSIDIAN_VAULT_PATH in .env)" in said.err
    monkeypatch.setenv("OBSIDIAN_VAULT_PATH", str(vault.with_name("gone")))
    said = desk("knowledge", "folders")
    assert "gone is not there" in said.err
    (offer, other) = desk.json("knowledge", "folders")["offers"]
    assert (offer["path"], offer["sources"]) == (str(vault), ["dotenv"])
    assert other["state"] == "missing"


def test_several_vaults_are_asked_about(desk: Desk, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "Second" / ".obsidian").mkdir(parents=True)
    (desk.home / ".env").write_text(f"OBSIDIAN_VAULT_PATH={tmp_path}\n", encoding="utf-8")
    said = desk("knowledge", "folders")
    assert "Several folders may be meant" in said.err
    assert str(vault) in said.err
    assert str(tmp_path / "Second") in said.err
    assert said.out == "No folder is configured.\n"


def test_add_and_remove_at_once_are_wrong_usage(desk: Desk, vault: Path) -> None:
    assert desk("knowledge", "folders", "--add", vault, "--remove", vault).status == 2
    assert desk("knowledge", "folders", "--add", "").status == 2
    assert desk("knowledge", "search").status == 2


def test_a_folder_that_went_away_is_said(desk: Desk, vault: Path) -> None:
    desk("knowledge", "folders", "--add", vault)
    vault.rename(vault.with_name("elsewhere"))
    answer = desk.json("knowledge", "search", "printer")
    assert (answer["results"], answer["missing"]) == ([], [str(vault)])
    assert "is not there" in desk("knowledge", "search", "printer").err
    assert desk.json("knowledge", "folders", "--remove", vault)["folders"] == []
