"""What of the queue is shown: the choices above the list of the Pending page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import N_, tr, trn
from gui.models.pending_filter import Filter
from gui.theme import BAR, GRID, Theme
from gui.widgets.checks import CheckBox
from gui.widgets.labels import Button
from gui.widgets.side import Chooser

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

SIDE_BY_SIDE_FROM = 340
"""In less room the words of two choices side by side would be cut."""

CHOICES: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "about",
        N_("What it is about"),
        (
            ("all", N_("All kinds")),
            ("memory", N_("Agent memory")),
            ("user", N_("User profile")),
            ("skills", N_("Skills")),
        ),
    ),
    (
        "origin",
        N_("Who staged it"),
        (
            ("all", N_("By anyone")),
            ("auto", N_("Background reviews")),
            ("asked", N_("Conversations")),
        ),
    ),
    (
        "age",
        N_("How old it is"),
        (
            ("all", N_("Any age")),
            ("day", N_("Older than a day")),
            ("week", N_("Older than a week")),
            ("month", N_("Older than a month")),
        ),
    ),
    (
        "state",
        N_("How it stands"),
        (
            ("all", N_("Any state")),
            ("applies", N_("Can be approved")),
            ("refused", N_("Something in the way")),
            ("stale", N_("Can no longer apply")),
            ("near", N_("Near to another")),
            ("trouble", N_("Not usable")),
        ),
    ),
)


class Filters(QWidget):
    """A button that tells how many choices keep something away, and the choices below it."""

    changed = Signal()
    """Another choice was made."""
    everywhere_wanted = Signal(bool)
    """Whether the records of all profiles are to be listed."""

    def __init__(self, theme: Theme, all_box: CheckBox) -> None:
        super().__init__()
        self.setObjectName("filters")
        self.setAccessibleName(tr("Filters"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._needle = ""
        self.button = Button(tr("Filter"), name="show_filters")
        self.button.setCheckable(True)
        self.button.setToolTip("F")
        self.button.setMinimumHeight(4 * GRID)
        self.button.clicked.connect(self._open)
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, BAR, 0)
        head.addWidget(all_box, 1)
        head.addWidget(self.button)
        self.panel = QWidget()
        self.panel.setObjectName("filter_panel")
        self._grid = QGridLayout(self.panel)
        self._grid.setContentsMargins(0, 0, BAR, 0)
        self._grid.setSpacing(GRID)
        self.choosers: dict[str, Chooser] = {}
        for name, label, choices in CHOICES:
            chooser = Chooser(theme, name=f"filter_{name}", label=tr(label))
            chooser.setToolTip(tr(label))
            chooser.setMinimumContentsLength(8)
            chooser.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            for value, words in choices:
                chooser.addItem(tr(words), value)
            chooser.activated.connect(self._tell)
            self.choosers[name] = chooser
        self.everywhere = CheckBox(theme, tr("All profiles"), name="filter_everywhere")
        self.everywhere.clicked.connect(self._want_everywhere)
        self._clear = Button(tr("Show all"), name="clear_filters")
        self._clear.clicked.connect(self.clear)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 0, 0)
        foot.addWidget(self.everywhere)
        foot.addStretch(1)
        foot.addWidget(self._clear)
        self._grid.addLayout(foot, len(CHOICES), 0, 1, 2)
        self._place(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.panel)
        self.panel.hide()
        self._sync()

    def _place(self, columns: int) -> None:
        """Put so many choices side by side."""
        for at, chooser in enumerate(self.choosers.values()):
            self._grid.addWidget(chooser, at // columns, at % columns, 1, 3 - columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < SIDE_BY_SIDE_FROM
        if narrow != (event.oldSize().width() < SIDE_BY_SIDE_FROM):
            self._place(1 if narrow else 2)

    def wanted(self) -> Filter:
        """What is to be listed."""
        chosen = {name: chooser.currentData() for name, chooser in self.choosers.items()}
        return Filter(**chosen, needle=self._needle)

    def search(self, needle: str) -> None:
        """Look for `needle` from now on."""
        if needle.strip() != self._needle:
            self._needle = needle.strip()
            self.changed.emit()

    def choose(self, wanted: Filter) -> None:
        """Make these choices."""
        before = self.wanted()
        for name, chooser in self.choosers.items():
            chooser.setCurrentIndex(chooser.findData(getattr(wanted, name)))
        self._needle = wanted.needle
        self._sync()
        if before != wanted:
            self.changed.emit()

    def clear(self, *_: object) -> None:
        """Let everything be listed, the search aside."""
        self.choose(replace(Filter(), needle=self._needle))

    def toggle(self) -> None:
        """Show the choices with the keyboard in the first of them, or hide them."""
        self.button.setChecked(not self.button.isChecked())
        self._open()

    def _open(self, *_: object) -> None:
        self.panel.setVisible(self.button.isChecked())
        if self.button.isChecked():
            self.choosers["about"].setFocus()

    def offer_profiles(self, several: bool, everywhere: bool) -> None:
        """Offer the records of other profiles where there are such; `everywhere` if they are."""
        self.everywhere.setVisible(several)
        self.everywhere.setChecked(everywhere)
        self._sync()

    def _want_everywhere(self, *_: object) -> None:
        self._sync()
        self.everywhere_wanted.emit(self.everywhere.isChecked())

    def _tell(self, *_: object) -> None:
        self._sync()
        self.changed.emit()

    def _sync(self) -> None:
        count = self.wanted().narrows + self.everywhere.isChecked()
        self.button.setText(trn("Filter ({n})", "Filter ({n})", count) if count else tr("Filter"))
        self._clear.setEnabled(self.wanted().narrows > 0)
