"""Undo of any change that the journal holds, and what a crash left unfinished.

An undo is a new change under the same rules: locks, journal, atomic writes. Where the files
are still as the change left them, the exact bytes from before come back; where others have
written since, only this change's own entries are put back, or the undo says what is in its way.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from schema.frozen import frozen
from store.changes import FileChange, Intent, Part
from store.files import Content, Disk
from store.history import later_than
from store.history_texts import filled
from store.home import FILE_NAMES, TARGETS, HermesHome, Target
from store.journal import Journal, JournalEntry
from store.knowledge.undoing import note_before, stands_in_note
from store.memory import drift
from store.memory.entries import Document, Entry, Undecodable, decode, encode, parse, serialise
from store.memory.library import MemoryLibrary
from store.refusals import (
    REFUSALS,
    Conflict,
    Drifted,
    Locked,
    NotFound,
    OverBudget,
    ReadOnly,
    Refusal,
    Unreadable,
    Unsupported,
)
from store.skills.library import SkillLibrary
from store.skills.undoing import (
    SUPPRESSED,
    folder_before,
    is_of_skills,
    leads_elsewhere,
    names_before,
    usage_before,
)
from store.transaction import carry_out
from store.trees import is_temporary, look, put, remove_temporary

OF_A_PROVIDER = "provider:"
"""How the target of a change to a provider's settings begins."""


@frozen
class Undone:
    """Change `undone` was taken back by `change_id`. `exact`: every byte is as before it."""

    undone: int
    change_id: int | None
    exact: bool


