"""Each kind is told by how it is said, in two languages; what belongs in memory is left alone."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from store.advice.signs import FAR_TOO_LONG, signs

TODAY = date(2026, 11, 30)

SAID: dict[str, list[str]] = json.loads(Path(__file__).with_name("said.json").read_text("utf-8"))
"""Invented sentences of each kind; those under `stays` belong in memory."""
STAYS = SAID.pop("stays")


@pytest.mark.parametrize(("kind", "text"), [(kind, one) for kind in SAID for one in SAID[kind]])
def test_what_is_said_is_told(kind: str, text: str) -> None:
    assert kind in signs(text, today=TODAY)


@pytest.mark.parametrize("text", STAYS)
def test_what_belongs_in_memory_stays(text: str) -> None:
    assert signs(text, today=TODAY) == ()


@pytest.mark.parametrize(
    "text",
    ["x", " ", "\n", "已经把了正在还", "fixed need to be by the wall ", "1 ",
     "://a:", "key ", "a > b -> ",
     "|a", "a=b ", "2026-01-01 ", "login a/b ", "git push a b c ",
     "a\t", "a-", '"a": '],
)  # fmt: skip
def test_a_very_long_text_is_answered(text: str) -> None:
    assert "too_long" in signs((text * 65_000)[:65_000], today=TODAY)


def test_a_secret_is_found_wherever_it_stands() -> None:
    text = "long fact about nothing. " * 2_000 + "The NAS password is hunter2-Winter!"
    assert "secret" in signs(text, today=TODAY)


def test_length_alone_is_a_kind() -> None:
    assert signs("y" * FAR_TOO_LONG, today=TODAY) in ((), ("raw_dump",))
    assert "too_long" in signs("y" * (FAR_TOO_LONG + 1), today=TODAY)


@pytest.mark.parametrize(
    "day", ["2026-11-30", "30 November 2026", "2026年11月", "31.12.2026", "Q4 2026"]
)
def test_what_ends_today_or_later_is_not_past(day: str) -> None:
    assert "past_date" not in signs(f"The voucher is valid until {day}", today=TODAY)


@pytest.mark.parametrize(
    "day", ["2026-11-29", "29 November 2026", "2026年10月", "29/11/2026", "Q3 2026"]
)
def test_what_ended_yesterday_is_past(day: str) -> None:
    assert "past_date" in signs(f"The voucher is valid until {day}", today=TODAY)
