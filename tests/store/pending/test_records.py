"""Staged writes of every shape: nothing raises, nothing is skipped, nothing is followed out."""

from __future__ import annotations

import json
import math
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.desk import Desk
from store.home import HermesHome
from store.memory.operations import Add, Batch, Part, Pinned, Remove, Replace, Unknown
from store.memory.state import MemoryState
from store.pending.effects import effect_of
from store.pending.queue import Listing
from store.pending.records import (
    MAX_BYTES,
    Record,
    UnusableRecord,
    joined,
    memory_change,
    parse_record,
)
from store.refusals import REFUSALS, Empty, Invalid, Unreadable, Unsupported
from tests.support.desks import home_at, opened

WHOLE = {
    "id": "0a0b0c0d",
    "subsystem": "memory",
    "action": "add",
    "summary": "add to memory: one",
    "origin": "background_review",
    "created_at": 1_700_000_000.25,
    "payload": {"action": "add", "target": "memory", "content": "one", "old_text": None},
}


def parsed(raw: object, stem: str = "0a0b0c0d") -> Record | UnusableRecord:
    return parse_record(f"{stem}.json", stem, json.dumps(raw).encode(), "memory")


def record(**changed: Any) -> Record:
    action = {"action": changed["payload"].get("action", "")} if "payload" in changed else {}
    found = parsed(WHOLE | action | changed)
    assert isinstance(found, Record), found
    return found


def put(home: HermesHome, name: str, data: bytes | str) -> Path:
    path = home.pending("memory") / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


# --- Shapes ---------------------------------------------------------------------------------


def test_a_record_is_read_whole() -> None:
    found = record()
    assert (found.id, found.action, found.target) == ("0a0b0c0d", "add", "memory")
    assert (found.summary, found.origin) == ("add to memory: one", "background_review")
    assert (found.created_at, found.automatic) == (1_700_000_000.25, True)
    assert (found.change, found.problem) == (Add("one"), None)


@pytest.mark.parametrize(
    ("payload", "change"),
    [
        ({"action": "replace", "old_text": "a", "content": "b"}, Replace(Part("a"), "b")),
        ({"action": "replace", "old_text": "a", "new_text": "b"}, Replace(Part("a"), "b")),
        ({"action": "remove", "old_text": "a", "content": None}, Remove(Part("a"))),
        (
            {"action": "remove", "old_text": "a", "matched_entry": "an a"},
            Remove(Pinned("an a", "a")),
        ),
        ({"action": "remove", "old_text": "a", "matched_entry": " "}, Remove(Part("a"))),
        (
            {
                "action": "batch",
                "operations": [
                    {"action": "add", "content": "x"},
                    {"action": "replace", "old_text": "a", "content": "b", "matched_entry": "a!"},
                    {"action": "rename"},
                    {},
                ],
            },
            Batch((Add("x"), Replace(Pinned("a!", "a"), "b"), Unknown("rename"), Unknown(""))),
        ),
        ({"action": "add", "content": 5}, Add("")),
    ],
)
def test_a_payload_is_read_as_the_change_it_asks_for(
    payload: dict[str, Any], change: object
) -> None:
    assert memory_change({"target": "memory"} | payload) == change


@pytest.mark.parametrize(
    "payload",
    [
        {"action": "add", "content": "x"},
        {"action": "add", "target": "notes", "content": "x"},
        {"action": "add", "target": None, "content": "x"},
        {"action": "add", "target": ["memory"], "content": "x"},
        {"action": "add", "target": "memory", "content": "x", "importance": 3},
        {"action": "update", "target": "memory", "memory_id": "7"},
        {"action": "add", "target": "memory", "content": "x", "provider": "mem0"},
    ],
)
def test_what_belongs_to_a_provider_is_not_applied_here(payload: dict[str, Any]) -> None:
    found = record(payload=payload)
    assert found.change is None
    assert isinstance(found.problem, Unsupported)
    assert found.problem.problem == "provider_record"


