"""The right side of the Knowledge page: one note, rendered or as it is, and remembering from it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gui.i18n import tr
from gui.models.knowledge import NoteView
from gui.pages.skill_detail import Rendered
from gui.theme import BAR, GRID, Theme
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.texts import FileView, from_qt
from store.home import TARGETS, Target


class NoteReader(QWidget):
    """Shows a note. What is selected in it can be remembered."""

    remember_wanted = Signal(object)
    """A pair: the file of memory, and the selected text."""
    address_wanted = Signal(object)
    """The address that opens the note in Obsidian."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("note_reader")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._note: NoteView | None = None
        self._title = PlainLabel(name="note_title", role="head", wrap=True)
        self._about = PlainLabel(name="note_about", role="meta", wrap=True).select_with_mouse()
        self._trouble = PlainLabel(name="note_trouble", role="problem", wrap=True)
        self.rendered = Rendered(name="note_rendered", label=tr("The note, rendered"))
        self.raw = FileView(theme, name="note_raw", label=tr("The note as it is"))
        self._texts = QStackedWidget()
        self._texts.addWidget(self.rendered)
        self._texts.addWidget(self.raw)
        self._switch = Button(tr("As it is"), name="note_switch", kind="link")
        self._switch.clicked.connect(self._change)
        self._open = Button(tr("Open in Obsidian"), name="note_open", kind="link")
        self._open.clicked.connect(self._want_address)
        words = {
            "memory": tr("Remember in agent memory"),
            "user": tr("Remember in user profile"),
        }
        self._remember = {
            target: Button(words[target], name=f"note_remember_{target}") for target in TARGETS
        }
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self._open)
        head.addWidget(self._switch)
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, BAR, 0)
        below.addStretch(1)
        for target, button in self._remember.items():
            button.clicked.connect(partial(self._want_memory, target))
            below.addWidget(button)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.setSpacing(2)
        above.addLayout(head)
        above.addWidget(self._about)
        above.addWidget(self._trouble)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(above)
        texts = QVBoxLayout()
        texts.setContentsMargins(0, 0, BAR, 0)
        texts.addWidget(self._texts)
        column.addLayout(texts, 1)
        column.addLayout(below)
        for view in (self.rendered, self.raw):
            view.selectionChanged.connect(self._show_buttons)
        self.forget()

    def forget(self) -> None:
        """Show nothing."""
        self._note = None
        self._title.setText("")
        self._about.setText("")
        for widget in (self._trouble, self._texts, self._switch, self._open):
            widget.hide()
        self._show_buttons()

    def note(self) -> NoteView | None:
        """The note that is shown."""
        return self._note

    def show_note(self, note: NoteView) -> None:
        """Show a note."""
        same = self._note is not None and self._note.path == note.path
        self._note = note
        self._title.setText(note.title)
        self._about.setText(note.about)
        self._trouble.setText(note.trouble)
        self._trouble.setVisible(bool(note.trouble))
        for widget in (self._texts, self._switch):
            widget.setVisible(not note.trouble)
        self._open.setVisible(bool(note.address))
        if not same or self.raw.text() != note.text:
            self.rendered.show_markdown(note.body)
            self.raw.show_text(note.text)
        self._show_buttons()

    def _selected(self) -> str:
        view = self._texts.currentWidget()
        cursor = self.raw.textCursor() if view is self.raw else self.rendered.textCursor()
        return from_qt(cursor.selectedText()).strip()

    def _show_buttons(self) -> None:
        possible = self._note is not None and bool(self._selected())
        for button in self._remember.values():
            button.setEnabled(possible)
            button.setToolTip("" if possible else tr("Select what is worth remembering first."))
            button.setVisible(self._note is not None and not self._note.trouble)

    def _want_memory(self, target: Target) -> None:
        text = self._selected()
        if text:
            self.remember_wanted.emit((target, text))

    def _want_address(self) -> None:
        if self._note is not None:
            self.address_wanted.emit(self._note.address)

    def _change(self) -> None:
        at = 1 - self._texts.currentIndex()
        self._texts.setCurrentIndex(at)
        self._switch.say(tr("Rendered") if at else tr("As it is"))
        self._show_buttons()
