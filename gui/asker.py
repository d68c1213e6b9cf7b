"""Questions to the person: few, modal, and answerable by a test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class Asker(Protocol):
    """Who answers questions."""

    def confirm(self, *, title: str, text: str, yes: str, no: str) -> bool:
        """Ask, and tell whether the answer is `yes`, the name of one of the two buttons."""

    def folder(self, *, title: str) -> Path | None:
        """Ask for a folder; None if the person chooses none."""

    def open_file(self, *, title: str, kinds: str) -> Path | None:
        """Ask for a file to read, of these kinds as Qt spells them; None if none is chosen."""

    def save_file(self, *, title: str, name: str, kinds: str) -> Path | None:
        """Ask for a file to write; the system asks before one is overwritten."""


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

    def folder(self, *, title: str) -> Path | None:
        """Let the person choose in the system's own dialog."""
        from PySide6.QtWidgets import QFileDialog

        chosen = QFileDialog.getExistingDirectory(self._window, title)
        return Path(chosen) if chosen else None

    def open_file(self, *, title: str, kinds: str) -> Path | None:
        """Let the person choose in the system's own dialog."""
        from PySide6.QtWidgets import QFileDialog

        chosen, _ = QFileDialog.getOpenFileName(self._window, title, "", kinds)
        return Path(chosen) if chosen else None

    def save_file(self, *, title: str, name: str, kinds: str) -> Path | None:
        """Let the person choose in the system's own dialog."""
        from PySide6.QtWidgets import QFileDialog

        chosen, _ = QFileDialog.getSaveFileName(self._window, title, name, kinds)
        return Path(chosen) if chosen else None
