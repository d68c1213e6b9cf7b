"""The right side of the Skills page: what is known of one skill, and its text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from gui.i18n import tr
from gui.models.skills import SkillView
from gui.theme import BAR, GRID, HALF, Theme
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.texts import FileView


class Rendered(QTextBrowser):
    """Markdown to be read: no HTML in it is followed, no link opened, nothing loaded."""

    def __init__(self, *, name: str, label: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("kind", "file")

    def show_markdown(self, text: str) -> None:
        """Show `text` as Markdown."""
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(text, features.MarkdownDialectGitHub | features.MarkdownNoHTML)

    def loadResource(self, kind: int, name: object) -> object:
        return None


class SkillDetailView(QWidget):
    """Facts, problems, and SKILL.md rendered or as it is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("skill_detail")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._view: SkillView | None = None
        self._raw = False
        self._title = PlainLabel(name="skill_title", role="head", wrap=True)
        self._trouble = PlainLabel(name="skill_trouble", role="problem", wrap=True)
        self._facts = QWidget()
        self._form = QFormLayout(self._facts)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(2 * GRID)
        self._form.setVerticalSpacing(HALF)
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._problems = QVBoxLayout()
        self._problems.setSpacing(HALF)
        self.rendered = Rendered(name="skill_rendered", label=tr("SKILL.md, rendered"))
        self.raw = FileView(theme, name="skill_raw", label=tr("SKILL.md as it is"))
        self._texts = QStackedWidget()
        self._texts.addWidget(self.rendered)
        self._texts.addWidget(self.raw)
        self._switch = Button(tr("As it is"), name="skill_switch", kind="link")
        self._switch.clicked.connect(self._change)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        self._file = PlainLabel(tr("SKILL.md"), name="skill_file", role="head")
        head.addWidget(self._file)
        head.addStretch(1)
        head.addWidget(self._switch)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.setSpacing(GRID)
        above.addWidget(self._title)
        above.addWidget(self._trouble)
        above.addLayout(self._problems)
        above.addWidget(self._facts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(above)
        column.addLayout(head)
        texts = QVBoxLayout()
        texts.setContentsMargins(0, 0, BAR, 0)
        texts.addWidget(self._texts)
        column.addLayout(texts, 1)
        self._rest = QWidget()
        column.addWidget(self._rest, 1)
        self.forget()

    def forget(self) -> None:
        """Show nothing."""
        self.show_view(SkillView("", "", ()))

    def show_view(self, view: SkillView) -> None:
        """Show one skill."""
        self._view = view
        self._title.setText(view.title)
        self._trouble.setText(view.trouble)
        self._trouble.setVisible(bool(view.trouble))
        self._show_facts(view)
        self._show_problems(view)
        has_text = bool(view.text)
        for widget in (self._file, self._switch, self._texts):
            widget.setVisible(has_text)
        self._rest.setVisible(not has_text)
        self.rendered.show_markdown(view.body)
        self.raw.show_text(view.text)

    def _show_facts(self, view: SkillView) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        for at, (name, text) in enumerate(view.facts):
            label = PlainLabel(name, name=f"fact_{at}_name", role="dim")
            value = PlainLabel(text, name=f"fact_{at}", wrap=True).select_with_mouse()
            value.setAccessibleName(f"{name}: {text}")
            self._form.addRow(label, value)
        self._facts.setVisible(bool(view.facts))

    def _show_problems(self, view: SkillView) -> None:
        while (item := self._problems.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for at, (tone, text) in enumerate(view.problems):
            frame = QFrame()
            frame.setProperty("tone", tone if tone in ("warn", "bad") else "plain")
            frame.setObjectName(f"skill_problem_{at}")
            frame.setAccessibleName(text)
            inner = QHBoxLayout(frame)
            inner.setContentsMargins(12, HALF, 12, HALF)
            inner.addWidget(
                PlainLabel(text, name=f"skill_problem_{at}_text", wrap=True).select_with_mouse()
            )
            self._problems.addWidget(frame)

    def _change(self) -> None:
        self._raw = not self._raw
        self._texts.setCurrentIndex(1 if self._raw else 0)
        self._switch.say(tr("Rendered") if self._raw else tr("As it is"))
