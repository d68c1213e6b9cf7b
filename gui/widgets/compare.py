"""Shows two versions of a text, one over the other."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from gui.i18n import tr
from gui.theme import GRID, Theme
from gui.widgets.labels import PlainLabel
from gui.widgets.texts import DiffView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class CompareDialog(QDialog):
    """What is on disk (−) and what was typed (+), line by line."""

    def __init__(
        self,
        theme: Theme,
        disk: str,
        typed: str,
        parent: QWidget,
        lines: list[tuple[str, str]] | None = None,
    ) -> None:
        """`lines`: the difference, if it is known already."""
        super().__init__(parent)
        self.setObjectName("compare")
        self.setWindowTitle(tr("Compare"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(680, 400)
        self._diff = DiffView(theme, name="compare_diff", label=tr("Difference"))
        self._diff.show_lines(difference(disk, typed) if lines is None else lines)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        words = tr("− is on disk now, + is what you typed.")
        column.addWidget(PlainLabel(words, name="compare_words", role="dim"))
        column.addWidget(self._diff)
        box = QDialogButtonBox()
        close = box.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setObjectName("compare_close")
        close.setAccessibleName(tr("Close"))
        box.rejected.connect(self.reject)
        column.addWidget(box)


def difference(before: str, after: str) -> list[tuple[str, str]]:
    """Give lines of kind ("same", "removed", "added") and text that lead from one to the other."""
    kinds = {" ": "same", "-": "removed", "+": "added"}
    lines = difflib.ndiff(before.split("\n") if before else [], after.split("\n"))
    return [(kinds[line[0]], line[2:]) for line in lines if line[0] in kinds]
