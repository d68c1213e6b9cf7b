"""`memory-desk sessions`: the list, one conversation, search, and what is odd of the database."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from tests.support.command_line import CommandLine

REWOUND = "20261029_110000_ffff02"


@pytest.fixture
def desk(hermes_home: Path, desk_dirs: object) -> CommandLine:
    return CommandLine(hermes_home)


def test_list_answers_as_the_contract_says(desk: CommandLine) -> None:
    data = desk.json("sessions", "list")
    assert len(data["sessions"]) == 13
    assert (data["more"], data["state"]) == (0, "ok")
    assert data["hidden"] == {"archived": 1, "children": 1}
    (chain,) = [one for one in data["sessions"] if one["id"] == "20261023_103000_bbbb03"]
    assert {
        "title": "Release planning #2",
        "source": "cli",
        "model": "fixture/model-1",
        "turns": 14,
        "messages": 34,
        "parent": "20261023_093000_bbbb02",
        "root": "20261023_083000_bbbb01",
        "archived": False,
    }.items() <= chain.items()
    assert chain["started_at"] == pytest.approx(1792777386.6)
    limited = desk.json("sessions", "list", "--limit", "3")
    assert (len(limited["sessions"]), limited["more"]) == (3, 10)
    assert len(desk.json("sessions", "list", "--archived", "--children")["sessions"]) == 15


def test_list_as_text_names_each_session_on_a_line(desk: CommandLine) -> None:
    ran = desk("sessions", "list", "--limit", "2")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0].startswith("20261030_110000_ffff03")
    assert lines[2:] == [
        "… and 11 older sessions",
        "1 session is archived; see it with --archived.",
    ]


def test_show_answers_as_the_contract_says(desk: CommandLine) -> None:
    data = desk.json("sessions", "show", REWOUND)
    assert data["session"]["id"] == REWOUND
    assert len(data["messages"]) == 24
    assert [one["active"] for one in data["messages"]] == [True] * 14 + [False] * 10
    first = data["messages"][0]
    assert {
        "role": "user",
        "tool_name": None,
        "active": True,
        "compacted": False,
        "recalled": None,
    }.items() <= first.items()
    text = desk("sessions", "show", "20261029").out
    assert text.count("taken back") == 10
    assert "→ terminal {" in text


def test_what_was_recalled_is_shown(desk: CommandLine) -> None:
    sent = "Q\n\n<memory-context>\n[System note: recalled.]\n\nlikes tea\n</memory-context>"
    with sqlite3.connect(desk.home / "state.db") as connection:
        connection.execute("UPDATE messages SET api_content = ? WHERE id = 427", (sent,))
    connection.close()
    data = desk.json("sessions", "show", "20261031_150000_gggg01")
    assert data["messages"][0]["recalled"] == "likes tea"
    assert "Recalled for it: likes tea" in desk("sessions", "show", "20261031").out


def test_an_unknown_session_is_not_found(desk: CommandLine) -> None:
    data = desk.json("sessions", "show", "nope")
    assert (data["ok"], data["reason"]) == (False, "not_found")
    assert "nope" in data["message"]


def test_search_answers_as_the_contract_says(desk: CommandLine) -> None:
    data = desk.json("sessions", "search", "桂林", "--limit", "5")
    assert len(data["results"]) == 5
    assert data["index"] == "trigram"
    assert data["hidden"] == {"count": 0, "rewound": 0, "archived": 0, "tools": 0}
    for one in data["results"]:
        assert {"session_id", "root", "message_id", "role", "at", "title", "source"} <= set(one)
        begin, end = one["ranges"][0]
        assert one["snippet"][begin:end] == "桂林"
    assert desk.json("sessions", "search", "release")["index"] == "word"
    assert desk.json("sessions", "search", "release", "--limit", "500")["complete"] is True


def test_search_says_what_is_hidden_and_shows_it(desk: CommandLine) -> None:
    hidden = desk.json("sessions", "search", "chat-send", "--limit", "500")
    assert (len(hidden["results"]), hidden["hidden"]["rewound"]) == (76, 2)
    shown = desk.json("sessions", "search", "chat-send", "--limit", "500", "--rewound")
    assert (len(shown["results"]), shown["hidden"]["count"]) == (78, 0)
    ran = desk("sessions", "search", "chat-send", "--limit", "500")
    assert ran.err == "Not shown: 2 taken back (--rewound).\n"


def test_search_takes_filters_and_orders(desk: CommandLine) -> None:
    users = desk.json("sessions", "search", "桂林", "--role", "user")["results"]
    assert {one["role"] for one in users} == {"user"}
    cron = desk.json("sessions", "search", "config", "--source", "cron", "--source", "telegram")
    assert {one["source"] for one in cron["results"]} <= {"cron", "telegram"}
    for sort in ("newest", "oldest"):
        times = [
            one["at"] for one in desk.json("sessions", "search", "的", "--sort", sort)["results"]
        ]
        assert times == sorted(times, reverse=sort == "newest")
    assert desk.json("sessions", "search", "release", "--until", "2026-10-01")["results"] == []
    assert desk.json("sessions", "search", "release", "--since", "2026-10-01")["results"]
    without = desk.json("sessions", "search", "router", "--no-archived", "--no-tools")
    assert without["hidden"]["archived"] > 0
    assert not any(one["archived"] or one["role"] == "tool" for one in without["results"])


def test_search_as_text_groups_by_conversation_and_marks_what_was_found(desk: CommandLine) -> None:
    out = desk("sessions", "search", "zebra").out
    assert out.splitlines()[0] == "20261031_150000_gggg01  cli  Screenshot question"
    assert "什么？[zebra]" in out
    ran = desk("sessions", "search", "nothinglikethis")
    assert (ran.status, ran.out) == (0, "No message fits.\n")
    assert "ask for it with --limit" in desk("sessions", "search", "桂林", "--limit", "1").out


@pytest.mark.parametrize(
    "typed",
    ['"', "AND", "a OR", "(", "*", 'x "y', "^", "a:b", "NEAR(a", "\\", "%", "'", "-x", "--"],
)
def test_anything_may_be_typed(desk: CommandLine, typed: str) -> None:
    ran = desk("--json", "sessions", "search", "--", typed)
    assert (ran.status, ran.err) == (0, "")
    assert desk.json("sessions", "search", "-", stdin=typed)["ok"]


def test_nothing_typed_is_refused(desk: CommandLine) -> None:
    for words in ((" ",), ("-",)):
        data = desk.json("sessions", "search", *words)
        assert (data["ok"], data["reason"]) == (False, "empty")
    assert desk("sessions", "search").status == 2
    assert desk("sessions", "search", "x", "--limit", "-1").status == 2
    assert desk("sessions", "search", "x", "--since", "yesterday").status == 2


def test_without_a_database_there_is_nothing_and_nothing_is_made(
    empty_home: Path, desk_dirs: object
) -> None:
    desk = CommandLine(empty_home)
    assert desk.json("sessions", "list")["sessions"] == []
    assert desk.json("sessions", "list")["state"] == "absent"
    assert desk.json("sessions", "search", "x")["results"] == []
    assert desk.json("sessions", "show", "x")["reason"] == "not_found"
    assert desk("sessions", "list").out == "There is no session yet.\n"
    assert not list(empty_home.glob("state.db*"))


def test_a_damaged_database_is_refused_with_its_own_message_and_in_health(
    desk: CommandLine,
) -> None:
    os.truncate(desk.home / "state.db", 4096 * 60)
    for words in (["list"], ["show", "x"], ["search", "x"]):
        data = desk.json("sessions", *words)
        assert (data["ok"], data["reason"], data["state"]) == (False, "unreadable", "truncated")
        assert "cut off" in data["message"]
    status = desk.json("status")
    assert status["sessions"] == {"count": None, "messages": None, "state": "corrupt"}
    (finding,) = [one for one in status["health"] if one["code"].startswith("sessions_")]
    assert "cut off" in finding["message"]


def test_a_damaged_index_is_gone_around_and_said(desk: CommandLine) -> None:
    path = desk.home / "state.db"
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'messages_fts_data'"
        ).fetchone()
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xa5" * 4096)
    data = desk.json("sessions", "search", "release", "--limit", "500")
    assert len(data["results"]) == 25
    assert data["notices"] == ["word_broken"]
    assert "hermes sessions repair" in desk("sessions", "search", "release").err
    health = {one["code"]: one for one in desk.json("status")["health"]}
    assert health["sessions_word_broken"]["severity"] == "warn"
    assert desk.json("status")["sessions"] == {"count": 17, "messages": 428, "state": "ok"}


def test_the_home_is_not_changed(desk: CommandLine) -> None:
    before = desk.bytes_of_all_files()
    for words in (["list"], ["show", REWOUND], ["search", "桂林"]):
        assert desk("sessions", *words).status == 0
    assert desk.bytes_of_all_files() == before
