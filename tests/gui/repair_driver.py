"""Drives the Repair page of a running desk."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from gui.pages.repair import RepairPage
from gui.widgets.bars import Banner
from gui.widgets.cards import CardList
from gui.widgets.entry_editor import EntryEditor
from gui.widgets.lines import LineView
from tests.gui.driver import MemoryDriver


class RepairDriver:
    """The Repair page; everything is done by keys or by what has a name."""

    def __init__(self, desk: MemoryDriver) -> None:
        self.desk = desk

    @property
    def page(self) -> RepairPage:
        page = self.desk.window.page()
        assert isinstance(page, RepairPage)
        return page

    def open(self, target: str = "memory") -> RepairDriver:
        """By the banner of the Memory page."""
        self.desk.click(f"{target}_banner_action")
        self.wait_open()
        return self

    def wait_open(self) -> None:
        self.desk.wait(lambda: isinstance(self.desk.window.page(), RepairPage), "the page")
        self.desk.wait(lambda: self.page.ready, "the file")
        self.desk.rest()

    @property
    def list(self) -> CardList:
        return self.page.entries.list

    @property
    def dropped(self) -> CardList:
        return self.page.entries.dropped

    def texts(self) -> list[str]:
        return [card.text for card in self.list.card_model().cards]

    def left_out(self) -> list[str]:
        return [card.text for card in self.dropped.card_model().cards]

    def marks(self, row: int, cards: CardList | None = None) -> list[str]:
        card = (cards or self.list).card_model().cards[row]
        return [item if isinstance(item, str) else item.text for item in card.meta]

    def why(self) -> str:
        notice = self.desk.find(Banner, "repair_why").notice()
        return "" if notice is None else f"{notice.strong} {notice.text}"

    def file(self) -> LineView:
        return self.desk.find(LineView, "repair_file")

    def choose(self, row: int) -> None:
        self.list.setFocus()
        self.list.choose(self.list.card_model().cards[row].key)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
        """Press a key where the keyboard is."""
        widget = self.desk.window.focusWidget()
        assert widget is not None, "the keyboard is nowhere"
        self.desk.keys(widget, key, modifier)

    def editor(self) -> EntryEditor:
        editor = self.page.entries.editor
        assert editor is not None, "nothing is being edited"
        return editor

    def can_apply(self) -> bool:
        return self.page.findChild(QAction, "repair_apply").isEnabled()  # type: ignore[union-attr]

    def apply(self) -> None:
        self.desk.rest()
        self.key(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)


def broken_home(home: Path, data: bytes, user: bytes | None = None, limit: int = 2200) -> Path:
    """Put these bytes into MEMORY.md of an empty home."""
    path = home / "memories" / "MEMORY.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    if user is not None:
        path.with_name("USER.md").write_bytes(user)
    (home / "config.yaml").write_text(f"memory:\n  memory_char_limit: {limit}\n")
    return path
