"""The real agent and the desk on the same files at the same time, and each other's records."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from store.desk import Desk, build_desk
from store.home import HermesHome
from store.memory.operations import Add
from store.pending.records import Record
from store.refusals import Stale
from tests.support.agent import Agent

ROOT = Path(__file__).resolve().parents[2]
WRITERS, WRITES = 4, 250
ROOMY = 10_000_000


@pytest.fixture
def desk(hermes_home: Path, tmp_path: Path) -> Iterator[Desk]:
    home = HermesHome(hermes_home, hermes_home, "default")
    desk = build_desk(home, env={"MEMORY_DESK_DATA_DIR": str(tmp_path / "data")})
    yield desk
    desk.close()


@pytest.fixture
def agent(hermes_home: Path, hermes_python: Path) -> Iterator[Agent]:
    with Agent(hermes_python, hermes_home) as agent:
        yield agent


@pytest.mark.timeout(400)
def test_four_agents_and_four_desks_lose_no_acknowledged_write(
    empty_home: Path, hermes_python: Path, tmp_path: Path
) -> None:
    (empty_home / "config.yaml").write_text(f"memory:\n  memory_char_limit: {ROOMY}\n")
    ours = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.support.desk_worker",
                str(empty_home),
                str(tmp_path / "data"),
                "memory",
                f"desk {number}",
                str(WRITES),
                "120",
            ],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(WRITERS)
    ]
    with ExitStack() as stack:
        agents = [
            stack.enter_context(Agent(hermes_python, empty_home, memory=ROOMY))
            for _ in range(WRITERS)
        ]
        for number, agent in enumerate(agents):
            agent.send("add_many", target="memory", prefix=f"agent {number}", count=WRITES)
        assert [agent.answer() for agent in agents] == [{"written": WRITES}] * WRITERS
    answers = [json.loads(process.communicate(timeout=300)[0]) for process in ours]
    assert [answer["written"] for answer in answers] == [WRITES] * WRITERS
    entries = (empty_home / "memories" / "MEMORY.md").read_text("utf-8").split("\n§\n")
    expected = {
        f"{who} {writer} {number}"
        for who in ("agent", "desk")
        for writer in range(WRITERS)
        for number in range(WRITES)
    }
    assert len(entries) == len(expected) == 2 * WRITERS * WRITES
    assert set(entries) == expected


def test_records_that_the_agent_stages_are_approved_by_the_desk(desk: Desk, agent: Agent) -> None:
    desk.queue.reject([record.id for record in desk.queue.load().records])
    for arguments in (
        {"action": "add", "target": "user", "content": "喜欢简短的回答"},
        {
            "action": "replace",
            "target": "memory",
            "old_text": "named larch",
            "content": "It is oak now",
        },
        {
            "action": "",
            "target": "memory",
            "operations": [
                {"action": "remove", "old_text": "oak now"},
                {"action": "add", "content": "The build machine is oak"},
            ],
        },
    ):
        answer = agent.ask("stage", origin="background_review", arguments=arguments)
        assert answer["staged"], answer
    listing = desk.queue.load()
    assert [record.automatic for record in listing.records] == [True] * 3
    handled = desk.queue.approve([record.id for record in listing.records])
    assert not handled.refused
    assert len(handled.done) == 3
    assert desk.queue.load().records == ()
    assert agent.ask("pending")["ids"] == []
    assert "喜欢简短的回答" in desk.library.load("user").document.texts
    assert desk.library.load("memory").document.texts[-1] == "The build machine is oak"
    assert "The build machine is oak" in agent.blocks()["memory"]


def test_records_that_the_desk_stages_are_approved_by_the_agent(desk: Desk, agent: Agent) -> None:
    desk.queue.reject([record.id for record in desk.queue.load().records])
    staged = [
        desk.queue.stage({"action": "add", "target": "memory", "content": "一条新的记忆"}),
        desk.queue.stage(
            {
                "action": "replace",
                "target": "memory",
                "old_text": "named larch",
                "content": "Now oak",
            }
        ),
        desk.queue.stage(
            {
                "action": "batch",
                "target": "user",
                "operations": [{"action": "add", "content": "Answers in English, please"}],
            }
        ),
    ]
    assert agent.ask("pending")["ids"] == staged
    answer = agent.ask("command", words=["approve", "all"])["answer"]
    assert "Approved 3 memory write(s)." in answer
    assert desk.queue.load().records == ()
    texts = desk.library.load("memory").document.texts
    assert "一条新的记忆" in texts
    assert "Now oak" in texts
    assert "Answers in English, please" in desk.library.load("user").document.texts


def test_a_record_pinned_to_an_entry_that_the_agent_changed_is_stale(
    desk: Desk, agent: Agent
) -> None:
    desk.library.change("memory", Add("the entry that was reviewed"))
    staged = desk.queue.stage(
        {"action": "remove", "target": "memory", "old_text": "was reviewed", "content": None}
    )
    assert isinstance(staged, str)
    agent.replace("memory", "was reviewed", "quite another entry that was reviewed")
    before = desk.library.load("memory").digest
    handled = desk.queue.approve([staged])
    assert handled.refused == ((staged, Stale("the entry that was reviewed")),)
    assert desk.library.load("memory").digest == before
    assert isinstance(desk.queue.find(staged), Record)


def test_the_fixture_queue_ends_as_it_does_when_the_agent_approves_it(
    desk: Desk, hermes_python: Path, fixture_home: Path, tmp_path: Path
) -> None:
    theirs = Path(shutil.copytree(fixture_home, tmp_path / "theirs"))
    with Agent(hermes_python, theirs) as agent:
        agent.ask("command", words=["approve", "all"])
        left = agent.ask("pending")["ids"]
    handled = desk.queue.approve([record.id for record in desk.queue.load().records])
    assert [record.id for record in desk.queue.load().records] == left
    assert [name for name, _ in handled.refused] == left
    for name in ("MEMORY.md", "USER.md"):
        ours = desk.home.memories / name
        assert ours.read_bytes() == (theirs / "memories" / name).read_bytes()
