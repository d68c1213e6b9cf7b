"""The Overview: a card per layer, what is not as it should be, and the last weeks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.advice_words import way_of
from gui.forms.area import FormArea
from gui.i18n import tr, trn
from gui.models.drafts import EditEntry, ShowEntry
from gui.models.overview import (
    KINDS,
    OverviewView,
    Problem,
    make_yours,
    read_overview,
    remove_entry,
)
from gui.page import Page
from gui.pages.plain_files import may_stand
from gui.theme import BAR, GRID
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.overview_cards import AdviceRow, LayerCard, ProblemRow, Swatch
from gui.widgets.timeline import ROLES, Timeline
from gui.words import say
from gui.workplace import Said, Workplace
from store.history_texts import holds_secret
from store.refusals import REFUSALS

if TYPE_CHECKING:
    from pathlib import Path

    from gui.models.belongs import Sent
    from store.advice.judge import Advice
    from store.home import HermesHome
    from store.memory.state import Written
    from store.refusals import ReadOnly, Refusal

CARD_WIDTH = 34 * GRID
MOST_ADVICE = 8


class OverviewPage(Page):
    """Everything at a glance. Changes nothing but what a button of its own says."""

    name = "overview"
    load = staticmethod(read_overview)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: OverviewView | None = None
        self._cards: dict[str, LayerCard] = {}
        self._columns = 0
        self._rows: list[ProblemRow] = []
        self._advice_rows: list[AdviceRow] = []
        self._area = FormArea(name="overview_area")
        self.body.addWidget(self._area, 1)
        inside = self._area.inside()
        cards = QWidget(inside)
        self._grid = QGridLayout(cards)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID)
        self._area.add(cards)
        self._area.add(self._problems(inside))
        self._area.add(self._advice(inside))
        self._area.add(self._weeks(inside))

    def _problems(self, parent: QWidget) -> QWidget:
        whole = QWidget(parent)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(PlainLabel(tr("Worth a look"), name="problems_title", role="head"))
        self._fine = PlainLabel(
            tr("Everything is as it should be."), name="no_problems", role="dim", wrap=True
        )
        column.addWidget(self._fine)
        self._list = QFrame()
        self._list.setObjectName("problems")
        self._list.setProperty("tone", "plain")
        self._list_column = QVBoxLayout(self._list)
        self._list_column.setContentsMargins(0, 2, 0, 2)
        self._list_column.setSpacing(0)
        column.addWidget(self._list)
        return whole

    def _advice(self, parent: QWidget) -> QWidget:
        self._advised = QWidget(parent)
        column = QVBoxLayout(self._advised)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        head = QHBoxLayout()
        head.addWidget(PlainLabel(tr("What might leave memory"), name="advice_title", role="head"))
        head.addStretch(1)
        self.room_button = Button(tr("Make room…"), name="advice_room")
        self.room_button.clicked.connect(self._make_room)
        head.addWidget(self.room_button)
        column.addLayout(head)
        card = QFrame()
        card.setObjectName("advice")
        card.setProperty("tone", "plain")
        self._advice_column = QVBoxLayout(card)
        self._advice_column.setContentsMargins(0, 2, 0, 2)
        self._advice_column.setSpacing(0)
        column.addWidget(card)
        self._more = PlainLabel(name="advice_more", role="meta", wrap=True)
        column.addWidget(self._more)
        self._advised.hide()
        return self._advised

    def _weeks(self, parent: QWidget) -> QWidget:
        whole = QWidget(parent)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(PlainLabel(tr("The last weeks"), name="weeks_title", role="head"))
        legend = QHBoxLayout()
        legend.setSpacing(GRID)
        names = {
            "memory": tr("Changes of memory"),
            "approvals": tr("Approvals"),
            "sessions": tr("Conversations"),
        }
        for kind in KINDS:
            legend.addWidget(Swatch(self.theme, ROLES[kind], name=f"swatch_{kind}"))
            legend.addWidget(PlainLabel(names[kind], name=f"legend_{kind}", role="meta"))
            legend.addSpacing(GRID)
        legend.addStretch(1)
        column.addLayout(legend)
        self.timeline = Timeline(self.theme, name="timeline")
        column.addWidget(self.timeline)
        return whole

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Overview")

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset(
            {
                home.config,
                home.memory_file("memory"),
                home.memory_file("user"),
                home.pending("memory"),
                home.pending("skills"),
            }
        )

    def take_focus(self) -> None:
        for row in self._rows:
            if row.button.isVisible():
                row.button.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        for card in self._cards.values():
            if card.button.isVisible():
                card.button.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    # -- showing -----------------------------------------------------------------------------

    def show_loaded(self, loaded: OverviewView) -> None:
        before, self._view = self._view, loaded
        for layer in loaded.layers:
            if layer.name not in self._cards:
                card = self._cards[layer.name] = LayerCard(self.theme, layer.name, self)
                card.button.clicked.connect(partial(self._go_to_layer, layer.name))
                self._columns = 0
            self._cards[layer.name].show_layer(layer)
        self._flow()
        if before is None or before.problems != loaded.problems:
            self._show_problems(loaded.problems)
        if before is None or before.advice != loaded.advice:
            self._show_advice(loaded.advice)
        self.timeline.show_days(loaded.days)

    def _show_problems(self, problems: tuple[Problem, ...]) -> None:
        for row in self._rows:
            self._list_column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [ProblemRow(at, one, self._list) for at, one in enumerate(problems)]
        for row, problem in zip(self._rows, problems, strict=True):
            row.button.clicked.connect(partial(self._mend, problem))
            self._list_column.addWidget(row)
            row.show()
        self._list.setVisible(bool(problems))
        self._fine.setVisible(not problems)

    def _show_advice(self, advice: tuple[Advice, ...]) -> None:
        for row in self._advice_rows:
            self._advice_column.removeWidget(row)
            row.hide()
            row.deleteLater()
        entries: dict[tuple[str, str], list[Advice]] = {}
        for one in advice:
            entries.setdefault((one.target, one.entry), []).append(one)
        shown = list(entries.values())[:MOST_ADVICE]
        self._advice_rows = [AdviceRow(at, one, self) for at, one in enumerate(shown)]
        for row in self._advice_rows:
            row.way_button.clicked.connect(partial(self._go_way, row.way))
            row.show_button.clicked.connect(partial(self._show_entry, row.advice))
            row.delete_button.clicked.connect(partial(self._delete, row.advice))
            self._advice_column.addWidget(row)
            row.show()
        left = len(entries) - len(shown)
        self._more.setText(trn("And {n} more.", "And {n} more.", left) if left else "")
        self._more.setVisible(left > 0)
        self._advised.setVisible(bool(advice))

    def _make_room(self) -> None:
        """Go where room is made, to the file that most of it could be made in."""
        frees = {"memory": 0, "user": 0}
        advice = self._view.advice if self._view is not None else ()
        for target, _, freed in {(one.target, one.entry, one.frees) for one in advice}:
            frees[target] += freed
        self._go("room", max(frees, key=lambda target: frees[target]))

    def _show_entry(self, advice: Advice) -> None:
        self.place.page_wanted.emit("memory", ShowEntry(advice.target, advice.entry))

    def _go_way(self, advice: Advice | None) -> None:
        """Do what is advised first, or lead to where it is done for that entry."""
        if advice is None:
            return
        way, target, entry = way_of(advice), advice.target, advice.entry
        if way == "merge":
            self.place.page_wanted.emit("memory", EditEntry(target, advice.beside, entry))
        elif way == "shorten":
            self.place.page_wanted.emit("memory", EditEntry(target, entry))
        elif way == "to_keyring":
            self._go("keys", "")
        elif self._may_stand(entry):
            if way == "to_note":
                from gui.models.knowledge import MoveToNote

                self.place.page_wanted.emit("knowledge", MoveToNote(target, entry))
            else:
                self._send_to_skill(advice)

    def _may_stand(self, entry: str) -> bool:
        """Whether an entry may go to a plain file; of a secret it is asked."""
        view = self._view
        advice = view.advice if view is not None else ()
        held = {one.entry for one in advice if one.kind == "secret"}
        if holds_secret(entry):
            held.add(entry)
        return bool(may_stand(self.asker(), [entry], held))

    def _send_to_skill(self, advice: Advice) -> None:
        from gui.models.belongs import Belongs, send_to_skill

        desk = self.place.desk
        if desk is not None:
            work = partial(send_to_skill, desk, Belongs(advice.entry, source=advice.target))
            paths = [desk.home.memory_file(advice.target), desk.home.pending("skills")]
            self.place.write(self, work, self._sent, paths)

    def _sent(self, sent: Sent) -> None:
        if sent.done:
            self.place.note_change(sent.change_id, sent.said)
        else:
            self.place.said.emit(Said(sent.said))
        self.refresh()

    def _delete(self, advice: Advice) -> None:
        desk = self.place.desk
        if desk is None:
            return
        if holds_secret(advice.entry) and not self.asker().confirm(
            title=tr("This cannot be undone"),
            text=tr("The entry holds a password, key or token, and the history keeps none."),
            yes=tr("Go on"),
            no=tr("Leave it"),
        ):
            return
        work = partial(remove_entry, desk, advice)
        then = partial(self._deleted, advice)
        self.place.write(self, work, then, [desk.home.memory_file(advice.target)])

    def _deleted(self, advice: Advice, answer: Written | Refusal) -> None:
        if isinstance(answer, REFUSALS):
            self.place.said.emit(Said(say(answer)))
        else:
            lost = holds_secret(advice.entry)
            self.place.note_change(None if lost else answer.change_id, tr("Entry deleted."))
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._flow()

    def _flow(self) -> None:
        """Put the cards into as many columns as there is room for."""
        columns = max(1, min(4, (self.width() - BAR) // CARD_WIDTH))
        if columns == self._columns:
            return
        self._columns = columns
        for card in self._cards.values():
            self._grid.removeWidget(card)
        for at, card in enumerate(self._cards.values()):
            self._grid.addWidget(card, at // columns, at % columns)
        for column in range(4):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _mend(self, problem: Problem) -> None:
        desk = self.place.desk
        if not problem.private:
            self._go(problem.page, problem.about)
        elif desk is not None:
            work = partial(make_yours, desk, problem.private)
            self.place.write(self, work, self._made_private, problem.private)

    def _made_private(self, refused: ReadOnly | None) -> None:
        words = say(refused) if refused is not None else tr("Only you can read them now.")
        self.place.said.emit(Said(words))
        self.refresh()

    # -- ways elsewhere ----------------------------------------------------------------------

    def _go_to_layer(self, name: str) -> None:
        view = self._view
        layer = next((one for one in view.layers if one.name == name), None) if view else None
        if layer is not None:
            self._go(layer.page, name if layer.page == "repair" else "")

    def _go(self, page: str, about: str) -> None:
        self.place.page_wanted.emit(page, about or None)
