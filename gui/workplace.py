"""What the pages share: the home that is open, the lanes for work, the watch, and undo."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, Signal

from gui.i18n import tr, trn
from gui.tasks import Fault, Tasks
from gui.theme import Theme
from gui.watch import Watch, Watched, marks_of
from schema.frozen import frozen

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import HermesHome
    from store.preferences import Preferences
    from store.refusals import Refusal
    from store.undo import Undone

Load = Callable[["Desk"], Any]
"""Reads what a page shows, off the UI thread."""


@frozen
class Changed:
    """Files that are no longer as they were. `initiator` is who wrote them, None for others."""

    paths: frozenset[Path]
    initiator: object = None


@frozen
class Said:
    """A sentence on what happened, for the toast. `act` is the way back, `action` its name."""

    text: str
    action: str = ""
    act: Callable[[], None] | None = None


@frozen
class Opened:
    """A desk, and what the page that asked for it wanted to be loaded along, by its `load`.

    `marks` name what was on disk before anything was loaded, so that no change is overlooked.
    """

    desk: Desk
    loaded: Any = None
    marks: Mapping[Path, str] | None = None
    load: Load | None = None


@frozen
class ProfileWanted:
    """Another profile, and the page there that the person is to be led to, about something."""

    profile: str
    page: str
    about: object = None


@frozen
class ChangeIn:
    """A change in the journal of another profile."""

    home: HermesHome
    id: int


Group = tuple[int | ChangeIn, ...]
"""Ids of changes that belong together, in the order in which they were made."""


@frozen
class TakenBack:
    """`changes` took back all of a group but what is `left`, because of `refusal`.

    `marks` names what is on disk now, for the watch.
    """

    changes: Group
    left: Group
    refusal: Refusal | None
    marks: Mapping[Path, str]


@frozen
class LastChange:
    """The latest change in the journal of `desk` that can be undone, and what it did in words."""

    desk: Desk
    id: int
    text: str


class Workplace(QObject):
    """One open desk. Pages read and write through it and hear from it what changed."""

    opened = Signal(object)
    """An `Opened`: a home is open, or another profile of it."""
    refused = Signal(object)
    """A `Refusal`: the home that was asked for cannot be opened."""
    store_changed = Signal(object)
    """A `Changed`."""
    history_changed = Signal()
    """The journal was compared with the files: it may tell more now."""
    said = Signal(object)
    """A `Said`."""
    page_wanted = Signal(object, object)
    """The name of a page that the person is to be led to, and what it is about or None."""
    profile_wanted = Signal(object)
    """A `ProfileWanted`."""
    preferences_changed = Signal()
    """The person chose otherwise; `preferences` has it."""
    writing_changed = Signal()
    """A write of this window began or ended."""

    def __init__(
        self, tasks: Tasks, theme: Theme, env: Mapping[str, str], preferences: Preferences
    ) -> None:
        super().__init__()
        self.preferences = preferences
        self.tasks = tasks
        self.theme = theme
        self.env = env
        self.watch = Watch(tasks)
        self.desk: Desk | None = None
        self.writes = 0
        self._changes: list[Group] = []
        self._undone: list[Group] = []
        self._marks: dict[Path, str] = {}
        self._more: list[Callable[[HermesHome], frozenset[Path]]] = []
        self.watch.changed.connect(self._heard)

    # -- opening -------------------------------------------------------------------------

    def open(self, home: Path | None, profile: str | None, load: Load | None = None) -> None:
        """Open a home; `load` is done in the same go. Answers by `opened` or `refused`."""
        self.tasks.read(self, partial(open_home, home, profile, self.env, load), self.take)

    def take(self, found: Opened | Refusal) -> None:
        """Go on with the answer to `open`."""
        if not isinstance(found, Opened):
            self.refused.emit(found)
            return
        if self.desk is not None:
            self.desk.close()
        self.desk = found.desk
        self._changes.clear()
        self._undone.clear()
        # The marks are older than what the pages read, so the watch may begin after the first
        # frame and still misses nothing.
        self._marks = dict(found.marks or {})
        self.opened.emit(found)
        self.tasks.later(self, self.start_watching)

    def start_watching(self) -> None:
        """Keep an eye on the files of the open home from now on."""
        if self.desk is None:
            return
        more = self._more_of(self.desk.home)
        if not more:
            self._follow()
            return
        # They are no news only because nobody looked at them before.
        self.tasks.read(self, partial(marks_of, Watched(more)), self._follow_more)

    def watch_also(self, paths: Callable[[HermesHome], frozenset[Path]]) -> None:
        """Keep an eye on these files of the open home too, and of the next ones."""
        if paths not in self._more:
            self._more.append(paths)
            self.start_watching()

    def _more_of(self, home: HermesHome) -> frozenset[Path]:
        return frozenset().union(*(paths(home) for paths in self._more))

    def _follow_more(self, marks: Mapping[Path, str]) -> None:
        self._marks = {**marks, **self._marks}
        self._follow()

    def _follow(self) -> None:
        if self.desk is not None:
            watched = watched_of(self.desk.home)
            files = watched.files | self._more_of(self.desk.home)
            self.watch.follow(Watched(files, watched.folders), self._marks)

    def _heard(self, paths: frozenset[Path]) -> None:
        self.store_changed.emit(Changed(paths))

    # -- writing -------------------------------------------------------------------------

    def write(
        self,
        owner: QObject,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        paths: Iterable[Path] = (),
        failed: Callable[[Fault], None] | None = None,
    ) -> None:
        """Do `work`, a function of the store, among the writes and give its answer to `then`.

        `failed` hears of a fault, of which the person is told anyway.

        While it runs the watch is silent about `paths`; afterwards everyone hears that they
        changed, with `owner` as initiator. Work that also reads them again, so that `then` can
        tell the watch what is now `know`n, spares the page a second look.
        """
        touched = frozenset(paths)

        def done(answer: Any) -> None:
            # The answer first: the page then knows what it wrote, and the watch stays silent.
            if shiboken6.isValid(owner):
                then(answer)
            self.store_changed.emit(Changed(touched, owner))
            ended()

        def ended(fault: Fault | None = None) -> None:
            self.writes -= 1
            self.watch.release(touched)
            self.writing_changed.emit()
            if fault is not None and failed is not None and shiboken6.isValid(owner):
                failed(fault)

        self.watch.hold(touched)
        self.writes += 1
        self.writing_changed.emit()
        self.tasks.write(self, work, done, ended)

    # -- undo ----------------------------------------------------------------------------

    def note_change(self, change_id: int | None, text: str) -> None:
        """Remember a change that is on disk, and say so with *Undo*."""
        self.note_changes(() if change_id is None else (change_id,), text)

    def note_changes(self, changes: Iterable[int | ChangeIn], text: str) -> None:
        """Remember changes that belong together: *Undo* takes them back one after the other."""
        group = tuple(changes)
        if not group:
            self.said.emit(Said(text))
            return
        self._changes.append(group)
        self._undone.clear()
        self.said.emit(Said(text, tr("Undo"), partial(self.undo, group)))

    def undo(self, group: Group | None = None) -> None:
        """Take back changes that belong together, the last of this window if none are given.

        Where this window made none, the latest change of the journal is offered instead.
        """
        if self.desk is None:
            return
        if group is None:
            if not self._changes:
                self.tasks.read(self, partial(last_change, self.desk), self._offer_undo)
                return
            group = self._changes[-1]
        if group in self._changes:
            self._changes.remove(group)
        self._take_back(group, self._changes, self._undone, self._say_undone)

    def _offer_undo(self, last: LastChange | None) -> None:
        if last is None:
            self.said.emit(Said(tr("There is nothing to undo here.")))
        elif last.desk is self.desk:
            self.said.emit(Said(last.text, tr("Undo it"), partial(self.undo, (last.id,))))

    def redo(self) -> None:
        """Do again what was undone last."""
        if self._undone and self.desk is not None:
            self._take_back(self._undone.pop(), self._undone, self._changes, self._say_redone)

    def _say_undone(self, count: int) -> None:
        text = tr("Undone.") if count == 1 else trn("{n} undone.", "{n} undone.", count)
        self.said.emit(Said(text, tr("Redo"), self.redo))

    def _say_redone(self, count: int) -> None:
        text = tr("Done again.") if count == 1 else trn("{n} done again.", "{n} done again.", count)
        self.said.emit(Said(text, tr("Undo"), self.undo))

    def _take_back(
        self,
        group: Group,
        source: list[Group],
        done: list[Group],
        say_done: Callable[[int], None],
    ) -> None:
        desk = self.desk
        if desk is None:
            return

        def then(answer: TakenBack) -> None:
            for path, mark in answer.marks.items():
                self.watch.know(path, mark)
            if answer.changes:
                done.append(answer.changes)
            if answer.refusal is None:
                say_done(len(group))
                return
            from gui.words import say

            if answer.left and answer.refusal.code == "locked":
                source.append(answer.left)  # it can be tried again
            self.said.emit(Said(say(answer.refusal)))

        home = desk.home
        queues = (home.pending("memory"), home.pending("skills"))
        files = (home.memory_file("memory"), home.memory_file("user"))
        paths = (*files, *queues, home.skills)
        self.write(self, partial(take_back, desk, group), then, paths)

    def close(self) -> bool:
        """Finish the writes and let go of the home; False if a write would not end."""
        ended = self.tasks.close()
        if self.desk is not None:
            self.desk.close()
        return ended


def last_change(desk: Desk) -> LastChange | None:
    """Find what undo would take back if this window had changed nothing. Runs in the background."""
    from gui.change_words import say_last_change
    from store.journal import JournalEntry

    entry = desk.journal.latest_undoable()
    if not isinstance(entry, JournalEntry):
        return None
    return LastChange(desk, entry.id, say_last_change(entry, time.time()))


def take_back(desk: Desk, group: Group) -> TakenBack:
    """Undo changes, the last one first; one that cannot be does not keep the others."""
    from store.undo import Undone

    changes: list[int | ChangeIn] = []
    left: list[int | ChangeIn] = []
    refusal = None
    for change in reversed(group):
        answer = _undo(desk, change)
        if not isinstance(answer, Undone):
            left.append(change)
            refusal = refusal or answer
        elif answer.change_id is not None:
            done = answer.change_id
            changes.append(ChangeIn(change.home, done) if isinstance(change, ChangeIn) else done)
    return TakenBack(
        tuple(changes), tuple(reversed(left)), refusal, marks_of(watched_of(desk.home))
    )


def _undo(desk: Desk, change: int | ChangeIn) -> Undone | Refusal:
    if not isinstance(change, ChangeIn):
        return desk.undo.undo(change)
    other = desk.at(change.home)
    try:
        other.recover()
        return other.undo.undo(change.id)
    finally:
        other.close()


def open_home(
    home: Path | None, profile: str | None, env: Mapping[str, str], load: Load | None
) -> Opened | Refusal:
    """Open a home and `load` what a page wants of it. Runs in the background."""
    from store.desk import Desk, open_desk

    desk = open_desk(home=home, profile=profile, env=env)
    if not isinstance(desk, Desk):
        return desk
    marks = marks_of(watched_of(desk.home))
    return Opened(desk, load(desk) if load is not None else None, marks, load)


def watched_of(home: HermesHome) -> Watched:
    """Name the files and folders of a home that the pages depend on."""
    return Watched(
        files=frozenset(
            {
                home.memory_file("memory"),
                home.memory_file("user"),
                home.config,
                home.root / "active_profile",
            }
        ),
        folders=frozenset({home.pending("memory"), home.pending("skills")}),
    )
