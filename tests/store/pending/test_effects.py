"""What approving would do, told before anything is clicked, is what approving then does."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.desk import Desk
from store.files import Disk
from store.home import HermesHome
from store.memory.operations import Add, Part, Pinned, Replace, Whole
from store.pending.effects import (
    DiffLine,
    Effect,
    effect_of,
    effect_of_change,
    effect_together,
    lost_lines,
    prompt_diff,
    unified,
)
from store.pending.records import Record
from store.refusals import (
    Ambiguous,
    AtOperation,
    Blocked,
    Drifted,
    NoMatch,
    OverBudget,
    Stale,
    Unreadable,
    Unsupported,
    WouldEmpty,
)
from tests.support.desks import home_at, joined, limits, opened

SECTIONS = "Section A\nrule one\n\nSection B\nold rule\n\nSection C\nrule three"


def stage_as_the_agent(home: HermesHome, record_id: str, **payload: Any) -> None:
    """Put a record into the queue, unchecked and with no pin, as 0.19.0 does."""
    payload = {"action": "add", "target": "memory", "content": None, "old_text": None} | payload
    whole = {"id": record_id, "origin": "background_review", "created_at": 1.0, "payload": payload}
    home.pending("memory").mkdir(parents=True, exist_ok=True)
    (home.pending("memory") / f"{record_id}.json").write_text(json.dumps(whole))


def put(home: HermesHome, data: bytes) -> None:
    home.memory_file("memory").write_bytes(data)


def effect(desk: Desk, home: HermesHome, **payload: Any) -> Effect:
    stage_as_the_agent(home, "0a0b0c0d", **payload)
    record = desk.queue.find("0a0b0c0d")
    assert isinstance(record, Record), record
    return effect_of(record, desk.library.load("memory"))


# --- Accepted -------------------------------------------------------------------------------


def test_an_effect_is_the_whole_resulting_file(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two"))
    found = effect(desk, home, content="three")
    assert found.ok
    assert found.entries_after == ("one", "two", "three")
    assert (found.chars_before, found.chars_after, found.limit) == (9, 17, 2200)
    assert unified(found.diff) == " one\n §\n two\n+§\n+three"


def test_a_replace_shows_the_entry_that_it_would_swallow(desk: Desk, home: HermesHome) -> None:
    put(home, joined("keep", SECTIONS))
    found = effect(
        desk, home, action="replace", old_text="Section B\nold rule", content="Section B\nnew"
    )
    assert found.ok
    (swallowed,) = found.swallowed
    assert (swallowed.before, swallowed.after) == (SECTIONS, "Section B\nnew")
    assert found.lost_lines == ("Section A", "rule one", "Section C", "rule three")
    marked = {line.text: line.lost for line in found.diff if line.kind == "removed"}
    assert marked["Section A"]
    assert not marked["old rule"]  # the replace is about this line


def test_a_pinned_replace_is_about_the_passage_that_it_names(desk: Desk, home: HermesHome) -> None:
    put(home, joined("keep", SECTIONS))
    found = effect(
        desk,
        home,
        action="replace",
        old_text="old rule",
        content="new rule",
        matched_entry=SECTIONS,
    )
    assert found.ok
    assert "rule three" in found.lost_lines


@pytest.mark.parametrize(
    ("before", "after", "named", "lost"),
    [
        ("a one\nb two", "a one\nb 2", "two", ()),
        ("a one\nb two", "b 2", "b two", ("a one",)),
        ("a one\n\n- - -\nb two", "b 2", "b two", ("a one",)),
        (
            "always X. B is old. never Z.",
            "B is new.",
            "B is old.",
            ("always X. B is old. never Z.",),
        ),
        ("named larch", "named oak", "larch", ()),
        ("Build machine is named larch.", "It is oak now", "named larch", 1),
        ("one\ntwo", "three", "nowhere", ("one", "two")),
        ("one\ntwo", "  two\nthree", "one", ()),
        ("one", "1", "one", ()),
    ],
)
def test_lines_are_lost_that_a_replace_neither_names_nor_keeps(
    before: str, after: str, named: str, lost: tuple[str, ...] | int
) -> None:
    expected = (before,) if lost == 1 else lost
    assert lost_lines(before, after, named) == expected


def test_a_replace_of_a_whole_entry_loses_no_line(desk: Desk, home: HermesHome) -> None:
    put(home, joined("keep", SECTIONS))
    state = desk.library.load("memory")
    for where in (Part(SECTIONS), Whole(SECTIONS), Pinned(SECTIONS)):
        assert effect_of_change(Replace(where, "short"), state).lost_lines == ()


def test_in_a_batch_what_an_earlier_operation_made_may_be_swallowed(
    desk: Desk, home: HermesHome
) -> None:
    put(home, b"one")
    found = effect(
        desk,
        home,
        action="batch",
        operations=[
            {"action": "add", "content": "first line\nsecond line"},
            {"action": "replace", "old_text": "second line", "content": "2"},
        ],
    )
    assert found.entries_after == ("one", "2")
    assert found.lost_lines == ("first line",)


def test_an_entry_that_is_there_already_leaves_the_file_alone(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one", "two", "one"))
    found = effect(desk, home, content="two")
    assert found.ok
    assert {line.kind for line in found.diff} == {"same"}
    assert found.entries_after == ("one", "two", "one")


def test_an_add_to_a_drifted_file_shows_what_it_normalises(desk: Desk, home: HermesHome) -> None:
    put(home, "one\n\n§\n\ntwo".encode())
    found = effect(desk, home, content="three")
    assert found.ok
    assert found.entries_after == ("one", "two", "three")


# --- Refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "refusal", "operation"),
    [
        ({"content": "x" * 3000}, OverBudget("memory", 3020, 2200, 17), None),
        (
            {"action": "remove", "old_text": "two", "matched_entry": "was two"},
            Stale("was two"),
            None,
        ),
        ({"action": "remove", "old_text": "nowhere"}, NoMatch("nowhere"), None),
        ({"action": "remove", "old_text": "t"}, Ambiguous("t", ("two", "three")), None),
        ({"content": "see ~/.ssh"}, Blocked(("ssh_access",)), None),
        ({"target": "notes", "content": "x"}, Unsupported("provider_record"), None),
        (
            {
                "action": "batch",
                "operations": [
                    {"action": "add", "content": "x"},
                    {"action": "remove", "old_text": "nowhere"},
                ],
            },
            AtOperation(2, "remove", NoMatch("nowhere")),
            2,
        ),
        (
            {
                "action": "batch",
                "operations": [{"action": "remove", "old_text": text} for text in ("one", "two")]
                + [{"action": "remove", "old_text": "three"}],
            },
            WouldEmpty("memory"),
            None,
        ),
    ],
)
def test_what_stands_in_the_way_is_told(
    desk: Desk, home: HermesHome, payload: dict[str, Any], refusal: object, operation: int | None
) -> None:
    put(home, joined("one", "two", "three"))
    found = effect(desk, home, **payload)
    assert (found.ok, found.refusal, found.operation) == (False, refusal, operation)
    assert (found.diff, found.chars_after) == ((), found.chars_before)


def test_a_batch_near_the_budget_is_told_with_its_end(tmp_path: Path) -> None:
    home = home_at(tmp_path / "h", memory=b"x" * 2192)
    with opened(home, tmp_path / "data") as desk:
        operations = [{"action": "add", "content": letter * 33} for letter in "abc"]
        found = effect(desk, home, action="batch", operations=operations)
        assert found.refusal == OverBudget("memory", 2300, 2200, 2192)


@pytest.mark.parametrize(
    ("data", "kind"), [("one\n\n§\n\ntwo".encode(), Drifted), (b"caf\xe9", Unreadable)]
)
def test_a_file_in_trouble_stands_in_the_way(
    desk: Desk, home: HermesHome, data: bytes, kind: type
) -> None:
    put(home, data)
    assert isinstance(effect(desk, home, action="remove", old_text="one").refusal, kind)
    assert list(home.memories.glob("*.bak.*")) == []  # looking makes no copies


# --- The next prompt ------------------------------------------------------------------------


def test_the_prompt_changes_as_the_agent_would_print_it(desk: Desk, home: HermesHome) -> None:
    put(home, joined("one"))
    state = desk.library.load("memory")
    diff = prompt_diff(effect_of_change(Add("see you"), state), state)
    shown = "\n".join(line.text for line in diff if line.kind != "removed")
    desk.library.change("memory", Add("see you"))
    assert shown == desk.library.load("memory").snapshot.block


@pytest.mark.parametrize("config", [limits(), "memory:\n  memory_char_limit: 3000.7\n"])
def test_comments_and_odd_limits_are_in_the_prompt_too(tmp_path: Path, config: str) -> None:
    data = b'<!-- hermes-memory-entry:{"id":"a"} -->\none'
    with opened(home_at(tmp_path / "h", memory=data, config=config), tmp_path / "d") as desk:
        state = desk.library.load("memory")
        diff = prompt_diff(effect_of_change(Add("two"), state), state)
        desk.library.change("memory", Add("two"))
        shown = "\n".join(line.text for line in diff if line.kind != "removed")
        assert shown == desk.library.load("memory").snapshot.block


def test_there_is_no_prompt_to_change_where_the_agent_shows_none(tmp_path: Path) -> None:
    home = home_at(tmp_path / "h", memory=b"one", config="memory:\n  memory_enabled: false\n")
    with opened(home, tmp_path / "data") as desk:
        state = desk.library.load("memory")
        assert prompt_diff(effect_of_change(Add("two"), state), state) == ()


def test_a_line_of_a_diff_has_its_sign() -> None:
    lines = [DiffLine("same", "a"), DiffLine("added", "b"), DiffLine("removed", "c", lost=True)]
    assert unified(lines) == " a\n+b\n-c"


# --- Law ------------------------------------------------------------------------------------

TEXTS = st.sampled_from(
    ["a", "b", "ab", "a b", "c\nd", "long " * 6, "see ~/.ssh", " a ", "", "§", "项目", "\ud800"]
)
FILES = st.lists(st.sampled_from(["a", "b", "ab", "a b", "c\nd", "项目"]), max_size=5)
BROKEN = st.sampled_from(["{}", "{}\n§\n", "\n{}", "\ufeff{}", "{} \n§\nx", "§\n{}"])
OPERATIONS = st.fixed_dictionaries(
    {"action": st.sampled_from(["add", "replace", "remove", "remove", "rename"])},
    optional={"content": TEXTS, "old_text": TEXTS, "matched_entry": TEXTS},
)
PAYLOADS = st.one_of(
    OPERATIONS,
    st.lists(OPERATIONS, max_size=3).map(lambda many: {"action": "batch", "operations": many}),
)


@given(FILES, BROKEN, st.lists(PAYLOADS, min_size=1, max_size=3), st.integers(3, 40), st.booleans())
def test_the_effect_is_what_approving_does(
    texts: list[str], form: str, payloads: list[dict[str, Any]], limit: int, together: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = form.format(joined(*texts).decode()).encode()
        home = home_at(Path(folder) / "h", memory=data, config=limits(memory=limit))
        with opened(home, Path(folder) / "data", disk=Disk("\n")) as desk:
            names = [f"0000000{number}" for number in range(len(payloads))]
            for name, payload in zip(names, payloads, strict=True):
                stage_as_the_agent(home, name, **payload)
            groups = [names] if together else [[name] for name in names]
            for group in groups:
                records = [desk.queue.find(name) for name in group]
                assert all(isinstance(record, Record) for record in records)
                state = desk.library.load("memory")
                promised = effect_together(records, state)  # type: ignore[arg-type]
                handled = desk.queue.approve(group, together=together)
                after = desk.library.load("memory")
                assert promised.ok == (len(handled.done) == len(group))
                assert after.document.texts == promised.entries_after
                # A repeated entry counts when it is written, and no more when the file is read.
                repeated = len(set(after.document.texts)) < len(after.document.texts)
                assert after.chars == promised.chars_after or repeated
                if not promised.ok:
                    codes = {refusal.code for _, refusal in handled.refused}
                    assert promised.refusal is not None
                    assert codes == {promised.refusal.code}
                    assert after.digest == state.digest
                gone = not any((home.pending("memory") / f"{name}.json").exists() for name in group)
                assert gone == promised.ok
