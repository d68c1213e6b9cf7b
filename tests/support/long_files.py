"""Files that are no memory: some megabytes of every shape, made the same each time."""

from __future__ import annotations

import random
from collections.abc import Callable

SEED = 3
_WORDS = (
    "alpha bravo deploy staging needs the VPN server uses ruff build machine named larch prefers "
    "short answers project tidepool database"
)
_HAN = "用户喜欢简短的回答项目数据库是服务器部署需要网络落叶松"


def _lines(count: int, words: int = 14) -> list[str]:
    chance = random.Random(SEED)
    words_of = _WORDS.split()
    return [f"{n} {' '.join(chance.choices(words_of, k=words))}" for n in range(count)]


def _han(count: int) -> list[str]:
    chance = random.Random(SEED)
    return ["".join(chance.choices(_HAN, k=48)) for _ in range(count)]


LONG_FILES: dict[str, Callable[[], bytes]] = {
    "one line": lambda: " ".join(_lines(54_000)).encode(),
    "lines": lambda: "\n".join(_lines(50_000)).encode(),
    "sentences": lambda: " ".join(f"Fact {n} holds." for n in range(160_000)).encode(),
    "entries": lambda: "\n§\n".join(_lines(50_000)).encode(),
    "entries and blank lines": lambda: "\n\n§\n\n".join(_lines(50_000)).encode(),
    "CRLF": lambda: "\r\n".join(_lines(50_000)).encode(),
    "GBK": lambda: "\n".join(_han(50_000)).encode("gbk"),
    "undecodable": lambda: random.Random(SEED).randbytes(5_000_000),
    "UTF-16": lambda: "\n".join(_lines(27_000)).encode("utf-16"),
}
"""By name, what makes the bytes."""
