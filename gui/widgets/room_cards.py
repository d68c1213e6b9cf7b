"""The cards of the Make room page: an entry with its box, and below it every reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QStyle

from gui.models.cards import Card, Role
from gui.models.room import RoomCard
from gui.theme import HALF
from gui.widgets.card_paint import GAP, PAD_X, PAD_Y
from gui.widgets.pending_cards import INDENT, MOST_LINES, PendingDelegate, PendingList

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem


class RoomDelegate(PendingDelegate):
    """Paints at most two lines of an entry, its reasons each on one line, and what it frees."""

    def height_of(self, card: Card, width: int) -> int:
        lines = MOST_LINES if self.even else len(self.lines_of(card, width))
        reasons = len(self._reasons(card))
        below = HALF + (reasons + 1) * self._meta_height
        return int(2 * PAD_Y + max(lines, 1) * self._pitch + below + GAP)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        card: Card = index.data(Role.CARD)
        look: Any = option
        rect = QRectF(look.rect).adjusted(0, 0, 0, -GAP)
        painter.save()
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        chosen = bool(look.state & QStyle.StateFlag.State_Selected)
        self._paint_ground(painter, rect, selected=chosen)
        self._paint_box(painter, card, rect)
        inside = rect.adjusted(INDENT, 0, 0, 0)
        at = QPointF(inside.left() + PAD_X, rect.top() + PAD_Y)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text"))
        for line in self.lines_of(card, rect.width()):
            painter.drawText(QPointF(at.x(), at.y() + self._baseline()), line)
            at.setY(at.y() + self._pitch)
        self._paint_reasons(painter, card, inside)
        self._paint_row(painter, self.meta_row(inside), card.meta)
        painter.restore()

    def _paint_reasons(self, painter: QPainter, card: Card, inside: QRectF) -> None:
        reasons = self._reasons(card)
        row = self.meta_row(inside)
        row.translate(0, -len(reasons) * self._meta_height)
        painter.setFont(self._meta)
        painter.setPen(self._theme.color("dim"))
        for reason in reasons:
            text = self._meta_metrics.elidedText(reason, Qt.TextElideMode.ElideRight, row.width())
            base = row.top() + (row.height() + self._meta_metrics.capHeight()) / 2
            painter.drawText(QPointF(row.left(), base), text)
            row.translate(0, self._meta_height)

    def _reasons(self, card: Card) -> tuple[str, ...]:
        reasons = card.reasons if isinstance(card, RoomCard) else ()
        return reasons[:1] if self.even else reasons


class RoomList(PendingList):
    """What could go, as cards of which some are ticked."""

    DELEGATE = RoomDelegate
