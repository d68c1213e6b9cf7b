"""The Overview: every layer, every problem with the way to its fix, the last weeks."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication

from gui.models.overview import KINDS
from gui.pages.overview import OverviewPage
from gui.widgets.timeline import Timeline
from tests.gui.conftest import Start
from tests.gui.driver import MemoryDriver, entries_of, write_as_agent
from tests.support.command_line import CommandLine


def _overview(desk: MemoryDriver) -> OverviewPage:
    desk.window.open_page("overview")
    page = desk.window.page()
    assert isinstance(page, OverviewPage)
    desk.wait(lambda: page.ready, "the page")
    desk.rest()
    return page


def test_every_layer_has_a_card_with_its_numbers(start: Start, hermes_home: Path) -> None:
    desk = start(hermes_home)
    _overview(desk)
    assert desk.text("layer_memory_line") == "21% — 467/2,200 chars"
    assert "tokens per request" in desk.text("layer_user_more")
    assert "4 writes to memory" in desk.text("layer_pending_line")
    assert "conversations" in desk.text("layer_sessions_line")
    assert "in use" in desk.text("layer_skills_line")


def test_its_problems_are_those_of_the_status(start: Start, hermes_home: Path) -> None:
    (hermes_home / "memories" / "MEMORY.md").write_text("one\n\n§\n\ntwo", "utf-8")
    told = [one["message"] for one in CommandLine(hermes_home).json("status")["health"]]
    desk = start(hermes_home)
    page = _overview(desk)
    shown = [problem.finding.message for problem in page._view.problems]  # type: ignore[union-attr]
    assert shown == told
    assert [desk.text(f"problem_{at}_text") for at in range(len(told))] == told


@pytest.mark.parametrize(
    ("broken", "leads_to"),
    [("one\n\n§\n\ntwo", "repair"), ("x" * 300 + "\n§\n" + "y" * 2100, "room")],
)
def test_a_problem_leads_to_its_fix_by_keyboard(
    start: Start, empty_home: Path, broken: str, leads_to: str
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_text(broken, "utf-8")
    desk = start(empty_home)
    _overview(desk)
    focused = QApplication.focusWidget()
    assert isinstance(focused, QAbstractButton)
    assert focused.objectName() == "problem_0_go"
    desk.keys(focused, Qt.Key.Key_Return)
    desk.wait(lambda: desk.window._current == leads_to, leads_to)
    desk.rest()


def test_a_repair_takes_the_problem_off_the_list(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_text("one\n\n§\n\ntwo", "utf-8")
    desk = start(empty_home)
    page = _overview(desk)
    assert not desk.sees("no_problems")
    temporary = path.with_name("new")
    temporary.write_text("one\n§\ntwo", "utf-8")
    temporary.replace(path)
    desk.wait(lambda: desk.sees("no_problems"), "the problem to be gone")
    assert not page._view.problems  # type: ignore[union-attr]


def test_a_change_stands_in_the_chart_and_on_its_card(start: Start, hermes_home: Path) -> None:
    CommandLine(hermes_home)("entries", "add", "--target", "user", "Likes tea")
    desk = start(hermes_home)
    page = _overview(desk)
    assert page._view is not None
    today = page._view.days[-1]
    assert today.date == time.strftime("%Y-%m-%d")
    assert today.counts["memory"] == 1
    assert set(today.counts) == set(KINDS)
    assert "by you" in desk.text("layer_user_more")
    assert "1 change of memory" in desk.find(Timeline, "timeline").accessibleName()


def test_the_overview_writes_nothing(start: Start, hermes_home: Path) -> None:
    before = {path: path.read_bytes() for path in hermes_home.rglob("*") if path.is_file()}
    desk = start(hermes_home)
    _overview(desk)
    after = {path: path.read_bytes() for path in before}
    assert after == before


def test_an_entry_that_might_go_for_two_reasons_is_named_once(
    start: Start, empty_home: Path
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_text("Prefers tea\n§\nTODO: write the tests by 2026-03-01", "utf-8")
    desk = start(empty_home)
    _overview(desk)
    why = desk.text("advice_0_why")
    assert "something to do" in why
    assert "date has passed" in why
    assert not desk.sees("advice_1")


def test_what_might_leave_memory_is_deleted_and_comes_back(start: Start, empty_home: Path) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_text("Prefers tea\n§\nTODO: write the tests for the parser", "utf-8")
    desk = start(empty_home)
    _overview(desk)
    assert desk.text("advice_0_entry") == "TODO: write the tests for the parser"
    desk.click("advice_0_show")
    desk.wait(lambda: desk.window._current == "memory", "the Memory page")
    desk.rest()
    card = desk.cards("memory").current_card()
    assert card is not None
    assert card.text.startswith("TODO")
    _overview(desk)
    desk.click("advice_0_delete")
    desk.rest()
    assert path.read_text("utf-8") == "Prefers tea"
    assert not desk.sees("advice_title")
    desk.press_toast()
    desk.rest()
    assert "TODO" in path.read_text("utf-8")
    desk.wait(lambda: desk.sees("advice_title"), "the advice to be there again")


@pytest.mark.skipif(os.name == "nt", reason="permissions of another kind")
def test_files_that_others_can_read_are_closed_by_a_button(start: Start) -> None:
    with tempfile.TemporaryDirectory(prefix="desk-open-") as name:
        home = Path(name)
        (home / "memories").mkdir()
        env, memory = home / ".env", home / "memories" / "MEMORY.md"
        env.write_text("OPENAI_API_KEY=sk-abcdefghijklmnop\n", "utf-8")
        memory.write_text("one", "utf-8")
        for path in (home, home / "memories"):
            path.chmod(0o755)
        for path in (env, memory):
            path.chmod(0o644)
        desk = start(home)
        _overview(desk)
        assert ".env, MEMORY.md" in desk.text("problem_0_text")
        assert "OPENAI_API_KEY" in desk.text("problem_1_text")
        assert desk.text("layer_keys_more") == "1 in plain text"
        desk.click("problem_0_go")
        desk.wait(lambda: "OPENAI_API_KEY" in desk.text("problem_0_text"), "the problem to be gone")
        assert desk.toast() == "Only you can read them now."
        assert [path.stat().st_mode & 0o777 for path in (env, memory)] == [0o600, 0o600]
        desk.click("problem_0_go")
        desk.wait(lambda: desk.window._current == "keys", "the keys")
        desk.rest()


@pytest.mark.parametrize(
    ("secret", "asked"),
    [("password: hunter2secret99", False), ("api_key = 'abcdefghij0123456789'", True)],
)
def test_only_what_the_history_does_not_keep_is_asked_about(
    start: Start, empty_home: Path, secret: str, asked: bool
) -> None:
    path = empty_home / "memories" / "MEMORY.md"
    path.parent.mkdir()
    path.write_text(f"Prefers tea\n§\n{secret}", "utf-8")
    desk = start(empty_home)
    _overview(desk)
    desk.asker.answers = [True] if asked else []
    desk.click("advice_0_delete")
    desk.rest()
    assert path.read_text("utf-8") == "Prefers tea"
    assert desk.asker.asked == (["This cannot be undone"] if asked else [])
    assert desk.sees("toast_action") != asked, "no undo is offered where there is none"
    if not asked:
        desk.press_toast()
        desk.rest()
        assert secret in path.read_text("utf-8")


STAGING = "The staging server is called larch and stands in Frankfurt"
AGAIN = "The staging server larch stands in Frankfurt, called larch"
STEPS = "1. pull the branch 2. run make 3. restart the service"


def _advised_on(start: Start, home: Path, *entries: str) -> MemoryDriver:
    write_as_agent(home / "memories" / "MEMORY.md", "Prefers tea", *entries)
    desk = start(home)
    _overview(desk)
    return desk


def test_what_is_advised_first_is_a_button_of_its_own(start: Start, empty_home: Path) -> None:
    desk = _advised_on(start, empty_home, STAGING, AGAIN)
    assert desk.find(QAbstractButton, "advice_0_way").text() == "Merge…"
    desk.click("advice_0_way")
    desk.wait(lambda: desk.window._current == "memory", "the Memory page")
    desk.rest()
    assert desk.editor("memory").text() == f"{STAGING}\n{AGAIN}"
    desk.column("memory").edit.cancel()


def test_steps_become_a_skill_draft_from_the_overview_and_come_back(
    start: Start, empty_home: Path
) -> None:
    desk = _advised_on(start, empty_home, STEPS)
    path = empty_home / "memories" / "MEMORY.md"
    desk.click("advice_0_way")
    desk.rest()
    assert entries_of(path) == ["Prefers tea"]
    assert "waits in Pending" in desk.toast()
    assert len(list((empty_home / "pending" / "skills").glob("*.json"))) == 1
    desk.press_toast()
    desk.rest()
    assert entries_of(path) == ["Prefers tea", STEPS]


@pytest.mark.parametrize(
    ("entry", "words", "leads_to"),
    [
        ("TODO: write the tests for the parser", "To a note…", "knowledge"),
        ("password: hunter2secret99", "Open Keys", "keys"),
        ("Conference in Lisbon until 2026-05-14", "Shorten…", "memory"),
    ],
)
def test_the_first_way_leads_to_where_it_is_done(
    start: Start, empty_home: Path, entry: str, words: str, leads_to: str
) -> None:
    desk = _advised_on(start, empty_home, entry)
    assert desk.find(QAbstractButton, "advice_0_way").text() == words
    desk.click("advice_0_way")
    desk.wait(lambda: desk.window._current == leads_to, leads_to)
    desk.rest()
    assert desk.asker.asked == []


def test_where_only_deleting_is_advised_there_is_no_other_button(
    start: Start, empty_home: Path
) -> None:
    desk = _advised_on(start, empty_home, "Git is a popular version control system")
    assert desk.sees("advice_0_delete")
    assert desk.sees("advice_0_show")
    assert not desk.sees("advice_0_way")


def test_a_secret_is_not_sent_elsewhere_without_a_question(start: Start, empty_home: Path) -> None:
    entry = "1. pull the branch 2. log in, password: hunter2secret99 3. restart the service"
    desk = _advised_on(start, empty_home, entry)
    page = desk.window.page()
    assert isinstance(page, OverviewPage)
    steps = [one for one in page._view.advice if one.kind == "procedure"]  # type: ignore[union-attr]
    desk.asker.answers = [False]
    page._go_way(steps[0])
    desk.rest()
    assert desk.asker.asked == ["A secret would stand in a plain file"]
    assert entry in entries_of(empty_home / "memories" / "MEMORY.md")


def test_in_little_room_every_button_is_seen(start: Start, empty_home: Path) -> None:
    desk = _advised_on(start, empty_home, "TODO: write the tests for the parser")
    page = desk.window.page()
    assert isinstance(page, OverviewPage)
    row = page._advice_rows[0]
    for width, below in ((1200, False), (desk.window.minimumWidth(), True)):
        desk.window.resize(width, 700)
        desk.wait(
            lambda below=below: (row.delete_button.y() > row.height() // 2) is below, "the row"
        )  # type: ignore[misc]
        assert row.width() <= page._area.viewport().width()
        assert row.rect().contains(row.delete_button.geometry())
