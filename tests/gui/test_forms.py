"""Editors give back what they were given, and say when a person changed it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gui.forms.editor import FieldEditor
from gui.forms.editors import (
    EDITORS,
    NumberEditor,
    SelectEditor,
    TextEditor,
    ToggleEditor,
)
from gui.forms.json_editor import JsonEditor
from gui.forms.secret_editor import SecretEditor
from gui.forms.state import CLEARED
from gui.theme import Theme
from gui.widgets.labels import PlainLabel
from schema.fields import UNSET, Field, Json, Number, Option, Secret, Select, Text, Toggle
from schema.values import Problem
from tests.gui.test_texts import HARD

GUI = Path(__file__).resolve().parents[2] / "gui"

TEXT = Text(key="text", label="Text", default="", keeps_empty=True)
PLAIN = Text(key="plain", label="Plain")
SELECT = Select(
    key="select",
    label="Select",
    options=(Option("a", "First"), Option("b", "Second")),
    default="a",
)
TOGGLE = Toggle(key="toggle", label="Toggle", default=True)
NUMBER = Number(key="number", label="Number", default=10, minimum=1, maximum=30, step=5)
JSON = Json(key="json", label="Json")
SECRET = Secret(key="secret", label="Secret")

# What a file may hold, whatever was declared.
ANYTHING = [UNSET, None, True, False, 0, 7, 2.5, "", "no", "a", "zz", " 5 ", [1, "x"], {"k": None}]


class Heard:
    """Counts how often an editor says that a person changed it."""

    def __init__(self, editor: FieldEditor) -> None:
        self.times = 0
        editor.edited.connect(self.hear)

    def hear(self) -> None:
        self.times += 1


def _shown(qtbot: QtBot, theme: Theme, field: Field) -> FieldEditor:
    editor = EDITORS[type(field)](field, theme, name="field")
    qtbot.addWidget(editor)
    editor.show()
    return editor


def _wheel(widget: QWidget) -> None:
    middle = widget.rect().center()
    event = QWheelEvent(
        QPointF(middle),
        QPointF(widget.mapToGlobal(middle)),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


# --- The contract ---------------------------------------------------------------------------------


def test_every_kind_of_field_has_an_editor() -> None:
    assert set(EDITORS) == set(get_args(Field))


def test_kinds_are_told_apart_in_one_place_only() -> None:
    kinds = "Text|Select|Secret|Toggle|Number|Json"
    asked = re.compile(rf"isinstance\([^)]*\b(?:{kinds})\b|case (?:{kinds})\(")
    # What a setting means to the agent, and how a default is named, are no editors.
    named = {GUI / "forms" / "editor.py", GUI / "models" / "settings.py"}
    # The command line has no editors.
    window = [path for path in GUI.rglob("*.py") if GUI / "commands" not in path.parents]
    asking = {path for path in window if asked.search(path.read_text("utf-8"))}
    assert asking <= named


@pytest.mark.parametrize("value", ANYTHING, ids=repr)
@pytest.mark.parametrize("field", [TEXT, PLAIN, SELECT, TOGGLE, NUMBER, JSON], ids=lambda f: f.key)
def test_what_went_in_comes_out_and_nobody_is_said_to_have_edited(
    qtbot: QtBot, theme: Theme, field: Field, value: object
) -> None:
    editor = _shown(qtbot, theme, field)
    heard = Heard(editor)
    editor.show_value("something else")
    editor.show_value(value)
    assert editor.value() is value
    assert not editor.is_edited()
    assert heard.times == 0


@pytest.mark.parametrize("text", HARD, ids=ascii)
def test_a_hard_text_survives_an_edit_at_its_end(qtbot: QtBot, theme: Theme, text: str) -> None:
    editor = _shown(qtbot, theme, PLAIN)
    editor.show_value(f"begin{text}end")
    line = editor.findChild(QLineEdit)
    assert line is not None
    line.end(False)
    qtbot.keyClicks(line, "!")
    assert editor.value() == f"begin{text}end!"


def test_a_text_of_any_length_is_not_cut(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, PLAIN)
    editor.show_value("x" * 40_000)
    qtbot.keyClicks(editor.parts()[0], "y")
    assert isinstance(text := editor.value(), str)
    assert len(text) == 40_001


def test_a_rebase_keeps_what_is_typed_and_takes_the_new_value_for_the_stored_one(
    qtbot: QtBot, theme: Theme
) -> None:
    editor = _shown(qtbot, theme, NUMBER)
    editor.show_value(5)
    editor.parts()[0].setFocus()
    qtbot.keyClicks(editor.parts()[0], "2")
    typed = editor.value()
    editor.rebase(8)
    assert (editor.value(), editor.is_edited()) == (typed, True)
    editor.rebase(typed)
    assert not editor.is_edited()


# --- Kind by kind ---------------------------------------------------------------------------------


def test_an_empty_text_and_no_text_are_two_things(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, TEXT)
    assert isinstance(editor, TextEditor)
    heard = Heard(editor)
    editor.show_value("honcho")
    editor.line.selectAll()
    qtbot.keyClick(editor.line, Qt.Key.Key_Delete)
    assert (editor.value(), editor.is_unset(), heard.times) == ("", False, 1)
    editor.use_default()
    assert (editor.value(), editor.is_unset(), heard.times) == (UNSET, True, 2)
    qtbot.keyClicks(editor.line, "x")
    qtbot.keyClick(editor.line, Qt.Key.Key_Backspace)
    assert editor.is_unset()


def test_a_blank_number_is_unset_and_shows_the_default(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, NUMBER)
    assert isinstance(editor, NumberEditor)
    assert (editor.line.text(), editor.line.placeholderText()) == ("", "10")
    editor.show_value(12)
    editor.line.selectAll()
    qtbot.keyClick(editor.line, Qt.Key.Key_Delete)
    assert editor.value() is UNSET
    assert editor.is_edited()


def test_a_number_is_checked_while_it_is_typed(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, NUMBER)
    assert isinstance(editor, NumberEditor)
    qtbot.keyClicks(editor.line, "31")
    assert editor.value() == Problem("number", "too_large", limit=30)
    qtbot.keyClick(editor.line, Qt.Key.Key_Backspace)
    assert editor.value() == 3
    qtbot.keyClicks(editor.line, "x")
    assert editor.value() == Problem("number", "not_a_number")


def test_arrow_keys_step_a_number_within_its_bounds(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, NUMBER)
    assert isinstance(editor, NumberEditor)
    heard = Heard(editor)
    qtbot.keyClick(editor.line, Qt.Key.Key_Up)
    assert editor.value() == 15  # from the default
    qtbot.keyClick(editor.line, Qt.Key.Key_PageUp)
    assert (editor.value(), heard.times) == (30, 2)
    qtbot.keyClick(editor.line, Qt.Key.Key_Up)
    assert heard.times == 2
    qtbot.keyClick(editor.line, Qt.Key.Key_PageDown)
    assert editor.value() == 1


@pytest.mark.parametrize("field", [NUMBER, SELECT, TOGGLE], ids=lambda field: field.key)
def test_scrolling_changes_nothing(qtbot: QtBot, theme: Theme, field: Field) -> None:
    editor = _shown(qtbot, theme, field)
    heard = Heard(editor)
    part = editor.parts()[0]
    part.setFocus()
    _wheel(part)
    assert editor.value() is UNSET
    assert heard.times == 0


def test_a_switch_tells_unset_from_a_value_that_equals_the_default(
    qtbot: QtBot, theme: Theme
) -> None:
    editor = _shown(qtbot, theme, TOGGLE)
    assert isinstance(editor, ToggleEditor)
    heard = Heard(editor)
    on, off = (editor.findChild(QWidget, f"field_{name}") for name in ("on", "off"))
    assert on is not None
    assert off is not None
    assert (on.isChecked(), on.property("default"), off.isChecked()) == (True, True, False)
    qtbot.mouseClick(on, Qt.MouseButton.LeftButton)
    assert (editor.value(), on.property("default"), heard.times) == (True, False, 1)
    qtbot.mouseClick(on, Qt.MouseButton.LeftButton)
    assert heard.times == 1
    editor.use_default()
    assert (editor.value(), on.isChecked(), heard.times) == (UNSET, True, 2)


def test_a_switch_is_moved_by_arrow_keys(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, TOGGLE)
    editor.show_value(True)
    editor.activateWindow()
    editor.take_focus()
    qtbot.waitUntil(editor.parts()[0].hasFocus)
    qtbot.keyClick(editor.parts()[0], Qt.Key.Key_Right)
    assert editor.value() is False


def test_a_switch_keeps_a_value_that_is_neither_until_one_is_chosen(
    qtbot: QtBot, theme: Theme
) -> None:
    editor = _shown(qtbot, theme, TOGGLE)
    assert isinstance(editor, ToggleEditor)
    editor.show_value("no")
    other, off = (editor.findChild(QWidget, f"field_{name}") for name in ("other", "off"))
    assert other is not None
    assert off is not None
    assert (other.isVisible(), other.text(), other.isChecked()) == (True, "no", True)
    qtbot.mouseClick(off, Qt.MouseButton.LeftButton)
    assert editor.value() is False
    qtbot.mouseClick(other, Qt.MouseButton.LeftButton)
    assert editor.value() == "no"
    assert not editor.is_edited()


def test_a_switch_without_a_default_can_be_neither_on_nor_off(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, Toggle(key="bare", label="Bare"))
    assert not any(part.isChecked() for part in editor.parts())  # type: ignore[attr-defined]
    editor.show_value(True)
    editor.show_value(UNSET)
    assert not any(part.isChecked() for part in editor.parts())  # type: ignore[attr-defined]


def test_a_choice_that_is_not_in_the_list_stays_and_is_marked(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, SELECT)
    assert isinstance(editor, SelectEditor)
    editor.show_value("zz")
    assert editor.list.currentText() == "zz (not in the list)"
    qtbot.keyClick(editor.list, Qt.Key.Key_Up)
    assert editor.value() == "b"
    qtbot.keyClick(editor.list, Qt.Key.Key_Down)
    assert editor.value() == "zz"
    assert not editor.is_edited()


def test_a_choice_that_was_never_made_shows_which_one_holds(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, SELECT)
    assert isinstance(editor, SelectEditor)
    assert editor.list.currentText() == "First (default)"
    heard = Heard(editor)
    qtbot.keyClick(editor.list, Qt.Key.Key_Down)
    assert (editor.value(), heard.times) == ("a", 1)


def test_json_is_read_when_it_is_whole(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, JSON)
    assert isinstance(editor, JsonEditor)
    heard = Heard(editor)
    qtbot.keyClicks(editor.text, '["a"')
    problem = editor.value()
    assert isinstance(problem, Problem)
    assert (problem.line, problem.column, problem.detail) == (1, 5, "comma")
    qtbot.keyClicks(editor.text, "]")
    assert editor.value() == ["a"]
    assert heard.times == 5


def test_several_lines_of_json_are_numbered_and_the_mistake_is_marked(
    qtbot: QtBot, theme: Theme
) -> None:
    editor = _shown(qtbot, theme, JSON)
    assert isinstance(editor, JsonEditor)
    assert editor.text.room_for_numbers() == 0
    editor.show_value({"a": [1]})
    qtbot.mouseClick(editor.tidy_button, Qt.MouseButton.LeftButton)
    assert editor.text.text() == '{\n  "a": [\n    1\n  ]\n}'
    assert not editor.is_edited()  # the same value
    assert editor.tidy_button.isHidden()
    assert editor.text.room_for_numbers() > 0
    editor.text.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(editor.text, "x")
    assert [mark.cursor.position() for mark in editor.text.extraSelections()] == [1]
    qtbot.keyClick(editor.text, Qt.Key.Key_Backspace)
    assert editor.text.extraSelections() == []


def test_a_secret_is_never_shown(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, SECRET)
    assert isinstance(editor, SecretEditor)
    editor.show_value("not for a form")
    assert editor.line.text() == ""
    _press(qtbot, editor, "set")
    qtbot.keyClicks(editor.line, "typed")
    assert editor.line.displayText() != "typed"
    assert editor.value() == "typed"


def test_a_secret_is_set_replaced_and_cleared_as_three_actions(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, SECRET)
    assert isinstance(editor, SecretEditor)
    heard = Heard(editor)
    assert _offered(editor) == ["set"]
    editor.show_set(True)
    assert _offered(editor) == ["replace", "clear"]
    _press(qtbot, editor, "replace")
    assert _offered(editor) == ["cancel"]
    assert (editor.value(), heard.times) == (UNSET, 0)
    qtbot.keyClicks(editor.line, "k")
    qtbot.keyClick(editor.line, Qt.Key.Key_Escape)
    assert (editor.value(), editor.line.text(), heard.times) == (UNSET, "", 2)
    _press(qtbot, editor, "clear")
    assert (editor.value(), editor.is_edited(), _offered(editor)) == (CLEARED, True, ["keep"])
    _press(qtbot, editor, "keep")
    assert not editor.is_edited()
    _press(qtbot, editor, "clear")
    editor.show_set(False)
    assert not editor.is_edited()


def test_leaving_a_form_forgets_a_secret_that_was_not_saved(qtbot: QtBot, theme: Theme) -> None:
    editor = _shown(qtbot, theme, SECRET)
    assert isinstance(editor, SecretEditor)
    _press(qtbot, editor, "set")
    qtbot.keyClicks(editor.line, "half")
    editor.hide()
    assert (editor.line.text(), editor.value(), editor.line.isUndoAvailable()) == ("", UNSET, False)


def test_a_pasted_secret_is_trimmed_and_what_is_odd_about_it_is_said(
    qtbot: QtBot, theme: Theme
) -> None:
    editor = _shown(qtbot, theme, SECRET)
    assert isinstance(editor, SecretEditor)
    _press(qtbot, editor, "set")
    QApplication.clipboard().setText("  sk-\u0430bc\n")
    qtbot.keyClick(editor.line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert editor.value() == "sk-\u0430bc"
    words = editor.findChild(PlainLabel, "field_doing")
    assert words is not None
    assert "left out" in words.text()
    assert "only looks like" in words.text()
    QApplication.clipboard().clear()


def _press(qtbot: QtBot, editor: FieldEditor, part: str) -> None:
    button = editor.findChild(QWidget, f"field_{part}")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def _offered(editor: FieldEditor) -> list[str]:
    parts = ("set", "replace", "clear", "keep", "cancel")
    found = [(part, editor.findChild(QWidget, f"field_{part}")) for part in parts]
    return [part for part, button in found if button is not None and button.isVisible()]
