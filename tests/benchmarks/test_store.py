"""Add, replace and batch against the agent's MemoryStore, on the same file of the same disk.

At most its time without the journal, which the agent has not, and 1.8 times with it. Each side
is timed inside a process of its own, in turns. Without the journal both wait for the disk once,
and so long that nothing else would show: that comparison is made in memory where there is such a
place. With it the desk waits twice, which only a real disk tells.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from store.home import HermesHome
from tests.benchmarks.conftest import Measured
from tests.support.agent import Agent
from tests.support.desks import DELIMITER, home_at

ROOT = Path(__file__).resolve().parents[2]
GOALS = {"without the journal": 1.0, "with the journal": 1.8}
ROUNDS, CALLS = 40, 7
LIMIT = 2200

SENTENCE = "The user prefers short answers and runs the tests before every commit; note {n}."
FILES = {
    "near its budget": [SENTENCE.format(n=n) * 2 for n in range(13)],
    "of 50 entries": [f"entry {n:02d}: the build machine is larch" for n in range(50)],
}
CYCLE: list[tuple[str, list[Any]]] = [
    ("add", ["a new entry"]),
    ("replace", ["a new entry", "another entry"]),
    (
        "apply_batch",
        [
            [
                {"action": "remove", "old_text": "another entry"},
                {"action": "add", "content": "the last entry"},
            ]
        ],
    ),
    ("remove", ["the last entry"]),
]
"""What is done again and again; it leaves the file as it was."""

# Answers a line of operations, as the agent's worker does, with the seconds that each took.
OURS = """
import json, sys, time
from pathlib import Path
from store.desk import build_desk
from store.files import Disk
from store.home import HermesHome
from store.memory.library import MemoryLibrary
from store.memory.operations import Add, Batch, Part, Remove, Replace
from store.memory.state import Written

path, data, with_journal = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "with the journal"
home, env = HermesHome(path, path, "default"), {"MEMORY_DESK_DATA_DIR": data}
desk = build_desk(home, env=env)
library = desk.library if with_journal else MemoryLibrary(home, disk=Disk(), env=env)

def single(method, *args):
    match method:
        case "add":
            return Add(*args)
        case "replace":
            return Replace(Part(args[0]), args[1])
        case "remove":
            return Remove(Part(args[0]))

for line in sys.stdin:
    seconds = []
    for method, args in json.loads(line):
        started = time.perf_counter()
        if method == "apply_batch":
            change = Batch(tuple(
                single(one["action"], one.get("old_text") or one["content"]) for one in args[0]
            ))
        else:
            change = single(method, *args)
        result = library.change("memory", change)
        seconds.append(time.perf_counter() - started)
        assert isinstance(result, Written) and result.changed, result
    print(json.dumps(seconds), flush=True)
desk.close()
"""


class Ours:
    """A process in which the desk is timed."""

    def __init__(self, home: HermesHome, data: Path, kind: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", OURS, home.path, data, kind],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def timed(self, operations: list[Any]) -> list[float]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(operations) + "\n")
        self._process.stdin.flush()
        return list(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        self._process.communicate()


def _place(kind: str, tmp_path: Path) -> Path:
    memory = Path("/dev/shm")
    if kind == "with the journal" or not os.access(memory, os.W_OK):
        return tmp_path
    return Path(tempfile.mkdtemp(dir=memory, prefix="desk-benchmark-"))


def _timed(file: str, kind: str, place: Path, hermes_python: Path) -> dict[str, list[list[float]]]:
    """By method, the seconds of both sides: of every round the median of its calls."""
    text = DELIMITER.join(FILES[file])
    assert LIMIT - 300 < len(text) < LIMIT - 20
    homes = [home_at(place / name, memory=text.encode()) for name in ("ours", "theirs")]
    for home in homes:
        home.memory_file("memory").chmod(0o600)
    rounds: dict[str, list[list[float]]] = {method: [] for method, _ in CYCLE}
    ours = Ours(homes[0], place / "data", kind)
    with Agent(hermes_python, homes[1].path) as agent:
        if hasattr(os, "sched_setaffinity"):  # cores differ in speed while others work
            for process in (agent._process, ours._process):
                os.sched_setaffinity(process.pid, {min(os.sched_getaffinity(0))})
        for _ in range(ROUNDS):
            theirs = agent.ask("timed", target="memory", operations=CYCLE * CALLS)["seconds"]
            both = ours.timed(CYCLE * CALLS), theirs
            for number, (method, _) in enumerate(CYCLE):
                rounds[method].append(
                    [statistics.median(each[number :: len(CYCLE)]) for each in both]
                )
    ours.close()
    for home in homes:
        assert home.memory_file("memory").read_text("utf-8") == text
    return rounds


@pytest.fixture(scope="module", params=list(itertools.product(FILES, GOALS)), ids=" ".join)
def timed(
    request: pytest.FixtureRequest, hermes_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str, dict[str, list[list[float]]]]]:
    """Which file, which kind, and the rounds."""
    file, kind = request.param
    place = _place(kind, tmp_path_factory.mktemp("store"))
    yield file, kind, _timed(file, kind, place, hermes_python)
    shutil.rmtree(place)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("method", ["add", "replace", "apply_batch"])
def test_a_change_takes_no_longer_than_the_agents(
    timed: tuple[str, str, dict[str, list[list[float]]]],
    method: str,
    measured: Callable[[Measured], None],
) -> None:
    file, kind, rounds = timed
    ours, theirs = zip(*rounds[method], strict=True)
    # In memory the best round of each: a core that is slow for a while must be so for both. On
    # the disk, what is usual: how long it takes is no matter of ours.
    usual = statistics.median if kind == "with the journal" else min
    measured(
        Measured(
            what=f"{method.removeprefix('apply_').capitalize()}, file {file}, {kind}",
            ours=usual(ours) * 1_000,
            unit="ms",
            goal=GOALS[kind],
            theirs=usual(theirs) * 1_000,
            compared_with="the agent's MemoryStore",
        )
    )
