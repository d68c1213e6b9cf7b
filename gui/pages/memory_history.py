"""The history of the memory: what changed, when and by whom, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.ages import moment
from gui.change_words import say_forgotten
from gui.i18n import tr, trn
from gui.models import history as model
from gui.models.history import AboutEntry, ChangeView, HistoryView, read_history
from gui.page import Page
from gui.theme import BAR, GRID, HALF
from gui.widgets.bars import Banner, Notice
from gui.widgets.cards import CardList
from gui.widgets.diff import DiffPane
from gui.widgets.labels import ElidedLabel, PlainLabel, make_action
from gui.words import excerpt, say
from gui.workplace import Said, TakenBack, Workplace, take_back
from store.home import TARGETS
from store.refusals import REFUSALS, Conflict

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from gui.widgets.empty import EmptyPage
    from store.desk import Desk
    from store.history_forget import Forgotten
    from store.home import HermesHome
    from store.journal import JournalEntry
    from store.refusals import Refusal
    from store.restoring import Restored

TWO_COLUMNS_FROM = 660


class HistoryPage(Page):
    """Left the changes by time, right what the chosen one did."""

    name = "history"
    load = staticmethod(read_history)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: HistoryView | None = None
        self._wide = True
        self._needle = ""
        self._about: AboutEntry | None = None
        self._empty: EmptyPage | None = None
        self._later: tuple[int, ...] = ()
        self._back = self._action("back", tr("Back to memory"), "Alt+Left", self._leave)
        self._all = self._action("all", tr("Show all changes"), "Ctrl+L", self._show_all)
        self._undo = self._action("undo", tr("Undo"), "Ctrl+U", self._undo_chosen)
        self._restore = self._action(
            "restore", tr("Restore"), "Ctrl+Return", partial(self._bring_back, False)
        )
        self._restore_before = self._action(
            "before", tr("Restore what was before"), "Ctrl+Shift+Return",
            partial(self._bring_back, True),
        )  # fmt: skip
        self._forget = self._action(
            "forget", tr("Forget this everywhere…"), "Ctrl+Shift+Del", self._forget_chosen
        )
        self._build()
        place.history_changed.connect(self._refresh_if_shown)

    def _action(self, name: str, text: str, keys: str, act: Callable[[], None]) -> QAction:
        action = make_action(self, name=f"history_{name}", text=text, keys=keys, act=act)
        self.addAction(action)
        return action

    def _build(self) -> None:
        self.problem = Banner(name="history_problem")
        self.problem.acted.connect(self._act_on_problem)
        self.about = Banner(name="history_about")
        self.about.acted.connect(self._show_all)
        self.changes = CardList(self.theme, name="history_changes", label=tr("Changes"))
        self.changes.set_actions(
            (self._undo, self._restore, self._restore_before, self._forget),
            on_card=(self._undo, self._restore),
        )
        self.changes.chosen.connect(self._choose)
        self.diff = DiffPane(self.theme, name="history_diff", label=tr("What it changed"))
        self._when = ElidedLabel(name="history_when", role="dim")
        self._when.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.setSpacing(GRID)
        above.addWidget(self.problem)
        above.addWidget(self.about)
        self._columns = QWidget()
        self._columns.setObjectName("page_body")
        self._flow = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._columns)
        self._flow.setContentsMargins(0, 0, 0, GRID)
        self._flow.setSpacing(HALF)
        changes = self._column("history_left", tr("Changes"), self.changes)
        self._flow.addWidget(changes, 1)
        self._flow.addWidget(
            self._column("history_right", tr("What it changed"), self.diff, self._when), 1
        )
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(self._columns, 1)
        self._columns.hide()

    def _column(
        self, name: str, title: str, below: QWidget, beside: QWidget | None = None
    ) -> QWidget:
        widget = QWidget()
        widget.setObjectName(name)
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        head.addWidget(PlainLabel(title, name=f"{name}_title", role="head"))
        head.addWidget(beside, 1) if beside is not None else head.addStretch(1)
        column = QVBoxLayout(widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        row = QHBoxLayout()
        # A list keeps room for its bar at the edge, a page of text has it inside.
        row.setContentsMargins(0, 0, 0 if isinstance(below, CardList) else BAR, 0)
        row.addWidget(below)
        column.addLayout(row, 1)
        return widget

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Memory › History") if self._wide else tr("History")

    def search_hint(self) -> str:
        return tr("Search the history")

    def search(self, text: str) -> None:
        self._needle = text.strip()
        self._show_changes()

    def secondary(self) -> tuple[QAction, ...]:
        return (self._back,)

    def take_focus(self) -> None:
        if self._columns.isVisible():
            self.changes.setFocus()
        else:
            self.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= TWO_COLUMNS_FROM
        if wide != self._wide:
            self._wide = wide
            way = QBoxLayout.Direction
            self._flow.setDirection(way.LeftToRight if wide else way.TopToBottom)
            self._back.setText(tr("Back to memory") if wide else tr("Back"))
            self.header_changed.emit()

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset(home.memory_file(target) for target in TARGETS)

    # -- showing -----------------------------------------------------------------------------

    def show_about(self, about: object) -> None:
        self._about = about if isinstance(about, AboutEntry) else None
        self.problem.show_notice(None)
        self.refresh()

    def show_loaded(self, loaded: HistoryView) -> None:
        self._view = loaded
        if loaded.refusal is not None:
            self._refuse(loaded.refusal)
        self._show_changes()

    def _refresh_if_shown(self) -> None:
        if self.isVisible():
            self.refresh()

    def _show_changes(self) -> None:
        view = self._view
        if view is None:
            return
        some = view.some(self._needle, self._about)
        self._columns.setVisible(bool(view.changes))
        self._show_nothing(not view.changes)
        notice = None
        if self._about is not None:
            text = excerpt(self._about.text, 80)
            notice = Notice(
                "about", tr("“{text}”", text=text), strong=tr("The history of one entry."),
                tone="plain", action=tr("Show all changes"),
            )  # fmt: skip
        self.about.show_notice(notice)
        self.changes.show_cards([model.card_of(one, view.now) for one in some])
        if self.changes.current_card() is None and some:
            self.changes.choose(some[0].id)
        self._choose(None)

    def _show_nothing(self, nothing: bool) -> None:
        if not nothing:
            if self._empty is not None:
                self._empty.hide()
            return
        if self._empty is None:
            from gui.widgets.empty import EmptyPage

            self._empty = EmptyPage(
                name="history_empty",
                title=tr("Nothing has changed yet"),
                text=tr("Every change of the memory will stand here, whoever makes it: you, the "
                        "agent or another program. Each can be undone."),
            )  # fmt: skip
            self._empty.add_button(tr("Back to memory"), "back")
            self._empty.acted.connect(self._leave)
            self.body.addWidget(self._empty, 1)
        self._empty.show()

    def _chosen(self) -> JournalEntry | None:
        card = self.changes.current_card()
        return None if card is None or self._view is None else self._view.get(card.key)

    def _choose(self, _: Hashable) -> None:
        change, desk = self._chosen(), self.place.desk
        self._undo.setEnabled(change is not None and change.undoable)
        for action in (self._restore, self._restore_before):
            action.setEnabled(change is not None)
        self._forget.setEnabled(change is not None and model.only_text(change) is not None)
        self._when.setText("" if change is None else moment(change.at))
        if change is None or desk is None:
            self.diff.show_rows(())
            return
        work = partial(model.read_change, desk, change.id)
        self.place.tasks.read(self, work, self._show_change)

    def _show_change(self, found: ChangeView | Refusal | None) -> None:
        change = self._chosen()
        if isinstance(found, ChangeView) and change is not None and found.id == change.id:
            self.diff.show_rows(found.rows)
        elif isinstance(found, REFUSALS):
            self._refuse(found)

    # -- the way back ------------------------------------------------------------------------

    def _write(self, work: Any, then: Any) -> None:
        desk = self.place.desk
        if desk is not None:
            paths = [desk.home.memory_file(target) for target in TARGETS]
            self.place.write(self, work, then, (*paths, desk.home.pending("memory")))

    def _undo_chosen(self) -> None:
        change, desk = self._chosen(), self.place.desk
        if change is not None and desk is not None and self._undo.isEnabled():
            self._take_back(desk, (change.id,))

    def _take_back(self, desk: Desk, group: tuple[int, ...]) -> None:
        self._write(partial(take_back, desk, group), partial(self._taken_back, desk, group))

    def _taken_back(self, desk: Desk, group: tuple[int, ...], done: TakenBack) -> None:
        if desk is not self.place.desk:
            return
        for path, mark in done.marks.items():
            self.place.watch.know(path, mark)
        self.refresh()
        refusal = done.refusal
        if refusal is None:
            self.problem.show_notice(None)
        elif isinstance(refusal, Conflict) and refusal.later:
            self._offer_more(group, refusal)
        else:
            self._refuse(refusal)
        if done.changes:
            text = trn("Undid {n} change.", "Undid {n} changes.", len(done.changes))
            self.place.note_changes(done.changes, text)

    def _offer_more(self, group: tuple[int, ...], refusal: Conflict) -> None:
        """Later changes build on it: they can be undone first, or what was before be restored."""
        self._later = tuple(sorted({*group, *refusal.later}))
        more = len(self._later) - len(group)
        action = trn("Undo that one too", "Undo those {n} too", more)
        self.problem.show_notice(Notice("later", say(refusal), tone="warn", action=action))

    def _act_on_problem(self, notice: Notice) -> None:
        self.problem.show_notice(None)
        desk = self.place.desk
        if notice.name == "later" and desk is not None:
            self._take_back(desk, self._later)

    def _bring_back(self, before: bool) -> None:
        change, desk = self._chosen(), self.place.desk
        if change is None or desk is None:
            return
        then = partial(self._brought_back, change.at)
        self._write(partial(model.restore_version, desk, change.id, before), then)

    def _brought_back(self, at: float, answer: tuple[Restored | Refusal, Desk]) -> None:
        done, desk = answer
        if desk is not self.place.desk:
            return
        self.refresh()
        if isinstance(done, REFUSALS):
            self._refuse(done)
            return
        self.problem.show_notice(None)
        if done.change_id is None:
            self.place.said.emit(Said(tr("All is so already; nothing changed.")))
        else:
            text = tr("Restored the version of {when}.", when=moment(at))
            self.place.note_change(done.change_id, text)

    # -- forgetting --------------------------------------------------------------------------

    def _forget_chosen(self) -> None:
        change = self._chosen()
        text = None if change is None else model.only_text(change)
        if text is not None:
            self.forget(text)

    def forget(self, text: str) -> None:
        """Forget an entry everywhere, if the person agrees: that cannot be undone."""
        desk = self.place.desk
        if desk is not None and ask_to_forget(self, text):
            self._write(partial(model.forget, desk, text), self._forgotten)

    def _forgotten(self, answer: tuple[Forgotten | Refusal, Desk]) -> None:
        done, desk = answer
        if desk is not self.place.desk:
            return
        self.refresh()
        if isinstance(done, REFUSALS):
            self._refuse(done)
        else:
            self.place.said.emit(Said(say_forgotten(done)))

    # -- small things ------------------------------------------------------------------------

    def _refuse(self, refusal: Refusal) -> None:
        self.problem.show_notice(Notice("refused", say(refusal), tone="bad", action=tr("Got it")))

    def _show_all(self, _: object = None) -> None:
        self._about = None
        self._show_changes()

    def _leave(self, _: object = None) -> None:
        self.place.page_wanted.emit("memory", None)


def ask_to_forget(page: Page, text: str) -> bool:
    """Ask before an entry is forgotten everywhere."""
    words = tr(
        "“{text}” goes from both memory files, from their backups and from the history. This "
        "cannot be undone. Past conversations and skills are not touched.",
        text=excerpt(text, 120),
    )
    return page.asker().confirm(
        title=tr("Forget this everywhere?"), text=words, yes=tr("Forget"), no=tr("Keep")
    )
