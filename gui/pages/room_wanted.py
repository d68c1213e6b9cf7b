"""How much room is wanted, and in which file: the upper part of the Make room page."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QIntValidator, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from gui.forms.editors import Line
from gui.i18n import tr
from gui.models.memory import file_words
from gui.models.room import MakeRoom, RoomView
from gui.theme import GRID, HALF
from gui.widgets.labels import Button, PlainLabel
from store.advice.room import SHARE
from store.home import TARGETS, Target
from store.memory.budget import percent

MOST = 9_999_999
LINE_WIDTH = 11 * GRID
ONE_LINE_FROM = 700


class RoomWanted(QWidget):
    """A file and a number, typed or one of two that are offered."""

    changed = Signal(object)
    """A `MakeRoom`: the person wants this."""
    entered = Signal()
    """The number stands; on to what could go."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("room_wanted")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._target: Target = "memory"
        self._offers = {"over": 0, "share": 0}
        self._group = QButtonGroup(self)
        self._tabs: dict[Target, Button] = {}
        for target in TARGETS:
            tab = self._tabs[target] = Button(file_words(target), name=f"room_{target}", kind="tab")
            tab.setCheckable(True)
            tab.clicked.connect(partial(self._choose, target))
            self._group.addButton(tab)
        self.line = Line()
        self.line.setObjectName("room_chars")
        self.line.setAccessibleName(tr("Characters to make room for"))
        self.line.setValidator(QIntValidator(0, MOST, self.line))
        self.line.setMaxLength(len(str(MOST)))
        self.line.setFixedWidth(LINE_WIDTH)
        self.line.textEdited.connect(self._typed)
        self.line.returnPressed.connect(self.entered)
        self._buttons = {
            name: Button("", name=f"room_{name}", kind="link") for name in self._offers
        }
        for name, button in self._buttons.items():
            button.clicked.connect(partial(self._take, name))
        self._build()

    def _build(self) -> None:
        files = QHBoxLayout()
        files.setSpacing(HALF)
        for tab in self._tabs.values():
            files.addWidget(tab)
        number = QHBoxLayout()
        number.setSpacing(GRID)
        label = PlainLabel(tr("Make room for"), name="room_label")
        label.setBuddy(self.line)
        number.addWidget(label)
        number.addWidget(self.line)
        number.addWidget(PlainLabel(tr("characters"), name="room_unit"))
        offers = QHBoxLayout()
        offers.setSpacing(HALF)
        for button in self._buttons.values():
            offers.addWidget(button)
        self._flow = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._flow.setContentsMargins(0, 0, 0, 0)
        for part in (files, number, offers):
            row = QHBoxLayout()
            row.addLayout(part)
            row.addStretch(1)
            self._flow.addLayout(row)
        self._flow.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= ONE_LINE_FROM
        self._flow.setDirection(way.LeftToRight if wide else way.TopToBottom)
        self._flow.setSpacing(3 * GRID if wide else GRID)

    def show_view(self, view: RoomView, wanted: MakeRoom) -> None:
        """Show what is wanted, and what could be."""
        self._target = wanted.target
        for target, tab in self._tabs.items():
            state = view.file(target).state
            full = tr("{percent}%", percent=percent(state.chars, state.limit))
            tab.say(f"{file_words(target)} · {full}")
            tab.setChecked(target == wanted.target)
        self._offers = {"over": view.over(wanted.target), "share": view.share(wanted.target)}
        self._buttons["over"].say(tr("What is over the limit ({n:,})", n=self._offers["over"]))
        self._buttons["over"].setVisible(self._offers["over"] > 0)
        self._buttons["share"].say(
            tr("{percent}% of the limit ({n:,})", percent=round(SHARE * 100),
               n=self._offers["share"])
        )  # fmt: skip
        self._buttons["share"].setVisible(self._offers["share"] > 0)
        if self.characters() != wanted.characters:
            self.line.setText(str(wanted.characters or 0))

    def characters(self) -> int:
        """The number as it stands; nothing is 0."""
        text = self.line.text()
        return int(text) if text.isascii() and text.isdecimal() else 0

    def _typed(self, _: str) -> None:
        self.changed.emit(MakeRoom(self._target, self.characters()))

    def _take(self, name: str) -> None:
        self.changed.emit(MakeRoom(self._target, self._offers[name]))

    def _choose(self, target: Target) -> None:
        self.changed.emit(MakeRoom(target))
