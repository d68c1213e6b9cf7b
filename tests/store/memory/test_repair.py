"""Laws of repair: whatever the bytes, no word is lost and the result is a clean file."""

from __future__ import annotations

import re
import time
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.memory.drift import signals
from store.memory.encodings import OFFERED, read_text
from store.memory.entries import BOM, agent_pieces, decode
from store.memory.repair import Proposal, propose

SCRAPS = (
    *(
        "alpha",
        "beta gamma.",
        "Delta!",
        "年糕。",
        "林晓的猫",
        "12",
        "§",
        "§ ",
        " §",
        "§\n",
        "\n§\n",
    ),
    *(
        "\n",
        "\n\n",
        "\n\n§\n\n",
        " ",
        "\t",
        "\u3000",
        "\u00a0",
        "\u2028",
        "\x1c",
        "\0",
        "\r\n",
        "\r",
    ),
    *("- ", "* ", "1. ", "2、", "# ", "## ", "---\n", "***", "```\n", "~~~\n", "key: value\n", BOM),
    *("<<<<<<< ours\n", "||||||| base\n", "=======\n", ">>>>>>> theirs\n"),
    *("<!-- hermes-memory-identities:v1 -->\n", '<!-- hermes-memory-entry:{"id":"7"} -->\n'),
)
MARKS = re.compile("[§•*+\ufeff-]")
texts = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=3), max_size=40).map("".join)
encoded = st.tuples(
    texts, st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030", "latin-1"))
).map(lambda pair: pair[0].encode(pair[1], "replace"))
torn = st.lists(encoded | st.binary(max_size=6), max_size=4).map(b"".join)
files = encoded | torn | st.binary(max_size=60)
limits = st.sampled_from((8, 12, 30, 80, 2200))
any_limits = limits | st.integers(1, 7)


def proposed(data: bytes, limit: int) -> Proposal:
    proposal = propose(data, limit=limit)
    assert proposal is not None
    return proposal


def letters(text: str) -> str:
    """What a person would miss: no blanks, no delimiters, no bullets."""
    return MARKS.sub("", "".join(text.split()))


@given(files, any_limits)
def test_every_word_is_in_an_entry_or_named_as_dropped(data: bytes, limit: int) -> None:
    decoding = read_text(data)
    assert decoding is not None
    proposal = proposed(data, limit)
    kept = [letters(one.text) for one in (*proposal.entries, *proposal.dropped)]
    assert Counter(letters(decoding.text)) <= Counter("".join(kept))
    longest = max(len(one) for one in decoding.text.replace("-->\n", "-->").split("\n"))
    if longest <= limit:  # else words may have been cut
        whole = "\n".join(kept)
        assert [word for word in decoding.text.split() if letters(word) not in whole] == []


@given(files, any_limits)
def test_the_result_passes_both_tests_of_the_agent(data: bytes, limit: int) -> None:
    proposal = proposed(data, limit)
    written = decode(proposal.text.encode())
    assert isinstance(written, str)
    assert signals(written, limit) == ()
    assert agent_pieces(written) == tuple(entry.text for entry in proposal.entries)


@given(files, limits)
def test_proposing_twice_changes_nothing(data: bytes, limit: int) -> None:
    first = proposed(data, limit)
    again = proposed(first.text.encode(), limit)
    assert again.text == first.text
    assert [entry.text for entry in again.entries] == [entry.text for entry in first.entries]
    assert (again.dropped, again.notes, again.doubt) == ((), (), "")
    assert not any(entry.changes for entry in again.entries)


@given(files)
def test_a_file_that_the_agent_accepts_as_it_is_stays_as_it_is(data: bytes) -> None:
    text = decode(propose_text(data).encode())
    assert isinstance(text, str)
    for clean in (text.encode(), f"\n {text} \n".encode(), text.replace("\n", "\r\n").encode()):
        again = proposed(clean, 2200)
        assert again.text == text
        assert (again.dropped, again.doubt) == ((), "")
        assert not any(entry.changes for entry in again.entries)


def propose_text(data: bytes) -> str:
    return proposed(data, 2200).text


@given(files, limits, st.sampled_from(OFFERED))
def test_an_encoding_that_a_person_names_fits_or_is_refused(
    data: bytes, limit: int, encoding: str
) -> None:
    proposal = propose(data, limit=limit, encoding=encoding)
    if proposal is None:
        assert read_text(data, encoding) is None
    else:
        assert (proposal.encoding, proposal.doubt) == (encoding, "")
        assert signals(proposal.text, limit) == ()


def test_an_encoding_that_nobody_offered_is_refused() -> None:
    assert propose(b"one", limit=2200, encoding="rot13") is None


@pytest.mark.parametrize("limit", [0, -5])
def test_nothing_is_split_for_a_limit_that_no_entry_can_keep(limit: int) -> None:
    proposal = proposed(b"# a\nlong text\n# b\nmore", limit)
    assert [entry.text for entry in proposal.entries] == ["# a\nlong text\n# b\nmore"]


def test_the_last_conflict_lacks_its_end_and_the_ones_before_are_resolved() -> None:
    whole = "<<<<<<< a\none\n=======\ntwo\n>>>>>>> b\n"
    proposal = proposed(f"{whole}§\n<<<<<<< a\nthree".encode(), 2200)
    assert [entry.text for entry in proposal.entries] == ["one", "two", "<<<<<<< a\nthree"]
    assert [one.text for one in proposal.dropped] == ["<<<<<<< a", "=======", ">>>>>>> b"]


# -- time ------------------------------------------------------------------------------------

WORDS = " ".join(f"word{number % 977} and more." for number in range(220_000))  # 5 MB
LARGE = {
    "5 MB in lines": "\n".join(WORDS[at : at + 100] for at in range(0, len(WORDS), 100)),
    "5 MB in one line": WORDS,
    "5 MB without a blank": "x" * 5_000_000,
    "5 MB of blanks": "x" + " " * 5_000_000 + "y",
    "50,000 paragraphs": "\n\n".join(f"note {number} of many" for number in range(50_000)),
    "50,000 items": "\n".join(f"- note {number} of many" for number in range(50_000)),
    "50,000 spaced entries": "\n\n§\n\n".join(f"note {n} of many" for n in range(50_000)),
    "50,000 fences": "```\nx\n```\n" * 50_000,
    "50,000 marks at line ends": "\n".join(f"note {n} §" for n in range(50_000)) + "\n\n§\nx",
    "50,000 markers of conflicts": "<<<<<<< a\none\n=======\ntwo\n>>>>>>> b\n§\n" * 17_000,
    "50,000 markers without end": "<<<<<<< a\nx\n" * 50_000,
    "100,000 duplicates": "\n§\n".join(["the same"] * 100_000),
    "100,000 duplicates, spaced": "\n\n§\n".join(["the same"] * 100_000),
    "400 long entries that are nearly the same": "\n\n§\n".join(
        "ab" * 1000 + str(number) for number in range(400)
    ),
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_large_file_gets_an_answer_in_time(text: str) -> None:
    """Some seconds of this process's own time, not of a busy machine's; quadratic takes hours."""
    data = text.encode()
    start = time.process_time()
    proposal = proposed(data, 2200)
    assert time.process_time() - start < 30
    assert signals(proposal.text, 2200) == ()
    assert len(letters(proposal.text)) > 0
