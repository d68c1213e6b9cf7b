"""How a card looks: measured and painted, with the measures kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyledItemDelegate

from gui.models.cards import Card, Index, Mark, Role
from gui.theme import GRID, HALF, LINE_HEIGHT, RADIUS, Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex
    from PySide6.QtGui import (
        QFont,
        QTextCharFormat,
    )
    from PySide6.QtWidgets import QStyleOptionViewItem

GAP = GRID
"""Below each card."""
PAD_X = 3 * HALF
PAD_Y = 10
META_GAP = 10
_BADGE_PAD = 6
_LINE_BREAK = "\u2028"  # what QTextLayout takes for a new line


class CardDelegate(QStyledItemDelegate):
    """Paints cards. `needle` is what the person searches for; it is marked in the texts."""

    def __init__(
        self,
        theme: Theme,
        parent: QObject,
        row_height: Callable[[Card], int],
        is_selected: Callable[[Index], bool],
    ) -> None:
        super().__init__(parent)
        self.needle = ""
        self._row_height = row_height
        # Not option.state: for that one bit PySide makes all that QStyle can say.
        self._is_selected = is_selected
        self.show_focus = True
        self._theme = theme
        self._lines: dict[tuple[str, int], int] = {}
        self._take_fonts()
        theme.changed.connect(self._take_fonts)

    def _take_fonts(self) -> None:
        theme = self._theme
        self._font, self._bold = theme.font(), theme.font(bold=True)
        self._meta, self._mark = theme.meta_font(), theme.meta_font(bold=True)
        self._metrics = QFontMetricsF(self._font)
        self._meta_metrics = QFontMetricsF(self._meta)
        self._mark_metrics = QFontMetricsF(self._mark)
        self._pitch = float(round(max(_pixels(self._font) * LINE_HEIGHT, self._metrics.height())))
        self._meta_height = float(round(self._meta_metrics.height() + HALF))
        self._lines.clear()

    # -- measuring -----------------------------------------------------------------------

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        # A list view asks with an empty rectangle, so the list itself knows the width.
        return QSize(0, self._row_height(index.data(Role.CARD)))

    def height_of(self, card: Card, width: int) -> int:
        """Give the height of a card with the gap below it, `width` pixels wide."""
        key = (card.text, width)
        lines = self._lines.get(key)
        if lines is None:
            if len(self._lines) > 40_000:
                self._lines.clear()
            lines = self._lines[key] = lay_out(card.text, self._font, width - 2 * PAD_X).lineCount()
        height = 2 * PAD_Y + max(lines, 1) * self._pitch + GAP
        if card.lead or card.lead_marks:
            height += self._pitch
        if card.meta:
            height += HALF + self._meta_height
        return int(height)

    def is_measured(self, card: Card, width: int) -> bool:
        """Tell whether `height_of` is known already."""
        return (card.text, width) in self._lines

    def meta_row(self, card: QRectF) -> QRectF:
        """Give the place of the meta row within a card, where its actions go as well."""
        top = card.bottom() - PAD_Y - self._meta_height
        return QRectF(card.left() + PAD_X, top, card.width() - 2 * PAD_X, self._meta_height)

    # -- painting ------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        card: Card = index.data(Role.CARD)
        rect = QRectF(option.rect).adjusted(0, 0, 0, -GAP)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = self._is_selected(index)
        self._paint_ground(painter, rect, selected=selected, ground=self._ground(card))
        x, y = rect.left() + PAD_X, rect.top() + PAD_Y
        if card.lead or card.lead_marks:
            self._paint_lead(painter, card, QRectF(x, y, rect.width() - 2 * PAD_X, self._pitch))
            y += self._pitch
        self._paint_text(painter, card, x, y, rect.width() - 2 * PAD_X)
        if card.meta:
            self._paint_meta(painter, card, self.meta_row(rect))
        painter.restore()

    def _ground(self, card: Card) -> str:
        """The role of the colour that a card stands on."""
        return "card"

    def _paint_meta(self, painter: QPainter, card: Card, row: QRectF) -> None:
        self._paint_row(painter, row, card.meta)

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, *, selected: bool, ground: str = "card"
    ) -> None:
        strong = selected and self.show_focus
        pen = QPen(self._theme.color("accent" if selected else "line"), 2.0 if strong else 1.0)
        inset = pen.widthF() / 2
        painter.setPen(pen)
        painter.setBrush(self._theme.color(ground))
        painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)

    def _paint_lead(self, painter: QPainter, card: Card, row: QRectF) -> None:
        x, baseline = row.left(), row.top() + self._baseline()
        space = self._metrics.horizontalAdvance(" ")
        end = row.right() - sum(self._mark_width(mark) + space + 2 for mark in card.lead_marks)
        painter.setPen(self._theme.color("text"))
        for text, font in ((card.lead, self._bold), (card.lead_rest, self._font)):
            if text:
                metrics = QFontMetricsF(font)
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(end - x, 0))
                painter.setFont(font)
                painter.drawText(QPointF(x, baseline), text)
                x += metrics.horizontalAdvance(text + " ")
        for mark in card.lead_marks:
            x = self._paint_mark(painter, mark, x + 2, row)

    def _paint_text(self, painter: QPainter, card: Card, x: float, y: float, width: float) -> None:
        layout = lay_out(card.text, self._font, width, pitch=self._pitch, base=self._baseline())
        formats = self._needle_formats(card.text)
        if card.struck:
            from PySide6.QtGui import QTextCharFormat

            look = QTextCharFormat()
            look.setFontStrikeOut(True)
            formats.append(_range(0, len(card.text.encode("utf-16-le")) // 2, look))
        painter.setPen(self._theme.color("dim" if card.struck else "text"))
        layout.draw(painter, QPointF(x, y), formats)

    def _needle_formats(self, text: str) -> list[QTextLayout.FormatRange]:
        needle = self.needle.casefold()
        folded = text.casefold()
        if not needle or len(folded) != len(text):
            return []
        places, at = [], folded.find(needle)
        while at >= 0:
            places.append((at, at + len(needle)))
            at = folded.find(needle, at + len(needle))
        return found_formats(text, places, self._theme)

    def _paint_row(self, painter: QPainter, row: QRectF, items: tuple[str | Mark, ...]) -> None:
        x = row.left()
        baseline = row.top() + (row.height() + self._meta_metrics.capHeight()) / 2
        for item in self.fitting(items, row.width()):
            room = row.right() - x
            if room < 2 * GRID:
                return
            if isinstance(item, Mark):
                x = self._paint_mark(painter, item, x, row)
            else:
                text = self._meta_metrics.elidedText(item, Qt.TextElideMode.ElideRight, room)
                painter.setFont(self._meta)
                painter.setPen(self._theme.color("dim"))
                painter.drawText(QPointF(x, baseline), text)
                x += self._meta_metrics.horizontalAdvance(text)
            x += META_GAP

    def fitting(self, items: tuple[str | Mark, ...], width: float) -> tuple[str | Mark, ...]:
        """Leave out words before the marks, the first ones first, so that no mark is cut."""
        marks = [at for at, item in enumerate(items) if isinstance(item, Mark)]
        end = marks[-1] + 1 if marks else 0
        head, rest = list(items[:end]), items[end:]
        while self._row_width(head) > width:
            words = next((item for item in head if isinstance(item, str)), None)
            if words is None:
                break
            head.remove(words)
        return (*head, *rest)

    def _row_width(self, items: Sequence[str | Mark]) -> float:
        def one(item: str | Mark) -> float:
            if isinstance(item, Mark):
                return self._mark_width(item)
            return self._meta_metrics.horizontalAdvance(item)

        return sum(map(one, items)) + META_GAP * (len(items) - 1)

    def _mark_width(self, mark: Mark) -> float:
        return self._mark_metrics.horizontalAdvance(mark.text) + 2 * _BADGE_PAD

    def _paint_mark(self, painter: QPainter, mark: Mark, x: float, row: QRectF) -> float:
        room = row.right() - x - 2 * _BADGE_PAD
        text = self._mark_metrics.elidedText(mark.text, Qt.TextElideMode.ElideRight, max(room, 0))
        width = self._mark_metrics.horizontalAdvance(text) + 2 * _BADGE_PAD
        height = min(row.height(), self._mark_metrics.height() + HALF)
        badge = QRectF(x, row.center().y() - height / 2, width, height)
        ground = "hover" if mark.tone == "plain" else f"{mark.tone}_background"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(ground))
        painter.drawRoundedRect(badge, HALF, HALF)
        painter.setPen(self._theme.color("dim" if mark.tone == "plain" else mark.tone))
        painter.setFont(self._mark)
        baseline = badge.center().y() + self._mark_metrics.capHeight() / 2
        painter.drawText(QPointF(x + _BADGE_PAD, baseline), text)
        return badge.right()

    def _baseline(self) -> float:
        return (self._pitch + self._metrics.ascent() - self._metrics.descent()) / 2


def found_formats(
    text: str, places: Sequence[tuple[int, int]], theme: Theme
) -> list[QTextLayout.FormatRange]:
    """How what stands at `places` of `text`, from and to, is marked."""
    if not places:
        return []
    from PySide6.QtGui import QTextCharFormat

    look = QTextCharFormat()
    look.setBackground(QBrush(theme.color("warn_background")))
    look.setForeground(QBrush(theme.color("warn")))
    found = []
    for begin, end in places:
        before = len(text[:begin].encode("utf-16-le", "surrogatepass")) // 2
        size = len(text[begin:end].encode("utf-16-le", "surrogatepass")) // 2
        found.append(_range(before, size, look))
    return found


def lay_out(
    text: str, font: QFont, width: float, *, pitch: float = 0.0, base: float = 0.0
) -> QTextLayout:
    """Break `text` into lines of `width`; all baselines lie `pitch` apart, whatever the script."""
    layout = QTextLayout(text.replace("\n", _LINE_BREAK), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    number = 0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        if pitch:
            line.setPosition(QPointF(0, number * pitch + base - line.ascent()))
        number += 1
    layout.endLayout()
    return layout


def _range(start: int, length: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, look
    return found


def _pixels(font: QFont) -> float:
    """Give the size of the letters in pixels, also of a font that is set in points."""
    return float(QFontInfo(font).pixelSize())
