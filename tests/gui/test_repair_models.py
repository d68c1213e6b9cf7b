"""The draft of a repair, as a value: every edit keeps the names of the entries and every word."""

from __future__ import annotations

import pytest

from gui.models import repair
from gui.models.cards import Mark
from gui.models.repair import Work
from gui.widgets.lines import pieces, rows_of
from store.files import digest_of
from store.memory.plan import check_plan, plan_of
from store.memory.repair import propose

DATA = "one\n§\n\ntwo\n§\nthree\n§\none\n".encode()


def work_of(data: bytes = DATA, limit: int = 2200) -> Work:
    proposal = propose(data, limit=limit)
    assert proposal is not None
    return repair.begin(plan_of(proposal, target="memory", digest=digest_of(data)))


def texts(work: Work) -> list[str]:
    return [entry.text for entry in work.plan.entries]


def said(work: Work, row: int) -> list[str]:
    card = repair.entry_cards(work, None)[row]
    return [item.text for item in card.meta if isinstance(item, Mark)]


def test_entries_keep_their_keys_through_every_edit() -> None:
    work = work_of()
    assert work.keys == (0, 1, 2)
    work = repair.shift(work, 2, -1)
    assert (work.keys, texts(work)) == ((0, 2, 1), ["one", "three", "two"])
    work = repair.cut(work, 2, 2)
    assert (work.keys, texts(work)) == ((0, 2, 3, 1), ["one", "th", "ree", "two"])
    work = repair.rewrite(work, 3, "ree!")
    work = repair.join(work, 2)
    assert (work.keys, texts(work)) == ((0, 2, 1), ["one", "th\nree!", "two"])
    work = repair.leave_out(work, 0)
    assert (work.keys, texts(work)) == ((2, 1), ["th\nree!", "two"])
    assert [one.text for one in work.plan.dropped] == ["one", "one"]
    work = repair.take_in(work, 1)
    assert work.keys == (4, 2, 1)
    assert texts(work) == ["one", "th\nree!", "two"]
    assert len(set(work.keys)) == len(work.plan.entries)


@pytest.mark.parametrize(
    "edit",
    [
        lambda work: repair.shift(work, 0, -1),
        lambda work: repair.shift(work, 2, 1),
        lambda work: repair.join(work, 2),
        lambda work: repair.cut(work, 0, 0),
        lambda work: repair.cut(work, 0, 3),
        lambda work: repair.take_in(work, 7),
        lambda work: repair.leave_out(work, 99),
        lambda work: repair.rewrite(work, ("more",), "x"),
    ],
)
def test_an_edit_without_a_place_changes_nothing(edit: object) -> None:
    work = work_of()
    assert edit(work) is work  # type: ignore[operator]
    assert not work.is_edited


def test_an_entry_goes_to_the_other_file_and_back() -> None:
    work = repair.send(work_of(), 1)
    assert [entry.target for entry in work.plan.entries] == ["memory", "user", "memory"]
    assert "goes to User profile" in said(work, 1)
    assert not repair.send(work, 1).is_edited


def test_a_card_tells_what_was_done_by_whom() -> None:
    work = repair.rewrite(work_of(), 2, "drei")
    assert said(work, 0) == ["as it was"]
    assert said(work, 1) == ["blank lines or spaces around it removed"]
    assert said(work, 2) == ["changed by you"]
    assert not repair.rewrite(work, 2, "three").is_edited


def test_a_refused_entry_and_a_lost_word_are_told_apart() -> None:
    work = repair.rewrite(work_of(), 1, "  ")
    check = check_plan(work.plan, DATA, limit=2200)
    assert [line[:8] for line in repair.in_the_way(check)] == ["Entry 2:"]
    assert repair.warnings(check) == ["In the file, but in no entry (the copy keeps it): two."]


def test_what_a_bar_of_its_own_says_is_not_said_twice() -> None:
    work = work_of("用户喜欢简短的回答".encode("gbk"))
    check = check_plan(work.plan, "用户喜欢简短的回答".encode("gbk"), limit=2200)
    assert check.problems
    assert repair.in_the_way(check) == []


def test_a_long_list_comes_in_parts() -> None:
    data = "\n§\n".join(f"entry {number}" for number in range(2_500)).encode() + b"\n\n\xc2\xa7\n"
    work = work_of(data, limit=90_000)
    first = repair.entry_cards(work, None)
    assert len(first) == repair.SHOWN + 1
    assert first[-1].key == repair.MORE
    assert "2,100" in first[-1].text
    assert len(repair.entry_cards(work, None, 2_500)) == 2_500


def test_texts_of_any_length_are_compared() -> None:
    many = [f"line {number}" for number in range(20_000)]
    assert repair.compare("a\nb", "a\nc") == [("same", "a"), ("removed", "b"), ("added", "c")]
    lines = repair.compare("\n".join(many), "\n".join([*many[:9_000], "new", *many[9_000:]]))
    assert ("added", "new") in lines
    assert len(lines) < 10


# -- the file as rows --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "short", "a b " * 40, "x" * 95, "国" * 41, "国 and " * 20, "é" * 31 + " " + "国" * 30],
)
def test_a_long_line_is_broken_and_keeps_every_character(text: str) -> None:
    found = list(pieces(text, 30))
    assert "".join(found) == text
    assert all(sum(2 if letter == "国" else 1 for letter in piece) <= 30 for piece in found)


def test_a_note_stands_beside_its_line_or_below_it() -> None:
    rows = list(rows_of(["ab", "x" * 29], {1: "why", 2: "because"}, 30))
    assert [(row.number, row.text, row.note) for row in rows] == [
        (1, "ab", "why"),
        (2, "x" * 29, ""),
        (0, "", "because"),
    ]


def test_to_go_on_with_a_long_file_is_no_edit() -> None:
    work = work_of("\n".join(f"line {number} of the file" for number in range(20_000)).encode())
    (rest,) = work.plan.dropped
    assert repair.is_rest(work, 0)
    _, more = repair.go_on(work, 0, 2200)
    assert len(more.plan.entries) > len(work.plan.entries)
    assert not more.is_edited
    assert more.went_on
    assert repair.shift(more, more.keys[-1], -1).is_edited
    edited = repair.shift(work, 0, 1)
    _, more = repair.go_on(edited, 0, 2200)
    assert more.is_edited
    assert len(rest.text) > 100_000
