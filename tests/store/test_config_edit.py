"""One key of a YAML file changes, and nothing else in it."""

from __future__ import annotations

import difflib

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from store.config_edit import set_in, unset_in
from store.refusals import Invalid, Unsupported
from store.yaml_text import YamlText, parse
from store.yaml_values import Scalar, at, has, render, same

LIMIT = ("memory", "limit")
PROVIDER = ("memory", "provider")
KEEP = ("curator", "backup", "keep")


def _parsed(text: str) -> YamlText:
    parsed = parse(text.encode())
    assert isinstance(parsed, YamlText), parsed
    return parsed


def _set(text: str, path: tuple[str, ...], value: Scalar) -> str:
    result = set_in(_parsed(text), path, value, newline="\n")
    assert isinstance(result, str), result
    return result


def _unset(text: str, path: tuple[str, ...]) -> str:
    result = unset_in(_parsed(text), path, newline="\n")
    assert isinstance(result, str), result
    return result


COMMENTED = """\
# my settings
model: x   # keep this
tools:
- a
-   b
memory:
    # how much
    limit: 2200   # characters
    provider: 'mem0'
list:
  - on: "yes"
# ── old ──
# memory:
#   limit: 1
"""


def test_only_the_line_of_the_key_differs_in_a_commented_file() -> None:
    changed = _set(COMMENTED, LIMIT, 3000)
    assert changed == COMMENTED.replace("limit: 2200   # characters", "limit: 3000   # characters")


def test_a_missing_key_goes_after_its_sections_last_one_indented_alike() -> None:
    changed = _set(COMMENTED, ("memory", "nudge_interval"), 5)
    assert changed == COMMENTED.replace(
        "    provider: 'mem0'\n", "    provider: 'mem0'\n    nudge_interval: 5\n"
    )


def test_a_missing_section_is_appended_indented_like_the_others() -> None:
    assert _set(COMMENTED, KEEP, 3) == COMMENTED + "curator:\n    backup:\n        keep: 3\n"


