"""Understands what the agent says when it refuses, so that a pasted refusal leads to its entry.

Pure: from a text and the entries to a place and a sentence. The wordings are those of
hermes-formats §2.5, §2.6, §2.8 and §2.9; newer versions changed some, so each is looked for
loosely.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from gui.i18n import tr
from schema.frozen import frozen
from store.home import FILE_NAMES, TARGETS, Target

if TYPE_CHECKING:
    from store.memory.state import EntryView, MemoryState

Kind = Literal["no_match", "ambiguous", "blocked", "over_budget", "drift", "unreadable"]

_NO_MATCH = re.compile(r"no entry matched '(?P<quote>.*?)'(?:\.|$)", re.IGNORECASE | re.DOTALL)
_AMBIGUOUS = re.compile(
    r"multiple entries matched '(?P<quote>.*?)'\.|'(?P<other>.*?)' matched multiple",
    re.IGNORECASE | re.DOTALL,
)
_BLOCKED = re.compile(
    r"matches threat pattern '(?P<id>\w+)'|threat pattern\(s\): (?P<ids>[\w+, ]+)"
    r"|invisible unicode character (?P<point>U\+[0-9A-F]{4,6})",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\d[\d,]*/(?P<limit>\d[\d,]*) chars\W+(?:adding|shorten|over)|"
    r"(?:would|over).{0,40}?\d[\d,]*/(?P<other>\d[\d,]*) chars",
    re.IGNORECASE | re.DOTALL,
)
_REFUSING = re.compile(r"refusing to write \S*?(?P<file>MEMORY|USER)\.md", re.IGNORECASE)
_UNREADABLE = re.compile(r"could not be read|can't decode|codec", re.IGNORECASE)
_LONGEST_NEAR = 200


@frozen
class Pasted:
    """A refusal of the agent.

    `quote` is the text that it names, `ids` the scan's findings, `limit` a file's limit.
    """

    kind: Kind
    target: Target | None = None
    quote: str = ""
    ids: tuple[str, ...] = ()
    limit: int = 0


@frozen
class Place:
    """Where a refusal leads: a file, maybe one entry of it, and what to say about it.

    `repair`: to the Repair page of that file.
    """

    target: Target
    text: str | None
    words: str
    repair: bool = False


def read_refusal(text: str) -> Pasted | None:
    """Tell what kind of refusal `text` is, or None if it is an ordinary search."""
    # A field of one line puts U+2028 where the text had line ends.
    text = _error_of(text.strip().replace("\u2028", "\n"))
    target = _target_of(text)
    if (match := _REFUSING.search(text)) is not None:
        name = f"{match['file'].upper()}.md"
        found: Target = "memory" if name == FILE_NAMES["memory"] else "user"
        return Pasted("unreadable" if _UNREADABLE.search(text) else "drift", found)
    if (match := _BLOCKED.search(text)) is not None:
        ids = match["id"] or match["ids"] or f"invisible_unicode_{match['point']}"
        return Pasted("blocked", target, ids=tuple(name.strip() for name in ids.split(",")))
    if (match := _AMBIGUOUS.search(text)) is not None:
        return Pasted("ambiguous", target, match["quote"] or match["other"] or "")
    if (match := _NO_MATCH.search(text)) is not None:
        return Pasted("no_match", target, match["quote"])
    if (match := _OVER.search(text)) is not None:
        limit = int((match["limit"] or match["other"]).replace(",", ""))
        return Pasted("over_budget", target, limit=limit)
    return None


def place_of(pasted: Pasted, states: Mapping[Target, MemoryState]) -> Place:
    """Find the entry that a refusal is about, and the way to mend it."""
    targets = [pasted.target] if pasted.target is not None else list(TARGETS)
    entries = [(name, entry) for name in targets for entry in states[name].entries]
    first = targets[0]
    match pasted.kind:
        case "blocked":
            return _blocked(pasted, entries, first)
        case "no_match":
            return _no_match(pasted, entries, first)
        case "ambiguous":
            hits = [(name, entry) for name, entry in entries if pasted.quote in entry.text]
            target, text = (hits[0][0], hits[0][1].text) if hits else (first, None)
            return Place(
                target,
                text,
                tr(
                    "“{text}” stands in {count} entries, so the agent cannot tell which one is "
                    "meant. Make them differ, or merge them.",
                    text=pasted.quote,
                    count=len({entry.text for _, entry in hits}),
                ),
            )
        case "over_budget":
            # The agent says "memory" of both files; their limits tell them apart.
            fitting = [name for name in targets if states[name].limit == pasted.limit] or targets
            fullest = max(fitting, key=lambda name: states[name].chars / max(states[name].limit, 1))
            longest = max(states[fullest].entries, key=lambda entry: entry.chars, default=None)
            return Place(
                fullest,
                longest.text if longest is not None else None,
                tr("{file} is full. This is its longest entry: shorten or remove what may go.",
                   file=FILE_NAMES[fullest]),
            )  # fmt: skip
        case _:
            return _refusing(states[first], first)


def _refusing(state: MemoryState, target: Target) -> Place:
    """Say whether the agent still refuses the whole file, and lead to its repair."""
    from gui.models.memory import is_broken

    file = FILE_NAMES[target]
    if state.state == "clean":
        words = tr("{file} is in order now; the agent can try again.", file=file)
        return Place(target, None, words)
    words = tr("The agent refuses to write {file}; the banner above it says why.", file=file)
    return Place(target, None, words, repair=is_broken(state))


def _blocked(pasted: Pasted, entries: Sequence[tuple[Target, EntryView]], first: Target) -> Place:
    for name, entry in entries:
        if set(pasted.ids) & set(entry.threats):
            words = tr("The agent hides this entry. Say it in other words, or delete it.")
            return Place(name, entry.text, words)
    words = tr(
        "No entry here has {ids} in it: the agent refused the text before it was written.",
        ids=", ".join(pasted.ids),
    )
    return Place(first, None, words)


def _no_match(pasted: Pasted, entries: Sequence[tuple[Target, EntryView]], first: Target) -> Place:
    for name, entry in entries:
        if pasted.quote and pasted.quote in entry.text:
            words = tr("This entry has that text now; the agent can try again.")
            return Place(name, entry.text, words)
    near = _nearest(pasted.quote, entries)
    if near is None:
        words = tr("No entry resembles “{text}”; it was changed or removed.", text=pasted.quote)
        return Place(first, None, words)
    words = tr("No entry has that text. This one is the nearest; it may have been changed.")
    return Place(near[0], near[1].text, words)


def _nearest(
    quote: str, entries: Sequence[tuple[Target, EntryView]]
) -> tuple[Target, EntryView] | None:
    from difflib import SequenceMatcher

    best, found = 0.45, None
    matcher = SequenceMatcher(None, b=quote[:_LONGEST_NEAR], autojunk=False)
    for name, entry in entries:
        matcher.set_seq1(entry.text[: max(len(quote), 20)])
        ratio = matcher.ratio()
        if ratio > best:
            best, found = ratio, (name, entry)
    return found


def _error_of(text: str) -> str:
    """Give the sentence of a refusal that was copied as the tool's whole JSON answer."""
    if not text.startswith("{"):
        return text
    try:
        answer: Any = json.loads(text)
    except ValueError:
        return text
    parts = [answer.get("error"), answer.get("target"), answer.get("drift_backup")]
    return " ".join(part for part in parts if isinstance(part, str)) or text


def _target_of(text: str) -> Target | None:
    """Tell which file a refusal speaks of, if it does."""
    if re.search(r"USER\.md|user profile", text):
        return "user"
    return "memory" if re.search(r"MEMORY\.md", text) else None
