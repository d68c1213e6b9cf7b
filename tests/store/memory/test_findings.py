"""What is wrong with a file, where, and what the agent would have lost (hermes-formats §2.6)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from store.memory.drift import signals
from store.memory.entries import DELIMITER, agent_pieces
from store.memory.findings import (
    CopyOfBroken,
    NotUtf8,
    OversizeEntry,
    RoundTrip,
    WouldLose,
    explain,
)

SCRAPS = st.sampled_from(
    ("a", "b c", "§", " ", "\t", "\n", "\n\n", "\n§\n", "§\n", "\n§", "\u3000")
)
texts = st.lists(SCRAPS, max_size=30).map("".join)


def test_a_file_in_order_has_no_findings() -> None:
    assert explain("one\n§\ntwo\n".encode(), limit=100, copies=("MEMORY.md.bak.1",)) == ()


def test_a_blank_line_before_a_delimiter_is_named_with_what_the_agent_would_write() -> None:
    first, loss = explain("\none\nmore\n\n§\ntwo".encode(), limit=100)
    assert first == RoundTrip(4, "", "§")
    assert loss == WouldLose(blank_lines=1, marks=0, trimmed=(), duplicates=())


def test_everything_that_a_write_of_the_agent_would_drop_is_counted() -> None:
    text = "one \n§\n\n  two\n§\n\n§\none\n§\n   three\n\n§\n"
    first, loss = explain(text.encode(), limit=100)
    assert first == RoundTrip(1, "one ", "one")
    assert loss == WouldLose(blank_lines=3, marks=2, trimmed=(1, 4, 10), duplicates=("one",))


def test_each_entry_over_the_limit_is_named_by_its_lines() -> None:
    text = "\n# a\nlong text\n§\nshort\n§\nlong as well\n"
    assert explain(text.encode(), limit=8) == (
        OversizeEntry((2, 3), 13, 8),
        OversizeEntry((7, 7), 12, 8),
    )


def test_bytes_that_the_agent_cannot_read_are_named_with_their_line_and_a_guess() -> None:
    assert explain(b"one\ncaf\xe9 two", limit=100) == (NotUtf8(7, 2, "cp1252"),)


def test_a_backup_with_the_same_bytes_is_said_to_be_the_broken_file_itself() -> None:
    found = explain("one\n\n§\ntwo".encode(), limit=100, copies=("MEMORY.md.bak.7",))
    assert found[-1] == CopyOfBroken(("MEMORY.md.bak.7",))


@given(texts, st.sampled_from((1, 4, 100)))
def test_there_is_a_finding_for_each_test_that_fails_and_for_no_other(
    text: str, limit: int
) -> None:
    names = {RoundTrip: "round_trip", OversizeEntry: "entry_over_limit"}
    found = {names[type(one)] for one in explain(text.encode(), limit=limit) if type(one) in names}
    assert found == set(signals(text, limit))


@given(texts)
def test_the_named_line_is_the_first_that_differs(text: str) -> None:
    for found in explain(text.encode(), limit=100):
        if isinstance(found, RoundTrip):
            lines = text.split("\n")
            above = text[: len(text) - len(text.lstrip())].count("\n")
            pieces = [piece.strip() for piece in text.split(DELIMITER) if piece.strip()]
            written = DELIMITER.join(pieces).split("\n")
            assert lines[found.line - 1].strip() == found.found.strip()
            before = [line.strip() for line in lines[above : found.line - 1]]
            while before and len(before) > len(written) and not before[-1]:
                before.pop()
            assert before == [line.strip() for line in written[: len(before)]]
            assert found.found != found.agent


@given(texts)
def test_what_would_be_lost_makes_up_the_difference_in_lines(text: str) -> None:
    for found in explain(text.encode(), limit=100):
        if isinstance(found, WouldLose):
            repeats = sum(one.count("\n") + 2 for one in found.duplicates)
            kept = DELIMITER.join(agent_pieces(text)).split("\n") if agent_pieces(text) else []
            gone = found.blank_lines + found.marks + repeats
            assert len(text.strip().split("\n")) == len(kept) + gone
