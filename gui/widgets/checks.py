"""Boxes to tick, in the colours of the scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox

from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import press_with_return

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent

BOX = 16


def paint_box(
    painter: QPainter,
    theme: Theme,
    place: QRectF,
    *,
    ticked: bool,
    partly: bool = False,
    enabled: bool = True,
) -> None:
    """Paint a box of `BOX` pixels in the middle of `place`; `partly`: some of many are ticked."""
    box = QRectF(0, 0, BOX, BOX)
    box.moveCenter(place.center())
    box = box.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = "accent" if enabled else "track"
    full = ticked or partly
    painter.setPen(QPen(theme.color(ground if full else "field_line"), 1.0))
    painter.setBrush(theme.color(ground if full else "card"))
    painter.drawRoundedRect(box, HALF, HALF)
    if full:
        painter.setPen(
            QPen(
                theme.color("accent_text" if enabled else "dim"),
                1.8,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        points = (
            ((0.26, 0.5), (0.74, 0.5)) if partly else ((0.24, 0.52), (0.43, 0.70), (0.76, 0.32))
        )
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

    def tick(self, *, some: bool, all_of_them: bool) -> None:
        """Show for a list whether `some` or `all_of_them` are ticked."""
        part = Qt.CheckState.PartiallyChecked if some else Qt.CheckState.Unchecked
        self.setCheckState(Qt.CheckState.Checked if all_of_them else part)

    def nextCheckState(self) -> None:
        self.setChecked(self.checkState() != Qt.CheckState.Checked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_with_return(self, event):
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = BOX + GRID + metrics.horizontalAdvance(self.text()) + HALF
        return QSize(width, max(BOX, metrics.height()) + GRID)

    def minimumSizeHint(self) -> QSize:
        return QSize(BOX + 6 * GRID, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = QRectF(1, 0, BOX, self.height())
        paint_box(
            painter,
            self._theme,
            place,
            ticked=self.isChecked(),
            partly=self.checkState() == Qt.CheckState.PartiallyChecked,
            enabled=self.isEnabled(),
        )
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
