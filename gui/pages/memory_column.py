"""One memory file on the Memory page: budget, banners, cards, and the edit in progress."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models.cards import Card
from gui.models.memory import (
    OTHER,
    FileView,
    Fix,
    cards_of,
    counterpart,
    file_words,
    keys_of,
)
from gui.theme import BAR, GRID, Theme
from gui.widgets.bars import Banner, Notice
from gui.widgets.cards import CardList
from gui.widgets.empty import EmptyPage
from gui.widgets.entry_editor import EntryEditor
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.meter import BudgetMeter
from gui.words import say
from gui.workplace import Said
from store.home import Target

if TYPE_CHECKING:
    from store.memory.operations import Change
    from store.memory.state import MemoryState
    from store.refusals import Refusal

NEW: Hashable = ("", -1)
"""The key of the entry that is being added; no entry of a file has it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A change of one file that the person wants; `said` is what the toast says of it.

    `choose` is the text of the entry to select afterwards. `typed`: it comes from the editor.
    """

    target: Target
    change: Change
    said: str
    choose: str = ""
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """The entry `text` of `target` is wanted in the other file."""

    target: Target
    text: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An edit in progress: of the entry `base`, or with None of a new one.

    `now` is what stands at its place since someone else changed the file; `lost` tells that they
    removed it.
    """

    key: Hashable
    base: str | None
    text: str = ""
    row: int = 0
    now: str | None = None
    lost: bool = False


