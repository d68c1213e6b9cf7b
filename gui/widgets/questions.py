"""A few questions with two answers each, for single keys: 1 and 2 answer, Up and Down go on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QSizePolicy

from gui.theme import GRID, HALF
from gui.widgets.labels import Button, PlainLabel, restyle

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent
    from PySide6.QtWidgets import QWidget


class Questions(QFrame):
    """Asks. Which questions are seen, and what is answered, is told from outside."""

    answered = Signal(object)
    """A pair: the name of the question, and whether the first of its answers was given."""
    accepted = Signal()
    """The person is content with all answers."""

    def __init__(
        self, *, name: str, label: str, asked: Sequence[tuple[str, str, tuple[str, str]]]
    ) -> None:
        """`asked` are questions: a name, the question in words, and its two answers."""
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("tone", "plain")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._names = [one for one, _, _ in asked]
        self._words = {one: words for one, words, _ in asked}
        self._seen: tuple[str, ...] = ()
        self._at = 0
        self._labels: dict[str, PlainLabel] = {}
        self._buttons: dict[str, tuple[Button, Button]] = {}
        self._groups: list[QButtonGroup] = []
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(12, 10, 12, 10)
        grid.setVerticalSpacing(GRID)
        grid.setHorizontalSpacing(2 * GRID)
        grid.setColumnStretch(0, 1)
        for row, (one, words, answers) in enumerate(asked):
            self._add(row, one, words, answers)

    def _add(self, row: int, name: str, words: str, answers: tuple[str, str]) -> None:
        label = self._labels[name] = PlainLabel(words, name=f"ask_{name}", wrap=True)
        group = QButtonGroup(self)
        self._groups.append(group)
        yes, no = (
            Button(f"{key} · {text}", name=f"answer_{name}_{key}", kind="tab")
            for key, text in enumerate(answers, start=1)
        )
        line = QHBoxLayout()
        line.setSpacing(HALF)
        for button, answer in ((yes, True), (no, False)):
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the frame has the keyboard
            button.setAccessibleDescription(words)
            button.clicked.connect(partial(self._click, name, answer))
            group.addButton(button)
            line.addWidget(button)
        self._buttons[name] = (yes, no)
        self._grid.addWidget(label, row, 0)
        self._grid.addLayout(line, row, 1, Qt.AlignmentFlag.AlignRight)

    def show_answers(self, seen: Sequence[str], answers: dict[str, bool | None]) -> None:
        """Show these questions, each with its answer."""
        self._seen = tuple(seen)
        self._at = min(self._at, max(len(self._seen) - 1, 0))
        for name in self._names:
            asked = name in self._seen
            self._labels[name].setVisible(asked)
            for button, answer in zip(self._buttons[name], (True, False), strict=True):
                button.setVisible(asked)
                button.setChecked(answers.get(name) is answer)
        self._mark()

    def current(self) -> str:
        """Give the name of the question that the keys answer."""
        return self._seen[self._at] if self._seen else ""

    def begin(self) -> None:
        """Go to the first question."""
        self._at = 0
        self._mark()

    def _mark(self) -> None:
        """Show which question the keys answer."""
        focused = self.hasFocus()
        for name, label in self._labels.items():
            role = "strong" if focused and name == self.current() else ""
            if (label.property("role") or "") != role:
                label.setProperty("role", role)
                restyle(label)
        self.setAccessibleDescription(self._words.get(self.current(), ""))

    def _click(self, name: str, answer: bool, _: bool = False) -> None:
        self._answer(name, answer)

    def _answer(self, name: str, answer: bool) -> None:
        self._at = self._seen.index(name) + 1
        self.answered.emit((name, answer))
        self._at = min(self._at, max(len(self._seen) - 1, 0))
        self._mark()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, name = event.key(), self.current()
        keys = Qt.Key
        if key in (keys.Key_1, keys.Key_2) and name:
            self._answer(name, key == keys.Key_1)
        elif key in (keys.Key_Left, keys.Key_Right) and name:
            self.answered.emit((name, key == keys.Key_Left))
        elif key in (keys.Key_Up, keys.Key_Down):
            step = 1 if key == keys.Key_Down else -1
            self._at = min(max(self._at + step, 0), max(len(self._seen) - 1, 0))
            self._mark()
        elif key in (keys.Key_Return, keys.Key_Enter):
            self.accepted.emit()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._mark()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._mark()

    def buttons(self, name: str) -> tuple[QWidget, QWidget]:
        """The two answers of a question."""
        return self._buttons[name]
