"""What can be done to the entries of one file, and whether it may: pure functions.

The rules are the agent's (hermes-formats §2.5) with the stricter ones of newer versions: a
whole entry is matched before a substring, a batch may not empty a file, a pinned entry that is
gone is stale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from schema.frozen import frozen
from store.memory.entries import (
    Document,
    Entry,
    clean,
    delimiter_line,
    fold_line_ends,
    parse,
    serialise,
)
from store.memory.threats import first_finding, scan
from store.refusals import (
    Ambiguous,
    AtOperation,
    Blocked,
    Conflict,
    DelimiterInText,
    Empty,
    Invalid,
    NoMatch,
    OverBudget,
    Refusal,
    SingleRefusal,
    Stale,
    Unsupported,
    WouldEmpty,
)


@frozen
class Part:
    """Address by the agent's rule: a whole entry, else a substring that only one contains."""

    text: str


@frozen
class Whole:
    """Address by the full text that a person saw; gone is `Conflict`."""

    text: str


@frozen
class Pinned:
    """Address by the full text that a record was reviewed against; gone is `Stale`.

    `old_text` is the passage the record meant, for showing what a replace would swallow.
    """

    text: str
    old_text: str = ""


Address = Part | Whole | Pinned


@frozen
class Add:
    """Append an entry; an entry that is already there changes nothing."""

    text: str


@frozen
class Replace:
    """The whole entry at `where` becomes `text`."""

    where: Address
    text: str


@frozen
class Remove:
    """The entry at `where` goes."""

    where: Address


@frozen
class Split:
    """The whole entry at `where` becomes these, in its place. No action of the agent's own."""

    where: Address
    texts: tuple[str, ...]


@frozen
class Unknown:
    """An operation of a batch that no version is known to have."""

    action: str


Operation = Add | Replace | Remove | Split | Unknown


@frozen
class Batch:
    """All or nothing, the budget judged on the end state.

    `may_empty`: the file may be left without an entry, since what goes is kept elsewhere.
    """

    operations: tuple[Operation, ...]
    may_empty: bool = False


@frozen
class Arrange:
    """The same entries in another order; `digest` names the file that was seen."""

    texts: tuple[str, ...]
    digest: str


@frozen
class TakeOut:
    """These entries go together, each named by the full text that a person saw; all or none.

    `pointers` are what is left in the place of each, an empty one leaves nothing. The desk's own:
    the agent has no word for it. As of a single remove, a file above its limit is no hindrance as
    long as it becomes smaller; as by a batch, a file may not be emptied unless it `may_empty`.
    """

    entries: tuple[str, ...]
    pointers: tuple[str, ...] = ()
    may_empty: bool = False

    def steps(self) -> Iterator[Replace | Remove]:
        """What happens to each entry, in order; of equal pointers the first one is left."""
        left: set[str] = set()
        for entry, pointer in zip_longest(self.entries, self.pointers, fillvalue=""):
            said = clean(pointer)
            if said and said not in left:
                left.add(said)
                yield Replace(Whole(entry), said)
            else:
                yield Remove(Whole(entry))


Change = Add | Replace | Remove | Split | Batch | Arrange | TakeOut
ACTION_NAMES: dict[type, str] = {
    Add: "add",
    Replace: "replace",
    Remove: "remove",
    Split: "split",
    Batch: "batch",
    Arrange: "arrange",
    TakeOut: "remove",
}


@frozen
class Applied:
    """What a change makes of a document. `gone` and `come` are the entries' full texts."""

    document: Document
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()

    @property
    def chars(self) -> int:
        """What the result counts against the budget."""
        return len(serialise(self.document))


def together(operations: Sequence[Operation], *, may_empty: bool = False) -> Change:
    """These as one change; a single one stays what it is."""
    if len(operations) == 1 and not isinstance(operations[0], Unknown):
        return operations[0]
    return Batch(tuple(operations), may_empty)


def action_name(operation: Change | Operation) -> str:
    """The word for it on the command line and in records."""
    if isinstance(operation, Unknown):
        return operation.action or "unknown"
    return ACTION_NAMES[type(operation)]


