"""The threat scan against the agent's own, on the same texts: at most half its time.

Each side is timed inside its own process, so that starting one counts for neither.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from store.memory.threats import scan
from tests.benchmarks.conftest import Measured
from tests.support.threat_texts import EXAMPLES

GOAL = 0.5
SENTENCES = {
    "English": "The user prefers short answers and works on a Debian laptop with two screens. "
    "Project notes live in a folder that is backed up every night; now run the tests before a "
    "commit, and print what failed.\n",
    "Chinese": "用户喜欢简短的回答，并且在一台装有 Debian 的笔记本电脑上工作。项目笔记保存在"
    "每晚备份的文件夹里；每次提交之前都要运行测试（包括集成测试），然后列出失败的项目！\n",
}

# Reads texts, writes the median time and the findings of each.
AGENT = """
import json, statistics, sys, time
from tools.threat_patterns import scan_for_threats

def median(text):
    times, until = [], time.perf_counter() + 0.5
    while len(times) < 9 or (time.perf_counter() < until and len(times) < 500):
        started = time.perf_counter()
        scan_for_threats(text, scope="strict")
        times.append(time.perf_counter() - started)
    return statistics.median(times)

texts = json.load(sys.stdin)
answers = {n: (median(t), scan_for_threats(t, scope="strict")) for n, t in texts.items()}
json.dump(answers, sys.stdout)
"""


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
def agent(hermes_python: Path) -> dict[str, tuple[float, list[str]]]:
    """The agent's median time in seconds and its findings, for each of the texts."""
    asked = json.dumps(TEXTS)
    done = subprocess.run(
        [hermes_python, "-c", AGENT], input=asked, capture_output=True, text=True, check=True
    )
    answers: dict[str, tuple[float, list[str]]] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("name", TEXTS)
def test_the_scan_takes_at_most_half_the_agents_time(
    name: str,
    benchmark: BenchmarkFixture,
    agent: dict[str, tuple[float, list[str]]],
    measured: Callable[[Measured], None],
) -> None:
    theirs, found = agent[name]
    assert list(benchmark(scan, TEXTS[name])) == found
    measured(
        Measured(
            what=f"Threat scan, {name}",
            ours=benchmark.stats.stats.median * 1_000,
            unit="ms",
            goal=GOAL,
            theirs=theirs * 1_000,
            compared_with="the agent's scan",
        )
    )
