"""From a query to what SQLite can ask for: full-text expressions and conditions of a scan.

Pure. What an expression finds is either exactly what fits the query, or more than that, to be
looked at one by one; never less.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from store.sessions.matching import as_escapes
from store.sessions.query import AllOf, AnyOf, Node, Piece, Without, Word, tokens

GRAM = 3
"""Fewer characters than this the trigram index does not know."""

SEARCHED = ("content", "tool_calls", "tool_name")
"""The columns of a message in which is searched."""

Condition = tuple[str, list[str]]
# Letters that may stand in a text in another case, or with an accent.
_CASED = re.compile("[A-Za-z\u00aa-\u1fff\u2c00-\u2dff\ua640-\ua7ff\uff21-\uff5a]+")


def word_expression(node: Node) -> str | None:
    """`node` for the word index, exactly; None if it holds something that is no word."""
    match node:
        case Word(text, prefix):
            return quoted(text) + (" *" if prefix else "")
        case Piece():
            return None
        case Without(wanted, unwanted):
            return _combined(" NOT ", [word_expression(wanted), word_expression(unwanted)])
        case AllOf(parts) | AnyOf(parts):
            operator = " AND " if isinstance(node, AllOf) else " OR "
            return _combined(operator, [word_expression(part) for part in parts])


def piece_expression(node: Node) -> str | None:
    """`node` for the trigram index, exactly; None if something is too short or must be a word."""
    match node:
        case Piece(text):
            return _gram(text)
        case Word():
            return None
        case Without(wanted, unwanted):
            return _combined(" NOT ", [piece_expression(wanted), piece_expression(unwanted)])
        case AllOf(parts) | AnyOf(parts):
            operator = " AND " if isinstance(node, AllOf) else " OR "
            return _combined(operator, [piece_expression(part) for part in parts])


def loose_expression(node: Node) -> str | None:
    """What of `node` the trigram index can tell: at least what fits. None: nothing."""
    match node:
        case Piece(text) | Word(text):
            return _gram(text)
        case Without(wanted, _):
            return loose_expression(wanted)
        case AllOf(parts):
            known = [one for one in map(loose_expression, parts) if one is not None]
            return _combined(" AND ", known) if known else None
        case AnyOf(parts):
            return _combined(" OR ", [loose_expression(part) for part in parts])


def escaped_expression(text: str) -> str | None:
    """`text` as JSON in ASCII holds it, once or twice escaped, for the trigram index."""
    if text.isascii():
        return None
    once = as_escapes(text)
    return f"({quoted(once)} OR {quoted(once.replace(chr(92), chr(92) * 2))})"


def scan_condition(node: Node, columns: Collection[str] = SEARCHED) -> Condition:
    """A condition on these columns of `messages m` that holds for at least all that fits."""
    match node:
        case Piece(text) | Word(text):
            return _contains(node, text, columns)
        case Without(wanted, _):
            return scan_condition(wanted, columns)
        case AllOf(parts) | AnyOf(parts):
            conditions = [scan_condition(part, columns) for part in parts]
            operator = " AND " if isinstance(node, AllOf) else " OR "
            text = operator.join(condition for condition, _ in conditions)
            return f"({text})", [value for _, values in conditions for value in values]


def quoted(text: str) -> str:
    """`text` as a phrase of FTS5."""
    return '"' + text.replace('"', '""') + '"'


def _gram(text: str) -> str | None:
    if len(text) < GRAM:
        return None
    escaped = escaped_expression(text)
    return quoted(text) if escaped is None else f"({quoted(text)} OR {escaped})"


def _combined(operator: str, parts: Sequence[str | None]) -> str | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return known[0] if len(known) == 1 else "(" + operator.join(known) + ")"


def _contains(leaf: Word | Piece, text: str, columns: Collection[str]) -> Condition:
    if isinstance(leaf, Word):
        text = max(tokens(text), key=len)
    if text.isascii():
        pattern = re.sub(r"([\\%_])", r"\\\1", text)
        condition = " OR ".join(rf"m.{name} LIKE ? ESCAPE '\'" for name in columns)
        return f"({condition})", [f"%{pattern}%"] * len(columns)
    needle = max(_CASED.split(text), key=len)
    if not needle:
        return "(1)", []
    once = as_escapes(needle)
    found = [(name, needle) for name in columns]
    if "tool_calls" in columns:
        found += [("tool_calls", once), ("tool_calls", once.replace("\\", "\\\\"))]
    condition = " OR ".join(f"instr(m.{name}, ?)" for name, _ in found)
    return f"({condition})", [value for _, value in found]
