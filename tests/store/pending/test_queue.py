"""Approving and rejecting: exactly the ids that were meant, once, and said only when on disk."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from store.desk import Desk
from store.home import HermesHome
from store.journal import JournalEntry
from store.memory.operations import Add, Batch, Remove, Replace, Whole
from store.pending.queue import Handled
from store.pending.records import Record
from store.refusals import (
    REFUSALS,
    AtOperation,
    AtRecord,
    Conflict,
    Empty,
    Invalid,
    Locked,
    NoMatch,
    NotFound,
    OverBudget,
    SingleRefusal,
    Stale,
    Unreadable,
    Unsupported,
)
from tests.support.desks import everything_in, home_at, joined, limits, opened
from tests.support.holder import holding

ROOT = Path(__file__).resolve().parents[3]


def put(home: HermesHome, record_id: str, subsystem: str = "memory", **payload: Any) -> Path:
    """A record as the agent leaves it: unchecked, without a pin."""
    given = {"action": "add", "target": "memory", "content": None, "old_text": None} | payload
    whole = {
        "id": record_id,
        "subsystem": subsystem,
        "action": given["action"],
        "summary": "",
        "origin": "background_review",
        "created_at": 1.0,
        "payload": given,
    }
    path = home.pending(subsystem) / f"{record_id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=2, ensure_ascii=False), "utf-8")
    return path


def texts(home: HermesHome, target: str = "memory") -> list[str]:
    data = home.memory_file(target).read_text("utf-8")  # type: ignore[arg-type]
    return data.split("\n§\n") if data else []


def left(home: HermesHome) -> list[str]:
    return sorted(path.stem for path in home.pending("memory").iterdir())


@pytest.fixture
def three(home: HermesHome) -> HermesHome:
    """A home with entries one, two and three."""
    home.memory_file("memory").write_bytes(joined("one", "two", "three"))
    return home


# --- Approve --------------------------------------------------------------------------------


def test_an_approved_record_is_on_disk_and_gone(desk: Desk, three: HermesHome) -> None:
    path = put(three, "aaaaaaaa", action="replace", old_text="two", content="2")
    assert desk.queue.approve(["aaaaaaaa"]) == Handled((("aaaaaaaa", 1),))
    assert texts(three) == ["one", "2", "three"]
    assert not path.exists()


def test_without_any_file_yet_folder_and_file_are_made(tmp_path: Path) -> None:
    path = tmp_path / "home"
    path.mkdir()
    home = HermesHome(path, path, "default")
    put(home, "aaaaaaaa", content="first")
    with opened(home, tmp_path / "data") as desk:
        assert desk.queue.approve(["aaaaaaaa"]).refused == ()
    assert texts(home) == ["first"]
    assert left(home) == []


def test_an_entry_that_is_there_already_only_takes_the_record_away(
    desk: Desk, three: HermesHome
) -> None:
    put(three, "aaaaaaaa", content="two")
    before = three.memory_file("memory").stat()
    assert len(desk.queue.approve(["aaaaaaaa"]).done) == 1
    assert three.memory_file("memory").stat() == before
    assert left(three) == []


def test_all_goes_on_past_a_bad_one_and_each_says_its_own_reason(
    desk: Desk, three: HermesHome
) -> None:
    put(three, "aaaaaaaa", action="remove", old_text="nowhere")
    put(three, "bbbbbbbb", content="x" * 2192)
    put(three, "cccccccc", content="fits")
    put(three, "dddddddd", action="remove", old_text="one", matched_entry="was one")
    (three.pending("memory") / "eeeeeeee.json").write_text("{")
    ids = ["aaaaaaaa", "bbbbbbbb", "cccccccc", "dddddddd", "eeeeeeee", "ffffffff"]
    handled = desk.queue.approve(ids)
    assert handled.done == (("cccccccc", 1),)
    refused = dict(handled.refused)
    assert refused == {
        "aaaaaaaa": NoMatch("nowhere"),
        "bbbbbbbb": OverBudget("memory", 2212, 2200, 17),
        "dddddddd": Stale("was one"),
        "eeeeeeee": Invalid("record", "not_json", line=1, column=2),
        "ffffffff": NotFound("record", "ffffffff"),
    }
    assert left(three) == ["aaaaaaaa", "bbbbbbbb", "dddddddd", "eeeeeeee"]
    assert texts(three) == ["one", "two", "three", "fits"]


def test_a_replace_of_a_part_takes_the_whole_entry_as_the_agent_does(
    desk: Desk, home: HermesHome
) -> None:
    home.memory_file("memory").write_bytes(joined("A\nB\nC"))
    put(home, "aaaaaaaa", action="replace", old_text="B", content="new B")
    desk.queue.approve(["aaaaaaaa"])
    assert texts(home) == ["new B"]


def test_what_belongs_to_a_provider_stays_where_it_is(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="x", memory_id="7")
    before = everything_in(three.path)
    handled = desk.queue.approve(["aaaaaaaa"])
    assert handled.refused == (("aaaaaaaa", Unsupported("provider_record")),)
    assert everything_in(three.path) == before


def test_a_skill_record_that_cannot_apply_can_be_rejected(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", "skills", action="patch", name="demo", old_string="a", new_string="a")
    assert desk.queue.approve(["aaaaaaaa"]).refused == (("aaaaaaaa", NotFound("skill", "demo")),)
    handled = desk.queue.reject(["aaaaaaaa"])
    assert len(handled.done) == 1
    assert desk.queue.load("skills").records == ()


def test_a_record_that_is_another_than_the_one_on_screen_is_a_conflict(
    desk: Desk, three: HermesHome
) -> None:
    path = put(three, "aaaaaaaa", content="harmless")
    (seen,) = desk.queue.load().records
    put(three, "aaaaaaaa", content="something else")
    for act in (desk.queue.approve, desk.queue.reject):
        handled = act(["aaaaaaaa"], seen={"aaaaaaaa": seen.digest})
        assert handled.refused == (("aaaaaaaa", Conflict(str(path))),)
    assert texts(three) == ["one", "two", "three"]
    assert path.exists()


def test_a_record_that_changes_before_the_lock_is_had_is_a_conflict(
    desk: Desk, three: HermesHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(three, "aaaaaaaa", content="as it was read")
    seen = desk.queue.find("aaaaaaaa")
    put(three, "aaaaaaaa", content="as it is now")
    monkeypatch.setattr(desk.queue, "find", lambda record_id: seen)
    for act in (desk.queue.approve, desk.queue.reject):
        assert act(["aaaaaaaa"]).refused == (("aaaaaaaa", Conflict(str(path))),)
    assert texts(three) == ["one", "two", "three"]
    assert path.exists()


def test_an_id_given_twice_is_handled_once(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="new")
    handled = desk.queue.approve(["aaaaaaaa", "aaaaaaaa"])
    assert (len(handled.done), handled.refused) == (1, ())


def test_only_the_ids_that_were_given_are_handled(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="a")
    put(three, "bbbbbbbb", content="b, staged after the list was shown")
    desk.queue.approve(["aaaaaaaa"])
    assert left(three) == ["bbbbbbbb"]


@pytest.mark.parametrize("handle", ["approve", "reject"])
def test_a_file_that_another_holds_is_refused_and_nothing_changes(
    desk: Desk, three: HermesHome, handle: str
) -> None:
    put(three, "aaaaaaaa", content="new")
    before = everything_in(three.path)
    lock = three.memories / "MEMORY.md.lock"
    with holding(lock):
        handled = getattr(desk.queue, handle)(["aaaaaaaa"], wait=0.05)
    assert handled.refused == (("aaaaaaaa", Locked(str(lock), 0.05)),)
    assert everything_in(three.path) == before


def test_approvals_and_rejections_are_noted_with_their_origin(
    desk: Desk, three: HermesHome
) -> None:
    put(three, "aaaaaaaa", action="replace", old_text="two", content="2")
    put(three, "bbbbbbbb", content="x")
    desk.queue.approve(["aaaaaaaa"])
    desk.queue.reject(["bbbbbbbb"])
    changes = desk.journal.changes()
    assert isinstance(changes, tuple)
    rejected, approved = (entry.intent for entry in changes)
    assert (approved.who, approved.action, approved.record) == (
        "approval:background_review",
        "approve",
        "aaaaaaaa",
    )
    assert (approved.gone, approved.come) == (("two",), ("2",))
    assert (rejected.action, rejected.record) == ("reject", "bbbbbbbb")


# --- Together -------------------------------------------------------------------------------


def test_together_records_are_judged_on_the_end(tmp_path: Path) -> None:
    home = home_at(tmp_path / "h", memory=joined("12345", "67890"), config=limits(memory=13))
    put(home, "aaaaaaaa", content="new")
    put(home, "bbbbbbbb", action="remove", old_text="12345")
    with opened(home, tmp_path / "data") as desk:
        assert isinstance(desk.queue.approve(["aaaaaaaa"]).refused[0][1], OverBudget)
        handled = desk.queue.approve(["aaaaaaaa", "bbbbbbbb"], together=True)
        assert handled == Handled((("aaaaaaaa", 1), ("bbbbbbbb", 1)))
    assert texts(home) == ["67890", "new"]
    assert left(home) == []


def test_together_records_of_both_files_are_one_change(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="m")
    put(three, "bbbbbbbb", content="u", target="user")
    before = everything_in(three.path)
    handled = desk.queue.approve(["aaaaaaaa", "bbbbbbbb"], together=True)
    assert handled == Handled((("aaaaaaaa", 1), ("bbbbbbbb", 1)))
    assert (texts(three), texts(three, "user")) == (["one", "two", "three", "m"], ["u"])
    entry = desk.journal.get(1)
    assert isinstance(entry, JournalEntry)
    assert (entry.intent.target, entry.intent.record) == ("both", "aaaaaaaa bbbbbbbb")
    desk.undo.undo(1)
    assert everything_in(three.path) == before


@pytest.mark.parametrize(
    ("bad", "refusal"),
    [
        ({"action": "remove", "old_text": "nowhere"}, NoMatch("nowhere")),
        ({"target": "user", "content": "x" * 1400}, OverBudget("user", 1400, 1375, 0)),
        ({"content": "x", "importance": 2}, Unsupported("provider_record")),
        ({"action": "batch", "operations": []}, Empty("operations")),
        (None, NotFound("record", "bbbbbbbb")),
    ],
)
def test_together_is_all_or_nothing(
    desk: Desk, three: HermesHome, bad: dict[str, Any] | None, refusal: SingleRefusal
) -> None:
    put(three, "aaaaaaaa", content="good")
    if bad is not None:
        put(three, "bbbbbbbb", **bad)
    before = everything_in(three.path)
    handled = desk.queue.approve(["aaaaaaaa", "bbbbbbbb"], together=True)
    assert handled.done == ()
    assert dict(handled.refused) == {
        "aaaaaaaa": AtRecord("bbbbbbbb", refusal),
        "bbbbbbbb": refusal,
    }
    assert everything_in(three.path) == before


def test_together_the_operation_is_named_by_its_number_in_its_own_record(
    desk: Desk, three: HermesHome
) -> None:
    operations = [{"action": "add", "content": "x"}, {"action": "remove", "old_text": "nowhere"}]
    put(three, "aaaaaaaa", content="good")
    put(three, "bbbbbbbb", content="good, too")
    put(three, "cccccccc", action="batch", operations=operations)
    handled = desk.queue.approve(["aaaaaaaa", "bbbbbbbb", "cccccccc"], together=True)
    own = AtOperation(2, "remove", NoMatch("nowhere"))
    other = AtRecord("cccccccc", own)
    assert dict(handled.refused) == {"aaaaaaaa": other, "bbbbbbbb": other, "cccccccc": own}


def test_together_nothing_is_nothing(desk: Desk) -> None:
    assert desk.queue.approve([], together=True) == Handled()


# --- As edited ------------------------------------------------------------------------------


def test_a_record_can_be_approved_as_edited(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="as staged")
    before = everything_in(three.path)
    handled = desk.queue.approve(["aaaaaaaa"], edited=Add("as edited"))
    assert len(handled.done) == 1
    assert texts(three)[-1] == "as edited"
    assert left(three) == []
    desk.undo.undo(handled.done[0][1])
    assert everything_in(three.path) == before


def test_an_edited_record_is_judged_as_any_change(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="as staged")
    before = everything_in(three.path)
    for edited, code in (
        (Add("see ~/.ssh"), "blocked"),
        (Replace(Whole("gone"), "x"), "conflict"),
        (Batch((Remove(Whole("one")), Add("a\n§\nb"))), "delimiter"),
    ):
        handled = desk.queue.approve(["aaaaaaaa"], edited=edited)
        assert [refusal.code for _, refusal in handled.refused] == [code]
    assert everything_in(three.path) == before


# --- Reject ---------------------------------------------------------------------------------


def test_a_rejected_record_is_gone_and_the_file_untouched(desk: Desk, three: HermesHome) -> None:
    put(three, "aaaaaaaa", content="new")
    put(three, "bbbbbbbb", content="x", memory_id="7")
    handled = desk.queue.reject(["aaaaaaaa", "bbbbbbbb", "cccccccc"])
    assert [record_id for record_id, _ in handled.done] == ["aaaaaaaa", "bbbbbbbb"]
    assert handled.refused == (("cccccccc", NotFound("record", "cccccccc")),)
    assert texts(three) == ["one", "two", "three"]


# --- Two at once ----------------------------------------------------------------------------

HOW_OFTEN = 12
REPLACES = {"action": "replace", "old_text": "two", "content": "two and two"}
"""Applied twice it could find its own text again."""


@pytest.fixture
def two_desks(three: HermesHome, tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    with opened(three, tmp_path / "data") as one, opened(three, tmp_path / "data") as other:
        yield one, other


def at_once(*acts: Callable[[list[str]], Handled], record_id: str) -> list[Handled]:
    """Do these acts on the same record at the same moment, and check that it was done once."""
    start, results = threading.Barrier(len(acts)), [Handled()] * len(acts)

    def act(number: int) -> None:
        start.wait(20)
        results[number] = acts[number]([record_id])

    threads = [threading.Thread(target=act, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    refused = [refusal for handled in results for _, refusal in handled.refused]
    assert sum(len(handled.done) for handled in results) == 1, results
    assert len(refused) == len(acts) - 1
    assert {type(refusal) for refusal in refused} <= {NotFound, Conflict}
    return results


@pytest.mark.parametrize("payload", [{"content": "new"}, REPLACES])
def test_two_desks_approve_a_record_once(
    two_desks: tuple[Desk, Desk], three: HermesHome, payload: dict[str, Any]
) -> None:
    one, other = two_desks
    for number in range(HOW_OFTEN):
        three.memory_file("memory").write_bytes(joined("one", "two", "three"))
        record_id = f"{number:08x}"
        put(three, record_id, **payload)
        at_once(one.queue.approve, other.queue.approve, record_id=record_id)
        assert Counter(texts(three))["two and two"] == (payload is REPLACES)
        assert len(texts(three)) == (3 if payload is REPLACES else 4)
    changes = one.journal.changes()
    assert not isinstance(changes, Unreadable)
    approved = [change for change in changes if change.intent.action == "approve"]
    assert len(approved) == HOW_OFTEN


def test_one_approves_while_the_other_rejects_and_one_of_them_wins(
    two_desks: tuple[Desk, Desk], three: HermesHome
) -> None:
    one, other = two_desks
    for number in range(HOW_OFTEN):
        three.memory_file("memory").write_bytes(joined("one", "two", "three"))
        record_id = f"{number:08x}"
        put(three, record_id, **REPLACES)
        approved, _ = at_once(one.queue.approve, other.queue.reject, record_id=record_id)
        assert ("two and two" in texts(three)) == bool(approved.done)
        assert left(three) == []


def test_two_desks_reject_a_skill_record_once(
    two_desks: tuple[Desk, Desk], three: HermesHome
) -> None:
    one, other = two_desks
    for number in range(HOW_OFTEN):
        record_id = f"{number:08x}"
        put(three, record_id, "skills", action="delete", name="demo")
        at_once(one.queue.reject, other.queue.reject, record_id=record_id)


APPROVE = """
import json, sys
from pathlib import Path
from store.desk import build_desk
from store.home import HermesHome
home = Path(sys.argv[1])
desk = build_desk(HermesHome(home, home, "default"), env={"MEMORY_DESK_DATA_DIR": sys.argv[2]})
print("ready", flush=True)
for line in sys.stdin:
    handled = desk.queue.approve([line.strip()])
    print(json.dumps([len(handled.done), [one.code for _, one in handled.refused]]), flush=True)
