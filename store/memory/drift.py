"""Whether the agent would refuse to change a file, and what else is odd about it.

Pure. `signals` are the agent's own two tests (hermes-formats §2.6); `notices` are findings
that it would not refuse for.
"""

from __future__ import annotations

import re
from itertools import islice

from store.memory.entries import BOM, DELIMITER, MARK, Document, Undecodable, parse, pieces_of

_CONFLICT = re.compile(r"^(?:<{7} |={7}$|>{7} )", re.MULTILINE)


def signals(text: str, limit: int) -> tuple[str, ...]:
    """Why the agent would refuse `text`, the decoded file: round_trip, entry_over_limit."""
    pieces = pieces_of(text)
    found = []
    if text.strip() != DELIMITER.join(pieces):
        found.append("round_trip")
    if pieces and len(text) > limit and max(map(len, pieces)) > limit:
        found.append("entry_over_limit")
    return tuple(found)


def notices(
    data: bytes, decoded: str | Undecodable, document: Document | None = None
) -> tuple[str, ...]:
    """What is odd about a file: names as in the README, section *Command line*.

    `document` is the text parsed, if that was done before.
    """
    if isinstance(decoded, Undecodable):
        return ("utf16",) if decoded.utf16 else ("invalid_utf8",)
    document = document or parse(decoded)
    text = decoded.removeprefix(BOM).strip()
    checks = (
        ("crlf", b"\r" in data),
        ("bom", decoded.startswith(BOM)),
        ("duplicates", len(document.deduplicated().entries) < len(document.entries)),
        ("conflict_markers", _has_conflict(decoded)),
        ("edge_delimiter", text == MARK or text.startswith("§\n") or text.endswith("\n§")),
        ("identity_comments", document.has_identities),
    )
    return tuple(name for name, found in checks if found)


def _has_conflict(text: str) -> bool:
    # Most texts hold no such row of signs, which is seen in a moment, also in megabytes.
    if not any(row in text for row in ("<<<<<<< ", "=======", ">>>>>>> ")):
        return False
    return len(list(islice(_CONFLICT.finditer(text), 2))) > 1
