"""The right side of the Repair page: what the file would become, edited as cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models import repair as model
from gui.models.cards import MORE, SHOWN
from gui.models.repair import Work
from gui.theme import BAR, GRID, Theme
from gui.widgets.cards import CardList
from gui.widgets.labels import ActionButton, PlainLabel
from gui.widgets.meter import BudgetMeter, usage_words
from gui.workplace import Said

if TYPE_CHECKING:
    from gui.widgets.entry_editor import EntryEditor
    from store.memory.plan import PlanCheck, PlannedEntry

Change = Callable[[Work], Work]
_MOST = (1 << 24) - 1


class EntriesColumn(QWidget):
    """Shows a `Work` and says what the person makes of it. Writes nothing."""

    changed = Signal(object, object)
    """The new `Work`, and the key of the entry to choose."""
    pointed = Signal(object)
    """The lines of the file that the chosen card came from, or None."""
    said = Signal(object)
    """A `Said` for the toast."""
    more_wanted = Signal(int)
    """The number of what was left out that is the rest of a very long file."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("repair_entries_column")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.work: Work | None = None
        self.editor: EntryEditor | None = None
        self._check: PlanCheck | None = None
        self._shown = SHOWN
        self._drawn: tuple[object, ...] | None = None
        title = tr("What it would become")
        self.meter = BudgetMeter(theme, name="repair_meter", title=title)
        self.list = CardList(theme, name="repair_entries", label=title)
        self.dropped = CardList(theme, name="repair_dropped", label=tr("Left out"))
        self._dropped_head = PlainLabel(name="repair_dropped_head", role="strong")
        self._way = PlainLabel(name="repair_in_the_way", role="problem", wrap=True)
        self._warning = PlainLabel(name="repair_warning", role="meta", wrap=True)
        self._build()
        self._make_actions()
        self.list.opened.connect(self._open)
        self.list.chosen.connect(self._choose)
        self.dropped.opened.connect(self._take_in)
        self.dropped.chosen.connect(self._choose_dropped)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        above, below = QVBoxLayout(), QVBoxLayout()
        for layout in (above, below):
            layout.setContentsMargins(0, 0, BAR, 0)
            layout.setSpacing(GRID)
        above.addWidget(self.meter)
        for label in (self._way, self._warning):
            above.addWidget(label)
            label.hide()
        below.addWidget(self._dropped_head)
        self._foot = QHBoxLayout()
        self._foot.setContentsMargins(0, 0, BAR, 0)
        self._foot.addStretch(1)
        column.addLayout(above)
        column.addWidget(self.list, 3000)
        column.addLayout(below)
        column.addWidget(self.dropped, 1000)
        column.addLayout(self._foot)
        column.addStretch(1)
        for cards in (self.list, self.dropped):
            cards.height_changed.connect(self._fit)

    def _make_actions(self) -> None:
        edit = self._action("edit", tr("Edit"), "", self._edit)
        join = self._action("join", tr("Join next"), "Ctrl+J", self._join)
        send = self._action("send", tr("To the other file"), "Ctrl+M", self._send)
        drop = self._action("leave_out", tr("Leave out"), "Del", self._leave_out)
        up = self._action("up", tr("Move up"), "Alt+Up", partial(self._shift, -1))
        down = self._action("down", tr("Move down"), "Alt+Down", partial(self._shift, 1))
        keep = self._action("keep", tr("Keep"), "Ins", self._keep)
        self._split = self._action("split", tr("Split here"), "Alt+Return", self._cut)
        self._split.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._fitting = self._action("fit", tr("Keep what fits"), "Ctrl+B", self._keep_fitting)
        self._fitting.setVisible(False)
        self.addAction(self._fitting)
        self.offer(self._fitting)
        card = (edit, join, send, drop)
        self.list.set_actions((edit, join, send, up, down, drop), on_card=card)
        self.dropped.set_actions((keep,), on_card=(keep,))

    def _action(self, name: str, text: str, keys: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"repair_{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(slot)
        return action

    def offer(self, action: QAction) -> None:
        """Have a button for `action` at the foot."""
        self._foot.insertWidget(
            self._foot.count() - 1, ActionButton(action, kind="quiet", parent=self)
        )

    # -- showing ---------------------------------------------------------------------------

    def show_work(self, work: Work, check: PlanCheck | None, choose: Hashable = None) -> None:
        """Show what the file would become; without a check its budget is not known yet."""
        if self.work is None or work.origin is not self.work.origin:
            self._shown = SHOWN
        self.work = work
        self.show_check(check)
        self._show_dropped(work)
        if choose is not None:
            self.list.choose(choose)

    def show_check(self, check: PlanCheck | None) -> None:
        """Show what the plan costs and what stands in its way."""
        from store.memory.budget import percent

        work = self.work
        if work is None:
            return
        self._check = check
        self._show_cards(work, check)
        if check is None:
            return
        here = sum(entry.target == work.plan.target for entry in work.plan.entries)
        count = trn("{n:,} entry", "{n:,} entries", here)
        usage = f"{count} · {usage_words(check.chars, check.limit)}"
        self.meter.show_usage(usage, percent(check.chars, check.limit), None)
        for label, words in (
            (self._way, model.in_the_way(check)),
            (self._warning, model.warnings(check)),
        ):
            label.setText("\n".join(words))
            label.setVisible(bool(words))
        self._fitting.setVisible(check.over_budget and here > 1)

    def _show_cards(self, work: Work, check: PlanCheck | None) -> None:
        """Make the cards, unless these are shown already: most checks find nothing."""
        marked = model.marked(check, self._shown)
        if self._drawn is None or self._drawn[0] is not work or self._drawn[1:] != marked:
            self._drawn = (work, *marked)
            self.list.show_cards(model.entry_cards(work, check, self._shown))

    def _show_dropped(self, work: Work) -> None:
        count = len(work.plan.dropped)
        words = trn(
            "{n} text left out; the copy keeps it", "{n} texts left out; the copy keeps them", count
        )
        self._dropped_head.setText(words)
        self._dropped_head.setVisible(count > 0)
        self.dropped.setVisible(count > 0)
        self.dropped.show_cards(model.dropped_cards(work))

    def _fit(self) -> None:
        """Let no list take more room than its cards need."""
        for cards in (self.list, self.dropped):
            wanted = cards.content_height()
            height = _MOST if wanted is None else max(wanted, 1)
            cards.setMaximumHeight(height)
            cards.setMinimumHeight(min(height, 120))

    def take_focus(self) -> None:
        """Put the keyboard where work begins."""
        if self.editor is not None:
            self.editor.take_focus()
        else:
            self.list.setFocus()

    # -- editing one entry -------------------------------------------------------------------

    def typed(self) -> str | None:
        """What was typed and is not in the work yet."""
        entry = self._entry_in_editor()
        if entry is None or self.editor is None or self.editor.text() == entry.text:
            return None
        return self.editor.text()

    def _entry_in_editor(self) -> PlannedEntry | None:
        return None if self.work is None else self.work.entry(self.list.edited_key())

    def close_editor(self) -> None:
        """Let go of the editor, with what was typed."""
        if self.editor is not None:
            self.editor = None
            self.list.close_editor()
            self.list.setFocus()

    def _open(self, key: Hashable) -> None:
        if key == MORE:
            self._shown += SHOWN
            self.show_check(self._check)
            return
        work = self.work
        entry = None if work is None else work.entry(key)
        if entry is None or self._is_busy():
            return
        from gui.widgets.entry_editor import EntryEditor

        self.close_editor()
        self.editor = EntryEditor(
            text=entry.text, label=tr("Edit entry"), save=tr("Save"), cost=self._cost
        )
        self.editor.offer(self._split)
        self.editor.save_requested.connect(self._save)
        self.editor.cancel_requested.connect(self._cancel)
        self.editor.grown.connect(self.list.editor_grew)
        self.list.open_editor(key, self.editor)
        self.editor.take_focus()

    def _is_busy(self) -> bool:
        if self.typed() is None or self.editor is None:
            return False
        self.editor.take_focus()
        self.said.emit(Said(tr("Save or cancel this edit first.")))
        return True

    def _cost(self, text: str) -> tuple[str, bool]:
        size = len(text.strip())
        limit = self._check.limit if self._check is not None else size
        return trn("{n:,} char", "{n:,} chars", size), size > limit

    def _save(self) -> None:
        key, text = self.list.edited_key(), self.typed()
        self.close_editor()
        if text is not None:
            self._change(lambda work: model.rewrite(work, key, text.strip()), key)

    def _cancel(self) -> None:
        key, text, work = self.list.edited_key(), self.typed(), self.work
        self.close_editor()
        if text is not None and work is not None:
            put_back = partial(self._change, lambda now: model.rewrite(now, key, text), key)
            self.said.emit(Said(tr("The edit was put aside."), tr("Restore"), put_back))

    def _cut(self) -> None:
        from gui.widgets.texts import from_qt

        key, editor, work = self.list.edited_key(), self.editor, self.work
        if editor is None or work is None:
            return
        cursor = editor.field.textCursor()
        cursor.setPosition(0, cursor.MoveMode.KeepAnchor)
        at, text, after = len(from_qt(cursor.selectedText())), editor.text(), work.fresh
        self.close_editor()
        self._change(lambda now: model.cut(model.rewrite(now, key, text), key, at), after)

    # -- acting on cards ---------------------------------------------------------------------

    def _change(self, change: Change, choose: Hashable = None, told: str = "") -> None:
        work = self.work
        if work is None:
            return
        new = change(work)
        if new is work:
            return
        if told:
            self.said.emit(Said(told, tr("Put back"), partial(self._put_back, work)))
        self.changed.emit(new, choose)

    def _put_back(self, work: Work) -> None:
        if self.work is not None and work.origin is self.work.origin:
            self.changed.emit(work, None)

    def _key(self) -> Hashable:
        card = self.list.current_card()
        return None if card is None or self._is_busy() else card.key

    def _edit(self) -> None:
        card = self.list.current_card()
        if card is not None:
            self._open(card.key)

    def _join(self) -> None:
        key = self._key()
        self._change(lambda work: model.join(work, key), key, tr("Two entries joined."))

    def _send(self) -> None:
        key = self._key()
        self._change(lambda work: model.send(work, key), key)

    def _leave_out(self) -> None:
        key = self._key()
        self._change(lambda work: model.leave_out(work, key), told=tr("Entry left out."))

    def _keep_fitting(self) -> None:
        check = self._check
        if check is not None and not self._is_busy():
            told = tr("The first entries are kept, as many as the budget holds.")
            self._change(lambda work: model.keep_fitting(work, check.limit), told=told)

    def _shift(self, step: int) -> None:
        key = self._key()
        self._change(lambda work: model.shift(work, key, step), key)

    def _keep(self) -> None:
        card = self.dropped.current_card()
        if card is not None:
            self._take_in(card.key)

    def _take_in(self, key: Hashable) -> None:
        work = self.work
        if not isinstance(key, int) or work is None or self._is_busy():
            return
        if model.is_rest(work, key):
            self.more_wanted.emit(key)
        else:
            self._change(lambda now: model.take_in(now, key), work.fresh)

    def _choose(self, key: Hashable) -> None:
        entry = None if self.work is None else self.work.entry(key)
        self.pointed.emit(None if entry is None else entry.lines)

    def _choose_dropped(self, key: Hashable) -> None:
        if isinstance(key, int) and self.work is not None and key < len(self.work.plan.dropped):
            self.pointed.emit(self.work.plan.dropped[key].lines)
