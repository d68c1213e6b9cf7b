"""The Overview: a card per layer, what is not as it should be, and the last weeks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.forms.area import FormArea
from gui.i18n import tr
from gui.models.overview import KINDS, Layer, OverviewView, Problem, read_overview
from gui.page import Page
from gui.page_names import PAGE_NAMES
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import Button, PlainLabel, restyle
from gui.widgets.meter import Bar
from gui.widgets.timeline import ROLES, Timeline
from gui.workplace import Workplace

if TYPE_CHECKING:
    from pathlib import Path

    from store.home import HermesHome

CARD_WIDTH = 34 * GRID


class LayerCard(QFrame):
    """One layer: how it stands, and the way to its page."""

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"layer_{name}")
        self.setProperty("tone", "plain")
        self._title = PlainLabel(name=f"layer_{name}_title", role="dim")
        self._line = PlainLabel(name=f"layer_{name}_line", role="strong", wrap=True)
        self._bar = Bar(theme)
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
        if not problem.page:
            words.addWidget(PlainLabel(finding.fix, name=f"{name}_fix", role="dim", wrap=True))
        self.button = Button(problem.action, name=f"{name}_go")
        self.button.setAccessibleDescription(finding.message)
        self.button.setVisible(bool(problem.page))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 10, 12, 10)
        row.setSpacing(GRID)
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(f"{finding.message} {finding.fix}")


class OverviewPage(Page):
    """Everything at a glance. Changes nothing."""

    name = "overview"
    load = staticmethod(read_overview)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: OverviewView | None = None
        self._cards: dict[str, LayerCard] = {}
        self._columns = 0
        self._rows: list[ProblemRow] = []
        self._area = FormArea(name="overview_area")
        self.body.addWidget(self._area, 1)
        inside = self._area.inside()
        cards = QWidget(inside)
        self._grid = QGridLayout(cards)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID)
        self._area.add(cards)
        self._area.add(self._problems(inside))
        self._area.add(self._weeks(inside))

    def _problems(self, parent: QWidget) -> QWidget:
        whole = QWidget(parent)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(PlainLabel(tr("Worth a look"), name="problems_title", role="head"))
        self._fine = PlainLabel(
            tr("Everything is as it should be."), name="no_problems", role="dim", wrap=True
        )
        column.addWidget(self._fine)
        self._list = QFrame()
        self._list.setObjectName("problems")
        self._list.setProperty("tone", "plain")
        self._list_column = QVBoxLayout(self._list)
        self._list_column.setContentsMargins(0, 2, 0, 2)
        self._list_column.setSpacing(0)
        column.addWidget(self._list)
        return whole

    def _weeks(self, parent: QWidget) -> QWidget:
        whole = QWidget(parent)
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        head = QHBoxLayout()
        head.setSpacing(2 * GRID)
        head.addWidget(PlainLabel(tr("The last weeks"), name="weeks_title", role="head"))
        head.addStretch(1)
        names = {
            "memory": tr("Changes of memory"),
            "approvals": tr("Approvals"),
            "sessions": tr("Conversations"),
        }
        for kind in KINDS:
            head.addWidget(Swatch(self.theme, ROLES[kind]))
            head.addWidget(PlainLabel(names[kind], name=f"legend_{kind}", role="meta"))
        column.addLayout(head)
        self.timeline = Timeline(self.theme, name="timeline")
        column.addWidget(self.timeline)
        return whole

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Overview")

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        return frozenset(
            {
                home.config,
                home.memory_file("memory"),
                home.memory_file("user"),
                home.pending("memory"),
                home.pending("skills"),
            }
        )

    def take_focus(self) -> None:
        for row in self._rows:
            if row.button.isVisible():
                row.button.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        for card in self._cards.values():
            if card.button.isVisible():
                card.button.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    # -- showing -----------------------------------------------------------------------------

    def show_loaded(self, loaded: OverviewView) -> None:
        before, self._view = self._view, loaded
        for layer in loaded.layers:
            if layer.name not in self._cards:
                card = self._cards[layer.name] = LayerCard(self.theme, layer.name, self)
                card.button.clicked.connect(partial(self._go_to_layer, layer.name))
                self._columns = 0
            self._cards[layer.name].show_layer(layer)
        self._flow()
        if before is None or before.problems != loaded.problems:
            self._show_problems(loaded.problems)
        self.timeline.show_days(loaded.days)

    def _show_problems(self, problems: tuple[Problem, ...]) -> None:
        for row in self._rows:
            self._list_column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [ProblemRow(at, one, self._list) for at, one in enumerate(problems)]
        for row, problem in zip(self._rows, problems, strict=True):
            row.button.clicked.connect(partial(self._go, problem.page, problem.about))
            self._list_column.addWidget(row)
            row.show()
        self._list.setVisible(bool(problems))
        self._fine.setVisible(not problems)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._flow()

    def _flow(self) -> None:
        """Put the cards into as many columns as there is room for."""
        columns = max(1, min(4, self.width() // CARD_WIDTH))
        if columns == self._columns:
            return
        self._columns = columns
        for card in self._cards.values():
            self._grid.removeWidget(card)
        for at, card in enumerate(self._cards.values()):
            self._grid.addWidget(card, at // columns, at % columns)
        for column in range(4):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    # -- ways elsewhere ----------------------------------------------------------------------

    def _go_to_layer(self, name: str) -> None:
        view = self._view
        layer = next((one for one in view.layers if one.name == name), None) if view else None
        if layer is not None:
            self._go(layer.page, name if layer.page == "repair" else "")

    def _go(self, page: str, about: str) -> None:
        self.place.page_wanted.emit(page, about or None)


class Swatch(QWidget):
    """A small square in the colour of a part of the chart."""

    def __init__(self, theme: Theme, role: str) -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self.setFixedSize(10, 10)
        theme.changed.connect(self.update)

    def paintEvent(self, event: object) -> None:
        from PySide6.QtGui import QPainter

        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(self._role))
        painter.end()
