"""Where approving several records leads is what approving them does."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.desk import Desk, open_desk
from store.home import TARGETS
from store.memory.operations import Add
from store.pending.end_state import EndState, end_state
from store.refusals import NoMatch, OverBudget
from tests.conftest import DeskDirs
from tests.support.skills import put_record, put_skill


@pytest.fixture
def desk(empty_home: Path, desk_dirs: DeskDirs) -> Desk:
    opened = open_desk(home=empty_home)
    assert isinstance(opened, Desk)
    for text in ("The printer is on the second floor", "The build runs on larch"):
        opened.library.change("memory", Add(text))
    yield opened
    opened.close()


def stage(desk: Desk, action: str, *, target: str = "memory", **payload: object) -> None:
    staged = desk.queue.stage({"action": action, "target": target, **payload})
    assert isinstance(staged, str)


def foreseen(desk: Desk) -> EndState:
    return end_state(desk.queue.load().records, desk.library.load_both())


def test_it_is_what_approving_one_after_the_other_leaves(desk: Desk) -> None:
    stage(desk, "add", content="The scanner is slow")
    stage(desk, "replace", old_text="printer", content="The printer moved")
    stage(desk, "remove", old_text="The printer is on the second floor")  # then gone already
    stage(desk, "add", target="user", content="Likes cheese")
    stage(desk, "add", content="x" * 2_190)
    end = foreseen(desk)
    before = {target: desk.library.load(target).chars for target in TARGETS}
    handled = desk.queue.approve([record.id for record in desk.queue.load().records])
    assert end.refused == handled.refused
    assert {type(why).code for _, why in end.refused} <= {"over_budget", "stale", "no_match"}
    for file in end.files:
        state = desk.library.load(file.target)
        assert file.chars_before == before[file.target]
        assert (file.chars_after, file.limit) == (state.chars, state.limit)


def test_what_fits_alone_may_not_fit_together(desk: Desk) -> None:
    for letter in "ab":
        stage(desk, "add", content=letter * 1_200)
    end = foreseen(desk)
    assert [type(why) for _, why in end.refused] == [OverBudget]


def test_a_record_that_changes_nothing_leaves_the_file(desk: Desk) -> None:
    stage(desk, "add", content="The build runs on larch")
    [file] = foreseen(desk).files
    assert file.chars_before == file.chars_after


def test_a_file_in_drift_takes_only_adds(desk: Desk) -> None:
    stage(desk, "remove", old_text="larch")
    stage(desk, "add", content="new")
    path = Path(desk.library.load("memory").path)
    path.write_text(path.read_text().replace("\n§\n", "\n\n§\n\n"))
    records = desk.queue.load().records
    end = end_state(records, desk.library.load_both())
    handled = desk.queue.approve([record.id for record in records])
    assert [name for name, _ in end.refused] == [name for name, _ in handled.refused]


def test_it_stops_when_nobody_waits_for_it(desk: Desk) -> None:
    stage(desk, "add", content="new")
    records, states = desk.queue.load().records, desk.library.load_both()
    assert end_state(records, states, given_up=lambda: True) == EndState((), ())


def test_each_is_judged_after_those_before_it(desk: Desk) -> None:
    for text in ("printer", "printer"):
        stage(desk, "remove", old_text=text)
    refused = [why for _, why in foreseen(desk).refused]
    assert len(refused) == 1
    assert not isinstance(refused[0], NoMatch)  # it is pinned, so it is stale


def test_skill_records_are_judged_on_what_those_before_them_leave(desk: Desk) -> None:
    home = desk.home.path
    put_skill(home, "demo")
    put_record(home, "00000001", action="patch", name="demo", old_string="1. it", new_string="2.")
    put_record(home, "00000002", action="patch", name="demo", old_string="1. it", new_string="3.")
    put_record(home, "00000003", action="delete", name="demo")
    put_record(home, "00000004", action="delete", name="demo")
    records = desk.queue.load("skills").records
    end = end_state(records, {}, skills=desk.skills.plan())
    assert end.files == ()
    assert [(name, why.code) for name, why in end.refused] == [
        ("00000002", "no_match"),
        ("00000004", "not_found"),
    ]
    handled = desk.queue.approve([record.id for record in records])
    assert handled.refused == end.refused