SET = [
    # an empty section in every spelling
    ("memory:\nx: 1\n", LIMIT, 5, "memory:\n  limit: 5\nx: 1\n"),
    ("memory: # note\nx: 1\n", LIMIT, 5, "memory: # note\n  limit: 5\nx: 1\n"),
    ("memory: null\n", LIMIT, 5, "memory:\n  limit: 5\n"),
    ("memory: ~  # note\n", LIMIT, 5, "memory:   # note\n  limit: 5\n"),
    ("memory: {}\n", LIMIT, 5, "memory: {limit: 5}\n"),
    ("memory:", LIMIT, 5, "memory:\n  limit: 5"),
    (
        "memory:\n  # all commented out\nx: 1\n",
        LIMIT,
        5,
        "memory:\n  limit: 5\n  # all commented out\nx: 1\n",
    ),
    # mappings in braces
    ("memory: {provider: a}\n", LIMIT, 5, "memory: {provider: a, limit: 5}\n"),
    ("memory: {provider: a,}\n", LIMIT, 5, "memory: {provider: a, limit: 5}\n"),
    ("memory: {limit: 1, x: 2} # c\n", LIMIT, 5, "memory: {limit: 5, x: 2} # c\n"),
    ("{memory: {x: 1}}\n", LIMIT, 5, "{memory: {x: 1, limit: 5}}\n"),
    ("{memory: null}\n", LIMIT, 5, "{memory: {limit: 5}}\n"),
    ("{a: 1}\n", KEEP, 3, "{a: 1, curator: {backup: {keep: 3}}}\n"),
    ("{}\n", LIMIT, 5, "{memory: {limit: 5}}\n"),
    ('{\n  "a": 1 # c\n}\n', LIMIT, 5, '{\n  "a": 1, memory: {limit: 5} # c\n}\n'),
    # files with nothing in them
    ("", LIMIT, 5, "memory:\n  limit: 5\n"),
    ("# nothing yet", LIMIT, 5, "# nothing yet\nmemory:\n  limit: 5"),
    ("---\n", LIMIT, 5, "---\nmemory:\n  limit: 5\n"),
    # document marks
    (
        "---\nmemory:\n  provider: a\n...\n",
        LIMIT,
        5,
        "---\nmemory:\n  provider: a\n  limit: 5\n...\n",
    ),
    ("a: 1\n# c\n...\n", LIMIT, 5, "a: 1\nmemory:\n  limit: 5\n# c\n...\n"),
    # the last line has no end, or the ends are of another system
    ("memory:\n  provider: a", LIMIT, 5, "memory:\n  provider: a\n  limit: 5"),
    ("memory:\r\n  provider: a\r\n", LIMIT, 5, "memory:\r\n  provider: a\r\n  limit: 5\r\n"),
    ("memory:\r  provider: a\r", LIMIT, 5, "memory:\r  provider: a\r  limit: 5\r"),
    ("x: 1\r\n", LIMIT, 5, "x: 1\r\nmemory:\r\n  limit: 5\r\n"),
    # odd blanks
    ("memory:\n  limit:\t1\n", LIMIT, 5, "memory:\n  limit:\t5\n"),
    ("memory:\n  limit:    \n", LIMIT, 5, "memory:\n  limit: 5    \n"),
    ("  memory:\n      provider: a\n", LIMIT, 5, "  memory:\n      provider: a\n      limit: 5\n"),
    (" a: 1\n", LIMIT, 5, " a: 1\n memory:\n   limit: 5\n"),
    # values written over several lines
    (
        "memory:\n  provider: >-\n    mem\n    zero\n  x: 1\n",
        PROVIDER,
        "a",
        "memory:\n  provider: a\n  x: 1\n",
    ),
    ('memory:\n  provider: "mem\n    zero" # c\n', PROVIDER, "a", 'memory:\n  provider: "a" # c\n'),
    (
        "memory:\n  note: |\n    text\n\n# c\nx: 1\n",
        LIMIT,
        5,
        "memory:\n  note: |\n    text\n  limit: 5\n\n# c\nx: 1\n",
    ),
    (
        "memory:\n  note: |+\n    text\n\n\nx: 1\n",
        LIMIT,
        5,
        "memory:\n  note: |+\n    text\n\n\n  limit: 5\nx: 1\n",
    ),
    (
        "memory:\r\n  note: |+\r\n    text\r\n\r\nx: 1\r\n",
        LIMIT,
        5,
        "memory:\r\n  note: |+\r\n    text\r\n\r\n  limit: 5\r\nx: 1\r\n",
    ),
    (
        "memory:\n  deep:\n  - a\n  - b: {c: 1} # end\n\n  # more\n\nx: 1\n",
        LIMIT,
        5,
        "memory:\n  deep:\n  - a\n  - b: {c: 1} # end\n  limit: 5\n\n  # more\n\nx: 1\n",
    ),
    # quotes stay, unless a number must be one
    ('memory:\n  provider: "a"\n', PROVIDER, "b", 'memory:\n  provider: "b"\n'),
    ("memory:\n  provider: a\n", PROVIDER, "no", "memory:\n  provider: 'no'\n"),
    ("memory:\n  provider: a\n", PROVIDER, "", "memory:\n  provider: ''\n"),
    ("memory:\n  provider: 'a'\n", PROVIDER, "it's", "memory:\n  provider: 'it''s'\n"),
    ("memory:\n  limit: '3000'\n", LIMIT, 3000, "memory:\n  limit: 3000\n"),
    ("memory:\n  limit: ${L}\n  p: ${P}\n", LIMIT, 5, "memory:\n  limit: 5\n  p: ${P}\n"),
    ("memory:\n  limit: [1, 2] # c\n", LIMIT, 5, "memory:\n  limit: 5 # c\n"),
    # the last of two is the one that counts
    ("memory:\n  limit: 1\n  limit: 2\n", LIMIT, 5, "memory:\n  limit: 1\n  limit: 5\n"),
    (
        "memory:\n  limit: 1\nmemory:\n  x: 2\n",
        LIMIT,
        5,
        "memory:\n  limit: 1\nmemory:\n  x: 2\n  limit: 5\n",
    ),
    # names for places
    ("b: &b 7\nmemory:\n  limit: *b # c\n", LIMIT, 5, "b: &b 7\nmemory:\n  limit: 5 # c\n"),
    (
        "b: &b {limit: 1}\nmemory:\n  <<: *b\n",
        LIMIT,
        5,
        "b: &b {limit: 1}\nmemory:\n  <<: *b\n  limit: 5\n",
    ),
    ("memory: &m\n  limit: 1\n", LIMIT, 5, "memory: &m\n  limit: 5\n"),
    (
        "é: '日本 😀'\nmemory:\n  limit: 1 # 限制 😀\n",
        LIMIT,
        5,
        "é: '日本 😀'\nmemory:\n  limit: 5 # 限制 😀\n",
    ),
    ('"memory":\n  "limit": 1\n', LIMIT, 5, '"memory":\n  "limit": 5\n'),
]


@pytest.mark.parametrize(("before", "path", "value", "after"), SET)
def test_setting_changes_exactly_this(
    before: str, path: tuple[str, ...], value: Scalar, after: str
) -> None:
    assert _set(before, path, value) == after


