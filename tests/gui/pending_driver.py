"""Drives the Pending page of a running desk as a person would: by keys and clicks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from gui.models.cards import Card, Mark
from gui.pages.pending import PendingPage
from gui.pages.pending_editor import PendingEditor
from gui.theme import GRID
from gui.widgets.pending_cards import PendingList
from tests.gui.driver import Driver
from tests.support.skills import put_record


class PendingDriver:
    """The page, its cards by id, and what is said of the chosen one."""

    def __init__(self, desk: Driver) -> None:
        self.desk = desk
        desk.rest()

    @property
    def page(self) -> PendingPage:
        page = self.desk.window.page()
        assert isinstance(page, PendingPage)
        return page

    @property
    def list(self) -> PendingList:
        return self.page.column.list

    # -- looking ---------------------------------------------------------------------------------

    def ids(self) -> list[str]:
        return list(self.list.pending_model().keys)

    def current(self) -> str | None:
        return self.list.current_key()

    def card(self, key: str) -> Card:
        card = self.list.pending_model().card_at(self.list.pending_model().row_of(key))
        assert card is not None
        return card

    def badges(self, key: str) -> list[str]:
        return [mark.text for mark in self.card(key).meta if isinstance(mark, Mark)]

    def badge(self, key: str) -> str:
        """The one that tells the effect, once it is worked out."""
        self.desk.wait(lambda: bool(self.badges(key)), f"the effect of {key}")
        return self.badges(key)[0]

    def problem(self) -> str:
        self.desk.rest()
        return self.page.detail.problem()

    def sentence(self) -> str:
        self.desk.rest()
        return self.desk.text("record_sentence")

    def asks(self) -> list[str]:
        self.desk.rest()
        return self.page.detail.asks.text().split("\n")

    def diff(self) -> list[str]:
        self.desk.rest()
        return self.page.detail.diff.text().split("\n")

    def usage(self) -> str:
        self.desk.rest()
        return self.page.detail.meter.numbers()

    def ticked(self) -> list[str]:
        return list(self.page.column.ticked())

    def totals(self) -> str:
        self.desk.rest()
        return self.page.column.totals.words()

    def subtitle(self) -> str:
        return self.desk.text("page_subtitle")

    def editor(self) -> PendingEditor:
        editor = self.page.detail.editor()
        assert editor is not None, "nothing is being edited"
        return editor

    def focus(self) -> str:
        widget = QApplication.focusWidget()
        return widget.objectName() if widget is not None else ""

    def said(self) -> str:
        """Every word of the page that a person can read now."""
        labels = self.page.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisible())

    def reads(self, text: str) -> None:
        """Wait until `text` can be read on the page."""
        self.desk.wait(lambda: text in self.said(), repr(text))

    # -- acting ----------------------------------------------------------------------------------

    def press(self, keys: str) -> None:
        """Press keys where the keyboard is."""
        widget = QApplication.focusWidget()
        assert widget is not None, "the focus is lost"
        for key in keys.split():
            sequence = QKeySequence(key)[0]
            self.desk.qtbot.keyClick(widget, sequence.key(), sequence.keyboardModifiers())

    def type(self, text: str) -> None:
        widget = QApplication.focusWidget()
        assert widget is not None, "the focus is lost"
        self.desk.qtbot.keyClicks(widget, text)

    def choose(self, key: str) -> None:
        assert self.list.choose(key), f"no record {key}"
        self.list.setFocus()
        self.desk.rest()

    def decide(self, keys: str) -> None:
        """Press keys that decide, and wait until it is done."""
        self.press(keys)
        self.settled()

    def settled(self) -> None:
        self.desk.wait(lambda: not self.page.decisions.busy, "the decision")
        self.desk.rest()

    def box_of(self, key: str) -> QPoint:
        row = self.list.pending_model().row_of(key)
        rect = self.list.visualRect(self.list.pending_model().index(row, 0))
        return rect.topLeft() + QPoint(2 * GRID + 4, 2 * GRID + 4)

    def tick(self, key: str) -> None:
        self.desk.qtbot.mouseClick(
            self.list.viewport(), Qt.MouseButton.LeftButton, pos=self.box_of(key)
        )

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        self.desk.wait(condition, what)


def stage(
    home: Path,
    record_id: str,
    *,
    origin: str = "foreground",
    age: float = 0.0,
    **payload: Any,
) -> Path:
    """Put a record into the queue as the agent does; `age` in seconds."""
    payload = {"action": "add", "target": "memory", "content": None, "old_text": None} | payload
    if payload["action"] == "batch":
        payload = {key: payload[key] for key in ("action", "target", "operations")}
    record = {
        "id": record_id,
        "subsystem": "memory",
        "action": payload["action"],
        "summary": f"summary of {record_id}",
        "origin": origin,
        "created_at": time.time() - age,
        "payload": payload,
    }
    folder = home / "pending" / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{record_id}.json"
    temporary = path.with_suffix(".json.tmp")
    temporary.write_text(json.dumps(record, indent=2, ensure_ascii=False), encoding="utf-8")
    temporary.replace(path)
    return path


def ask_first(home: Path) -> None:
    """Let memory writes wait for approval."""
    (home / "config.yaml").write_text("memory:\n  write_approval: true\n")


def visible(widget: QWidget | None) -> bool:
    return widget is not None and widget.isVisible()


def stage_skill(
    home: Path, record_id: str, *, origin: str = "foreground", age: float = 0.0, **payload: Any
) -> Path:
    """Put a skill record into the queue as the agent does; `age` in seconds."""
    path = put_record(home, record_id, created_at=time.time() - age, **payload)
    record = json.loads(path.read_text()) | {"origin": origin}
    temporary = path.with_suffix(".json.tmp")
    temporary.write_text(json.dumps(record, indent=2), encoding="utf-8")
    temporary.replace(path)
    return path
