"""Questions to the person: few, modal, and answerable by a test."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


class Asker(Protocol):
    """Who answers questions."""

    def confirm(self, *, title: str, text: str, yes: str, no: str) -> bool:
        """Ask, and tell whether the answer is `yes`, the name of one of the two buttons."""


class DialogAsker:
    """Asks in a dialog over `window`."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def confirm(self, *, title: str, text: str, yes: str, no: str) -> bool:
        """Ask; Esc and closing the dialog mean `no`."""
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self._window)
        box.setObjectName("question")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(title)
        box.setText(title)
        box.setInformativeText(text)
        agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
        refuse = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(refuse)
        box.setEscapeButton(refuse)
        box.exec()
        return box.clickedButton() is agree