@pytest.mark.parametrize(
    ("payload", "problem"),
    [
        ({"action": "rename"}, Unsupported("unknown_action", "rename")),
        ({}, Unsupported("unknown_action", "")),
        ({"action": "batch"}, Invalid("record", "operations_are_no_list")),
        ({"action": "batch", "operations": {}}, Invalid("record", "operations_are_no_list")),
        ({"action": "batch", "operations": [1]}, Invalid("record", "operations_are_no_list")),
    ],
)
def test_what_the_desk_cannot_replay_is_shown_with_the_reason(
    payload: dict[str, Any], problem: object
) -> None:
    assert record(payload={"target": "user"} | payload).problem == problem


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", Invalid("record", "not_json", line=1, column=1)),
        (b'{\n "id": ', Invalid("record", "not_json", line=2, column=8)),
        (b"[" * 100_000, Invalid("record", "not_json")),
        (b'{"id": 1' + b"0" * 10_000 + b"}", Invalid("record", "not_json")),
        (b"[]", Invalid("record", "not_an_object")),
        (b"null", Invalid("record", "not_an_object")),
        (b'"text"', Invalid("record", "not_an_object")),
        (b"{}", Invalid("record", "no_payload")),
        (b'{"id": "0a0b0c0d", "payload": []}', Invalid("record", "no_payload")),
        (b'{"payload": {}}', Invalid("record", "id_is_not_its_name")),
        (b'{"id": 7, "payload": {}}', Invalid("record", "id_is_not_its_name")),
        (b'{"id": "../../x", "payload": {}}', Invalid("record", "id_is_not_its_name")),
        (b'{"id": "0A0B0C0D", "payload": {}}', Invalid("record", "id_is_not_its_name")),
        (b"{\xff}", Unreadable("0a0b0c0d.json", "utf-8", byte=1)),
    ],
)
def test_what_is_no_record_is_shown_with_the_reason(data: bytes, problem: object) -> None:
    found = parse_record("0a0b0c0d.json", "0a0b0c0d", data, "memory")
    assert isinstance(found, UnusableRecord)
    if isinstance(found.problem, Invalid) and problem == Invalid("record", "not_json"):
        assert found.problem.problem == "not_json"
    else:
        assert found.problem == problem


def test_a_byte_order_mark_is_no_trouble() -> None:
    data = b"\xef\xbb\xbf" + json.dumps(WHOLE).encode()
    assert isinstance(parse_record("x", "0a0b0c0d", data, "memory"), Record)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1700000000", 1.7e9),
        ("1e400", 0.0),
        ("-1e400", 0.0),
        ("NaN", 0.0),
        ("1" + "0" * 400, 0.0),
        ("1e300", 0.0),
        ("-5", 0.0),
        ("true", 0.0),
        ('"1700000000"', 0.0),
        ("null", 0.0),
    ],
)
def test_a_time_that_no_calendar_shows_is_none(text: str, seconds: float) -> None:
    whole = json.dumps(WHOLE).replace("1700000000.25", text)
    found = parse_record("x", "0a0b0c0d", whole.encode(), "memory")
    assert isinstance(found, Record)
    assert found.created_at == seconds
    assert math.isfinite(found.created_at)


