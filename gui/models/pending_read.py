"""Reads the queues for the Pending page and judges their records. Runs in the background."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from gui.models.pending import (
    GATES,
    MANY,
    AnyBrief,
    Brief,
    Gate,
    Inbox,
    Item,
    Known,
    PendingView,
    SkillBrief,
    key_of,
    stale_keys,
)
from schema.frozen import frozen
from store.pending.records import Record, UnusableRecord
from store.refusals import AtOperation, NotFound, Unsupported

if TYPE_CHECKING:
    from store.desk import Desk
    from store.memory.state import MemoryState
    from store.pending.skill_effects import FileEffect
    from store.settings import MemorySettings
    from store.skills.layout import Shelf

FIRST = 60
"""So many records are judged before the list is shown; the others follow."""


@frozen
class _Queue:
    """One profile as it was read, its items by what names them within it."""

    inbox: Inbox
    records: tuple[tuple[str, Record], ...]
    unusable: tuple[UnusableRecord, ...]


def read_pending(
    desk: Desk, known: Known | None = None, *, everywhere: bool | None = None
) -> PendingView:
    """Read the queue and what it is about. Judges what is in view, and keeps what still holds.

    `everywhere`: also those of the other profiles; None for as it is on screen.
    """
    from gui.watch import marks_of
    from gui.workplace import watched_of

    # Before anything is read: what changes in between is then news to the watch.
    marks = marks_of(watched_of(desk.home))
    if everywhere is None:
        everywhere = known is not None and known.view.everywhere
    settings = desk.library.settings()
    others = [home for home in desk.profiles() if home.path != desk.home.path]
    queues = [_read_queue(desk, "", settings)]
    for home in others if everywhere else ():
        other = desk.at(home)
        queues.append(_read_queue(other, home.profile, other.library.settings()))
    items, elsewhere = _joined(queues)
    briefs = _still_true(known, items, elsewhere, queues[0].inbox)
    view = PendingView(
        items=items,
        inbox=queues[0].inbox,
        elsewhere=elsewhere,
        everywhere=everywhere,
        profiles=len(others) + 1,
        unjudged=(),
        briefs=briefs,
        stale=frozenset(),
        gates=tuple(_gates(settings)),
        config_problem=settings.problem,
        provider=settings.provider,
        marks=marks,
        at=time.time(),
    )
    if len(items) > MANY:
        grow_old_at_once()
    return _judged_at_first(view, known)


def _judged_at_first(view: PendingView, known: Known | None) -> PendingView:
    from dataclasses import replace

    waiting = [key for key, item in view.items.items() if isinstance(item, Record)]
    in_view = known.in_view if known is not None else ()
    chosen = [key for key in in_view if view.record(key) is not None]
    briefs = dict(view.briefs)
    briefs |= judge([key for key in chosen or waiting[:FIRST] if key not in briefs], view)
    unjudged = tuple(key for key in waiting if key not in briefs)
    return replace(view, briefs=briefs, unjudged=unjudged, stale=stale_keys(briefs))


def _gates(settings: MemorySettings) -> Iterator[Gate]:
    for name in GATES:
        setting = settings.setting(f"{name}.write_approval")
        stored, managed_by = (setting.stored, setting.managed_by) if setting else (None, "")
        yield Gate(name, settings.approval(name), stored, managed_by)


def _read_queue(desk: Desk, profile: str, settings: MemorySettings) -> _Queue:
    memory, skills = desk.queue.load("memory"), desk.queue.load("skills")
    taken = {record.id for record in memory.records}
    named = [(record.id, record) for record in memory.records]
    for record in skills.records:
        named.append((f"skills/{record.id}" if record.id in taken else record.id, record))
    shelf = desk.skills.shelf() if skills.records else None
    guarded = settings.value("skills.guard_agent_created")
    inbox = Inbox(
        desk,
        profile,
        desk.library.load_both(settings),
        shelf,
        f"{guarded} {stamp_of(shelf)}" if shelf is not None else "",
        frozenset(_coming(skills.records)),
    )
    return _Queue(inbox, tuple(named), (*memory.unreadable, *skills.unreadable))


def _coming(records: Iterable[Record]) -> Iterator[str]:
    from store.skills.writes import Create, operations_of

    for record in records:
        for one in operations_of(record.skill) if record.skill is not None else ():
            if isinstance(one, Create):
                yield one.name


def _joined(queues: Iterable[_Queue]) -> tuple[dict[str, Item], dict[str, Inbox]]:
    """All of them in one list, the oldest first; and whose those of the others are."""
    elsewhere: dict[str, Inbox] = {}
    records: list[tuple[str, Record]] = []
    unusable: dict[str, Item] = {}
    for queue in queues:
        profile = queue.inbox.profile
        named = [(f"{profile}/{name}" if profile else name, one) for name, one in queue.records]
        broken = {key_of(one): one for one in queue.unusable}
        records += named
        unusable |= broken
        if profile:
            elsewhere |= dict.fromkeys((key for key, _ in named), queue.inbox)
            elsewhere |= dict.fromkeys(broken, queue.inbox)
    records.sort(key=lambda pair: (pair[1].created_at, pair[1].id))
    return {**dict(records), **unusable}, elsewhere


def stamp_of(shelf: Shelf) -> str:
    """Name all files of all skills as they look now, without reading one."""
    from store.files import digest_of

    lines = []
    for root in shelf.roots:
        for place, folders, files in os.walk(root.path):
            folders[:] = sorted(name for name in folders if name not in (".git", "node_modules"))
            for name in (*folders, *files):
                path = os.path.join(place, name)
                try:
                    seen = os.lstat(path)
                except OSError:
                    continue
                lines.append(f"{path} {seen.st_size} {seen.st_mtime_ns} {seen.st_ino}")
    return digest_of("\n".join(lines).encode("utf-8", "surrogateescape"))


def grow_old_at_once() -> None:
    """Spare the collector of garbage a look through thousands of new values, which will stay.

    It holds the window up while it looks. This puts all there is among the old, and looks at none.
    """
    gc.freeze()
    gc.unfreeze()


# --- Judging ------------------------------------------------------------------------------------


def judge(keys: Iterable[str], view: PendingView) -> dict[str, AnyBrief]:
    """Work out what each card tells of its record's effect."""
    return {
        key: brief_of(record, view.inbox_of(key))
        for key in keys
        if (record := view.record(key)) is not None
    }