UNSET_CASES = [
    (COMMENTED, LIMIT, COMMENTED.replace("    limit: 2200   # characters\n", "")),
    ("memory:\n  limit: 1\nx: 1\n", LIMIT, "memory:\nx: 1\n"),
    ("memory:\n  limit: 1", LIMIT, "memory:\n"),
    ("memory:\r\n  limit: 1\r\n  x: 1\r\n", LIMIT, "memory:\r\n  x: 1\r\n"),
    ("memory:\n  provider: |\n    a\n    b\n\n# c\nx: 1\n", PROVIDER, "memory:\n\n# c\nx: 1\n"),
    ("memory:\n  limit: 1\n  x: 2\n  limit: 3\n", LIMIT, "memory:\n  x: 2\n"),
    ("memory: {limit: 1}\n", LIMIT, "memory: {}\n"),
    ("memory: {limit: 1, x: 2}\n", LIMIT, "memory: {x: 2}\n"),
    ("memory: {x: 2, limit: 1}\n", LIMIT, "memory: {x: 2}\n"),
    ("memory: {x: 2, limit: 1, }\n", LIMIT, "memory: {x: 2 }\n"),
    (
        "curator:\n  backup:\n    keep: 3\n  enabled: no\n",
        KEEP,
        "curator:\n  backup:\n  enabled: no\n",
    ),
    ("memory:\n  x: 1\n", LIMIT, "memory:\n  x: 1\n"),
    ("memory: text\n", LIMIT, "memory: text\n"),
    ("", LIMIT, ""),
]


@pytest.mark.parametrize(("before", "path", "after"), UNSET_CASES)
def test_unsetting_removes_exactly_this(before: str, path: tuple[str, ...], after: str) -> None:
    assert _unset(before, path) == after


@pytest.mark.parametrize(
    ("text", "line"),
    [("x: 1\nmemory: text\n", 2), ("memory:\n- a\n", 2), ("memory: [a]\n", 1), ("memory: 5\n", 1)],
)
def test_a_section_that_is_no_mapping_is_named_with_its_line(text: str, line: int) -> None:
    refused = set_in(_parsed(text), LIMIT, 5, newline="\n")
    assert isinstance(refused, Invalid)
    assert (refused.what, refused.problem, refused.line) == ("memory", "not_a_section", line)


def test_a_block_of_values_is_not_thrown_away_for_one_value() -> None:
    text = "memory:\n  provider:\n    mem0: {}\n    # note\n"
    refused = set_in(_parsed(text), PROVIDER, "a", newline="\n")
    assert isinstance(refused, Invalid)
    assert (refused.problem, refused.line) == ("not_a_single_value", 3)


@pytest.mark.parametrize(
    "text",
    [
        "base: &b\n  x: 1\nmemory: *b\n",
        "memory: &m\n  limit: 1\nother: *m\n",
        "memory:\n  limit: &l 1\nother: *l\n",
        "b: &b {memory: {x: 1}}\n<<: *b\n",
    ],
)
def test_a_place_that_stands_for_several_is_left_alone(text: str) -> None:
    assert isinstance(set_in(_parsed(text), LIMIT, 5, newline="\n"), Unsupported)


@pytest.mark.parametrize(
    "text",
    [
        "b: &b\n  limit: 1\nmemory: *b\n",
        "b: &b\n  limit: 1\nmemory:\n  <<: *b\n",
        "memory: &m\n  limit: 1\nother: *m\n",
        "memory:\n  ? limit\n  : 1\n  ? x\n  : 2\n",
    ],
)
def test_a_value_that_comes_from_elsewhere_is_not_unset_here(text: str) -> None:
    result = unset_in(_parsed(text), LIMIT, newline="\n")
    if isinstance(result, str):
        assert _parsed(result).data == {"memory": {"x": 2}}
    else:
        assert isinstance(result, Unsupported)


def test_half_a_surrogate_pair_is_refused() -> None:
    refused = set_in(_parsed(""), PROVIDER, "\ud800", newline="\n")
    assert isinstance(refused, Invalid)


def test_a_value_that_contains_itself_is_left_alone() -> None:
    text = "loop: &l [*l]\nmemory:\n  x: 1\n"
    assert isinstance(set_in(_parsed(text), LIMIT, 5, newline="\n"), Unsupported)


# --- Laws -----------------------------------------------------------------------------------

