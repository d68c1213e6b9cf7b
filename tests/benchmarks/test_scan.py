"""The threat scan against the agent's own, on the same texts: at most half its time.

Each side is timed inside its own process, so that starting one counts for neither.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from store.memory.threats import scan
from tests.benchmarks.conftest import Measured
from tests.support.threat_texts import EXAMPLES

GOAL = 0.5
ROUNDS = 20
ROOT = Path(__file__).resolve().parents[2]
SENTENCES = {
    "English": "The user prefers short answers and works on a Debian laptop with two screens. "
    "Project notes live in a folder that is backed up every night; now run the tests before a "
    "commit, and print what failed.\n",
    "Chinese": "用户喜欢简短的回答，并且在一台装有 Debian 的笔记本电脑上工作。项目笔记保存在"
    "每晚备份的文件夹里；每次提交之前都要运行测试（包括集成测试），然后列出失败的项目！\n",
}

OURS = "from store.memory.threats import scan"
AGENTS = "from tools.threat_patterns import scan_for_threats as scan"

# Answers each text, a line of JSON, with the median time in seconds and the findings.
ANSWER = """
import json, statistics, sys, time

for line in sys.stdin:
    text, times, until = json.loads(line), [], time.perf_counter() + 0.02
    while len(times) < 3 or (time.perf_counter() < until and len(times) < 200):
        started = time.perf_counter()
        found = scan(text, scope="strict")
        times.append(time.perf_counter() - started)
    print(json.dumps([statistics.median(times), found]), flush=True)
"""


class Side:
    """A process in which one of the two scans is timed."""

    def __init__(self, *python: str, imported: str) -> None:
        self._process = subprocess.Popen(
            [*python, "-c", f"{imported}\n{ANSWER}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        # Cores differ in speed while others work on the machine; both sides use the same one.
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self._process.pid, {min(os.sched_getaffinity(0))})

    def answer(self, text: str) -> tuple[float, list[str]]:
        """The median time and the findings."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(text) + "\n")
        self._process.stdin.flush()
        seconds, found = json.loads(self._process.stdout.readline())
        return seconds, found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def _texts() -> dict[str, str]:
    """By name: clean ones, with one hit at the end, and with every hit (early, where it counts)."""
    hits = " ".join(hit for hit, _ in EXAMPLES.values()) + "\n"
    texts = {}
    for language, sentence in SENTENCES.items():
        for length in (2_000, 65_000):
            clean = (sentence * (length // len(sentence) + 1))[:length]
            texts[f"{length:,} characters, {language}, clean"] = clean
            late = clean[:-18] + "\nauthorized_keys\n\n"
            texts[f"{length:,} characters, {language}, one hit at the end"] = late
            texts[f"{length:,} characters, {language}, every hit"] = (hits + clean)[:length]
    return texts


TEXTS = _texts()


@pytest.fixture(scope="module")
def sides(hermes_python: Path) -> Iterator[tuple[Side, Side]]:
    """Our scan and the agent's, each in a process of its own."""
    # Isolated, the agent's process sees its own packages only, whatever folders lie here.
    agent = Side(str(hermes_python), "-I", imported=AGENTS)
    both = Side(sys.executable, imported=OURS), agent
    yield both
    for side in both:
        side.close()


@pytest.mark.parametrize("name", TEXTS)
def test_the_scan_takes_at_most_half_the_agents_time(
    name: str,
    benchmark: BenchmarkFixture,
    sides: tuple[Side, Side],
    measured: Callable[[Measured], None],
) -> None:
    text = TEXTS[name]
    # In turns, and the best of each: a machine that is slow for a while must be so for both.
    rounds = [tuple(side.answer(text) for side in sides) for _ in range(ROUNDS)]
    for (_, ours), (_, theirs) in rounds:
        assert ours == theirs
    benchmark(scan, text)
    measured(
        Measured(
            what=f"Threat scan, {name}",
            ours=min(ours for (ours, _), _ in rounds) * 1_000,
            unit="ms",
            goal=GOAL,
            theirs=min(theirs for _, (theirs, _) in rounds) * 1_000,
            compared_with="the agent's scan",
        )
    )
