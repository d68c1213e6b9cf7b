"""The Pending page: what waits for approval, what it would do, and deciding on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication

from gui.i18n import tr
from gui.models.pending import Gate, PendingView
from gui.models.pending_read import read_pending
from gui.page import Page
from gui.pages.pending_actions import PendingActions, Situation
from gui.pages.pending_chosen import Chosen
from gui.pages.pending_column import PendingColumn
from gui.pages.pending_decisions import Decided, Decisions
from gui.pages.pending_detail import RecordDetail
from gui.pages.pending_editing import Editing
from gui.pages.pending_gates import Gates
from gui.pages.pending_reading import Reading
from gui.pages.pending_split import Split, inset
from gui.pages.pending_telling import Telling, waiting_words
from gui.pages.pending_work import Verb, empty_words, told
from gui.theme import GRID
from gui.widgets.bars import Banner
from gui.widgets.empty import EmptyPage
from gui.workplace import Changed, Opened, Said, Workplace

if TYPE_CHECKING:
    from store.home import HermesHome
    from store.memory.operations import Change

SIDE_BY_SIDE_FROM = 640
LONG_WORDS_FROM = 820
"""In less room the buttons of the header say what they do in short."""
MINUTE_MS = 60_000


class PendingPage(Page):
    """The queue as cards, the chosen one with its effect beside it."""

    name = "pending"
    load = staticmethod(read_pending)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: PendingView | None = None
        self._handled: set[str] = set()
        self._sent_for: str | None = None
        self._narrow = self._short = False
        self._build()
        self._connect()
        self._sync()

    # -- building ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.does = PendingActions(self)
        self.banner = Banner(name="pending_banner")
        self.column = PendingColumn(self.place, self.does.ways)
        self.detail = RecordDetail(self.theme, self.does.decisions, self.does.alike)
        self.column.list.offer_in_menu(self.does.decisions)
        self.empty = EmptyPage(name="pending_empty")
        self._switch_on = self.empty.add_button(tr("Let writes wait"), "switch_on", "primary")
        self.gates = Gates(self.theme)
        self._waits = Split(self.column, self.detail)
        self.body.setSpacing(GRID)
        self.body.addLayout(inset(self.banner))
        self.body.addWidget(self._waits, 1)
        self.body.addWidget(self.empty, 1)
        self.body.addLayout(inset(self.gates, below=GRID))
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
        does.alike.triggered.connect(self.column.tick_near)
        does.filter.triggered.connect(self.column.filters.toggle)
        does.set_aside.triggered.connect(self._set_aside)
        self.editing = Editing(self.column, self.detail)
        self.chosen = Chosen(self.place, self.column, self.detail, self.editing)
        does.show_file.triggered.connect(self.chosen.show_file)
        self.decisions = Decisions(self.place, self.column.known)
        self.reading = Reading(self.place, self.column.known)
        self.reading.read.connect(self._show)
        self.telling = Telling(self.place, self.banner)
        self.telling.stop_wanted.connect(self.decisions.stop)
        self.telling.answered.connect(self.take_focus)
        self.column.chosen.connect(self._show_current)
        self.column.ticks_changed.connect(self._sync)
        self.column.judged.connect(self._sync)
        self.column.totals.weighed.connect(self._sync)
        self.column.judging.compared.connect(self._show_current)
        self.column.filters.everywhere_wanted.connect(self._look_everywhere)
        self.column.opened.connect(self._look_closer)
        self.detail.remedy_wanted.connect(self._remedy)
        self.empty.acted.connect(self._switch_memory)
        self.gates.wished.connect(self._switch)
        self._minute.timeout.connect(self._grow_older)
        self.editing.edited.connect(self._weigh_edit)
        self.editing.approve_wanted.connect(self._approve_edited)
        self.editing.put_aside.connect(self._end_edit)
        self.editing.restore_wanted.connect(self._restore_edit)
        self.editing.lost.connect(self.telling.tell_lost)
        self.editing.said.connect(self.place.said)
        self.decisions.changed.connect(self._sync)
        self.decisions.progressed.connect(self.telling.show_progress)
        self.decisions.finished.connect(self._finish)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self._narrow, self._short
        self._narrow = self.width() < SIDE_BY_SIDE_FROM
        self._short = self.width() < LONG_WORDS_FROM
        if self._narrow != before[0]:
            self._waits.set_narrow(self._narrow)
            self.gates.set_narrow(self._narrow)
        if (self._narrow, self._short) != before:
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
        return waiting_words(len(view.items), self.column.ticked_count(), len(self.column.stale))

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
        self.reading.begin()

    def hear(self, changed: Changed) -> None:
        # What is decided or switched here comes with the queue as it is afterwards.
        if changed.initiator not in (self.decisions, self.reading):
            super().hear(changed)

    def _look_everywhere(self, everywhere: bool) -> None:
        self.reading.everywhere = everywhere
        self.column.take_focus()
        self.refresh()

    def show_opened(self, opened: Opened) -> None:
        self.reading.outdate()
        self.reading.everywhere = False
        self.editing.forget()
        self.column.forget()
        self._handled.clear()
        self.chosen.forget()
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
        self.chosen.show(self._view)
        self._sync()

    def _go_next(self) -> None:
        self._step(1)

    def _go_back(self) -> None:
        self._step(-1)

    def _step(self, by: int) -> None:
        self.column.list.step(by)
        self.column.take_focus()

    def _look_closer(self) -> None:
        detail = self.detail
        pane = detail.diff if detail.files.isHidden() else detail.files.diff
        pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def _remedy(self, name: str) -> None:
        if name == "edit":
            self._begin_edit()
        elif name == "reject":
            self._reject_current()
        elif name == "room":
            self._make_room()

    def _make_room(self) -> None:
        from gui.models.room import MakeRoom

        desk, detail = self.place.desk, self.detail.detail()
        if desk is None or detail is None:
            return
        if detail.state.path != str(desk.home.memory_file(detail.target)):
            words = tr("This write is for another profile; switch to it to make room there.")
            self.place.said.emit(Said(words))
            return
        over = max(0, detail.chars_after - detail.state.limit)
        self.place.page_wanted.emit("room", MakeRoom(detail.target, over))

    # -- what is possible ----------------------------------------------------------------------

    def _sync(self) -> None:
        """Let everything that can be done be done, and nothing else."""
        key = self.column.current_key()
        near = self.column.near(key)
        now = Situation(
            item=self.column.item(key),
            brief=self.column.brief(key),
            free=not self.decisions.busy and self.editing.editor is None,
            ticked=self.column.ticked_count(),
            applicable=len(self.column.applicable()),
            alike=len(near.group) if near is not None else 0,
            stale=len(self.column.stale),
            short=self._short,
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
        key = self.column.current_key()
        if key is not None:
            self._decide(verb, (key,))

    def _set_aside(self) -> None:
        self._decide_on_current("set_aside")

    def _approve_ticked(self) -> None:
        self._decide("approve", self.column.applicable())

    def _reject_ticked(self) -> None:
        self._decide("reject", self.column.ticked())

    def _clear_stale(self) -> None:
        stale = self.column.stale
        keys = self._view.items if self._view is not None else ()
        self._decide("reject", [key for key in keys if key in stale])

    def _decide(self, verb: Verb, keys: Sequence[str]) -> None:
        # Before the button that was pressed is disabled, which would hand the focus on.
        self.column.take_focus()
        self.reading.outdate()
        self.decisions.begin(verb, keys)

    def _approve_edited(self, wish: Change | dict[str, Any]) -> None:
        record, editor = self.editing.record, self.editing.editor
        if record is not None and editor is not None and not self.decisions.busy:
            same = not editor.is_changed()
            editor.set_busy(True)
            self.reading.outdate()
            self.decisions.begin("approve", (self.editing.key,), None if same else wish)

    def _finish(self, decided: Decided) -> None:
        decision, view = decided.decision, decided.view
        self.reading.outdate()
        editor = self.editing.editor
        if editor is not None:
            editor.set_busy(False)
        self.banner.show_notice(None)
        if view is None:  # a fault, of which the window tells
            self.refresh()
            return
        self._handled.update(decision.done)
        if editor is not None and self.editing.key in decision.done:
            self.editing.close()
            self.column.take_focus()
        self.column.settle(decision)
        for path, mark in view.marks.items():
            self.place.watch.know(path, mark)
        self._show(view)
        editor = self.editing.editor
        if decision.refused and editor is not None:
            editor.show_problem(told(decision))
            editor.take_focus()
        self.telling.tell(decision, view, edited=editor is not None)

    def _undo_last(self) -> None:
        self.place.undo()

    # -- editing -------------------------------------------------------------------------------

    def _begin_edit(self) -> None:
        key = self.column.current_key()
        record = self._view.record(key) if self._view is not None else None
        if key is not None and record is not None and self.does.edit.isEnabled():
            self.editing.open(key, record)
            self.chosen.forget()  # the editor has not been told yet
            self._weigh_edit()
            self._sync()
            self.take_focus()

    def _weigh_edit(self) -> None:
        if self.editing.record is not None:
            self.chosen.ask(self.editing.key, self.editing.record)

    def _end_edit(self) -> None:
        self.column.take_focus()
        self.chosen.forget()
        self._show_current()
        if self._view is not None:
            self._show_empty(self._view)

    def _restore_edit(self, key: str) -> None:
        self.column.list.choose(key)
        self._show_current()
        self.take_focus()

    # -- whether writes wait -------------------------------------------------------------------

    def _switch_memory(self, _: object) -> None:
        if self._view is not None:
            self._switch(self._view.gate("memory"))

    def _switch(self, gate: Gate) -> None:
        if not self.decisions.busy:
            self.reading.switch(gate)
