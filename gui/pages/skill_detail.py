"""The right side of the Skills page: what is known of one skill, and its text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from gui.i18n import tr
from gui.models.skill_detail import SkillFileView, SkillView
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


MOST_ROWS = 5
"""So many of its files are seen at once."""


class SkillDetailView(QWidget):
    """Facts, problems, the files, and SKILL.md rendered or as it is, or one of the files."""

    file_wanted = Signal(str)
    """The path, below the skill's folder, of a file that the person wants to read."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("skill_detail")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._view: SkillView | None = None
        self._raw = False
        self._title = PlainLabel(name="skill_title", role="head", wrap=True)
        self._trouble = PlainLabel(name="skill_trouble", role="problem", wrap=True)
        self._facts = QWidget()
        # No QFormLayout: it gives a path of two lines the room of one.
        self._form = QGridLayout(self._facts)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(2 * GRID)
        self._form.setVerticalSpacing(HALF)
        self._form.setColumnStretch(1, 1)
        self._files_head = PlainLabel(tr("Files"), name="skill_files_head", role="dim")
        self._files = QListWidget()
        self._files.setObjectName("skill_files")
        self._files.setAccessibleName(tr("Files of the skill"))
        self._files.setFrameShape(QFrame.Shape.NoFrame)
        self._files.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._files.setUniformItemSizes(True)
        self._files.itemClicked.connect(self._want_file)
        self._files.itemActivated.connect(self._want_file)
        self._shown_file = ""
        self._problems = QVBoxLayout()
        self._problems.setSpacing(HALF)
        self.rendered = Rendered(name="skill_rendered", label=tr("SKILL.md, rendered"))
        self.raw = FileView(theme, name="skill_raw", label=tr("SKILL.md as it is"))
        self._texts = QStackedWidget()
        self._texts.addWidget(self.rendered)
        self._texts.addWidget(self.raw)
        self._back = Button(tr("Back to SKILL.md"), name="skill_file_back", kind="link")
        self._back.clicked.connect(self._leave_file)
        self._switch = Button(tr("As it is"), name="skill_switch", kind="link")
        self._switch.clicked.connect(self._change)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        self._file = PlainLabel(tr("SKILL.md"), name="skill_file", role="head")
        head.addWidget(self._file)
        head.addStretch(1)
        head.addWidget(self._back)
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
        """Show one skill; what is read of it stays where it is if it is the same one."""
        before, self._view = self._view, view
        same = before is not None and before.key == view.key
        if same and self._shown_file:
            self.file_wanted.emit(self._shown_file)  # it may be another, too
        if view == before:
            return
        self._title.setText(view.title)
        self._trouble.setText(view.trouble)
        self._trouble.setVisible(bool(view.trouble))
        self._show_facts(view)
        self._show_problems(view)
        self._show_files(view)
        bar = self.rendered.verticalScrollBar()
        place = bar.value() if same else 0
        if before is None or before.body != view.body or not same:
            self.rendered.show_markdown(view.body)
            bar.setValue(place)
        if not same or self._shown_file not in [path for path, _ in view.files]:
            self._shown_file = ""
        if not self._shown_file:
            self._leave_file()

    def show_file(self, file: SkillFileView) -> None:
        """Show one of the files of the skill that is shown."""
        if self._view is None or file.key != self._view.key:
            return
        self._shown_file = file.path
        self._file.setText(file.path)
        self.raw.show_text(file.trouble or file.text)
        self.raw.setAccessibleName(file.path)
        self._texts.setCurrentWidget(self.raw)
        self._show_parts(True)

    def _leave_file(self) -> None:
        self._shown_file = ""
        view = self._view
        self._files.clearSelection()
        self._file.setText(tr("SKILL.md"))
        self.raw.setAccessibleName(tr("SKILL.md as it is"))
        self.raw.show_text("" if view is None else view.text)
        self._texts.setCurrentWidget(self.raw if self._raw else self.rendered)
        self._show_parts(view is not None and bool(view.text))

    def _show_parts(self, has_text: bool) -> None:
        for widget in (self._file, self._texts):
            widget.setVisible(has_text)
        self._switch.setVisible(has_text and not self._shown_file)
        self._back.setVisible(bool(self._shown_file))
        self._rest.setVisible(not has_text)

    def _show_files(self, view: SkillView) -> None:
        names = [self._files.item(at).text() for at in range(self._files.count())]
        if names != [name for _, name in view.files]:
            self._files.clear()
            for path, name in view.files:
                item = QListWidgetItem(name)
                item.setData(Qt.ItemDataRole.UserRole, path)
                self._files.addItem(item)
        row = max(self._files.sizeHintForRow(0), self.fontMetrics().lineSpacing())
        self._files.setFixedHeight(row * min(len(view.files), MOST_ROWS) + HALF)
        self._files.setVisible(bool(view.files))
        self._files_head.setVisible(bool(view.files))

    def _want_file(self, item: QListWidgetItem) -> None:
        self.file_wanted.emit(item.data(Qt.ItemDataRole.UserRole))

    def _show_facts(self, view: SkillView) -> None:
        while (item := self._form.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget not in (self._files, self._files_head):
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        top = Qt.AlignmentFlag.AlignTop
        for at, (name, text) in enumerate(view.facts):
            label = PlainLabel(name, name=f"fact_{at}_name", role="dim")
            value = PlainLabel(text, name=f"fact_{at}", wrap=True).select_with_mouse()
            value.setAccessibleName(f"{name}: {text}")
            self._form.addWidget(label, at, 0, top)
            self._form.addWidget(value, at, 1)
        self._form.addWidget(self._files_head, len(view.facts), 0, top)
        self._form.addWidget(self._files, len(view.facts), 1)
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
