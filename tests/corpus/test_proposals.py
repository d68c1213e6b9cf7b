"""Each broken file of the corpus gets the proposal that was written down for it by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from store.memory.repair import Proposal, propose
from tests.corpus.test_corpus_is_sound import Case, each_case


def as_data(proposal: Proposal) -> dict[str, Any]:
    """The proposal as the corpus writes it."""
    return {
        "encoding": proposal.encoding,
        "doubt": proposal.doubt,
        "notes": sorted(proposal.notes),
        "entries": [
            {"text": one.text, "lines": list(one.lines), "changes": sorted(one.changes)}
            for one in proposal.entries
        ],
        "dropped": in_order(
            {"text": one.text, "lines": list(one.lines), "why": one.why} for one in proposal.dropped
        ),
        "over_budget": proposal.over_budget,
    }


def in_order(dropped: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(dropped, key=lambda one: (one["lines"], one["why"], one["text"]))


def expected(case: Case) -> dict[str, Any]:
    proposal = case.proposal
    for entry in proposal["entries"]:
        entry["changes"] = sorted(entry["changes"])
    return proposal | {
        "notes": sorted(proposal["notes"]),
        "dropped": in_order(proposal["dropped"]),
    }


@each_case
def test_the_proposal_is_the_one_that_was_written_down(case: Case) -> None:
    proposal = propose(case.data, limit=case.expected["limit"])
    assert proposal is not None
    assert as_data(proposal) == expected(case)
