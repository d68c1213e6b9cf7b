"""Words that only open the window are read without the parser, and mean the same to both."""

from __future__ import annotations

import io

import pytest

from gui.commands.line import answer
from gui.commands.start import Start, plain_start
from gui.commands.streams import Streams


def parsed(*words: str) -> int | Start:
    """What the whole parser makes of the words."""
    return answer(words, Streams(io.BytesIO(), io.BytesIO(), io.BytesIO()), {})


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ((), Start()),
        (("--home", "/a b", "--profile", "work"), Start(home="/a b", profile="work")),
        (("--page", "pending"), Start(page="pending")),
        (("--demo", "--page", "memory"), Start(demo=True, page="memory")),
        (("--minimised", "--home", "."), Start(minimised=True, home=".")),
        (("--home", "a", "--home", "b"), Start(home="b")),
    ],
)
def test_a_plain_start_is_read_as_the_parser_reads_it(words: tuple[str, ...], start: Start) -> None:
    assert plain_start(words) == start == parsed(*words)


@pytest.mark.parametrize(
    "words",
    [
        ("--home=/a",),
        ("--screenshot", "memory", "a.png"),
        ("--page", "settings", "--"),
        ("--wait", "3"),
    ],
)
def test_what_is_more_than_plain_goes_to_the_parser(words: tuple[str, ...]) -> None:
    assert plain_start(words) is None
    assert isinstance(parsed(*words), Start)


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("--help",),
        ("--home",),
        ("--home", " "),
        ("--home", "--demo"),
        ("--page", "nowhere"),
        ("--demo", "--minimised"),
        ("--json",),
    ],
)
def test_what_opens_no_window_is_no_plain_start(words: tuple[str, ...]) -> None:
    assert plain_start(words) is None
    assert not isinstance(parsed(*words), Start)
