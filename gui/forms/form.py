"""A form that is laid out from a declaration alone: a card per group, a row per field."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from gui.field_words import say_problem
from gui.forms.editor import FieldEditor
from gui.forms.row import FieldRow, Row
from gui.forms.state import free_key
from gui.forms.steps import Step, Steps
from gui.i18n import tr
from gui.theme import GRID, Theme
from gui.widgets.labels import PlainLabel, restyle
from schema.fields import Declaration, Field, Group

FEW = 3
"""How many rows are made or shown in one turn of the event loop."""

SCREENFUL = 40
"""How many rows a search shows in one turn; what lies below comes in the next ones.

Showing a row lays all of the form out anew, so that more of them are cheaper together.
"""

Item = TypeVar("Item")


class Section(QWidget):
    """A heading, and a card with rows."""

    def __init__(self, title: str, parent: QWidget | None = None, *, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(f"section_{name}")
        self.setAccessibleName(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(PlainLabel(title, name=f"section_{name}_title", role="head"))
        self.card = QFrame(self)
        self.card.setProperty("tone", "plain")
        self.card.setObjectName(f"section_{name}_card")
        column.addWidget(self.card)
        self.rows: list[Row] = []
        self.fitting: list[Row] = []
        """The rows that are to be seen."""
        self._hidden: frozenset[Row] = frozenset()
        self._needle = ""
        self._column = QVBoxLayout(self.card)
        self._column.setContentsMargins(0, 2, 0, 2)
        self._column.setSpacing(0)
        self.hide()

    def add(self, row: Row) -> None:
        """Put a row, a child of the card, at the end. It is not shown yet."""
        row.setProperty("first", not self.rows)
        row.hide()
        self.rows.append(row)
        self._column.addWidget(row)

    def reveal(self, rows: list[Row]) -> None:
        """Show these rows, and the section with them."""
        shown = [row for row in rows if row not in self._hidden and row.isHidden()]
        focused = self.card.focusWidget()
        together = len(shown) > FEW and not (focused is not None and focused.hasFocus())
        if together:
            # Every row that appears in what can be seen would lay all of it out anew.
            self.card.hide()
        for row in shown:
            row.show()
        if together:
            self.card.show()
        if self.fitting or shown:
            self.show()

    def hide_rows(self, rows: frozenset[Row]) -> None:
        """Leave these rows out for now, whatever is searched for."""
        if rows != self._hidden:
            self._hidden = rows
            self.filter(self._needle)

    def filter(self, needle: str) -> int:
        """Hide the rows that are not about `needle`; how many are to be revealed."""
        self._needle = needle
        self.fitting = [row for row in self.rows if row not in self._hidden and row.fits(needle)]
        seen = set(self.fitting)
        for row in self.rows:
            if row not in seen:
                row.hide()
            first = row is self.fitting[0] if self.fitting else False
            if row.property("first") != first:
                row.setProperty("first", first)
                restyle(row)
        if not self.fitting:
            self.hide()
        return len(self.fitting)


class Form(QWidget):
    """All groups of a declaration, one below the other.

    Made empty: `build_steps` make its rows and `show_steps` show them, a few at a time.
    """

    edited = Signal(object)
    """The `FieldRow` that a person changed."""
    link_wanted = Signal(object)
    """An address that a person wants to see."""

    def __init__(
        self,
        declaration: Declaration,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        name: str,
        editors: Mapping[str, type[FieldEditor]] | None = None,
        resettable: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.rows: dict[str, FieldRow] = {}
        self._declaration = declaration
        self._theme = theme
        self._editors = editors or {}
        self._resettable = resettable
        self._sections: dict[str, Section] = {}
        self._steps = Steps(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3 * GRID)

    def build_steps(self) -> list[Step]:
        """What makes the form, each but a little work. Nothing is shown by it."""
        return [
            partial(self._build, group, fields)
            for group in self._declaration.groups
            for fields in few(
                [field for field in self._declaration.fields if field.group == group.key]
            )
        ]

    def show_steps(self) -> list[Step]:
        """What shows the form once it is built."""
        return [
            partial(section.reveal, rows)
            for section in self._sections.values()
            for rows in few(section.rows)
        ]

    def _build(self, group: Group, fields: list[Field]) -> None:
        section = self._sections.get(group.key)
        if section is None:
            section = self._sections[group.key] = Section(tr(group.label), self, name=group.key)
            self._column.addWidget(section)
        for field in fields:
            key = free_key(field.key, self.rows)
            row = FieldRow(
                field,
                self._theme,
                section.card,
                key=key,
                editor=self._editors.get(field.key),
                resettable=self._resettable,
            )
            row.edited.connect(self._hear)
            row.link_wanted.connect(self.link_wanted)
            self.rows[key] = row
            section.add(row)

    def section(self, key: str) -> Section:
        """The section of a group."""
        return self._sections[key]

    def edited_rows(self) -> list[FieldRow]:
        """The rows in which there is something to save, from top to bottom."""
        return [row for row in self.rows.values() if row.is_edited()]

    def first_problem(self) -> str:
        """Say what keeps the form from being saved, as a sentence; empty if nothing does."""
        for row in self.edited_rows():
            problem = row.problem()
            if problem is not None:
                label, why = tr(row.field.label), say_problem(problem)
                return tr("{setting} cannot be saved: {why}.", setting=label, why=why)
        return ""

    def show_only(self, keys: Collection[str]) -> None:
        """Leave out the rows whose key is not among `keys`, whatever is searched for."""
        for section in self._sections.values():
            section.hide_rows(
                frozenset(
                    row for row in section.rows if isinstance(row, FieldRow) and row.key not in keys
                )
            )

    def filter(self, needle: str) -> int:
        """Show only what is about `needle`; everything if it is empty. How many rows are left.

        What does not fit goes at once; of what comes, the first rows do.
        """
        left = 0
        for section in self._sections.values():
            left += section.filter(needle.casefold())
        self._reveal()
        return left

    def _reveal(self) -> None:
        self._steps.forget()
        room = SCREENFUL
        later: list[Step] = []
        for section in self._sections.values():
            hidden = [row for row in section.fitting if row.isHidden()]
            section.reveal(hidden[:room])
            late = hidden[room:]
            later += [
                partial(section.reveal, late[at : at + SCREENFUL])
                for at in range(0, len(late), SCREENFUL)
            ]
            room = max(0, room - len(hidden))
        if later:
            self._steps.run(later)

    def _hear(self) -> None:
        row = self.sender()
        if isinstance(row, FieldRow):
            self.edited.emit(row)


def few(items: list[Item]) -> list[list[Item]]:
    """The items in lots of a few, each for one turn of the event loop."""
    return [items[at : at + FEW] for at in range(0, len(items), FEW)]
