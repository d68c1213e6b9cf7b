"""Cards of conversations, of what was found in them, and of their messages."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QTextLayout

from gui.models.cards import Card
from gui.models.sessions import HitCard
from gui.widgets.card_paint import CardDelegate, found_formats
from gui.widgets.cards import CardList


class HitDelegate(CardDelegate):
    """Marks in a text what was found."""

    _found: tuple[tuple[int, int], ...] = ()

    def _paint_text(self, painter: QPainter, card: Card, x: float, y: float, width: float) -> None:
        self._found = card.found if isinstance(card, HitCard) else ()
        super()._paint_text(painter, card, x, y, width)

    def _needle_formats(self, text: str) -> list[QTextLayout.FormatRange]:
        return found_formats(text, self._found, self._theme)


class HitList(CardList):
    """Passages that were found."""

    DELEGATE = HitDelegate