def brief_of(record: Record, inbox: Inbox) -> AnyBrief:
    """Work out what a card tells of the effect of one record."""
    from store.pending.effects import effect_of

    target = record.memory_target
    if record.skill is not None:
        return _skill_brief(record, inbox)
    if target is None:
        return Brief(record.problem or Unsupported("unknown_action"), 0, 0, 0)
    state = inbox.states[target]
    effect = effect_of(record, state, diff=False)
    return Brief(
        refusal=effect.refusal,
        chars_before=effect.chars_before,
        chars_after=effect.chars_after,
        limit=effect.limit,
        lost=len(effect.lost_lines),
        changes=effect.document != state.document,
    )


def _skill_brief(record: Record, inbox: Inbox) -> SkillBrief:
    from store.pending.skill_effects import effect_on_skills

    plan = inbox.desk.skills.plan(inbox.shelf)
    effect = effect_on_skills([record], plan, inbox.desk.home)
    added = removed = 0
    for file in effect.files:
        come, gone = _lines_changed(file)
        added, removed = added + come, removed + gone
    cause = effect.refusal.cause if isinstance(effect.refusal, AtOperation) else effect.refusal
    waits = isinstance(cause, NotFound) and cause.kind == "skill" and cause.name in inbox.coming
    return SkillBrief(
        refusal=effect.refusal,
        files=len(effect.files),
        added=added,
        removed=removed,
        chars=effect.chars,
        limit=effect.limit,
        description=effect.description,
        waits=waits,
    )


def _lines_changed(file: FileEffect) -> tuple[int, int]:
    """How many lines come and go. Lines that only move count as neither: that is cheap to tell."""
    old, new = (
        Counter(text.splitlines()) if text else Counter() for text in (file.before, file.after)
    )
    return (new - old).total(), (old - new).total()


def _still_true(
    known: Known | None, items: Mapping[str, Item], elsewhere: Mapping[str, Inbox], own: Inbox
) -> dict[str, AnyBrief]:
    """Give the briefs that still hold: the same record, the same file, the same limit."""
    if known is None:
        return {}
    before, briefs = known.view, known.briefs
    same: dict[int, frozenset[str]] = {}
    kept = {}
    for key, item in items.items():
        if key not in briefs or not isinstance(item, Record):
            continue
        inbox = elsewhere.get(key, own)
        if id(inbox) not in same:
            same[id(inbox)] = _unchanged(before.inbox_of(key), inbox)
        old = before.items.get(key)
        about = "skills" if item.subsystem == "skills" else item.target
        if (about in same[id(inbox)] or item.problem is not None) and (item is old or item == old):
            kept[key] = briefs[key]
    return kept


def _unchanged(before: Inbox, now: Inbox) -> frozenset[str]:
    """What of a profile is as it was: its files by their targets, and its skills."""
    same = {
        str(target)
        for target, state in now.states.items()
        if before.profile == now.profile and _measure(before.states[target]) == _measure(state)
    }
    if before.profile == now.profile and (before.stamp, before.coming) == (now.stamp, now.coming):
        same.add("skills")
    return frozenset(same)


def _measure(state: MemoryState) -> tuple[object, ...]:
    return state.digest, state.limit, state.signals, state.problem
