"""How full a memory file is: a bar with the numbers as the agent prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from gui.i18n import tr
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

AMBER_FROM = 70
RED_FROM = 90
BAR_HEIGHT = 6


class Bar(QWidget):
    """A bar that is `percent` full; amber from 70 %, red from 90 %."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._percent = 0
        self.setFixedHeight(BAR_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def fill(self, percent: int) -> None:
        """Show `percent`; above 100 the whole bar is full."""
        if percent != self._percent:
            self._percent = percent
            self.update()

    def role(self) -> str:
        """Give the colour role of the filled part."""
        if self._percent >= RED_FROM:
            return "bad_bar"
        return "warn_bar" if self._percent >= AMBER_FROM else "ok_bar"

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        painter.setBrush(self._theme.color("track"))
        painter.drawRoundedRect(whole, BAR_HEIGHT / 2, BAR_HEIGHT / 2)
        part = whole.width() * min(self._percent, 100) / 100
        if part > 0:
            painter.setBrush(self._theme.color(self.role()))
            painter.drawRoundedRect(
                QRectF(0, 0, max(part, BAR_HEIGHT), BAR_HEIGHT), BAR_HEIGHT / 2, BAR_HEIGHT / 2
            )
        painter.end()


class BudgetMeter(QWidget):
    """A file's title, its usage in words, and the bar."""

    def __init__(self, theme: Theme, *, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._title = PlainLabel(title, name=f"{name}_title", role="head")
        self._numbers = PlainLabel(name=f"{name}_numbers", role="dim")
        self._bar = Bar(theme)
        self._bar.setObjectName(f"{name}_bar")
        self._wide = True
        self._texts = [""]
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(HALF + 2)
        grid.setColumnStretch(0, 1)
        self._place()

    def show_usage(self, usage: str, percent: int, tokens: int | None) -> None:
        """Show `usage` as the agent prints it, and what it costs in tokens if that is known."""
        over = tr("over the limit") if percent > 100 else ""
        self._texts = [_joined(usage, over)]
        if tokens is not None:
            self._texts = [
                _joined(usage, tr("≈ {tokens:,} tokens per request", tokens=tokens), over),
                _joined(usage, tr("≈ {tokens:,} tokens", tokens=tokens), over),
            ]
        self._bar.fill(percent)
        spoken = f"{self._title.text()}: {self._texts[0]}"
        self.setAccessibleName(spoken)
        self._bar.setAccessibleName(spoken)
        self._place()

    def numbers(self) -> str:
        """Give the text beside the title, in its long form."""
        return self._texts[0]

    def bar(self) -> Bar:
        """The bar."""
        return self._bar

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def minimumSizeHint(self) -> QSize:
        return QSize(15 * GRID, super().minimumSizeHint().height())

    def _place(self) -> None:
        """Put the numbers beside the title, shorter or below it where there is no room."""
        room = self.width() - self._title.sizeHint().width() - 2 * GRID
        measure = self._numbers.fontMetrics().horizontalAdvance
        fitting = [text for text in self._texts if measure(text) <= room]
        wide = bool(fitting)
        if not wide:
            fitting = [text for text in self._texts if measure(text) <= self.width()]
        self._numbers.setText(fitting[0] if fitting else self._texts[-1])
        if wide == self._wide and self._grid.count():
            return
        self._wide = wide
        for widget in (self._title, self._numbers, self._bar):
            self._grid.removeWidget(widget)
        self._numbers.setWordWrap(not wide)
        side = Qt.AlignmentFlag.AlignRight if wide else Qt.AlignmentFlag.AlignLeft
        self._numbers.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(self._title, 0, 0)
        self._grid.addWidget(self._numbers, 0 if wide else 1, 1 if wide else 0)
        self._grid.addWidget(self._bar, 2, 0, 1, 2)


def usage_words(chars: int, limit: float) -> str:
    """Say how full a file is, as the agent prints it, in the language of the window."""
    from store.memory.budget import percent

    return tr(
        "{percent}% — {chars:,}/{limit:,} chars",
        percent=percent(chars, limit),
        chars=chars,
        limit=limit,
    )


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
