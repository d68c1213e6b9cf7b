"""What every editor of a field has in common, whatever the field's kind."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.i18n import tr
from gui.theme import Theme
from gui.widgets.labels import restyle
from schema.fields import UNSET, Field, Toggle, Unset, Value
from schema.values import Accepted, Problem, parse, show
from store.yaml_values import same


class FieldEditor(QWidget):
    """Shows one value of a field and lets a person change it.

    `value()` gives back the very value that was shown until the person changes it, whatever it
    is: a file may hold anything. What is typed is text; None stands for no value at all.
    """

    edited = Signal()
    """The person changed what is typed or chosen; never sent for what the program shows."""

    stretches = False
    """Whether it wants the whole width of a form."""
    is_secret = False
    """Whether what is typed is a key: kept elsewhere, and in no draft that is shown."""
    empties = True
    """Whether a person can see that there is no value, and bring that about, in the editor."""

    def __init__(self, field: Field, theme: Theme, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.field = field
        self.theme = theme
        self.default: Value | Unset = field.default
        self._given: object = UNSET
        self._shown: str | None = None

    def show_set(self, is_set: bool) -> None:
        """Say whether something is stored, where the value itself is not shown."""

    # -- what a kind has to say ------------------------------------------------------------

    def raw(self) -> str | None:
        """What is typed or chosen now; None for no value at all."""
        raise NotImplementedError

    def show_raw(self, raw: str | None) -> None:
        """Show this, without `edited`."""
        raise NotImplementedError

    def parts(self) -> tuple[QWidget, ...]:
        """The widgets that take the keyboard; the first of them for the whole."""
        raise NotImplementedError

    def show_default(self, default: Value | Unset) -> None:
        """Take `default` for what holds without a value; it may follow another field."""
        if not same(default, self.default):
            self.default = default
            self.mark_default()

    def mark_default(self) -> None:
        """Show the default that holds now."""

    # -- what follows from it --------------------------------------------------------------

    def show_value(self, value: object) -> None:
        """Show the value that is stored, UNSET for none, and forget what was typed."""
        self.rebase(value)
        self.show_raw(self._shown)

    def rebase(self, value: object) -> None:
        """Take `value` for the one that is stored, and keep what is typed."""
        self._given, self._shown = value, raw_of(self.field, value)

    def value(self) -> object | Problem:
        """The value as it stands, UNSET for none; a `Problem` if what is typed is none."""
        raw = self.raw()
        if raw == self._shown:
            return self._given
        parsed = Accepted(UNSET) if raw is None else parse(self.field, raw)
        return parsed.value if isinstance(parsed, Accepted) else parsed

    def is_edited(self) -> bool:
        """Whether saving would store another value than the one that was shown."""
        value = self.value()
        return isinstance(value, Problem) or not same(value, self._given)

    def is_unset(self) -> bool:
        """Whether the default holds."""
        return self.value() is UNSET

    def use_default(self) -> None:
        """Do what a person does who wants no value of their own here."""
        if self.raw() is not None:
            self.show_raw(None)
            self.edited.emit()

    def forget_steps(self) -> None:
        """Let Ctrl+Z no longer lead back to what was typed here before."""

    def take_focus(self) -> None:
        """Put the keyboard here."""
        self.parts()[0].setFocus()

    def mark_wrong(self, wrong: bool) -> None:
        """Show in the field's outline that something is wrong with it."""
        for part in self.parts():
            if bool(part.property("wrong")) != wrong:
                part.setProperty("wrong", wrong)
                restyle(part)

    def describe(self, label: str, description: str) -> None:
        """Tell screen readers what this is for, and what is said around it."""
        for part in self.parts():
            part.setAccessibleName(label)
            part.setAccessibleDescription(description)


def tab_before(first: QWidget, second: QWidget) -> None:
    """Let Tab lead to `first`, a widget made later, right before it leads to `second`."""
    QWidget.setTabOrder(second, first)
    QWidget.setTabOrder(first, second)


def raw_of(field: Field, value: object) -> str | None:
    """Give the text that stands for a value in an editor; None for UNSET."""
    if value is UNSET:
        return None
    return "null" if value is None else show(field, value)  # type: ignore[arg-type]


def default_words(field: Field, default: Value | Unset) -> str:
    """Name the default of a field for a person; empty if there is none."""
    return "" if default is UNSET else value_words(field, default)


def value_words(field: Field, value: object) -> str:
    """Name a value as the editor would show it."""
    if isinstance(field, Toggle) and isinstance(value, bool):
        return tr("On") if value else tr("Off")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return raw_of(field, value) or tr("none")