def test_half_a_character_is_named_where_it_is_shown_and_refused_where_it_would_be_written(
    desk: Desk, home: HermesHome
) -> None:
    data = json.dumps(WHOLE | {"origin": "a\ud800", "summary": "\udfff"})
    put(home, "0a0b0c0d.json", data.replace('"one"', '"\\ud800"'))
    (found,) = desk.queue.load().records
    assert (found.origin, found.summary) == ("a\\ud800", "\\udfff")
    assert desk.queue.approve(["0a0b0c0d"]).refused == (
        ("0a0b0c0d", Invalid("text", "surrogate", column=1)),
    )
    # Rejecting notes the origin in the journal.
    assert desk.queue.reject(["0a0b0c0d"]).done == (("0a0b0c0d", 1),)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(codec=None), max_size=8)
    | st.sampled_from(["memory", "user", "add", "replace", "remove", "batch", "one"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["action", "target", "content", "old_text", "operations", "matched_entry", "id"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)
RECORDS = st.fixed_dictionaries(
    {"id": st.just("0a0b0c0d") | JSON, "payload": JSON},
    optional=dict.fromkeys(("action", "summary", "origin", "created_at", "subsystem"), JSON),
)
PAYLOADS = st.fixed_dictionaries(
    {"target": st.sampled_from(["memory", "user"]) | JSON},
    optional={
        "action": st.sampled_from(["add", "replace", "remove", "batch"]) | JSON,
        "content": JSON,
        "old_text": JSON,
        "matched_entry": JSON,
        "operations": st.lists(JSON, max_size=3) | JSON,
    },
)
STATES: dict[str, MemoryState] = {}


def some_state() -> MemoryState:
    if not STATES:
        with tempfile.TemporaryDirectory() as folder:
            home = home_at(Path(folder) / "home", memory=b"one")
            with opened(home, Path(folder) / "data") as desk:
                STATES["one"] = desk.library.load("memory")
    return STATES["one"]


@given(RECORDS | PAYLOADS.map(lambda payload: WHOLE | {"payload": payload}))
def test_a_record_of_any_shape_is_shown_and_has_an_effect(raw: object) -> None:
    found = parsed(raw)
    if isinstance(found, UnusableRecord):
        assert isinstance(found.problem, REFUSALS)
        return
    assert (found.change is None) == (found.problem is not None)
    for text in (found.action, found.target, found.summary, found.origin):
        text.encode()
    effect = effect_of(found, some_state())
    assert effect.ok == (effect.refusal is None)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_record_or_said_to_be_none(data: bytes) -> None:
    found = parse_record("0a0b0c0d.json", "0a0b0c0d", data, "memory")
    assert isinstance(found, UnusableRecord)


# --- Files ----------------------------------------------------------------------------------


def problems(listing: Listing) -> dict[str, str]:
    return {
        Path(one.file).name: getattr(one.problem, "problem", one.problem.code)
        for one in listing.unreadable
    }


def test_an_empty_or_missing_folder_is_an_empty_queue(desk: Desk, home: HermesHome) -> None:
    assert desk.queue.load() == Listing((), ())
    assert desk.queue.count("memory") == 0
    home.pending("memory").mkdir(parents=True)
    assert desk.queue.load() == Listing((), ())


def test_every_file_of_the_queue_is_shown(desk: Desk, home: HermesHome, tmp_path: Path) -> None:
    put(home, "0a0b0c0d.json", json.dumps(WHOLE))
    put(home, "bad.json", "{")
    put(home, "other.json", json.dumps(WHOLE))
    put(home, "ünï çode.json", json.dumps(WHOLE | {"id": "ünï çode"}))
    put(home, ".json", json.dumps(WHOLE | {"id": ""}))
    (home.pending("memory") / "folder.json").mkdir()
    os.mkfifo(home.pending("memory") / "pipe.json")
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(WHOLE | {"id": "link"}))
    (home.pending("memory") / "link.json").symlink_to(outside)
    with (home.pending("memory") / "huge.json").open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    put(home, "0a0b0c0d.json.tmp", "half")
    put(home, ".0a0b0c0d_x.tmp", "half")
    listing = desk.queue.load()
    assert [found.id for found in listing.records] == ["0a0b0c0d"]
    assert problems(listing) == {
        "bad.json": "not_json",
        "other.json": "id_is_not_its_name",
        "ünï çode.json": "id_is_not_its_name",
        ".json": "id_is_not_its_name",
        "folder.json": "unreadable",
        "pipe.json": "unreadable",
        "link.json": "is_a_link",
        "huge.json": "too_large",
    }
    assert desk.queue.count("memory") == 9


def test_a_link_is_neither_shown_from_nor_removed(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(WHOLE))
    home.pending("memory").mkdir(parents=True)
    link = home.pending("memory") / "0a0b0c0d.json"
    link.symlink_to(outside)
    for handled in (desk.queue.approve(["0a0b0c0d"]), desk.queue.reject(["0a0b0c0d"])):
        assert handled.refused == (("0a0b0c0d", Invalid("record", "is_a_link")),)
    assert link.is_symlink()
    assert outside.exists()


def test_a_record_that_becomes_a_link_after_it_was_seen_is_left(
    desk: Desk, home: HermesHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(home, "0a0b0c0d.json", json.dumps(WHOLE))
    seen = desk.queue.find("0a0b0c0d")
    path.rename(tmp_path / "outside.json")
    path.symlink_to(tmp_path / "outside.json")
    monkeypatch.setattr(desk.queue, "find", lambda record_id: seen)
    for handled in (desk.queue.approve(["0a0b0c0d"]), desk.queue.reject(["0a0b0c0d"])):
        assert handled.refused == (("0a0b0c0d", Invalid("record", "is_a_link")),)
    assert (tmp_path / "outside.json").exists()


def test_a_folder_that_leads_out_of_the_home_is_not_followed(
    desk: Desk, home: HermesHome, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "0a0b0c0d.json").write_text(json.dumps(WHOLE))
    (home.path / "pending").mkdir()
    home.pending("memory").symlink_to(outside)
    assert problems(desk.queue.load()) == {"0a0b0c0d.json": "is_a_link"}
    assert desk.queue.find("0a0b0c0d") == Invalid("record", "is_a_link")
    staged = desk.queue.stage({"action": "add", "target": "memory", "content": "x"})
    assert staged == Invalid("record", "is_a_link")
    assert [path.name for path in outside.iterdir()] == ["0a0b0c0d.json"]


def test_a_home_behind_a_link_is_no_way_out(home: HermesHome, tmp_path: Path) -> None:
    put(home, "0a0b0c0d.json", json.dumps(WHOLE))
    link = tmp_path / "link"
    link.symlink_to(home.path)
    with opened(HermesHome(link, link, "default"), tmp_path / "data") as desk:
        assert [found.id for found in desk.queue.load().records] == ["0a0b0c0d"]


def test_a_file_in_place_of_the_folder_is_shown(desk: Desk, home: HermesHome) -> None:
    (home.path / "pending").mkdir()
    home.pending("memory").write_text("not a folder")
    listing = desk.queue.load()
    assert listing.records == ()
    (one,) = listing.unreadable
    assert one == UnusableRecord(
        str(home.pending("memory")), Unreadable(str(home.pending("memory")), "Not a directory")
    )
    assert listing.problem == one.problem
    assert desk.queue.count("memory") is None


def test_a_record_that_says_two_actions_is_listed_by_what_it_does_and_not_applied() -> None:
    removal = {"target": "memory", "action": "remove", "old_text": "one"}
    found = record(action="add", payload=removal)
    assert (found.action, found.change) == ("remove", None)
    assert found.problem == Unsupported("two_actions", "add")
    assert record(action=None, payload=removal).problem is None


def test_records_come_oldest_first_and_those_without_a_time_before(
    desk: Desk, home: HermesHome
) -> None:
    for name, at in (("b", 2.0), ("a", 3.0), ("c", None), ("d", 2.0)):
        put(home, f"{name}.json", json.dumps(WHOLE | {"id": name, "created_at": at}))
    assert [found.id for found in desk.queue.load().records] == ["c", "b", "d", "a"]


def test_ten_thousand_records_are_listed_in_seconds(desk: Desk, home: HermesHome) -> None:
    for number in range(10_000):
        put(home, f"{number:08x}.json", json.dumps(WHOLE | {"id": f"{number:08x}"}))
    start = time.monotonic()
    listing = desk.queue.load()
    took = time.monotonic() - start
    assert len(listing.records) == 10_000
    assert took < 20, f"{took:.1f} s"


@pytest.mark.parametrize("record_id", ["../memory/0a0b0c0d", "", "0a0b0c0d.json", "a/b", "\ud800"])
def test_an_id_is_never_a_path(desk: Desk, home: HermesHome, record_id: str) -> None:
    put(home, "0a0b0c0d.json", json.dumps(WHOLE))
    refused = desk.queue.find(record_id)
    assert isinstance(refused, REFUSALS)
    assert refused.code == "not_found"


# --- Several as one change ------------------------------------------------------------------


def test_several_records_are_one_batch_in_their_order() -> None:
    one = record()
    batch = record(
        payload={
            "target": "memory",
            "action": "batch",
            "operations": [{"action": "add", "content": "b"}, {"action": "add", "content": "c"}],
        }
    )
    assert joined([one]) == Add("one")
    assert joined([one, batch]) == Batch((Add("one"), Add("b"), Add("c")))


def test_a_record_that_asks_for_nothing_is_not_hidden_among_others() -> None:
    empty = record(payload={"target": "memory", "action": "batch", "operations": []})
    assert joined([record(), empty]) == Empty("operations")
