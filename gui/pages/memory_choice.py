"""The entries that are chosen in one column of the Memory page, and what they come to."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.i18n import tr, trn
from gui.models.memory import FileView, keys_of, text_of
from gui.models.ticks import MOST_TICKED, Ticks
from gui.workplace import Said

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from gui.widgets.entry_cards import EntryList


class Choice(QObject):
    """Knows the file beyond what is shown of it, for the ticks of its cards."""

    changed = Signal()
    """Others are chosen, or what can be done with them is another thing."""
    said = Signal(object)
    """A `Said` for the toast."""

    def __init__(self, cards: EntryList) -> None:
        super().__init__(cards)
        self._cards = cards
        self._view: FileView | None = None
        self._needle = ""
        self._lost = 0
        self.actions: tuple[QAction, ...] = ()
        """What can be done with several entries."""
        cards.ticks_changed.connect(self._tell)

    def follow(self, view: FileView) -> None:
        """Take note of the file as it now is: what is gone from it is no longer chosen."""
        self._view = view
        keys = self._cards.ticks.keys
        if not keys:
            return
        still = self._cards.ticks.still_among([entry.text for entry in view.state.entries])
        lost = len(keys) - len(still.keys)
        if lost:
            self._cards.tick(still)
            self._lost = lost
            if not still.keys and self._cards.isVisible():
                self.said.emit(Said(tr("What was chosen is no longer there.")))
        self.changed.emit()

    def filter(self, needle: str) -> None:
        """Take note of what is searched for: the choice stays, seen or not."""
        self._needle = needle
        if self._cards.ticks.keys:
            self.changed.emit()

    def choose_all(self) -> None:
        """Choose every entry that the search finds; without one, every entry."""
        if self._view is None:
            return
        ticks = self._cards.ticks
        found = islice(keys_of(self._view.state, self._needle), MOST_TICKED + 1)
        keys = list(found)
        if len(keys) > MOST_TICKED:
            words = tr("The first {n:,} entries are chosen, which is the most.", n=MOST_TICKED)
            self.said.emit(Said(words))
        self._cards.tick(Ticks(frozenset(keys[:MOST_TICKED]), ticks.anchor))

    def end(self) -> None:
        """Choose nothing any more."""
        self._cards.tick(Ticks())

    def __len__(self) -> int:
        return len(self._cards.ticks.keys)

    def texts(self) -> tuple[str, ...]:
        """The chosen texts, each once, in the order of the file."""
        if self._view is None or not self._cards.ticks.keys:
            return ()
        texts = set(map(_text, self._cards.ticks.keys))
        entries = self._view.state.entries
        return tuple(dict.fromkeys(entry.text for entry in entries if entry.text in texts))

    def words(self) -> str:
        """Say how many are chosen and what they cost, and what one might not expect."""
        keys = self._cards.ticks.keys
        said = [
            trn(
                "{n:,} entry chosen — {chars:,} chars",
                "{n:,} entries chosen — {chars:,} chars",
                len(keys),
                chars=sum(len(_text(key)) for key in keys),
            )
        ]
        if hidden := self._hidden():
            said.append(
                trn(
                    "{n:,} of them is not found by the search",
                    "{n:,} of them are not found by the search",
                    hidden,
                )
            )
        if self._lost:
            said.append(
                trn(
                    "{n:,} changed on disk and is no longer chosen",
                    "{n:,} changed on disk and are no longer chosen",
                    self._lost,
                )
            )
        return " · ".join(said)

    def _hidden(self) -> int:
        wanted = self._needle.casefold()
        if not wanted:
            return 0
        return sum(wanted not in _text(key).casefold() for key in self._cards.ticks.keys)

    def _tell(self) -> None:
        self._lost = 0
        self.changed.emit()


def _text(key: Hashable) -> str:
    return text_of(key) or ""
