"""What a memory file costs: characters of its budget, and roughly how many tokens."""

from __future__ import annotations

import math

from store.memory.entries import Document, serialise

CHARS_PER_TOKEN = 2.75
"""For Latin text; a CJK character counts as one token. Rough, and always shown with ≈."""

_WIDE = (
    (0x2E80, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
    (0x20000, 0x3FFFF),
)


def count(document: Document) -> int:
    """Characters (code points) of the whole file, delimiters included, duplicates not."""
    return len(serialise(document.deduplicated()))


def percent(chars: int, limit: float) -> int:
    """How full, whole percent, honest above 100; 0 when the limit is not positive."""
    return int(chars / limit * 100) if limit > 0 else 0


def usage_line(chars: int, limit: float) -> str:
    """As the agent prints it, but not capped: `67% — 1,474/2,200 chars`."""
    return f"{percent(chars, limit)}% — {chars:,}/{limit:,} chars"


def approximate_tokens(text: str) -> int:
    """A rough token count: 2.75 Latin characters or one CJK character each, rounded up."""
    if text.isascii():
        return math.ceil(len(text) / CHARS_PER_TOKEN)
    lines = (line for line in text.split("\n") if not line.isascii())
    wide = sum(1 for line in lines for char in line if char > "\u2e7f" and _is_wide(ord(char)))
    return math.ceil(wide + (len(text) - wide) / CHARS_PER_TOKEN)


def _is_wide(code_point: int) -> bool:
    return any(low <= code_point <= high for low, high in _WIDE)
