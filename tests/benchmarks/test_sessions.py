"""Search in 200,000 messages, beside the agent's own in one run.

Each side searches in a process of its own and in turns; what counts is the best of its times.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from store.sessions.conversations import Listing
from store.sessions.database import Reader
from store.sessions.found import Found, Hit
from store.sessions.library import SessionLibrary
from tests.benchmarks.conftest import Measured
from tests.support.many_messages import fill
from tests.support.session_agent import SessionAgent

MESSAGES = 200_000
ROUNDS = 15
INDEXED, SCANNED = 0.5, 1.0
INDEXED_QUERIES = (
    "release",
    "release checklist",
    '"release checklist"',
    "release OR printer",
    "word900 NOT release",
    "word3900",
    "chec*",
    "大别山项目",
    "记忆断裂 AND 大别山",
)
SCANNED_QUERIES = ("桂林", "桂林 OR 旅游", "的")

pytestmark = pytest.mark.timeout(1_800)


@dataclass(frozen=True, slots=True)
class Sides:
    """The two that search in the same database; `plain` is a copy without full-text tables."""

    agent: SessionAgent
    library: SessionLibrary
    plain: SessionLibrary


@pytest.fixture(scope="module")
def sides(hermes_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sides]:
    home = tmp_path_factory.mktemp("home")
    with SessionAgent(hermes_python, home):
        pass  # it makes the database
    fill(home / "state.db", MESSAGES)
    plain = tmp_path_factory.mktemp("plain") / "state.db"
    _copy_without_indexes(home / "state.db", plain)
    with SessionAgent(hermes_python, home) as agent:
        libraries = SessionLibrary(home / "state.db"), SessionLibrary(plain)
        yield Sides(agent, *libraries)
        for library in libraries:
            library.close()


def _copy_without_indexes(source: Path, target: Path) -> None:
    with sqlite3.connect(source) as whole, sqlite3.connect(target) as copy:
        for table in ("sessions", "messages"):
            (made,) = whole.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,))
            copy.execute(made[0])
        copy.execute("ATTACH ? AS whole", (str(source),))
        for table in ("sessions", "messages"):
            copy.execute(f"INSERT INTO main.{table} SELECT * FROM whole.{table}")
        copy.execute("CREATE INDEX by_session ON messages(session_id, active, timestamp)")
    whole.close()
    copy.close()


def times(sides: Sides, library: SessionLibrary, typed: str) -> tuple[float, float]:
    """Our best time and the agent's, in milliseconds."""
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(sides.agent.ask("timed", q=typed, tries=1)["seconds"])
        begin = time.perf_counter()
        found = library.search(typed)
        ours.append(time.perf_counter() - begin)
        assert isinstance(found, Found)
        assert found.hits
        assert set(found.notices) <= {"no_word_index", "no_trigram"}
    return min(ours) * 1_000, min(theirs) * 1_000


@pytest.mark.parametrize("typed", INDEXED_QUERIES)
def test_an_indexed_search_takes_at_most_half_the_agents_time(
    typed: str,
    sides: Sides,
    benchmark: BenchmarkFixture,
    measured: Callable[[Measured], None],
) -> None:
    ours, theirs = times(sides, sides.library, typed)
    benchmark(sides.library.search, typed)
    measured(
        Measured(
            what=f"Search in {MESSAGES:,} messages: {typed}",
            ours=ours,
            unit="ms",
            goal=INDEXED,
            theirs=theirs,
            compared_with="the agent's search",
        )
    )


@pytest.mark.parametrize("without_indexes", [False, True], ids=["", "no index"])
@pytest.mark.parametrize("typed", SCANNED_QUERIES)
def test_what_the_agent_scans_takes_at_most_its_time(
    typed: str,
    without_indexes: bool,
    sides: Sides,
    measured: Callable[[Measured], None],
) -> None:
    ours, theirs = times(sides, sides.plain if without_indexes else sides.library, typed)
    how = "scan without any index" if without_indexes else "scanned by the agent"
    measured(
        Measured(
            what=f"Search in {MESSAGES:,} messages, {how}: {typed}",
            ours=ours,
            unit="ms",
            goal=SCANNED,
            theirs=theirs,
            compared_with="the agent's search",
        )
    )


def test_the_first_results_of_a_scan_are_there_long_before_its_end(
    sides: Sides, measured: Callable[[Measured], None]
) -> None:
    first: list[float] = []
    whole: list[float] = []
    for _ in range(3):
        seen: list[float] = []
        begin = time.perf_counter()

        def note(hits: tuple[Hit, ...], begin: float = begin, seen: list[float] = seen) -> None:
            seen.append(time.perf_counter() - begin)

        sides.plain.search("桂林", limit=1_000, on_hits=note)
        whole.append(time.perf_counter() - begin)
        first.append(seen[0])
    measured(
        Measured(
            what=f"First results of a scan of {MESSAGES:,} messages",
            ours=min(first) * 1_000,
            unit="ms",
            goal=0.25,
            theirs=min(whole) * 1_000,
            compared_with="the whole scan",
        )
    )


def test_a_list_of_sessions_asks_no_question_per_row(
    sides: Sides, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    rows = Reader.rows
    monkeypatch.setattr(
        Reader, "rows", lambda self, query, *v: asked.append(query) or rows(self, query, *v)
    )
    counts = []
    for limit in (50, 400):
        asked.clear()
        found = sides.library.listing(limit=limit)
        assert isinstance(found, Listing)
        assert len(found.sessions) == limit
        counts.append(len(asked))
    assert counts[0] == counts[1] < 10
