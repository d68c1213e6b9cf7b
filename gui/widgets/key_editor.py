"""Takes a key in the place of its card; what is typed is not seen, and forgotten when left."""

from __future__ import annotations

from PySide6.QtCore import QRegularExpression, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QRegularExpressionValidator
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from gui.forms.secret_editor import BLEMISHES, SecretLine
from gui.i18n import tr
from gui.theme import GRID, HALF
from gui.widgets.labels import Button, PlainLabel
from schema.secrets import blemishes


class KeyEditor(QFrame):
    """A name, if it is a new key, and a value; with *Save* and *Cancel*."""

    save_requested = Signal()
    cancel_requested = Signal()
    grown = Signal()
    """It asks for more or less room."""

    def __init__(self, name: str = "", *, plain: bool = False) -> None:
        """Take the value of the key `name`; of a new one, whose name is typed too, if empty.

        `plain`: there is no keyring, so the value would stand readable in .env, and this says so.
        """
        super().__init__()
        self.setObjectName("entry_editor")
        self.setAccessibleName(tr("Key"))
        self._name = name
        self.plain = plain
        self._pasted = ""
        self.name_line = QLineEdit()
        self.name_line.setObjectName("key_name")
        self.name_line.setAccessibleName(tr("Name of the key"))
        self.name_line.setPlaceholderText(tr("Name, as in HONCHO_API_KEY"))
        pattern = QRegularExpression("[A-Za-z_][A-Za-z0-9_]*")
        self.name_line.setValidator(QRegularExpressionValidator(pattern, self))
        self.name_line.setVisible(not name)
        self.line = SecretLine("key_value")
        self.line.setAccessibleName(tr("Value of {name}", name=name) if name else tr("Value"))
        self.line.setPlaceholderText(tr("Type or paste it here"))
        self._words = PlainLabel(name="key_words", role="meta", wrap=True)
        self._problem = PlainLabel(name="key_problem", role="problem", wrap=True)
        words = tr("Write it into .env, readable") if plain else tr("Keep in the keyring")
        self._save = Button(words, name="key_save", kind="" if plain else "primary")
        self._cancel = Button(tr("Cancel"), name="key_cancel")
        self._build()
        self.line.textEdited.connect(self._typed)
        self.line.pasted.connect(self._say_pasted)
        self.line.cancelled.connect(self.cancel_requested)
        self.line.returnPressed.connect(self._want_save)
        self.name_line.textEdited.connect(self._typed)
        self.name_line.returnPressed.connect(self.line.setFocus)
        self._save.clicked.connect(self._want_save)
        self._cancel.clicked.connect(self.cancel_requested)
        self.setFocusProxy(self.line if name else self.name_line)
        self._typed()

    def _build(self) -> None:
        fields = QHBoxLayout()
        fields.setSpacing(GRID)
        if self._name:
            fields.addWidget(PlainLabel(self._name, name="key_of", role="strong"))
        fields.addWidget(self.name_line, 2)
        fields.addWidget(self.line, 3)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self._words, 1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._save)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, GRID, 10, GRID)
        column.setSpacing(HALF)
        column.addLayout(fields)
        column.addWidget(self._problem)
        column.addLayout(buttons)
        self._problem.hide()

    def name(self) -> str:
        """The name of the key."""
        return self._name or self.name_line.text()

    def value(self) -> str:
        """What is typed, without blanks around it."""
        return self.line.text().strip()

    def refuse(self, words: str) -> None:
        """Say why it was not kept. What is typed stays."""
        self._problem.setText(words)
        self._problem.setVisible(bool(words))
        self.line.setAccessibleDescription(words)
        self.grown.emit()

    def forget(self) -> None:
        """Let go of what is typed."""
        self.line.setText("")

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.forget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel_requested.emit()
        else:
            super().keyPressEvent(event)

    def _want_save(self) -> None:
        if self._save.isEnabled():
            self.save_requested.emit()

    def _say_pasted(self, trimmed: object) -> None:
        self._pasted = tr("Blanks around the pasted text were left out.") if trimmed else ""
        self._say()

    def _typed(self) -> None:
        self._pasted = ""
        self._problem.hide()
        self._save.setEnabled(bool(self.name() and self.value()))
        self._say()

    def _say(self) -> None:
        plain = tr("Whoever can read .env can read the key.") if self.plain else ""
        words = [plain, self._pasted, *(tr(BLEMISHES[one]) for one in blemishes(self.value()))]
        self._words.setText(" ".join(word for word in words if word))
        self.grown.emit()
