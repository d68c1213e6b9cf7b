"""The bar on the Repair page that asks what the bytes of a file are, if they do not say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout

from gui.i18n import tr
from gui.theme import GRID, Theme
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.side import Chooser

if TYPE_CHECKING:
    from gui.models.repair import RepairView, Work


_WIDE = 560


class EncodingBar(QFrame):
    """Shows a guess with its doubt. Until the person says yes or chooses, nothing is applied."""

    chosen = Signal(object)
    """The name of the encoding that the person takes the bytes for."""
    agreed = Signal()
    """The guess reads right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("repair_encoding")
        self.setAccessibleName(tr("Encoding"))
        self.setProperty("tone", "warn")
        self._words = PlainLabel(name="repair_encoding_words", wrap=True)
        self._problem = PlainLabel(name="repair_encoding_problem", role="problem", wrap=True)
        self._choice = Chooser(theme, name="repair_encoding_choice", label=tr("Read it as"))
        self._choice.activated.connect(self._choose)
        self._yes = Button(tr("It reads right"), name="repair_encoding_yes")
        self._yes.clicked.connect(self.agreed)
        self._current = ""
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._words)
        words.addWidget(self._problem)
        row = self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        row.setContentsMargins(12, GRID, GRID, GRID)
        row.setSpacing(GRID)
        row.addLayout(words, 1)
        answers = QHBoxLayout()
        answers.setSpacing(GRID)
        answers.addWidget(self._choice)
        answers.addWidget(self._yes)
        answers.addStretch(1)
        row.addLayout(answers)
        self._problem.hide()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self.width() >= _WIDE
        self._row.setDirection(way.LeftToRight if wide else way.TopToBottom)

    def show_guess(self, view: RepairView, work: Work) -> None:
        """Ask about the file of `view`, if there is something to ask."""
        from store.memory.encodings import OFFERED

        encoding = work.plan.encoding or view.guess
        plain = not view.guess and view.encoding is None
        self.setVisible(not plain)
        if plain:
            return
        if not self._choice.count():
            self._choice.addItems(list(OFFERED))
        self._current = encoding
        self._choice.setCurrentText(encoding)
        self._problem.hide()
        asks = not work.plan.encoding
        self._yes.setVisible(asks)
        if asks:
            words = tr("These bytes do not say what they are. They were read as {encoding}, "
                       "a guess: look whether it reads right before it is applied.",
                       encoding=encoding)  # fmt: skip
        else:
            words = tr("Read as {encoding}, as you said.", encoding=encoding)
        self._words.setText(words)

    def refuse(self, encoding: str) -> None:
        """These bytes cannot be that."""
        self._choice.setCurrentText(self._current)
        self._problem.setText(tr("The file cannot be {encoding}.", encoding=encoding))
        self._problem.show()

    def asks(self) -> bool:
        """Whether the person has not answered yet."""
        return self._yes.isVisibleTo(self)

    def take_focus(self) -> None:
        """Put the keyboard on the answer."""
        self._yes.setFocus()

    def _choose(self, _: int) -> None:
        name = self._choice.currentText()
        if name != self._current:
            self.chosen.emit(name)
