"""Drives the Knowledge page of a running desk as a person would."""

from __future__ import annotations

from gui.pages.knowledge import KnowledgePage
from gui.widgets.texts import FileView
from tests.gui.driver import Driver


class KnowledgeDriver:
    """The notes and the one that is read."""

    def __init__(self, desk: Driver) -> None:
        self.desk = desk
        desk.window.open_page("knowledge")
        desk.wait(lambda: self.page.ready, "the page")
        desk.rest()

    @property
    def page(self) -> KnowledgePage:
        page = self.desk.window.page()
        assert isinstance(page, KnowledgePage)
        return page

    def titles(self) -> list[str]:
        return [card.lead or card.text for card in self.page.list.card_model().cards]

    def choose(self, title: str) -> None:
        cards = self.page.list.card_model().cards
        key = next(card.key for card in cards if title in (card.lead, card.text))
        assert self.page.list.choose(key)
        self.desk.rest()

    def search(self, text: str) -> None:
        self.page.search(text)
        self.desk.rest()

    def select_raw(self, text: str) -> None:
        """Select a passage of the note as it is."""
        self.desk.click("note_switch")
        view = self.desk.find(FileView, "note_raw")
        found = view.document().find(text)
        assert not found.isNull()
        view.setTextCursor(found)
