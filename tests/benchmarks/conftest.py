"""What benchmarks share: they record measurements, and the page in docs is written from these.

A benchmark compares two things in one run on one machine, so that its ratio means the same
elsewhere: `measured(Measured(...))` records it and fails when the goal is missed.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

_RECORDED = pytest.StashKey[list["Measured"]]()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One comparison: `ours` may be at most `goal` times `theirs`, both in `unit`.

    Without `theirs` the goal is a limit in `unit` itself.
    """

    what: str
    ours: float
    unit: str
    goal: float
    theirs: float | None = None
    compared_with: str = ""

    @property
    def result(self) -> float:
        """What is compared with the goal: the ratio, or our own value if there is no other."""
        return self.ours if self.theirs is None else self.ours / self.theirs

    @property
    def row(self) -> str:
        """This measurement as a row of the page's table."""
        goal = f"≤ {self.goal:g} ×" if self.theirs is not None else f"≤ {self.goal:g} {self.unit}"
        theirs = "" if self.theirs is None else f"{self.theirs:.4g} {self.unit}"
        ratio = "" if self.theirs is None else f"{self.result:.2f} ×"
        met = "yes" if self.result <= self.goal else "**no**"
        cells = (self.what, f"{self.ours:.4g} {self.unit}", self.compared_with, theirs, ratio, goal)
        return "| " + " | ".join((*cells, met)) + " |"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--benchmarks-page", metavar="FILE", help="write the measurements to FILE")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RECORDED] = []


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[Measured], None]:
    """Record a measurement for the page, then fail if it misses its goal."""

    def record(measurement: Measured) -> None:
        request.config.stash[_RECORDED].append(measurement)
        assert measurement.result <= measurement.goal, measurement.row

    return record


def pytest_sessionfinish(session: pytest.Session) -> None:
    page = session.config.getoption("--benchmarks-page", None)
    recorded = session.config.stash[_RECORDED]
    if page and recorded:
        Path(page).parent.mkdir(exist_ok=True)
        Path(page).write_text(_page(recorded), encoding="utf-8")


def _page(recorded: list[Measured]) -> str:
    versions = f"Python {platform.python_version()}, Qt {version('PySide6-Essentials')}"
    head = f"""# Benchmarks

Written by `./test --benchmarks`; ratios are of one run on one machine, so compare those.
Measured on {datetime.now(UTC):%Y-%m-%d} on {_processor()}, {os.cpu_count()} cores, {versions}.

| what | ours | compared with | theirs | ratio | goal | met |
|---|---|---|---|---|---|---|
"""
    return head + "\n".join(sorted(each.row for each in recorded)) + "\n"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
