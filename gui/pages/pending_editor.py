"""Edits the texts of a staged write before it is approved."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout

from gui.i18n import tr
from gui.models.pending_edit import EditableText
from gui.theme import GRID, HALF
from gui.widgets.bars import Banner, Notice
from gui.widgets.keys import native_keys
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.texts import PlainEditor


class PendingEditor(QFrame):
    """One field for each text of a write, with *Approve* and *Cancel*. Decides nothing."""

    approve_requested = Signal()
    cancel_requested = Signal()
    edited = Signal()
    """The person changed a text."""

    def __init__(self, texts: Sequence[EditableText], typed: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("pending_editor")
        self.setAccessibleName(tr("Edit, then approve"))
        self._busy, self._allowed = False, True
        self._original = [one.text for one in texts]
        self.fields = [
            PlainEditor(name=f"pending_text_{one.number}", label=one.label, most_lines=8)
            for one in texts
        ]
        self.notice = Banner(name="pending_editor_notice")
        self.notice.acted.connect(self._copy)
        self._problem = PlainLabel(name="pending_editor_problem", role="problem", wrap=True)
        self._approve = Button(tr("Approve as edited"), name="approve_edited", kind="primary")
        self._approve.setToolTip(native_keys("Ctrl+Return"))
        self._cancel = Button(tr("Cancel"), name="cancel_edit")
        self._cancel.setToolTip(native_keys("Esc"))
        self._build(texts)
        for field, text in zip(self.fields, typed, strict=True):
            field.set_text(text)
            field.textChanged.connect(self.edited)
            field.save_requested.connect(self._approve.click)
            field.cancel_requested.connect(self.cancel_requested)
        self._approve.clicked.connect(self.approve_requested)
        self._cancel.clicked.connect(self.cancel_requested)
        self.setFocusProxy(self.fields[0])

    def _build(self, texts: Sequence[EditableText]) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(10, GRID, 10, GRID)
        column.setSpacing(HALF)
        column.addWidget(self.notice)
        for one, field in zip(texts, self.fields, strict=True):
            field.setProperty("alone", len(texts) == 1)
            if len(texts) > 1:
                name = f"pending_label_{one.number}"
                column.addWidget(PlainLabel(one.label, name=name, role="meta"))
            column.addWidget(field)
        column.addWidget(self._problem)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(1)
        row.addWidget(self._cancel)
        row.addWidget(self._approve)
        column.addLayout(row)
        self._problem.hide()

    def texts(self) -> tuple[str, ...]:
        """Give the texts as they stand."""
        return tuple(field.text() for field in self.fields)

    def is_changed(self) -> bool:
        """Whether a text differs from what the record says."""
        return list(self.texts()) != self._original

    def show_problem(self, text: str) -> None:
        """Say what stands in the way of approving; an empty text takes it back."""
        self._problem.setText(text)
        self._problem.setVisible(bool(text))
        for field in self.fields:
            field.setAccessibleDescription(text)

    def problem(self) -> str:
        """Give what is said to stand in the way."""
        return "" if self._problem.isHidden() else self._problem.text()

    def allow(self, possible: bool) -> None:
        """Let the person approve, or not while it cannot be done."""
        self._allowed = possible
        self._show_possible()

    def set_busy(self, busy: bool) -> None:
        """While it is being approved nothing can be typed, and nothing approved twice."""
        self._busy = busy
        for field in self.fields:
            field.setReadOnly(busy)
        self._show_possible()

    def is_busy(self) -> bool:
        """Whether it is being approved."""
        return self._busy

    def tell_lost(self, text: str) -> None:
        """Say that the record is no longer what is edited; the text can still be copied."""
        self.notice.show_notice(Notice("lost", text, action=tr("Copy text")) if text else None)
        self._show_possible()

    def is_lost(self) -> bool:
        """Whether the record is no longer what is edited."""
        return self.notice.notice() is not None

    def _show_possible(self) -> None:
        self._approve.setEnabled(self._allowed and not self._busy and not self.is_lost())
        self._cancel.setEnabled(not self._busy)

    def take_focus(self) -> None:
        """Put the cursor at the end of the first text."""
        field = self.fields[0]
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        cursor = field.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        field.setTextCursor(cursor)

    def _copy(self, _: Notice) -> None:
        QApplication.clipboard().setText("\n\n".join(self.texts()))
