"""Drives the Skills page of a running desk as a person would."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel

from gui.pages.skills import SkillsPage
from gui.watch_notes import NoteWatch
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

    def chosen(self) -> str:
        card = self.page.list.current_card()
        return "" if card is None else card.lead

    def choose_kind(self, kind: str) -> None:
        chooser = self.page.kinds
        chooser.setCurrentIndex(chooser.findData(kind))
        chooser.activated.emit(chooser.currentIndex())

    def facts(self) -> dict[str, str]:
        """What is told of the chosen skill."""
        found = {}
        while (name := self.page.findChild(QLabel, f"fact_{len(found)}_name")) is not None:
            found[name.text()] = self.desk.text(f"fact_{len(found)}")
        return found

    def watches(self) -> bool:
        """Whether the background watches what the last look found."""
        busy = self.desk.program.tasks.busy
        return not busy and self._watch.is_watching

    def unwatch(self) -> None:
        """Have nothing on disk tell of itself."""
        self._watch.changed.disconnect()

    @property
    def _watch(self) -> NoteWatch:
        watch = self.page.findChild(NoteWatch)
        assert watch is not None
        return watch

    def action(self, name: str) -> QAction:
        found = self.page.findChild(QAction, name)
        assert found is not None
        return found

    def can(self, action: str) -> bool:
        return self.action(action).isEnabled()

    def act(self, action: str) -> None:
        found = self.action(action)
        assert found.isEnabled(), action
        found.trigger()
        self.desk.rest()

    def spoken(self, name: str) -> str:
        cards = self.page.list.card_model().cards
        return next(card.spoken() for card in cards if card.lead == name)
