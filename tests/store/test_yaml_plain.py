"""The short way to read plain YAML gives what the agent's own reader gives, or nothing."""

from __future__ import annotations

import tarfile

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from store.yaml_plain import NOT_PLAIN, read_plain
from store.yaml_text import YamlText, parse, reader
from store.yaml_values import same
from tests.conftest import FIXTURE_HOME, ROOT

KEYS = ("memory", "a", "_b", "write_approval", "yes", "Null", "n", "7", "<<", "a b")
VALUES = (
    *("", "true", "True", "no", "null", "~", "[]", "{}", "[a]", "0", "-0", "7", "-12", "007"),
    *("1_000", "0x1f", "12:30", "2020-01-01", "1.5", "-0.0", "1.", ".5", "1.2.3", "1e3", "9" * 30),
    *("word", "two words", "x - y", "y", "Off", "http://127.0.0.1:9/v1", "/etc/x", "a: b", "a:"),
    *("'one'", "'it''s'", '"two # no"', '"\\x41"', "'open", "''", '"é—中"', "a#b", "a #b", "#c"),
    *("|", ">-", "&x 1", "*x", "!!str 1", "- 1", "%", "@x", "`", "<<", "=", "a, b", "é", "\x85"),
)
INDENTS = st.sampled_from(("", "", "  ", "  ", "    ", " ", "\t"))
ENDS = st.sampled_from(("", "", "", " ", " # why", "#no", " # \x85", " # \u2028x: 1", "\r", "\t"))
LINES = st.one_of(
    st.builds(
        "{}{}:{}{}{}".format,
        INDENTS,
        st.sampled_from(KEYS),
        st.sampled_from((" ", " ", "  ", "")),
        st.sampled_from(VALUES),
        ENDS,
    ),
    st.builds("{}- {}{}".format, INDENTS, st.sampled_from(VALUES), ENDS),
    st.sampled_from(("", "  ", "# ──", "   # a: 1", "---", "...", "-", "\ufeff", "? a", "x")),
)


def as_the_agent_reads(text: str) -> object:
    """What the agent makes of it; NOT_PLAIN if it refuses the file."""
    try:
        return yaml.load(text, reader()) or {}
    except (yaml.YAMLError, ValueError):
        return NOT_PLAIN


@settings(max_examples=1_000)
@given(st.lists(LINES, max_size=8).map("\n".join))
@example("a:\n- 1\n-  two words # why\nb:\n  c: 'x'\n\n  d:\n    e: -1.5\nf:\n")
@example("a: word\n  b: 1\n")
@example("a:\n  b:\n- 1\n")
@example("a:\n    b: 1\n  c: 1\n")
@example("a: 1\na: 2\n")
def test_what_is_read_is_what_the_agent_reads(text: str) -> None:
    found = read_plain(text)
    assert found is NOT_PLAIN or same(found, as_the_agent_reads(text))


@given(st.text(alphabet="a: -#'\"\n\t1.[]{}é\x85\u2028\ufeff", max_size=30))
def test_no_text_is_read_otherwise_than_by_the_agent(text: str) -> None:
    found = read_plain(text)
    assert found is NOT_PLAIN or same(found, as_the_agent_reads(text))


def test_the_usual_files_are_plain() -> None:
    with tarfile.open(FIXTURE_HOME) as archive:
        member = archive.extractfile("hermes-home/config.yaml")
        assert member is not None
        written = member.read().decode()
    sample = (ROOT / "resources" / "sample_home" / "config.yaml").read_text(encoding="utf-8")
    for text in (written, sample):
        assert same(read_plain(text), as_the_agent_reads(text))


@pytest.mark.parametrize("value", ["|", "&x 1", "[a, b]", "yes", "12:30", '"\\x41"', "a: b", "é"])
def test_anything_else_is_left_to_the_real_reader(value: str) -> None:
    assert read_plain(f"key: {value}\n") is NOT_PLAIN


def test_a_plain_file_knows_where_everything_stands() -> None:
    text = parse(b"memory:\n  write_approval: true\n")
    assert isinstance(text, YamlText)
    assert text.root is not None
    assert text.root.value[0][1].value[0][0].start_mark.line == 1