class Undo:
    """Takes back changes of one home."""

    def __init__(
        self,
        home: HermesHome,
        *,
        library: MemoryLibrary,
        skills: SkillLibrary,
        disk: Disk,
        journal: Journal,
        env: Mapping[str, str] = os.environ,
    ) -> None:
        """Nothing is read before the first call."""
        self.home = home
        self.library = library
        self.skills = skills
        self.disk = disk
        self.journal = journal
        self._env = env

    def undo(self, change_id: int | None = None, *, wait: float = 10.0) -> Undone | Refusal:
        """Take back one change, the latest undoable one if no id is given."""
        entry = self.journal.latest_undoable() if change_id is None else self.journal.get(change_id)
        if isinstance(entry, Unreadable):
            return entry
        if entry is None:
            return NotFound("change", "" if change_id is None else str(change_id))
        if not entry.undoable:
            if entry.about_keys:
                return Unsupported("keys_kept_out", str(entry.id))
            if entry.withheld:
                return Unsupported("left_out", str(entry.id))
            return Unsupported("already_undone" if entry.undone_by else "not_done", str(entry.id))
        if entry.intent.target.startswith(OF_A_PROVIDER):
            return self._undo_of_provider(entry, wait)
        with self.locks(entry, wait=wait) as held:
            if held is not None:
                return held
            fresh = self.journal.get(entry.id)
            if not isinstance(fresh, JournalEntry) or not fresh.undoable:
                return Unsupported("already_undone", str(entry.id))
            entry = self.filled(entry)
            changes = self._reversed(entry)
            if isinstance(changes, Conflict):
                return replace(changes, later=later_than(self.journal, entry))
            if isinstance(changes, REFUSALS):
                return changes
            done = self._carry_out(entry, changes)
        if isinstance(done, REFUSALS):
            return done
        exact = all(
            change.after == part.before and not part.before_mark
            for change, part in zip(changes, reversed(entry.parts), strict=True)
        )
        return Undone(entry.id, done, exact)

    def filled(self, entry: JournalEntry) -> JournalEntry:
        """The change with what was left out of its bytes, as far as it stands in the files now."""
        if not any(part.before_mark or part.after_mark for part in entry.parts):
            return entry
        seen = [self.disk.read(self.home.memory_file(target)) for target in TARGETS]
        now = [one.data for one in seen if isinstance(one, Content)]
        return replace(entry, parts=tuple(_filled(part, now) for part in entry.parts))

    def _undo_of_provider(self, entry: JournalEntry, wait: float) -> Undone | Refusal:
        """Take back single keys: of a file that may hold secrets no bytes are kept."""
        from store.providers.undoing import take_back

        done = take_back(
            entry, self.home, disk=self.disk, journal=self.journal, env=self._env, wait=wait
        )
        return Undone(entry.id, done, exact=False) if isinstance(done, int) else done

    def _carry_out(
        self, entry: JournalEntry, changes: Sequence[FileChange]
    ) -> int | Conflict | ReadOnly | Locked | None:
        intent = Intent(
            who="desk",
            action="undo",
            target=entry.intent.target,
            gone=entry.intent.come,
            come=entry.intent.gone,
            record=entry.intent.record,
            undoes=entry.id,
        )
        home, journal = self.home.path, self.journal
        done = carry_out(home=home, disk=self.disk, journal=journal, intent=intent, changes=changes)
        if done is None:
            # Others have brought it about already; it counts as taken back all the same.
            done = journal.begin(intent, ())
            if isinstance(done, int):
                journal.finish(done, "done")
        return done

    @contextmanager
    def locks(self, entry: JournalEntry, *, wait: float) -> Iterator[Refusal | None]:
        """Hold the agent's locks of all files of this change, or yield why not."""
        with ExitStack() as stack:
            held: Refusal | None = stack.enter_context(
                self.library.locks(self._targets(entry), wait=wait)
            )
            if held is None and any(is_of_skills(part) for part in entry.parts):
                held = stack.enter_context(self.skills.locked(wait=wait))
            yield held

    def _targets(self, entry: JournalEntry) -> tuple[Target, ...]:
        """The memory files whose locks guard this change."""
        named = {part.path for part in entry.parts} | {
            f"memories/{FILE_NAMES[target]}" for target in TARGETS if target == entry.intent.target
        }
        return tuple(target for target in TARGETS if f"memories/{FILE_NAMES[target]}" in named)

    def _reversed(self, entry: JournalEntry) -> tuple[FileChange, ...] | Refusal:
        changes = []
        for part in reversed(entry.parts):
            seen = self._look(part)
            if isinstance(seen, Unreadable):
                return seen
            after = self._before(part, seen, entry)
            if isinstance(after, REFUSALS):
                return after
            changes.append(FileChange(seen, after, part.mode, part.kind))
        return tuple(changes)

    def _look(self, part: Part) -> Content | Unreadable:
        path = self.home.path / part.path
        return look(self.disk, path, part.kind, moved=part.before or part.after)

    def _before(self, part: Part, seen: Content, entry: JournalEntry) -> bytes | Refusal | None:
        """What is to be there instead of what is `seen`."""
        if leads_elsewhere(self.home, part):
            return Conflict(str(seen.path))
        if part.kind == "folder":
            return folder_before(part, seen, entry.parts, self.home)
        if seen.data == part.after and not part.before_mark:
            return part.before
        if seen.path == self.skills.usage_file:
            return usage_before(part, seen, self.disk.newline)
        if part.path == SUPPRESSED:
            return names_before(part, seen, self.disk.newline)
        target = _target_of(part)
        if target is None:
            return note_before(entry, part, seen)
        return self._entries_put_back(target, part, seen)

    def _entries_put_back(self, target: Target, part: Part, seen: Content) -> bytes | Refusal:
        """The file as it is now, with only this change's entries taken back."""
        before, after, now = (_document(data) for data in (part.before, part.after, seen.data))
        if isinstance(now, Undecodable):
            return Unreadable(str(seen.path), "utf-8", byte=now.byte)
        limit, text = self.library.settings().limit(target), decode(seen.data or b"")
        if isinstance(text, str) and (signals := drift.signals(text, limit)):
            return Drifted(str(seen.path), signals)
        if isinstance(before, Undecodable) or isinstance(after, Undecodable):
            return Conflict(str(seen.path))
        document = put_back(before, after, now)
        if document is None:
            return Conflict(str(seen.path), serialise(after), serialise(now))
        if signals := drift.signals(serialise(document), limit):
            # Of a repair, what was there before was no list that the agent accepts.
            return Drifted(str(seen.path), signals)
        if not _stands_as_it_is(document):
            return Conflict(str(seen.path), serialise(after), serialise(now))
        chars = len(serialise(document))
        if chars > limit and chars > len(serialise(now)):
            return OverBudget(target, chars, limit, len(serialise(now)))
        return encode(document, self.disk.newline)

    # -- after a crash -------------------------------------------------------------------

    def recover(self, *, wait: float = 1.0) -> tuple[JournalEntry, ...]:
        """Finish what a crash left half done; the changes that were found unfinished.

        An intent whose files nobody touched is called off, one whose first file is written is
        carried to its end, so a move or an approval is never left in two places. A lock that
        is held means that its owner is alive: that intent is left for the next start.
        """
        found = self.journal.unfinished()
        handled = []
        for entry in () if isinstance(found, Unreadable) else found:
            if entry.intent.target.startswith(OF_A_PROVIDER):
                from store.providers.undoing import settle

                if settle(entry, self.home, disk=self.disk, journal=self.journal, env=self._env):
                    handled.append(entry)
                continue
            with self.locks(entry, wait=wait) as held:
                # Whoever held the lock may have come to the end of this change meanwhile.
                now = self.journal.get(entry.id) if held is None else None
                if isinstance(now, JournalEntry) and now.state == "intent" and self._settle(now):
                    handled.append(now)
        self._sweep()
        return tuple(handled)

    def _settle(self, entry: JournalEntry) -> bool:
        """Whether the change now has an end; False leaves it for the next start."""
        landed = False
        remove_temporary({(self.home.path / part.path).parent for part in entry.parts})
        for part in entry.parts:
            seen = self._look(part)
            if isinstance(seen, Unreadable):
                return False
            among_others = _landed_among_others(part, seen) or stands_in_note(entry, part, seen)
            if seen.data == part.after or among_others:
                landed = True
            elif landed or _not_cut_off(part, seen):
                landed = True
                if not self._finish_part(part, seen):
                    return False
        self.journal.finish(entry.id, "done" if landed else "abandoned")
        return True

    def _finish_part(self, part: Part, seen: Content) -> bool:
        """Bring one file to where the change wanted it; True if nothing more can be done."""
        if seen.data == part.before or _not_cut_off(part, seen):
            done = put(self.disk, FileChange(seen, part.after, part.mode, part.kind))
            # A folder that others have put something into, or moved elsewhere, stays.
            stays = part.kind in ("folder", "moved") and isinstance(done, Conflict)
            return done is None or stays
        before, after, now = (_document(data) for data in (part.before, part.after, seen.data))
        if _target_of(part) is None or not (
            isinstance(before, Document)
            and isinstance(after, Document)
            and isinstance(now, Document)
        ):
            return True
        document = put_back(after, before, now)
        if document is None or not _stands_as_it_is(document):
            return True
        return put(self.disk, FileChange(seen, encode(document, self.disk.newline))) is None

    def _sweep(self) -> None:
        """Remove temporary files that a killed desk left; under the locks nobody is writing."""
        folders = (self.home.memories, *map(self.home.pending, ("memory", "skills")))
        left = []
        for folder in folders:
            with suppress(OSError):  # not there, or closed to us
                names = os.listdir(folder)
                left += [folder / name for name in names if is_temporary(name)]
        if left:
            with self.library.locks(TARGETS, wait=0) as held, suppress(OSError):
                for path in left if held is None else ():
                    path.unlink(missing_ok=True)


