"""Moves keys from plain files into the keyring: written, read back, compared, then taken out.

The index says that a name is on its way before anything happens, and until the plain copy is gone.
So whatever ends the program and whenever, the key is in one place or in both, and what is in both
is said at the next look.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

from schema.frozen import frozen
from store.dotenv import parse_dotenv
from store.dotenv_edit import name_refusal, without
from store.files import Content
from store.refusals import (
    REFUSALS,
    Conflict,
    Locked,
    NotFound,
    ReadOnly,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.secrets.finds import Find, Left
from store.secrets.index import Index, Kept
from store.secrets.json_text import without_key
from store.secrets.ring import TROUBLES
from store.secrets.states import Present, Secret
from store.secrets.vault import Secrets

Why = Left | Literal["differs", "keyring_differs", "refused"]


@frozen
class Move:
    """A key that can be moved: its plain copies all say the same."""

    name: str
    finds: tuple[Find, ...]


@frozen
class LeftOpen:
    """A key that stays where it is, with the reason; `refusal` has more where there is more."""

    name: str
    where: str
    path: str
    line: int | None
    why: Why
    refusal: Refusal | None = None


@frozen
class Moves:
    """What moving would do."""

    moves: tuple[Move, ...]
    left: tuple[LeftOpen, ...]
    problems: tuple[Refusal, ...] = ()


@frozen
class Moved:
    """What moving has done."""

    moved: tuple[str, ...]
    left: tuple[LeftOpen, ...]
    problems: tuple[Refusal, ...] = ()


def plan_moves(secrets: Secrets, names: Sequence[str] = ()) -> Moves | NotFound:
    """Which of `names` (none: all) can be moved. Reads files only; asks no keyring."""
    listing = secrets.listing()
    finds = [one for one in listing.finds.found if not names or one.name in names]
    for name in names:
        if not any(one.name == name for one in finds):
            return NotFound("secret", name)
    left = [_left(one, one.left) for one in finds if one.left and one.left != "environment"]
    moves = []
    for name in dict.fromkeys(one.name for one in finds if not one.left):
        places = tuple(one for one in finds if one.name == name and not one.left)
        if len({one.secret for one in places}) > 1:
            left += [_left(one, "differs") for one in places]
        else:
            moves.append(Move(name, places))
    return Moves(tuple(moves), tuple(left), listing.finds.problems)


def move_keys(secrets: Secrets, plan: Moves, *, may_ask: bool = False, wait: float = 10.0) -> Moved:
    """Do all of `plan`, one key after the other; a key that is refused stays where it is."""
    moved, left = [], list(plan.left)
    managed = secrets.managed()
    _settle(secrets, may_ask=may_ask, wait=wait)
    for move in plan.moves:
        act: Callable[[], Why | Refusal | None]
        act = partial(_move, secrets, move, may_ask=may_ask, wait=wait)
        done: Why | Refusal | None = managed
        if managed is None:
            done = secrets.noted("move_key", move.name, act)
        if done is None:
            moved.append(move.name)
        elif isinstance(done, str):
            left += [_left(one, done) for one in move.finds]
        else:
            left += [_left(one, "refused", done) for one in move.finds]
    return Moved(tuple(moved), tuple(left), plan.problems)


def _settle(secrets: Secrets, *, may_ask: bool, wait: float) -> None:
    """End the moves of which only the end is missing: no plain copy is left of those keys."""
    interrupted = [name for name in secrets.listing().interrupted if not secrets.finds(name)]
    if not interrupted:
        return
    with secrets.changing(wait=wait) as index:
        for name in interrupted:
            if not isinstance(index, Index):
                return
            kept = index.get(name)
            if kept is None or isinstance(secrets.read(name, may_ask=may_ask), TROUBLES):
                continue
            index = secrets.put(index, index.having(Kept(name, kept.changed)))


def _move(secrets: Secrets, move: Move, *, may_ask: bool, wait: float) -> Why | Refusal | None:
    secret = move.finds[0].secret
    refused = name_refusal(move.name)
    if refused is not None:
        return refused
    with secrets.changing(wait=wait) as index:
        if not isinstance(index, Index):
            return index
        before = index.get(move.name)
        places = ", ".join(dict.fromkeys(one.path for one in move.finds))
        index = secrets.put(index, index.having(Kept(move.name, secrets.clock(), places)))
        if not isinstance(index, Index):
            return index
        trouble = _into_keyring(secrets, move.name, secret, may_ask=may_ask)
        if trouble is not None:
            back = index.without(move.name) if before is None else index.having(before)
            secrets.put(index, back)
            return trouble
        for find in move.finds:
            removed = _take_out(secrets, find, wait=wait)
            if removed is not None:
                return removed  # in both places now, and the index says so
        put = secrets.put(index, index.having(Kept(move.name, secrets.clock())))
        return None if isinstance(put, Index) else put


def _into_keyring(
    secrets: Secrets, name: str, secret: Secret, *, may_ask: bool
) -> Why | Refusal | None:
    now = secrets.read(name, may_ask=may_ask)
    if isinstance(now, TROUBLES):
        return now
    if isinstance(now, Present):
        # What an interrupted move has put there already, or another key altogether.
        return None if now.secret == secret else "keyring_differs"
    return secrets.keyring.write(secrets.service, name, secret, may_ask=may_ask)


def _take_out(secrets: Secrets, find: Find, *, wait: float) -> Refusal | None:
    """Remove one plain copy, if it still says what was moved."""
    path = Path(find.path)
    with _held(secrets, find, wait=wait) as held:
        if held is not None:
            return held
        seen = secrets.disk.read(path)
        if isinstance(seen, Unreadable):
            return seen
        after = _without(seen, find)
        if not isinstance(after, bytes):
            return after
        return secrets.disk.replace(seen, after)


@contextmanager
def _held(secrets: Secrets, find: Find, *, wait: float) -> Iterator[Locked | ReadOnly | None]:
    """Hermes' own lock where it has one for this file (hermes-formats §7.2)."""
    if Path(find.path).name != "honcho.json":
        yield None
        return
    with secrets.disk.locked(Path(find.path), wait=wait) as held:
        yield held


def _without(seen: Content, find: Find) -> bytes | Refusal:
    if find.where == "dotenv":
        file = parse_dotenv(seen)
        if isinstance(file, Unreadable):
            return file
        if file.value(find.name) != find.secret.reveal():
            return Conflict(find.path)
        return without(file, find.name)
    try:
        text = (seen.data or b"").decode("utf-8")
        value = json.loads(text.removeprefix("\ufeff"))
        for part in find.key:
            value = value[part]
    except (ValueError, KeyError, TypeError, RecursionError):
        return Conflict(find.path)
    if value != find.secret.reveal():
        return Conflict(find.path)
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    after = without_key(text.removeprefix("\ufeff"), find.key)
    if after is None:
        return Unsupported("json_shape", ".".join(find.key))
    return (bom + after).encode()


def _left(find: Find, why: Why, refusal: Refusal | None = None) -> LeftOpen:
    name = find.name or ".".join(find.key)
    return LeftOpen(name, find.where, find.path, find.line, why, refusal)


def refused_names(moved: Iterable[LeftOpen]) -> tuple[str, ...]:
    """The names that were meant to be moved and were refused."""
    return tuple(one.name for one in moved if isinstance(one.refusal, REFUSALS))
