"""The two memory files of a home: loaded as values, changed under Hermes' own lock.

Reads once, decides with the pure functions beside this module, and writes through
`store/transaction.py`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from schema.frozen import frozen, replace
from store.changes import FileChange, Intent
from store.files import Content, Disk, backups_of, is_folder
from store.home import TARGETS, HermesHome, Target
from store.memory import drift
from store.memory.entries import Document, decode, encode, parse, serialise
from store.memory.operations import (
    Add,
    Address,
    Applied,
    Arrange,
    Change,
    Remove,
    TakeOut,
    Whole,
    action_name,
    apply,
    check,
    together,
)
from store.memory.snapshot import Source, snapshot
from store.memory.state import (
    FileText,
    MemoryState,
    Written,
    describe,
    file_text,
    lost_to,
    lost_to_repair,
)
from store.refusals import (
    REFUSALS,
    AtOperation,
    Conflict,
    Drifted,
    Locked,
    NotFound,
    ReadOnly,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.settings import MemorySettings
from store.settings_kept import KeptSettings

if TYPE_CHECKING:
    from store.journal import Journal


@frozen
class Planned:
    """One file as it was read under the lock, and what it is to become."""

    seen: Content
    applied: Applied
    limit: int
    after: bytes
    backup: str = ""

    @property
    def file_change(self) -> FileChange:
        """The write that this plan asks for."""
        unchanged = not self.applied.gone and not self.applied.come and self.seen.data is None
        return FileChange(self.seen, None if unchanged else self.after)


class MemoryLibrary:
    """MEMORY.md and USER.md of one home.

    `journal` is asked for when the first change is made; reading needs none. `clock` gives UTC
    seconds, for names of backups.
    """

    def __init__(
        self,
        home: HermesHome,
        *,
        disk: Disk,
        journal: Callable[[], Journal | None] = lambda: None,
        env: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is read before the first call."""
        self.home = home
        self._files = {name: home.memory_file(name) for name in TARGETS}
        self.disk = disk
        self._journal = journal
        self._settings = KeptSettings(home, disk=disk, env=env)
        self._clock = clock

    # -- reading -------------------------------------------------------------------------

    def settings(self) -> MemorySettings:
        """The home's memory settings as they are on disk now."""
        return self._settings.read()

    def load(self, target: Target) -> MemoryState:
        """Everything about one file. Bad files are states, not errors."""
        return self.load_both(targets=(target,))[target]

    def load_both(
        self,
        settings: MemorySettings | None = None,
        targets: tuple[Target, ...] = TARGETS,
    ) -> dict[Target, MemoryState]:
        """Both files from one reading of each; both, since one can break the other's loading."""
        settings = settings or self.settings()
        read = {name: self.disk.read(self._files[name]) for name in TARGETS}
        texts = {name: _text_of(read[name], self._files[name]) for name in TARGETS}
        sources: dict[Target, Source] = {
            name: Source(
                texts[name].decoded,
                settings.prompt_limit(name),
                settings.enabled(name),
                refused=isinstance(read[name], Unreadable),
            )
            for name in TARGETS
        }
        states: dict[Target, MemoryState] = {}
        for name in targets:
            found = read[name]
            states[name] = describe(
                name,
                str(self._files[name]),
                texts[name],
                limit=settings.limit(name),
                prompt_limit=settings.prompt_limit(name),
                enabled=settings.enabled(name) and settings.memory_off is None,
                snapshot=snapshot(name, sources, memory_off=settings.memory_off is not None),
                digest=found.digest if isinstance(found, Content) else "",
                backup_has_more=self._backup_has_more(name, texts[name], settings.limit(name)),
            )
        return states

    def _backup_has_more(self, target: Target, text: FileText, limit: int) -> bool:
        if not isinstance(text.decoded, str):
            return False
        document = None
        for path in backups_of(self._files[target]):
            document = document or parse(text.decoded)
            found = self.disk.read(path)
            decoded = decode(found.data) if isinstance(found, Content) and found.data else None
            if not isinstance(decoded, str) or not lost_to(document, decoded):
                continue
            if lost_to_repair(document, decoded, limit):
                return True
        return False

    # -- changing ------------------------------------------------------------------------

    def change(
        self, target: Target, change: Change, *, who: str = "desk", wait: float = 10.0
    ) -> Written | Refusal:
        """Do one change to one file, or say why not. `wait`: seconds for the lock."""
        if (refused := check(change)) is not None:
            return refused
        with self.locks((target,), wait=wait) as held:
            if held is not None:
                return held
            plan = self.plan(target, change)
            if isinstance(plan, REFUSALS):
                return plan
            intent = Intent(who, action_name(change), target, plan.applied.gone, plan.applied.come)
            done = self.write((plan,), intent)
        return done if isinstance(done, REFUSALS) else self.written(target, change, plan, done)

    def move(
        self, source: Target, destination: Target, *where: Address, wait: float = 10.0
    ) -> Written | Refusal:
        """Move entries to the other file: the destination is written first, then the source.

        All of them, in both files, or nothing; the answer is about the destination.
        """
        if source == destination:
            return Unsupported("move_to_itself")
        with self.locks(TARGETS, wait=wait) as held:
            if held is not None:
                return held
            take = _taking(where)
            taken = check(take) or self.plan(source, take)
            if isinstance(taken, REFUSALS):
                return taken
            entries = taken.applied.gone
            if _named_among(taken.seen, entries):
                return Unsupported("identity_would_be_lost")
            add = together([Add(entry) for entry in entries])
            put = check(add) or self.plan(destination, add)
            if isinstance(put, REFUSALS):
                return put
            intent = Intent("desk", "move", "both", entries, entries)
            done = self.write((put, taken), intent)
        if isinstance(done, REFUSALS):
            return done
        written = self.written(destination, add, put, done)
        removed = entries[0] if len(entries) == 1 else None
        return replace(written, action="move", changed=True, removed=removed)

    def identity_of(self, seen: Content, text: str) -> str:
        """The name that a newer version gave an entry (hermes-formats §2.10), or nothing."""
        decoded = decode(seen.data or b"")
        entries = parse(decoded).entries if isinstance(decoded, str) else ()
        return next((entry.identity for entry in entries if entry.text == text), "")

    @contextmanager
    def locks(
        self, targets: tuple[Target, ...], *, wait: float
    ) -> Iterator[Locked | ReadOnly | NotFound | Unreadable | None]:
        """Hold Hermes' locks of these files, always in the same order; or why not.

        A missing folder of memories is made for them, a missing home is not: a profile that was
        deleted must not come back by itself.
        """
        there = is_folder(self.home.path)
        if there is not True:
            yield there or NotFound("home", str(self.home.path))
            return
        with ExitStack() as stack:
            for name in TARGETS:
                if name in targets:
                    held = stack.enter_context(self.disk.locked(self._files[name], wait=wait))
                    if held is not None:
                        yield held
                        return
            yield None

    def plan(self, target: Target, change: Change) -> Planned | Refusal:
        """Read the file, under the lock that the caller holds, and decide. Writes only a backup.

        A backup is made where the agent makes one: of a drifted file that is refused
        (hermes-formats §2.6), and of one that an add is about to normalise.
        """
        seen = self.disk.read(self._files[target])
        if isinstance(seen, Unreadable):
            return seen
        text = _text_of(seen, seen.path)
        if text.problem is not None:
            return text.problem
        limit = self.settings().limit(target)
        document, signals = Document(), tuple[str, ...]()
        if isinstance(text.decoded, str):
            document, signals = parse(text.decoded), drift.signals(text.decoded, limit)
        if signals and not isinstance(change, Add):
            copy = self.back_up(seen)
            return Drifted(str(seen.path), signals, "" if isinstance(copy, ReadOnly) else str(copy))
        if isinstance(change, Arrange) and change.digest != seen.digest:
            return Conflict(str(seen.path), "\n".join(change.texts), serialise(document))
        applied = apply(document, change, limit=limit, target=target)
        if isinstance(applied, Conflict):
            return replace(applied, path=str(seen.path), now=serialise(document))
        if isinstance(applied, AtOperation) and isinstance(applied.cause, Conflict):
            cause = replace(applied.cause, path=str(seen.path), now=serialise(document))
            return replace(applied, cause=cause)
        if isinstance(applied, REFUSALS):
            return applied
        if isinstance(change, Add) and not applied.come:
            # Already there: the agent does not touch the file then, and neither do we.
            return Planned(seen, applied, limit, seen.data or b"")
        backup = self.back_up(seen) if signals else ""
        if isinstance(backup, ReadOnly):
            return backup
        after = encode(applied.document, self.disk.newline)
        return Planned(seen, applied, limit, after, str(backup))

    def back_up(self, seen: Content) -> Path | ReadOnly:
        """Copy what was seen, as bytes, beside the file."""
        return self.disk.back_up(seen, now=self._clock())

    def write(
        self,
        plans: tuple[Planned, ...],
        intent: Intent,
        more: tuple[FileChange, ...] = (),
    ) -> int | Conflict | ReadOnly | Locked | None:
        """Carry out these plans and `more`, in this order, as one change of the journal."""
        from store.transaction import carry_out

        return carry_out(
            home=self.home.path,
            disk=self.disk,
            journal=self._journal(),
            intent=intent,
            changes=(*(plan.file_change for plan in plans), *more),
        )

    def written(
        self, target: Target, change: Change, plan: Planned, change_id: int | None
    ) -> Written:
        """What to tell about a plan that was carried out."""
        applied = plan.applied
        action = action_name(change)
        return Written(
            target=target,
            action=action,
            changed=plan.file_change.after != plan.seen.data,
            chars=applied.chars,
            limit=plan.limit,
            entry_count=len(applied.document.entries),
            replaced=applied.gone[0] if action == "replace" else None,
            removed=applied.gone[0] if action == "remove" else None,
            change_id=change_id,
            backup=plan.backup,
        )


def _taking(where: Sequence[Address]) -> Change:
    """The change that takes these entries out of a file, which may be over its limit."""
    if len(where) > 1 and all(isinstance(one, Whole) for one in where):
        return TakeOut(tuple(one.text for one in where), may_empty=True)
    return together([Remove(one) for one in where], may_empty=True)


def _named_among(seen: Content, texts: Sequence[str]) -> bool:
    """Whether a newer version gave one of these entries a name (hermes-formats §2.10)."""
    decoded = decode(seen.data or b"")
    entries = parse(decoded).entries if isinstance(decoded, str) else ()
    named = {entry.text for entry in entries if entry.identity}
    return any(text in named for text in texts)


def _text_of(found: Content | Unreadable, path: Path) -> FileText:
    if isinstance(found, Unreadable):
        return FileText(None, None, found)
    return file_text(str(path), found.data)
