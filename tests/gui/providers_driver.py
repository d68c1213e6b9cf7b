"""Drives the Providers page of a running desk as a person would."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from gui.forms.json_editor import NumberedEditor
from gui.forms.row import FieldRow
from gui.pages.provider_detail import ProviderDetail
from gui.pages.providers import ProvidersPage
from gui.widgets.texts import DiffView
from tests.gui.driver import Driver

CTRL = Qt.KeyboardModifier.ControlModifier


class ProvidersDriver:
    """The page, its cards, and the rows of the provider that is shown."""

    def __init__(self, desk: Driver) -> None:
        self.desk = desk
        desk.window.open_page("providers")
        desk.wait(lambda: self.page.ready, "the page to be shown")
        desk.rest()

    @property
    def page(self) -> ProvidersPage:
        page = self.desk.window.page()
        assert isinstance(page, ProvidersPage)
        return page

    @property
    def detail(self) -> ProviderDetail:
        detail = self.page.findChild(ProviderDetail, f"provider_{self.chosen()}")
        assert detail is not None
        return detail

    # -- looking -------------------------------------------------------------------------------

    def cards(self) -> dict[str, str]:
        return {str(card.key): card.spoken() for card in self.page.list.card_model().cards}

    def chosen(self) -> str:
        card = self.page.list.current_card()
        assert card is not None
        return str(card.key)

    def row(self, key: str) -> FieldRow:
        """The row of a field that is shown."""
        assert self.detail.form is not None
        rows = [row for row in self.detail.form.rows.values() if row.field.key == key]
        return next((row for row in rows if row.isVisible()), rows[0])

    def shown(self) -> list[str]:
        assert self.detail.form is not None
        return [key for key, row in self.detail.form.rows.items() if row.isVisible()]

    def label(self, key: str, part: str) -> str:
        row = self.row(key)
        label = row.findChild(QLabel, f"field_{row.key}_{part}")
        return "" if label is None or label.isHidden() else label.text()

    def lines(self) -> list[str]:
        """The lines that saving would change, with their signs."""
        self.desk.rest()
        view = self.detail.findChild(DiffView, "provider_preview_lines")
        assert view is not None
        return [] if view.isHidden() else view.text().split("\n")

    # -- acting --------------------------------------------------------------------------------

    def choose(self, name: str) -> ProviderDetail:
        assert self.page.list.choose(name), f"no provider {name!r}"
        self.desk.wait(lambda: self._is_shown(), "the form")
        self.desk.rest()
        return self.detail

    def _is_shown(self) -> bool:
        form = self.detail.form
        if form is None or not self.detail.is_shown():
            return False
        rows = list(form.rows.values())
        return not rows or any(row.isVisible() for row in rows)

    def all_fields(self) -> None:
        self.press_in_detail("provider_scope")

    def press_in_detail(self, name: str) -> None:
        button = self.detail.findChild(QAbstractButton, name)
        assert button is not None
        assert button.isVisible()
        self.desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.desk.rest()

    def press(self, key: str, part: str) -> None:
        row = self.row(key)
        button = row.findChild(QAbstractButton, f"field_{row.key}_{part}")
        assert button is not None
        assert button.isEnabled()
        self.desk.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.desk.rest()

    def line(self, key: str) -> QLineEdit:
        line = self.row(key).findChild(QLineEdit)
        assert line is not None
        return line

    def type(self, key: str, text: str) -> None:
        """Replace what stands in a field."""
        editor: QWidget | None = self.row(key).findChild(NumberedEditor)
        editor = editor or self.line(key)
        assert editor.isEnabled(), f"{key} cannot be edited"
        editor.setFocus()
        editor.selectAll()  # type: ignore[attr-defined]
        self.desk.keys(editor, Qt.Key.Key_Delete)
        self.desk.qtbot.keyClicks(editor, text)
        self.desk.rest()

    def pick(self, key: str, text: str) -> None:
        chooser = self.row(key).findChild(QComboBox)
        assert chooser is not None
        at = chooser.findText(text)
        assert at >= 0, f"no choice {text!r}"
        chooser.setCurrentIndex(at)
        chooser.activated.emit(at)
        self.desk.rest()

    def save(self) -> None:
        self.desk.keys(self.desk.window, Qt.Key.Key_S, CTRL)
        self.desk.rest()
