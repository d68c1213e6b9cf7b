"""Edits one entry in the place of its card."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from gui.i18n import tr
from gui.theme import GRID, HALF
from gui.widgets.bars import ConflictBar
from gui.widgets.keys import native_keys
from gui.widgets.labels import ActionButton, Button, PlainLabel, restyle
from gui.widgets.texts import PlainEditor, from_qt

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

Cost = Callable[[str], tuple[str, bool]]
"""Says what a text would cost, and whether that is too much."""
Parted = Callable[[str, str], str]
"""Says what the texts before and behind the cursor would cost as two entries; or nothing."""


class EntryEditor(QFrame):
    """A text with *Save* and *Cancel*, the budget as it would be, and what stands in the way."""

    save_requested = Signal()
    cancel_requested = Signal()
    edited = Signal()
    """The person changed the text."""
    grown = Signal()
    """The editor asks for more or less room."""

    def __init__(
        self, *, text: str, label: str, save: str, cost: Cost, parted: Parted | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("entry_editor")
        self.setAccessibleName(label)
        self._cost = cost
        self._parted = parted
        self._busy = False
        self._suggested: QHBoxLayout | None = None
        self.field = PlainEditor(name="entry_text", label=label)
        self.field.set_text(text)
        self.conflict = ConflictBar(name="entry_conflict")
        self._problem = PlainLabel(name="entry_problem", role="problem", wrap=True)
        self._usage = PlainLabel(name="entry_usage", role="meta", wrap=True)
        self._save = Button(save, name="entry_save", kind="primary")
        self._save.setToolTip(native_keys("Ctrl+Return"))
        self._cancel = Button(tr("Cancel"), name="entry_cancel")
        self._cancel.setToolTip(native_keys("Esc"))
        self._build()
        self.field.textChanged.connect(self._typed)
        if parted is not None:
            self.field.cursorPositionChanged.connect(self._weigh)
        self.field.save_requested.connect(self.save_requested)
        self.field.cancel_requested.connect(self.cancel_requested)
        self._save.clicked.connect(self.save_requested)
        self._cancel.clicked.connect(self.cancel_requested)
        self.setFocusProxy(self.field)
        self._weigh()

    def _build(self) -> None:
        row = self._row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self._save)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(10, GRID, 10, GRID)
        column.setSpacing(HALF)
        column.addWidget(self.conflict)
        column.addWidget(self.field)
        column.addWidget(self._problem)
        column.addWidget(self._usage)
        column.addLayout(row)
        self._problem.hide()

    def offer(self, action: QAction) -> None:
        """Have one more button, whose shortcut works in the field."""
        self.field.addAction(action)
        self._row.insertWidget(0, ActionButton(action, parent=self))

    def suggest(self, action: QAction) -> None:
        """Offer what else could become of the text, in a row of its own below it."""
        if self._suggested is None:
            self._suggested = QHBoxLayout()
            self._suggested.setSpacing(HALF)
            self._suggested.addStretch(1)
            self._column.insertLayout(self._column.indexOf(self._problem) + 1, self._suggested)
        self.field.addAction(action)
        button = ActionButton(action, kind="link", parent=self)
        self._suggested.insertWidget(self._suggested.count() - 1, button)
        self.grown.emit()

    def text(self) -> str:
        """Give the text as it stands."""
        return self.field.text()

    def parts(self) -> tuple[str, str]:
        """Give the text before the cursor, and the text behind it."""
        cursor = self.field.textCursor()
        cursor.setPosition(0, cursor.MoveMode.KeepAnchor)
        text, at = self.field.text(), len(from_qt(cursor.selectedText()))
        return text[:at], text[at:]

    def show_problem(self, text: str) -> None:
        """Say what stands in the way of saving; an empty text takes it back."""
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        self.field.setAccessibleDescription(text)
        if bool(self.field.property("wrong")) != bool(text):
            self.field.setProperty("wrong", bool(text))
            restyle(self.field)
        self.grown.emit()

    def problem(self) -> str:
        """Give what is said to stand in the way."""
        return "" if self._problem.isHidden() else self._problem.text()

    def usage(self) -> str:
        """Give what is said about the cost."""
        return self._usage.text()

    def set_busy(self, busy: bool) -> None:
        """While it is being saved, nothing can be typed and nothing saved twice."""
        self._busy = busy
        self.field.setReadOnly(busy)
        self._save.setEnabled(not busy)

    def is_busy(self) -> bool:
        """Whether it is being saved."""
        return self._busy

    def weigh_again(self) -> None:
        """Reckon the cost again: the file around the entry changed."""
        self._weigh()

    def heightForWidth(self, width: int) -> int:
        # Without a wrapped line on show the layout has no height for a width, only its hint.
        if self._column.hasHeightForWidth():
            return self._column.totalHeightForWidth(width)
        return self._column.totalSizeHint().height()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.grown.emit()
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.heightForWidth(self.width()))

    def _typed(self) -> None:
        self._weigh()
        if self.problem():
            self.show_problem("")
        self.edited.emit()

    def _weigh(self) -> None:
        text, too_much = self._cost(self.field.text())
        parted = "" if self._parted is None else self._parted(*self.parts())
        self._usage.setText("\n".join(filter(None, (text, parted))))
        role = "problem" if too_much else "meta"
        if self._usage.property("role") != role:
            self._usage.setProperty("role", role)
            restyle(self._usage)

    def take_focus(self) -> None:
        """Put the cursor at the end of the text."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        cursor = self.field.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self.field.setTextCursor(cursor)
