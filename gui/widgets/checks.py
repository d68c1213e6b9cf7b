"""Boxes to tick, in the colours of the scheme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox

from gui.theme import GRID, HALF, Theme

BOX = 16


def paint_box(
    painter: QPainter, theme: Theme, place: QRectF, *, ticked: bool, enabled: bool = True
) -> None:
    """Paint a box of `BOX` pixels in the middle of `place`."""
    box = QRectF(0, 0, BOX, BOX)
    box.moveCenter(place.center())
    box = box.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = "accent" if enabled else "track"
    painter.setPen(QPen(theme.color(ground if ticked else "field_line"), 1.0))
    painter.setBrush(theme.color(ground if ticked else "card"))
    painter.drawRoundedRect(box, HALF, HALF)
    if ticked:
        painter.setPen(
            QPen(
                theme.color("accent_text" if enabled else "dim"),
                1.8,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        points = ((0.24, 0.52), (0.43, 0.70), (0.76, 0.32))
        painter.drawPolyline(
            QPolygonF([QPointF(box.left() + x * BOX, box.top() + y * BOX - 0.5) for x, y in points])
        )


class CheckBox(QCheckBox):
    """A check box whose box looks like those on the cards."""

    def __init__(self, theme: Theme, text: str, *, name: str) -> None:
        super().__init__(text)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self._theme = theme
        theme.changed.connect(self.update)

    def say(self, text: str) -> None:
        """Change what it is called."""
        self.setText(text)
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = BOX + GRID + metrics.horizontalAdvance(self.text()) + HALF
        return QSize(width, max(BOX, metrics.height()) + GRID)

    def minimumSizeHint(self) -> QSize:
        return QSize(BOX + 6 * GRID, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(1, 0, BOX, self.height())
        paint_box(painter, self._theme, place, ticked=self.isChecked(), enabled=self.isEnabled())
        painter.setPen(self._theme.color("text" if self.isEnabled() else "dim"))
        words = QRectF(BOX + GRID, 0, self.width() - BOX - GRID, self.height())
        text = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, int(words.width())
        )
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter), text)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            around = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.drawRoundedRect(around, HALF, HALF)
        painter.end()
