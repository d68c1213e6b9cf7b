"""Whether the agent would refuse a file, and what else is odd about it (hermes-formats §2.6)."""

from __future__ import annotations

import pytest

from store.memory.drift import notices, signals
from store.memory.entries import decode

HEADING = "## A\n" + "text " * 300 + "\n## B\n" + "text " * 300


@pytest.mark.parametrize(
    "text",
    [
        "one\n\n§\n\ntwo",
        "one\n§\n two",
        "one \n§\ntwo",
        "one\n§\n\n§\ntwo",
        "one\n§\n",
        "\n§\none",
    ],
)
def test_spacing_that_would_not_come_back_is_drift(text: str) -> None:
    assert signals(text, 2200) == ("round_trip",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        "one",
        "\n one\n§\ntwo \n\n",
        "one\n§\none",
        "\ufeffone\n§\ntwo",
        "§\none",
        "one\n§",
        "a § b\n§\nc",
    ],
)
def test_what_the_agent_takes_is_no_drift(text: str) -> None:
    assert signals(text, 2200) == ()


def test_one_entry_larger_than_the_whole_budget_is_drift() -> None:
    assert signals(HEADING, 2200) == ("entry_over_limit",)
    assert signals(HEADING, len(HEADING)) == ()
    assert signals(f"\n§\n{HEADING}", 2200) == ("round_trip", "entry_over_limit")


def test_many_entries_over_the_budget_are_no_drift() -> None:
    assert signals("\n§\n".join(f"entry {n}" for n in range(400)), 2200) == ()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"one", ()),
        (b"", ()),
        (b"one\r\n", ("crlf",)),
        (b"\xef\xbb\xbfone", ("bom",)),
        ("one\n§\none".encode(), ("duplicates",)),
        (b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n", ("conflict_markers",)),
        (b"a\n=======\nb", ()),
        ("§\none".encode(), ("edge_delimiter",)),
        ("one\n§".encode(), ("edge_delimiter",)),
        ("§".encode(), ("edge_delimiter",)),
        (b"<!-- hermes-memory-identities:v1 -->\none", ("identity_comments",)),
        (b"caf\xe9", ("invalid_utf8",)),
        ("one".encode("utf-16"), ("utf16",)),
    ],
)
def test_what_is_odd_about_a_file_is_noticed(data: bytes, found: tuple[str, ...]) -> None:
    assert notices(data, decode(data)) == found


def test_an_empty_file_never_drifts() -> None:
    assert signals("", -1) == ()
    assert signals("\n", 0) == ()
