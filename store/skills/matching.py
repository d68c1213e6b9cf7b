"""Where a patch of the agent applies in a text, and what it writes there. Pure.

The agent looks for the old text in nine ways, from exact to similar, and takes the first that
finds something (hermes-formats §3.6). The same places must be found here, and the same text
written, or a patch that was reviewed would do something else than the agent would have done.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from schema.frozen import frozen
from store.refusals import NotInFile, SeveralPlaces, SkillInvalid

Span = tuple[int, int]
"""From the first character to the one behind the last."""

Way = Callable[[str, str], list[Span]]
"""Where the old text stands in a text, by one of the ways to look."""

ALIKE = 0.80
"""From here on two lines count as the same in the last of the ways."""

_SPELLED = {"\\n": "\n", "\\t": "\t", "\\r": "\r"}
_PLAIN = {"“": '"', "”": '"', "‘": "'", "’": "'", "—": "--", "–": "-", "…": "...", "\u00a0": " "}
_BLANKS = re.compile(r"[ \t]+")


@frozen
class Patched:
    """The text afterwards, and the `spans` of the text before that were replaced."""

    text: str
    spans: tuple[Span, ...]


def patched(
    text: str, old: str, new: str, *, everywhere: bool, file: str
) -> Patched | NotInFile | SeveralPlaces | SkillInvalid:
    """`text` with `new` in place of `old`; `file` names it in a refusal."""
    if old == new:
        return SkillInvalid("same_strings")
    way, spans = _places(text, old)
    if not spans:
        return NotInFile(file, old)
    if len(spans) > 1 and not everywhere:
        return SeveralPlaces("old_string", old, len(spans), _first_lines(text, spans))
    there = "".join(text[start:end] for start, end in spans)
    meant = _with_real_controls(new, there)
    if way is _exactly:
        return Patched(_replaced(text, spans, lambda _: meant), tuple(spans))
    garbled = _garbled(old, new, there)
    if garbled:
        return SkillInvalid("escape_drift", garbled)
    kept = _keeping_characters(there, old, meant) if way is _by_plain_characters else meant
    filled = _replaced(text, spans, lambda region: _indented_as(region, old, kept))
    return Patched(filled, tuple(spans))


def _places(text: str, old: str) -> tuple[Way, list[Span]]:
    """The first way that finds anything, and what it finds."""
    for way in _WAYS:
        spans = way(text, old)
        if spans:
            return way, spans
    return _exactly, []


def _first_lines(text: str, spans: Sequence[Span]) -> tuple[str, ...]:
    return tuple(text[start:end].strip().partition("\n")[0] for start, end in spans[:5])


def _replaced(text: str, spans: Sequence[Span], by: Callable[[str], str]) -> str:
    # From the end, since that is what becomes of places that overlap.
    for start, end in sorted(spans, key=lambda span: span[0], reverse=True):
        text = text[:start] + by(text[start:end]) + text[end:]
    return text


# -- the ways to look ------------------------------------------------------------------------


def _exactly(text: str, old: str) -> list[Span]:
    spans = []
    start = text.find(old)
    while start >= 0:
        spans.append((start, start + len(old)))
        start = text.find(old, start + len(old))
    return spans


def _by_stripped_lines(text: str, old: str) -> list[Span]:
    return _lines_that_are(text, old, str.strip)


def _by_unindented_lines(text: str, old: str) -> list[Span]:
    return _lines_that_are(text, old, str.lstrip)


def _by_collapsed_blanks(text: str, old: str) -> list[Span]:
    collapsed = _BLANKS.sub(" ", text)
    found = _exactly(collapsed, _BLANKS.sub(" ", old))
    if not found:
        return []
    own = list(_origins(text))
    spans = []
    for start, end in found:
        last = own[end - 1][1]
        if end < len(collapsed) and collapsed[end - 1] == " ":
            while last < len(text) and text[last] in " \t":
                last += 1
        spans.append((own[start][0], last))
    return spans


def _by_spelled_controls(text: str, old: str) -> list[Span]:
    plain = old
    for spelled, control in _SPELLED.items():
        plain = plain.replace(spelled, control)
    return [] if plain == old else _exactly(text, plain)


def _by_trimmed_ends(text: str, old: str) -> list[Span]:
    wanted = _with_trimmed_ends(old.split("\n"))
    return _windows(text, len(wanted), lambda lines: _with_trimmed_ends(lines) == wanted)


def _by_plain_characters(text: str, old: str) -> list[Span]:
    plain_text, plain_old = _plain(text), _plain(old)
    if plain_text == text and plain_old == old:
        return []
    found = _exactly(plain_text, plain_old) or _by_stripped_lines(plain_text, plain_old)
    starts = _plain_starts(text)
    spans = []
    for start, end in found:
        first = bisect_left(starts, start)
        if first < len(text) and starts[first] == start:
            spans.append((first, max(first, min(bisect_left(starts, end), len(text)))))
    return spans


def _by_first_and_last_line(text: str, old: str) -> list[Span]:
    wanted = _plain(old).split("\n")
    if len(wanted) < 2:
        return []
    lines = _plain(text).split("\n")
    size, ends = len(wanted), (wanted[0].strip(), wanted[-1].strip())
    places = [
        n
        for n in range(len(lines) - size + 1)
        if (lines[n].strip(), lines[n + size - 1].strip()) == ends
    ]
    least = 0.50 if len(places) == 1 else 0.70
    middle = "\n".join(wanted[1:-1])
    offsets = _offsets(text.split("\n"))
    return [
        (offsets[n], offsets[n + size] - 1)
        for n in places
        if size == 2
        or SequenceMatcher(None, "\n".join(lines[n + 1 : n + size - 1]), middle).ratio() >= least
    ]


def _by_likeness(text: str, old: str) -> list[Span]:
    wanted = [line.strip() for line in old.split("\n")]
    known: dict[tuple[str, str], bool] = {}

    def fits(lines: Sequence[str]) -> bool:
        alike = 0
        for left, (mine, its) in enumerate(zip(wanted, lines, strict=True)):
            if (alike + len(wanted) - left) * 2 < len(wanted):
                return False
            pair = (mine, its.strip())
            if pair not in known:
                known[pair] = _alike(*pair)
            alike += known[pair]
        return alike * 2 >= len(wanted)

    return _windows(text, len(wanted), fits)


_WAYS: tuple[Way, ...] = (
    _exactly,
    _by_stripped_lines,
    _by_collapsed_blanks,
    _by_unindented_lines,
    _by_spelled_controls,
    _by_trimmed_ends,
    _by_plain_characters,
    _by_first_and_last_line,
    _by_likeness,
)


def _lines_that_are(text: str, old: str, kind: Callable[[str], str]) -> list[Span]:
    wanted = [kind(line) for line in old.split("\n")]
    return _windows(text, len(wanted), lambda lines: [kind(line) for line in lines] == wanted)


def _windows(text: str, size: int, fits: Callable[[list[str]], bool]) -> list[Span]:
    """The runs of `size` lines that fit; runs may overlap, as with the agent."""
    lines = text.split("\n")
    offsets = _offsets(lines)
    return [
        (offsets[n], offsets[n + size] - 1)
        for n in range(len(lines) - size + 1)
        if fits(lines[n : n + size])
    ]


def _offsets(lines: Sequence[str]) -> list[int]:
    """Where each line begins, and last where one more would."""
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def _with_trimmed_ends(lines: list[str]) -> list[str]:
    if len(lines) == 1:
        return [lines[0].strip()]
    return [lines[0].strip(), *lines[1:-1], lines[-1].strip()]


def _origins(text: str) -> Iterator[Span]:
    """For each character of the collapsed text, the part of `text` that it stands for.

    Of a run of blanks, what follows its first space belongs to the character behind the run.
    """
    carried: int | None = None
    position = 0
    while position < len(text):
        run = _BLANKS.match(text, position)
        if run is None:
            yield (position if carried is None else carried), position + 1
            position, carried = position + 1, None
            continue
        space = text.find(" ", position, run.end())
        end = run.end() if space < 0 else space + 1
        yield position, end
        position, carried = run.end(), (end if end < run.end() else None)


def _plain(text: str) -> str:
    for char, plain in _PLAIN.items():
        text = text.replace(char, plain)
    return text


def _plain_starts(text: str) -> list[int]:
    """Where each character of `text` begins in the plain text, and last where that ends."""
    return list(accumulate((len(_PLAIN.get(char, char)) for char in text), initial=0))


def _alike(one: str, other: str) -> bool:
    matcher = SequenceMatcher(None, one, other)
    # The quick ratios are never below the real one.
    return (
        matcher.real_quick_ratio() >= ALIKE
        and matcher.quick_ratio() >= ALIKE
        and matcher.ratio() >= ALIKE
    )


# -- what is written there -------------------------------------------------------------------


def _garbled(old: str, new: str, there: str) -> str:
    """The quote that came with a backslash which the file does not have; empty for none."""
    for quote in ("'", '"'):
        escaped = "\\" + quote
        if escaped in new and escaped in old and escaped not in there:
            return quote
    return ""


def _with_real_controls(new: str, there: str) -> str:
    """`new` with tabs and carriage returns that were spelled out, where the place has real ones."""
    for spelled in ("\\t", "\\r"):
        control = _SPELLED[spelled]
        if control in there:
            new = new.replace(spelled, control)
    return new


def _keeping_characters(there: str, old: str, new: str) -> str:
    """`new`, with what stays of `old` spelled as it stands there."""
    plain_old = _plain(old)
    if plain_old != _plain(there):
        return new
    starts = _plain_starts(there)
    parts = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, plain_old, new).get_opcodes():
        if tag == "equal":
            first = bisect_left(starts, start)
            # In the middle of what one character stands for, the agent begins at the very start.
            first = first if starts[first] == start else 0
            parts.append(there[first : max(first, bisect_left(starts, end))])
        elif tag != "delete":
            parts.append(new[new_start:new_end])
    return "".join(parts)


def _indented_as(region: str, old: str, new: str) -> str:
    """`new` moved from the indentation that `old` has to that of the place."""
    given, found = _indentation(old), _indentation(region)
    if given is None or found is None or given == found:
        return new
    return "\n".join(_moved(line, given, found) for line in new.split("\n"))


def _moved(line: str, given: str, found: str) -> str:
    if not line.strip():
        return line
    blanks = line[: len(line) - len(line.lstrip(" \t"))]
    rest = line[len(given) :] if blanks.startswith(given) else line.lstrip(" \t")
    return found + rest


def _indentation(text: str) -> str | None:
    """The blanks before the first line with words; None if there is no such line."""
    line = next((line for line in text.split("\n") if line.strip()), None)
    return None if line is None else line[: len(line) - len(line.lstrip(" \t"))]