class FileColumn(QWidget):
    """Shows one file, and turns what the person does into wishes. Writes nothing itself."""

    wished = Signal(object)
    """A `Wish` or a `Move`."""
    fix_wanted = Signal(object)
    """A `Fix` of config.yaml."""
    said = Signal(object)
    """A `Said` for the toast."""
    fitted = Signal()
    """The cards now need more or less room."""
    used = Signal(object)
    """The target: the keyboard is in this column."""

    def __init__(self, theme: Theme, target: Target) -> None:
        super().__init__()
        self.setObjectName(f"{target}_column")
        self.setAccessibleName(file_words(target))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.target: Target = target
        self.list = CardList(theme, name=f"{target}_cards", label=file_words(target))
        self._theme = theme
        self._view: FileView | None = None
        self._needle = ""
        self._draft: Draft | None = None
        self._editor: EntryEditor | None = None
        self._whole = False
        self._build()
        self._make_actions()

    def _build(self) -> None:
        name = self.target
        self.meter = BudgetMeter(self._theme, name=f"{name}_meter", title=file_words(name))
        self.banner = Banner(name=f"{name}_banner")
        self.banner.acted.connect(self._want_fix)
        self.problem = Banner(name=f"{name}_problem")
        self.problem.acted.connect(self._dismiss)
        self._asides = PlainLabel(name=f"{name}_asides", role="meta", wrap=True)
        self.empty = EmptyPage(name=f"{name}_empty")
        self._first = self.empty.add_button(tr("Add the first entry"), "add")
        self.empty.acted.connect(self.begin_add)
        self._add = Button(self._add_words(), name=f"{name}_add", kind="quiet")
        self._add.clicked.connect(self.begin_add)
        self.list.opened.connect(self.begin_edit)
        self.list.chosen.connect(self._tell_used)
        self.list.height_changed.connect(self._fit)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        above = self._above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.setSpacing(GRID)
        for widget in (self.meter, self.banner, self.problem, self._asides):
            above.addWidget(widget)
        column.addLayout(above)
        column.addWidget(self.list, 1000)
        column.addWidget(self.empty)
        column.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._asides.hide()
        self.empty.hide()
        self._add.hide()

    def _add_words(self) -> str:
        added = {"memory": tr("+ Add to agent memory"), "user": tr("+ Add to user profile")}
        return added[self.target]

    def _make_actions(self) -> None:
        others = {"memory": tr("To agent memory"), "user": tr("To user profile")}
        other = others[OTHER[self.target]]
        edit = self._action("edit", tr("Edit"), "", self._edit_current)
        move = self._action("move", other, "Ctrl+M", self._move_current)
        delete = self._action("delete", tr("Delete"), "Del", self._delete_current)
        up = self._action("up", tr("Move up"), "Alt+Up", partial(self._shift, -1))
        down = self._action("down", tr("Move down"), "Alt+Down", partial(self._shift, 1))
        copy = self._action("copy", tr("Copy text"), "Ctrl+C", self._copy_current)
        self._changing = (edit, move, up, down, delete)
        self.list.set_actions((edit, move, up, down, copy, delete), on_card=(edit, move, delete))

    def _action(self, name: str, text: str, keys: str, slot: object) -> QAction:
        action = QAction(text, self)
        action.setObjectName(f"{self.target}_{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(slot)
        return action

    # -- showing --------------------------------------------------------------------------

    def show_view(self, view: FileView) -> None:
        """Show the file as it now is; a half-typed edit stays."""
        before, self._view = self._view, view
        if self._draft is not None and before is not None:
            self._draft = _followed(self._draft, before.state, view.state)
        self._show_trouble(view)
        self._show_cards()
        self._show_usage()
        self._show_conflict()
        for action in self._changing:
            action.setEnabled(view.editable)
        self._add.setEnabled(view.addable)
        self._first.setEnabled(view.addable)

    def filter(self, needle: str) -> int:
        """Show only entries with `needle` in them; how many those are."""
        self._needle = needle
        self._show_cards()
        return self.list.card_model().rowCount()

    def lead_to(self, text: str) -> bool:
        """Select the entry `text`, or the first that contains it; False if there is none."""
        state = self.state()
        if state is None or not text:
            return False
        keys = keys_of(state.entries)
        places = [at for at, entry in enumerate(state.entries) if entry.text == text]
        places += [at for at, entry in enumerate(state.entries) if text in entry.text]
        return bool(places) and self.list.choose(keys[places[0]])

    def state(self) -> MemoryState | None:
        """The file as it is shown, None before the first reading."""
        return None if self._view is None else self._view.state

    def draft(self) -> Draft | None:
        """The edit in progress, if there is one that says something new."""
        draft, editor = self._draft, self._editor
        if draft is None or editor is None or editor.text() == (draft.base or ""):
            return None
        return replace(draft, text=editor.text())

    def editor(self) -> EntryEditor | None:
        """The open editor."""
        return self._editor

    def show_whole(self, whole: bool) -> None:
        """Be as high as all cards together, for a page that scrolls as one."""
        self._whole = whole
        bars = Qt.ScrollBarPolicy
        self.list.setVerticalScrollBarPolicy(
            bars.ScrollBarAlwaysOff if whole else bars.ScrollBarAlwaysOn
        )
        self._above.setContentsMargins(0, 0, 0 if whole else BAR, 0)
        self._fit()

    def _show_trouble(self, view: FileView) -> None:
        trouble = view.trouble
        notice = None
        if trouble is not None:
            notice = Notice(
                "trouble",
                trouble.text,
                strong=trouble.strong,
                tone="bad" if trouble.bad else "warn",
                action=trouble.action,
            )
        self.banner.show_notice(notice)
        self._asides.setText("\n".join(view.asides))
        self._asides.setVisible(bool(view.asides))

    def _show_cards(self) -> None:
        if self._view is None:
            return
        cards = cards_of(self._view.state, self._needle)
        draft = self._draft
        if draft is not None and all(card.key != draft.key for card in cards):
            cards = _with_draft(cards, draft)
        self.list.show_cards(cards)
        self.list.mark_matches(self._needle)
        self._show_empty(bool(cards))

    def _show_empty(self, filled: bool) -> None:
        view = self._view
        readable = view is not None and view.state.state != "unreadable"
        self.list.setVisible(filled)
        self.empty.setVisible(not filled and readable)
        self._first.setVisible(not self._needle)
        self._add.setVisible(filled and not self._needle and self._editor is None)
        if self._needle:
            self.empty.say("", tr("No entry here has “{text}” in it.", text=self._needle))
            return
        words = {
            "memory": tr(
                "What the agent notes about its work will stand here: facts, habits of your "
                "machines, lessons. It reads all of it at each start."
            ),
            "user": tr(
                "What the agent learns about you will stand here: who you are, how you like to "
                "be answered. It reads all of it at each start."
            ),
        }
        self.empty.say(tr("Nothing is remembered yet"), words[self.target])

    def _fit(self) -> None:
        height = max(self.list.content_height(), 1)
        self.list.setMaximumHeight(height)
        self.list.setMinimumHeight(height if self._whole else min(height, 96))
        self.fitted.emit()

    # -- the budget ------------------------------------------------------------------------

    def _show_usage(self) -> None:
        from store.memory.budget import percent, usage_line

        view = self._view
        if view is None:
            return
        state, draft = view.state, self.draft()
        full = percent(state.chars, state.limit)
        if draft is None:
            usage = usage_line(state.chars, state.limit)
            self.meter.show_usage(usage, full, view.tokens if state.snapshot.block else None)
            return
        chars = self._chars_with(draft.text)
        usage = tr(
            "{before}% → {after}% — {chars:,} → {would_be:,}/{limit:,} chars",
            before=full,
            after=percent(chars, state.limit),
            chars=state.chars,
            would_be=chars,
            limit=state.limit,
        )
        self.meter.show_usage(usage, percent(chars, state.limit), None)

    def _chars_with(self, text: str) -> int:
        """Count what the file would hold with `text` in the place of the edited entry."""
        from store.memory.entries import DELIMITER

        state, draft = self.state(), self._draft
        texts = [entry.text for entry in state.entries] if state is not None else []
        typed = text.strip()
        if draft is not None and draft.base in texts:
            texts[texts.index(draft.base)] = typed
        else:
            texts.append(typed)
        return len(DELIMITER.join(text for text in dict.fromkeys(texts) if text))

    def _cost(self, text: str) -> tuple[str, bool]:
        from store.memory.budget import usage_line

        state = self.state()
        if state is None:
            return "", False
        chars = self._chars_with(text)
        words = trn("{n:,} char", "{n:,} chars", len(text.strip()))
        return f"{words} · {usage_line(chars, state.limit)}", chars > state.limit

    # -- editing ---------------------------------------------------------------------------

    def begin_edit(self, key: Hashable) -> None:
        """Edit the entry with that key in its place."""
        state = self.state()
        if state is None or self._view is None or not self._view.editable or self._busy_editing():
            return
        keys = keys_of(state.entries)
        if key in keys:
            row = keys.index(key)
            text = state.entries[row].text
            self._open_editor(Draft(key, text, text, row))

    def begin_add(self, _: object = None, *, text: str = "") -> None:
        """Write a new entry."""
        state = self.state()
        if state is None or self._view is None or not self._view.addable or self._busy_editing():
            return
        self._open_editor(Draft(NEW, None, text, len(state.entries)))

    def _busy_editing(self) -> bool:
        """Whether an edit is in progress that must be ended first; leads to it."""
        if self.draft() is None:
            return False
        if self._editor is not None:
            self._editor.take_focus()
        self.said.emit(Said(tr("Save or cancel this edit first.")))
        return True

    def _open_editor(self, draft: Draft) -> None:
        self._close_editor()
        new = draft.base is None
        self._draft = draft
        editor = self._editor = EntryEditor(
            text=draft.text,
            label=tr("New entry") if new else tr("Edit entry"),
            save=tr("Add") if new else tr("Save"),
            cost=self._cost,
        )
        editor.save_requested.connect(self.save)
        editor.cancel_requested.connect(self.cancel)
        editor.edited.connect(self._show_usage)
        editor.grown.connect(self.list.editor_grew)
        editor.conflict.reload_requested.connect(self._take_theirs)
        editor.conflict.keep_requested.connect(self._keep_mine)
        editor.conflict.compare_requested.connect(self._compare)
        self._show_cards()
        self.list.open_editor(draft.key, editor)
        self._show_usage()
        self._show_conflict()
        editor.take_focus()

    def _close_editor(self) -> None:
        self._draft, self._editor = None, None
        self.list.close_editor()

    def save(self) -> None:
        """Write what was typed."""
        from store.memory.operations import Add, Replace, Whole

        draft, editor = self._draft, self._editor
        if draft is None or editor is None or editor.is_busy():
            return
        if draft.now is not None or draft.lost:
            self._show_conflict()
            return
        text, name = editor.text(), file_words(self.target)
        if draft.base is not None and text == draft.base:
            self._end_edit()
            return
        editor.set_busy(True)
        if draft.base is None:
            wish = Wish(self.target, Add(text), tr("Entry added to {file}.", file=name))
        else:
            change = Replace(Whole(draft.base), text)
            wish = Wish(self.target, change, tr("Entry changed in {file}.", file=name))
        self.wished.emit(replace(wish, choose=text.strip(), typed=True))

    def cancel(self) -> None:
        """End the edit; what was typed can be had back from the toast."""
        draft = self.draft()
        self._end_edit()
        if draft is not None:
            restore = partial(self._restore, draft)
            self.said.emit(Said(tr("The edit was put aside."), tr("Restore"), restore))

    def _restore(self, draft: Draft) -> None:
        state = self.state()
        if state is None or self._busy_editing():
            return
        keys = keys_of(state.entries)
        if draft.base is not None and draft.key not in keys:
            draft = replace(draft, lost=True)
        self._open_editor(draft)

    def _end_edit(self) -> None:
        self._close_editor()
        self._show_cards()
        self._show_usage()
        self.list.setFocus()

    def saved(self) -> None:
        """What was typed is on disk: close the editor before the file is shown again."""
        self._close_editor()
        self.list.setFocus()

    def refused(self, wish: Wish | Move, refusal: Refusal) -> None:
        """Say at its place why a wish was not done."""
        if isinstance(wish, Wish) and wish.typed and self._editor is not None:
            self._editor.set_busy(False)
            if not self._conflicting():
                self._editor.show_problem(say(refusal))
            self._editor.take_focus()
            return
        notice = Notice("refused", say(refusal), tone="bad", action=tr("Got it"))
        self.problem.show_notice(notice)

    # -- conflicts -------------------------------------------------------------------------

    def _conflicting(self) -> bool:
        return self._draft is not None and (self._draft.now is not None or self._draft.lost)

    def _show_conflict(self) -> None:
        draft, editor = self._draft, self._editor
        if draft is None or editor is None:
            return
        editor.weigh_again()
        text = ""
        if draft.lost:
            text = tr("This entry was removed on disk while you were editing it.")
        elif draft.now is not None:
            text = tr("This entry was changed on disk while you were editing it.")
        editor.conflict.tell(text)
        self.list.editor_grew()

    def _take_theirs(self) -> None:
        """Reload: forget what was typed, which the toast can bring back."""
        draft, mine = self._draft, self.draft()
        if draft is None or draft.now is None:
            self.cancel()
            return
        state = self.state()
        texts = [entry.text for entry in state.entries] if state is not None else []
        row = texts.index(draft.now) if draft.now in texts else draft.row
        now = draft.now
        self._open_editor(Draft((now, 0), now, now, row))
        if mine is not None:
            kept = replace(mine, now=None, base=now, key=(now, 0), row=row)
            restore = partial(self._restore_over, kept)
            self.said.emit(Said(tr("Reloaded."), tr("Restore mine"), restore))

    def _restore_over(self, draft: Draft) -> None:
        self._close_editor()
        self._restore(draft)

    def _keep_mine(self) -> None:
        """Go on with what was typed, in the place of what is there now."""
        draft, editor = self._draft, self._editor
        if draft is None or editor is None:
            return
        text = editor.text()
        if draft.now is not None:
            self._open_editor(Draft((draft.now, 0), draft.now, text, draft.row))
        else:
            self._open_editor(Draft(NEW, None, text, draft.row))

    def _compare(self) -> None:
        from gui.widgets.compare import CompareDialog

        draft, editor = self._draft, self._editor
        if draft is not None and editor is not None:
            dialog = CompareDialog(self._theme, draft.now or "", editor.text(), self.window())
            dialog.open()

    # -- acting on cards -------------------------------------------------------------------

    def _edit_current(self) -> None:
        card = self.list.current_card()
        if card is not None:
            self.begin_edit(card.key)

    def _current_text(self) -> str | None:
        card = self.list.current_card()
        editing = self._draft is not None and card is not None and card.key == self._draft.key
        return None if card is None or editing else card.text

    def _delete_current(self) -> None:
        from store.memory.operations import Remove, Whole

        text = self._current_text()
        if text is not None:
            said = tr("Entry deleted from {file}.", file=file_words(self.target))
            self.wished.emit(Wish(self.target, Remove(Whole(text)), said))

    def _move_current(self) -> None:
        text = self._current_text()
        if text is not None:
            self.wished.emit(Move(self.target, text))

    def _copy_current(self) -> None:
        text = self._current_text()
        if text is not None:
            QApplication.clipboard().setText(text)
            self.said.emit(Said(tr("Text copied.")))

    def _shift(self, step: int) -> None:
        from store.memory.operations import Arrange

        state, text = self.state(), self._current_text()
        row = self.list.currentIndex().row()
        if state is None or text is None or self._needle or self._draft is not None:
            return
        texts = [entry.text for entry in state.entries]
        if not 0 <= row + step < len(texts):
            return
        texts.insert(row + step, texts.pop(row))
        said = tr("Order changed in {file}.", file=file_words(self.target))
        change = Arrange(tuple(texts), state.digest)
        self.wished.emit(Wish(self.target, change, said, choose=text))

    # -- small things ----------------------------------------------------------------------

    def _want_fix(self, _: Notice) -> None:
        trouble = self._view.trouble if self._view is not None else None
        if trouble is not None and isinstance(trouble.fix, Fix):
            self.fix_wanted.emit(trouble.fix)

    def _dismiss(self, _: Notice) -> None:
        self.problem.show_notice(None)

    def _tell_used(self, _: object) -> None:
        self.used.emit(self.target)


def _followed(draft: Draft, before: MemoryState, after: MemoryState) -> Draft:
    """Find the edited entry again after the file changed."""
    texts = [entry.text for entry in after.entries]
    if draft.base is None or (draft.base in texts and draft.now is None and not draft.lost):
        return replace(draft, row=texts.index(draft.base)) if draft.base is not None else draft
    if draft.base in texts:  # it came back: someone undid what stood in the way
        return replace(draft, now=None, lost=False, row=texts.index(draft.base))
    now = counterpart(draft.now or draft.base, before, after)
    if draft.now in texts:
        return draft
    return replace(draft, now=now, lost=now is None)


def _with_draft(cards: list[Card], draft: Draft) -> list[Card]:
    """Put a card for the edit among the others: over what replaced it, else where it was."""
    place = Card(key=draft.key, text=draft.base or "")
    at = next((row for row, card in enumerate(cards) if card.text == draft.now), -1)
    if draft.now is not None and at >= 0:
        return [*cards[:at], place, *cards[at + 1 :]]
    row = min(draft.row, len(cards))
    return [*cards[:row], place, *cards[row:]]
