"""What is left out of the texts that the journal keeps: hard-coded secrets, and what is forgotten.

Pure. In the bytes of a memory file only the entry itself is left out, by a note that tells which
one it was, so that changes around it can still be taken back while it stands in the file. Of
anything else that holds a secret no bytes are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from hashlib import sha256

from schema.frozen import frozen, replace
from store.changes import Intent, Part
from store.files import digest_of
from store.home import FILE_NAMES
from store.memory.entries import Undecodable, clean, decode, parse
from store.memory.threat_patterns import RULES
from store.memory.threats import MAX_CHARS, fold

MEMORY_PATHS = tuple(f"memories/{name}" for name in FILE_NAMES.values())
"""The paths of the memory files in a home, as the journal names them."""

_RULE = next(rule for rule in RULES if rule.id == "hardcoded_secret")
_BETWEEN = re.compile(rb"((?:\r\n|\n|\r)\xc2\xa7(?:\r\n|\n|\r))")
_NOTE = re.compile(rb"\[left out: [a-z ]+, \d+ chars, [0-9a-f]{16}\]")

Wanted = Callable[[str], bool]
"""Whether an entry is to be left out."""


@frozen
class LeftOut:
    """A change without what must not be kept. `own`: the change itself is about that."""

    intent: Intent
    parts: tuple[Part, ...]
    own: bool


def holds_secret(text: str) -> bool:
    """Whether the agent's threat scan calls something in `text` a hard-coded secret."""
    folded = fold(text[:MAX_CHARS])
    return _RULE.may_hit(folded) and _RULE.hits(folded)


def _may_hold_secret(intent: Intent, parts: Sequence[Part]) -> bool:
    """Whether a look at each entry is needed; of most changes one look at the whole tells."""
    for part in parts:
        for data in (part.before, part.after) if part.kind == "file" else ():
            if part.path not in MEMORY_PATHS or _may_hold_one(data or b""):
                return True
    return any(_RULE.may_hit(fold(text)) for text in (*intent.gone, *intent.come))


@lru_cache(maxsize=2)  # what stands before a change is mostly what the last one has left
def _may_hold_one(data: bytes) -> bool:
    decoded = decode(data)
    return not isinstance(decoded, str) or _RULE.may_hit(fold(decoded))


def note_of(text: str, why: str = "a secret") -> str:
    """What stands in the journal in the place of an entry."""
    name = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"[left out: {why}, {len(text)} chars, {name}]"


def without_secrets(intent: Intent, parts: Sequence[Part]) -> LeftOut | None:
    """The change as the journal may keep it; None if it may keep all of it."""
    if not _may_hold_secret(intent, parts):
        return None
    return without(intent, parts, holds_secret, other=_holds_secret_somewhere)


def without_text(intent: Intent, parts: Sequence[Part], text: str) -> LeftOut | None:
    """The change without the entry `text`, which is to be forgotten; None if it is not in it."""

    def is_it(entry: str) -> bool:
        return entry == text

    return without(intent, parts, is_it, other=partial(_holds, text), why="forgotten")


def without(
    intent: Intent,
    parts: Sequence[Part],
    wanted: Wanted,
    *,
    other: Callable[[bytes], bool],
    why: str = "a secret",
) -> LeftOut | None:
    """The change without the entries that are `wanted`, and without files that `other` says so of.

    None if there is nothing to leave out.
    """
    kept, own, some = list[Part](), False, False
    for part in parts:
        if part.kind != "file" or part.before == part.after is None:
            kept.append(part)
            continue
        before = _kept(part.path, part.before, wanted, other, why)
        after = _kept(part.path, part.after, wanted, other, why)
        if before == part.before and after == part.after:
            kept.append(part)
            continue
        some = True
        own = own or _entries(before, wanted, part.before) != _entries(after, wanted, part.after)
        kept.append(
            replace(
                part,
                before=before,
                after=after,
                before_mark=part.before_mark or _mark(before, part.before),
                after_mark=part.after_mark or _mark(after, part.after),
            )
        )
    texts = [
        tuple(note_of(text, why) if wanted(text) else text for text in those)
        for those in (intent.gone, intent.come)
    ]
    changed = replace(intent, gone=texts[0], come=texts[1])
    if changed != intent:
        some = own = True
    return LeftOut(changed, tuple(kept), own) if some else None


