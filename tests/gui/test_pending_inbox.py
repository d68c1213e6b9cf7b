"""The inbox as a whole: filters, what is near to what, all profiles, and what cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.conftest import Start
from tests.gui.driver import entries_of, write_as_agent
from tests.gui.pending_driver import PendingDriver, ask_first, stage, stage_skill
from tests.support.skills import put_skill

DAY = 86_400.0
PROXY = "Staging is reached through the proxy on port 3128"


@pytest.fixture
def home(empty_home: Path) -> Path:
    ask_first(empty_home)
    write_as_agent(empty_home / "memories" / "MEMORY.md", "The build runs on larch at night")
    put_skill(empty_home, "deploy")
    stage(empty_home, "00000001", content=PROXY, age=9 * DAY, origin="background_review")
    stage(empty_home, "00000002", target="user", content="Likes tea", age=3 * DAY)
    stage(empty_home, "00000003", action="remove", old_text="never was", age=2 * DAY)
    stage_skill(empty_home, "00000004", action="delete", name="deploy", age=DAY / 2)
    stage(empty_home, "00000005", content=f"{PROXY} now", age=1_000)
    return empty_home


@pytest.fixture
def pending(start: Start, home: Path) -> PendingDriver:
    return PendingDriver(start(home, page="pending"))


def choose(pending: PendingDriver, name: str, value: str) -> None:
    """Make a choice in the filters as a person does."""
    chooser = pending.page.column.filters.choosers[name]
    chooser.setCurrentIndex(chooser.findData(value))
    chooser.activated.emit(chooser.currentIndex())
    pending.desk.rest()


# --- Filters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("about", "user", ["00000002"]),
        ("about", "skills", ["00000004"]),
        ("origin", "auto", ["00000001"]),
        ("origin", "asked", ["00000005", "00000002", "00000003", "00000004"]),
        ("age", "day", ["00000001", "00000002", "00000003"]),
        ("age", "week", ["00000001"]),
        ("state", "stale", ["00000003"]),
        ("state", "applies", ["00000001", "00000005", "00000002", "00000004"]),
        ("state", "near", ["00000001", "00000005"]),
        ("state", "trouble", []),
    ],
)
def test_each_filter_leaves_what_it_names(
    pending: PendingDriver, name: str, value: str, left: list[str]
) -> None:
    pending.press("F")
    assert pending.focus() == "filter_about"
    choose(pending, name, value)
    assert sorted(pending.ids()) == sorted(left)
    assert pending.page.column.filters.button.text() == "Filter (1)"
    pending.desk.click("clear_filters")
    pending.desk.rest()
    assert len(pending.ids()) == 5


def test_filters_and_search_narrow_together(pending: PendingDriver) -> None:
    choose(pending, "about", "memory")
    pending.desk.window.search.setText("proxy")
    pending.wait(lambda: pending.ids() == ["00000001", "00000005"], "both of them")
    choose(pending, "origin", "asked")
    assert pending.ids() == ["00000005"]
    choose(pending, "about", "skills")
    pending.reads("Nothing that waits fits this filter.")


def test_a_decision_leaves_the_filter_as_it_is(pending: PendingDriver, home: Path) -> None:
    choose(pending, "about", "memory")
    pending.page.take_focus()
    pending.choose("00000003")
    pending.decide("R")
    assert sorted(pending.ids()) == ["00000001", "00000005"]


# --- Near to each other -------------------------------------------------------------------------


def test_records_near_to_each_other_stand_together_and_are_told(pending: PendingDriver) -> None:
    assert pending.ids()[:2] == ["00000001", "00000005"]
    assert "like 1 other" in pending.badges("00000005")
    pending.choose("00000005")
    assert "Near 1 other write" in pending.desk.text("record_near")
    assert "at least 7 of 10" in pending.desk.text("record_near")
    pending.choose("00000002")
    assert not pending.desk.sees("record_near")


def test_those_alike_are_selected_by_one_key(pending: PendingDriver) -> None:
    pending.choose("00000001")
    pending.press("G")
    assert pending.ticked() == ["00000001", "00000005"]
    pending.press("G")
    assert pending.ticked() == []


def test_an_add_near_to_an_entry_that_is_there_is_told(pending: PendingDriver, home: Path) -> None:
    stage(home, "00000006", content="The build runs on birch at night")
    pending.wait(lambda: "00000006" in pending.ids(), "the record")
    pending.wait(lambda: "near an entry" in pending.badges("00000006"), "the comparison")
    pending.choose("00000006")
    assert "“The build runs on larch at night”" in pending.desk.text("record_near")


# --- All profiles -------------------------------------------------------------------------------


@pytest.fixture
def work(home: Path) -> Path:
    """Another profile with a record of the same id as one here."""
    other = home / "profiles" / "work"
    write_as_agent(other / "memories" / "MEMORY.md", "of the other profile")
    stage(other, "00000001", content="for the other profile", age=100)
    return other


def test_all_profiles_are_listed_on_demand_with_their_names(
    start: Start, home: Path, work: Path
) -> None:
    pending = PendingDriver(start(home, page="pending"))
    assert "work/00000001" not in pending.ids()
    pending.press("F")
    pending.desk.click("filter_everywhere")
    pending.wait(lambda: "work/00000001" in pending.ids(), "the other profile")
    card = pending.card("work/00000001")
    assert card.meta[0] == "00000001"
    assert [mark.text for mark in card.lead_marks] == ["work"]
    assert pending.badge("work/00000001") == "fits: 44/2,200"
    pending.desk.click("filter_everywhere")
    pending.wait(lambda: "work/00000001" not in pending.ids(), "only this profile")


def test_deciding_acts_on_the_queue_of_its_own_profile(
    start: Start, home: Path, work: Path
) -> None:
    pending = PendingDriver(start(home, page="pending"))
    pending.page.column.filters.everywhere.click()
    pending.wait(lambda: "work/00000001" in pending.ids(), "the other profile")
    before = (home / "memories" / "MEMORY.md").read_bytes()
    pending.choose("work/00000001")
    pending.decide("A")
    theirs = ["of the other profile", "for the other profile"]
    assert entries_of(work / "memories" / "MEMORY.md") == theirs
    assert (home / "memories" / "MEMORY.md").read_bytes() == before
    assert (home / "pending" / "memory" / "00000001.json").exists()
    pending.press("U")
    pending.wait(lambda: "work/00000001" in pending.ids(), "the undo there")
    assert entries_of(work / "memories" / "MEMORY.md") == theirs[:1]


def test_a_bulk_over_profiles_tells_each_file_and_is_undone_as_one(
    start: Start, home: Path, work: Path
) -> None:
    pending = PendingDriver(start(home, page="pending"))
    pending.page.column.filters.everywhere.click()
    pending.wait(lambda: "work/00000001" in pending.ids(), "the other profile")
    pending.page.take_focus()
    waiting = pending.ids()
    pending.decide("Ctrl+A")
    assert "work · Agent memory: " in pending.totals()
    pending.decide("Shift+A")
    assert pending.ids() == ["00000003"]
    pending.press("U")
    pending.wait(lambda: sorted(pending.ids()) == sorted(waiting), "everything back")
    assert entries_of(work / "memories" / "MEMORY.md") == ["of the other profile"]


# --- What cannot be used ------------------------------------------------------------------------


def test_a_file_that_is_no_record_is_shown_and_set_aside_and_brought_back(
    pending: PendingDriver, home: Path
) -> None:
    broken = home / "pending" / "skills" / "broken.json"
    broken.write_text('{"id": \n<b>half</b>')
    pending.wait(lambda: str(broken) in pending.ids(), "the broken file")
    pending.choose(str(broken))
    pending.press("O")
    pending.desk.rest()
    assert "   <b>half</b>" in pending.page.detail.files.diff.text().split("\n")
    pending.page.take_focus()
    pending.decide("S")
    assert not broken.exists()
    aside = home / "pending" / "skills" / "set-aside" / "broken.json"
    assert aside.read_text() == '{"id": \n<b>half</b>'
    assert "Set aside" in pending.desk.toast()
    pending.press("U")
    pending.wait(lambda: str(broken) in pending.ids(), "the file")
    assert broken.read_text() == '{"id": \n<b>half</b>'


def test_a_record_that_cannot_be_replayed_can_be_set_aside(
    pending: PendingDriver, home: Path
) -> None:
    path = stage(home, "00000007", content="x", memory_id="7", provider="mem0")
    pending.wait(lambda: "00000007" in pending.ids(), "the record")
    pending.choose("00000007")
    assert not pending.desk.sees("approve_button")
    pending.decide("S")
    assert not path.exists()
    assert (path.parent / "set-aside" / path.name).exists()
