"""The tables of the journal's file, and how those of an earlier desk are brought up to date."""

from __future__ import annotations

import sqlite3

VERSION = 3

SCHEMA = f"""
CREATE TABLE IF NOT EXISTS change(
    id INTEGER PRIMARY KEY AUTOINCREMENT, at REAL NOT NULL, who TEXT NOT NULL,
    action TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, undoes INTEGER,
    gone TEXT NOT NULL, come TEXT NOT NULL, record TEXT NOT NULL,
    secret INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS part(
    change_id INTEGER NOT NULL REFERENCES change(id), ordinal INTEGER NOT NULL,
    path TEXT NOT NULL, before BLOB, after BLOB, kind TEXT NOT NULL DEFAULT 'file',
    mode INTEGER NOT NULL DEFAULT 384, before_mark TEXT NOT NULL DEFAULT '',
    after_mark TEXT NOT NULL DEFAULT '', PRIMARY KEY(change_id, ordinal));
CREATE TABLE IF NOT EXISTS known(
    path TEXT PRIMARY KEY, at REAL NOT NULL, data BLOB, mark TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS forgetting(text TEXT PRIMARY KEY);
CREATE INDEX IF NOT EXISTS unfinished ON change(state) WHERE state = 'intent';
CREATE INDEX IF NOT EXISTS undone ON change(undoes) WHERE undoes IS NOT NULL;
CREATE INDEX IF NOT EXISTS part_of ON part(path, change_id);
PRAGMA user_version = {VERSION};
"""
"""384 is 0600. `known`: a watched file as it was when the journal began. `forgetting`: what is
being forgotten, until it is."""

TABLES = "SELECT count(*) FROM sqlite_master WHERE name IN ('change', 'part')"

_STEPS = {
    1: (
        "ALTER TABLE part ADD COLUMN kind TEXT NOT NULL DEFAULT 'file'",
        "ALTER TABLE part ADD COLUMN mode INTEGER NOT NULL DEFAULT 384",
    ),
    2: (
        "ALTER TABLE part ADD COLUMN before_mark TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE part ADD COLUMN after_mark TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE change ADD COLUMN secret INTEGER NOT NULL DEFAULT 0",
        "CREATE TABLE IF NOT EXISTS known("
        "path TEXT PRIMARY KEY, at REAL NOT NULL, data BLOB, mark TEXT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS forgetting(text TEXT PRIMARY KEY)",
        "CREATE INDEX IF NOT EXISTS part_of ON part(path, change_id)",
    ),
}
"""What a journal of that version lacks."""


def prepare(connection: sqlite3.Connection) -> None:
    """Make the tables, or bring those of an earlier desk up to date."""
    if connection.execute(TABLES).fetchone()[0] < 2:
        connection.executescript(SCHEMA)
    elif 0 < _version(connection) < VERSION:
        _bring_up_to_date(connection)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_version(connection), VERSION):  # another desk may have been quicker
            for statement in _STEPS[version]:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
