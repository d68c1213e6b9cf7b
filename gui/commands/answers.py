"""What a command answers: one value, shown as JSON to a script and as text to a person."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from gui.words import say
from schema.frozen import field, frozen
from store.refusals import AtOperation, AtRecord, Refusal


@frozen
class Answer:
    """`data` is for --json, `text` for a person, `notes` are lines on standard error.

    With --json the notes are not shown: what matters of them is in `data`. `exact` keeps the
    line end from being added to `text`.
    """

    data: Mapping[str, object]
    text: str = ""
    ok: bool = True
    notes: tuple[str, ...] = field(default=())
    exact: bool = False

    @property
    def status(self) -> int:
        """The exit status: 0 done, 1 refused or partly refused."""
        return 0 if self.ok else 1

    def as_json(self) -> str:
        """One object on one line, `ok` first; what JSON has no number for is null."""
        data = {"ok": self.ok, **self.data}
        try:
            return json.dumps(data, ensure_ascii=False, allow_nan=False)
        except ValueError:
            return json.dumps(_finite(data), ensure_ascii=False)


def refused(refusal: Refusal, **more: object) -> Answer:
    """The answer for something that was declined; `more` stands beside the refusal's own data."""
    return Answer(refusal_data(refusal) | more, ok=False, notes=(say(refusal),))


def refusal_data(refusal: Refusal) -> dict[str, object]:
    """Code, sentence and details of a refusal as scripts see them."""
    data: dict[str, object] = {"reason": refusal.code, "message": say(refusal)}
    if isinstance(refusal, AtRecord):
        data["record"] = refusal.record
        refusal = refusal.cause
    if isinstance(refusal, AtOperation):
        data |= {"operation": refusal.number, "action": refusal.action}
        refusal = refusal.cause
    return data | {one.name: getattr(refusal, one.name) for one in fields(refusal)}


def table(rows: Sequence[tuple[str, ...]], *, gap: str = "  ") -> str:
    """Lines with aligned columns; a Chinese character is two columns wide."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=True)]
        lines.append(gap.join(cells).rstrip())
    return "\n".join(lines)


def width(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


def indented(text: str, prefix: str) -> str:
    """All lines after the first moved below it."""
    return text.replace("\n", "\n" + prefix)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value
