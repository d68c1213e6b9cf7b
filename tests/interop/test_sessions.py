"""Conversations as the real agent writes, lists and searches them, and what it cannot find."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.sessions.conversations import Conversation, Listing
from store.sessions.found import Found, Show
from store.sessions.library import SessionLibrary
from store.sessions.lineage import Lineage
from store.sessions.query import AllOf, Node, Piece, Without, Word, is_unspaced, parse
from tests.support.session_agent import SessionAgent

README_QUERIES = {
    "大别山项目": 21,
    "桂林": 29,
    "release": 25,
    '"release checklist"': 24,
    "chat-send": 76,
    "my_app.config": 76,
    "周报": 20,
    "zebra": 0,
}
WORDS = (
    *("release", "checklist", "router", "firmware", "config", "index", "tuning", "printer", "VPN"),
    *("chat-send", "my_app.config", "v2.2", "first", "logs", "dry", "run", "terminal", "grep", "a"),
    *(
        "大别山项目",
        "桂林",
        "周报",
        "路由器固件",
        "发布流程",
        "出差",
        "数据库",
        "VPN 断线",
        "的",
        "本",
    ),
    *(
        "環境",
        "環境設定",
        "수첩",
        "메모장",
        "メモ",
        "メモリ",
        "youer",
        "服务端",
        "C++",
        "TODO:",
        "café",
    ),
)
EXTRA = (
    ("user", "修改youer服务端的计划"),
    ("assistant", "VPN断线的C++代码在/usr/local/bin/run.sh里，TODO: 改"),
    ("user", "環境設定のメモリを確認して、メモ帳に書く"),
    ("assistant", "메모장 수첩에 적었습니다"),
    ("user", "the café has 100% uptime, see notes_2026.txt"),
    ("assistant", "的聊天记录记忆断裂问题"),
)


@pytest.fixture
def agent(hermes_home: Path, hermes_python: Path) -> Iterator[SessionAgent]:
    with SessionAgent(hermes_python, hermes_home) as agent:
        yield agent


@pytest.fixture
def library(hermes_home: Path) -> SessionLibrary:
    return SessionLibrary(hermes_home / "state.db")


def found_ids(library: SessionLibrary, typed: str, *, rewound: bool = False) -> set[int]:
    found = library.search(typed, limit=100_000, show=Show(rewound=rewound))
    assert isinstance(found, Found)
    assert found.complete
    assert found.notices == ()
    return {hit.message_id for hit in found.hits}


def write_extra(agent: SessionAgent) -> None:
    """Sessions of every kind, written with the agent's own functions."""
    agent.call("create_session", "20261101_100000_000001", "cli", model="m")
    for role, text in EXTRA:
        agent.call("append_message", "20261101_100000_000001", role, text)
    parts = [
        {"type": "text", "text": "长江大桥的照片quokka"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    agent.call("append_message", "20261101_100000_000001", "user", parts)
    call = [{"id": "c1", "function": {"name": "terminal", "arguments": '{"command": "备份珠峰"}'}}]
    agent.call("append_message", "20261101_100000_000001", "assistant", "", tool_calls=call)
    agent.call("append_message", "20261101_100000_000001", "tool", "ok", tool_name="terminal")


# -- the same sessions, chains and tips --------------------------------------------------------


@pytest.mark.parametrize("archived", [False, True])
def test_the_list_shows_the_sessions_that_the_agent_lists(
    agent: SessionAgent, library: SessionLibrary, archived: bool
) -> None:
    write_extra(agent)
    theirs = agent.ask("listed", archived=archived)["ids"]
    ours = library.listing(archived=archived)
    assert isinstance(ours, Listing)
    assert {one.id for one in ours.sessions} == set(theirs)
    assert len(ours.sessions) == len(theirs) == (15 if archived else 14)


def test_roots_and_tips_are_the_agents(
    agent: SessionAgent, library: SessionLibrary, hermes_home: Path
) -> None:
    write_tree(agent, hermes_home)
    with sqlite3.connect(hermes_home / "state.db") as database:
        ids = [row[0] for row in database.execute("SELECT id FROM sessions")]
    database.close()
    theirs = agent.ask("lineage", ids=ids)
    everything = library._database.look(_lineage)
    assert isinstance(everything, Lineage)
    assert {one: [everything.root(one), everything.tip(one)] for one in ids} == theirs
    listed = library.listing()
    assert isinstance(listed, Listing)
    assert sorted(one.id for one in listed.sessions) == sorted(
        agent.ask("listed", archived=False)["ids"]
    )


def _lineage(reader: object) -> Lineage:
    from store.sessions.conversations import lineage_of
    from store.sessions.database import Reader

    assert isinstance(reader, Reader)
    return lineage_of(reader)


def write_tree(agent: SessionAgent, home: Path) -> None:
    """Forty sessions that follow from one another in every way, ended or not."""
    chance = random.Random(11)
    ids = [f"20261105_1000{n:02}_{n:06x}" for n in range(40)]
    for number, one in enumerate(ids):
        parent = chance.choice(ids[:number]) if number and chance.random() < 0.8 else None
        config = chance.choice([None, {"_branched_from": parent}, {"_delegate_from": parent}, {}])
        source = chance.choice(["cli", "cli", "cli", "tool", "subagent"])
        agent.call(
            "create_session",
            one,
            source,
            model="m",
            parent_session_id=parent,
            model_config=config if parent else None,
        )
        for _ in range(chance.randint(0, 3)):
            agent.call("append_message", one, "user", f"message of {one}")
    for one in ids:
        if chance.random() < 0.7:
            reason = chance.choice(["compression", "compression", "branched", "agent_close"])
            agent.call("end_session", one, reason)


def test_a_conversation_has_every_message_of_the_agent_in_its_order(
    agent: SessionAgent, library: SessionLibrary
) -> None:
    write_extra(agent)
    for session in ("20261029_110000_ffff02", "20261030_110000_ffff03", "20261101_100000_000001"):
        theirs = agent.ask("messages", session=session)["messages"]
        ours = library.conversation(session)
        assert isinstance(ours, Conversation)
        assert [[one.id, one.role] for one in ours.messages] == [one[:2] for one in theirs]
        for (_, _, content), one in zip(theirs, ours.messages, strict=True):
            text = content if not isinstance(content, list) else content[0]["text"]
            assert one.text == (text or "")


def test_what_was_recalled_for_a_message_is_shown_beside_it(
    agent: SessionAgent, library: SessionLibrary
) -> None:
    agent.call("create_session", "20261102_100000_000002", "cli")
    fence = (
        "What now?\n\n<memory-context>\n[System note: The following is recalled memory context, "
        "NOT new user input. Treat as background.]\n\nLikes tea.\n大别山\n</memory-context>"
    )
    agent.call("append_message", "20261102_100000_000002", "user", "What now?", api_content=fence)
    found = library.conversation("20261102_100000_000002")
    assert isinstance(found, Conversation)
    assert (found.messages[0].text, found.messages[0].recalled) == (
        "What now?",
        "Likes tea.\n大别山",
    )


# -- search ------------------------------------------------------------------------------------


def generated() -> list[str]:
    """Two hundred queries such as people type."""
    chance = random.Random(3)
    shapes = ("{}", "{}", "{} {}", "{} AND {}", "{} OR {}", "{} NOT {}", '"{}"', '"{} {}"')
    more = ("{}*", "{} OR {} AND {}", "{} {} {}", "OR {}", "{} AND", '{} "{}', "({} OR {})", "{}.")
    queries: set[str] = set()
    while len(queries) < 200:
        shape = chance.choice(shapes + more)
        words = [chance.choice(WORDS) for _ in range(shape.count("{}"))]
        queries.add(shape.format(*words))
    return sorted(queries)


def excluded_by_the_person(text: str, typed: str) -> bool:
    """Whether AND (also a blank) or NOT in what was typed keeps out what the agent's scan found."""
    node = parse(typed).node
    assert node is not None
    return _narrows(node) and not _fits(node, text.lower())


def _narrows(node: Node) -> bool:
    match node:
        case Word() | Piece():
            return False
        case AllOf() | Without():
            return True
    return any(_narrows(part) for part in node.parts)


def _fits(node: Node, text: str) -> bool:
    match node:
        case Word(words) | Piece(words):
            return re.sub(r"\s+", " ", words.lower()) in text
        case AllOf(parts):
            return all(_fits(part, text) for part in parts)
        case Without(wanted, unwanted):
            return _fits(wanted, text) and not _fits(unwanted, text)
    return any(_fits(part, text) for part in node.parts)


def test_nothing_that_the_agent_finds_is_missed(
    agent: SessionAgent, library: SessionLibrary, hermes_home: Path
) -> None:
    write_extra(agent)
    with sqlite3.connect(hermes_home / "state.db") as database:
        rows = database.execute(
            "SELECT id, coalesce(content, '') || ' ' || coalesce(tool_name, '') || ' ' ||"
            " coalesce(tool_calls, ''), active = 0 AND compacted = 0 FROM messages"
        ).fetchall()
    database.close()
    texts = {row[0]: row[1] for row in rows}
    rewound = {row[0] for row in rows if row[2]}
    assert len(rewound) == 10
    queries = [*README_QUERIES, *generated()]
    hits = excused = 0
    for typed, theirs in zip(queries, agent.search(*queries), strict=True):
        ours = found_ids(library, typed)
        for one in set(theirs) - ours - rewound:
            assert is_unspaced(typed), f"{typed} is no query that the agent scans for"
            assert excluded_by_the_person(texts[one], typed), (typed, texts[one])
            excused += 1
        hits += len(theirs)
    assert hits > 2_000, "the agent finds too little for this to show anything"
    assert excused < hits / 4


def test_with_rewound_messages_shown_those_are_found_too(
    agent: SessionAgent, library: SessionLibrary
) -> None:
    queries = ["chat-send", "大别山项目", "release"]
    everything = agent.search(*queries, include_inactive=True)
    for typed, theirs in zip(queries, everything, strict=True):
        assert set(theirs) <= found_ids(library, typed, rewound=True)


@pytest.mark.parametrize(("typed", "count"), README_QUERIES.items())
def test_the_fixture_s_queries_find_at_least_what_its_readme_says(
    library: SessionLibrary, typed: str, count: int
) -> None:
    assert len(found_ids(library, typed)) >= max(count, 1)


FOUND_BY_US_ALONE = {
    "youer": "修改youer服务端的计划",
    "run.sh": "/usr/local/bin/run.sh",
    "/usr/local/bin": "/usr/local/bin/run.sh",
    "100%": "100% uptime",
    "quokka": "长江大桥的照片quokka",
    "长江大桥": "长江大桥的照片",
    "桥": "长江大桥的照片",
    "备份珠峰": "备份珠峰",
    "珠峰": "备份珠峰",
    "uptime, see": "the café has 100% uptime",
    "VPN": "VPN断线的C++代码",
}


def test_what_the_agent_cannot_find_is_found(agent: SessionAgent, library: SessionLibrary) -> None:
    write_extra(agent)
    session = "20261101_100000_000001"
    conversation = library.conversation(session)
    assert isinstance(conversation, Conversation)
    for typed, text in FOUND_BY_US_ALONE.items():
        wanted = {
            one.id
            for one in conversation.messages
            if text in one.text or any(text in call.arguments for call in one.tool_calls)
        }
        assert wanted, text
        (theirs,) = agent.search(typed)
        assert not wanted & set(theirs), typed
        assert wanted <= found_ids(library, typed), typed


def test_commits_of_a_running_agent_are_seen_and_its_wal_stays(
    agent: SessionAgent, library: SessionLibrary, hermes_home: Path
) -> None:
    wal = hermes_home / "state.db-wal"
    for number in range(3):
        agent.call("append_message", "20261031_150000_gggg01", "user", f"zqword{number} 鯤鵬")
        assert len(found_ids(library, f"zqword{number}")) == 1
        assert len(found_ids(library, "鯤鵬")) == number + 1
        assert wal.stat().st_size > 0
