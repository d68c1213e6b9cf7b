"""What a row of `messages` says: text, tool calls, what was recalled (hermes-formats §9.3, §12).

Pure: from stored values to texts for a person.
"""

from __future__ import annotations

import json
import re
from typing import Any

from schema.frozen import frozen

STRUCTURED = "\0json:"
"""Before the JSON of a content that is no plain text."""

_FENCE = re.compile(r"^<memory-context>\s*\n(.*?)^</memory-context>", re.DOTALL | re.MULTILINE)
_NOTE = re.compile(r"\A\[System note: [^\n]*\n+")
_ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}")


@frozen
class ToolCall:
    """A tool that the model called; `arguments` as the JSON text that it gave."""

    name: str
    arguments: str


@frozen
class Message:
    """One message; `at` in UTC seconds.

    `text` leaves out what is no text and names it in `attachments`. `recalled` is what was put
    before the model beside this message. Neither `active` nor `compacted`: it was taken back.
    """

    id: int
    session_id: str
    role: str
    at: float
    text: str
    tool_name: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    attachments: tuple[str, ...] = ()
    recalled: str = ""
    active: bool = True
    compacted: bool = False

    @property
    def rewound(self) -> bool:
        """Whether the person took this message back."""
        return not self.active and not self.compacted


def content_of(stored: object) -> tuple[str, tuple[str, ...]]:
    """The text of a stored content, and the kinds of its parts that are no text."""
    if stored is None:
        return "", ()
    text = stored.decode("utf-8", "replace") if isinstance(stored, bytes) else str(stored)
    if not text.startswith(STRUCTURED):
        return text, ()
    try:
        value = json.loads(text[len(STRUCTURED) :])
    except (ValueError, RecursionError):
        return text[len(STRUCTURED) :], ()
    texts: list[str] = []
    others: list[str] = []
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif isinstance(part, dict) and isinstance(part.get("content"), str):
            texts.append(part["content"])
        elif isinstance(part, dict):
            others.append(str(part.get("type", "object")))
        else:
            texts.append(json.dumps(part, ensure_ascii=False))
    return "\n".join(texts), tuple(others)


def tool_calls_of(stored: object) -> tuple[ToolCall, ...]:
    """The calls in a stored list; what is no list of calls stays one call as it is."""
    if stored in (None, ""):
        return ()
    text = stored.decode("utf-8", "replace") if isinstance(stored, bytes) else str(stored)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return (ToolCall("", text),)
    calls = value if isinstance(value, list) else [value]
    return tuple(_call(one) for one in calls)


def _call(value: Any) -> ToolCall:
    function = value.get("function", value) if isinstance(value, dict) else None
    if not isinstance(function, dict):
        return ToolCall("", json.dumps(value, ensure_ascii=False))
    arguments = function.get("arguments", "")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    return ToolCall(str(function.get("name", "")), readable(arguments))


def readable(arguments: str) -> str:
    """JSON with its characters instead of escapes, where it has any and is JSON."""
    if _ESCAPED.search(arguments) is None:
        return arguments
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


def recalled_in(stored: object) -> str:
    """What was recalled for a message: the texts inside the fences of what the model was sent."""
    if not isinstance(stored, str) or "<memory-context>" not in stored:
        return ""
    texts = (_NOTE.sub("", one[1]).strip("\n") for one in _FENCE.finditer(stored))
    return "\n\n".join(text for text in texts if text)
