"""Add, replace and batch against the agent's MemoryStore, on the same file of the same disk.

At most its time without the journal, which the agent has not, and 1.8 times with it. Each side
is timed inside a process of its own, in turns, since the disk is busy with other things too.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store.home import HermesHome
from tests.benchmarks.conftest import Measured
from tests.support.agent import Agent
from tests.support.desks import DELIMITER, home_at

ROOT = Path(__file__).resolve().parents[2]
GOALS = {"without the journal": 1.0, "with the journal": 1.8}
ROUNDS, CYCLES = 40, 6
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

Timed = dict[str, dict[str, list[float]]]
"""By side and method: seconds of each call."""


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


@pytest.fixture(scope="module", params=FILES)
def timed(
    request: pytest.FixtureRequest, hermes_python: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Timed]:
    """The seconds of every call on one of the files, by all sides in turns."""
    place, text = tmp_path_factory.mktemp("store"), DELIMITER.join(FILES[request.param])
    assert LIMIT - 300 < len(text) < LIMIT - 20
    homes = {}
    for name in ("the agent", *GOALS):
        homes[name] = home_at(place / name.replace(" ", "-"), memory=text.encode())
        homes[name].memory_file("memory").chmod(0o600)
    seconds: Timed = {name: {method: [] for method, _ in CYCLE} for name in homes}
    sides = {kind: Ours(homes[kind], place / "data", kind) for kind in GOALS}
    with Agent(hermes_python, homes["the agent"].path) as agent:
        if hasattr(os, "sched_setaffinity"):  # cores differ in speed while others work
            core = {min(os.sched_getaffinity(0))}
            for process in (agent._process, *(side._process for side in sides.values())):
                os.sched_setaffinity(process.pid, core)
        for _ in range(ROUNDS):
            answer = agent.ask("timed", target="memory", operations=CYCLE * CYCLES)
            took = {"the agent": answer["seconds"]}
            took |= {kind: side.timed(CYCLE * CYCLES) for kind, side in sides.items()}
            for name, each in took.items():
                for (method, _), one in zip(CYCLE * CYCLES, each, strict=True):
                    seconds[name][method].append(one)
    for side in sides.values():
        side.close()
    for home in homes.values():
        assert home.memory_file("memory").read_text("utf-8") == text
    return request.param, seconds


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", GOALS)
@pytest.mark.parametrize("method", ["add", "replace", "apply_batch"])
def test_a_change_takes_no_longer_than_the_agents(
    timed: tuple[str, Timed], method: str, kind: str, measured: Callable[[Measured], None]
) -> None:
    file, seconds = timed
    name = method.removeprefix("apply_").capitalize()
    measured(
        Measured(
            what=f"{name}, file {file}, {kind}",
            ours=statistics.median(seconds[kind][method]) * 1_000,
            unit="ms",
            goal=GOALS[kind],
            theirs=statistics.median(seconds["the agent"][method]) * 1_000,
            compared_with="the agent's MemoryStore",
        )
    )
