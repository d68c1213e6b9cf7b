"""Fills a database that the agent made with many messages, by SQL and in its own schema."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

_COMMON = """
release checklist router firmware upgrade deploy server config index tuning memory agent review
project plan weekly report printer network database query cache token budget session
"""
WORDS = (*_COMMON.split(), *(f"word{number}" for number in range(4_000)))
HAN = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后"
    "多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还"
    "因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结"
)
PER_SESSION = 100
BEGIN = 1_700_000_000.0
INDEXES = ("messages_fts", "messages_fts_trigram")
_INDEXED = (
    "coalesce(content, '') || ' ' || coalesce(tool_name, '') || ' ' || coalesce(tool_calls, '')"
)


def fill(database: Path, count: int) -> None:
    """Add `count` messages, half of them Chinese; the agent's triggers are back afterwards."""
    chance = random.Random(7)
    weights = [1 / (rank + 5) for rank in range(len(WORDS))]
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master"
            " WHERE type = 'trigger' AND name LIKE 'messages_fts%'"
        ).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for number in range(count // PER_SESSION):
            begin = BEGIN + number * 10_000
            session = f"20250101_000000_{number:06x}"
            connection.execute(
                "INSERT INTO sessions(id, source, model, started_at, message_count)"
                " VALUES (?, ?, 'm', ?, ?)",
                (session, chance.choice(("cli", "telegram", "cron")), begin, PER_SESSION),
            )
            connection.executemany(
                "INSERT INTO messages(session_id, role, content, tool_calls, tool_name, timestamp)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (session, *_message(chance, weights, place), begin + place * 30)
                    for place in range(PER_SESSION)
                ],
            )
        for index in INDEXES:  # at once, and with room for it: message by message it takes hours
            connection.execute(f"INSERT INTO {index}({index}, rank) VALUES ('hashsize', 100000000)")
            connection.execute(
                f"INSERT INTO {index}(rowid, content) SELECT id, {_INDEXED} FROM messages"
            )
            connection.execute(f"INSERT INTO {index}({index}, rank) VALUES ('hashsize', 1048576)")
        for _, statement in triggers:
            connection.execute(statement)
    connection.close()


def _message(
    chance: random.Random, weights: list[float], place: int
) -> tuple[str, str, str | None, str | None]:
    role = "user" if place % 4 == 0 else "tool" if place % 4 == 3 else "assistant"
    if chance.random() < 0.5:
        text = " ".join(chance.choices(WORDS, weights, k=chance.randint(8, 50)))
    else:
        parts = chance.randint(2, 10)
        text = "，".join(
            "".join(chance.choices(HAN, k=chance.randint(4, 12))) for _ in range(parts)
        )
    if chance.random() < 0.001:
        text += "，去桂林旅游，"
    if chance.random() < 0.0005:
        text += " 大别山项目的记忆断裂问题 "
    if chance.random() < 0.0003:
        text += "修改youer服务端"
    calls = None
    if role == "assistant" and chance.random() < 0.3:
        command = json.dumps({"command": " ".join(chance.choices(WORDS, weights, k=5))})
        calls = json.dumps([{"id": "x", "function": {"name": "terminal", "arguments": command}}])
    return role, text, calls, "terminal" if role == "tool" else None
