"""What saving a form would change, line by line, before it is written."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import sentences, tr
from gui.theme import BAR, GRID, Theme
from gui.widgets.labels import PlainLabel
from gui.widgets.texts import DiffView

MOST_LINES = 8
"""Of a pane that stands below the form."""


Lines = tuple[tuple[str, str], ...]
"""Pairs of kind ("same", "added", "removed") and text."""


class FileLines(DiffView):
    """Lines of a file as they stand there; with signs before them only if some would change."""

    def __init__(self, theme: Theme, *, name: str) -> None:
        self._signed = False
        super().__init__(theme, name=name, label="")
        self.setLineWrapMode(DiffView.LineWrapMode.NoWrap)

    def show_lines(self, lines: list[tuple[str, str]]) -> None:
        self._signed = any(kind != "same" for kind, _ in lines)
        if self._signed:
            super().show_lines(lines)
        else:
            self.show_text("\n".join(text for _, text in lines))

    def look_of(self, number: int, line: str) -> tuple[str, str] | None:
        return super().look_of(number, line) if self._signed else None


class PreviewPane(QWidget):
    """The lines of a file that the form is about; those that saving changes stand out."""

    def __init__(self, theme: Theme, *, name: str, file: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._file = file
        self._below = False
        self._lines: Lines = ()
        self._title = PlainLabel(name=f"{name}_title", role="head", wrap=True)
        self._where = PlainLabel(file, name=f"{name}_file", role="dim")
        self.diff = FileLines(theme, name=f"{name}_lines")
        self._words = PlainLabel(name=f"{name}_words", role="dim", wrap=True)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self._title, 1)
        head.addWidget(self._where)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.diff, 1)
        column.addWidget(self._words)
        self._rest = QWidget()
        column.addWidget(self._rest, 1)
        self.show_lines((), 0)

    def show_lines(self, lines: Lines, changed: int) -> None:
        """Show lines by kind ("same", "added", "removed"), of which `changed` would change."""
        title = tr("In {file} now", file=self._file)
        words = tr("Nothing of this is set there, so Hermes' defaults hold.") if not lines else ""
        if changed:
            title = tr("What Save would change")
            words = tr("Takes effect next session; open ones keep theirs.")
        self._title.setText(title)
        self._where.setVisible(bool(changed))
        self.diff.setAccessibleName(f"{self._file}: {title}" if changed else title)
        self._lines = lines
        self._show(bool(lines), words)

    def show_files(self, files: Sequence[tuple[str, Lines]], changed: int, words: str = "") -> None:
        """Show what would change in each of `files`, named above its lines; and then `words`."""
        several = len(files) > 1
        lines: list[tuple[str, str]] = []
        for name, changes in files:
            lines += [("same", name), *changes] if several else [*changes]
        session = tr("Takes effect next session; open ones keep theirs.")
        self._title.setText(tr("What Save would change"))
        self._where.setText("" if several or not files else files[0][0])
        self._where.setVisible(bool(changed))
        self.diff.setAccessibleName(tr("What Save would change"))
        self._lines = tuple(lines)
        self._show(bool(lines), sentences(words, session) if words else session)

    def refuse(self, title: str, words: str) -> None:
        """Say why there is nothing to show."""
        self._title.setText(title)
        self._where.show()
        self._lines = ()
        self._show(False, words)

    def title(self) -> str:
        """Give what is said above the lines."""
        return self._title.text()

    def stand_below(self, below: bool) -> None:
        """Take only as much height as the lines need, or all there is."""
        self._below = below
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Maximum if below else policy.Preferred)
        self._fit()

    def _show(self, has_lines: bool, words: str) -> None:
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.diff.setVisible(has_lines)
        self._fit()

    def _fit(self) -> None:
        self._rest.setVisible(not self._below and self.diff.isHidden())
        self.diff.show_lines([*(essential(self._lines) if self._below else self._lines)])
        lines = min(self.diff.blockCount(), MOST_LINES)
        height = QFontMetrics(self.diff.font()).lineSpacing() * lines + 4 * GRID + BAR
        fixed, free = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        self.diff.setMinimumHeight(height if self._below else 0)
        self.diff.setMaximumHeight(height if self._below else (1 << 24) - 1)
        self.diff.setSizePolicy(free, fixed if self._below else free)


def essential(lines: Lines) -> Lines:
    """Only the lines that change, each below the sections that it stands in."""
    kept: set[int] = set()
    for at, (kind, text) in enumerate(lines):
        if kind == "same":
            continue
        kept.add(at)
        depth = _depth(text)
        for above in range(at - 1, -1, -1):
            other, line = lines[above]
            if other == "same" and _depth(line) < depth:
                kept.add(above)
                depth = _depth(line)
    return tuple(lines[at] for at in sorted(kept))


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
