"""The threat scan: what the agent finds suspicious in a text, with the ids it uses.

The agent refuses to write such a text into its memory and leaves such an entry out of its prompt
(hermes-formats §2.8, §2.9). The rules themselves are in `threat_patterns`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from schema.frozen import frozen
from store.memory.threat_patterns import INVISIBLE, RULES, SCOPES, Rule, Scope

MAX_CHARS = 65_536
"""Only so many characters from the start of a text are looked at, as the agent does."""

_TOGETHER = 16_384
"""So many characters of neighbours are asked at once whether any of them could be a threat."""

_INVISIBLE_ID = "invisible_unicode_U+"

_RULES_OF: dict[Scope, tuple[Rule, ...]] = {
    scope: tuple(rule for rule in RULES if rule.scope in included)
    for scope, included in SCOPES.items()
}

# Chinese text is full of full-width punctuation, which makes `unicodedata.normalize` take its
# slow path. Replaced beforehand the result is the same (what each stands for does not depend on
# its neighbours) and the quick path suffices.
_WIDE = {chr(0xFEE0 + narrow): chr(narrow) for narrow in range(0x21, 0x7F)}
_WIDE |= {"\u3000": " ", "…": "..."}
_OFTEN = "，！？：；（）～／％\u3000…"
_SELDOM = tuple(set(_WIDE) - set(_OFTEN))
_ANY_SELDOM = re.compile(f"[{re.escape(''.join(_SELDOM))}]")


@frozen
class Finding:
    """One finding: the agent's id, and for an invisible character which one it is."""

    id: str
    code_point: int | None = None


def scan(text: str, *, scope: Scope = "strict") -> tuple[str, ...]:
    """The ids that the agent reports for `text`, each once, in the agent's order.

    Invisible characters come first, those by first appearance in the text (the agent gives them
    in no order); then the rules in the order of their table. Memory is judged at scope `strict`.
    """
    return tuple(_ids(text, _RULES_OF[scope]))


def scan_all(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """What `scan` gives for each of `texts`: for thousands of them in a fraction of its time.

    A rule whose words stand nowhere among neighbours need not be asked of each of them.
    """
    return list(_scanned(tuple(texts)))


@lru_cache(maxsize=4)
def _scanned(texts: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Kept for both files: what the agent sees of a file is asked for again and again."""
    found: list[tuple[str, ...]] = []
    for some in _neighbours(texts):
        # Folded together each is what it is alone: nothing combines with a line end.
        together = "\n".join(some)
        folded = fold(together)
        rules = tuple(rule for rule in _RULES_OF["strict"] if rule.may_hit(folded))
        if rules or (not together.isascii() and any(map(together.__contains__, INVISIBLE))):
            found += [tuple(_ids(text, rules)) for text in some]
        else:
            found += [()] * len(some)
    return found


def _neighbours(texts: Sequence[str]) -> Iterator[list[str]]:
    """All texts in their order, as much of each as is looked at, some at a time."""
    some, size = list[str](), 0
    for text in texts:
        some.append(text[:MAX_CHARS])
        size += len(some[-1])
        if size >= _TOGETHER:
            yield some
            some, size = [], 0
    if some:
        yield some


def first_finding(text: str) -> Finding | None:
    """What the agent would name when it refuses to write `text` to memory; None: it would not."""
    id_ = next(_ids(text, _RULES_OF["strict"]), None)
    if id_ is None:
        return None
    invisible = id_.startswith(_INVISIBLE_ID)
    return Finding(id_, int(id_.removeprefix(_INVISIBLE_ID), 16) if invisible else None)


def invisible_marks(text: str) -> tuple[tuple[int, int], ...]:
    """Position and code point of every invisible character, in the whole of `text`, ascending.

    Positions count characters (Unicode code points) from 0. For showing them: unlike `scan` this
    looks beyond the first 65,536 characters.
    """
    if text.isascii():
        return ()
    return tuple((mark.start(), ord(mark.group())) for mark in _invisible().finditer(text))


@cache
def _invisible() -> re.Pattern[str]:
    return re.compile(f"[{''.join(INVISIBLE)}]")


def fold(text: str) -> str:
    """`text` as the rules see it: compatibility forms resolved (NFKC), ASCII in lower case.

    Of the characters that NFKC leaves, two more equal an ASCII letter when case is ignored: the
    dotted capital and the dotless small i of Turkish. A character stays one character.
    """
    if text.isascii():
        return text.lower()
    for wide in (*_OFTEN, *(_SELDOM if _ANY_SELDOM.search(text) else ())):
        text = text.replace(wide, _WIDE[wide])
    if _holds_a_long_run_of_marks(text):
        text = _with_marks_in_order(text)
    # The order matters: NFKC makes the dotted capital out of "I" and a combining dot.
    text = unicodedata.normalize("NFKC", text)
    return text.replace("\u0130", "i").replace("\u0131", "i").lower()


def _holds_a_long_run_of_marks(text: str) -> bool:
    """Whether some 500 or more combining marks follow each other, judged by samples.

    No script writes such a run, but ordering it takes `unicodedata.normalize` quadratic time:
    seconds at 65,536 characters. Shorter texts and runs cost next to nothing.
    """
    if len(text) < 4_000:
        return False
    decomposed = (unicodedata.normalize("NFKD", char) for char in text[::64])
    marks = "".join("m" if unicodedata.combining(char[0]) else " " for char in decomposed)
    return "m" * 8 in marks


def _with_marks_in_order(text: str) -> str:
    """`text` decomposed, with its marks in canonical order: for NFKC the same text, but quick."""
    ordered: list[str] = []
    marks: list[str] = []
    for char in "".join(unicodedata.normalize("NFKD", char) for char in text):
        if unicodedata.combining(char):
            marks.append(char)
            continue
        ordered += sorted(marks, key=unicodedata.combining)
        ordered.append(char)
        marks.clear()
    return "".join(ordered + sorted(marks, key=unicodedata.combining))


def _ids(text: str, rules: tuple[Rule, ...]) -> Iterator[str]:
    """The ids of `scan` by these rules, one at a time: who needs only the first stops there."""
    text = text[:MAX_CHARS]
    if not text.isascii():
        for _, char in sorted((text.find(char), char) for char in INVISIBLE if char in text):
            yield f"{_INVISIBLE_ID}{ord(char):04X}"
    folded = fold(text)
    for rule in rules:
        if rule.hits(folded):
            yield rule.id
