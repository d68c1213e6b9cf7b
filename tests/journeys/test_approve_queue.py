"""A person goes through the queue with the keyboard alone, while the agent goes on working."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.conftest import Start
from tests.gui.driver import entries_of
from tests.gui.pending_driver import PendingDriver
from tests.support.agent import Agent

PREFERENCE, DEPLOY, PRINTER, BATCH = "162386ec", "6df3bc83", "90751a92", "ca2a1f86"
SKILLS = ["3c200255", "a42e06a5", "9354c0ad", "0555789b", "ba6a9cb1", "ef4b8b4a"]
ATLAS = 'Printer queue "atlas" prints duplex by default'


@pytest.fixture
def pending(start: Start, hermes_home: Path) -> PendingDriver:
    return PendingDriver(start(hermes_home, page="pending"))


def test_a_queue_is_worked_off_by_keyboard_while_the_agent_stages_more(
    pending: PendingDriver, hermes_home: Path, hermes_python: Path
) -> None:
    memory, user = (hermes_home / "memories" / name for name in ("MEMORY.md", "USER.md"))
    untouched = memory.read_bytes()
    assert pending.ids() == [PREFERENCE, DEPLOY, PRINTER, BATCH, *SKILLS]
    assert pending.focus() == "pending_cards"

    # There and back, and the first one is fine.
    pending.press("J K")
    assert pending.current() == PREFERENCE
    pending.decide("A")
    assert entries_of(user)[-1] == "喜欢用 ripgrep 而不是 grep"

    # The next would take a whole entry for a half sentence: no.
    assert pending.current() == DEPLOY
    assert "would be lost" in pending.sentence()
    pending.decide("R")
    assert memory.read_bytes() == untouched

    # The printer is gone; what a later batch wanted of it cannot be done any more.
    assert pending.current() == PRINTER
    pending.decide("A")
    assert ATLAS not in entries_of(memory)
    assert pending.current() == BATCH
    assert pending.badge(BATCH) == "operation 3: entry is gone"

    # It was a mistake.
    pending.press("U")
    pending.wait(lambda: pending.ids() == [PRINTER, BATCH, *SKILLS], "the record to wait again")
    assert memory.read_bytes() == untouched
    assert pending.current() == PRINTER
    assert pending.badge(BATCH).startswith("loses")

    with Agent(hermes_python, hermes_home) as agent:
        # Meanwhile the agent reviews what was said, and wants to keep something.
        staged = agent.ask(
            "stage",
            origin="background_review",
            arguments={"action": "add", "target": "memory", "content": "fir is the GPU machine"},
        )
        new = staged["pending_id"]
        everything = [PRINTER, BATCH, *SKILLS, new]
        pending.wait(lambda: pending.ids() == everything, "the agent's record")
        assert (pending.current(), pending.focus()) == (PRINTER, "pending_cards")
        assert agent.ask("pending")["ids"] == [key for key in pending.ids() if key not in SKILLS]

        # Two at once, with the end state before it is done, and back again.
        pending.press("Space")
        pending.choose(new)
        pending.press("Space")
        assert pending.ticked() == [PRINTER, new]
        assert pending.totals().startswith("Agent memory: ")
        pending.decide("Shift+A")
        assert pending.desk.toast() == "Approved 2 writes."
        assert entries_of(memory)[-1] == "fir is the GPU machine"
        assert agent.ask("pending")["ids"] == [BATCH]
        pending.press("U")
        pending.wait(lambda: pending.ids() == everything, "all of it back")
        assert memory.read_bytes() == untouched

        # One is nearly right.
        pending.choose(new)
        pending.press("E")
        pending.type(", not larch")
        pending.decide("Ctrl+Return")
        assert agent.blocks()["memory"].endswith("fir is the GPU machine, not larch")

        # The rest is not wanted. The keyboard still has its place.
        pending.decide("Ctrl+A Shift+R")
        assert agent.ask("pending")["ids"] == []
        pending.reads("Nothing waits")
        assert pending.focus()

        # The agent takes every byte of it.
        assert agent.add("memory", "and the agent goes on")["success"]
        pending.desk.rest()
    assert entries_of(memory)[-1] == "and the agent goes on"
