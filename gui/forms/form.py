"""A form that is laid out from a declaration alone: a card per group, a row per field."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.forms.editor import FieldEditor
from gui.forms.row import FieldRow
from gui.i18n import tr
from gui.theme import GRID, Theme
from gui.widgets.labels import PlainLabel, restyle
from schema.fields import Declaration


class Section(QWidget):
    """A heading, and a card with rows."""

    def __init__(self, title: str, *, name: str) -> None:
        super().__init__()
        self.setObjectName(f"section_{name}")
        self.setAccessibleName(title)
        self.head = PlainLabel(title, name=f"section_{name}_title", role="head")
        card = QFrame()
        card.setProperty("tone", "plain")
        card.setObjectName(f"section_{name}_card")
        self._rows: list[QWidget] = []
        self._column = QVBoxLayout(card)
        self._column.setContentsMargins(0, 2, 0, 2)
        self._column.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.head)
        column.addWidget(card)

    def add(self, row: QWidget) -> None:
        """Put a row at the end."""
        self._rows.append(row)
        self._column.addWidget(row)
        self.draw_lines()

    def draw_lines(self) -> None:
        """Draw a line above every row but the first of those that are shown."""
        shown = [row for row in self._rows if not row.isHidden()]
        for row in shown:
            first = row is shown[0]
            if row.property("first") != first:
                row.setProperty("first", first)
                restyle(row)


class Form(QWidget):
    """All groups of a declaration, one below the other."""

    edited = Signal(object)
    """The `FieldRow` that a person changed."""

    def __init__(
        self,
        declaration: Declaration,
        theme: Theme,
        *,
        name: str,
        editors: Mapping[str, type[FieldEditor]] | None = None,
        resettable: bool = True,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.rows: dict[str, FieldRow] = {}
        self._sections: list[tuple[Section, list[FieldRow]]] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3 * GRID)
        for group in declaration.groups:
            section, rows = Section(tr(group.label), name=group.key), []
            for field in declaration.fields:
                if field.group == group.key:
                    editor = (editors or {}).get(field.key)
                    row = FieldRow(field, theme, editor=editor, resettable=resettable)
                    row.edited.connect(self._hear)
                    self.rows[field.key] = row
                    rows.append(row)
                    section.add(row)
            self._sections.append((section, rows))
            column.addWidget(section)

    def section(self, key: str) -> Section:
        """The section of a group."""
        name = f"section_{key}"
        return next(one for one, _ in self._sections if one.objectName() == name)

    def edited_rows(self) -> list[FieldRow]:
        """The rows in which there is something to save, from top to bottom."""
        return [row for row in self.rows.values() if row.is_edited()]

    def filter(self, needle: str) -> int:
        """Show only what is about `needle`; everything if it is empty. How many rows are left."""
        left = 0
        for section, rows in self._sections:
            fitting = [row for row in rows if row.fits(needle.casefold())]
            for row in rows:
                row.setVisible(row in fitting)
            section.setVisible(bool(fitting))
            section.draw_lines()
            left += len(fitting)
        return left

    def _hear(self) -> None:
        row = self.sender()
        if isinstance(row, FieldRow):
            self.edited.emit(row)
