"""The record that is chosen on the Pending page: its effect is worked out and shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from gui.i18n import sentences, tr, trn
from gui.models.pending import AnyBrief, Inbox, PendingView
from gui.models.pending_detail import Detail, DiffRow, detail_of
from gui.models.pending_near import Near
from gui.models.pending_read import brief_of
from gui.models.pending_skill import SkillDetail, skill_detail_of
from gui.pages.pending_column import PendingColumn
from gui.pages.pending_detail import RecordDetail
from gui.pages.pending_editing import Editing
from gui.pages.pending_files import read_rows
from gui.tasks import Ticket
from gui.words import excerpt
from gui.workplace import Workplace
from store.pending.records import Record, UnusableRecord


class Chosen(QObject):
    """Shows in `detail` what is selected in `column`, as it is being edited."""

    def __init__(
        self, place: Workplace, column: PendingColumn, detail: RecordDetail, editing: Editing
    ) -> None:
        super().__init__()
        self._place = place
        self._column = column
        self._detail = detail
        self._editing = editing
        self._view: PendingView | None = None
        self._asked = Ticket()
        self._told: tuple[object, ...] = ()

    def show(self, view: PendingView | None) -> None:
        """Show what is selected of `view`; what is being edited stays if it must."""
        self._view = view
        key = self._column.current_key()
        item = self._column.item(key)
        if not self._editing.leave_for(key):
            return
        if view is None or key is None or item is None:
            self.forget()
            self._detail.show_nothing()
        elif isinstance(item, UnusableRecord):
            self.forget()
            self._detail.show_unusable(item)
        else:
            self._detail.show_record(item, view.at)
            self._detail.show_near(near_words(self._column.near(key)))
            if self._editing.has_draft(key) and self._editing.editor is None:
                self._editing.open(key, item)
                self._told = ()
            if item.problem is not None:
                self.forget()
            else:
                self.ask(key, item)

    def forget(self) -> None:
        """Have the effect worked out anew the next time, also if nothing changed."""
        self._asked.cancel()
        self._told = ()

    def ask(self, key: str, record: Record) -> None:
        """Have the effect of a record worked out, unless it is what is shown."""
        view = self._view
        if view is None:
            return
        inbox, note = view.inbox_of(key), self._column.notes.get(key)
        wanted, target = self._editing.wanted(key, record), record.memory_target
        if record.skill is not None:
            asked: tuple[object, ...] = (key, wanted, inbox.stamp, inbox.coming, note)
        elif target is not None and wanted.change is not None:
            asked = (key, wanted.change, inbox.states[target], note)
        else:
            return
        if asked == self._told:
            return
        self._asked.cancel()
        self._told, self._asked = asked, Ticket()
        if record.skill is not None:
            edited = wanted is not record
            work = partial(_skill_work, wanted, inbox)
            then = partial(self._take_skill, key, edited)
            self._place.tasks.read(self, work, then, ticket=self._asked)
        elif target is not None and wanted.change is not None:
            memory = partial(detail_of, wanted.change, inbox.states[target])
            self._place.tasks.read(self, memory, partial(self._take, key), ticket=self._asked)

    def _take(self, key: str, detail: Detail) -> None:
        self._detail.show_detail(detail, self._column.notes.get(key))
        self._allow(detail.effect.ok)

    def _take_skill(self, key: str, edited: bool, answer: tuple[SkillDetail, AnyBrief]) -> None:
        detail, brief = answer
        self._detail.show_skill(detail, self._column.notes.get(key))
        self._allow(detail.ok)
        known = self._column.brief(key)
        if not edited and known is not None and known.refusal != brief.refusal:
            # The skill has changed since its card was made.
            self._column.judging.learn({key: brief})

    def _allow(self, ok: bool) -> None:
        editor = self._editing.editor
        if editor is not None:
            editor.allow(ok)

    def show_file(self) -> None:
        """Show what stands in the file of what cannot be used."""
        item, view, desk = self._column.current(), self._view, self._place.desk
        if item is None or view is None or desk is None:
            return
        self._asked.cancel()
        self._asked = Ticket()
        work = partial(read_rows, desk, item.file)
        then = partial(self._take_file, self._column.current_key())
        self._place.tasks.read(self, work, then, ticket=self._asked)

    def _take_file(self, key: str | None, rows: tuple[DiffRow, ...]) -> None:
        if key == self._column.current_key():
            self._detail.show_text(tr("What the file holds"), rows)


def _skill_work(record: Record, inbox: Inbox) -> tuple[SkillDetail, AnyBrief]:
    # By what is on disk now: the skills are not watched.
    now = replace(inbox, shelf=None)
    return skill_detail_of(record, now), brief_of(record, now)


def near_words(near: Near | None) -> str:
    """Say what a record is near to, and how that is judged."""
    if near is None:
        return ""
    said = []
    if near.entry:
        text = excerpt(near.entry, 120)
        said.append(tr("Near an entry that is there: “{text}”.", text=text))
    if (others := len(near.group) - 1) > 0:
        said.append(
            trn(
                "Near {n} other write; they stand below each other.",
                "Near {n} other writes; they stand below each other.",
                others,
            )
        )
    said.append(tr("Judged by words alone: at least 7 of 10 are shared."))
    return sentences(*said)
