"""What the Overview is made of: the card of a layer, the rows of its lists, a colour's swatch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.advice_words import first_way, say_advice, way_words
from gui.i18n import sentences, tr, trn
from gui.page_names import PAGE_NAMES
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import Button, PlainLabel, restyle
from gui.widgets.meter import Bar
from gui.words import excerpt, file_name

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from gui.models.overview import Problem
    from gui.models.overview_layers import Layer
    from store.advice.judge import Advice

ONE_LINE_FROM = 560
"""In less room the buttons of an advice stand below its words."""


class LayerCard(QFrame):
    """One layer: how it stands, and the way to its page."""

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"layer_{name}")
        # As wide as its column, whatever its words would like.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setProperty("tone", "plain")
        self._title = PlainLabel(name=f"layer_{name}_title", role="dim")
        self._line = PlainLabel(name=f"layer_{name}_line", role="strong", wrap=True)
        self._bar = Bar(theme)
        self._bar.setObjectName(f"layer_{name}_bar")
        self._more = PlainLabel(name=f"layer_{name}_more", role="meta", wrap=True)
        self.button = Button("", name=f"layer_{name}_open", kind="link")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(HALF)
        for widget in (self._title, self._line, self._bar, self._more):
            column.addWidget(widget)
        column.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.button)
        row.addStretch(1)
        column.addLayout(row)

    def show_layer(self, layer: Layer) -> None:
        """Show how it stands now."""
        self._title.setText(layer.title)
        self._line.setText(layer.line)
        self._more.setText(layer.more)
        self._more.setVisible(bool(layer.more))
        self._bar.setVisible(layer.full is not None)
        self._bar.fill(layer.full or 0)
        self.button.say(layer.action)
        self.button.setAccessibleDescription(layer.title)
        self.button.setVisible(layer.page in PAGE_NAMES)
        tone = layer.tone if layer.tone in ("warn", "bad") else "plain"
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)
        self.setAccessibleName(
            ", ".join(one for one in (layer.title, layer.line, layer.more) if one)
        )


class ProblemRow(QFrame):
    """One finding: what it is, what to do, and the button that leads there."""

    SIGNS = {"bad": "!!", "warn": "!", "info": "·"}  # noqa: RUF012 - never changed

    def __init__(self, number: int, problem: Problem, parent: QWidget) -> None:
        super().__init__(parent)
        name = f"problem_{number}"
        self.setObjectName(name)
        self.setProperty("kind", "row")
        self.setProperty("first", number == 0)
        finding = problem.finding
        role = {"bad": "problem", "warn": "warn"}.get(finding.severity, "dim")
        sign = PlainLabel(self.SIGNS[finding.severity], name=f"{name}_sign", role=role)
        sign.setFixedWidth(2 * GRID)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(
            PlainLabel(finding.message, name=f"{name}_text", wrap=True).select_with_mouse()
        )
        if not (problem.page or problem.private):
            words.addWidget(PlainLabel(finding.fix, name=f"{name}_fix", role="dim", wrap=True))
        self.button = Button(problem.action, name=f"{name}_go")
        self.button.setAccessibleDescription(finding.message)
        self.button.setVisible(bool(problem.page or problem.private))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 10, 12, 10)
        row.setSpacing(GRID)
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(f"{finding.message} {finding.fix}")


class AdviceRow(QFrame):
    """An entry that might leave memory: every reason, what that frees, and the ways for it.

    `way` is the first action that is advised beside deleting, None where there is no other.
    """

    def __init__(self, number: int, reasons: Sequence[Advice], parent: QWidget) -> None:
        super().__init__(parent)
        name = f"advice_{number}"
        self.setObjectName(name)
        self.setProperty("kind", "row")
        self.setProperty("first", number == 0)
        advice = self.advice = reasons[0]
        frees = trn("frees {n:,} char", "frees {n:,} chars", advice.frees)
        why = f"{sentences(*map(say_advice, reasons))} · {frees} · {file_name(advice.target)}"
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(PlainLabel(excerpt(advice.entry), name=f"{name}_entry", wrap=True))
        words.addWidget(PlainLabel(why, name=f"{name}_why", role="meta", wrap=True))
        self.way = first_way(reasons)
        self.way_button = Button(way_words(self.way), name=f"{name}_way")
        self.way_button.setVisible(self.way is not None)
        self.show_button = Button(tr("Show it"), name=f"{name}_show")
        self.delete_button = Button(tr("Delete"), name=f"{name}_delete")
        for button in (self.way_button, self.show_button, self.delete_button):
            button.setAccessibleDescription(excerpt(advice.entry))
        self.delete_button.setVisible(any("delete" in one.actions for one in reasons))
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(0)
        for button in (self.way_button, self.show_button, self.delete_button):
            buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        # As wide as the page: in little room the buttons stand below the words.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(12, 10, 12, 10)
        self._row.setSpacing(GRID)
        self._row.addLayout(words, 1)
        self._row.addLayout(buttons)
        self.setAccessibleName(f"{excerpt(advice.entry)}. {why}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= ONE_LINE_FROM
        self._row.setDirection(way.LeftToRight if wide else way.TopToBottom)


class Swatch(QWidget):
    """A small square in the colour of a part of the chart."""

    def __init__(self, theme: Theme, role: str, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._theme = theme
        self._role = role
        self.setFixedSize(10, 10)
        theme.changed.connect(self.update)

    def paintEvent(self, event: object) -> None:
        from PySide6.QtGui import QPainter

        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(self._role))
        painter.end()
