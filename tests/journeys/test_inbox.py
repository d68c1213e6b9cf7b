"""A person works off a long inbox of memory and skill writes, with the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.conftest import Start
from tests.gui.driver import entries_of, write_as_agent
from tests.gui.pending_driver import PendingDriver, ask_first, stage, stage_skill
from tests.support.skills import put_skill, skill_text, tree

ADDS, STALE, PATCHES, CREATES, ALIKE = 40, 15, 12, 6, 4
HOUR = 3_600.0


def fill(home: Path) -> None:
    """A queue of weeks: 77 writes, some stale, some alike, of memory and of skills."""
    ask_first(home)
    write_as_agent(home / "memories" / "MEMORY.md", "The build runs on larch")
    steps = "".join(f"{number}. step {number}\n" for number in range(PATCHES))
    put_skill(home, "devops/deploy", skill_text("deploy", body=f"# Deploy\n\n{steps}"))
    number = 0

    def put(**payload: object) -> None:
        nonlocal number
        number += 1
        put_one = stage_skill if "name" in payload else stage
        origin = "background_review" if number % 2 else "foreground"
        put_one(home, f"{number:08x}", age=(1_000 - number) * HOUR, origin=origin, **payload)

    for at in range(ADDS):
        put(content=f"note{at} about thing{at}")
    for at in range(STALE):
        put(action="remove", old_text=f"never was {at}")
    for at in range(PATCHES):
        before, after = f"{at}. step {at}\n", f"{at}. better step {at}\n"
        put(action="patch", name="deploy", old_string=before, new_string=after)
    for at in range(CREATES):
        put(action="create", name=f"new{at}", content=skill_text(f"new{at}", f"for thing{at}"))
    for _ in range(ALIKE):
        put(target="user", content="Prefers short answers in the evening")
    assert number == 77


@pytest.fixture
def home(empty_home: Path) -> Path:
    fill(empty_home)
    return empty_home


@pytest.fixture
def pending(start: Start, home: Path) -> PendingDriver:
    return PendingDriver(start(home, page="pending"))


def queue(home: Path) -> list[str]:
    return sorted(path.stem for path in (home / "pending").glob("*/*.json"))


def test_77_writes_are_triaged_by_keyboard_in_one_go(pending: PendingDriver, home: Path) -> None:
    pending.wait(lambda: f"{STALE} can no longer apply" in pending.subtitle(), "all to be judged")

    # What can no longer apply goes first, at once.
    pending.decide("Shift+C")
    assert len(queue(home)) == 77 - STALE
    assert pending.focus() == "pending_cards"

    # The first ones one by one: yes, no, and yes with other words.
    pending.decide("A")
    pending.decide("R")
    pending.press("E")
    pending.type(" indeed")
    pending.decide("Ctrl+Return")
    memory = entries_of(home / "memories" / "MEMORY.md")
    assert memory == ["The build runs on larch", "note0 about thing0", "note2 about thing2 indeed"]

    # Four say the same: of those, one is enough.
    pending.press("Ctrl+K")
    pending.type("evening")
    pending.wait(lambda: len(pending.ids()) == ALIKE, "the search")
    pending.page.take_focus()
    pending.wait(lambda: "like 3 others" in pending.badges(pending.ids()[0]), "the comparison")
    pending.press("G Space")
    assert len(pending.ticked()) == ALIKE - 1
    pending.decide("Shift+R")
    pending.decide("A")
    assert entries_of(home / "memories" / "USER.md") == ["Prefers short answers in the evening"]
    pending.desk.window.search.clear()
    pending.desk.rest()
    pending.page.take_focus()

    # All of the rest that still applies, and then nothing is left.
    pending.decide("Ctrl+A")
    assert f"Skills: {PATCHES + CREATES} writes — {CREATES + 1} files change" in pending.totals()
    pending.decide("Shift+A")
    pending.reads("Nothing waits")
    assert queue(home) == []
    text = (home / "skills" / "devops" / "deploy" / "SKILL.md").read_text()
    assert all(f"{at}. better step {at}\n" in text for at in range(PATCHES))
    assert (home / "skills" / "new5" / "SKILL.md").exists()
    assert len(entries_of(home / "memories" / "MEMORY.md")) == ADDS


def test_a_bulk_approval_is_undone_to_the_last_byte(pending: PendingDriver, home: Path) -> None:
    memories, skills = tree(home / "memories"), tree(home / "skills")
    records = tree(home / "pending")
    waiting = pending.ids()
    pending.decide("Ctrl+A")
    pending.decide("Shift+A")
    assert len(pending.ids()) == STALE
    pending.press("U")
    pending.wait(lambda: len(pending.ids()) == 77, "all of them back")
    pending.desk.rest()
    assert sorted(pending.ids()) == sorted(waiting)
    assert tree(home / "memories").items() >= memories.items()
    assert entries_of(home / "memories" / "MEMORY.md") == ["The build runs on larch"]
    now = tree(home / "skills")
    assert {path: now.get(path) for path in skills} == skills
    assert not [path for path in now if path.startswith("new")]
    assert tree(home / "pending") == records
