"""An editor for every kind of field. `EDITORS` is the only place that tells kinds apart."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.forms.editor import FieldEditor, default_words, tab_before
from gui.forms.json_editor import JsonEditor
from gui.forms.secret_editor import SecretEditor
from gui.i18n import tr
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import Button, PlainLabel, restyle
from gui.widgets.side import Chooser
from schema.fields import (
    UNSET,
    Field,
    Json,
    Number,
    Secret,
    Select,
    Text,
    Toggle,
)
from schema.values import Accepted, parse, show

LONGEST = (1 << 31) - 1
"""Of a line: Qt would cut it at 32,767 characters, and a cut text could be stored."""
NUMBER_WIDTH = 14 * GRID
TEXT_WIDTH = 26 * GRID
NARROWEST = 8 * GRID


class Line(QLineEdit):
    """A line that leaves Ctrl+Z to the page once it has no step of its own to take back."""

    def sizeHint(self) -> QSize:
        # As wide as it may be where there is room for it.
        return super().sizeHint().expandedTo(QSize(min(self.maximumWidth(), TEXT_WIDTH), 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable():
            event.ignore()
        else:
            super().keyPressEvent(event)


class LineEditor(FieldEditor):
    """One line of text. Nothing in it is no value, unless the field keeps an empty text."""

    line_width = TEXT_WIDTH

    def __init__(self, field: Field, theme: Theme, *, name: str) -> None:
        super().__init__(field, theme, name=name)
        self.line = self._make_line()
        self.line.setObjectName(f"{name}_line")
        self.line.setMaxLength(LONGEST)
        self.line.setPlaceholderText(self._default())
        self.line.textEdited.connect(self._typed)
        self._none = True
        _lay_out(self, self.line)
        if not self.stretches:
            self.line.setMinimumWidth(NARROWEST)
            self.line.setMaximumWidth(self.line_width)

    def _make_line(self) -> QLineEdit:
        return Line()

    def _default(self) -> str:
        """What stands in the empty line, in grey."""
        return default_words(self.field, self.default) or self.field.placeholder

    def raw(self) -> str | None:
        text = self.line.text()
        return text if text or not self._none else None

    def show_raw(self, raw: str | None) -> None:
        self._none = raw is None
        if self.line.text() != (raw or ""):
            self.line.setText(raw or "")
            self.line.setCursorPosition(0)
        self.forget_steps()

    def mark_default(self) -> None:
        self.line.setPlaceholderText(self._default())

    def forget_steps(self) -> None:
        if self.line.isUndoAvailable() or self.line.isRedoAvailable():
            place = self.line.cursorPosition()
            self.line.setText(self.line.text())
            self.line.setCursorPosition(place)

    def parts(self) -> tuple[QWidget, ...]:
        return (self.line,)

    def _typed(self) -> None:
        self._none = self._none or not (self.line.text() or keeps_empty(self.field))
        self.edited.emit()


class TextEditor(LineEditor):
    """Free text."""


class LongTextEditor(TextEditor):
    """Free text that needs the whole width: a path, an address."""

    stretches = True


class NumberLine(Line):
    """A line in which the arrow keys step."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_PageUp: 10,
            Qt.Key.Key_PageDown: -10,
        }
        steps = keys.get(Qt.Key(event.key()), 0)
        if steps and not self.isReadOnly():
            self.stepped.emit(steps)
        else:
            super().keyPressEvent(event)


class NumberEditor(LineEditor):
    """A number; blank lets the default hold, which then stands there in grey."""

    field: Number
    line_width = NUMBER_WIDTH

    def _make_line(self) -> QLineEdit:
        line = NumberLine()
        line.setInputMethodHints(Qt.InputMethodHint.ImhFormattedNumbersOnly)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        line.stepped.connect(self._step)
        return line

    def _default(self) -> str:
        # As it would be typed: numbers below one another are all written alike.
        return show(self.field, self.default) or self.field.placeholder

    def _step(self, steps: int) -> None:
        parsed = parse(self.field, self.raw() or "")
        number = parsed.value if isinstance(parsed, Accepted) else None
        if number is UNSET:
            number = self.default
        if isinstance(number, bool) or not isinstance(number, int | float):
            return
        number += steps * self.field.step
        if self.field.minimum is not None:
            number = max(number, self.field.minimum)
        if self.field.maximum is not None:
            number = min(number, self.field.maximum)
        text = show(self.field, number)
        if text != self.line.text():
            self.line.setText(text)
            self._typed()


