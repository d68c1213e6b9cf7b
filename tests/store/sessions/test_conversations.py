"""Sessions as a list shows them, one as a conversation, and where a memory came from."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.refusals import NotFound
from store.sessions.conversations import Conversation, Listing
from store.sessions.library import SessionLibrary
from store.sessions.lineage import STEPS, Lineage, Link
from store.sessions.messages import ToolCall, content_of, recalled_in, tool_calls_of

CHAIN = ("20261023_083000_bbbb01", "20261023_093000_bbbb02", "20261023_103000_bbbb03")


def listing(library: SessionLibrary, **options: bool) -> Listing:
    found = library.listing(**options)  # type: ignore[arg-type]
    assert isinstance(found, Listing)
    return found


def conversation(library: SessionLibrary, name: str, *, chain: bool = False) -> Conversation:
    found = library.conversation(name, chain=chain)
    assert isinstance(found, Conversation)
    return found


def test_the_list_shows_a_chain_once_and_says_what_is_not_in_it(library: SessionLibrary) -> None:
    found = listing(library)
    assert (len(found.sessions), found.total, found.archived, found.children) == (13, 13, 1, 1)
    (chain,) = [one for one in found.sessions if len(one.chain) > 1]
    assert (chain.id, chain.chain, chain.root) == (CHAIN[-1], CHAIN, CHAIN[0])
    assert (chain.kind, chain.title) == ("continuation", "Release planning #2")
    assert len(listing(library, archived=True).sessions) == 14
    everything = listing(library, archived=True, children=True)
    assert len(everything.sessions) == 15
    assert {one.kind for one in everything.sessions} == {
        *("root", "branch", "continuation", "subagent")
    }


def test_the_latest_come_first_and_pages_fit_together(library: SessionLibrary) -> None:
    everything = listing(library).sessions
    times = [one.last_at for one in everything]
    assert times == sorted(times, reverse=True)
    pages = [library.listing(limit=5, offset=start) for start in (0, 5, 10)]
    assert all(isinstance(one, Listing) and one.total == 13 for one in pages)
    assert everything == tuple(
        one for page in pages if isinstance(page, Listing) for one in page.sessions
    )


def test_turns_and_messages_count_what_is_live(library: SessionLibrary) -> None:
    sessions = {one.id: one for one in listing(library).sessions}
    rewound = sessions["20261029_110000_ffff02"]
    assert (rewound.messages, rewound.turns, rewound.rewound, rewound.compacted) == (14, 6, 10, 0)
    compacted = sessions["20261030_110000_ffff03"]
    assert (compacted.messages, compacted.rewound, compacted.compacted) == (10, 0, 24)
    router = sessions["20261022_101500_aaaa02"]
    assert (router.input_tokens, router.output_tokens) == (1200, 300)
    assert router.preview.startswith("Turn 1: how do we handle")


def test_a_conversation_is_found_by_the_beginning_of_its_id(library: SessionLibrary) -> None:
    assert conversation(library, "20261029").session.id == "20261029_110000_ffff02"
    for name in ("20261", "", "nothing", "%"):
        assert library.conversation(name) == NotFound("session", name)


def test_a_conversation_may_begin_with_what_it_continues(library: SessionLibrary) -> None:
    alone, whole = conversation(library, CHAIN[1]), conversation(library, CHAIN[1], chain=True)
    assert {one.session_id for one in alone.messages} == {CHAIN[1]}
    assert [one.session_id for one in whole.messages] == [CHAIN[0]] * 34 + [CHAIN[1]] * 34
    assert whole.messages[34:] == alone.messages


def test_a_message_is_shown_in_its_place(library: SessionLibrary) -> None:
    found = library.place(20, before=3, after=2)
    assert isinstance(found, Conversation)
    assert [one.id for one in found.messages] == [17, 18, 19, 20, 21, 22]
    assert found.session.id == "20261021_090000_aaaa01"
    at_the_edge = library.place(1, before=3, after=0)
    assert isinstance(at_the_edge, Conversation)
    assert [one.id for one in at_the_edge.messages] == [1]
    assert library.place(999_999) == NotFound("session", "999999")


def test_a_structured_message_shows_its_text_and_names_the_rest(library: SessionLibrary) -> None:
    first = conversation(library, "20261031").messages[0]
    assert first.text == "这张截图里的报错是什么？zebra"
    assert first.attachments == ("image_url",)


def test_messages_near_a_moment_are_the_nearest_of_people_and_models(
    library: SessionLibrary,
) -> None:
    found = library.near(1_792_597_500.0, limit=5)
    assert isinstance(found, tuple)
    distances = [abs(one.seconds) for one in found]
    assert len(found) == 5
    assert distances == sorted(distances)
    assert {one.message.role for one in found} <= {"user", "assistant"}
    assert {one.title for one in found} == {"大别山项目讨论"}
    for one in found:
        assert one.message.at - 1_792_597_500.0 == one.seconds


def test_open_sessions_that_began_before_the_last_change_carry_the_older_memory(
    library: SessionLibrary, database: Path
) -> None:
    found = library.open_sessions(1_793_300_000.0)
    assert isinstance(found, tuple)
    assert "20261021_090000_aaaa01" not in {one.id for one in found}, "it has ended"
    assert {one.id for one in found if not one.older} == {
        *("20261030_110000_ffff03", "20261031_150000_gggg01")
    }
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE sessions SET system_prompt = 'You. NEW BLOCK'")
    connection.close()
    found = library.open_sessions(1_793_300_000.0, blocks=["NEW BLOCK"])
    assert isinstance(found, tuple)
    assert not any(one.older for one in found), "the prompt on record tells more than the time"
    found = library.open_sessions(1.0, blocks=["NEWER BLOCK"])
    assert isinstance(found, tuple)
    assert all(one.older for one in found)


# -- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "text", "others"),
    [
        (None, "", ()),
        ("plain", "plain", ()),
        (b"bytes \xff", "bytes \ufffd", ()),
        (7, "7", ()),
        ("\0json:not json", "not json", ()),
        ('\0json:{"text": "one"}', "one", ()),
        (
            '\0json:[{"type": "text", "text": "a"}, "b", {"type": "audio"}, 3]',
            "a\nb\n3",
            ("audio",),
        ),
    ],
)
def test_a_content_of_any_kind_is_shown(stored: object, text: str, others: tuple[str, ...]) -> None:
    assert content_of(stored) == (text, others)


def test_tool_calls_of_any_shape_are_shown() -> None:
    inner = json.dumps({"path": "桂林"})
    stored = json.dumps([{"function": {"name": "read", "arguments": inner}}, {"name": "x"}, 5])
    assert tool_calls_of(stored) == (
        ToolCall("read", '{"path": "桂林"}'),
        ToolCall("x", ""),
        ToolCall("", "5"),
    )
    assert tool_calls_of("no json") == (ToolCall("", "no json"),)
    assert tool_calls_of(None) == tool_calls_of("") == ()


def test_only_what_stands_in_a_fence_was_recalled() -> None:
    fence = "<memory-context>\n[System note: The following]\n\none\ntwo\n</memory-context>"
    assert recalled_in(f"text\n\n{fence}") == "one\ntwo"
    assert recalled_in(f"{fence}\n{fence}") == "one\ntwo\n\none\ntwo"
    assert recalled_in("text <memory-context> text") == ""
    assert recalled_in(None) == recalled_in(b"x") == ""


@st.composite
def links(draw: st.DrawFn) -> list[Link]:
    ids = [f"s{number}" for number in range(draw(st.integers(1, 8)))]
    return [
        Link(
            id=one,
            parent=draw(st.sampled_from([None, "gone", *ids])),
            source=draw(st.sampled_from(["cli", "tool", "subagent"])),
            started_at=1.0,
            ended_at=draw(st.sampled_from([None, 2.0])),
            end_reason=draw(st.sampled_from([None, "compression", "branched"])),
            last_at=draw(st.sampled_from([1.0, 2.0])),
            branched=draw(st.booleans()),
            delegated=draw(st.booleans()),
        )
        for one in ids
    ]


@given(links())
def test_links_in_circles_and_to_nowhere_come_to_an_end(made: list[Link]) -> None:
    lineage = Lineage(made)
    for link in made:
        lineage.kind(link.id)
        assert lineage.chain(link.id)[0] == link.id
        assert link.id in lineage.whole_chain(link.id)
        assert lineage.root(link.id)
    shown = {one for chain in lineage.listed() for one in chain}
    assert shown | set(lineage.unlisted()) == {link.id for link in made}


def test_a_very_long_chain_ends_where_the_agent_ends_it() -> None:
    ids = [f"{number:04}" for number in range(3 * STEPS)]
    lineage = Lineage(
        Link(one, ids[number - 1] if number else None, "cli", 1.0, 2.0, "compression", 2.0)
        for number, one in enumerate(ids)
    )
    assert lineage.tip(ids[0]) == ids[STEPS]
