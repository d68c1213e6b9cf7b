"""The Make room page: what of one file could go, why, and how much that frees."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout

from gui.i18n import sentences, tr, trn
from gui.models.belongs import Sent
from gui.models.cards import Card
from gui.models.drafts import EditEntry
from gui.models.knowledge import MoveToNote
from gui.models.memory import file_words
from gui.models.room import (
    MakeRoom,
    RoomView,
    actions_of,
    beside_of,
    card_of,
    read_room,
    take_out,
    to_skill,
)
from gui.page import Page
from gui.pages.plain_files import may_stand
from gui.pages.room_totals import RoomTotals
from gui.pages.room_wanted import RoomWanted
from gui.tasks import Fault
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import make_action
from gui.widgets.room_cards import RoomList
from gui.words import say
from gui.workplace import Opened, Workplace
from store.advice.room import Candidate, Choice
from store.home import TARGETS
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import HermesHome
    from store.memory.state import Written
    from store.refusals import Refusal


class RoomPage(Page):
    """A choice of entries that frees what is wanted; what is ticked goes, or goes to a note."""

    name = "room"
    load = staticmethod(read_room)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: RoomView | None = None
        self._about = MakeRoom("memory")
        self._choice = Choice((), frozenset(), enough=True)
        self._candidates: dict[str, Candidate] = {}
        self._ticked: set[str] = set()
        self._fresh = True
        self._busy = False
        self._make_actions()
        self._build()

    def _make_actions(self) -> None:
        self._back = self._action("back", tr("Back to memory"), "Alt+Left", self._leave)
        self._delete = self._action("delete", tr("Delete"), "Ctrl+Del", self._delete_ticked)
        self._move = self._action("move", tr("Move to a note…"), "Ctrl+Shift+M", self._move_ticked)
        for action in (self._back, self._delete, self._move):
            self.addAction(action)
        tick = self._action("tick", tr("Tick or untick"), "Space", self._toggle_current)
        tick_all = self._action("tick_all", tr("Tick all"), "Ctrl+A", self._tick_all)
        self._edit = self._action("edit", tr("Edit"), "E", self._edit_current)
        self._merge = self._action("merge", tr("Merge"), "G", self._merge_current)
        self._note = self._action("note", tr("To a note…"), "N", self._note_current)
        self._skill = self._action("skill", tr("To a skill draft"), "S", self._skill_current)
        self._keys = self._action("keys", tr("Open Keys"), "Y", self._open_keys)
        self._remove = self._action("remove", tr("Delete"), "Del", self._delete_current)
        self._ways = (
            self._edit, self._merge, self._note, self._skill, self._keys, self._remove
        )  # fmt: skip
        self._on_list = (tick, tick_all, *self._ways)

    def _action(self, name: str, text: str, keys: str, act: object) -> QAction:
        return make_action(self, name=f"room_{name}", text=text, keys=keys, act=act)  # type: ignore[arg-type]

    def _build(self) -> None:
        self.problem = Banner(name="room_problem")
        self.problem.acted.connect(self._act_on_problem)
        self.wanted = RoomWanted()
        self.wanted.changed.connect(self._want)
        self.wanted.entered.connect(self.take_focus)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.setSpacing(GRID)
        above.addWidget(self.problem)
        above.addWidget(self.wanted)
        self.list = RoomList(
            self.theme, name="room_cards", label=tr("What could go"), make=self._make_card
        )
        self.list.set_actions(self._on_list, on_card=self._ways)
        self.list.toggled.connect(self._toggle)
        self.list.chosen.connect(self._show_ways)
        self.list.opened.connect(self._open)
        self._nothing = EmptyPage(
            name="no_room",
            title=tr("Nothing here needs to go"),
            text=tr(
                "No entry of this file looks out of place. Write a number above, and the longest "
                "entries stand here to choose from."
            ),
        )
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(self.list, 1)
        self.body.addWidget(self._nothing, 1)
        self.totals = RoomTotals(self.theme, self._delete, self._move)
        self.body.addWidget(self.totals)
        self._nothing.hide()

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Make room")

    def subtitle(self) -> str:
        return file_words(self._about.target)

    def secondary(self) -> tuple[QAction, ...]:
        return (self._back,)

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset({home.memory_file("memory"), home.memory_file("user"), home.config})

    def take_focus(self) -> None:
        if self.list.isVisible():
            self.list.take_focus()
        else:
            self.wanted.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_about(self, about: object) -> None:
        if isinstance(about, str) and about in TARGETS:
            about = MakeRoom(about)
        if isinstance(about, MakeRoom):
            self._about, self._fresh = about, True
        self.refresh()

    # -- showing -----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        self._about, self._fresh = MakeRoom(self._about.target), True
        super().show_opened(opened)

    def show_loaded(self, loaded: RoomView) -> None:
        first = self._fresh
        self._view, self._fresh = loaded, False
        for target in TARGETS:
            state = loaded.file(target).state
            self.place.watch.know(Path(state.path), state.digest)
        about = self._about
        self._about = MakeRoom(about.target, loaded.wanted(about))
        self._show_trouble(loaded)
        self._choose_anew(pick=first)
        self.header_changed.emit()
        if first and self.isVisible():
            self.take_focus()

    def _show_trouble(self, view: RoomView) -> None:
        trouble = view.file(self._about.target).trouble
        notice = None
        if trouble is not None and not trouble.editable:
            notice = Notice(
                "repair" if trouble.repair else "trouble",
                trouble.text,
                strong=trouble.strong,
                tone="bad" if trouble.bad else "warn",
                action=tr("Repair") if trouble.repair else "",
            )
        self.problem.show_notice(notice)

    def _want(self, wanted: MakeRoom) -> None:
        """Choose anew: another number or another file is wanted."""
        view = self._view
        if view is None:
            return
        self._about = MakeRoom(wanted.target, view.wanted(wanted))
        self._show_trouble(view)
        self._choose_anew(pick=True)
        self.header_changed.emit()

    def _choose_anew(self, *, pick: bool) -> None:
        """Look what could go; with `pick` tick what is proposed, else what is ticked stays so."""
        view, about = self._view, self._about
        if view is None:
            return
        self._choice = view.choose(about.target, about.characters or 0)
        self._candidates = {one.entry: one for one in self._choice.candidates}
        ticked = self._choice.picked if pick else self._ticked & self._candidates.keys()
        self._ticked = set(ticked)
        self.wanted.show_view(view, about)
        self.list.pending_model().forget()
        self.list.show_keys(tuple(self._candidates))
        self.list.setVisible(bool(self._candidates))
        self._nothing.setVisible(not self._candidates and view.file(about.target).editable)
        self._show_ways()
        self._show_totals()

    def _make_card(self, key: str) -> Card:
        candidate, view = self._candidates.get(key), self._view
        if candidate is None or view is None:  # asked for while the list is being changed
            return Card(key=key, text="")
        secret = view.is_lost(self._about.target, {key})
        return card_of(candidate, ticked=key in self._ticked, secret=secret)

    def _show_ways(self, _: object = None) -> None:
        """Offer with a card what is advised for it; editing and deleting always can be done."""
        candidate, view = self._current(), self._view
        advised = actions_of(candidate)
        texts = view.texts(self._about.target) if view is not None else ()
        self._merge.setEnabled("merge" in advised and bool(beside_of(candidate, texts)))
        self._note.setEnabled(candidate is not None)
        self._skill.setEnabled("to_skill" in advised)
        self._keys.setEnabled("to_keyring" in advised)
        self._edit.setText(tr("Shorten") if "shorten" in advised else tr("Edit"))

    def _show_totals(self) -> None:
        if self._view is not None:
            self.totals.show_ticked(
                self._view, self._about, self._ticked, self._choice, busy=self._busy
            )

    # -- ticking -----------------------------------------------------------------------------

    def _current(self) -> Candidate | None:
        return self._candidates.get(self.list.current_key() or "")

    def _toggle_current(self) -> None:
        key = self.list.current_key()
        if key is not None:
            self._toggle(key)

    def _toggle(self, key: Hashable) -> None:
        if isinstance(key, str) and key in self._candidates:
            self._ticked ^= {key}
            self.list.pending_model().forget({key})
            self._show_totals()

    def _tick_all(self) -> None:
        """Tick all, or none if all are."""
        everything = set(self._candidates)
        self._ticked = set() if self._ticked == everything else everything
        self.list.pending_model().forget()
        self._show_totals()

    # -- changing ----------------------------------------------------------------------------

    def _delete_ticked(self) -> None:
        self._take_out([key for key in self._candidates if key in self._ticked])

    def _delete_current(self) -> None:
        candidate = self._current()
        if candidate is not None:
            self._take_out([candidate.entry])

    def _take_out(self, entries: list[str]) -> None:
        desk, target = self.place.desk, self._about.target
        if desk is None or self._busy or not entries or not self._may_lose(entries):
            return
        self._set_busy(True)
        work = partial(take_out, desk, target, tuple(entries))
        then = partial(self._taken_out, desk, entries)
        self.place.write(self, work, then, [desk.home.memory_file(target)], self._failed)

    def _set_busy(self, busy: bool) -> None:
        """While a change is on its way, no second one is begun."""
        self._busy = busy
        self._show_totals()

    def _failed(self, _: Fault) -> None:
        self._set_busy(False)

    def _taken_out(
        self, desk: Desk, entries: list[str], answer: tuple[Written | Refusal, RoomView]
    ) -> None:
        done, view = answer
        self._set_busy(False)
        if desk is not self.place.desk:
            return
        if isinstance(done, REFUSALS):
            self.show_loaded(view)
            words = sentences(say(done), tr("Nothing was deleted."))
            self.problem.show_notice(Notice("refused", words, action=tr("Got it")))
            return
        self._count_off(entries)
        self.show_loaded(view)
        words = trn("{n} entry deleted from {file}.", "{n} entries deleted from {file}.",
                    len(entries), file=file_words(self._about.target))  # fmt: skip
        self.place.note_change(done.change_id, words)

    def _move_ticked(self) -> None:
        self._to_note([key for key in self._candidates if key in self._ticked])

    def _note_current(self) -> None:
        candidate = self._current()
        if candidate is not None:
            self._to_note([candidate.entry])

    def _to_note(self, entries: list[str]) -> None:
        going = self._may_stand(entries)
        if going:
            wanted = MoveToNote(self._about.target, going[0], going[1:])
            self.place.page_wanted.emit("knowledge", wanted)

    def _may_stand(self, entries: Sequence[str]) -> tuple[str, ...]:
        """Those of these entries that may go to a plain file; of a secret it is asked."""
        view = self._view
        return may_stand(self.asker(), entries, view.secrets) if view is not None else ()

    def _skill_current(self) -> None:
        desk, candidate, target = self.place.desk, self._current(), self._about.target
        if desk is None or self._busy or candidate is None:
            return
        if not self._may_stand([candidate.entry]):
            return
        self._set_busy(True)
        work = partial(to_skill, desk, target, candidate.entry)
        paths = [desk.home.memory_file(target), desk.home.pending("skills")]
        then = partial(self._sent, desk, candidate.entry)
        self.place.write(self, work, then, paths, self._failed)

    def _sent(self, desk: Desk, entry: str, answer: tuple[Sent, RoomView]) -> None:
        sent, view = answer
        self._set_busy(False)
        if desk is not self.place.desk:
            return
        if sent.done:
            self._count_off([entry])
        self.show_loaded(view)
        if sent.done:
            self.place.note_change(sent.change_id, sent.said)
        else:
            self.problem.show_notice(Notice("refused", sent.said, action=tr("Got it")))

    def _count_off(self, entries: list[str]) -> None:
        """These entries are gone: want so much less."""
        freed = self._view.freed(self._about.target, entries) if self._view is not None else 0
        left = max(0, (self._about.characters or 0) - freed)
        self._about = MakeRoom(self._about.target, left)
        self._ticked -= set(entries)

    def _may_lose(self, entries: Collection[str]) -> bool:
        """Ask first where there is no way back: of a secret the history keeps no text."""
        view = self._view
        if view is None or not view.is_lost(self._about.target, entries):
            return True
        text = tr("The entry holds a password, key or token, and the history keeps none.")
        if len(entries) > 1:
            text = tr(
                "One of the entries holds a password, key or token, and the history keeps none."
            )
        return self.asker().confirm(
            title=tr("This cannot be undone"), text=text, yes=tr("Go on"), no=tr("Leave it")
        )

    # -- ways elsewhere ----------------------------------------------------------------------

    def _open(self, _: Hashable) -> None:
        self._edit_current()

    def _edit_current(self) -> None:
        candidate = self._current()
        if candidate is not None:
            self.place.page_wanted.emit("memory", EditEntry(self._about.target, candidate.entry))

    def _merge_current(self) -> None:
        candidate, view = self._current(), self._view
        if candidate is None or view is None:
            return
        target = self._about.target
        beside = beside_of(candidate, view.texts(target))
        if beside:
            self.place.page_wanted.emit("memory", EditEntry(target, beside, candidate.entry))

    def _open_keys(self) -> None:
        self.place.page_wanted.emit("keys", None)

    def _act_on_problem(self, notice: Notice) -> None:
        if notice.name == "repair":
            self.place.page_wanted.emit("repair", self._about.target)
        else:
            self.problem.show_notice(None)

    def _leave(self) -> None:
        self.place.page_wanted.emit("memory", None)
