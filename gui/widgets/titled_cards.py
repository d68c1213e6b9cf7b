"""A list of cards that are a title with a row of words and marks below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF

from gui.models.cards import Card, Mark
from gui.theme import Theme
from gui.widgets.card_paint import PAD_X, CardDelegate, lay_out
from gui.widgets.cards import CardList

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter, QTextLayout


class TitledDelegate(CardDelegate):
    """Paints the text of a card as a title."""

    def _take_fonts(self) -> None:
        super()._take_fonts()
        self._font = self._bold


class ExplainedDelegate(TitledDelegate):
    """Words that do not fit beside the marks go on below them, instead of being cut."""

    def height_of(self, card: Card, width: int) -> int:
        lines = self._words_below(card, width - 2 * PAD_X)
        more = 0.0 if lines is None else lines.lineCount() * self._meta_height
        return super().height_of(card, width) + int(more)

    def _paint_meta(self, painter: QPainter, card: Card, row: QRectF) -> None:
        lines = self._words_below(card, row.width())
        if lines is None:
            super()._paint_meta(painter, card, row)
            return
        top = row.bottom() - lines.lineCount() * self._meta_height
        marks = tuple(item for item in card.meta if isinstance(item, Mark))
        self._paint_row(painter, row.translated(0, top - row.bottom()), marks)
        painter.setPen(self._theme.color("dim"))
        lines.draw(painter, QPointF(row.left(), top))

    def _words_below(self, card: Card, width: float) -> QTextLayout | None:
        words = [item for item in card.meta if isinstance(item, str)]
        if not words or self._row_width(card.meta) <= width:
            return None
        base = (self._meta_height + self._meta_metrics.capHeight()) / 2
        text = " · ".join(words)
        return lay_out(text, self._meta, width, pitch=self._meta_height, base=base)


class TitledList(CardList):
    """Cards to choose one from."""

    DELEGATE = TitledDelegate

    def __init__(self, theme: Theme, *, name: str, label: str) -> None:
        super().__init__(theme, name=name, label=label)


class ExplainedList(TitledList):
    """Cards whose words are read to their end."""

    DELEGATE = ExplainedDelegate
