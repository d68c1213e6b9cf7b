"""The block of the agent's next session, or why there is none (hermes-formats §2.8)."""

from __future__ import annotations

import pytest

from store.memory.entries import Undecodable
from store.memory.snapshot import RULE, Snapshot, Source, snapshot

GOOD = Source("one", 2200, enabled=True)


def of_memory(own: Source, other: Source = GOOD, *, memory_off: bool = False) -> Snapshot:
    return snapshot("memory", {"memory": own, "user": other}, memory_off=memory_off)


def test_a_block_has_a_header_between_two_rules() -> None:
    shown = of_memory(Source("one\n§\ntwo", 2200, enabled=True))
    assert shown.block == (
        f"{RULE}\nMEMORY (your personal notes) [0% — 9/2,200 chars]\n{RULE}\none\n§\ntwo"
    )
    assert shown.reason is None
    user = snapshot(
        "user", {"memory": GOOD, "user": Source("x" * 259, 1375, True)}, memory_off=False
    )
    assert "USER PROFILE (who the user is) [18% — 259/1,375 chars]" in user.block


def test_a_blocked_entry_is_replaced_and_the_rest_counted_with_what_stands_there() -> None:
    shown = of_memory(Source("one\n§\nsee ~/.ssh\n§\n[BLOCKED: said before ~/.ssh", 2200, True))
    placeholder = (
        "[BLOCKED: MEMORY.md entry contained threat pattern(s): ssh_access. "
        "Removed from system prompt; use memory(action=remove) to delete the original.]"
    )
    content = f"one\n§\n{placeholder}\n§\n[BLOCKED: said before ~/.ssh"
    assert shown.block.endswith(f"{RULE}\n{content}")
    assert f"{len(content):,}/2,200 chars" in shown.block
    assert shown.blocked == (1,)


@pytest.mark.parametrize(
    ("limit", "header"),
    [(2, "100% — 3/2 chars"), (0, "0% — 3/0 chars"), (3000.7, "0% — 3/3,000.7 chars")],
)
def test_an_odd_limit_is_printed_as_the_agent_prints_it(limit: float, header: str) -> None:
    assert f"[{header}]" in of_memory(Source("one", limit, enabled=True)).block


BAD_LIMIT = Source("one", None, enabled=True)
NOT_UTF8 = Source(Undecodable(3, False), 2200, enabled=True)


@pytest.mark.parametrize(
    ("own", "other", "off", "reason"),
    [
        (Source(None, 2200, True), GOOD, False, "empty"),
        (Source(" \n§\n ", 2200, True), GOOD, False, "empty"),
        (Source("", None, True), GOOD, False, "empty"),
        (Source("one", 2200, False), GOOD, False, "disabled"),
        (GOOD, GOOD, True, "memory_off"),
        (BAD_LIMIT, GOOD, False, "bad_limit"),
        (NOT_UTF8, GOOD, False, "unreadable"),
        (Source(None, 2200, True, refused=True), GOOD, False, "unreadable"),
        (GOOD, BAD_LIMIT, False, "other_bad_limit"),
        (GOOD, NOT_UTF8, False, "other_unreadable"),
        # A file that the system refuses to read is an empty one to the agent.
        (GOOD, Source(None, 2200, True, refused=True), False, None),
        (GOOD, Source("", None, True), False, None),
    ],
)
def test_why_there_is_no_block(own: Source, other: Source, off: bool, reason: str | None) -> None:
    shown = of_memory(own, other, memory_off=off)
    assert shown.reason == reason
    assert bool(shown.block) == (reason is None)
