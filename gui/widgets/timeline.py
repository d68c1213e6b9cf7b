"""The last weeks as a drawn chart: a bar a day, in parts by what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.i18n import tr, trn
from gui.models.overview import KINDS, Day, Kind
from gui.theme import GRID, Theme
from gui.widgets.cards import show_plain_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

HEIGHT = 15 * GRID
FOOT = 2 * GRID + 4
ROLES: dict[Kind, str] = {"memory": "accent", "approvals": "ok_bar", "sessions": "field_line"}


def kind_words(kind: Kind, count: int) -> str:
    """Say how much there was of a kind."""
    match kind:
        case "memory":
            return trn("{n} change of memory", "{n} changes of memory", count)
        case "approvals":
            return trn("{n} approval", "{n} approvals", count)
        case "sessions":
            return trn("{n} conversation", "{n} conversations", count)


class Timeline(QWidget):
    """Bars side by side, today at the right end; a tooltip tells a day's numbers."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._theme = theme
        self._days: tuple[Day, ...] = ()
        self.setMinimumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(40 * GRID, HEIGHT)

    def show_days(self, days: tuple[Day, ...]) -> None:
        """Show these days, the oldest first."""
        self._days = days
        totals = {kind: sum(day.counts[kind] for day in days) for kind in KINDS}
        words = tr(", ").join(kind_words(kind, count) for kind, count in totals.items())
        self.setAccessibleName(tr("The last {n} days: {what}", n=len(days), what=words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self.height() - FOOT
        painter.setPen(self._theme.color("line"))
        painter.drawLine(0, ground, self.width(), ground)
        most = max((sum(day.counts.values()) for day in self._days), default=0)
        if self._days:
            step = self.width() / len(self._days)
            for at, day in enumerate(self._days):
                if most:
                    self._paint_day(painter, day, at * step, step, (ground - 4) / most, ground)
            self._paint_dates(painter, ground)
        painter.end()

    def _paint_day(
        self, painter: QPainter, day: Day, x: float, step: float, unit: float, ground: float
    ) -> None:
        gap = min(step * 0.25, 4.0)
        bottom = ground
        painter.setPen(Qt.PenStyle.NoPen)
        for kind in KINDS:
            height = day.counts[kind] * unit
            if height > 0:
                painter.setBrush(self._theme.color(ROLES[kind]))
                bar = QRectF(x + gap / 2, bottom - max(height, 2), step - gap, max(height, 2))
                painter.drawRoundedRect(bar, 1.5, 1.5)
                bottom -= max(height, 2)

    def _paint_dates(self, painter: QPainter, ground: float) -> None:
        painter.setFont(self._theme.meta_font())
        painter.setPen(self._theme.color("dim"))
        row = QRectF(0, ground + 4, self.width(), FOOT - 4)
        painter.drawText(row, Qt.AlignmentFlag.AlignLeft, self._days[0].date)
        painter.drawText(row, Qt.AlignmentFlag.AlignRight, tr("Today"))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_plain_tip(event.globalPos(), self._tip(event.pos().x()), self)
            return True
        return super().event(event)

    def _tip(self, x: int) -> str:
        if not self._days or not 0 <= x < self.width():
            return ""
        day = self._days[min(int(x * len(self._days) / self.width()), len(self._days) - 1)]
        return "\n".join([day.date, *(kind_words(kind, day.counts[kind]) for kind in KINDS)])
