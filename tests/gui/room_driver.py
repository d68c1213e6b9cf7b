"""Drives the Make room page of a running desk as a person would."""

from __future__ import annotations

from gui.models.room import MakeRoom, RoomCard
from gui.pages.room import RoomPage
from store.home import Target
from tests.gui.driver import Driver


class RoomDriver:
    """What could go from one file, and what is ticked of it."""

    def __init__(
        self, desk: Driver, target: Target = "memory", characters: int | None = None
    ) -> None:
        self.desk = desk
        desk.window.open_page("room", MakeRoom(target, characters))
        desk.wait(lambda: self.page.ready, "the page")
        desk.rest()

    @property
    def page(self) -> RoomPage:
        page = self.desk.window.page()
        assert isinstance(page, RoomPage)
        return page

    def cards(self) -> list[RoomCard]:
        found = self.page.list.pending_model().cards
        return [card for card in found if isinstance(card, RoomCard)]

    def texts(self) -> list[str]:
        return [card.text for card in self.cards()]

    def ticked(self) -> list[str]:
        return [card.text for card in self.cards() if card.ticked]

    def choose(self, text: str) -> None:
        key = next(card.text for card in self.cards() if text in card.text)
        assert self.page.list.choose(key)

    def want(self, characters: int) -> None:
        """Type a number."""
        line = self.page.wanted.line
        line.setFocus()
        line.selectAll()
        self.desk.qtbot.keyClicks(line, str(characters))

    def total(self) -> str:
        return self.page.totals.meter.numbers()