def check(change: Change) -> Refusal | None:
    """Whether the change itself is acceptable, before any file is looked at."""
    match change:
        case Batch(operations):
            if not operations:
                return Empty("operations")
            for number, operation in enumerate(operations, 1):
                # The agent scans all texts of a batch first, then tries the operations.
                for text in _given(operation):
                    if text and (refused := check_text(text, stripped=False)) is not None:
                        return AtOperation(number, action_name(operation), refused)
            return None
        case Add(text):
            return _check_given(text)
        case Replace(where, text):
            return _empty_address(where) or _check_given(text)
        case Remove(where):
            return _empty_address(where)
        case TakeOut():
            if not change.entries:
                return Empty("operations")
            answers = (check(step) for step in change.steps())
            return next((one for one in answers if one is not None), None)
        case Split(where, texts):
            refusals = (_empty_address(where), *map(_check_given, texts))
            return next((one for one in refusals if one is not None), None)
        case Arrange():
            return None


def _given(operation: Operation) -> tuple[str, ...]:
    """The texts that it brings."""
    match operation:
        case Add(text) | Replace(_, text):
            return (text,)
        case Split(_, texts):
            return texts
    return ()


def _check_given(text: str) -> SingleRefusal | None:
    return check_text(text) if clean(text) else Empty("content")


def check_text(text: str, *, stripped: bool = True) -> SingleRefusal | None:
    """Whether a text may stand in memory: UTF-8, one entry, no hit of the threat scan."""
    cleaned = clean(text)
    try:
        cleaned.encode()
    except UnicodeEncodeError as error:
        return Invalid("text", "surrogate", column=error.start + 1)
    if (line := delimiter_line(cleaned)) is not None:
        return DelimiterInText(line)
    blocked = scan_text(cleaned if stripped else fold_line_ends(text))
    if blocked is None and cleaned and parse(cleaned).texts != (cleaned,):
        # It would be read as a newer version's identity, and be gone (hermes-formats §2.10).
        return Unsupported("identity_in_text")
    return blocked


def scan_text(text: str) -> Blocked | None:
    """`Blocked` if the agent's scan, scope strict, hits."""
    finding = first_finding(text)
    return None if finding is None else Blocked(scan(text), finding.code_point)


def _empty_address(where: Address) -> Empty | None:
    return None if clean(where.text) else Empty("old_text")


def find(document: Document, where: Address) -> int | SingleRefusal:
    """The position of the entry that `where` means."""
    wanted = clean(where.text)
    texts = document.texts
    if wanted in texts:
        return texts.index(wanted)
    match where:
        case Whole():
            return Conflict("", seen=wanted)
        case Pinned():
            return Stale(wanted)
        case Part():
            matches = [index for index, text in enumerate(texts) if wanted in text]
    distinct = tuple(dict.fromkeys(texts[index] for index in matches))
    if not matches:
        return NoMatch(wanted)
    return matches[0] if len(distinct) == 1 else Ambiguous(wanted, distinct)


def apply(
    document: Document, change: Change | Unknown, *, limit: int, target: str
) -> Applied | Refusal:
    """What `change` makes of `document`, or why it may not.

    `document` is deduplicated first, as the agent's reload does. `limit` in characters; only a
    result above it is refused, so an over-full file may be made smaller.
    """
    start = document.deduplicated()
    if isinstance(change, Arrange):
        return _arrange(document, change)
    if isinstance(change, TakeOut):
        return _take_out(start, change, limit=limit, target=target)
    operations = change.operations if isinstance(change, Batch) else (change,)
    state, done = _removed_at_once(Applied(start), operations)
    state, done = _added_at_once(state, operations, done)
    for number, operation in enumerate(operations[done:], done + 1):
        result = _step(state, operation)
        if not isinstance(result, Applied):
            return _at(change, number, operation, result)
        state = result
    emptied = bool(start.entries) and not state.document.entries
    if isinstance(change, Batch) and emptied and not change.may_empty:
        return WouldEmpty(target)
    # The agent judges a single remove, and an add of what is already there, by no limit.
    if not isinstance(change, Remove) and not (isinstance(change, Add) and not state.come):
        chars = state.chars
        if chars > limit:
            return OverBudget(target, chars, limit, len(serialise(start)))
    return state


def _at(
    change: Change | Unknown, number: int, operation: Operation, cause: SingleRefusal
) -> Refusal:
    return (
        AtOperation(number, action_name(operation), cause) if isinstance(change, Batch) else cause
    )


