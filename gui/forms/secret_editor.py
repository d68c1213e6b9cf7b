"""The editor of a key or password: what is stored never comes here, only whether something is."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.forms.editor import FieldEditor
from gui.forms.state import CLEARED
from gui.i18n import N_, tr
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import Button, PlainLabel
from schema.fields import UNSET, Field
from schema.secrets import Blemish, blemishes
from schema.values import Accepted, Problem, parse

LONGEST = (1 << 31) - 1


BLEMISHES: dict[Blemish, str] = {
    "masked": N_("This looks like a hidden key, not like the key itself."),
    "invisible": N_("There is a character in it that cannot be seen."),
    "look_alike": N_("A letter in it only looks like a Latin one."),
    "quoted": N_("The quotes around it would be part of it."),
    "assignment": N_("It begins with a name and “=”; only what follows is the key."),
    "blanks": N_("There is a blank inside it."),
}


class SecretLine(QLineEdit):
    """A line whose text is neither seen nor copied, and is trimmed when it is pasted."""

    cancelled = Signal()
    pasted = Signal(object)
    """Whether blanks around the pasted text were removed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setMaxLength(LONGEST)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste_trimmed()
        elif event.matches(QKeySequence.StandardKey.Cancel):
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def paste_trimmed(self) -> None:
        """Insert what is on the clipboard, without blanks and line ends around it."""
        text = QApplication.clipboard().text()
        if text.strip():
            self.insert(text.strip())
            self.textEdited.emit(self.text())
            self.pasted.emit(text.strip() != text)


class SecretEditor(FieldEditor):
    """Set, replace and clear, as three actions. Leaving the form forgets what was typed.

    `value()` is what was typed, `CLEARED`, or UNSET where nothing is to be done.
    """

    is_secret = True

    def __init__(self, field: Field, theme: Theme, *, name: str) -> None:
        super().__init__(field, theme, name=name)
        self._is_set = False
        self._doing: Literal["", "set", "clear"] = ""
        self._pasted = ""
        self.line = SecretLine(f"{name}_line")
        self.line.setPlaceholderText(field.placeholder or tr("Type or paste it here"))
        self.line.textEdited.connect(self._typed)
        self.line.cancelled.connect(self.cancel)
        self.line.pasted.connect(self._say_pasted)
        self._words = PlainLabel(name=f"{name}_doing", role="meta", wrap=True)
        self._set = self._button("set", tr("Set…"), self.begin)
        self._replace = self._button("replace", tr("Replace…"), self.begin)
        self._clear = self._button("clear", tr("Clear"), self.clear)
        self._keep = self._button("keep", tr("Keep it"), self.cancel)
        self._cancel = self._button("cancel", tr("Cancel"), self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(HALF)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.line, 1)
        for button in (self._set, self._replace, self._clear, self._keep, self._cancel):
            row.addWidget(button)
        row.addStretch(0)
        column.addLayout(row)
        column.addWidget(self._words)
        self._show()

    def _button(self, part: str, text: str, act: object) -> Button:
        button = Button(text, name=f"{self.objectName()}_{part}")
        button.clicked.connect(act)
        return button

    # -- the three actions -----------------------------------------------------------------

    def begin(self) -> None:
        """Let a value be typed; what is stored stays until the form is saved."""
        self._doing = "set"
        self._show()
        self.line.setFocus()

    def clear(self) -> None:
        """Remove what is stored, once the form is saved."""
        self._change("clear")
        self._keep.setFocus()

    def cancel(self) -> None:
        """Leave what is stored as it is, and forget what was typed."""
        self._change("")
        self.take_focus()

    def _change(self, doing: Literal["", "set", "clear"]) -> None:
        before = self.value()
        self._doing = doing
        self._forget()
        self._show()
        if before != self.value():
            self.edited.emit()

    # -- what every editor has -------------------------------------------------------------

    def show_set(self, is_set: bool) -> None:
        """Say whether something is stored."""
        self._is_set = is_set
        if not is_set and self._doing == "clear":
            self._doing = ""
        self._show()

    def show_value(self, value: object) -> None:
        # Whatever it is, it is not shown; and what was typed is done with.
        self.rebase(UNSET)
        self._doing = ""
        self._forget()
        self._show()

    def rebase(self, value: object) -> None:
        super().rebase(UNSET)

    def raw(self) -> str | None:
        return self.line.text() or None

    def show_raw(self, raw: str | None) -> None:
        self._forget()

    def value(self) -> object | Problem:
        if self._doing == "clear":
            return CLEARED
        text = self.line.text()
        if self._doing != "set" or not text.strip():
            return UNSET
        parsed = parse(self.field, text)
        return parsed.value if isinstance(parsed, Accepted) else parsed

    def is_edited(self) -> bool:
        return self.value() is not UNSET

    def use_default(self) -> None:
        self.cancel()

    def parts(self) -> tuple[QWidget, ...]:
        order = (self.line, self._set, self._replace, self._clear, self._keep, self._cancel)
        return tuple(sorted(order, key=lambda part: part.isHidden()))

    def describe(self, label: str, description: str) -> None:
        for part in self.parts():
            words = f"{label}: {part.text()}" if isinstance(part, Button) else label
            part.setAccessibleName(words)
            part.setAccessibleDescription(description)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous() and self._doing == "set":
            self._change("")

    # -- inside ----------------------------------------------------------------------------

    def _typed(self) -> None:
        self._pasted = ""
        self._say()
        self.edited.emit()

    def _say_pasted(self, trimmed: object) -> None:
        self._pasted = tr("Blanks around the pasted text were left out.") if trimmed else ""
        self._say()

    def _forget(self) -> None:
        self._pasted = ""
        self.line.setText("")  # and its own steps back with it

    def _say(self) -> None:
        words = [self._pasted, *(tr(BLEMISHES[one]) for one in blemishes(self.line.text().strip()))]
        if self._doing == "clear":
            words = [tr("Is removed when you save.")]
        said = " ".join(word for word in words if word)
        self._words.setText(said)
        self._words.setVisible(bool(said))

    def _show(self) -> None:
        typing, clearing = self._doing == "set", self._doing == "clear"
        resting = not typing and not clearing
        self.line.setVisible(typing)
        self._cancel.setVisible(typing)
        self._set.setVisible(resting and not self._is_set)
        self._replace.setVisible(resting and self._is_set)
        self._clear.setVisible(resting and self._is_set)
        self._keep.setVisible(clearing)
        self._say()
