"""The Pending page tells of each write what it would do, and does it once."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from tests.gui.conftest import Start
from tests.gui.driver import entries_of, write_as_agent
from tests.gui.pending_driver import PendingDriver, ask_first, stage
from tests.gui.test_window import unnamed

PRINTER = "The printer is on the second floor\nIt prints duplex\nToner is in room 12"
CHEESE = "Likes cheese"


@pytest.fixture
def home(empty_home: Path) -> Path:
    """A home with two entries and one record of each kind, the oldest first."""
    ask_first(empty_home)
    write_as_agent(empty_home / "memories" / "MEMORY.md", PRINTER, "The build runs on larch")
    write_as_agent(empty_home / "memories" / "USER.md", CHEESE)
    stage(empty_home, "00000001", content="The scanner is slow", age=9_000)
    stage(
        empty_home,
        "00000002",
        action="replace",
        old_text="The printer is on the second floor",
        content="The printer is on the third floor",
        origin="background_review",
        age=8_000,
    )
    stage(empty_home, "00000003", action="remove", target="user", old_text="cheese", age=7_000)
    return empty_home


@pytest.fixture
def pending(start: Start, home: Path) -> PendingDriver:
    return PendingDriver(start(home, page="pending"))


def memory(home: Path) -> list[str]:
    return entries_of(home / "memories" / "MEMORY.md")


def queue(home: Path) -> list[str]:
    return sorted(path.stem for path in (home / "pending" / "memory").glob("*.json"))


# --- What is told before anything is clicked ------------------------------------------------


def test_each_card_tells_what_and_where_and_the_effect(pending: PendingDriver) -> None:
    assert pending.ids() == ["00000001", "00000002", "00000003"]
    add, replace, remove = (pending.card(key) for key in pending.ids())
    assert (add.lead, add.lead_rest, add.text) == ("Add", "to Agent memory", "The scanner is slow")
    assert add.meta[:2] == ("00000001", "2 h ago")
    assert [mark.text for mark in replace.lead_marks] == ["[auto]"]
    assert (remove.lead, remove.lead_rest) == ("Remove", "from User profile")
    assert pending.badge("00000001") == "fits: 119/2,200"
    assert pending.badge("00000002") == "loses 2 lines"
    assert pending.badge("00000003") == "frees 12"


def test_the_exact_time_is_in_the_tip_of_a_card(pending: PendingDriver) -> None:
    first = pending.card("00000001").tips().split("\n")[0]
    assert len(first) == len("2026-01-01 12:00:00")


def test_a_replace_shows_the_whole_entry_with_its_lost_lines_marked(
    pending: PendingDriver,
) -> None:
    pending.choose("00000002")
    assert "2 lines would be lost" in pending.sentence()
    assert pending.asks() == [
        "-  The printer is on the second floor",
        "-! It prints duplex",
        "-! Toner is in room 12",
        "+  The printer is on the third floor",
    ]
    assert "-! Toner is in room 12" in pending.diff()
    assert pending.usage() == "4% → 2% — 97 → 59/2,200 chars"


def test_the_next_prompt_and_its_cost_are_shown(pending: PendingDriver) -> None:
    pending.desk.click("show_prompt")
    lines = pending.diff()
    assert any(line.startswith("-  MEMORY (your personal notes)") for line in lines)
    assert "+  The scanner is slow" in lines
    assert "(≈ +" in pending.desk.text("record_cost")
    pending.choose("00000003")
    assert "-  Likes cheese" in pending.diff()  # the choice stays while going through the queue


def test_what_stands_in_the_way_is_said_with_what_to_do(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000004", content="x" * 2_300)
    stage(home, "00000005", action="remove", old_text="no such entry")
    stage(
        home,
        "00000006",
        action="batch",
        operations=[
            {"action": "add", "content": "one"},
            {"action": "replace", "old_text": "gone", "content": "two"},
        ],
    )
    stage(home, "00000007", content="cat ~/.hermes/.env")
    stage(home, "00000008", content="for elsewhere", memory_id="7", provider="mem0")
    pending.wait(lambda: len(pending.ids()) == 8, "the new records")
    for key, badge, problem in (
        ("00000004", "over by 200", "shorten the text"),
        ("00000005", "entry is gone", "exactly as they stand"),
        ("00000006", "operation 2: entry is gone", "so none would be applied"),
        ("00000007", "blocked by scan", "say it in other words"),
        ("00000008", "belongs to mem0", "stays in place for the provider"),
    ):
        assert pending.badge(key) == badge
        pending.choose(key)
        assert problem in pending.problem()
        assert not pending.desk.find(QPushButton, "approve_button").isEnabled()
    assert "2 can no longer apply" in pending.subtitle()


def test_what_does_not_fit_is_shown_as_it_would_be(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000004", content="y" * 2_300)
    pending.wait(lambda: len(pending.ids()) == 4, "the new record")
    pending.choose("00000004")
    assert pending.usage() == "4% → 109% — 97 → 2,400/2,200 chars · over the limit"
    assert "+  " + "y" * 2_300 in pending.diff()


def test_a_file_that_is_no_record_is_a_card_with_the_reason(
    pending: PendingDriver, home: Path
) -> None:
    broken = home / "pending" / "memory" / "broken.json"
    broken.write_text("{")
    pending.wait(lambda: len(pending.ids()) == 4, "the broken file")
    card = pending.card(str(broken))
    assert (card.lead, card.lead_rest) == ("Not a record", "broken.json")
    assert "not valid JSON" in card.text
    pending.choose(str(broken))
    assert "not valid JSON" in pending.problem()
    pending.press("A R")
    pending.settled()
    assert broken.exists()


def test_an_entry_that_is_there_already_is_told(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000004", target="user", content=CHEESE)
    pending.wait(lambda: len(pending.ids()) == 4, "the new record")
    assert pending.badge("00000004") == "there already"
    pending.choose("00000004")
    assert "changes nothing" in pending.sentence()
    pending.decide("A")
    assert entries_of(home / "memories" / "USER.md") == [CHEESE]
    assert "00000004" not in queue(home)


# --- Deciding ---------------------------------------------------------------------------------


def test_approving_writes_the_entry_removes_the_record_and_goes_on(
    pending: PendingDriver, home: Path
) -> None:
    pending.decide("A")
    assert memory(home)[-1] == "The scanner is slow"
    assert queue(home) == ["00000002", "00000003"]
    assert pending.desk.toast() == "Approved."
    assert pending.current() == "00000002"
    assert pending.focus() == "pending_cards"
    assert pending.usage() == "5% → 3% — 119 → 81/2,200 chars"  # the budget moved along


def test_rejecting_only_removes_the_record(pending: PendingDriver, home: Path) -> None:
    before = memory(home)
    pending.decide("R")
    assert pending.desk.toast() == "Rejected."
    assert (memory(home), queue(home)) == (before, ["00000002", "00000003"])


def test_undo_brings_the_record_back_and_leads_to_it(pending: PendingDriver, home: Path) -> None:
    before = memory(home)
    pending.press("J")
    pending.decide("A")
    pending.press("K")
    pending.press("U")
    pending.wait(lambda: pending.ids() == ["00000001", "00000002", "00000003"], "the record")
    assert memory(home) == before
    assert pending.current() == "00000002"
    assert pending.desk.toast() == "Undone."


def test_two_clicks_are_one(pending: PendingDriver, home: Path) -> None:
    button = pending.desk.find(QPushButton, "approve_button")
    pending.desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.isEnabled()
    pending.settled()
    # The second press of a double click comes when the next record is shown already.
    pending.desk.qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)
    pending.settled()
    assert queue(home) == ["00000002", "00000003"]


def test_a_key_that_is_held_down_decides_once(pending: PendingDriver) -> None:
    actions = {action.objectName(): action for action in pending.page.actions()}
    for name in ("approve", "reject", "undo", "approve_selected", "reject_selected"):
        assert not actions[name].autoRepeat()


def test_a_record_that_changed_since_it_was_seen_is_not_approved(
    pending: PendingDriver, home: Path
) -> None:
    path = home / "pending" / "memory" / "00000001.json"
    page = pending.page
    page.place.watch.hold([path.parent])  # as if the news had not come through yet
    raw = json.loads(path.read_text())
    raw["payload"]["content"] = "something else"
    path.write_text(json.dumps(raw))
    pending.decide("A")
    assert memory(home) == [PRINTER, "The build runs on larch"]
    assert "has changed since it was read" in pending.desk.toast()
    assert "declined" in pending.badges("00000001")
    page.place.watch.release([path.parent])


def test_a_locked_file_is_said_and_nothing_is_lost(
    pending: PendingDriver, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = pending.page.place.desk
    assert desk is not None
    approve = desk.queue.approve
    monkeypatch.setattr(
        type(desk.queue), "approve", lambda self, *ids, **more: approve(*ids, **more, wait=0.05)
    )
    with desk.disk.locked(home / "memories" / "MEMORY.md", wait=1) as held:
        assert held is None
        pending.decide("A")
    assert "has held" in pending.desk.toast()
    assert "has held" in pending.problem()
    assert queue(home)[0] == "00000001"
    pending.decide("A")
    assert queue(home)[0] == "00000002"


# --- In bulk ----------------------------------------------------------------------------------


def test_ticking_shows_the_end_state_and_bulk_takes_exactly_these(
    pending: PendingDriver, home: Path
) -> None:
    pending.tick("00000001")
    pending.choose("00000003")
    pending.press("Space")
    assert pending.ticked() == ["00000001", "00000003"]
    assert pending.totals() == (
        "Agent memory: 4% → 5% — 119/2,200 chars\nUser profile: 0% → 0% — 0/1,375 chars"
    )
    assert pending.desk.find(QPushButton, "approve_selected_button").text() == "Approve 2 selected"
    pending.desk.click("approve_selected_button")
    pending.settled()
    assert queue(home) == ["00000002"]
    assert pending.desk.toast() == "Approved 2 writes."
    assert pending.ticked() == []
    assert pending.focus() == "pending_cards"


def test_undo_takes_back_a_whole_bulk(pending: PendingDriver, home: Path) -> None:
    before = memory(home)
    pending.decide("Ctrl+A Shift+A")
    assert queue(home) == []
    pending.desk.press_toast()
    pending.wait(lambda: len(pending.ids()) == 3, "all records")
    assert memory(home) == before
    assert entries_of(home / "memories" / "USER.md") == [CHEESE]
    assert pending.desk.toast() == "3 undone."


def test_what_still_applies_is_approved_and_the_rest_stays_selected(
    pending: PendingDriver, home: Path
) -> None:
    stage(home, "00000002", content="z" * 2_300, age=8_000)
    pending.wait(lambda: pending.badges("00000002") == ["over by 200"], "the new record")
    pending.decide("Ctrl+A")
    assert "1 of them would be declined" in pending.totals()
    button = pending.desk.find(QPushButton, "approve_selected_button")
    assert button.text() == "Approve the 2 that still apply"
    pending.decide("Shift+A")
    assert queue(home) == ["00000002"]
    assert pending.desk.toast() == "Approved 2 writes."
    assert pending.ticked() == ["00000002"]
    assert not button.isEnabled()
    pending.decide("Shift+R")
    assert queue(home) == []


def test_bulk_goes_on_past_what_is_declined_and_says_so(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000002", content="z" * 2_300, age=8_000)
    pending.wait(lambda: pending.badges("00000002") == ["over by 200"], "the new record")
    pending.decide("Ctrl+A Shift+A")  # faster than the end state could be told
    assert queue(home) == ["00000002"]
    assert pending.desk.toast() == "Approved 2 writes. 1 was declined and stays here."
    assert pending.badges("00000002") == ["over by 222", "declined"]


def test_what_is_not_seen_is_not_approved_along(pending: PendingDriver, home: Path) -> None:
    pending.press("Ctrl+A")
    pending.desk.window.search.setText("scanner")
    pending.wait(lambda: pending.ids() == ["00000001"], "the filter")
    assert pending.ticked() == ["00000001"]
    pending.desk.click("approve_selected_button")
    pending.settled()
    assert queue(home) == ["00000002", "00000003"]


def test_a_ticked_record_that_changes_is_no_longer_ticked(
    pending: PendingDriver, home: Path
) -> None:
    pending.press("Ctrl+A")
    stage(home, "00000001", content="The scanner is broken", age=9_000)
    pending.wait(lambda: pending.card("00000001").text == "The scanner is broken", "the change")
    assert pending.ticked() == ["00000002", "00000003"]


def test_stale_records_are_cleared_together(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000004", action="remove", old_text="never was")
    stage(home, "00000005", action="replace", old_text="neither", content="this")
    pending.wait(lambda: "2 can no longer apply" in pending.subtitle(), "the stale ones")
    pending.desk.click("clear_stale_button")
    pending.settled()
    assert queue(home) == ["00000001", "00000002", "00000003"]


def test_a_long_bulk_shows_how_far_it_is_and_can_be_stopped(
    pending: PendingDriver, home: Path
) -> None:
    for number in range(60):
        stage(home, f"1{number:07}", content=f"note {number}", age=6_000 - number)
    pending.wait(lambda: len(pending.ids()) == 63, "the records")
    pending.press("Ctrl+A Shift+R")
    pending.reads("Rejecting: 20 of 63")
    pending.desk.click("pending_banner_action")
    pending.settled()
    left = len(queue(home))
    assert 0 < left < 63
    assert f"{left} were left." in pending.desk.toast()


# --- Around it ----------------------------------------------------------------------------------


def test_a_new_record_does_not_move_selection_or_focus(pending: PendingDriver, home: Path) -> None:
    pending.press("J")
    stage(home, "000000ff", content="older than all", age=99_000)
    pending.wait(lambda: "000000ff" in pending.ids(), "the new record")
    assert pending.ids()[0] == "000000ff"
    assert (pending.current(), pending.focus()) == ("00000002", "pending_cards")


def test_the_effect_follows_the_file(pending: PendingDriver, home: Path) -> None:
    write_as_agent(home / "memories" / "MEMORY.md", "The build runs on larch")
    pending.wait(lambda: pending.badges("00000002") == ["entry is gone"], "the new effect")
    assert pending.badge("00000001") == "fits: 45/2,200"


def test_the_provider_that_hears_nothing_is_named_once(start: Start, home: Path) -> None:
    (home / "config.yaml").write_text("memory:\n  write_approval: true\n  provider: mem0\n")
    pending = PendingDriver(start(home, page="pending"))
    pending.decide("A")
    pending.reads("The provider mem0 keeps a copy of its own")
    pending.desk.click("pending_banner_action")
    pending.decide("A")
    assert "mem0" not in pending.said()


def test_an_empty_queue_says_what_would_be_here(start: Start, empty_home: Path) -> None:
    ask_first(empty_home)
    pending = PendingDriver(start(empty_home, page="pending"))
    pending.reads("Nothing waits")
    assert not pending.desk.sees("pending_empty_switch_on")


def test_where_writes_do_not_wait_the_page_offers_it(start: Start, empty_home: Path) -> None:
    (empty_home / "config.yaml").write_text("memory:\n  write_approval: false  # mine\n")
    pending = PendingDriver(start(empty_home, page="pending"))
    pending.reads("Memory writes do not wait")
    pending.desk.click("pending_empty_switch_on")
    pending.reads("Nothing waits")
    config = (empty_home / "config.yaml").read_text()
    assert config == "memory:\n  write_approval: true  # mine\n"
    pending.desk.click("gate_skills")
    pending.wait(lambda: "skills:" in (empty_home / "config.yaml").read_text(), "the other switch")
    pending.desk.rest()
    assert pending.page.gates.boxes["skills"].isChecked()


def test_a_managed_switch_is_shown_and_left_alone(
    start: Start, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managed = tmp_path / "managed"
    managed.mkdir()
    (managed / "config.yaml").write_text("memory:\n  write_approval: true\n")
    monkeypatch.setenv("HERMES_MANAGED_DIR", str(managed))
    pending = PendingDriver(start(home, page="pending"))
    assert not pending.page.gates.boxes["memory"].isEnabled()
    assert pending.page.gates.boxes["skills"].isEnabled()
    pending.reads(f"{managed} manages this")


def test_text_of_a_record_is_never_taken_for_markup(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000004", content="<b>bold</b>\u2029<img src=x>")
    pending.wait(lambda: len(pending.ids()) == 4, "the record")
    pending.choose("00000004")
    assert pending.asks() == ["+  <b>bold</b>\u2029<img src=x>"]


def test_every_control_has_its_names_also_while_something_is_edited(
    pending: PendingDriver,
) -> None:
    pending.press("Ctrl+A")
    pending.press("E")
    pending.desk.rest()
    assert unnamed(pending.desk.window) == []


def test_another_home_begins_with_nothing_of_the_last_one(start: Start, hermes_home: Path) -> None:
    stage(hermes_home / "profiles" / "work", "162386ec", content="of the other profile")
    pending = PendingDriver(start(hermes_home, page="pending"))
    pending.press("Ctrl+A")
    assert "162386ec" in pending.ticked()
    pending.desk.window.side.profiles.activated.emit(1)
    pending.wait(lambda: pending.ids() == ["162386ec"], "the queue of the other profile")
    pending.desk.rest()
    assert pending.ticked() == []
    assert pending.card("162386ec").text == "of the other profile"
    assert pending.asks() == ["+  of the other profile"]


def test_records_of_any_content_are_shown_and_break_nothing(
    pending: PendingDriver, home: Path
) -> None:
    folder = home / "pending" / "memory"
    (folder / os.fsdecode(b"\xff\xfe.json")).write_bytes(b"\x00\xff")
    (folder / "surrogate.json").write_text('{"id": "surrogate", "payload": {"target": "\\ud800"}}')
    half = stage(home, "00000004", content="half HALF\x00and\u2028more")
    half.write_text(half.read_text().replace("HALF", "\\ud800"))
    stage(home, "00000005", content="no end " * 200_000)
    stage(home, "00000006", content="\n".join(["line"] * 20_000))
    stage(home, "00000007", action="batch", operations=[])
    stage(home, "00000008", action="batch", operations=[{"action": "fly", "content": 7}])
    stage(home, "00000009", action="", target="memory", content="what is this")
    pending.wait(lambda: len(pending.ids()) == 11, "all of them")
    for key in pending.ids():
        pending.choose(key)
        assert pending.badges(key)
        assert pending.desk.text("record_title")
    assert pending.current() == pending.ids()[-1]