scalars = st.one_of(
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(),
    st.none(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(["no", "on", "~", "12:30", "1e3", "0x1", "1_000", "=", "-", "a: b", "x #"]),
)


@given(scalars, st.sampled_from([None, "'", '"', "|"]))
def test_every_value_that_is_written_reads_back_as_itself(value: Scalar, style: str | None) -> None:
    written = render(value, style=style)
    # The pure reader must agree: Hermes falls back on it where there is no libyaml.
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        assert same(yaml.load(f"a: {written}\n", loader), {"a": value})
        assert same(yaml.load(f"[{written}]\n", loader), [value])


_names = st.sampled_from(["model", "memory", "skills", "curator", "zeta", "'quoted'", "名"])
_keys = st.sampled_from(["limit", "provider", "x", "nudge_interval", "on"])
_simple = st.sampled_from(
    [
        "1",
        "2200",
        "'no'",
        '"a # b"',
        "plain text",
        "${KEY}",
        "[a, b]",
        "{a: 1}",
        "",
        "~",
        "no",
        "日本",
    ]
)
_comment = st.sampled_from(["", "", "   # note", " # 'x: {'"])
_between = st.sampled_from([[], [], ["# remark: x"], [""], ["   # far right"]])


@st.composite
def _section(draw: st.DrawFn) -> list[str]:
    name, step = draw(_names), draw(st.sampled_from([1, 2, 4]))
    kind = draw(st.sampled_from(["block"] * 3 + ["list", "plain", "empty", "flow", "text"]))
    comment = draw(_comment)
    if kind == "plain":
        return [f"{name}: {draw(_simple)}{comment}"]
    if kind == "empty":
        return [f"{name}:{comment}"]
    if kind == "flow":
        return [f"{name}: {{{draw(_keys)}: {draw(st.sampled_from(['1', 'a', '[b]']))}}}{comment}"]
    if kind == "text":
        return [f"{name}: |{draw(st.sampled_from(['', '-', '+']))}", "  one", "", "  two", ""]
    if kind == "list":
        pad = " " * draw(st.sampled_from([0, step]))
        return [f"{name}:{comment}", f"{pad}- a", f"{pad}-   b: 1"]
    lines = [f"{name}:{comment}"]
    for key in draw(st.lists(_keys, min_size=1, max_size=3)):
        lines += draw(_between)
        lines.append(f"{' ' * step}{key}: {draw(_simple)}{draw(_comment)}")
    return lines


@st.composite
def documents(draw: st.DrawFn) -> str:
    lines: list[str] = draw(st.sampled_from([[], ["---"], ["# top", ""]]))
    lines = list(lines)
    for section in draw(st.lists(_section(), max_size=4)):
        lines += section + draw(_between)
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return end.join(lines) + draw(st.sampled_from(["", end]))


_paths = st.sampled_from([LIMIT, PROVIDER, ("memory", "nudge_interval"), KEEP, ("skills", "x")])


@given(documents(), _paths, scalars)
def test_a_set_value_is_read_back_and_only_its_lines_differ(
    text: str, path: tuple[str, ...], value: Scalar
) -> None:
    parsed = parse(text.encode())
    if not isinstance(parsed, YamlText):
        return
    result = set_in(parsed, path, value, newline="\n")
    if not isinstance(result, str):
        _check_refusal(parsed, path, result)
        return
    after = _parsed(result)
    assert same(at(after.data, path), value)
    # Everything else means what it meant.
    undone = unset_in(after, path, newline="\n")
    if not has(parsed.data, path) and isinstance(undone, str):
        _same_but_for_nulls(_parsed(undone).data, parsed.data, path)
    old, new = text.splitlines(keepends=True), result.splitlines(keepends=True)
    removed, added = _difference(old, new)
    was_there = has(parsed.data, path)
    assert len(removed) <= 1 + ("\n" not in text[-1:])
    assert len(added) - len(removed) <= (0 if was_there else len(path))


def _check_refusal(parsed: YamlText, path: tuple[str, ...], refused: object) -> None:
    """Only a section or value that is no such thing may stand in the way."""
    if isinstance(refused, Unsupported) and "|" in parsed.text and parsed.text[-1] != "\n":
        return  # a text block that ends with the file: a line after it would give it a line end
    assert isinstance(refused, Invalid), refused
    for depth in range(1, len(path)):
        if has(parsed.data, path[:depth]) and at(parsed.data, path[:depth]) is not None:
            section = at(parsed.data, path[:depth])
            if not isinstance(section, dict):
                assert refused.problem == "not_a_section"
                return
    assert isinstance(at(parsed.data, path), dict | list)


def _same_but_for_nulls(one: object, other: object, path: tuple[str, ...]) -> None:
    assert isinstance(one, dict)
    assert isinstance(other, dict)
    for key in {*one, *other}:
        if key == path[0]:
            mine, theirs = one.get(key) or {}, other.get(key) or {}
            kept = {name: value for name, value in mine.items() if name != "backup"}
            assert same(kept, {n: v for n, v in theirs.items() if n != "backup"})
        else:
            assert same(one[key], other[key])


def _difference(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    lines = list(difflib.ndiff(old, new))
    return (
        [line[2:] for line in lines if line.startswith("- ")],
        [line[2:] for line in lines if line.startswith("+ ")],
    )
