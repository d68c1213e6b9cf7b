"""What is ticked, what that frees, and what is done with it: the foot of the Make room page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.i18n import sentences, tr, trn
from gui.theme import BAR, GRID, HALF, Theme
from gui.widgets.labels import ActionButton, PlainLabel
from gui.widgets.meter import BudgetMeter

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

    from gui.models.room import MakeRoom, RoomView
    from store.advice.room import Choice

ONE_LINE_FROM = 700


class RoomTotals(QWidget):
    """The budget as it would be, in numbers and words, beside the two actions."""

    def __init__(self, theme: Theme, delete: QAction, move: QAction) -> None:
        super().__init__()
        self.setObjectName("room_totals")
        self._delete, self._move = delete, move
        self.meter = BudgetMeter(theme, name="room_meter", title=tr("Afterwards"))
        self._said = PlainLabel(name="room_said", role="dim", wrap=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(1)
        buttons.addWidget(ActionButton(delete))
        buttons.addWidget(ActionButton(move, kind="primary"))
        self._below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._below.setSpacing(GRID)
        self._below.addWidget(self._said, 1)
        self._below.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, HALF, BAR, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(self.meter)
        column.addLayout(self._below)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= ONE_LINE_FROM
        self._below.setDirection(way.LeftToRight if wide else way.TopToBottom)

    def show_ticked(
        self, view: RoomView, about: MakeRoom, ticked: set[str], choice: Choice, *, busy: bool
    ) -> None:
        """Show what goes with these entries, and whether what is advised would do."""
        self.meter.show_usage(*view.effect(about.target, ticked), None)
        count, freed = len(ticked), view.freed(about.target, ticked)
        said = [_words(count, freed, about.characters or 0)]
        if not choice.enough and any(one.reasons for one in choice.candidates):
            said.append(
                tr("What looks out of place is not enough; the longest entries stand below it.")
            )
        elif not choice.enough:
            said.append(tr("Nothing looks out of place; these are the longest entries."))
        self._said.setText(sentences(*said))
        self._delete.setText(trn("Delete {n}", "Delete {n}", count) if count else tr("Delete"))
        self._move.setText(
            trn("Move {n} to a note…", "Move {n} to a note…", count)
            if count
            else tr("Move to a note…")
        )
        for action in (self._delete, self._move):
            action.setEnabled(count > 0 and not busy)


def _words(count: int, freed: int, wanted: int) -> str:
    if not count:
        return tr("Nothing is ticked.")
    if not wanted:
        return trn(
            "{n} entry is ticked and frees {freed:,} chars.",
            "{n} entries are ticked and free {freed:,} chars.",
            count,
            freed=freed,
        )
    return trn(
        "{n} entry is ticked and frees {freed:,} chars; {wanted:,} are wanted.",
        "{n} entries are ticked and free {freed:,} chars; {wanted:,} are wanted.",
        count,
        freed=freed,
        wanted=wanted,
    )
