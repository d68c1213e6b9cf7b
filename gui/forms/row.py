"""One field of a form: its label, where its value comes from, its editor, help and problems."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from gui.field_words import say_problem
from gui.forms.editor import FieldEditor, default_words, tab_before
from gui.forms.editors import EDITORS
from gui.forms.state import RowState
from gui.i18n import tr
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import Button, PlainLabel
from schema.fields import UNSET, Field, Unset, Value
from schema.values import Problem

ROLES = {"problem": "problem", "note": "warn", "locked": "dim"}
"""How the lines below a field look, in their order."""
STACKED_BELOW = 60 * GRID
"""Narrower than this, the editor stands below its label."""


class Row(QFrame):
    """A row of a card."""

    def __init__(self, parent: QWidget | None, *, name: str) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setProperty("kind", "row")

    def fits(self, needle: str) -> bool:
        """Whether the row is about `needle`, a text in lower case."""
        raise NotImplementedError

    def minimumSizeHint(self) -> QSize:
        # As wide as the form, never wider: in a narrow one it is laid out in another way.
        return QSize(0, super().minimumSizeHint().height())


class FieldRow(Row):
    """A field with everything that is said about it."""

    edited = Signal()
    """The person changed the value of this field."""
    link_wanted = Signal(object)
    """An address, as the declaration writes it, that the person wants to see."""

    def __init__(
        self,
        field: Field,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        key: str = "",
        editor: type[FieldEditor] | None = None,
        resettable: bool = True,
    ) -> None:
        """Make the row of `field`; `key` names it where a form has several of the same key."""
        self.key = key or field.key
        super().__init__(parent, name=f"row_{self.key}")
        self.field = field
        self.state = RowState()
        self._name = f"field_{self.key}"
        self._problem = ""
        self._extra = ""
        self._said: dict[str, str] = {}
        self._labels: dict[str, PlainLabel] = {}
        self._mark: PlainLabel | None = None
        self._reset: Button | None = None
        self._resettable = resettable
        make = editor or EDITORS[type(field)]
        self.editor = make(field, theme, name=self._name)
        self.editor.edited.connect(self._hear)
        self._build()
        self.show_state(self.state)

    def _build(self) -> None:
        # From the outside in: a widget that moves to another parent is styled once more.
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(2 * GRID, 10, 2 * GRID, 10)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(HALF + 2)
        self._grid.setColumnStretch(0, 1)
        self._words = QVBoxLayout()
        self._head = QHBoxLayout()
        self._below = QVBoxLayout()
        self._stacked: bool | None = None
        self._place(stacked=False)
        self._words.setSpacing(2)
        self._words.addLayout(self._head)
        self._head.setSpacing(GRID)
        self._below.setSpacing(HALF)
        name = self._name
        self._label = PlainLabel(tr(self.field.label), name=f"{name}_label", role="strong")
        self._label.setBuddy(self.editor.parts()[0])
        self._source = PlainLabel(name=f"{name}_source", role="meta")
        self._head.addWidget(self._label)
        self._head.addWidget(self._source)
        self._head.addStretch(1)
        help_text = tr(self.field.help) if self.field.help else ""
        self._help = PlainLabel(help_text, name=f"{name}_help", role="dim", wrap=True)
        self._help.setVisible(bool(help_text))
        self._words.addWidget(self._help)
        self._info: PlainLabel | None = None
        links = QHBoxLayout()
        links.setSpacing(GRID)
        for part, text, act in self._links():
            button = Button(text, name=f"{name}_{part}", kind="link")
            button.setAccessibleDescription(self._label.text())
            button.clicked.connect(act)
            links.addWidget(button)
        if links.count():
            links.addStretch(1)
            self._words.addLayout(links)

    def _links(self) -> list[tuple[str, str, Callable[[], None]]]:
        found: list[tuple[str, str, Callable[[], None]]] = []
        if self.field.info:
            found.append(("more", tr("More about it"), self._tell_more))
        if self.field.url:
            found.append(("url", tr("Where to get it"), self._want_link))
        return found

    def _tell_more(self) -> None:
        if self._info is None:
            self._info = PlainLabel(
                tr(self.field.info), name=f"{self._name}_info", role="dim", wrap=True
            ).select_with_mouse()
            self._words.addWidget(self._info)
        else:
            self._info.setVisible(self._info.isHidden())

    def _want_link(self) -> None:
        self.link_wanted.emit(self.field.url)

    # -- showing ---------------------------------------------------------------------------

    def show_state(self, state: RowState) -> None:
        """Show what is stored now, and forget what was typed."""
        self.state = state
        self.editor.show_value(state.value)
        self.editor.show_set(state.is_set)
        self._problem = ""
        self._say()

    def show_default(self, default: Value | Unset) -> None:
        """Take `default` for what holds without a value."""
        self.editor.show_default(default)
        if self._reset is not None:
            self._reset.setToolTip(self._default_words())

    def rebase(self, state: RowState) -> None:
        """Take this for what is stored, and keep what is typed."""
        self.state = state
        self.editor.rebase(state.value)
        self.editor.show_set(state.is_set)
        self._problem = ""
        self._say()

    def restate(self, state: RowState) -> None:
        """Change what is said around the value; the value that is stored is the same."""
        self.state = state
        self.editor.show_set(state.is_set)
        self._say()

    def refuse(self, words: str) -> None:
        """Say below the field why it was not saved; the next edit takes that away."""
        self._problem = words
        self._say()

    def add_extra(self, widget: QWidget) -> None:
        """Show `widget` below the help."""
        self._words.addWidget(widget)

    def say_extra(self, words: str) -> None:
        """Tell screen readers what the extra widget shows."""
        self._extra = words
        self._describe()

    # -- asking ----------------------------------------------------------------------------

    def is_edited(self) -> bool:
        """Whether there is something to save here."""
        return self.editor.is_edited()

    def problem(self) -> Problem | None:
        """What is wrong with what is typed."""
        value = self.editor.value()
        return value if isinstance(value, Problem) else None

    def words(self) -> str:
        """Give all that is said around the value, as a screen reader hears it."""
        said = (self._said.get("problem"), self._said.get("note"), self.state.locked)
        return " ".join(part for part in (*said, self._help.text(), self._extra) if part)

    def fits(self, needle: str) -> bool:
        texts = (self._label.text(), self._help.text(), self.field.key, self.field.env_key)
        return any(needle in text.casefold() for text in texts)

    # -- inside ----------------------------------------------------------------------------

    def _hear(self) -> None:
        self._problem = ""
        self._say()
        self.edited.emit()

    def _use_default(self) -> None:
        self.editor.use_default()
        # The button goes; the keyboard must not go with it.
        self.editor.take_focus()

    def _say(self) -> None:
        state, value = self.state, self.editor.value()
        problem = value if isinstance(value, Problem) else None
        wrong = self._problem or ("" if problem is None else sentence(problem))
        self._say_source()
        self._tell("problem", wrong)
        self._tell("note", "" if self.is_edited() or wrong else state.note)
        self._tell("locked", "" if state.told_above else state.locked)
        self.setToolTip(state.locked if state.told_above else "")
        self.editor.setEnabled(not state.locked)
        self.editor.mark_wrong(bool(wrong))
        # A secret has actions of its own; a text without a default is unset by emptying it.
        plain = self.editor.default is UNSET and self.editor.empties
        offered = self._resettable and not plain
        self._offer_default(offered and not state.locked and value is not UNSET)
        self._describe()

    def _say_source(self) -> None:
        edited = self.is_edited()
        if self._mark is None and edited:
            self._mark = PlainLabel(tr("edited"), name=f"{self._name}_mark", role="mark")
            self._head.insertWidget(1, self._mark)
        if self._mark is not None:
            self._mark.setVisible(edited)
        needed = tr("required") if self.field.required and self._is_missing() else ""
        self._source.setText(needed or self.state.source)
        self._source.setVisible(bool(self._source.text()) and not edited)

    def _tell(self, part: str, text: str) -> None:
        """Say `text` below the field; most rows never need a label for that."""
        self._said[part] = text
        label = self._labels.get(part)
        if label is None and text:
            label = PlainLabel(name=f"{self._name}_{part}", role=ROLES[part], wrap=True)
            above = [*ROLES][: [*ROLES].index(part)]
            self._below.insertWidget(sum(other in self._labels for other in above), label)
            self._labels[part] = label
        if label is not None:
            label.setText(text)
            label.setVisible(bool(text))

    def _offer_default(self, offered: bool) -> None:
        if self._reset is None and offered:
            known = self.editor.default is not UNSET
            words = tr("Use default") if known else tr("Unset")
            self._reset = Button(words, name=f"{self._name}_reset", kind="link")
            self._reset.setToolTip(self._default_words())
            self._reset.setAccessibleDescription(self._label.text())
            self._reset.clicked.connect(self._use_default)
            self._head.insertWidget(self._head.count() - 1, self._reset)
            for part in reversed(self.editor.parts()):
                tab_before(self._reset, part)
        if self._reset is not None:
            self._reset.setVisible(offered)

    def _default_words(self) -> str:
        words = default_words(self.field, self.editor.default)
        return tr("The default is {value}.", value=words) if words else ""

    def _is_missing(self) -> bool:
        return not self.state.is_set and self.state.value in (UNSET, None, "")

    def _describe(self) -> None:
        source = tr("edited") if self.is_edited() else self.state.source
        words = ". ".join(part for part in (source, self.words()) if part)
        self.editor.describe(self._label.text(), words)
        self.setAccessibleName(self._label.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place(stacked=self.width() < STACKED_BELOW)

    def _place(self, *, stacked: bool) -> None:
        stacked = stacked or self.editor.stretches
        if stacked == self._stacked:
            return
        self._stacked = stacked
        for item in (self._words, self.editor, self._below):
            if isinstance(item, QWidget):
                self._grid.removeWidget(item)
            else:
                self._grid.removeItem(item)
        span = 2 if stacked else 1
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter
        self._grid.addLayout(self._words, 0, 0, 1, span)
        if self.editor.stretches:
            self._grid.addWidget(self.editor, 1, 0, 1, 2)
        elif stacked:
            self._grid.addWidget(self.editor, 1, 0, 1, 2, left)
        else:
            self._grid.addWidget(self.editor, 0, 1, 1, 1, middle)
        self._grid.addLayout(self._below, 2, 0, 1, 2)


def sentence(problem: Problem) -> str:
    """Say what is wrong with what is typed, as a sentence of its own."""
    words = say_problem(problem)
    return words[:1].upper() + words[1:] + tr(".")