class ToggleEditor(FieldEditor):
    """On or off, side by side. Without a value the default is marked as what holds."""

    field: Toggle
    empties = False

    def __init__(self, field: Field, theme: Theme, *, name: str) -> None:
        super().__init__(field, theme, name=name)
        self._raw: str | None = None
        self._buttons = {
            "true": Button(tr("On"), name=f"{name}_on", kind="segment"),
            "false": Button(tr("Off"), name=f"{name}_off", kind="segment"),
        }
        self._foreign: Button | None = None
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        for at, side, button in zip((0, 1), ("left", "right"), self._buttons.values(), strict=True):
            self._add(at, side, button)
        self._group.buttonClicked.connect(self._choose)
        self.show_raw(None)

    def _add(self, at: int, side: str, button: Button) -> None:
        button.setCheckable(True)
        button.setProperty("side", side)
        self._group.addButton(button)
        self._row.insertWidget(at, button)

    def raw(self) -> str | None:
        return self._raw

    def show_raw(self, raw: str | None) -> None:
        foreign = raw if raw is not None and raw not in self._buttons else None
        if foreign is not None and self._foreign is None:
            self._foreign = Button("", name=f"{self.objectName()}_other", kind="segment")
            self._add(0, "other", self._foreign)
            tab_before(self._foreign, self._buttons["true"])
        if self._foreign is not None:
            # Not one of ours: it stays there to be seen, and to go back to.
            self._foreign.setText(foreign or "")
            self._foreign.setVisible(foreign is not None)
        self._mark(raw)

    def mark_default(self) -> None:
        self._mark(self._raw)

    def parts(self) -> tuple[QWidget, ...]:
        # The chosen one first: it is where Tab leads.
        chosen = self._group.checkedButton()
        return tuple(sorted(self._group.buttons(), key=lambda button: button is not chosen))

    def describe(self, label: str, description: str) -> None:
        for button in self.parts():
            words = button.text() if isinstance(button, Button) else ""
            button.setAccessibleName(f"{label}: {words}")
            button.setAccessibleDescription(description)

    def _choose(self, button: Button) -> None:
        raw = next((raw for raw, one in self._buttons.items() if one is button), None)
        if raw is None:
            raw = button.text()
        if raw != self._raw:
            self._mark(raw)
            self.edited.emit()

    def _mark(self, raw: str | None) -> None:
        self._raw = raw
        held = raw if raw is not None else show(self.field, self.default)
        # A group that must have a chosen button would not let go of one.
        self._group.setExclusive(False)
        for name, button in self._buttons.items():
            button.setChecked(name == held)
            default = raw is None and name == held
            if bool(button.property("default")) != default:
                button.setProperty("default", default)
                restyle(button)
        if self._foreign is not None:
            self._foreign.setChecked(raw is not None and raw not in self._buttons)
        self._group.setExclusive(True)


class QuietChooser(Chooser):
    """A choice that the wheel scrolls past."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class SelectEditor(FieldEditor):
    """One of a few. A stored value that is none of them stays in the list, and is marked so."""

    field: Select
    empties = False

    def __init__(self, field: Field, theme: Theme, *, name: str) -> None:
        super().__init__(field, theme, name=name)
        self.list = QuietChooser(theme, name=f"{name}_list", label="")
        self.list.setMinimumWidth(NUMBER_WIDTH)
        self.list.setSizeAdjustPolicy(QuietChooser.SizeAdjustPolicy.AdjustToContents)
        self.list.activated.connect(self._choose)
        self._raws: list[str | None] = []
        self._at = -1
        self._about: PlainLabel | None = None
        self._column = _lay_out(self, self.list)
        self.show_raw(None)

    def raw(self) -> str | None:
        at = self.list.currentIndex()
        return self._raws[at] if at >= 0 else None

    def show_raw(self, raw: str | None) -> None:
        items: list[tuple[str | None, str]] = [
            (option.value, tr(option.label) if option.label else option.value)
            for option in self.field.options
        ]
        if raw is None:
            default = next((label for value, label in items if value == self.default), "")
            words = tr("{choice} (default)", choice=default) if default else tr("Not set")
            items.insert(0, (None, words))
        elif raw not in [value for value, _ in items]:
            items.append((raw, tr("{value} (not in the list)", value=raw)))
        self._raws = [value for value, _ in items]
        self.list.clear()
        self.list.addItems([label for _, label in items])
        self._at = self._raws.index(raw)
        self.list.setCurrentIndex(self._at)
        self._tell()

    def mark_default(self) -> None:
        self.show_raw(self.raw())

    def parts(self) -> tuple[QWidget, ...]:
        return (self.list,)

    def _choose(self, at: int) -> None:
        if at != self._at:
            self._at = at
            self._tell()
            self.edited.emit()

    def _tell(self) -> None:
        """Say what the choice means, where the declaration does."""
        raw = self.raw()
        held = show(self.field, self.default) if raw is None else raw
        texts = (one.description for one in self.field.options if one.value == held)
        text = next(texts, "")
        if self._about is None and text:
            self._about = PlainLabel(name=f"{self.objectName()}_about", role="meta", wrap=True)
            self._column.addWidget(self._about)
        if self._about is not None:
            self._about.setText(tr(text) if text else "")
            self._about.setVisible(bool(text))


EDITORS: dict[type[Field], type[FieldEditor]] = {
    Text: TextEditor,
    Select: SelectEditor,
    Secret: SecretEditor,
    Toggle: ToggleEditor,
    Number: NumberEditor,
    Json: JsonEditor,
}


def keeps_empty(field: Field) -> bool:
    """Whether an empty text is a value of its own."""
    return bool(getattr(field, "keeps_empty", False))


def _lay_out(editor: FieldEditor, widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(editor)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(HALF)
    column.addWidget(widget)
    return column
