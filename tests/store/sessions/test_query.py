"""What a person types, as a value: nothing is refused, and it means what it looks like."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.sessions.candidates import (
    loose_expression,
    piece_expression,
    scan_condition,
    word_expression,
)
from store.sessions.matching import Matcher
from store.sessions.query import (
    LONGEST,
    AllOf,
    AnyOf,
    Node,
    Piece,
    Query,
    Without,
    Word,
    leaves,
    parse,
    relaxed,
)

A, B, C, D = (Word(one) for one in "abcd")


@pytest.mark.parametrize(
    ("typed", "node"),
    [
        ("a", A),
        ("a b", AllOf((A, B))),
        ("a AND b", AllOf((A, B), typed=True)),
        ("a OR b", AnyOf((A, B))),
        ("a NOT b", Without(A, B)),
        ("a AND NOT b", Without(A, B)),
        ("a b OR c", AnyOf((AllOf((A, B)), C))),
        ("a OR b AND c", AnyOf((A, AllOf((B, C), typed=True)))),
        ("a NOT b c", Without(A, AllOf((B, C)))),
        ("a AND b NOT c OR d", AnyOf((AllOf((A, Without(B, C)), typed=True), D))),
        ('"a b"', Word("a b")),
        ('"a b" c', AllOf((Word("a b"), C))),
        ("deploy*", Word("deploy", prefix=True)),
        ('"to deploy"*', Word("to deploy", prefix=True)),
        ("a*b", AllOf((Word("a", prefix=True), B))),
        ("**a", A),
        ("chat-send", Word("chat-send")),
        ("my_app.config", Word("my_app.config")),
        ("C++", Word("C")),
        ("std::vector", AllOf((Word("std"), Word("vector")))),
        ("hello, world!", AllOf((Word("hello"), Word("world")))),
        ("--force", Piece("--force")),
        ("100%", Piece("100%")),
        ("->", Piece("->")),
        ("/usr/local/bin", Piece("/usr/local/bin")),
        ("大别山项目", Piece("大别山项目")),
        ("桂林，阳朔？", AllOf((Piece("桂林"), Piece("阳朔")))),
        ("大别山*", Piece("大别山")),
        ("a 桂林", AllOf((Piece("a"), Piece("桂林")))),
        ("수첩", Piece("수첩")),
        ("メモ", Piece("メモ")),
        ("AND", Word("AND")),
        ("and", Word("and")),
        ("salt and pepper", AllOf((Word("salt"), Word("and"), Word("pepper")))),
        ("", None),
        (' " ', None),
        ("()", Piece("()")),
    ],
)
def test_a_query_means(typed: str, node: Node | None) -> None:
    assert parse(typed).node == node


@pytest.mark.parametrize(
    ("typed", "node", "left_out"),
    [
        ("NOT a", A, ("NOT",)),
        ("a OR", A, ("OR",)),
        ("AND OR a NOT", A, ("AND", "OR", "NOT")),
        ("a OR AND b", AllOf((A, B), typed=True), ("OR",)),
        ("not a", A, ("not",)),
        ("OR not a", AllOf((Word("not"), A)), ("OR",)),
    ],
)
def test_an_operator_beside_nothing_is_left_out_and_said(
    typed: str, node: Node, left_out: tuple[str, ...]
) -> None:
    found = parse(typed)
    assert (found.node, found.left_out) == (node, left_out)


def test_marks_between_words_only_make_a_text_the_better_one() -> None:
    assert parse("a -> b") == Query(AllOf((A, B)), exact=("->",))
    assert parse("“ 桂林 。 NOT 😀").node == Piece("桂林")
    assert parse("-> 😀").node == AllOf((Piece("->"), Piece("😀")))


def test_what_was_typed_with_marks_is_remembered() -> None:
    assert parse("C++ and .env").exact == ("C++", ".env")
    assert parse("plain words").exact == ()
    assert parse('"two words"').exact == ("two words",)


def test_a_very_long_query_is_cut() -> None:
    found = parse("a " * LONGEST)
    assert found.cut
    assert isinstance(found.node, AllOf)
    assert len(found.node.parts) == LONGEST // 2


def test_only_words_with_blanks_between_may_be_any_of_them() -> None:
    wider = relaxed(parse("a b"))
    assert wider is not None
    assert wider.node == AnyOf((A, B))
    assert relaxed(parse("a AND b")) is None
    assert relaxed(parse("a")) is None
    assert relaxed(parse("a NOT b")) is None


@pytest.fixture(scope="module")
def index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE TABLE messages(content, tool_name, tool_calls)")
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(content)")
    connection.execute("CREATE VIRTUAL TABLE grams USING fts5(content, tokenize='trigram')")
    return connection


_PARTS = st.sampled_from(
    [
        *('"', "*", "(", ")", ":", "^", "+", "-", "AND", "OR", "NOT", "NEAR", "{", "}", "'", "%"),
        *("\\", " ", "_", ".", "a", "ab", "abc", "é", "桂", "桂林", "大别山", "ก", "😀"),
        *("\0", "\ud800", "；", ";"),
    ]
)


@given(st.lists(_PARTS, max_size=12).map("".join) | st.text(max_size=30))
def test_nothing_that_can_be_typed_is_a_syntax_error(index: sqlite3.Connection, typed: str) -> None:
    query = parse(typed)
    matcher = Matcher(query)
    matcher.fits(matcher.fold(typed))
    matcher.snippet(typed)
    if query.node is None:
        return
    assert leaves(query.node)
    condition, values = scan_condition(query.node)
    index.execute(f"SELECT 1 FROM messages m WHERE {condition}", values).fetchall()
    for table, expression in (
        ("words", word_expression(query.node)),
        ("grams", piece_expression(query.node)),
        ("grams", loose_expression(query.node)),
    ):
        if expression is not None:
            index.execute(f"SELECT 1 FROM {table} WHERE {table} MATCH ?", (expression,)).fetchall()


@given(st.text(alphabet='ab桂林 *"-.', max_size=12), st.text(alphabet="ab桂林 -.", max_size=20))
def test_a_scan_never_leaves_out_what_fits(
    index: sqlite3.Connection, typed: str, text: str
) -> None:
    query = parse(typed)
    matcher = Matcher(query)
    if query.node is None or not matcher.fits(matcher.fold(text)):
        return
    condition, values = scan_condition(query.node)
    found = index.execute(
        f"SELECT 1 FROM (SELECT ? AS content, NULL AS tool_name, NULL AS tool_calls) m"
        f" WHERE {condition}",
        (text, *values),
    ).fetchall()
    assert found, (typed, text)
