"""Which records are near to each other, or to an entry that is there already. Pure.

Judged by words alone: two texts are near when they share at least `SHARE` of all words of both.
A record joins the oldest one that it is near to; what is only near to another member is no reason,
so that chains of small differences make no group.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from gui.models.pending import PendingView
from gui.models.pending_words import text_of
from schema.frozen import frozen
from store.pending.records import Record

SHARE = 0.7
MOST_CHARS = 4_000
"""So much of a text is looked at."""
BATCH = 200
"""So many records are compared in one go."""
BREATH = 10
"""After so many the window may have the interpreter."""

Words = frozenset[str]

_RUN = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")


@frozen
class Near:
    """What a record is near to: the keys of its group with its own, and an `entry` of its file."""

    group: tuple[str, ...] = ()
    entry: str = ""


@frozen
class Compared:
    """The records that are `near` to anything, and those of which that is news."""

    near: Mapping[str, Near]
    changed: frozenset[str]


def words_of(text: str) -> Words:
    """The words of a text; of scripts without spaces, every two characters that follow."""
    found: set[str] = set()
    for run in _RUN.findall(text[:MOST_CHARS].casefold()):
        if _CJK.search(run) and len(run) > 1:
            found.update(run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.add(run)
    return frozenset(found)


def share(one: Words, other: Words) -> float:
    """How many of all words of both are in both, from 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0


class Comparing:
    """Compares all records of a view, batch after batch; not for two threads at once."""

    def __init__(
        self,
        view: PendingView,
        before: Mapping[str, Near] | None = None,
        known: Mapping[str, Words] | None = None,
    ) -> None:
        """`before` is what was near to what in the last view.

        `known` are the words of records, by their digests, that need not be taken again.
        """
        self.words: dict[str, Words] = {}
        self.finished = False
        self._known = known or {}
        self._view = view
        self._groups: dict[str, list[str]] = {}
        self._entries: dict[str, str] = {}
        self._before = before or {}
        self._near: dict[str, Near] = {}
        self._changed: set[str] = set()
        self._steps = self._compare()

    def go_on(self, breathe: Callable[[], None] = lambda: None) -> Compared | None:
        """Compare the next records; once all are, give what came of it."""
        for number in range(BATCH):
            if next(self._steps, None) is None:
                self.finished = True
                return Compared(self._near, frozenset(self._changed))
            if number % BREATH == 0:
                breathe()
        return None

    def _gather(self) -> Iterator[bool]:
        before, same = self._before, _Same()
        for members in self._groups.values():
            group = tuple(members) if len(members) > 1 else ()
            for key in members:
                entry = self._entries.get(key, "")
                if group or entry:
                    old = before.get(key)
                    now = old if old and same(old, group, entry) else Near(group, entry)
                    self._near[key] = now
                    if now is not old:
                        self._changed.add(key)
                yield True
        self._changed |= before.keys() - self._near.keys()

    def _compare(self) -> Iterator[bool]:
        records = [(k, one) for k, one in self._view.items.items() if isinstance(one, Record)]
        often: Counter[str] = Counter()
        for _, record in records:
            words = self._known.get(record.digest)
            words = words_of(text_of(record)) if words is None else words
            self.words[record.digest] = words
            often.update(words)
            yield True
        shelves: dict[tuple[str, str], _Alike] = defaultdict(lambda: _Alike(often))
        for key, record in records:
            place = (self._view.inbox_of(key).profile, record.target if record.change else "skills")
            words = self.words[record.digest]
            first = shelves[place].find(words)
            if first is None:
                shelves[place].add(key, words)
            self._groups.setdefault(first or key, []).append(key)
            yield True
        yield from self._compare_with_entries(records, often)
        yield from self._gather()

    def _compare_with_entries(
        self, records: Sequence[tuple[str, Record]], often: Counter[str]
    ) -> Iterator[bool]:
        from store.memory.operations import Add

        shelves: dict[tuple[str, str], _Alike] = {}
        for key, record in records:
            target = record.memory_target
            if target is None or not isinstance(record.change, Add):
                continue
            inbox = self._view.inbox_of(key)
            alike = shelves.get((inbox.profile, target))
            if alike is None:
                alike = shelves[inbox.profile, target] = _Alike(often)
                for text in inbox.states[target].document.texts:
                    alike.add(text, words_of(text))
            entry = alike.find(self.words[record.digest])
            if entry is not None:
                self._entries[key] = entry
            yield True


class _Same:
    """Whether what a record is near to is what it was; each pair of groups is compared once."""

    def __init__(self) -> None:
        self._groups: dict[int, tuple[tuple[str, ...], bool]] = {}

    def __call__(self, old: Near, group: tuple[str, ...], entry: str) -> bool:
        known = self._groups.get(id(old.group))
        if known is None or known[0] is not group:
            known = self._groups[id(old.group)] = group, old.group == group
        return known[1] and old.entry == entry


class _Alike:
    """Texts by their rarest words: two that share enough must share one of these."""

    def __init__(self, often: Mapping[str, int]) -> None:
        self._often = often
        self._exact: dict[Words, str] = {}
        self._by_word: dict[str, list[tuple[str, Words]]] = defaultdict(list)

    def add(self, name: str, words: Words) -> None:
        self._exact.setdefault(words, name)
        for word in self._rare(words):
            self._by_word[word].append((name, words))

    def find(self, words: Words) -> str | None:
        """The first text added that is near to these words."""
        if not words:
            return None
        if (same := self._exact.get(words)) is not None:
            return same
        low, high = SHARE * len(words), len(words) / SHARE
        for word in self._rare(words):
            for name, other in self._by_word.get(word, ()):
                if low <= len(other) <= high and share(words, other) >= SHARE:
                    return name
        return None

    def _rare(self, words: Words) -> list[str]:
        ordered = sorted(words, key=lambda word: (self._often.get(word, 0), word))
        return ordered[: len(ordered) - int(-(-SHARE * len(ordered) // 1)) + 1]
