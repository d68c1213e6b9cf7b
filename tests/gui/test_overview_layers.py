"""The cards of the Overview beside memory's, and the problems that lead to their pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.models.overview_layers import Layer
from gui.pages.overview import OverviewPage
from tests.conftest import DeskDirs
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver
from tests.support.command_line import CommandLine
from tests.support.fake_hermes import FakeHermes


def overview(desk: MemoryDriver) -> OverviewPage:
    desk.window.open_page("overview")
    page = desk.window.page()
    assert isinstance(page, OverviewPage)
    desk.wait(lambda: page.ready, "the page")
    desk.rest()
    return page


def layer(page: OverviewPage, name: str) -> Layer:
    assert page._view is not None
    return next(one for one in page._view.layers if one.name == name)


def press_problem(desk: MemoryDriver, page: OverviewPage, code: str, leads_to: str) -> None:
    """Press the button beside a finding."""
    assert page._view is not None
    codes = [one.finding.code for one in page._view.problems]
    desk.click(f"problem_{codes.index(code)}_go")
    desk.wait(lambda: desk.window._current == leads_to, leads_to)
    desk.rest()


def test_without_notes_a_card_leads_to_where_a_folder_is_added(
    start: Start, hermes_home: Path, desk_dirs: DeskDirs
) -> None:
    desk = start(hermes_home)
    overview(desk)
    assert desk.text("layer_knowledge_line") == "No folders of notes yet"
    assert not list(desk_dirs.data.rglob("index.sqlite"))
    desk.click("layer_knowledge_open")
    desk.wait(lambda: desk.sees("no_folders"), "the page of notes")
    desk.rest()


def test_the_notes_have_a_card_and_a_folder_that_is_gone_a_way_to_them(
    start: Start, hermes_home: Path, tmp_path: Path
) -> None:
    cli = CommandLine(hermes_home)
    for name in ("One", "Two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "Note.md").write_text("# Note\n", "utf-8")
        cli.json("knowledge", "folders", "--add", folder)
    desk = start(hermes_home)
    page = overview(desk)
    assert desk.text("layer_knowledge_line") == "Not looked through yet"
    cli.json("knowledge", "index")
    (tmp_path / "Two").rename(tmp_path / "Elsewhere")
    page.refresh()
    desk.wait(lambda: desk.text("layer_knowledge_line") == "1 note", "the note of the other")
    assert desk.text("layer_knowledge_more") == "2 folders · 1 cannot be looked into"
    assert layer(page, "knowledge").tone == "warn"
    press_problem(desk, page, "notes_missing", "knowledge")
    assert "not there" in desk.text("folder_1")


def test_a_provider_that_does_not_work_leads_to_the_providers(
    start: Start, hermes_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes = FakeHermes(tmp_path / "venv").make()
    monkeypatch.setenv("PATH", str(hermes.folder / "bin"))
    (hermes_home / "config.yaml").write_text("memory: {provider: lm-studio}\n", "utf-8")
    desk = start(hermes_home)
    page = overview(desk)
    assert layer(page, "provider").tone == "warn"
    press_problem(desk, page, "provider_missing", "providers")


def test_broken_skills_lead_to_the_skills(start: Start, hermes_home: Path) -> None:
    (hermes_home / "skills" / "data" / "stale-notes" / "SKILL.md").write_text("Nothing.", "utf-8")
    desk = start(hermes_home)
    page = overview(desk)
    assert layer(page, "skills").tone == "warn"
    press_problem(desk, page, "skills_problems", "skills")


def test_the_skills_have_their_cost_and_last_change(start: Start, hermes_home: Path) -> None:
    cli = CommandLine(hermes_home)
    tokens = cli.json("skills", "list")["index"]["tokens"]
    desk = start(hermes_home)
    page = overview(desk)
    assert f"≈ {tokens:,} tokens per request" in desk.text("layer_skills_more")
    assert "changed" not in desk.text("layer_skills_more")
    assert layer(page, "skills").tone == "plain"
    cli.json("skills", "pin", "weekly-report")
    page.refresh()
    desk.wait(lambda: "by you" in desk.text("layer_skills_more"), "the change")
    cli.json("history", "undo")
    waiting = cli.json("pending", "list", "--subsystem", "skills")["records"]
    done = cli("pending", "approve", *(one["id"] for one in waiting), "--json").data["done"]
    assert done
    page.refresh()
    desk.wait(lambda: "by an approval" in desk.text("layer_skills_more"), "the approval")
    cli.json("history", "undo")
    page.refresh()
    desk.wait(lambda: "by you" in desk.text("layer_skills_more"), "what was taken back")


def test_the_sessions_have_the_age_of_the_last_one(start: Start, hermes_home: Path) -> None:
    desk = start(hermes_home)
    overview(desk)
    assert "last one" in desk.text("layer_sessions_more")


def test_a_layer_with_a_problem_has_its_tone(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "USER.md"
    path.parent.mkdir()
    path.write_text("x" * 700 + "\n§\n" + "y" * 700, "utf-8")
    (empty_home / "state.db").write_bytes(b"no database" * 500)
    desk = start(empty_home)
    page = overview(desk)
    assert [layer(page, name).tone for name in ("memory", "user", "sessions")] == [
        "plain",
        "warn",
        "bad",
    ]
