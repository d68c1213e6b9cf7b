"""What approving a record would do, worked out before anything is clicked. Pure."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from typing import Literal

from schema.frozen import frozen
from store.memory.entries import Document, agent_pieces, clean, serialise
from store.memory.operations import (
    Add,
    Applied,
    Arrange,
    Batch,
    Change,
    Part,
    Pinned,
    Replace,
    Unknown,
    apply,
    check,
    find,
)
from store.memory.snapshot import prompt_block
from store.memory.state import MemoryState
from store.pending.records import Record, joined
from store.refusals import REFUSALS, AtOperation, Drifted, Refusal, Unsupported

LineKind = Literal["same", "added", "removed"]


@frozen
class DiffLine:
    """One line of a diff; `lost` marks a line that a replace swallows without naming it."""

    kind: LineKind
    text: str
    lost: bool = False

    @property
    def sign(self) -> str:
        """The sign in front of it in a unified diff."""
        return {"same": " ", "added": "+", "removed": "-"}[self.kind]


@frozen
class Swallowed:
    """An entry that a replace takes whole: before, after, and the lines that get lost."""

    before: str
    after: str
    lost_lines: tuple[str, ...]


@frozen
class Effect:
    """The outcome of one record, or of several judged together, on a file.

    `operation` is the number (from 1) of the operation of a batch that stands in the way.
    `diff` is the whole resulting file against the present one; `document` is the result, or what
    is there now if it is refused. Characters as the agent counts.
    """

    ok: bool
    refusal: Refusal | None
    operation: int | None
    diff: tuple[DiffLine, ...]
    swallowed: tuple[Swallowed, ...]
    chars_before: int
    chars_after: int
    limit: int
    document: Document

    @property
    def entries_after(self) -> tuple[str, ...]:
        """The texts of all entries afterwards."""
        return self.document.texts

    @property
    def lost_lines(self) -> tuple[str, ...]:
        """All lines that replaces would swallow without naming them."""
        return tuple(line for one in self.swallowed for line in one.lost_lines)


def effect_of(record: Record, state: MemoryState, *, diff: bool = True) -> Effect:
    """What approving `record` would do to the file that `state` describes.

    Without `diff` there are no lines of it, which are most of the work: for long lists.
    """
    if record.problem is not None or record.change is None:
        return _refused(record.problem or Unsupported("skill_record"), state)
    return effect_of_change(record.change, state, diff=diff)


def effect_together(records: Sequence[Record], state: MemoryState) -> Effect:
    """What approving these records of one target together would do, judged on the end state."""
    change = joined(records)
    return (
        _refused(change, state) if isinstance(change, REFUSALS) else effect_of_change(change, state)
    )


def effect_of_change(change: Change, state: MemoryState, *, diff: bool = True) -> Effect:
    """The same for any change."""
    refusal: Refusal | None = check(change) or state.problem
    if refusal is None and state.signals and not isinstance(change, Add):
        refusal = Drifted(state.path, state.signals)
    if refusal is not None:
        return _refused(refusal, state)
    applied = apply(state.document, change, limit=state.limit, target=state.target)
    if isinstance(applied, REFUSALS):
        return _refused(applied, state)
    swallowed = _swallowed(state.document, change)
    lost = {line for one in swallowed for line in one.lost_lines}
    # The agent does not touch the file for an entry that is there already.
    untouched = isinstance(change, Add) and not applied.come
    after = state.document if untouched else applied.document
    return Effect(
        ok=True,
        refusal=None,
        operation=None,
        diff=diff_lines(serialise(state.document), serialise(after), lost=lost) if diff else (),
        swallowed=swallowed,
        chars_before=state.chars,
        chars_after=applied.chars,
        limit=state.limit,
        document=after,
    )


def _refused(refusal: Refusal, state: MemoryState) -> Effect:
    number = refusal.number if isinstance(refusal, AtOperation) else None
    return Effect(
        ok=False,
        refusal=refusal,
        operation=number,
        diff=(),
        swallowed=(),
        chars_before=state.chars,
        chars_after=state.chars,
        limit=state.limit,
        document=state.document,
    )


def _swallowed(document: Document, change: Change) -> tuple[Swallowed, ...]:
    operations = change.operations if isinstance(change, Batch) else (change,)
    found = []
    state = document.deduplicated()
    for operation in operations:
        if isinstance(operation, Replace):
            index = find(state, operation.where)
            if isinstance(index, int):
                before, after = state.texts[index], clean(operation.text)
                lost = lost_lines(before, after, _named(operation))
                found.append(Swallowed(before, after, lost))
        if not isinstance(operation, Arrange | Unknown):
            step = apply(state, operation, limit=sys.maxsize, target="")
            state = step.document if isinstance(step, Applied) else state
    return tuple(found)


def _named(operation: Replace) -> str:
    match operation.where:
        case Pinned(text, old_text):
            return clean(old_text) or text
        case Part(text):
            return clean(text)
        case other:
            return other.text


def lost_lines(before: str, after: str, named: str) -> tuple[str, ...]:
    """Lines of an entry with words that a replace takes though it neither names nor keeps them.

    `named` is the passage the replace was about; what stands in it is meant to change.
    """
    start = max(before.find(named), 0)
    end = start + (len(named) if named in before else 0)
    kept = {line.strip() for line in after.split("\n")}
    lost, position = [], 0
    for line in before.split("\n"):
        # What of this line stands before and behind the passage; one of them is all of a line
        # that the passage does not touch.
        rest = (line[: max(start - position, 0)], line[max(end - position, 0) :])
        if line.strip() not in kept and any(
            _has_words(one) and one.strip() not in after for one in rest
        ):
            lost.append(line)
        position += len(line) + 1
    return tuple(lost)


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def diff_lines(
    before: str, after: str, *, lost: frozenset[str] | set[str] = frozenset()
) -> tuple[DiffLine, ...]:
    """Line by line, the whole of both texts."""
    old, new = _lines(before), _lines(after)
    result: list[DiffLine] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            result += [DiffLine("same", line) for line in old[start:end]]
            continue
        result += [DiffLine("removed", line, line in lost) for line in old[start:end]]
        result += [DiffLine("added", line) for line in new[new_start:new_end]]
    return tuple(result)


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def unified(diff: Sequence[DiffLine]) -> str:
    """The diff as text, one sign before each line."""
    return "\n".join(line.sign + line.text for line in diff)


def prompt_diff(effect: Effect, state: MemoryState) -> tuple[DiffLine, ...]:
    """How the block in the next prompt would differ; nothing if the agent shows none."""
    if state.snapshot.reason not in (None, "empty") or state.prompt_limit is None:
        return ()
    pieces = agent_pieces(serialise(effect.document))
    return diff_lines(state.snapshot.block, prompt_block(state.target, pieces, state.prompt_limit))
