"""Where approving several records, one after the other, leads. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from schema.frozen import frozen
from store.home import TARGETS, Target
from store.memory import drift
from store.memory.entries import Document, serialise
from store.memory.operations import Add, Applied, apply, check
from store.memory.state import MemoryState
from store.pending.records import Record
from store.refusals import REFUSALS, Drifted, Refusal, Unsupported

if TYPE_CHECKING:
    from store.skills.writing import SkillPlan


@frozen
class FileEnd:
    """One file before and after all of them; characters as the agent counts."""

    target: Target
    chars_before: int
    chars_after: int
    limit: int


@frozen
class EndState:
    """The files that the records are about, and the records that would be refused, with why."""

    files: tuple[FileEnd, ...]
    refused: tuple[tuple[str, Refusal], ...]


def end_state(
    records: Sequence[Record],
    states: Mapping[Target, MemoryState],
    *,
    skills: SkillPlan | None = None,
    given_up: Callable[[], bool] = lambda: False,
) -> EndState:
    """What `approve` would leave if it were given these records in this order.

    A record that is refused changes nothing, and the next is tried. Records of skills are judged
    on `skills`, a fresh plan. `given_up` is asked before each record; once it says so the answer
    is of no use.
    """
    documents: dict[Target, Document] = {}
    refused: list[tuple[str, Refusal]] = []
    for record in records:
        if given_up():
            break
        if record.skill is not None and skills is not None:
            placed = skills.do(record.skill)
            if isinstance(placed, REFUSALS):
                refused.append((record.id, placed))
            continue
        target = record.memory_target
        if target is None:
            refused.append((record.id, record.problem or Unsupported("skill_record")))
            continue
        state = states[target]
        document = documents.setdefault(target, state.document)
        after = _approved(record, state, document)
        if isinstance(after, REFUSALS):
            refused.append((record.id, after))
        else:
            documents[target] = after.document if after.gone or after.come else document
    files = tuple(
        FileEnd(
            target,
            states[target].chars,
            len(serialise(documents[target].deduplicated())),
            states[target].limit,
        )
        for target in TARGETS
        if target in documents
    )
    return EndState(files, tuple(refused))


def _approved(record: Record, state: MemoryState, document: Document) -> Applied | Refusal:
    change = record.change
    if record.problem is not None or change is None:
        return record.problem or Unsupported("skill_record")
    if (refused := check(change) or state.problem) is not None:
        return refused
    if state.signals and not isinstance(change, Add):
        # Only a drifted file is looked at again: an add before this record may have mended it.
        signals = state.signals
        if document is not state.document:
            signals = drift.signals(serialise(document), state.limit)
        if signals:
            return Drifted(state.path, signals)
    return apply(document, change, limit=state.limit, target=state.target)
