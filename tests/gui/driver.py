"""Drives the real window as a person would: by names, keys and clicks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.app import Options, Program
from gui.pages.memory import MemoryPage
from gui.pages.memory_column import FileColumn
from gui.widgets.cards import CardList
from gui.widgets.entry_editor import EntryEditor
from gui.window import Window
from store.home import Target
from store.preferences import Preferences

Kind = TypeVar("Kind", bound=QWidget)
DEADLINE_MS = 20_000


class Answers:
    """An asker that gives prepared answers and keeps the questions."""

    def __init__(self, *answers: bool) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.chosen: Path | None = None

    def confirm(self, *, title: str, text: str, yes: str, no: str) -> bool:
        self.asked.append(title)
        return self.answers.pop(0)

    def folder(self, *, title: str) -> Path | None:
        self.asked.append(title)
        return self.chosen

    def open_file(self, *, title: str, kinds: str) -> Path | None:
        self.asked.append(title)
        return self.chosen

    def save_file(self, *, title: str, name: str, kinds: str) -> Path | None:
        self.asked.append(title)
        return self.chosen


class Driver:
    """One running desk."""

    def __init__(self, qtbot: QtBot, app: QApplication, options: Options) -> None:
        self.qtbot = qtbot
        self.program = Program(app, options, dict(os.environ), Preferences())
        self.asker = Answers()
        self.window.asker = self.asker

    def open(self) -> None:
        """Show the window and wait for the first page."""
        self.program.open()
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow, "the window to be active: shortcuts need that")
        self.wait(lambda: self._shown(), "the first page")

    @property
    def window(self) -> Window:
        return self.program.window

    def _shown(self) -> bool:
        page = self.window.page()
        welcome = self.window.findChild(QWidget, "page_welcome")
        return (page is not None and page.ready) or (welcome is not None and welcome.isVisible())

    def close(self) -> None:
        self.program.close()

    # -- waiting and finding -------------------------------------------------------------------

    def wait(self, condition: Callable[[], bool], what: str = "") -> None:
        try:
            self.qtbot.waitUntil(condition, timeout=DEADLINE_MS)
        except AssertionError as error:
            raise AssertionError(f"waited in vain for {what}") from error

    def rest(self) -> None:
        """Wait until no work is on its way."""
        self.wait(lambda: not self.program.tasks.busy, "rest")

    def find(self, kind: type[Kind], name: str) -> Kind:
        found = self.window.findChild(kind, name)
        assert found is not None, f"no {name}"
        return found

    def sees(self, name: str) -> bool:
        found = self.window.findChild(QWidget, name)
        return found is not None and found.isVisible()

    def text(self, name: str) -> str:
        return self.find(QLabel, name).text()

    # -- acting ----------------------------------------------------------------------------------

    def click(self, name: str) -> None:
        """Press a button once that is possible: a row of them is laid out a turn later."""
        self.wait(lambda: self._can_press(name), f"{name} to be seen and to be pressed")
        self.qtbot.mouseClick(self.find(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def _can_press(self, name: str) -> bool:
        button = self.window.findChild(QAbstractButton, name)
        return button is not None and button.isVisible() and button.isEnabled()

    def keys(
        self, widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None
    ) -> None:
        self.qtbot.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)

    def toast(self) -> str:
        return self.window.toast.text()

    def press_toast(self) -> None:
        self.click("toast_action")


class MemoryDriver(Driver):
    """The Memory page of a running desk."""

    @property
    def page(self) -> MemoryPage:
        page = self.window.page()
        assert isinstance(page, MemoryPage)
        return page

    def column(self, target: Target) -> FileColumn:
        return self.page.columns[target]

    def cards(self, target: Target) -> CardList:
        return self.column(target).list

    def texts(self, target: Target) -> list[str]:
        return [card.text for card in self.cards(target).card_model().cards]

    def choose(self, target: Target, text: str) -> CardList:
        assert self.column(target).lead_to(text), f"no entry {text!r}"
        return self.cards(target)

    def act(self, target: Target, action: str) -> None:
        found = self.column(target).findChild(QAction, f"{target}_{action}")
        assert found is not None
        assert found.isEnabled()
        found.trigger()

    def edit(self, target: Target, text: str) -> EntryEditor:
        self.keys(self.choose(target, text), Qt.Key.Key_Return)
        return self.editor(target)

    def editor(self, target: Target) -> EntryEditor:
        editor = self.column(target).editor()
        assert editor is not None, "nothing is being edited"
        return editor

    def type_over(self, editor: EntryEditor, text: str) -> None:
        editor.field.selectAll()
        self.qtbot.keyClicks(editor.field, text)

    def save(self, editor: EntryEditor) -> None:
        self.keys(editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def card_point(cards: CardList, row: int) -> QPoint:
    return cards.visualRect(cards.card_model().index(row, 0)).center()


def write_as_agent(path: Path, *entries: str) -> None:
    """Replace a memory file as the agent does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(".mem_test.tmp")
    temporary.write_text("\n§\n".join(entries), encoding="utf-8", newline="")
    temporary.replace(path)


def entries_of(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return text.split("\n§\n") if text else []
