"""A list of cards that are a title with a row of words and marks below it."""

from __future__ import annotations

from gui.theme import Theme
from gui.widgets.card_paint import CardDelegate
from gui.widgets.cards import CardList


class TitledDelegate(CardDelegate):
    """Paints the text of a card as a title."""

    def _take_fonts(self) -> None:
        super()._take_fonts()
        self._font = self._bold


class TitledList(CardList):
    """Cards to choose one from."""

    DELEGATE = TitledDelegate

    def __init__(self, theme: Theme, *, name: str, label: str) -> None:
        super().__init__(theme, name=name, label=label)
