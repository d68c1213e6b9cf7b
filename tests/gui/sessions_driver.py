"""Drives the Sessions page of a running desk as a person would."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QComboBox

from gui.pages.sessions import SessionsPage
from tests.gui.driver import Driver


class SessionsDriver:
    """The list, what a search found, and the conversation that is read."""

    def __init__(self, desk: Driver) -> None:
        self.desk = desk
        desk.window.open_page("sessions")
        desk.wait(lambda: self.page.ready, "the page")
        desk.rest()

    @property
    def page(self) -> SessionsPage:
        page = self.desk.window.page()
        assert isinstance(page, SessionsPage)
        return page

    def titles(self) -> list[str]:
        return [card.lead for card in self.page.list.pending_model().cards]

    def hits(self) -> list[str]:
        return [card.text for card in self.page.hits.card_model().cards]

    def messages(self) -> list[str]:
        return [card.text for card in self.page.reader.list.card_model().cards]

    def current_message(self) -> str:
        card = self.page.reader.list.current_card()
        return "" if card is None else card.text

    def search(self, text: str) -> None:
        """Put `text` into the search field, as an input method or the clipboard does."""
        field = self.desk.window.search
        field.begin()
        field.selectAll()
        QApplication.clipboard().setText(text)
        self.desk.keys(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        self.desk.wait(lambda: self._is_over(text), "the search to end")
        self.desk.rest()

    def _is_over(self, text: str) -> bool:
        results = self.page._results
        return results is not None and results.wanted.text == text and results.over

    def filter(self, name: str, text: str) -> None:
        chooser = self.page.findChild(QComboBox, f"filter_{name}")
        assert chooser is not None
        at = chooser.findText(text)
        assert at >= 0, f"no choice {text!r}"
        chooser.setCurrentIndex(at)
        chooser.activated.emit(at)
        self.desk.rest()

    def act(self, name: str) -> None:
        action = self.page.reader.findChild(QAction, name)
        assert action is not None
        assert action.isEnabled()
        action.trigger()
        self.desk.rest()

    def press(self, key: Qt.Key) -> None:
        self.desk.keys(self.page.reader.list, key)
        self.desk.rest()
