"""Buttons that show the key that does the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout

from gui.theme import HALF
from gui.widgets.labels import ActionButton, PlainLabel

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QAction, QMouseEvent

EDGE = 10


class KeyButton(ActionButton):
    """A push button for a QAction with its key on it. A double click presses it once."""

    def __init__(self, action: QAction, *, kind: str = "") -> None:
        self._key: PlainLabel | None = None
        super().__init__(action, kind=kind)
        self.setProperty("keyed", True)
        keys = native_keys(action.shortcut())
        self._key = PlainLabel(keys, name=f"{self.objectName()}_key", role="key", parent=self)
        self._key.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row = QHBoxLayout(self)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.setContentsMargins(0, 0, 0 if kind == "way" else EDGE, 0)
        row.addStretch(1)
        row.addWidget(self._key, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleDescription(keys)

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        if self._key is not None:
            size.setWidth(size.width() + self._key.sizeHint().width() + HALF)
        return size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The first click may have led to the next record: the second was not meant for that one.
        event.accept()


def native_keys(keys: QKeySequence | str) -> str:
    """Name keys as this system does."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
