"""From bytes to entries and back, as the agent does it (hermes-formats §2.1, §2.10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.memory.entries import (
    DELIMITER,
    Document,
    Entry,
    Undecodable,
    agent_pieces,
    clean,
    decode,
    delimiter_line,
    encode,
    parse,
    serialise,
)

HEADER = "<!-- hermes-memory-identities:v1 -->\n"
A = '<!-- hermes-memory-entry:{"id":"a1","target":"memory","scope":"all"} -->\n'
B = '<!-- hermes-memory-entry:{"id":"b2","target":"memory","scope":"all"} -->\n'

LINES = st.text(alphabet="ab §\u3000\u00a0项\t-{}<>!\x1c", max_size=12)
TEXTS = (
    st.lists(LINES, min_size=1, max_size=4)
    .map("\n".join)
    .map(clean)
    .filter(lambda text: bool(text) and delimiter_line(text) is None)
)
IDENTITIES = st.sampled_from(("", A, B, A + B))
ENTRIES = st.builds(Entry, TEXTS, IDENTITIES)
DOCUMENTS = st.builds(
    Document, st.lists(ENTRIES, max_size=6).map(tuple), st.sampled_from(("", HEADER))
)


def read(data: bytes) -> tuple[str, ...]:
    text = decode(data)
    assert isinstance(text, str)
    return parse(text).texts


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"one\r\n\xc2\xa7\r\ntwo\r\n\xc2\xa7\r\nthree", ("one", "two", "three")),
        (b"one\r\xc2\xa7\rtwo", ("one", "two")),
        (b"", ()),
        (b" \n\t ", ()),
        ("one\n§\n\n§\ntwo".encode(), ("one", "two")),
        ("\u3000one\u00a0\n§\n\x1ctwo\x1f".encode(), ("one", "two")),
        ("see § 12, and\na § b".encode(), ("see § 12, and\na § b",)),
        ("§\na".encode(), ("§\na",)),
        ("a\n§".encode(), ("a\n§",)),
        ("\ufeffone\n§\ntwo".encode(), ("one", "two")),
        ("one\n§\n\ufefftwo".encode(), ("one", "\ufefftwo")),
        ("one\n§\none".encode(), ("one", "one")),
    ],
)
def test_a_file_is_read_as_the_agent_reads_it(data: bytes, texts: tuple[str, ...]) -> None:
    assert read(data) == texts


@pytest.mark.parametrize(
    ("data", "byte", "utf16"),
    [
        (b"User prefers caf\xe9 mode", 16, False),
        ("用户".encode("gbk"), 0, False),
        (b"good text\xd1 and more", 9, False),
        ("wide".encode("utf-16"), 0, True),
        (b"\xed\xa0\x80", 0, False),
    ],
)
def test_bytes_that_are_not_utf_8_are_told_by_their_place(
    data: bytes, byte: int, utf16: bool
) -> None:
    assert decode(data) == Undecodable(byte, utf16)


@given(st.binary(max_size=200))
def test_any_bytes_are_either_text_or_undecodable(data: bytes) -> None:
    text = decode(data)
    if isinstance(text, str):
        assert "\r" not in text
        assert all(entry == entry.strip() for entry in parse(text).texts)
    else:
        assert 0 <= text.byte < len(data)


@given(DOCUMENTS)
def test_what_is_written_reads_back_the_same(document: Document) -> None:
    assert parse(serialise(document)) == document


@given(DOCUMENTS, st.sampled_from(("\n", "\r\n")))
def test_the_line_end_of_the_system_makes_no_difference_to_reading(
    document: Document, newline: str
) -> None:
    data = encode(document, newline)
    assert b"\r\n" in data or newline == "\n" or b"\n" not in data
    text = decode(data)
    assert isinstance(text, str)
    assert parse(text) == document


@given(st.lists(TEXTS, max_size=6))
def test_without_comments_our_entries_are_the_agents(texts: list[str]) -> None:
    text = DELIMITER.join(texts)
    assert parse(text).deduplicated().texts == agent_pieces(text)


def test_duplicates_are_dropped_and_the_first_is_kept() -> None:
    document = parse("b\n§\na\n§\nb\n§\nc\n§\na")
    assert document.deduplicated().texts == ("b", "a", "c")


def test_nothing_left_is_written_as_nothing() -> None:
    assert encode(Document(), "\n") == b""


# --- Identity comments ----------------------------------------------------------------------


def test_identity_comments_are_not_part_of_the_text() -> None:
    document = parse(f"{HEADER}{A}one\n§\n{B}two\nlines\n§\nthree")
    assert document.texts == ("one", "two\nlines", "three")
    assert [entry.identity for entry in document.entries] == [A, B, ""]
    assert document.has_identities


def test_the_agent_counts_comments_as_text_and_so_do_we() -> None:
    text = f"{HEADER}{A}one\n§\n{B}two"
    assert DELIMITER.join(agent_pieces(text)) == serialise(parse(text)) == text


def test_a_comment_ends_at_its_own_line() -> None:
    (entry,) = parse(A.rstrip() + ' set it to {"x": 1} --> done').entries
    assert entry.text == 'set it to {"x": 1} --> done'


def test_a_comment_without_a_text_is_a_text() -> None:
    assert parse(A).texts == (A.strip(),)


def test_a_header_of_its_own_stays_one() -> None:
    alone = parse(HEADER)
    assert alone.texts == ()
    assert serialise(alone) == HEADER.strip()
    filled = alone.having((Entry("one"),))
    assert parse(serialise(filled)) == filled
    emptied = parse(serialise(filled)).having(())
    assert parse(serialise(emptied)).texts == ()


def test_entries_of_the_same_text_but_other_identities_are_two() -> None:
    document = parse(f"{A}one\n§\n{B}one\n§\n{A}one")
    assert [entry.identity for entry in document.deduplicated().entries] == [A, B]


# --- Given texts ----------------------------------------------------------------------------


def test_a_given_text_is_stripped_and_has_lf() -> None:
    assert clean(" \u3000one\r\ntwo\rthree\n\u00a0") == "one\ntwo\nthree"


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\n§\nb", 2), ("foo\n§", 2), ("§\nbar", 1), ("§", 1), ("a § b", None), (" §\nx", None)],
)
def test_a_line_that_is_only_the_mark_is_found(text: str, line: int | None) -> None:
    assert delimiter_line(text) == line
