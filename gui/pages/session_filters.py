"""What a search in the conversations is narrowed by."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from gui.i18n import N_, tr
from gui.models.sessions import ROLES, Wanted
from gui.theme import GRID, Theme
from gui.widgets.side import Chooser

SORTS = (("best", N_("Best first")), ("newest", N_("Newest first")), ("oldest", N_("Oldest first")))
TIMES = (
    ("", N_("Any time")),
    ("week", N_("Last 7 days")),
    ("month", N_("Last 30 days")),
    ("year", N_("Last year")),
)


class SearchFilters(QWidget):
    """Order, who wrote it, when, where, with which model."""

    changed = Signal()
    """Another choice was made."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("search_filters")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID)
        self.sort = self._chooser(theme, "sort", tr("Order"), 0, 0)
        self.within = self._chooser(theme, "within", tr("When"), 0, 1)
        self.role = self._chooser(theme, "role", tr("Who wrote it"), 1, 0)
        self.source = self._chooser(theme, "source", tr("Where"), 1, 1)
        self.model = self._chooser(theme, "model", tr("Model"), 2, 0, span=2)
        for value, label in SORTS:
            self.sort.addItem(tr(label), value)
        for value, label in TIMES:
            self.within.addItem(tr(label), value)
        self.role.addItem(tr("Anyone"), "")
        for value, label in ROLES.items():
            self.role.addItem(tr(label), value)
        self.offer((), ())

    def _chooser(
        self, theme: Theme, name: str, label: str, row: int, column: int, span: int = 1
    ) -> Chooser:
        chooser = Chooser(theme, name=f"filter_{name}", label=label)
        chooser.activated.connect(self._tell)
        self._grid.addWidget(chooser, row, column, 1, span)
        return chooser

    def offer(self, sources: tuple[str, ...], models: tuple[str, ...]) -> None:
        """Offer the sources and models that there are, keeping what is chosen."""
        for chooser, every, values in (
            (self.source, tr("Every source"), sources),
            (self.model, tr("Every model"), models),
        ):
            now = chooser.currentData()
            chooser.clear()
            chooser.addItem(every, "")
            for value in values:
                chooser.addItem(value, value)
            chooser.setCurrentIndex(max(chooser.findData(now), 0))
            chooser.setVisible(len(values) > 1)

    def chosen(self) -> Wanted:
        """What is chosen, without a text."""
        return Wanted(
            "",
            sort=self.sort.currentData(),
            role=self.role.currentData(),
            source=self.source.currentData(),
            model=self.model.currentData(),
            within=self.within.currentData(),
        )

    def _tell(self, _: int) -> None:
        self.changed.emit()
