"""How full a file is beside the setting that limits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.i18n import tr
from gui.theme import GRID, HALF, Theme
from gui.widgets.labels import PlainLabel, restyle
from gui.widgets.meter import Bar, usage_words
from schema.fields import UNSET
from schema.values import Problem
from store.memory.budget import percent

if TYPE_CHECKING:
    from gui.forms.row import FieldRow
    from gui.models.settings import Used

WIDTH = 12 * GRID


class UsageLine(QWidget):
    """A short bar with the numbers as the agent prints them."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._bar = Bar(theme)
        self._bar.setObjectName(f"{name}_bar")
        self._bar.setFixedWidth(WIDTH)
        self._words = PlainLabel(name=f"{name}_words", role="meta", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, HALF, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._bar)
        row.addWidget(self._words, 1)

    def show_usage(self, chars: int | None, limit: float) -> None:
        """Show `chars` of `limit`; None for a file that cannot be read."""
        self._bar.setVisible(chars is not None)
        over = chars is not None and chars > limit
        if chars is None:
            words = tr("The file cannot be read.")
        elif over:
            words = tr(
                "{usage} · over this limit: the agent could only shorten it",
                usage=usage_words(chars, limit),
            )
        else:
            words = tr("{usage} now", usage=usage_words(chars, limit))
        self._bar.fill(percent(chars or 0, limit))
        self._words.setText(words)
        role = "warn" if over else "meta"
        if self._words.property("role") != role:
            self._words.setProperty("role", role)
            restyle(self._words)
        self._bar.setAccessibleName(words)

    def words(self) -> str:
        """Give what is said."""
        return self._words.text()


class LimitLines:
    """Puts a usage line into the row of each limit, and keeps it to what is typed there."""

    def __init__(self, theme: Theme, rows: Mapping[str, FieldRow]) -> None:
        self._theme = theme
        self._rows = rows
        self._lines: dict[str, UsageLine] = {}

    def show_used(self, used: Mapping[str, Used]) -> None:
        """Show how full each file is, by the key of its limit."""
        for key, file in used.items():
            row = self._rows[key]
            if key not in self._lines:
                self._lines[key] = UsageLine(self._theme, name=f"usage_{key}")
                row.add_extra(self._lines[key])
            limit: object = file.limit
            if row.is_edited():
                value = row.editor.value()
                if not isinstance(value, Problem):
                    limit = row.field.default if value is UNSET else value
            if isinstance(limit, int | float) and not isinstance(limit, bool):
                self._lines[key].show_usage(file.chars, limit)
                row.say_extra(self._lines[key].words())
