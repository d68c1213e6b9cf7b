"""What a note says, and how a text gets behind it: every byte that was there stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.knowledge.notes import (
    appended,
    is_conflict_copy,
    stands_in,
    taken_off,
    text_of,
    without_front_matter,
)

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).map(
    lambda text: text.replace("\r", "").strip("\n") or "x"
)
BEFORE = st.lists(
    st.one_of(
        st.sampled_from(["\n", "\r\n", "\r", "\n\n", "---\n", "---\ntags: [a]\n---\n", "- one\n"]),
        st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
    )
).map("".join)


@given(BEFORE, TEXTS, st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]), st.booleans())
def test_an_append_keeps_every_byte_and_adds_the_text_as_a_paragraph_of_its_own(
    before: str, text: str, encoding: str, mark: bool
) -> None:
    data = ("\ufeff" * mark + before).encode(encoding)
    after = appended(data, text, encoding)
    assert after.startswith(data)
    said = after.decode(encoding)
    tail = after[len(data) :].decode(encoding)
    assert tail.replace("\r\n", "\n").replace("\r", "\n").strip("\n") == text.strip("\n")
    # Where the last line had no end, it has none now.
    if before and not before.endswith(("\n", "\r")):
        assert not said.endswith(("\n", "\r"))
    assert taken_off(after, data, after) in (data, None)
    assert stands_in(after, data, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"new\n"),
        (b"a", b"a\n\nnew"),
        (b"a\n", b"a\n\nnew\n"),
        (b"a\n\n", b"a\n\nnew\n"),
        (b"a\r\nb", b"a\r\nb\r\n\r\nnew"),
        (b"a\r\nb\r\n", b"a\r\nb\r\n\r\nnew\r\n"),
        (b"a\nb\r\n", b"a\nb\r\n\r\nnew\r\n"),
        (b"a\rb\r", b"a\rb\r\rnew\r"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbfnew\n"),
        (b"\xef\xbb\xbfa", b"\xef\xbb\xbfa\n\nnew"),
        (b"---\ntags: [x]\n---\n", b"---\ntags: [x]\n---\n\nnew\n"),
        (b"- item\n  \n", b"- item\n  \nnew\n"),
    ],
)
def test_the_text_follows_the_line_ends_of_the_note(before: bytes, after: bytes) -> None:
    assert appended(before, "new", "utf-8") == after


def test_lines_of_the_text_get_the_line_ends_of_the_note() -> None:
    assert appended(b"a\r\n", "x\ny", "utf-8") == b"a\r\n\r\nx\r\ny\r\n"


def test_what_was_appended_can_be_taken_off_after_others_wrote() -> None:
    before = b"# Note\n"
    after = appended(before, "the entry", "utf-8")
    assert taken_off(b"# A new head\n" + after + b"more\n", before, after) == (
        b"# A new head\n# Note\nmore\n"
    )
    assert taken_off(b"# Note\nsomebody removed it\n", before, after) is None
    assert taken_off(after + b"\nthe entry\n", before, after) is None, "which one was it?"


@pytest.mark.parametrize(
    "stem",
    [
        "Plan.sync-conflict-20261023-101112-ABCDEFG",
        "Plan (conflicted copy 2026-10-23)",
        "Plan (Bob's conflicted copy 2026-10-23)",
        "Plan (Conflicted copy laptop 202610231011)",
        "Plan (conflict 2026-10-23-10-11-12)",
        "Plan_conflict-20261023-101112",
        "Plan (SFConflict bob@example.org 2026-10-23-10-11-12)",
        "计划 (Bob 的冲突副本 2026-10-23)",
        "计划（冲突 2026-10-23）",
        "Plan.conflict",
        "Plan (conflicted)",
    ],
)
def test_the_copies_that_programs_make_when_they_sync_are_known(stem: str) -> None:
    assert is_conflict_copy(stem)


@pytest.mark.parametrize(
    "stem",
    ["Conflict resolution", "Notes (conflict of interest)", "冲突管理", "Plan 2", "Plan (1)"],
)
def test_a_note_about_conflicts_is_no_such_copy(stem: str) -> None:
    assert not is_conflict_copy(stem)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("no heading", ("stem",)),
        ("# A heading #\n", ("stem", "A heading")),
        ("---\ntitle: 'The title'\naliases: [one, \"two\"]\n---\n# Head\n",
         ("stem", "The title", "one", "two", "Head")),
        ("---\naliases:\n  - first\n  - second\n---\n", ("stem", "first", "second")),
        ("---\nalias: only\n---\n", ("stem", "only")),
        ("---\nnever closed\ntitle: x\n", ("stem",)),
    ],
)  # fmt: skip
def test_a_note_is_called_by_its_file_its_title_its_aliases_and_its_heading(
    text: str, names: tuple[str, ...]
) -> None:
    said = text_of(text.encode(), "stem")
    assert said is not None
    assert said.names == names


def test_front_matter_ends_where_it_ends() -> None:
    assert without_front_matter("---\na: b\n---\ntext\n---\n") == "text\n---\n"
    assert without_front_matter("text\n---\na: b\n---\n") == "text\n---\na: b\n---\n"


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_are_no_text(data: bytes) -> None:
    said = text_of(data, "stem")
    assert said is None or ("\0" not in said.text and "\r" not in said.text)