def _filled(part: Part, now: Sequence[bytes | None]) -> Part:
    before = filled(part.before, part.before_mark, now)
    after = filled(part.after, part.after_mark, now)
    if part.before_mark and before is not None:
        part = replace(part, before=before, before_mark="")
    if part.after_mark and after is not None:
        part = replace(part, after=after, after_mark="")
    return part


def _stands_as_it_is(document: Document) -> bool:
    """Whether each entry reads back as itself: one that ends in a § line changes the next."""
    return parse(serialise(document)).entries == document.entries


def put_back(before: Document, after: Document, now: Document) -> Document | None:
    """`now` with what made `before` into `after` taken back; None if it no longer can be.

    That is a matter of entries: another order alone, or fewer spaces, cannot be told from what
    others did since.
    """
    come = [entry for entry in after.entries if entry not in before.entries]
    gone = [entry for entry in before.entries if entry not in after.entries]
    if not come and not gone:
        return None
    entries = list(now.entries)
    places = []
    for entry in come:
        if entry not in entries:
            return None
        places.append(entries.index(entry))
        entries.remove(entry)
    in_place = len(come) == len(gone) == 1 and before.entries.index(gone[0]) == after.entries.index(
        come[0]
    )
    for entry in gone:
        if entry in entries:
            continue
        entries.insert(places[0] if in_place else _place(entry, before.entries, entries), entry)
    return now.having(tuple(entries))


def _place(entry: Entry, before: Sequence[Entry], entries: Sequence[Entry]) -> int:
    """Where it stood: behind the nearest entry before it that is still there."""
    for earlier in reversed(before[: before.index(entry)]):
        if earlier in entries:
            return entries.index(earlier) + 1
    return 0


def _not_cut_off(part: Part, seen: Content) -> bool:
    """Whether the file was rewritten in place, but not yet cut to its new length."""
    before, after = part.before or b"", part.after or b""
    half = after + before[len(after) :]
    return bool(after) and seen.data == half != before


def _landed_among_others(part: Part, seen: Content) -> bool:
    """Whether the file, changed by others since, shows that this part was written."""
    if seen.data == part.before or _target_of(part) is None:
        return False
    before, after, now = (_document(data) for data in (part.before, part.after, seen.data))
    if not (
        isinstance(before, Document) and isinstance(after, Document) and isinstance(now, Document)
    ):
        return False
    come = set(after.entries) - set(before.entries)
    gone = set(before.entries) - set(after.entries)
    return bool(come or gone) and come <= set(now.entries) and not gone & set(now.entries)


def _document(data: bytes | None) -> Document | Undecodable:
    decoded = decode(data or b"")
    return decoded if isinstance(decoded, Undecodable) else parse(decoded)


def _target_of(part: Part) -> Target | None:
    name = Path(part.path)
    if name.parent.name != "memories":
        return None
    return next((target for target in TARGETS if FILE_NAMES[target] == name.name), None)
