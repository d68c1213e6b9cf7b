"""The real agent on every broken file of the corpus: what it refuses before, it accepts after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from store.desk import Desk
from store.memory.entries import agent_pieces, decode
from store.memory.plan import plan_of
from store.memory.repairs import Examined, Repaired, examine, repair
from store.undo import Undone
from tests.corpus.test_corpus_is_sound import ALL, Case
from tests.support.agent import Agent
from tests.support.desks import home_at, limits, opened

NOWHERE = "a text that is in no entry"
BATCH = [{"action": "remove", "old_text": NOWHERE}]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    home = home_at(tmp_path / "home")
    with opened(home, tmp_path / "data") as desk:
        yield desk


@pytest.fixture
def agent(desk: Desk, hermes_python: Path) -> Iterator[Agent]:
    with Agent(hermes_python, desk.home.path) as agent:
        yield agent


def set_up(desk: Desk, agent: Agent, case: Case) -> Path:
    """The case's file in a home with the case's limit."""
    limit = case.expected["limit"]
    (desk.home.path / "config.yaml").write_text(limits(memory=limit), "utf-8")
    agent.limits = [limit, 1375]
    for old in desk.home.memories.iterdir():
        old.unlink()
    path = desk.home.memory_file("memory")
    path.write_bytes(case.data)
    return path


def refusals(agent: Agent) -> list[bool]:
    """Whether the agent refuses for drift: replace, remove, batch, none of which would match."""
    answers = (
        agent.replace("memory", NOWHERE, "x"),
        agent.remove("memory", NOWHERE),
        agent.batch("memory", BATCH),
    )
    assert not any(answer["success"] for answer in answers)
    return ["drift_backup" in answer for answer in answers]


def repaired(desk: Desk) -> Repaired:
    found = examine(desk.library, "memory")
    assert isinstance(found, Examined)
    assert found.proposal is not None
    plan = plan_of(found.proposal, target="memory", digest=found.digest, agreed=True)
    done = repair(desk.library, "memory", plan)
    assert isinstance(done, Repaired)
    return done


def entries(path: Path) -> list[str]:
    text = decode(path.read_bytes())
    assert isinstance(text, str)
    return list(agent_pieces(text))


def change_everything(agent: Agent, path: Path, limit: int) -> list[dict[str, Any]]:
    """Replace, remove and batch as the agent would, until nothing of the old list is left."""
    answers = []
    while len("\n§\n".join(entries(path))) > limit - 24 or len(entries(path)) > 3:
        answers.append(agent.remove("memory", unmistakable(path)))
        if not answers[-1]["success"]:
            return answers
    if entries(path):
        answers.append(agent.replace("memory", unmistakable(path), "seen by the agent"))
    operations = [{"action": "add", "content": "one"}]
    operations += [{"action": "remove", "old_text": unmistakable(path)}] if entries(path) else []
    return [*answers, agent.batch("memory", operations)]


def unmistakable(path: Path) -> str:
    """An entry whose text is part of no other."""
    found = entries(path)
    return next(text for text in found if sum(text in other for other in found) == 1)


def test_before_a_repair_the_agent_refuses_exactly_what_we_call_drift(
    desk: Desk, agent: Agent
) -> None:
    seen, said = {}, {}
    for case in ALL:
        set_up(desk, agent, case)
        state = desk.library.load("memory").state
        said[case.name] = [state == "drift"] * 3
        seen[case.name] = refusals(agent)
    assert seen == said
    assert [True] * 3 in seen.values()


def test_after_a_repair_the_agent_accepts_replace_remove_and_batch(
    desk: Desk, agent: Agent
) -> None:
    for case in ALL:
        path = set_up(desk, agent, case)
        done = repaired(desk)
        assert done.proven, case.name
        assert entries(path) == case.texts, case.name
        assert refusals(agent) == [False] * 3, case.name
        answers = change_everything(agent, path, case.expected["limit"])
        assert [one for one in answers if not one["success"]] == [], case.name


def test_every_repair_is_undone_to_the_byte(desk: Desk, agent: Agent) -> None:
    for case in ALL:
        path = set_up(desk, agent, case)
        done = repaired(desk)
        if done.change_id is not None:
            undone = desk.undo.undo(done.change_id)
            assert isinstance(undone, Undone), case.name
            assert undone.exact, case.name
        assert path.read_bytes() == case.data, case.name
