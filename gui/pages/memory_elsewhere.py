"""What the search of the Memory page finds in other profiles, where the person wants that."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr
from gui.models.drafts import ShowEntry
from gui.models.elsewhere import Found, cards_of_finds, find_of, look_elsewhere, words_of_finds
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.cards import CardList
from gui.widgets.checks import CheckBox
from gui.widgets.keys import native_keys
from gui.widgets.labels import PlainLabel
from gui.workplace import ProfileWanted, Workplace

if TYPE_CHECKING:
    from store.desk import Desk

KEYS = "Ctrl+Shift+F"
MOST_HEIGHT = 240
"""The entries of this profile stay in view."""


class Elsewhere(QWidget):
    """A box to tick, and the entries of the other profiles as cards that lead to them."""

    def __init__(self, place: Workplace) -> None:
        super().__init__()
        self.setObjectName("elsewhere")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._place = place
        self._needle = ""
        self._asked = Ticket()
        self.box = CheckBox(place.theme, tr("Also in other profiles"), name="search_elsewhere")
        self.box.setToolTip(native_keys(KEYS))
        self.box.clicked.connect(self._look)
        QShortcut(QKeySequence(KEYS), self).activated.connect(self.box.click)
        self._words = PlainLabel(name="elsewhere_words", role="meta", wrap=True)
        self.list = CardList(
            place.theme, name="elsewhere_cards", label=tr("Entries of other profiles")
        )
        self.list.opened.connect(self._open)
        self.list.height_changed.connect(self._fit)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        head.setSpacing(2 * GRID)
        head.addWidget(self.box)
        head.addWidget(self._words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.list)
        self.list.hide()
        self.hide()
        place.opened.connect(self._forget)

    def search(self, needle: str) -> None:
        """Look for `needle`, or with an empty one for nothing any more."""
        if needle != self._needle:
            self._needle = needle
            self._look()

    def words(self) -> str:
        """Give what is said about what was found."""
        return "" if self.isHidden() else self._words.text()

    def _look(self) -> None:
        self._asked.cancel()
        desk = self._place.desk
        if not self._needle or desk is None:
            self.hide()
            return
        ticket = self._asked = Ticket()
        wanted = self.box.isChecked()
        work = partial(look_elsewhere, desk, self._needle, wanted, ticket.is_cancelled)
        self._place.tasks.read(self, work, partial(self._show, desk), ticket=ticket)

    def _show(self, desk: Desk, found: Found) -> None:
        if desk is not self._place.desk or found.needle != self._needle:
            return
        wanted = self.box.isChecked()
        self._words.setText(words_of_finds(found.finds) if wanted else "")
        self.list.show_cards(cards_of_finds(found) if wanted else [])
        self.list.mark_matches(found.needle)
        self.list.setVisible(bool(found.finds.entries) and wanted)
        self.setVisible(found.others)
        self._fit()

    def _fit(self) -> None:
        height = self.list.content_height()
        self.list.setFixedHeight(min(height or MOST_HEIGHT, MOST_HEIGHT))

    def _open(self, key: Hashable) -> None:
        find = find_of(key)
        if find is not None:
            about = ShowEntry(find.target, find.text)
            self._place.profile_wanted.emit(ProfileWanted(find.profile, "memory", about))

    def _forget(self, _: object) -> None:
        self._asked.cancel()
        self.list.show_cards([])
        self.hide()
        if self._needle:
            self._look()
