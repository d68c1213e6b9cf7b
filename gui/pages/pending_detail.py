"""The right side of the Pending page: one record, what it would do, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.ages import age, moment
from gui.i18n import tr, trn
from gui.models.memory import file_words
from gui.models.pending import shown
from gui.models.pending_detail import Detail, DiffRow
from gui.models.pending_edit import editable_texts, texts_of_record
from gui.models.pending_skill import SkillDetail
from gui.models.pending_words import headline
from gui.pages.pending_editor import PendingEditor
from gui.pages.pending_files import FilesPane
from gui.theme import BAR, GRID, HALF, Theme
from gui.widgets.bars import Banner, Notice
from gui.widgets.diff import DiffPane
from gui.widgets.keys import KeyButton
from gui.widgets.labels import Button, ElidedLabel, PlainLabel, restyle
from gui.widgets.meter import BudgetMeter
from gui.words import ORIGINS, say, word
from store.pending.records import Record, UnusableRecord
from store.refusals import OverBudget, Refusal

ASKS_LINES = 12
HEAD_HEIGHT = 4 * GRID


class RecordDetail(QWidget):
    """Shows one item of the queue. Decides nothing."""

    remedy_wanted = Signal(object)
    """The name of what the person wants to do about what stands in the way: edit or reject."""

    def __init__(self, theme: Theme, decisions: Sequence[QAction], alike: QAction) -> None:
        super().__init__()
        self.setObjectName("record")
        self.setAccessibleName(tr("The chosen write"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._theme = theme
        self._detail: Detail | None = None
        self._editor: PendingEditor | None = None
        self._build(alike)
        self._build_buttons(decisions)
        self.show_nothing()

    # -- building -------------------------------------------------------------------------

    def _build(self, alike: QAction) -> None:
        self._title = PlainLabel(name="record_title", role="head")
        self._title.setMinimumHeight(HEAD_HEIGHT)  # in line with what stands above the list
        self._origin = ElidedLabel(name="record_origin", role="dim")
        self._origin.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self._title)
        head.addWidget(self._origin, 1)
        self.way = Banner(name="record_problem")
        self.way.acted.connect(self._want_remedy)
        self._inside = QWidget()
        self._inside.setObjectName("page_body")
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GRID)
        self._column.addLayout(head)
        self._column.addWidget(self.way)
        self._near = PlainLabel(name="record_near", role="meta", wrap=True).select_with_mouse()
        near = QHBoxLayout()
        near.setSpacing(GRID)
        near.addWidget(self._near, 1)
        near.addWidget(KeyButton(alike, kind="way"), 0, Qt.AlignmentFlag.AlignTop)
        self._column.addLayout(near)
        self._column.addWidget(self._build_asks())
        self._column.addSpacing(HALF)
        self._column.addWidget(self._build_effect(), 1)
        self.files = FilesPane(self._theme)
        self._column.addWidget(self.files, 1)
        self._column.addStretch(0)
        self._area = QScrollArea()
        self._area.setObjectName("record_area")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._area.verticalScrollBar().rangeChanged.connect(self._show_bar)
        self._show_bar()
        self._area.setWidget(self._inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(GRID + HALF)
        outer.addWidget(self._area, 1)

    def _build_asks(self) -> QWidget:
        self._card = QFrame()
        self._card.setObjectName("record_card")
        self._card.setProperty("tone", "plain")
        self._sentence = PlainLabel(name="record_sentence", role="dim", wrap=True)
        self.asks = DiffPane(
            self._theme, name="record_asks", label=tr("What it asks for"), most_lines=ASKS_LINES
        )
        column = QVBoxLayout(self._card)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(GRID)
        column.addWidget(self._sentence)
        column.addWidget(self.asks)
        return self._card

    def _build_effect(self) -> QWidget:
        self._effect = QWidget()
        self._effect.setObjectName("record_effect")
        self.meter = BudgetMeter(self._theme, name="record_meter", title=tr("Effect on the file"))
        self._cost = PlainLabel(name="record_cost", role="meta", wrap=True)
        self.file_tab = Button(tr("File"), name="show_file", kind="tab")
        self.prompt_tab = Button(tr("Next prompt"), name="show_prompt", kind="tab")
        self._tabs = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(HALF)
        for tab in (self.file_tab, self.prompt_tab):
            tab.setCheckable(True)
            self._tabs.addButton(tab)
            tab.clicked.connect(self._show_diff)
            row.addWidget(tab)
        row.addSpacing(HALF)
        row.addWidget(self._cost, 1)
        self.file_tab.setChecked(True)
        self.diff = DiffPane(self._theme, name="record_diff", label=tr("Difference"))
        self.diff.setMinimumHeight(96)
        column = QVBoxLayout(self._effect)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.meter)
        column.addLayout(row)
        column.addWidget(self.diff, 1)
        return self._effect

    def _build_buttons(self, decisions: Sequence[QAction]) -> None:
        self._buttons = QWidget()
        self._buttons.setObjectName("record_buttons")
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, BAR, GRID)
        row.setSpacing(GRID)
        for at, action in enumerate(decisions):
            row.addWidget(KeyButton(action, kind="" if at else "primary"))
        row.addStretch(1)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(self._buttons)

    def _show_bar(self, *_: object) -> None:
        """Keep the bar's room, so that all stays in line, but show it only if it is needed."""
        bar = self._area.verticalScrollBar()
        idle = bar.maximum() == 0
        if bar.property("idle") != idle:
            bar.setProperty("idle", idle)
            restyle(bar)

    # -- showing --------------------------------------------------------------------------

    def show_nothing(self) -> None:
        """Be empty."""
        self._detail = None
        self._title.setText("")
        self._origin.setText("")
        self._show_problem("")
        for part in (self._near, self._card, self._effect, self.files, self._buttons):
            part.hide()

    def show_unusable(self, item: UnusableRecord) -> None:
        """Show a file that is no record."""
        self.show_nothing()
        self._title.setText(tr("Not a record"))
        self._title.setToolTip(shown(item.file))
        self._show_problem(shown(say(item.problem)), shown(item.file))
        self._buttons.show()

    def show_record(self, record: Record, now: float) -> None:
        """Show who staged what; its effect follows with `show_detail`."""
        lead, rest = headline(record)
        self._title.setText(f"{lead} {rest}".strip())
        who = tr("staged by a background review")
        if not record.automatic:
            who = tr("staged in a conversation")
            if record.origin not in ORIGINS:
                who = word(ORIGINS, record.origin)
        old = age(record.created_at, now)
        self._origin.setText(" · ".join(part for part in (who, old) if part))
        self._origin.setAccessibleDescription(moment(record.created_at))
        self._title.setToolTip(f"{record.id}  {moment(record.created_at)}".strip())
        self._buttons.setVisible(self._editor is None)
        if record.skill is None:
            self.files.hide()
        else:
            self._effect.hide()
        if record.problem is not None:
            self._detail = None
            self._show_problem(shown(say(record.problem)))
            self._card.setVisible(bool(record.summary))
            self._sentence.setText(tr("The agent's own summary of it:"))
            self.asks.show()
            self.asks.show_rows([DiffRow("same", line) for line in record.summary.split("\n")])
            self._effect.hide()

    def show_near(self, text: str) -> None:
        """Say what the record is near to; an empty text takes it back."""
        self._near.setText(text)
        self._near.setVisible(bool(text))

    def show_text(self, title: str, rows: Sequence[DiffRow]) -> None:
        """Show what a file that cannot be used holds."""
        self.files.show_rows(title, "", rows)
        self.files.show()
        self.files.diff.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_skill(self, detail: SkillDetail, refused: Refusal | None = None) -> None:
        """Show the effect on a skill. `refused`: why the last try was declined."""
        self._detail = None
        refusal = detail.refusal or refused
        text = "" if refusal is None else shown(say(refusal, tried=detail.refusal is None))
        edit = bool(texts_of_record(detail.record))
        self._show_problem(text, remedy=_remedy(refusal, edit) if refusal is not None else "")
        words = "\n".join(part for part in (detail.sentence, detail.warning) if part)
        self._sentence.setText(words)
        self._card.setVisible(bool(words) and self._editor is None)
        self.asks.hide()
        count = len(detail.effect.files)
        size = tr("{chars:,}/{limit:,} chars", chars=detail.effect.chars, limit=detail.effect.limit)
        touched = trn("{n} file", "{n} files", count)
        self.files.show_rows(
            tr("Effect on the skill"), f"{touched} · {size}" if count else "", detail.rows
        )
        self.files.setVisible(bool(detail.rows))

    def show_detail(self, detail: Detail, refused: Refusal | None = None) -> None:
        """Show the effect. `refused`: why the last try to approve or reject was declined."""
        self._detail = detail
        refusal = detail.refusal or refused
        self._show_problem(
            "" if refusal is None else shown(say(refusal, tried=detail.refusal is None)),
            remedy=_remedy(refusal, bool(editable_texts(detail.change))) if refusal else "",
        )
        self._card.setVisible(self._editor is None)
        self.asks.show()
        self._sentence.setText(detail.sentence)
        self.asks.show_rows(detail.asks)
        # Of what cannot be done, only too much is worth showing as it would be.
        self._effect.setVisible(detail.effect.ok or bool(detail.file))
        self._show_usage(detail)
        self._show_diff()

    def _show_problem(self, text: str, strong: str = "", remedy: str = "") -> None:
        if self._editor is not None:
            self._editor.show_problem(text)
            text = ""
        names = {"edit": tr("Edit"), "reject": tr("Reject"), "room": tr("Make room…")}
        notice = Notice(
            remedy or "problem", text, strong=strong, tone="bad", action=names.get(remedy, "")
        )
        self.way.show_notice(notice if text else None)

    def _show_usage(self, detail: Detail) -> None:
        from store.memory.budget import percent

        state, after = detail.state, detail.chars_after
        full = percent(after, state.limit)
        usage = tr(
            "{before}% → {after}% — {chars:,} → {would_be:,}/{limit:,} chars",
            before=percent(state.chars, state.limit),
            after=full,
            chars=state.chars,
            would_be=after,
            limit=state.limit,
        )
        self.meter.show_usage(usage, full, None)
        self.meter.setToolTip(file_words(detail.target))
        change = detail.tokens_after - detail.tokens_before
        self._cost.setText(
            tr(
                "≈ {before:,} → ≈ {after:,} tokens a request (≈ {change:+,}) · takes effect next "
                "session",
                before=detail.tokens_before,
                after=detail.tokens_after,
                change=change,
            )
            if detail.effect.ok and not detail.prompt_gap
            else ""
        )

    def _show_diff(self) -> None:
        detail = self._detail
        if detail is None:
            return
        prompt = self.prompt_tab.isChecked()
        rows = detail.prompt if prompt else detail.file
        if prompt and detail.prompt_gap:
            rows = (DiffRow("note", detail.prompt_gap),)
        if not rows:
            rows = (DiffRow("note", tr("Nothing would change.")),)
        self.diff.show_rows(rows)

    # -- the editor ------------------------------------------------------------------------

    def open_editor(self, editor: PendingEditor) -> None:
        """Put `editor` in the place of what the record asks for."""
        self.close_editor()
        self._editor = editor
        self._column.insertWidget(self._column.indexOf(self._card), editor)
        self._card.hide()
        self._buttons.hide()
        self._show_problem("")

    def close_editor(self) -> None:
        """Let go of the editor, which is deleted."""
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.hide()
            self._column.removeWidget(editor)
            editor.deleteLater()
            self._buttons.show()

    def editor(self) -> PendingEditor | None:
        """Give the open editor."""
        return self._editor

    def detail(self) -> Detail | None:
        """Give the effect that is shown, if the record is about memory."""
        return self._detail

    def problem(self) -> str:
        """Give what is said to stand in the way."""
        notice = self.way.notice()
        return notice.text if notice is not None else ""

    def _want_remedy(self, notice: Notice) -> None:
        self.remedy_wanted.emit(notice.name)


def _remedy(refusal: Refusal, editable: bool) -> str:
    """Name what helps: room in the file, another text, or taking the record away."""
    if isinstance(refusal, OverBudget):
        return "room"
    if refusal.code in ("blocked", "delimiter", "empty"):
        return "edit" if editable else ""
    return "reject" if refusal.code in ("stale", "no_match", "not_found") else ""
