"""Drives the page on where a text belongs as a person would."""

from __future__ import annotations

from PySide6.QtCore import Qt

from gui.models.belongs import LAYER_WORDS, Belongs
from gui.pages.belongs import BelongsPage
from tests.gui.driver import Driver


class BelongsDriver:
    """The questions, and what they lead to."""

    def __init__(self, desk: Driver, about: Belongs | None = None) -> None:
        self.desk = desk
        if about is not None:
            desk.window.open_page("belongs", about)
        desk.wait(lambda: isinstance(desk.window.page(), BelongsPage), "the page")
        desk.wait(lambda: self.page.ready, "the page")
        desk.rest()

    @property
    def page(self) -> BelongsPage:
        page = self.desk.window.page()
        assert isinstance(page, BelongsPage)
        return page

    def suggested(self) -> list[str]:
        return [name for name in LAYER_WORDS if self.desk.sees(f"suggested_{name}")
                and self.desk.text(f"suggested_{name}") == "suggested"]  # fmt: skip

    def asked(self) -> list[str]:
        return [one for one in ("about_you", "steps", "always") if self.desk.sees(f"ask_{one}")]

    def answer(self, *keys: int) -> None:
        for key in keys:
            self.desk.keys(self.page.questions, Qt.Key(Qt.Key.Key_0 + key))

    def accept(self) -> None:
        self.desk.keys(self.page.questions, Qt.Key.Key_Return)
        self.desk.rest()
