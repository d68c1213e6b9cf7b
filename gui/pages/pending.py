"""The Pending page: what waits for approval, what it would do, and deciding on it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models.pending import Gate, PendingView, read_pending
from gui.models.pending_detail import Detail, detail_of
from gui.page import Page
from gui.pages.pending_actions import PendingActions, Situation
from gui.pages.pending_column import PendingColumn
from gui.pages.pending_decisions import Decided, Decisions
from gui.pages.pending_detail import RecordDetail
from gui.pages.pending_editing import Editing, Lost
from gui.pages.pending_gates import Gates
from gui.pages.pending_work import Decision, Verb, empty_words, reread, switch_gate, told
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.empty import EmptyPage
from gui.workplace import Opened, Said, Workplace
from store.pending.records import Record, UnusableRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.operations import Change

SIDE_BY_SIDE_FROM = 640
MINUTE_MS = 60_000


class PendingPage(Page):
    """The queue as cards, the chosen one with its effect beside it."""

    name = "pending"
    load = staticmethod(read_pending)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: PendingView | None = None
        self._number = 0
        self._reading = self._again = False
        self._asked = Ticket()
        self._told: tuple[object, ...] = ()
        self._handled: set[str] = set()
        self._sent_for: str | None = None
        self._providers_named: set[str] = set()
        self._narrow = False
        self._lost_text = ""
        self._build()
        self._connect()
        self._sync()

    # -- building ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.does = PendingActions(self)
        self.banner = Banner(name="pending_banner")
        self.column = PendingColumn(self.place, self.does.ways)
        self.detail = RecordDetail(self.theme, self.does.decisions)
        self.column.list.offer_in_menu(self.does.decisions)
        self.empty = EmptyPage(name="pending_empty")
        self._switch_on = self.empty.add_button(tr("Let writes wait"), "switch_on", "primary")
        self.gates = Gates(self.theme)
        self._waits = QWidget()
        self._waits.setObjectName("page_body")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._waits)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2 * GRID - BAR)
        self._row.addWidget(self.column, 2)
        self._row.addWidget(self.detail, 3)
        self.body.setSpacing(GRID)
        self.body.addLayout(_inset(self.banner))
        self.body.addWidget(self._waits, 1)
        self.body.addWidget(self.empty, 1)
        self.body.addLayout(_inset(self.gates, below=GRID))
        for widget in (self._waits, self.empty, self.gates):
            widget.hide()
        self._minute = QTimer(self)
        self._minute.setObjectName("ages")
        self._minute.setInterval(MINUTE_MS)

    def _connect(self) -> None:
        does = self.does
        does.approve.triggered.connect(self._approve_current)
        does.edit.triggered.connect(self._begin_edit)
        does.reject.triggered.connect(self._reject_current)
        does.next.triggered.connect(self._go_next)
        does.previous.triggered.connect(self._go_back)
        does.undo.triggered.connect(self._undo_last)
        does.approve_ticked.triggered.connect(self._approve_ticked)
        does.reject_ticked.triggered.connect(self._reject_ticked)
        does.clear_stale.triggered.connect(self._clear_stale)
        self.editing = Editing(self.column, self.detail)
        self.decisions = Decisions(self.place, self.column.known)
        self.banner.acted.connect(self._act_on_banner)
        self.column.chosen.connect(self._show_current)
        self.column.ticks_changed.connect(self._sync)
        self.column.judged.connect(self._sync)
        self.column.opened.connect(self._look_closer)
        self.detail.remedy_wanted.connect(self._remedy)
        self.empty.acted.connect(self._switch_memory)
        self.gates.wished.connect(self._switch)
        self._minute.timeout.connect(self._grow_older)
        self.editing.edited.connect(self._weigh_edit)
        self.editing.approve_wanted.connect(self._approve_edited)
        self.editing.put_aside.connect(self._end_edit)
        self.editing.restore_wanted.connect(self._restore_edit)
        self.editing.lost.connect(self._tell_lost)
        self.editing.said.connect(self.place.said)
        self.decisions.changed.connect(self._sync)
        self.decisions.progressed.connect(self._show_progress)
        self.decisions.finished.connect(self._finish)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < SIDE_BY_SIDE_FROM
        if narrow != self._narrow:
            self._narrow = narrow
            way = QBoxLayout.Direction
            self._row.setDirection(way.TopToBottom if narrow else way.LeftToRight)
            self._row.setSpacing(GRID if narrow else 2 * GRID - BAR)
            self._row.setStretch(1, 2 if narrow else 3)
            self.gates.set_narrow(narrow)
            self._sync()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._minute.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._minute.stop()

    def _grow_older(self) -> None:
        if self._view is not None:
            self._view = replace(self._view, at=self._view.at + MINUTE_MS / 1000)
            self.column.show_ages(self._view.at)

    # -- what the window shows around it -------------------------------------------------------

    def title(self) -> str:
        return tr("Pending")

    def subtitle(self) -> str:
        view = self._view
        if view is None or self._narrow or not view.items:
            return ""
        count = len(view.items)
        if ticked := self.column.ticked_count():
            return tr("{n:,} of {count:,} selected", n=ticked, count=count)
        words = trn("{n:,} waits", "{n:,} wait", count)
        if stale := len(self.column.stale):
            gone = trn("{n:,} can no longer apply", "{n:,} can no longer apply", stale)
            words = f"{words} · {gone}"
        return words

    def search_hint(self) -> str:
        waits = self._view is not None and bool(self._view.items)
        return tr("Search what waits") if waits and not self._narrow else ""

    def search(self, text: str) -> None:
        self.column.search(text)

    def primary(self) -> QAction:
        return self.does.approve_ticked

    def secondary(self) -> tuple[QAction, ...]:
        return (self.does.clear_stale, self.does.reject_ticked)

    def unsaved(self) -> str:
        if self.editing.anything():
            return tr("A write is being edited and is not approved.")
        return ""

    def take_focus(self) -> None:
        editor = self.editing.editor
        if editor is not None:
            editor.take_focus()
        elif not self._waits.isHidden():
            self.column.take_focus()
        elif not self._switch_on.isHidden():
            self._switch_on.setFocus()
        else:
            self.setFocus()

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        files = (home.memory_file("memory"), home.memory_file("user"), home.config)
        return frozenset({*files, home.pending("memory"), home.pending("skills")})

    def show_about(self, about: object) -> None:
        """Select the record of that id, if it waits."""
        self._sent_for = about if isinstance(about, str) else None
        self.refresh()

    # -- reading -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read again; while that is going on, once more afterwards."""
        desk = self.place.desk
        if desk is None:
            return
        if self._reading:
            self._again = True
            return
        self._reading = True
        work = partial(reread, desk, self._number, self.column.known())
        self.place.tasks.read(self, work, self._take_read, self._fail_read)

    def _take_read(self, answer: tuple[Desk, int, PendingView]) -> None:
        desk, number, view = answer
        self._reading = False
        # What we wrote in between, this reading may not have seen.
        outdated = number != self._number
        if self._again or outdated:
            self._again = False
            self.refresh()
        if desk is self.place.desk and not outdated:
            self._show(view)

    def _fail_read(self, _: object) -> None:
        self._reading = False

    def show_opened(self, opened: Opened) -> None:
        self._number += 1
        self.editing.forget()
        self.column.forget()
        self._handled.clear()
        self._told = ()
        self.banner.show_notice(None)
        super().show_opened(opened)

    def show_loaded(self, loaded: PendingView) -> None:
        first, self._view = self._view is None, loaded
        # Before the list changes, and with it what is chosen.
        self.editing.watch(loaded.items)
        self.column.show_view(loaded)
        self.gates.show_view(loaded)
        self.gates.show()
        if not first:
            self._lead_to_what_came_back(loaded)
        if self._sent_for is not None:
            self.column.lead_to(self._sent_for)
            self._sent_for = None
        self._show_current()
        self._show_empty(loaded)

    def _show_empty(self, view: PendingView) -> None:
        empty = not view.items and self.editing.editor is None
        focused = QApplication.focusWidget()
        if focused is not None and focused is not self and not self.isAncestorOf(focused):
            focused = None
        gate = view.gate("memory")
        title, text = empty_words(gate)
        self.empty.say(title, text)
        self._switch_on.setVisible(not gate.on and self.gates.can_switch(gate))
        self._waits.setVisible(not empty)
        self.empty.setVisible(empty)
        if focused is not None and (focused is self or not focused.isVisible()):
            self.take_focus()

    def _lead_to_what_came_back(self, view: PendingView) -> None:
        """After an undo, select the record that waits again."""
        back = self._handled & view.items.keys()
        self._handled -= back
        if back and self.editing.editor is None:
            self.column.list.choose(min(back, key=self.column.list.pending_model().row_of))

    # -- the chosen one ------------------------------------------------------------------------

    def _show_current(self) -> None:
        item, view = self.column.current(), self._view
        if not self.editing.leave_for(item):
            self._sync()
            return
        if view is None or item is None:
            self._forget_detail()
            self.detail.show_nothing()
        elif isinstance(item, UnusableRecord):
            self._forget_detail()
            self.detail.show_unusable(item)
        else:
            self.detail.show_record(item, view.at)
            if self.editing.has_draft(item.id) and self.editing.editor is None:
                self.editing.open(item)
                self._told = ()
            if item.change is None:
                self._forget_detail()
            else:
                self._ask_detail(item)
        self._sync()

    def _forget_detail(self) -> None:
        self._asked.cancel()
        self._told = ()

    def _ask_detail(self, record: Record) -> None:
        """Have the effect worked out, unless it is what is shown."""
        change, target, view = self.editing.wanted(record), record.memory_target, self._view
        if target is None or view is None or change is None:
            return
        state = view.states[target]
        asked = (record.id, change, state, self.column.notes.get(record.id))
        if asked == self._told:
            return
        self._asked.cancel()
        self._told, self._asked = asked, Ticket()
        work, then = partial(detail_of, change, state), partial(self._take_detail, record.id)
        self.place.tasks.read(self, work, then, ticket=self._asked)

    def _take_detail(self, key: str, detail: Detail) -> None:
        self.detail.show_detail(detail, self.column.notes.get(key))
        editor = self.editing.editor
        if editor is not None:
            editor.allow(detail.effect.ok)

    def _go_next(self) -> None:
        self._step(1)

    def _go_back(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        self.column.list.step(by)
        self.column.take_focus()

    def _look_closer(self) -> None:
        self.detail.diff.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remedy(self, name: str) -> None:
        if name == "edit":
            self._begin_edit()
        elif name == "reject":
            self._reject_current()

    # -- what is possible ----------------------------------------------------------------------

    def _sync(self) -> None:
        """Let everything that can be done be done, and nothing else."""
        item = self.column.current()
        now = Situation(
            item=item,
            brief=self.column.brief(item.id) if isinstance(item, Record) else None,
            free=not self.decisions.busy and self.editing.editor is None,
            ticked=self.column.ticked_count(),
            stale=len(self.column.stale),
            narrow=self._narrow,
        )
        self.does.suit(now)
        self.does.undo.setEnabled(not self.decisions.busy)
        self.header_changed.emit()

    # -- deciding ------------------------------------------------------------------------------

    def _approve_current(self) -> None:
        self._decide_on_current("approve")

    def _reject_current(self) -> None:
        self._decide_on_current("reject")

    def _decide_on_current(self, verb: Verb) -> None:
        item = self.column.current()
        if isinstance(item, Record):
            self._decide(verb, (item,))

    def _approve_ticked(self) -> None:
        self._decide("approve", self.column.ticked())

    def _reject_ticked(self) -> None:
        self._decide("reject", self.column.ticked())

    def _clear_stale(self) -> None:
        records = self._view.records if self._view is not None else ()
        self._decide("reject", [one for one in records if one.id in self.column.stale])

    def _decide(self, verb: Verb, records: Sequence[Record]) -> None:
        # Before the button that was pressed is disabled, which would hand the focus on.
        self.column.take_focus()
        self._number += 1
        self.decisions.begin(verb, records)

    def _approve_edited(self, change: Change) -> None:
        record, editor = self.editing.record, self.editing.editor
        if record is not None and editor is not None and not self.decisions.busy:
            editor.set_busy(True)
            self._number += 1
            self.decisions.begin("approve", (record,), None if change == record.change else change)

    def _show_progress(self, decision: Decision) -> None:
        values = {"n": decision.total - len(decision.waiting), "all": decision.total}
        text = tr("Rejecting: {n:,} of {all:,}", **values)
        if decision.verb == "approve":
            text = tr("Approving: {n:,} of {all:,}", **values)
        self.banner.show_notice(Notice("progress", text, tone="plain", action=tr("Stop")))

    def _finish(self, decided: Decided) -> None:
        decision, view = decided.decision, decided.view
        self._number += 1
        editor, record = self.editing.editor, self.editing.record
        if editor is not None:
            editor.set_busy(False)
        self.banner.show_notice(None)
        if view is None:  # a fault, of which the window tells
            self.refresh()
            return
        self._handled.update(key for key, _ in decision.done)
        if record is not None and record.id in dict(decision.done):
            self.editing.close()
            self.column.take_focus()
        self.column.settle(decision)
        for path, mark in view.marks.items():
            self.place.watch.know(path, mark)
        self._show(view)
        self._tell(decision)

    def _tell(self, decision: Decision) -> None:
        editor = self.editing.editor
        if decision.refused and editor is not None:
            editor.show_problem(told(decision))
            editor.take_focus()
        else:
            self.place.note_changes(decision.changes, told(decision))
        if decision.verb == "approve" and decision.done:
            self._name_provider()

    def _name_provider(self) -> None:
        """Say once that an external provider hears nothing of this."""
        name = self._view.provider if self._view is not None else ""
        if name and name not in self._providers_named:
            self._providers_named.add(name)
            text = tr(
                "The provider {name} keeps a copy of its own, which is not updated by this.",
                name=name,
            )
            notice = Notice("provider", text, tone="plain", action=tr("Got it"))
            self.banner.show_notice(notice)

    def _act_on_banner(self, notice: Notice) -> None:
        if notice.name == "progress":
            self.decisions.stop()
        elif notice.name == "lost":
            QApplication.clipboard().setText(self._lost_text)
        self.banner.show_notice(None)
        self.take_focus()

    def _undo_last(self) -> None:
        self.place.undo()

    # -- editing -------------------------------------------------------------------------------

    def _begin_edit(self) -> None:
        item = self.column.current()
        if isinstance(item, Record) and self.does.edit.isEnabled():
            self.editing.open(item)
            self._told = ()  # the editor has not been told yet
            self._weigh_edit()
            self._sync()
            self.take_focus()

    def _weigh_edit(self) -> None:
        if self.editing.record is not None:
            self._ask_detail(self.editing.record)

    def _end_edit(self) -> None:
        self.column.take_focus()
        self._told = ()
        self._show_current()
        if self._view is not None:
            self._show_empty(self._view)

    def _tell_lost(self, lost: Lost) -> None:
        self._lost_text = lost.text
        self.banner.show_notice(Notice("lost", lost.words, action=tr("Copy text")))

    def _restore_edit(self, key: str) -> None:
        self.column.list.choose(key)
        self._show_current()
        self.take_focus()

    # -- whether writes wait -------------------------------------------------------------------

    def _switch_memory(self, _: object) -> None:
        if self._view is not None:
            self._switch(self._view.gate("memory"))

    def _switch(self, gate: Gate) -> None:
        desk = self.place.desk
        if desk is not None and not self.decisions.busy:
            self._number += 1
            work = partial(switch_gate, desk, gate, self.column.known())
            self.place.write(self, work, partial(self._switched, desk), [desk.home.config])

    def _switched(self, desk: Desk, answer: tuple[str, PendingView]) -> None:
        words, view = answer
        if desk is self.place.desk:
            self._number += 1
            self.place.watch.know(desk.home.config, view.marks[desk.home.config])
            self._show(view)
            self.place.said.emit(Said(words))


def _inset(widget: QWidget, *, below: int = 0) -> QVBoxLayout:
    """Keep `widget` in line with the cards, right of which a scroll bar runs."""
    layout = QVBoxLayout()
    layout.setContentsMargins(0, 0, BAR, below)
    layout.addWidget(widget)
    return layout
