"""How an entry that is longer than the whole budget comes apart, by its own structure. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from schema.frozen import frozen
from store.memory.fragments import Fragment, Line, means_more

_HEADING = re.compile(r"(#{1,6})\s+\S")
_NUMBERED = re.compile(r"(?:\d{1,3}[.)]\s+|\d{1,3}、|[一二三四五六七八九十]{1,3}、)\S")
_BULLET = re.compile(r"[-*+•·]\s+(?=\S)")
_FENCE = re.compile(r"\s*(```|~~~)")
_KEY = re.compile(r"[\w-]+\s*:")
_COMMENT = "<!-- hermes-memory-"
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])(?![”’」』）])\s*|(?<=[。！？][”’」』）])\s*")


@frozen
class Parts:
    """What a split made: the parts in order, and the rules that stood for nothing but it."""

    fragments: tuple[Fragment, ...]
    rules: tuple[Line, ...] = ()


def split_oversize(fragment: Fragment, limit: int) -> Parts:
    """Take a fragment apart until no part is longer than `limit` characters (at least 1).

    Small parts are not put together again: which of them belong together is for a person to say.
    """
    if len(fragment.text) <= limit:
        return Parts((fragment,))
    waiting, finished, rules = [fragment], list[Fragment](), list[Line]()
    while waiting:
        current = _without_rules_at_its_edges(waiting.pop(), rules)
        text = current.text
        if text and len(text) > limit:
            parts = next(parts for way in _WAYS if len(parts := way(current, limit)) > 1)
            waiting.extend(reversed(parts))
        elif text and text != "§":
            finished.append(current)
    return Parts(tuple(finished), tuple(rules))


def _without_rules_at_its_edges(fragment: Fragment, rules: list[Line]) -> Fragment:
    """A rule at the edge of a part separated it, and says no more; it is added to `rules`."""
    lines = fragment.lines
    if len(lines) == 1 and not _is_rule(lines[0].text):
        return fragment
    texts = [i for i, line in enumerate(lines) if line.text.strip()]
    if not texts or not (_is_rule(lines[texts[0]].text) or _is_rule(lines[texts[-1]].text)):
        return Fragment(lines[texts[0] : texts[-1] + 1] if texts else (), fragment.changes)
    lines = lines[texts[0] : texts[-1] + 1]
    inside = _in_blocks(lines)
    kept = [i for i, line in enumerate(lines) if inside[i] or not _is_rule(line.text)]
    kept = [i for i in kept if lines[i].text.strip()]
    first, last = (kept[0], kept[-1]) if kept else (len(lines), len(lines))
    edges = (*lines[:first], *lines[last + 1 :])
    rules += [line for line in edges if line.text.strip()]
    return Fragment(lines[first : last + 1], fragment.changes)


def _is_rule(text: str) -> bool:
    marks = "".join(text.split()) if text.strip()[:1] in ("-", "*", "_") else ""
    return len(marks) >= 3 and not marks.strip(marks[0])


def _in_blocks(lines: Sequence[Line]) -> list[bool]:
    """For each line whether it belongs to a fenced block or to front matter: nothing to cut."""
    inside = [False] * len(lines)
    begin, fence = 0, ""
    if len(lines) > 1 and lines[0].text.rstrip() == "---" and _KEY.match(lines[1].text):
        fence = "---"
    for index, line in enumerate(lines):
        if fence == "---":
            closes = index > 0 and line.text.rstrip() == fence
        else:
            found = _FENCE.match(line.text)
            closes = found is not None and found[1] == fence
            if found is not None and not fence:
                begin, fence = index, found[1]
        if closes:
            inside[begin : index + 1] = [True] * (index + 1 - begin)
            fence = ""
    return inside


def _comments(lines: Sequence[Line]) -> int:
    """How many lines at the top are identity comments of what follows (formats §2.10)."""
    for index, line in enumerate(lines):
        if line.text.strip() and not line.text.startswith(_COMMENT):
            return index
    return 0


# -- ways to split, each giving at least two parts if it applies ------------------------------


def _cut(fragment: Fragment, starts: Iterable[int], word: str) -> list[Fragment]:
    """Cut before these lines; comments at the top stay with what follows them."""
    comments = _comments(fragment.lines)
    edges = sorted({0, *(i for i in starts if i > comments), len(fragment.lines)})
    changes = fragment.having(word).changes
    parts = (fragment.lines[begin:end] for begin, end in pairwise(edges))
    return [Fragment(part, changes) for part in parts if any(line.text.strip() for line in part)]


def _by_heading(fragment: Fragment, limit: int) -> list[Fragment]:
    inside = _in_blocks(fragment.lines)
    levels = {
        index: len(found[1])
        for index, line in enumerate(fragment.lines)
        if not inside[index] and (found := _HEADING.match(line.text))
    }
    counts = list(levels.values())
    level = next((level for level in sorted(set(counts)) if counts.count(level) > 1), 0)
    starts = [index for index, found in levels.items() if found <= level]
    return _cut(fragment, starts, "split_at_heading") if level else []


def _by_rule(fragment: Fragment, limit: int) -> list[Fragment]:
    inside = _in_blocks(fragment.lines)
    starts = [i for i, line in enumerate(fragment.lines) if not inside[i] and _is_rule(line.text)]
    return _cut(fragment, starts, "split_at_rule") if starts else []


def _by_item(fragment: Fragment, limit: int) -> list[Fragment]:
    lines = fragment.lines
    inside = _in_blocks(lines)
    for pattern in (_NUMBERED, _BULLET):
        items = [i for i, line in enumerate(lines) if not inside[i] and pattern.match(line.text)]
        if len(items) > 1:
            behind = [
                i
                for i in range(items[0] + 1, len(lines))
                if not inside[i] and lines[i].text.lstrip() == lines[i].text != ""
                if not lines[i - 1].text.strip()
            ]
            return [
                _unbulleted(part) for part in _cut(fragment, [*items, *behind], "split_at_item")
            ]
    return []


def _unbulleted(fragment: Fragment) -> Fragment:
    first = fragment.lines[0]
    found = _BULLET.match(first.text)
    if found is None or means_more(first.text[found.end() :]):
        return fragment
    lines = (Line(first.number, first.text[found.end() :]), *fragment.lines[1:])
    return Fragment(lines, fragment.changes).having("unbulleted")


def _by_blank_line(fragment: Fragment, limit: int) -> list[Fragment]:
    lines = fragment.lines
    inside = _in_blocks(lines)
    starts = [
        i
        for i in range(1, len(lines))
        if lines[i].text.strip() and not lines[i - 1].text.strip()
        if not (inside[i] and inside[i - 1])
    ]
    return _cut(fragment, starts, "split_at_blank_line")


def _by_line(fragment: Fragment, limit: int) -> list[Fragment]:
    starts = [i for i, line in enumerate(fragment.lines) if line.text.strip()]
    return _cut(fragment, starts, "split_at_line")


def _by_sentence(fragment: Fragment, limit: int) -> list[Fragment]:
    """The last line only: what stands above it are comments, for which it is the text."""
    above, text = fragment.lines[:-1], fragment.lines[-1].text.strip()
    pieces, begin = list[str](), 0
    for end in (found.end() for found in _SENTENCE.finditer(text)):
        if begin < end < len(text) and not _tears(text, begin, end):
            pieces.append(text[begin:end].rstrip())
            begin = end
    return _pieces(fragment, above, [*pieces, text[begin:]], "split_at_sentence")


def _by_length(fragment: Fragment, limit: int) -> list[Fragment]:
    above, line = fragment.lines[:-1], fragment.lines[-1]
    room = limit - sum(len(one.text) + 1 for one in above)
    if room < 1:
        return [Fragment(lines, fragment.changes) for lines in (above, (line,))]
    text, pieces, begin = line.text.rstrip(), list[str](), 0
    while len(text) - begin > room:
        end = _place_to_cut(text, begin, room)
        pieces.append(text[begin:end].rstrip())
        begin = _behind_blanks(text, end)
        room = limit
    return _pieces(fragment, above, [*pieces, text[begin:]], "split_at_length")


def _place_to_cut(text: str, begin: int, room: int) -> int:
    """The last blank that fits, else the last character."""
    blanks = (text.rfind(blank, begin + 1, begin + room + 1) for blank in (" ", "\u3000", "\t"))
    wanted = (max(blanks), *range(begin + room, max(begin, begin + room - 3), -1))
    good = (end for end in wanted if end > begin and not _tears(text, begin, end))
    return next(good, begin + room)


def _behind_blanks(text: str, begin: int) -> int:
    while text[begin].isspace():
        begin += 1
    return begin


def _tears(text: str, begin: int, end: int) -> bool:
    """Whether cutting at `end` makes a line that would mean more than text."""
    piece, rest = text[begin:end].rstrip(), _behind_blanks(text, end)
    if means_more(piece) and not means_more(text[begin : begin + len(piece) + 9]):
        return True
    return means_more(text[rest : rest + 9])


def _pieces(
    fragment: Fragment, above: tuple[Line, ...], pieces: list[str], word: str
) -> list[Fragment]:
    number, changes = fragment.lines[-1].number, fragment.having(word).changes
    rest = [Fragment((Line(number, piece),), changes) for piece in pieces[1:]]
    return [Fragment((*above, Line(number, pieces[0])), changes), *rest]


_WAYS: tuple[Callable[[Fragment, int], list[Fragment]], ...] = (
    _by_heading,
    _by_rule,
    _by_item,
    _by_blank_line,
    _by_line,
    _by_sentence,
    _by_length,
)
