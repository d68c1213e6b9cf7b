"""Drives the Settings page of a running desk as a person would."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from gui.forms.row import FieldRow
from gui.pages.settings import SettingsPage
from gui.widgets.texts import DiffView
from tests.gui.driver import Driver

CTRL = Qt.KeyboardModifier.ControlModifier


class SettingsDriver:
    """The page, its rows by key, and the lines that saving would change."""

    def __init__(self, desk: Driver) -> None:
        self.desk = desk
        desk.wait(lambda: self.page.ready, "the page to be shown as a whole")
        self.rest()

    @property
    def page(self) -> SettingsPage:
        page = self.desk.window.page()
        assert isinstance(page, SettingsPage)
        return page

    def rest(self) -> None:
        self.desk.rest()

    def row(self, key: str) -> FieldRow:
        return {**self.page.form.rows, **self.page.own.form.rows}[key]

    # -- looking -------------------------------------------------------------------------------

    def label(self, key: str, part: str) -> str:
        """What a label of a row says; empty while it is hidden."""
        label = self.row(key).findChild(QLabel, f"field_{key}_{part}")
        return "" if label is None or label.isHidden() else label.text()

    def edited(self) -> list[str]:
        return [key for key in self.page.form.rows if self.label(key, "mark")]

    def lines(self) -> list[str]:
        """The lines of config.yaml that are shown, with their signs."""
        self.rest()
        view = self.desk.find(DiffView, "preview_lines")
        return [] if view.isHidden() else view.text().split("\n")

    def description(self, key: str) -> str:
        return self.row(key).editor.parts()[0].accessibleDescription()

    # -- acting --------------------------------------------------------------------------------

    def line(self, key: str) -> QLineEdit:
        line = self.row(key).findChild(QLineEdit)
        assert line is not None
        return line

    def type(self, key: str, text: str) -> None:
        """Replace what stands in a field."""
        line = self.line(key)
        assert line.isEnabled(), f"{key} cannot be edited"
        line.setFocus()
        line.selectAll()
        self.desk.keys(line, Qt.Key.Key_Delete)
        self.desk.qtbot.keyClicks(line, text)
        self.rest()

    def press(self, key: str, part: str) -> None:
        button = self.row(key).findChild(QAbstractButton, f"field_{key}_{part}")
        assert button is not None
        assert button.isEnabled(), f"{key} cannot be edited"
        self.desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.rest()

    def pick(self, key: str, text: str) -> None:
        chooser = self.row(key).findChild(QComboBox)
        assert chooser is not None
        at = chooser.findText(text)
        assert at >= 0, f"no choice {text!r}"
        chooser.setCurrentIndex(at)
        chooser.activated.emit(at)
        self.rest()

    def save(self) -> None:
        self.desk.keys(self.desk.window, Qt.Key.Key_S, CTRL)
        self.rest()

    def press_toast(self) -> None:
        self.desk.press_toast()
        self.rest()


def is_in_sight(widget: QWidget) -> bool:
    """Whether all of a widget's height is to be seen."""
    return widget.visibleRegion().boundingRect().height() == widget.height()


def write(path: Path, text: str) -> None:
    """Replace a file in one go, as editors and the agent do."""
    temporary = path.with_name(".config_test.tmp")
    temporary.write_text(text, encoding="utf-8", newline="")
    temporary.replace(path)
