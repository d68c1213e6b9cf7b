"""Drives the Skills page of a running desk as a person would."""

from __future__ import annotations

from PySide6.QtGui import QAction

from gui.pages.skills import SkillsPage
from tests.gui.driver import Driver


class SkillsDriver:
    """The page, and its skills by name."""

    def __init__(self, desk: Driver) -> None:
        self.desk = desk
        desk.window.open_page("skills")
        desk.wait(lambda: self.page.ready, "the page")
        desk.rest()

    @property
    def page(self) -> SkillsPage:
        page = self.desk.window.page()
        assert isinstance(page, SkillsPage)
        return page

    def names(self) -> list[str]:
        return [card.lead for card in self.page.list.card_model().cards]

    def choose(self, name: str) -> None:
        cards = self.page.list.card_model().cards
        assert self.page.list.choose(next(card.key for card in cards if card.lead == name))
        self.desk.rest()

    def act(self, action: str) -> None:
        found = self.page.findChild(QAction, action)
        assert found is not None
        assert found.isEnabled(), action
        found.trigger()
        self.desk.rest()

    def spoken(self, name: str) -> str:
        cards = self.page.list.card_model().cards
        return next(card.spoken() for card in cards if card.lead == name)
