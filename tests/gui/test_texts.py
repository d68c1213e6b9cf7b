"""What goes into a field comes out of it, to the character."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.theme import Theme
from gui.widgets.texts import DiffView, FileView, PlainEditor, SnapshotView, from_qt, into_qt

HARD = [
    "",
    "one line",
    "two\nlines\n",
    "\n\nedges \t",
    "no\u00a0break\u202fspace",
    "paragraph\u2029separator and line\u2028separator",
    "lone \r and \r\n pairs",
    "\u200cمی\u200cخواهم and 👩\u200d👩\u200d👧 and \ufeff in the middle",
    "<b>not bold</b> &amp; <img src=x>",
    "\x00\x0b\x0c\x1c\x85 control",
    "\ufdd0 frame \ufdd1",
    "\U0001f9e0\U0002070e 𠜎 中文，混排 Latin",
    "\u202e right to left",
]


@pytest.fixture
def editor(qtbot: QtBot) -> PlainEditor:
    editor = PlainEditor(name="editor", label="Entry")
    qtbot.addWidget(editor)
    return editor


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.mark.parametrize("text", HARD, ids=ascii)
def test_an_editor_gives_back_exactly_what_it_was_given(editor: PlainEditor, text: str) -> None:
    editor.set_text(text)
    assert editor.text() == text


@pytest.mark.parametrize("text", HARD, ids=ascii)
def test_typing_changes_only_what_was_typed(editor: PlainEditor, text: str, qtbot: QtBot) -> None:
    editor.set_text(text)
    editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(editor, "!")
    assert editor.text() == text + "!"


@pytest.mark.parametrize("text", [text for text in HARD if text and "\x00" not in text], ids=ascii)
def test_copying_takes_exactly_what_is_marked(editor: PlainEditor, text: str) -> None:
    editor.set_text(text)
    editor.selectAll()
    assert editor.createMimeDataFromSelection().text() == text


def test_pasting_takes_plain_text_with_line_feeds(editor: PlainEditor) -> None:
    data = QMimeData()
    data.setText("one\r\ntwo\u00a0three")
    data.setHtml("<b>other</b>")
    editor.insertFromMimeData(data)
    assert editor.text() == "one\ntwo\u00a0three"


def test_the_keys_of_an_editor(editor: PlainEditor, qtbot: QtBot) -> None:
    editor.set_text("x")
    with qtbot.waitSignal(editor.save_requested):
        qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(editor.cancel_requested):
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "\nx"


def test_an_editor_grows_with_its_text_and_stops(qtbot: QtBot) -> None:
    window, editor = QWidget(), PlainEditor(name="editor", label="Entry")
    QVBoxLayout(window).addWidget(editor)
    qtbot.addWidget(window)
    window.show()
    editor.set_text("one")
    small = editor.height()
    editor.set_text("one\ntwo\nthree")
    qtbot.waitUntil(lambda: editor.height() > small)
    editor.set_text("line\n" * 14)
    most = editor.height()
    editor.set_text("line\n" * 200)
    assert editor.height() == most


def test_the_way_through_qt_is_the_identity() -> None:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0xFDD2), *range(0xFDF0, 0x10000)]))
    for text in every.split("\n"):
        assert from_qt(into_qt(text)) == text


@pytest.mark.parametrize("kind", [FileView, SnapshotView, DiffView])
def test_a_view_shows_markup_as_text_and_lets_it_be_copied(
    theme: Theme, qtbot: QtBot, kind: type[FileView]
) -> None:
    view = kind(theme, name="view", label="File")
    qtbot.addWidget(view)
    text = "a <b>bold</b> claim\u00a0here\n§\n[BLOCKED: MEMORY.md entry contained …]"
    view.show_text(text)
    assert view.text() == text
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == text
    assert view.isReadOnly()


def test_a_diff_says_by_sign_and_by_colour_what_goes_and_comes(theme: Theme, qtbot: QtBot) -> None:
    view = DiffView(theme, name="diff", label="Diff")
    qtbot.addWidget(view)
    view.show_lines([("same", "a"), ("removed", "b"), ("added", "c")])
    assert view.text() == "  a\n- b\n+ c"
    grounds = [
        view.document().findBlockByNumber(line).blockFormat().background().color().name()
        for line in (1, 2)
    ]
    assert grounds == [
        theme.color("removed_background").name(),
        theme.color("added_background").name(),
    ]