"""


def test_two_processes_approve_a_record_once(three: HermesHome, tmp_path: Path) -> None:
    command = [sys.executable, "-c", APPROVE, str(three.path), str(tmp_path / "data")]
    desks = [
        subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for _ in range(2)
    ]
    try:
        for desk in desks:
            assert desk.stdout is not None
            assert desk.stdout.readline() == "ready\n"
        for number in range(30):
            three.memory_file("memory").write_bytes(joined("one", "two", "three"))
            put(three, f"{number:08x}", **REPLACES)
            answers = []
            for desk in desks:
                assert desk.stdin is not None
                desk.stdin.write(f"{number:08x}\n")
            for desk in desks:
                assert desk.stdout is not None
                answers.append(json.loads(desk.stdout.readline()))
            assert sum(done for done, _ in answers) == 1, answers
            assert {code for _, codes in answers for code in codes} <= {"not_found", "conflict"}
            assert texts(three) == ["one", "two and two", "three"]
    finally:
        for desk in desks:
            with desk:
                assert desk.stdin is not None
                desk.stdin.close()


# --- Staging --------------------------------------------------------------------------------


def test_a_staged_write_has_the_agents_shape(tmp_path: Path) -> None:
    home = home_at(tmp_path / "home", memory=joined("one", "two"))
    with opened(home, tmp_path / "data", clock=lambda: 1_700_000_000) as desk:
        record_id = desk.queue.stage(
            {"action": "replace", "target": "memory", "old_text": "tw", "content": "2 项"}
        )
        assert isinstance(record_id, str)
        text = (home.pending("memory") / f"{record_id}.json").read_text("utf-8")
    assert len(record_id) == 8
    assert int(record_id, 16) >= 0
    raw = {
        "id": record_id,
        "subsystem": "memory",
        "action": "replace",
        "summary": "replace in memory: old: tw\nnew: 2 项",
        "origin": "foreground",
        "created_at": 1_700_000_000.0,
        "payload": {
            "action": "replace",
            "target": "memory",
            "content": "2 项",
            "old_text": "tw",
            "matched_entry": "two",
        },
    }
    assert text == json.dumps(raw, indent=2, ensure_ascii=False)


def test_a_staged_add_has_all_four_keys_of_the_agent(desk: Desk, home: HermesHome) -> None:
    record_id = desk.queue.stage({"action": "add", "target": "user", "content": "x"})
    found = desk.queue.find(record_id)  # type: ignore[arg-type]
    assert isinstance(found, Record)
    assert list(found.raw["payload"].items()) == [
        ("action", "add"),
        ("target", "user"),
        ("content", "x"),
        ("old_text", None),
    ]
    assert found.summary == "add to user profile: x"


def test_operations_of_a_staged_batch_are_pinned_to_what_they_mean_by_then(
    desk: Desk, three: HermesHome
) -> None:
    operations = [
        {"action": "add", "content": "four"},
        {"action": "replace", "old_text": "fou", "content": "4", "junk": "\ud800"},
        {"action": "remove", "old_text": "one"},
    ]
    record_id = desk.queue.stage({"action": "batch", "target": "memory", "operations": operations})
    found = desk.queue.find(record_id)  # type: ignore[arg-type]
    assert isinstance(found, Record)
    assert found.raw["payload"]["operations"] == [
        {"action": "add", "content": "four"},
        {"action": "replace", "content": "4", "old_text": "fou", "matched_entry": "four"},
        {"action": "remove", "old_text": "one", "matched_entry": "one"},
    ]
    assert found.summary == (
        "apply 3 op(s) to memory: - add: four\n- replace: fou -> 4\n- remove: one"
    )
    assert desk.queue.approve([found.id]).refused == ()
    assert texts(three) == ["two", "three", "4"]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"action": "add", "content": "see ~/.ssh"}, "blocked"),
        ({"action": "add", "content": " "}, "empty"),
        ({"action": "add", "content": "\ud800"}, "invalid"),
        ({"action": "remove", "old_text": "nowhere"}, "no_match"),
        ({"action": "remove", "old_text": "t"}, "ambiguous"),
        ({"action": "remove", "old_text": "x", "matched_entry": "gone"}, "stale"),
        ({"action": "rename"}, "unsupported"),
        ({"action": "add", "content": "x", "memory_id": "1"}, "unsupported"),
        ({"action": "batch", "operations": []}, "empty"),
        ({"action": "batch", "operations": [{"action": "rename"}]}, "invalid"),
    ],
)
def test_what_could_never_be_approved_is_not_staged(
    desk: Desk, three: HermesHome, payload: dict[str, Any], code: str
) -> None:
    before = everything_in(three.path)
    refused = desk.queue.stage({"target": "memory"} | payload)
    assert isinstance(refused, REFUSALS)
    assert refused.code == code
    assert everything_in(three.path) == before


def test_the_detail_of_a_summary_is_cut_as_the_agent_cuts_it(desk: Desk, home: HermesHome) -> None:
    record_id = desk.queue.stage({"action": "add", "target": "memory", "content": "x" * 200})
    found = desk.queue.find(record_id)  # type: ignore[arg-type]
    assert isinstance(found, Record)
    assert found.summary == "add to memory: " + "x" * 120