def _removed_at_once(
    state: Applied, operations: Sequence[Operation | Arrange | Batch]
) -> tuple[Applied, int]:
    """Without what the first operations remove by its full text; how many those are.

    One by one, thousands of them would each look through thousands of entries.
    """
    places: dict[str, list[int]] = {}
    entries = state.document.entries
    if len(operations) > 1:
        for index, entry in enumerate(entries):
            places.setdefault(entry.text, []).append(index)
    gone: dict[int, str] = {}
    for operation in operations:
        if not isinstance(operation, Remove) or not isinstance(operation.where, Whole):
            break
        found = places.get(clean(operation.where.text))
        if not found:
            break
        index = found.pop(0)
        gone[index] = entries[index].text
    if not gone:
        return state, 0
    rest = tuple([entry for index, entry in enumerate(entries) if index not in gone])
    return Applied(state.document.having(rest), tuple(gone.values())), len(gone)


def _added_at_once(
    state: Applied, operations: Sequence[Operation | Arrange | Batch], done: int
) -> tuple[Applied, int]:
    """With what the operations from `done` on add; up to which that is. One by one is too slow."""
    if len(operations) < 2:
        return state, done
    texts, come = set(state.document.texts), list[str]()
    for operation in operations[done:]:
        text = clean(operation.text) if isinstance(operation, Add) else ""
        if not text:
            break
        done += 1
        if text not in texts:
            texts.add(text)
            come.append(text)
    entries = (*state.document.entries, *map(Entry, come))
    return (_with(state, entries, come=tuple(come)) if come else state), done


def _step(state: Applied, operation: Operation) -> Applied | SingleRefusal:
    document = state.document
    match operation:
        case Add(text):
            text = clean(text)
            if not text:
                return Empty("content")
            if text in document.texts:
                return state
            return _with(state, (*document.entries, Entry(text)), come=(text,))
        case Replace(where, text):
            return _reworded(state, where, (text,))
        case Split(where, texts):
            return _reworded(state, where, texts)
        case Remove(where):
            if not clean(where.text):
                return Empty("old_text")
            index = find(document, where)
            if not isinstance(index, int):
                return index
            rest = document.entries[:index] + document.entries[index + 1 :]
            return _with(state, rest, gone=document.entries[index].text)
        case Unknown(action):
            return Invalid("action", "unknown_action:" + action)


def _reworded(state: Applied, where: Address, texts: tuple[str, ...]) -> Applied | SingleRefusal:
    """With `texts` in the place of one entry, of which the first keeps its identity."""
    document, texts = state.document, tuple(map(clean, texts))
    if not clean(where.text):
        return Empty("old_text")
    if not texts or not all(texts):
        return Empty("content")
    index = find(document, where)
    if not isinstance(index, int):
        return index
    old = document.entries[index]
    new = (Entry(texts[0], old.identity), *map(Entry, texts[1:]))
    entries = (*document.entries[:index], *new, *document.entries[index + 1 :])
    return _with(state, entries, gone=old.text, come=texts)


def _with(
    state: Applied, entries: tuple[Entry, ...], gone: str = "", come: tuple[str, ...] = ()
) -> Applied:
    return Applied(
        state.document.having(entries),
        (*state.gone, gone) if gone else state.gone,
        (*state.come, *come),
    )


def _take_out(start: Document, change: TakeOut, *, limit: int, target: str) -> Applied | Refusal:
    steps = tuple(change.steps())
    state, done = _removed_at_once(Applied(start), steps)
    for step in steps[done:]:
        result = _step(state, step)
        if not isinstance(result, Applied):
            return result
        state = result
    if start.entries and not state.document.entries and not change.may_empty:
        return WouldEmpty(target)
    before = len(serialise(start))
    if state.chars > max(limit, before):
        return OverBudget(target, state.chars, limit, before)
    return state


def _arrange(document: Document, change: Arrange) -> Applied | Conflict:
    wanted = [clean(text) for text in change.texts]
    if Counter(wanted) != Counter(document.texts):
        document = document.deduplicated()
    if Counter(wanted) != Counter(document.texts):
        return Conflict("", seen="\n".join(wanted), now="\n".join(document.texts))
    waiting: dict[str, list[Entry]] = {}
    for entry in document.entries:
        waiting.setdefault(entry.text, []).append(entry)
    entries = tuple([waiting[text].pop(0) for text in wanted])
    return Applied(document.having(entries).deduplicated())