def filled(data: bytes | None, mark: str, sources: Iterable[bytes | None]) -> bytes | None:
    """The real bytes, with what was left out taken from files in which it stands now.

    None if there is nothing to be had: see `is_whole`.
    """
    if data is None or not mark:
        return data
    texts: dict[bytes, str] = {}
    for source in sources:
        decoded = decode(source or b"")
        for text in parse(decoded).texts if isinstance(decoded, str) else ():
            if len(text) < MAX_CHARS:
                texts[note_of(text).encode()] = text
    for newline in ("\n", "\r\n", "\r"):
        made = _NOTE.sub(partial(_put, texts, newline), data)
        if digest_of(made) == mark:
            return made
    return None


def is_whole(data: bytes | None, mark: str) -> bool:
    """Whether these are the bytes that were there, and nothing is missing."""
    return not mark or digest_of(data) == mark


def replaced(data: bytes, wanted: Wanted, note: Callable[[str], str]) -> bytes:
    """The bytes of a memory file with a note for each entry that is wanted; all else as it is."""
    pieces = _BETWEEN.split(data)
    for at in range(0, len(pieces), 2):
        decoded = decode(pieces[at])
        entries = parse(decoded).entries if isinstance(decoded, str) else ()
        for entry in entries:
            if wanted(entry.text):
                pieces[at] = _without_text(pieces[at], entry.text, note(entry.text))
    return b"".join(pieces)


def _without_text(piece: bytes, text: str, note: str) -> bytes:
    for newline in ("\n", "\r\n", "\r"):
        spelled = text.replace("\n", newline).encode()
        if spelled in piece:
            return piece.replace(spelled, note.encode(), 1)
    return note.encode()


def _kept(
    path: str, data: bytes | None, wanted: Wanted, other: Callable[[bytes], bool], why: str
) -> bytes | None:
    if data is None:
        return None
    if path not in MEMORY_PATHS:
        return None if other(data) else data
    if isinstance(decode(data), Undecodable):
        return None if other(data) else data
    made = replaced(data, wanted, lambda text: note_of(text, why))
    return None if made != data and other(made) else made


def _mark(kept: bytes | None, real: bytes | None) -> str:
    return "" if kept == real else digest_of(real)


def _entries(kept: bytes | None, wanted: Wanted, real: bytes | None) -> frozenset[str] | None:
    """The entries that were left out; None where that cannot be told."""
    decoded = decode(real or b"")
    if isinstance(decoded, Undecodable) or (kept is None and real is not None):
        return None if real is None else frozenset({digest_of(real)})
    return frozenset(text for text in parse(decoded).texts if wanted(text))


def _put(texts: dict[bytes, str], newline: str, found: re.Match[bytes]) -> bytes:
    text = texts.get(found.group())
    return found.group() if text is None else text.replace("\n", newline).encode()


def _holds_secret_somewhere(data: bytes) -> bool:
    text = data.decode("utf-8", "replace")
    if holds_secret(clean(text)):
        return True
    if not text.lstrip().startswith("{"):
        return False
    try:
        return any(map(holds_secret, strings_in(json.loads(text))))
    except (ValueError, RecursionError):
        return False


_LONG = 24
"""So long a text is found inside others too: a longer one hardly stands there by chance."""


def _holds(text: str, data: bytes) -> bool:
    """Whether what is no list of entries says `text`."""
    decoded = decode(data)
    if isinstance(decoded, Undecodable):
        return len(text) >= _LONG and text.encode() in data
    if len(text) >= _LONG and text in decoded:
        return True
    if not decoded.lstrip().startswith("{"):
        return clean(decoded) == text
    try:
        strings = strings_in(json.loads(decoded))
        return any(clean(one) == text or (len(text) >= _LONG and text in one) for one in strings)
    except (ValueError, RecursionError):
        return False


def strings_in(value: object) -> Iterator[str]:
    """All texts in what a JSON document held."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from strings_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)
