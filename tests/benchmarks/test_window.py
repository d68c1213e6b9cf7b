"""How soon the window is there, what it holds in memory, and how long commands take."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.conftest import Measured

ROOT = Path(__file__).resolve().parents[2]
FIRST_FRAME = Path(__file__).with_name("first_frame.py")
ROUNDS = 9

BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""Set in some shells; a program that a person starts has its modules compiled already."""

pytestmark = pytest.mark.timeout(300)
Record = Callable[[Measured], None]


def first_frame(what: str) -> tuple[float, float]:
    """Milliseconds from the start of the process, and MiB held."""
    start = time.monotonic_ns()
    done = subprocess.run(
        [sys.executable, "-P", FIRST_FRAME, what],
        env=surroundings(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    moment, held = done.stdout.split()
    return (int(moment) - start) / 1e6, int(held) / 1024


def surroundings(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != BYTECODE} | more


def seconds(command: list[str | Path], env: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=env, capture_output=True, timeout=60, check=True)
    return time.perf_counter() - start


@pytest.fixture(scope="module")
def frames(
    fixture_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[tuple[float, float]]]:
    """Both windows, opened in turns so that the machine's moods meet both."""
    found: dict[str, list[tuple[float, float]]] = {"empty": [], str(fixture_home): []}
    for number in range(ROUNDS + 1):
        for what, results in found.items():
            result = first_frame(what)
            if number:  # the first round warms the disk
                results.append(result)
    return {"empty": found["empty"], "desk": found[str(fixture_home)]}


def test_the_first_usable_frame(
    frames: dict[str, list[tuple[float, float]]], desk_dirs: object, measured: Record
) -> None:
    ours, theirs = (statistics.median(ms for ms, _ in frames[who]) for who in ("desk", "empty"))
    measured(
        Measured(
            what="first usable frame with the fixture home, whole process",
            ours=ours,
            theirs=theirs,
            unit="ms",
            goal=1.5,
            compared_with="an empty PySide6 window",
        )
    )


def test_memory_of_the_window(
    frames: dict[str, list[tuple[float, float]]], measured: Record
) -> None:
    ours, theirs = (statistics.median(mib for _, mib in frames[who]) for who in ("desk", "empty"))
    measured(
        Measured(
            what="resident memory at that frame",
            ours=ours,
            theirs=theirs,
            unit="MiB",
            goal=1.6,
            compared_with="an empty PySide6 window",
        )
    )


def test_status(
    hermes_home: Path, hermes_python: Path, desk_dirs: object, measured: Record
) -> None:
    desk = [sys.executable, "-P", "-m", "gui", "--home", str(hermes_home), "status"]
    hermes = [hermes_python.with_name("hermes"), "memory", "status"]
    environ = surroundings(PYTHONPATH=str(ROOT))
    theirs_env = surroundings(HERMES_HOME=str(hermes_home))
    ours, theirs = [], []
    for number in range(ROUNDS + 1):
        pair = seconds([*desk], environ), seconds([*hermes], theirs_env)
        if number:
            ours.append(pair[0])
            theirs.append(pair[1])
    measured(
        Measured(
            what="`memory-desk status`, whole process",
            ours=statistics.median(ours) * 1000,
            theirs=statistics.median(theirs) * 1000,
            unit="ms",
            goal=0.4,
            compared_with="`hermes memory status`",
        )
    )
