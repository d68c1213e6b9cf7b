"""Repair of a file a thousand times as long as a memory: the first part at once, nothing lost."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.files import digest_of
from store.memory import encodings
from store.memory.drift import signals
from store.memory.encodings import read_text
from store.memory.entries import decode, fold_line_ends
from store.memory.findings import NoMemory, explain, kind_of_text
from store.memory.plan import check_plan, continued, fitting, plan_of
from store.memory.repair import BEYOND, PART, Proposal, propose

LIMIT = 2_200
WORDS = "The build machine number {} is named larch and uses ruff."
LINES = "\n".join(WORDS.format(number) for number in range(12_000))
ONE_LINE = " ".join(WORDS.format(number) for number in range(12_000))
SPACED = "\n\n§\n\n".join(WORDS.format(number) for number in range(12_000))
LIST = "\n§\n".join(WORDS.format(number) for number in range(12_000))
CHINESE = "\n".join(f"第{number}台服务器的名字是落叶松，部署需要网络。" for number in range(20_000))


def proposed(data: bytes) -> Proposal:
    proposal = propose(data, limit=LIMIT)
    assert proposal is not None
    return proposal


LONG = pytest.mark.parametrize(
    "data",
    [
        pytest.param(LINES.encode(), id="lines"),
        pytest.param(ONE_LINE.encode(), id="one line"),
        pytest.param(SPACED.encode(), id="blank lines around the delimiters"),
        pytest.param(LINES.replace("\n", "\r\n").encode(), id="CRLF"),
        pytest.param(CHINESE.encode("gbk"), id="GBK"),
        pytest.param(LINES.encode("utf-16"), id="UTF-16"),
        pytest.param(LINES.encode() + b"\xff", id="a stray byte"),
    ],
)


@LONG
def test_the_first_part_becomes_entries_and_the_rest_is_named_as_it_stands(data: bytes) -> None:
    proposal = proposed(data)
    (rest,) = [one for one in proposal.dropped if one.why == BEYOND]
    decoding = read_text(data)
    assert decoding is not None
    text = decoding.text.rstrip()
    assert text.endswith(rest.text)
    head = text.removesuffix(rest.text)
    assert PART // 2 <= len(head) <= PART
    assert rest.lines[0] == head.count("\n") + 1
    assert rest.lines[1] == text.count("\n") + 1
    assert set(head.replace("§", "").split()) <= set(proposal.text.split())
    assert signals(proposal.text, LIMIT) == ()


@LONG
def test_going_on_to_the_end_gives_every_word_and_no_rest(data: bytes) -> None:
    plan = plan_of(proposed(data), target="memory", digest=digest_of(data), agreed=True)
    while True:
        before = len(plan.entries)
        rests = [n for n, one in enumerate(plan.dropped) if one.why == BEYOND]
        if not rests:
            break
        plan = continued(plan, rests[0], limit=LIMIT)
        assert len(plan.entries) > before
    check = check_plan(plan, data, limit=LIMIT)
    assert (check.problems, check.lost, plan.dropped) == ((), (), ())
    spans = [entry.lines for entry in plan.entries if entry.lines]
    assert spans == sorted(spans)
    whole = propose(data, limit=LIMIT, whole=True)
    assert whole is not None
    assert sorted(plan.text.split()) == sorted(whole.text.split())


@LONG
def test_weighing_the_first_part_misses_no_word_of_the_rest(data: bytes) -> None:
    plan = plan_of(proposed(data), target="memory", digest=digest_of(data), agreed=True)
    check = check_plan(plan, data, limit=LIMIT)
    assert check.problems == ()
    assert check.lost == ()
    assert check.over_budget
    less = plan_of(
        Proposal(proposed(data).entries[:1], proposed(data).dropped, plan.encoding, "", (), LIMIT),
        target="memory",
        digest=digest_of(data),
        agreed=True,
    )
    assert check_plan(less, data, limit=LIMIT).lost


def test_a_long_list_in_order_is_proposed_as_it_is() -> None:
    for text in (LIST, f"\n{LIST}\n", f"§\n{LIST}\n§"):
        proposal = proposed(text.encode())
        assert proposal.text == LIST
        assert proposal.dropped == ()
    assert proposed(LIST.encode()).entries[7].lines == (15, 15)
    assert explain(LIST.encode(), limit=LIMIT) == ()


def test_a_repeated_entry_of_a_long_list_is_named() -> None:
    proposal = proposed(f"{LIST}\n§\n{WORDS.format(3)}".encode())
    assert proposal.text == LIST
    assert [(one.text, one.lines, one.why) for one in proposal.dropped] == [
        (WORDS.format(3), (24_001, 24_001), "duplicate")
    ]


def test_a_repeated_entry_in_the_next_part_is_named() -> None:
    data = f"{LINES}\n{WORDS.format(0)}".encode()
    plan = plan_of(proposed(data), target="memory", digest=digest_of(data))
    while rests := [n for n, one in enumerate(plan.dropped) if one.why == BEYOND]:
        plan = continued(plan, rests[0], limit=LIMIT)
    assert [(one.text, one.lines, one.why) for one in plan.dropped] == [
        (WORDS.format(0), (12_001, 12_001), "duplicate")
    ]


def test_what_fits_the_budget_is_kept_and_the_others_are_named() -> None:
    data = LINES.encode()
    plan = plan_of(proposed(data), target="memory", digest=digest_of(data))
    small = fitting(plan, limit=LIMIT)
    assert small.entries == plan.entries[: len(small.entries)]
    assert len(small.text) <= LIMIT < len(small.text) + len(plan.entries[len(small.entries)].text)
    assert len(small.entries) + len(small.dropped) == len(plan.entries) + len(plan.dropped)
    assert check_plan(small, data, limit=LIMIT).lost == ()
    assert fitting(small, limit=LIMIT) == small


def test_a_long_file_is_said_to_be_no_memory_and_a_short_one_is_not() -> None:
    assert explain(LINES.encode(), limit=LIMIT)[0] == NoMemory(len(LINES), LIMIT, "text")
    assert not any(isinstance(one, NoMemory) for one in explain(b"a\n\n\xc2\xa7\nb", limit=LIMIT))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("2026-05-01 12:00:01 INFO started\n2026-05-01 12:00:02 ERROR no\n" * 9, "log"),
        ("[INFO] started\n[ERROR] no\n" * 9, "log"),
        ('[{"role": "user", "content": "hello"},\n' * 9, "json"),
        ("id,name,age\n1,Ada,36\n2,Bo,41\n3,Cy,52\n4,Di,9\n", "table"),
        ("\x00\x01\x02PNG\x05\x06" * 90, "binary"),
        ("Just notes.\nOf many kinds, with commas, and more.\n" * 9, "text"),
        ("", "text"),
    ],
)
def test_what_a_text_is_is_guessed_from_its_beginning(text: str, kind: str) -> None:
    assert kind_of_text(text) == kind


PIECES = st.lists(st.sampled_from(("a", "é", "国", "😀", "\n", "\r", "\r\n", " ")), min_size=1)
NAMES = tuple(name for name in encodings.OFFERED if "+" not in name)


@settings(max_examples=60)
@given(PIECES, st.sampled_from(("utf-8", "utf-16-le", "gb18030")), st.integers(-9, 9))
def test_a_long_file_is_decoded_as_a_short_one(pieces: list[str], name: str, off: int) -> None:
    text = "".join(pieces)
    text = "x" * (encodings._AT_ONCE + off) + text * 3
    data = text.encode(name)
    decoding = read_text(data, name)
    assert decoding is not None
    assert decoding.text == fold_line_ends(data.decode(name))
    if name == "utf-8":
        assert decode(data) == text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("name", NAMES)
def test_every_encoding_can_be_read_in_pieces(name: str) -> None:
    assert codecs.getincrementaldecoder(name) is not None
    data = ("abc def\n" * 20_000).encode(name)
    decoding = read_text(data, name)
    assert decoding is not None
    assert decoding.text == "abc def\n" * 20_000
