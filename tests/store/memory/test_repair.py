"""Laws of repair: whatever the bytes, no word is lost and the result is a clean file."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
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
    cut = {"split_at_length", "split_at_sentence"}
    if not any(cut & set(entry.changes) for entry in proposal.entries):
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
