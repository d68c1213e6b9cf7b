"""The cards of the Memory page: several can be chosen, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, Signal

from gui.models.cards import MORE, Card
from gui.models.ticks import EntryModel, Ticks
from gui.theme import GRID, Theme
from gui.widgets.card_paint import GAP, PAD_X, CardDelegate
from gui.widgets.cards import CardList

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter


@cache
def _steps() -> frozenset[int]:
    """The keys that with Shift choose all that they pass."""
    keys = Qt.Key
    return frozenset(
        (
            keys.Key_Up,
            keys.Key_Down,
            keys.Key_Home,
            keys.Key_End,
            keys.Key_PageUp,
            keys.Key_PageDown,
        )
    )


class EntryDelegate(CardDelegate):
    """Paints a box in the meta row while entries are being chosen, so that no text moves."""

    model: EntryModel | None = None

    def _ground(self, card: Card) -> str:
        ticked = self.model is not None and self.model.is_ticked(card.key)
        return "accent_background" if ticked else super()._ground(card)

    def _paint_meta(self, painter: QPainter, card: Card, row: QRectF) -> None:
        ticked = None if self.model is None else self.model.is_ticked(card.key)
        if ticked is not None:
            from gui.widgets.checks import BOX, paint_box

            place = QRectF(row.left(), row.top(), BOX, row.height())
            paint_box(painter, self._theme, place, ticked=ticked)
            row = row.adjusted(BOX + GRID, 0, 0, 0)
        super()._paint_meta(painter, card, row)


class EntryList(CardList):
    """Cards of entries.

    Ctrl with a click or Space chooses a card or lets go of it, Shift with a click or an arrow all
    up to it, Esc ends it. While some are chosen, a click on the box of a card does it alone.
    """

    DELEGATE = EntryDelegate

    ticks_changed = Signal()
    """Others are chosen now."""

    def __init__(self, theme: Theme, *, name: str, label: str) -> None:
        self._entries = EntryModel()
        super().__init__(theme, name=name, label=label, model=self._entries)
        self._entries.setParent(self)
        if isinstance(self._delegate, EntryDelegate):
            self._delegate.model = self._entries

    @property
    def ticks(self) -> Ticks:
        """What is chosen."""
        return self._entries.ticks

    def tick(self, ticks: Ticks) -> None:
        """Have these chosen."""
        if ticks.keys == self.ticks.keys:
            self._entries.ticks = ticks
            return
        self._entries.tick(ticks)
        self._place_strip()
        self.ticks_changed.emit()

    def toggle_current(self) -> None:
        """Choose the current card, or let go of it."""
        card = self.current_card()
        if card is not None:
            self._toggle(card.key)

    def _toggle(self, key: Hashable) -> None:
        if key != MORE:
            self.tick(self.ticks.toggled(key))

    def _reach(self, start: Hashable) -> None:
        """Choose all cards from the anchor, which is `start` if there is none, to the current."""
        ticks = self.ticks.anchored(start)
        cards, to = self._entries.cards, self.currentIndex().row()
        begin = self._entries.row_of(ticks.anchor)
        if begin < 0:
            ticks, begin = Ticks(ticks.keys, start, ticks.keys), self._entries.row_of(start)
        if begin >= 0 and to >= 0:
            span = cards[min(begin, to) : max(begin, to) + 1]
            self.tick(ticks.reaching(card.key for card in span if card.key != MORE))

    def _place_strip(self) -> None:
        """While several are chosen, what can be done stands in one place for all of them."""
        if self.ticks.keys:
            self._strip.hide()
        else:
            super()._place_strip()

    # -- keys and mouse --------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        if key == Qt.Key.Key_Escape and self.ticks.keys:
            self.tick(Ticks())
        elif key == Qt.Key.Key_Space and modifiers in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ControlModifier,
        ):
            self.toggle_current()
        elif modifiers & Qt.KeyboardModifier.ShiftModifier and key in _steps():
            card = self.current_card()
            super().keyPressEvent(event)
            self._reach(card.key if card is not None else None)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._choose_at(event):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self._choose_at(event):
            super().mouseDoubleClickEvent(event)

    def _choose_at(self, event: QMouseEvent) -> bool:
        """Choose what was pressed, if it was pressed for that."""
        where, modifiers = event.position().toPoint(), event.modifiers()
        index = self.indexAt(where)
        card = self._entries.card_at(index.row())
        held = Qt.KeyboardModifier
        meant = modifiers & (held.ControlModifier | held.ShiftModifier) or self._is_box(where, card)
        if card is None or not meant or event.button() != Qt.MouseButton.LeftButton:
            return False
        event.accept()
        before = self.current_card()
        self.setFocus()
        self.setCurrentIndex(index)
        if modifiers & held.ShiftModifier:
            self._reach(card.key if before is None else before.key)
        else:
            self._toggle(card.key)
        return True

    def _is_box(self, where: QPoint, card: Card | None) -> bool:
        if card is None or self._entries.is_ticked(card.key) is None:
            return False
        from gui.widgets.checks import BOX

        rect = QRectF(self.visualRect(self._entries.index_of(card.key))).adjusted(0, 0, 0, -GAP)
        row = self._delegate.meta_row(rect).adjusted(-PAD_X, -GRID, 0, GRID)
        row.setWidth(PAD_X + BOX + GRID)
        return row.contains(where)
