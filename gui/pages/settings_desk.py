"""The part of the Settings page that is about the desk itself. What is chosen holds at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.forms.editors import LineEditor, LongTextEditor
from gui.forms.form import Form
from gui.forms.row import FieldRow, Row
from gui.forms.state import RowState
from gui.forms.steps import Step
from gui.i18n import tr
from gui.models.desk_settings import DESK_SETTINGS, DeskView, Place, choose, read_desk
from gui.theme import GRID
from gui.widgets.labels import Button, PlainLabel, restyle
from gui.words import say
from gui.workplace import Said, Workplace
from schema.fields import UNSET

if TYPE_CHECKING:
    from store.refusals import Refusal

Opener = Callable[[Path], bool]
"""Shows a folder in the system's file manager, and tells whether there is one."""


def open_folder(path: Path) -> bool:
    """Show a folder in the system's file manager."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


class PlaceRow(Row):
    """A folder that the desk keeps things in."""

    wanted = Signal(object)
    """The path of the folder that the person wants to see."""

    def __init__(self, place: Place, parent: QWidget) -> None:
        name = f"place_{place.key}"
        super().__init__(parent, name=name)
        self.setAccessibleName(place.label)
        self._path = place.path
        self._texts = (place.label, place.help, str(place.path))
        self._shown = PlainLabel(name=f"{name}_path", role="meta", wrap=True).select_with_mouse()
        self._shown.setAccessibleName(place.label)
        self._button = Button(tr("Show folder"), name=f"{name}_show")
        self._button.setAccessibleDescription(place.label)
        self._button.clicked.connect(self._want)
        self._not_made = PlainLabel(tr("not made yet"), name=f"{name}_not_made", role="meta")
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(PlainLabel(place.label, name=f"{name}_label", role="strong"))
        head.addWidget(self._not_made)
        head.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addLayout(head)
        words.addWidget(PlainLabel(place.help, name=f"{name}_help", role="dim", wrap=True))
        words.addWidget(self._shown)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 10, 2 * GRID, 10)
        row.setSpacing(2 * GRID)
        row.addLayout(words, 1)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.show_place(place)

    def show_place(self, place: Place) -> None:
        """Show where it is now."""
        self._path = place.path
        self._shown.setText(str(place.path))
        self._not_made.setVisible(not place.made)
        self._button.setEnabled(place.made)

    def fits(self, needle: str) -> bool:
        return any(needle in text.casefold() for text in self._texts)

    def _want(self) -> None:
        self.wanted.emit(self._path)


class DeskSection(QWidget):
    """Colours, language, being told, the path of Hermes, and where private text is kept."""

    def __init__(self, place: Workplace, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("desk_settings")
        self._place = place
        self._latest: DeskView | None = None
        self._built = False
        self.opener: Opener = open_folder
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.form = Form(
            DESK_SETTINGS,
            place.theme,
            self,
            name="desk_form",
            editors={"hermes": LongTextEditor},
            resettable=False,
        )
        column.addWidget(self.form)
        self._found = PlainLabel(name="hermes_found", role="meta", wrap=True, parent=self)
        self._found.select_with_mouse()
        self._places: dict[str, PlaceRow] = {}
        self.form.edited.connect(self._choose)

    def build_steps(self) -> list[Step]:
        """What makes the section, each but a little work."""
        return [*self.form.build_steps(), self._finish]

    def _finish(self) -> None:
        hermes = self.form.rows["hermes"]
        hermes.add_extra(self._found)
        if isinstance(hermes.editor, LongTextEditor):
            hermes.editor.line.setPlaceholderText(tr("found by itself"))
        for key, row in self.form.rows.items():
            if isinstance(row.editor, LineEditor):
                row.editor.line.editingFinished.connect(partial(self._choose_typed, key))
        self._built = True
        if self._latest is not None:
            self._show(self._latest)

    def refresh(self) -> None:
        """Read it all again."""
        self._place.tasks.read(self, partial(read_desk, self._place.env), self._show)

    def open(self, path: Path) -> None:
        """Show a folder to the person."""
        if not self.opener(path):
            words = tr("No file manager answered; the folder is {path}.", path=path)
            self._place.said.emit(Said(words))

    def _show(self, view: DeskView) -> None:
        self._latest = view
        if view.preferences != self._place.preferences:
            self._place.preferences = view.preferences
            self._place.preferences_changed.emit()
        if not self._built:
            return
        for key, row in self.form.rows.items():
            state = RowState(value=view.value(key))
            if row.is_edited() and isinstance(row.editor, LineEditor):
                row.rebase(state)
            else:
                row.show_state(state)
        self._found.setText(view.hermes)
        self._found.setProperty("role", "meta" if view.found else "warn")
        restyle(self._found)
        self.form.rows["hermes"].say_extra(view.hermes)
        for place in view.places:
            self._show_place(place)

    def _show_place(self, place: Place) -> None:
        if place.key in self._places:
            self._places[place.key].show_place(place)
            return
        section = self.form.section("desk")
        row = self._places[place.key] = PlaceRow(place, section.card)
        row.wanted.connect(self.open)
        shown = not section.isHidden()
        section.add(row)
        row.setVisible(shown)

    def _choose(self, row: FieldRow) -> None:
        if isinstance(row.editor, LineEditor):
            return  # only once it is typed to the end
        value = row.editor.value()
        if row.field.key == "colour_scheme":
            self._place.theme.choose(str(value))
        self._write(row, value)

    def _choose_typed(self, key: str) -> None:
        row = self.form.rows[key]
        if row.is_edited():
            value = row.editor.value()
            self._write(row, row.editor.default if value is UNSET else value)

    def _write(self, row: FieldRow, value: object) -> None:
        if isinstance(value, str | bool | int):
            row.rebase(RowState(value=value))
            work = partial(choose, self._place.env, row.field.key, value)
            self._place.write(self, work, self._written)

    def _written(self, view: DeskView) -> None:
        self._show(view)
        refusal: Refusal | None = view.refusal
        if refusal is not None:
            self._place.theme.choose(view.preferences.colour_scheme)
            self._place.said.emit(Said(say(refusal)))
