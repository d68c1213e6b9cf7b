"""Two thousand skills: seen at once, and seen again, beside the agent's own look in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store.desk import Desk
from store.home import HermesHome
from tests.benchmarks.conftest import Measured
from tests.support.agent import Agent
from tests.support.desks import home_at, opened
from tests.support.skills import SKILL_WORKER, counted, put_skill, put_usage

SKILLS = 2_000
ROUNDS = 5
TEXT = """---
name: {name}
description: Tune the queries of shop {n} when its pages are slow, and say what was found
version: 1.{n}.0
platforms: [linux, macos, windows]
metadata:
  hermes:
    tags: [shop, speed, "{n}"]
    related_skills: [skill-1, skill-2]
    requires_toolsets: [terminal]
---

# Steps

{lines}
See [the list](references/list.md) before you begin.
"""

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> HermesHome:
    home = home_at(tmp_path_factory.mktemp("skills") / "home")
    lines = "".join(f"{n}. Look at table {n}, and at what it is joined with\n" for n in range(40))
    for n in range(SKILLS):
        text = TEXT.format(name=f"skill-{n}", n=n, lines=lines)
        put_skill(home.path, f"category-{n % 40}/skill-{n}", text, references__list_dot_md="x")
    put_usage(home.path, **{f"skill_{n}": counted(use_count=n) for n in range(0, SKILLS, 2)})
    return home


@pytest.fixture
def desk(home: HermesHome, tmp_path: Path) -> Iterator[Desk]:
    with opened(home, tmp_path / "data") as desk:
        yield desk


def milliseconds(act: Callable[[], object]) -> float:
    begin = time.perf_counter()
    act()
    return (time.perf_counter() - begin) * 1_000


def test_a_look_at_all_skills_takes_less_than_the_agents(
    home: HermesHome,
    tmp_path: Path,
    hermes_python: Path,
    measured: Callable[[Measured], None],
) -> None:
    ours, theirs = [], []
    with Agent(hermes_python, home.path, worker=SKILL_WORKER) as agent:
        for _ in range(ROUNDS):
            seconds = agent.ask("timed")
            assert seconds["count"] == SKILLS
            theirs.append(seconds["seconds"] * 1_000)
            with opened(home, tmp_path / "data") as desk:
                ours.append(milliseconds(desk.skill_desk.look))
    measured(
        Measured(
            what=f"First look at {SKILLS:,} skills, with problems and the model's list",
            ours=min(ours),
            unit="ms",
            goal=1.25,
            theirs=min(theirs),
            compared_with="the agent's report of use and its list",
        )
    )


def test_a_second_look_takes_less_than_half_of_the_first(
    desk: Desk, measured: Callable[[Measured], None]
) -> None:
    first = milliseconds(desk.skill_desk.look)
    again = min(milliseconds(desk.skill_desk.look) for _ in range(ROUNDS))
    measured(
        Measured(
            what=f"{SKILLS:,} skills looked at again",
            ours=again,
            unit="ms",
            goal=0.5,
            theirs=first,
            compared_with="the first look",
        )
    )


def test_the_first_skills_are_read_long_before_the_last(
    desk: Desk, measured: Callable[[Measured], None]
) -> None:
    begin = time.perf_counter()
    told: list[float] = []
    desk.skill_desk.look(progress=lambda *_: told.append(time.perf_counter() - begin))
    whole = time.perf_counter() - begin
    measured(
        Measured(
            what=f"Progress is told of {SKILLS:,} skills that are read",
            ours=told[0] * 1_000,
            unit="ms",
            goal=0.5,
            theirs=whole * 1_000,
            compared_with="the whole look",
        )
    )


def test_what_the_curator_would_do_is_worked_out_in_no_time(
    desk: Desk, measured: Callable[[Measured], None]
) -> None:
    found = desk.skill_desk.look()
    took = min(milliseconds(lambda: desk.skill_desk.curator(found)) for _ in range(ROUNDS))
    look = min(milliseconds(desk.skill_desk.look) for _ in range(ROUNDS))
    measured(
        Measured(
            what=f"Dry run of the curator over {SKILLS:,} skills",
            ours=took,
            unit="ms",
            goal=1.0,
            theirs=look,
            compared_with="a second look",
        )
    )
