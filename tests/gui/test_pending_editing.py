"""A staged write can be edited before it is approved, and what was typed is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from tests.gui.conftest import Start
from tests.gui.driver import entries_of, write_as_agent
from tests.gui.pending_driver import PendingDriver, ask_first, stage


@pytest.fixture
def home(empty_home: Path) -> Path:
    ask_first(empty_home)
    write_as_agent(empty_home / "memories" / "MEMORY.md", "The build runs on larch")
    stage(empty_home, "00000001", content="The scanner is slow", age=9_000)
    stage(empty_home, "00000002", content="The door code changed", age=8_000)
    stage(empty_home, "00000003", action="remove", old_text="larch", age=7_000)
    return empty_home


@pytest.fixture
def pending(start: Start, home: Path) -> PendingDriver:
    return PendingDriver(start(home, page="pending"))


def memory(home: Path) -> list[str]:
    return entries_of(home / "memories" / "MEMORY.md")


def test_what_was_typed_is_written_and_the_budget_is_live(
    pending: PendingDriver, home: Path
) -> None:
    pending.press("E")
    assert pending.focus() == "pending_text_0"
    pending.type(" on Mondays")
    assert pending.usage() == "1% → 2% — 23 → 56/2,200 chars"
    assert "+  The scanner is slow on Mondays" in pending.diff()
    pending.decide("Ctrl+Return")
    assert memory(home) == ["The build runs on larch", "The scanner is slow on Mondays"]
    assert pending.ids() == ["00000002", "00000003"]
    assert pending.desk.toast() == "Approved as edited."
    assert (pending.current(), pending.focus()) == ("00000002", "pending_cards")


def test_every_text_of_a_batch_can_be_edited(pending: PendingDriver, home: Path) -> None:
    operations = [
        {"action": "add", "content": "one"},
        {"action": "remove", "old_text": "larch"},
        {"action": "add", "content": "two"},
    ]
    stage(home, "00000004", action="batch", operations=operations)
    pending.wait(lambda: len(pending.ids()) == 4, "the batch")
    pending.choose("00000004")
    pending.press("E")
    first, second = pending.editor().fields
    first.set_text("first")
    second.set_text("second")
    pending.decide("Ctrl+Return")
    assert memory(home) == ["first", "second"]


def test_what_stands_in_the_way_is_said_while_typing(pending: PendingDriver, home: Path) -> None:
    pending.press("E")
    pending.editor().fields[0].set_text("a" * 2_200)
    pending.desk.rest()
    assert "too many" in pending.editor().problem()
    assert not pending.desk.find(QPushButton, "approve_edited").isEnabled()
    pending.editor().fields[0].set_text("short")
    pending.desk.rest()
    assert pending.editor().problem() == ""
    assert pending.desk.find(QPushButton, "approve_edited").isEnabled()


def test_a_removal_has_nothing_to_edit(pending: PendingDriver) -> None:
    pending.choose("00000003")
    assert not pending.desk.find(QPushButton, "edit_button").isEnabled()


def test_esc_puts_the_edit_aside_and_the_toast_brings_it_back(pending: PendingDriver) -> None:
    pending.press("E")
    pending.type("!")
    pending.press("Esc")
    assert (pending.page.detail.editor(), pending.focus()) == (None, "pending_cards")
    pending.desk.press_toast()
    assert pending.editor().texts() == ("The scanner is slow!",)
    assert pending.focus() == "pending_text_0"


def test_what_was_typed_waits_while_another_record_is_looked_at(pending: PendingDriver) -> None:
    pending.press("E")
    pending.type("!")
    pending.choose("00000002")
    assert pending.page.detail.editor() is None
    assert "being edited" in pending.badges("00000001")
    assert pending.page.unsaved() == "A write is being edited and is not approved."
    pending.choose("00000001")
    assert pending.editor().texts() == ("The scanner is slow!",)


def test_an_edit_survives_what_the_agent_writes_meanwhile(
    pending: PendingDriver, home: Path
) -> None:
    pending.press("E")
    pending.type("!")
    write_as_agent(home / "memories" / "MEMORY.md", "The build runs on larch", "and on oak")
    stage(home, "00000004", content="news")
    pending.wait(lambda: len(pending.ids()) == 4, "the news")
    pending.wait(lambda: pending.usage() == "1% → 2% — 36 → 59/2,200 chars", "the new budget")
    assert pending.editor().texts() == ("The scanner is slow!",)
    assert pending.focus() == "pending_text_0"


@pytest.mark.parametrize("change", ["handled", "changed"])
def test_what_was_typed_stays_when_someone_else_takes_the_record(
    pending: PendingDriver, home: Path, change: str
) -> None:
    pending.press("E")
    pending.type("!")
    if change == "handled":
        (home / "pending" / "memory" / "00000001.json").unlink()
    else:
        stage(home, "00000001", content="The scanner is broken", age=9_000)
    pending.wait(lambda: pending.editor().is_lost(), "the news")
    pending.reads(f"This write was {change} elsewhere")
    assert not pending.desk.find(QPushButton, "approve_edited").isEnabled()
    pending.list.choose("00000002")
    assert pending.editor().texts() == ("The scanner is slow!",)
    pending.desk.click("pending_editor_notice_action")
    assert QApplication.clipboard().text() == "The scanner is slow!"
    pending.editor().take_focus()
    pending.press("Esc")
    pending.desk.rest()
    assert pending.page.detail.editor() is None
    assert memory(home) == ["The build runs on larch"]


def test_what_was_typed_and_left_can_be_copied_when_its_record_goes(
    pending: PendingDriver, home: Path
) -> None:
    pending.press("E")
    pending.type("!")
    pending.choose("00000002")
    (home / "pending" / "memory" / "00000001.json").unlink()
    pending.wait(lambda: len(pending.ids()) == 2, "the news")
    pending.reads("What you typed is still here")
    pending.desk.click("pending_banner_action")
    assert QApplication.clipboard().text() == "The scanner is slow!"
    assert pending.page.unsaved() == ""


def test_a_refused_edit_stays_open_with_the_reason(pending: PendingDriver, home: Path) -> None:
    pending.press("E")
    pending.type("!")
    pending.desk.rest()
    pending.page.place.watch.hold([home / "pending" / "memory"])
    (home / "pending" / "memory" / "00000001.json").unlink()
    pending.press("Ctrl+Return")
    pending.wait(lambda: not pending.page.decisions.busy, "the decision")
    pending.desk.rest()
    assert pending.editor().texts() == ("The scanner is slow!",)
    pending.reads("handled")
    pending.page.place.watch.release([home / "pending" / "memory"])
