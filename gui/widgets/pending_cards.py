"""The cards of the Pending page: at most two lines of text, and a box to tick."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import (
    QItemSelectionModel,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QListView, QStyle

from gui.models.cards import Card, CardModel, Role
from gui.models.pending_list import PendingModel
from gui.models.pending_words import PendingCard
from gui.theme import GRID, HALF, Theme
from gui.widgets.card_paint import GAP, PAD_X, PAD_Y, CardDelegate
from gui.widgets.cards import BATCH, CardList
from gui.widgets.checks import BOX, paint_box

if TYPE_CHECKING:
    from PySide6.QtCore import (
        QModelIndex,
        QPersistentModelIndex,
    )
    from PySide6.QtGui import (
        QAction,
        QFont,
        QMouseEvent,
    )
    from PySide6.QtWidgets import QStyleOptionViewItem

MOST_LINES = 2
KEPT_TEXTS = 4_000
INDENT = BOX + GRID + 2
"""So far in stand the words beside the box."""
_LINE_BREAK = "\u2028"  # what QTextLayout takes for a new line


class PendingDelegate(CardDelegate):
    """Paints a card with its box; texts are cut after two lines.

    With `even` all cards are as high as one of two lines, so that nothing need be measured.
    """

    even = False

    def height_of(self, card: Card, width: int) -> int:
        lines = MOST_LINES if self.even else len(self.lines_of(card, width))
        height = 2 * PAD_Y + (1 + max(lines, 1)) * self._pitch + HALF + self._meta_height + GAP
        return int(height)

    def lines_of(self, card: Card, width: float) -> tuple[str, ...]:
        """Give the lines of text that a card of that width shows."""
        key = (card.text, int(width - 2 * PAD_X - _indent(card)))
        lines = self._clamped.get(key)
        if lines is None:
            if len(self._clamped) > KEPT_TEXTS:
                self._clamped.clear()
            lines = self._clamped[key] = clamped(card.text, self._font, key[1])
        return lines

    def _take_fonts(self) -> None:
        super()._take_fonts()
        self._clamped: dict[tuple[str, int], tuple[str, ...]] = {}

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        card: Card = index.data(Role.CARD)
        look: Any = option
        rect = QRectF(look.rect).adjusted(0, 0, 0, -GAP)
        chosen = bool(look.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, rect, selected=chosen)
        inside = rect.adjusted(_indent(card), 0, 0, 0)
        row = QRectF(
            inside.left() + PAD_X, rect.top() + PAD_Y, inside.width() - 2 * PAD_X, self._pitch
        )
        self._paint_box(painter, card, rect)
        self._paint_lead(painter, card, row)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text"))
        for line in self.lines_of(card, rect.width()):
            row.translate(0, self._pitch)
            painter.drawText(QPointF(row.left(), row.top() + self._baseline()), line)
        self._paint_row(painter, self.meta_row(inside), card.meta)
        painter.restore()

    def _paint_box(self, painter: QPainter, card: Card, rect: QRectF) -> None:
        if isinstance(card, PendingCard) and card.ticked is not None:
            place = QRectF(rect.left() + PAD_X, rect.top() + PAD_Y, BOX, self._pitch)
            paint_box(painter, self._theme, place, ticked=card.ticked)


def _indent(card: Card) -> float:
    return INDENT if isinstance(card, PendingCard) and card.ticked is not None else 0.0


def clamped(text: str, font: QFont, width: float) -> tuple[str, ...]:
    """Break `text` into at most two lines; the last one ends in … if there is more."""
    layout = QTextLayout(text.replace("\n", _LINE_BREAK), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    starts: list[int] = []
    while (line := layout.createLine()).isValid() and len(starts) <= MOST_LINES:
        line.setLineWidth(max(width, 1))
        starts.append(line.textStart())
    layout.endLayout()
    raw = text.encode("utf-16-le", "surrogatepass")  # Qt counts in these units
    pieces = [
        raw[2 * start : 2 * end].decode("utf-16-le", "replace")
        for start, end in zip(starts, [*starts[1:], len(raw) // 2], strict=True)
    ]
    if len(pieces) <= MOST_LINES:
        return tuple(piece.strip("\n") for piece in pieces)
    last = pieces[MOST_LINES - 1].strip("\n") + "…"
    measure = QFontMetricsF(font)
    cut = measure.elidedText(last, Qt.TextElideMode.ElideRight, width)
    return (*(piece.strip("\n") for piece in pieces[: MOST_LINES - 1]), cut)


class PendingList(CardList):
    """What waits, as cards of which some are ticked."""

    DELEGATE = PendingDelegate

    toggled = Signal(object)
    """The key of a card whose box was pressed."""

    def __init__(self, theme: Theme, *, name: str, label: str, make: Callable[[str], Card]) -> None:
        self._keyed = PendingModel(make)
        super().__init__(theme, name=name, label=label, model=cast(CardModel, self._keyed))
        self._keyed.setParent(self)
        # Rows are few or equally high, so all of them are laid out at once.
        self.setLayoutMode(QListView.LayoutMode.SinglePass)

    def pending_model(self) -> PendingModel:
        """The model of the cards."""
        return self._keyed

    def show_keys(self, keys: Sequence[str]) -> None:
        """Show the cards of `keys`; what is at the top and what is selected stays so.

        Where the selected card went, the one that took its place is selected.
        """
        if list(keys) == list(self._keyed.keys):
            return
        even = len(keys) > BATCH
        anchor = self._anchor()
        current = self.current_key()
        row = self.currentIndex().row()
        kept = current if current is None or current in keys else self._follower(row, set(keys))
        if even:  # before there are many, and after there were
            self._be_even(True)
        self._keyed.show_keys(keys)
        self._be_even(even)
        index = self._keyed.index_of(kept)
        if not index.isValid() and keys and row >= 0:
            index = self._keyed.index(min(row, len(keys) - 1), 0)
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)
        self.executeDelayedItemsLayout()
        self._return_to(anchor)

    def _be_even(self, even: bool) -> None:
        delegate = self._delegate
        if isinstance(delegate, PendingDelegate) and delegate.even != even:
            delegate.even = even
            self.setUniformItemSizes(even)
            self.scheduleDelayedItemsLayout()

    def _follower(self, row: int, staying: set[str]) -> str | None:
        keys = self._keyed.keys
        if row < 0:
            return None
        below = (key for key in keys[row + 1 :] if key in staying)
        above = (key for key in reversed(keys[:row]) if key in staying)
        return next(below, None) or next(above, None)

    def current_key(self) -> str | None:
        """Give the key of the selected card, None without one."""
        keys, row = self._keyed.keys, self.currentIndex().row()
        return keys[row] if 0 <= row < len(keys) else None

    def step(self, by: int) -> None:
        """Select the next card (1) or the one before (-1)."""
        count = self._keyed.rowCount()
        row = self.currentIndex().row()
        if count:
            at = min(max(row + by, 0), count - 1) if row >= 0 else 0
            self.setCurrentIndex(self._keyed.index(at, 0))
            self.scrollTo(self.currentIndex())

    def offer_in_menu(self, actions: Sequence[QAction]) -> None:
        """Offer `actions`, whose keys work on the whole page, in the menu of a card."""
        self._actions = list(actions)

    def seen_keys(self) -> Sequence[str]:
        """Give the keys of the cards that are in view."""
        area = self.viewport().rect()
        first = self.indexAt(QPoint(4, 1)).row()
        last = self.indexAt(QPoint(4, area.bottom() - 1)).row()
        if first < 0:
            first = self.indexAt(QPoint(4, GAP + 2)).row()
        keys = self._keyed.keys
        return keys[max(first, 0) : (last if last >= 0 else len(keys)) + 1][:BATCH]

    def choose(self, key: Hashable) -> bool:
        index = self._keyed.index_of(key)
        if not index.isValid():
            return False
        self.selectionModel().setCurrentIndex(
            index, QItemSelectionModel.SelectionFlag.ClearAndSelect
        )
        self.scrollTo(index)
        return True

    def keyboardSearch(self, search: str) -> None:
        """Letters are keys here: none of them is looked for in thousands of cards."""

    # -- the boxes -----------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._box_at(event)
        if key is None:
            super().mousePressEvent(event)
        else:
            event.accept()
            self.setFocus()
            self.toggled.emit(key)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._box_at(event) is None:
            super().mouseDoubleClickEvent(event)
        else:
            self.mousePressEvent(event)

    def _box_at(self, event: QMouseEvent) -> str | None:
        """Give the key of the card whose box is under the mouse."""
        where = event.position().toPoint()
        index = self.indexAt(where)
        card = self._keyed.card_at(index.row()) if index.isValid() else None
        if not isinstance(card, PendingCard) or card.ticked is None:
            return None
        rect = self.visualRect(index)
        inside = where.x() < rect.left() + PAD_X + INDENT and where.y() < rect.top() + 5 * GRID
        return self._keyed.keys[index.row()] if inside else None
