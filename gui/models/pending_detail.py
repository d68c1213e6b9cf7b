"""All that the Pending page tells of one record: what it asks for, and what it would do.

Pure: worked out in the background from a record and the state of its file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from gui.i18n import N_, sentences, tr, trn
from gui.models.memory import file_words
from gui.models.pending import shown
from gui.models.pending_words import refusal_words
from gui.words import SNAPSHOT_REASONS, word
from schema.frozen import frozen
from store.refusals import AtOperation, OverBudget, Refusal

if TYPE_CHECKING:
    from store.home import Target
    from store.memory.entries import Document
    from store.memory.operations import Address, Change, Operation
    from store.memory.state import MemoryState
    from store.pending.effects import DiffLine, Effect

RowKind = Literal["same", "added", "removed", "head", "gap", "note"]
MOST_CHARS = 100_000
"""What is far larger than any memory is not compared line by line."""
MOST_ROWS, MOST_IN_ROW = 500, 20_000
CONTEXT = 2
"""So many unchanged lines stay beside a change; longer runs are folded."""


@frozen
class DiffRow:
    """A line to show: of a diff, a heading, a fold or a note. `lost`: the write names it not."""

    kind: RowKind
    text: str
    lost: bool = False


@frozen
class Detail:
    """One record, or an edit of it, with its effect on the file that `state` describes.

    `sentence` and `asks` say what it is; `file` and `prompt` are the lines of both diffs, and
    `prompt_gap` says why there is no prompt. Tokens are of the file's block in the prompt, rough.
    """

    change: Change
    state: MemoryState
    effect: Effect
    sentence: str
    asks: tuple[DiffRow, ...]
    file: tuple[DiffRow, ...]
    prompt: tuple[DiffRow, ...]
    prompt_gap: str
    tokens_before: int
    tokens_after: int

    @property
    def target(self) -> Target:
        """The file."""
        return self.state.target

    @property
    def refusal(self) -> Refusal | None:
        """What stands in the way."""
        return self.effect.refusal

    @property
    def chars_after(self) -> int:
        """What the file would hold, also where that is too much."""
        refusal = self.refusal
        cause = refusal.cause if isinstance(refusal, AtOperation) else refusal
        return cause.chars if isinstance(cause, OverBudget) else self.effect.chars_after


def detail_of(change: Change, state: MemoryState) -> Detail:
    """Work out everything about `change`."""
    from store.memory.budget import approximate_tokens
    from store.pending.effects import effect_of_change, prompt_diff

    effect = effect_of_change(change, state)
    if isinstance(effect.refusal, OverBudget) and effect.refusal.chars <= MOST_CHARS:
        # What does not fit is shown all the same, as far as it goes.
        roomy = effect_of_change(change, replace(state, limit=sys.maxsize))
        effect = replace(effect, diff=roomy.diff, swallowed=roomy.swallowed)
    prompt = prompt_diff(effect, state)
    reason = state.snapshot.reason if state.snapshot.reason != "empty" else None
    shown_after = "\n".join(line.text for line in prompt if line.kind != "removed")
    before = approximate_tokens(state.snapshot.block)
    return Detail(
        change=change,
        state=state,
        effect=effect,
        sentence=_sentence(change, effect, state),
        asks=some(_asks(change, effect, state)),
        file=some(folded(effect.diff)),
        prompt=some(folded(prompt)),
        prompt_gap=word(SNAPSHOT_REASONS, reason) if reason is not None else "",
        tokens_before=before,
        tokens_after=approximate_tokens(shown_after) if prompt and effect.ok else before,
    )


# --- In words -----------------------------------------------------------------------------------


def _sentence(change: Change, effect: Effect, state: MemoryState) -> str:
    from store.memory.operations import Add, Batch, Remove, Replace

    name = file_words(state.target)
    if not effect.ok and not isinstance(change, Batch):
        return tr("It asks for this:")
    lost = len(effect.lost_lines)
    match change:
        case Batch(operations):
            words = trn(
                "{n} operation; it applies or nothing does.",
                "{n} operations: all of them apply, or none.",
                len(operations),
            )
            return f"{words} {_lost_words(lost)}".strip()
        case Add() if effect.ok and effect.document == state.document:
            return tr(
                "This entry is in {file} already. Approving changes nothing and removes the "
                "record.",
                file=name,
            )
        case Add():
            return tr("A new entry at the end of {file}.", file=name)
        case Replace() if lost:
            return sentences(tr("A replace swaps the whole entry."), _lost_words(lost))
        case Replace():
            return tr("A replace swaps the whole entry; no other line of it gets lost.")
        case Remove():
            return tr("The whole entry goes.")
    return ""


def _lost_words(lost: int) -> str:
    if not lost:
        return ""
    return trn(
        "{n} line would be lost that this write does not mention; it is marked !.",
        "{n} lines would be lost that this write does not mention; they are marked !.",
        lost,
    )


_OPERATIONS = {"add": N_("Add"), "replace": N_("Replace"), "remove": N_("Remove")}


def _asks(change: Change, effect: Effect, state: MemoryState) -> list[DiffRow]:
    """What is asked for, operation by operation, against the entries that it means."""
    from store.memory.operations import Batch, Unknown, action_name, apply

    operations: Sequence[Operation]
    operations = change.operations if isinstance(change, Batch) else (change,)  # type: ignore[assignment]
    document = state.document.deduplicated()
    rows: list[DiffRow] = []
    for number, operation in enumerate(operations, 1):
        if isinstance(change, Batch):
            name = word(_OPERATIONS, action_name(operation))
            rows.append(DiffRow("head", f"{number}  {name}{_in_the_way(number, effect)}"))
        rows += _asked(operation, document)
        if not isinstance(operation, Unknown):
            step = apply(document, operation, limit=sys.maxsize, target=state.target)
            document = getattr(step, "document", document)
    return rows


def _in_the_way(number: int, effect: Effect) -> str:
    refusal = effect.refusal
    if isinstance(refusal, AtOperation) and refusal.number == number:
        return f" — {refusal_words(refusal.cause)}"
    return ""


def _asked(operation: Operation, document: Document) -> list[DiffRow]:
    from store.memory.entries import clean
    from store.memory.operations import Add, Remove, Replace
    from store.pending.effects import diff_lines, lost_lines

    written: str = getattr(operation, "text", "")
    if len(written) > MOST_CHARS:
        return [DiffRow("added", line) for line in written.split("\n", MOST_ROWS)]
    match operation:
        case Add(text):
            return [DiffRow("added", line) for line in clean(text).split("\n")]
        case Remove(where):
            entry = _entry_at(document, where)
            return [DiffRow("removed", line) for line in entry.split("\n")]
        case Replace(where, text):
            before, after = _entry_at(document, where), clean(text)
            there = before in document.texts
            lost = set(lost_lines(before, after, _passage(where)) if there else ())
            return _rows(diff_lines(before, after, lost=lost))
    return []


def _entry_at(document: Document, where: Address) -> str:
    """Give the whole entry that is meant, or what names it if there is no such one."""
    from store.memory.operations import find

    index = find(document, where)
    return document.texts[index] if isinstance(index, int) else where.text.strip()


def _passage(where: Address) -> str:
    from store.memory.operations import Pinned

    old = where.old_text.strip() if isinstance(where, Pinned) else ""
    return old or where.text.strip()


def some(rows: Sequence[DiffRow]) -> tuple[DiffRow, ...]:
    """Give as many rows as a person could look at, in texts that can be drawn."""
    kept = [DiffRow(row.kind, shown(row.text, MOST_IN_ROW), row.lost) for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        left = len(rows) - MOST_ROWS
        kept.append(DiffRow("gap", trn("{n:,} more line", "{n:,} more lines", left)))
    return tuple(kept)


# --- Diffs --------------------------------------------------------------------------------------


def _rows(lines: Sequence[DiffLine]) -> list[DiffRow]:
    return [DiffRow(line.kind, line.text, line.lost) for line in lines]


def folded(lines: Sequence[DiffLine]) -> tuple[DiffRow, ...]:
    """Give the lines of a diff with long unchanged runs folded into one row each."""
    changed = [at for at, line in enumerate(lines) if line.kind != "same"]
    if not changed:
        return tuple(_rows(lines))
    near = {
        at
        for place in changed
        for at in range(max(place - CONTEXT, 0), min(place + CONTEXT + 1, len(lines)))
    }
    rows: list[DiffRow] = []
    hidden: list[DiffLine] = []
    for at, line in enumerate(lines):
        if at not in near:
            hidden.append(line)
            continue
        rows += _fold(hidden)
        hidden = []
        rows.append(DiffRow(line.kind, line.text, line.lost))
    return (*rows, *_fold(hidden))


def _fold(hidden: Sequence[DiffLine]) -> list[DiffRow]:
    if len(hidden) <= 2:  # a fold would take as much room
        return _rows(hidden)
    return [DiffRow("gap", trn("{n} unchanged line", "{n} unchanged lines", len(hidden)))]
