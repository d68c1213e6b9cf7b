r"""Patterns of declarations, which are other people's: matched in bounded time, whatever they say.

Understood are literals, `.`, classes, `\d \w \s` and their opposites, `^` and `$`,
groups, `|` and the quantifiers `* + ? {m,n}` (lazy or not is the same for a yes or no). All states
of the pattern are followed at once, so there is nothing to go back to: the time is at most
MAX_STATES times MAX_SEARCHED. What is not understood, or is too long, is refused. Upper and lower
case are the same, as in Hermes' own form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from schema.frozen import frozen

MAX_PATTERN = 200
"""The longest pattern, in characters."""
MAX_STATES = 1000
"""How many states a pattern may become; `(a{99}){99}` is refused."""
MAX_SEARCHED = 1000
"""How much of a value is searched, in characters."""
MAX_REPEATED = 100
"""The largest number in `{m,n}`."""
_MAX_GROUPS = 20

Takes = Callable[[str], bool]


class NotUnderstood(Exception):
    """The pattern has something that is not understood, or it is too large."""


@frozen
class _Step:
    """One state: what it takes, or where it stands, and the states after it."""

    takes: Takes | None
    anchor: str
    after: tuple[int, ...]


def understood(pattern: str) -> bool:
    """Whether `finds` can answer for this pattern."""
    try:
        _compiled(pattern)
    except NotUnderstood:
        return False
    return True


def finds(pattern: str, text: str) -> bool:
    """Whether the pattern is found anywhere in the text; True if it is not understood."""
    try:
        steps, start = _compiled(pattern)
    except NotUnderstood:
        return True
    text = text.lower()
    end = len(text)
    now: set[int] = set()
    for at in range(min(end, MAX_SEARCHED) + 1):
        now.add(start)
        now = _closed(steps, now, at, end)
        if 0 in now:
            return True
        if at < end:
            now = _taken(steps, now, text[at])
    return False


def _closed(steps: list[_Step], now: set[int], at: int, end: int) -> set[int]:
    """Every state that can be reached without taking a character."""
    waiting, reached = list(now), set(now)
    while waiting:
        step = steps[waiting.pop()]
        if step.takes is not None:
            continue
        if (step.anchor == "^" and at != 0) or (step.anchor == "$" and at != end):
            continue
        for after in step.after:
            if after not in reached:
                reached.add(after)
                waiting.append(after)
    return reached


def _taken(steps: list[_Step], now: set[int], character: str) -> set[int]:
    after: set[int] = set()
    for state in now:
        takes = steps[state].takes
        if takes is not None and takes(character):
            after.update(steps[state].after)
    return after


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> tuple[list[_Step], int]:
    """The states of a pattern, and where to begin; state 0 is the end."""
    if len(pattern) > MAX_PATTERN:
        raise NotUnderstood
    reader = _Reader(pattern)
    node = reader.alternatives()
    if reader.at != len(pattern):
        raise NotUnderstood
    steps = [_Step(None, "end", ())]
    return steps, _build(node, 0, steps)


# --- From the pattern to its parts -----------------------------------------------------------


@frozen
class _One:
    takes: Takes


@frozen
class _Anchor:
    mark: str


@frozen
class _Row:
    parts: tuple[_Node, ...]


@frozen
class _Either:
    ways: tuple[_Node, ...]


@frozen
class _Repeat:
    node: _Node
    least: int
    most: int | None


_Node = _One | _Anchor | _Row | _Either | _Repeat


def _digit(character: str) -> bool:
    return character in "0123456789"


def _word(character: str) -> bool:
    return character == "_" or character.isalnum()


_CLASSES: dict[str, Takes] = {"d": _digit, "w": _word, "s": str.isspace}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}


def _not(takes: Takes) -> Takes:
    return lambda character: not takes(character)


def _is(wanted: str) -> Takes:
    return lambda character: character == wanted


def _between(low: str, high: str) -> Takes:
    return lambda character: low <= character <= high


def _any_of(ways: list[Takes]) -> Takes:
    return lambda character: any(takes(character) for takes in ways)


class _Reader:
    """Reads a pattern from left to right; raises NotUnderstood."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.groups = pattern, 0, 0

    def ahead(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def next(self) -> str:
        character = self.ahead()
        if not character:
            raise NotUnderstood
        self.at += 1
        return character

    def skip(self, text: str) -> bool:
        if self.pattern.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def alternatives(self) -> _Node:
        ways = [self.row()]
        while self.skip("|"):
            ways.append(self.row())
        return ways[0] if len(ways) == 1 else _Either(tuple(ways))

    def row(self) -> _Node:
        parts: list[_Node] = []
        while self.ahead() and self.ahead() not in "|)":
            parts.append(self.repeated(self.atom()))
        return _Row(tuple(parts))

    def atom(self) -> _Node:
        character = self.next()
        if character == "(":
            return self.group()
        if character == "[":
            return _One(self.set())
        if character == "\\":
            return _One(self.escaped())
        if character in "^$":
            return _Anchor(character)
        if character in "*+?{":
            raise NotUnderstood
        return _One(_not(_is("\n")) if character == "." else _is(character.lower()))

    def group(self) -> _Node:
        self.groups += 1
        if self.groups > _MAX_GROUPS or (self.ahead() == "?" and not self.skip("?:")):
            raise NotUnderstood
        inner = self.alternatives()
        if not self.skip(")"):
            raise NotUnderstood
        return inner

    def repeated(self, node: _Node) -> _Node:
        least: int
        most: int | None
        if self.skip("*"):
            least, most = 0, None
        elif self.skip("+"):
            least, most = 1, None
        elif self.skip("?"):
            least, most = 0, 1
        elif self.skip("{"):
            least, most = self.bounds()
        else:
            return node
        self.skip("?")
        if self.ahead() and self.ahead() in "*+?{":
            raise NotUnderstood
        return _Repeat(node, least, most)

    def bounds(self) -> tuple[int, int | None]:
        inside, closed, _ = self.pattern[self.at :].partition("}")
        low, comma, high = inside.partition(",")
        numbers = [low, *([high] if high else [])]
        if not closed or not all(number.isascii() and number.isdigit() for number in numbers):
            raise NotUnderstood
        self.at += len(inside) + 1
        least = int(low)
        most = int(high) if high else None if comma else least
        if least > MAX_REPEATED or (most is not None and not least <= most <= MAX_REPEATED):
            raise NotUnderstood
        return least, most

    def escaped(self) -> Takes:
        character = self.next()
        if character in _CLASSES:
            return _CLASSES[character]
        if character.lower() in _CLASSES:
            return _not(_CLASSES[character.lower()])
        if character in _ESCAPES:
            return _is(_ESCAPES[character])
        if character.isalnum():
            raise NotUnderstood
        return _is(character)

    def set(self) -> Takes:
        opposite = self.skip("^")
        ways: list[Takes] = []
        first = True
        while first or self.ahead() != "]":
            first = False
            low = self.next()
            if low == "\\":
                ways.append(self.escaped())
            elif self.ahead() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.next()
                high = self.next()
                if high == "\\" or high < low:
                    raise NotUnderstood
                ways.append(_between(low.lower(), high.lower()))
            else:
                ways.append(_is(low.lower()))
        self.next()
        return _not(_any_of(ways)) if opposite else _any_of(ways)


# --- From its parts to states ----------------------------------------------------------------


def _build(node: _Node, after: int, steps: list[_Step]) -> int:
    """Add the states of `node`, which go on at `after`; gives the state where it begins."""
    match node:
        case _One(takes):
            return _add(steps, _Step(takes, "", (after,)))
        case _Anchor(mark):
            return _add(steps, _Step(None, mark, (after,)))
        case _Row(parts):
            for part in reversed(parts):
                after = _build(part, after, steps)
            return after
        case _Either(ways):
            starts = tuple(_build(way, after, steps) for way in ways)
            return _add(steps, _Step(None, "", starts))
        case _Repeat(inner, least, most):
            if most is None:
                loop = _add(steps, _Step(None, "", (after,)))
                steps[loop] = _Step(None, "", (_build(inner, loop, steps), after))
                after = loop
            else:
                end = after
                for _ in range(most - least):
                    after = _add(steps, _Step(None, "", (_build(inner, after, steps), end)))
            for _ in range(least):
                after = _build(inner, after, steps)
            return after


def _add(steps: list[_Step], step: _Step) -> int:
    if len(steps) >= MAX_STATES:
        raise NotUnderstood
    steps.append(step)
    return len(steps) - 1
