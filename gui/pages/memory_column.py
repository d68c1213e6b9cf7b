"""One memory file on the Memory page: budget, banners and cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models.cards import MORE, SHOWN
from gui.models.drafts import Draft, chars_after
from gui.models.memory import (
    OTHER,
    FileView,
    Fix,
    cards_of,
    file_words,
    key_at,
    row_of,
    text_of,
)
from gui.models.ticks import MOST_MERGED
from gui.pages.memory_choice import Choice
from gui.pages.memory_edit import EntryEdit
from gui.pages.memory_wishes import AnyWish, Delete, Move, Wish, say_none_done
from gui.theme import BAR, GRID, Theme
from gui.widgets.bars import Banner, Notice
from gui.widgets.entry_cards import EntryList
from gui.widgets.keys import native_keys
from gui.widgets.labels import Button, PlainLabel, make_action
from gui.widgets.meter import BudgetMeter, usage_words
from gui.workplace import Said
from store.home import Target

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from gui.models.cards import Card
    from gui.widgets.empty import EmptyPage
    from gui.widgets.entry_editor import EntryEditor
    from store.memory.state import MemoryState
    from store.refusals import Refusal


QWIDGETSIZE_MAX = (1 << 24) - 1
_MOST_SHOWN = 10 * SHOWN
"""No entry further down is led to: making so many cards would take the window its time."""


class FileColumn(QWidget):
    """Shows one file, and turns what the person does into wishes. Writes nothing itself."""

    wished = Signal(object)
    """A `Wish`, a `Move` or a `Delete`."""
    fix_wanted = Signal(object)
    """A `Fix` of config.yaml."""
    room_wanted = Signal(object)
    """How many characters more are wanted in this file than there are; None leaves it open."""
    repair_wanted = Signal(object)
    """The target: its file is to be repaired."""
    note_wanted = Signal(object)
    """The texts of the entries that are to go to a note."""
    belongs_wanted = Signal(object)
    """The text of an entry whose place among the layers is asked for."""
    origin_wanted = Signal(object)
    """The text of an entry whose conversation the person looks for."""
    history_wanted = Signal(object)
    """The text of an entry whose history the person looks for."""
    forget_wanted = Signal(object)
    """The text of an entry that is to be forgotten everywhere."""
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
        self.list = EntryList(theme, name=f"{target}_cards", label=file_words(target))
        self._theme = theme
        self._view: FileView | None = None
        self._dresses: dict[str, Callable[[list[Card]], list[Card]]] = {}
        self._needle = ""
        self._shown = SHOWN
        self._whole = False
        self.edit = EntryEdit(theme, target, self.list)
        self.choice = Choice(self.list)
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
        self._empty: EmptyPage | None = None
        self._add = Button(self._add_words(), name=f"{name}_add", kind="quiet")
        self._add.clicked.connect(self.begin_add)
        self._room = Button(tr("Make room…"), name=f"{name}_room", kind="quiet")
        self._room.setToolTip(native_keys("Ctrl+R"))
        self._room.clicked.connect(self._want_room)
        self.list.opened.connect(self._open)
        self.list.chosen.connect(self._tell_used)
        self.list.height_changed.connect(self._fit)
        self.edit.wished.connect(self.wished)
        self.edit.said.connect(self.said)
        self.edit.typed.connect(self._show_usage)
        self.edit.room_wanted.connect(self.room_wanted)
        self.edit.began_or_ended.connect(self._show_edit)
        self.choice.said.connect(self.said)
        self.choice.changed.connect(self._show_choice)
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
        below = QHBoxLayout()
        below.setContentsMargins(0, 0, BAR, 0)
        below.addWidget(self._add)
        below.addStretch(1)
        below.addWidget(self._room)
        column.addLayout(below)
        column.addStretch(1)
        self._asides.hide()
        self._add.hide()
        self._room.hide()

    def _add_words(self) -> str:
        added = {"memory": tr("+ Add to agent memory"), "user": tr("+ Add to user profile")}
        return added[self.target]

    def _make_actions(self) -> None:
        others = {"memory": tr("To agent memory"), "user": tr("To user profile")}
        other = others[OTHER[self.target]]
        edit = self._action("edit", tr("Edit"), "", self._edit_current)
        move = self._action("move", other, "Ctrl+M", self._move)
        delete = self._action("delete", tr("Delete"), "Del", self._delete)
        up = self._action("up", tr("Move up"), "Alt+Up", partial(self._shift, -1))
        down = self._action("down", tr("Move down"), "Alt+Down", partial(self._shift, 1))
        copy = self._action("copy", tr("Copy text"), "Ctrl+C", self._copy)
        note = self._action("note", tr("Move to a note…"), "Ctrl+Shift+M", self._ask_note)
        belongs = self._action(
            "belongs", tr("Where does this belong?"), "Ctrl+G", self._ask_belongs
        )
        origin = self._action(
            "origin", tr("Where did this come from?"), "Ctrl+Shift+O", self._ask_origin
        )
        merge = self._merge = self._action("merge", "", "Ctrl+J", self._merge_entries)
        choose = self._action("choose", tr("Choose"), "Ctrl+Space", self.list.toggle_current)
        choose_all = self._action("choose_all", tr("Choose all"), "Ctrl+A", self.choice.choose_all)
        history = self._action("history", tr("Its history"), "Ctrl+H", self._ask_history)
        forget = self._action(
            "forget", tr("Forget this everywhere…"), "Ctrl+Shift+Del", self._ask_to_forget
        )
        self._changing = (edit, move, up, down, merge, delete)
        of_one = (
            *(edit, move, up, down, merge, note, belongs, copy, history, origin),
            *(delete, forget),
        )
        self._choosing = (choose, choose_all)
        self._actions: tuple[QAction, ...] = (*of_one, *self._choosing)
        self._on_card = (edit, move, delete)
        self.choice.actions = (merge, move, note, copy, delete)
        self._offer(several=False)

    def offer_also(self, actions: Sequence[QAction], several: Sequence[QAction] = ()) -> None:
        """Offer these in the menu of the cards too; `several` where several are chosen."""
        self._actions = (*self._actions, *actions)
        *first, delete = self.choice.actions
        self.choice.actions = (*first, *several, delete)
        self._offer(several=self._for_several)

    def _offer(self, *, several: bool) -> None:
        self._for_several = several
        self._merge.setText(tr("Merge") if several else tr("Merge with the next"))
        actions = (*self.choice.actions, *self._choosing) if several else self._actions
        self.list.set_actions(actions, on_card=self._on_card)

    def _show_choice(self) -> None:
        view, count = self._view, len(self.choice)
        if bool(count) != self._for_several:
            self._offer(several=bool(count))
        self._merge.setEnabled(count != 1 and view is not None and view.editable)

    def _ask_history(self) -> None:
        text = self.current_text()
        if text is not None:
            self.history_wanted.emit(text)

    def _ask_to_forget(self) -> None:
        text = self.current_text()
        if text is not None:
            self.forget_wanted.emit(text)

    def _want_room(self) -> None:
        self.room_wanted.emit(None)

    def _ask_note(self) -> None:
        texts = self.chosen_texts()
        if texts:
            self.note_wanted.emit(texts)

    def _ask_belongs(self) -> None:
        text = self.current_text()
        if text is not None:
            self.belongs_wanted.emit(text)

    def _ask_origin(self) -> None:
        text = self.current_text()
        if text is not None:
            self.origin_wanted.emit(text)

    def _action(self, name: str, text: str, keys: str, act: Callable[[], None]) -> QAction:
        return make_action(self, name=f"{self.target}_{name}", text=text, keys=keys, act=act)

    # -- showing --------------------------------------------------------------------------

    def show_view(self, view: FileView) -> None:
        """Show the file as it now is; a half-typed edit stays."""
        self._view = view
        self.edit.follow(view)
        self.choice.follow(view)
        self._show_trouble(view)
        self._show_cards()
        self._show_usage()
        self.edit.show_conflict()
        for action in self._changing:
            action.setEnabled(view.editable)
        self._show_choice()
        self._add.setEnabled(view.addable)

    def dress(
        self, dress: Callable[[list[Card]], list[Card]] | None, *, name: str = "ages"
    ) -> None:
        """Show on the cards what `dress` adds to them, which came later than the file.

        It takes the place of what was given by that name; None takes that away.
        """
        if dress is not None:
            self._dresses[name] = dress
        elif self._dresses.pop(name, None) is None:
            return
        self._show_cards()

    def filter(self, needle: str) -> int:
        """Show only entries with `needle` in them; how many those are."""
        self._needle, self._shown = needle, SHOWN
        self.choice.filter(needle)
        self._show_cards()
        return self.list.card_model().rowCount()

    def lead_to(self, text: str) -> bool:
        """Select the entry `text`, or the first that contains it; False if there is none."""
        state = self.state()
        if state is None or not text:
            return False
        entries = enumerate(state.entries)
        exact = next((row for row, entry in entries if entry.text == text), None)
        entries = enumerate(state.entries)
        row = next((row for row, entry in entries if text in entry.text), -1)
        row = row if exact is None else exact
        if not 0 <= row < _MOST_SHOWN:
            return False
        if row >= self._shown:
            self._shown = row + SHOWN
            self._show_cards()
        return self.list.choose(key_at(state.entries, row))

    def take_focus(self) -> bool:
        """Put the keyboard where work goes on here; False if there is nothing yet to work on."""
        if self.edit.editor is not None:
            self.edit.editor.take_focus()
        elif self.list.card_model().rowCount():
            self.list.take_focus()
        else:
            return False
        return True

    def state(self) -> MemoryState | None:
        """The file as it is shown, None before the first reading."""
        return None if self._view is None else self._view.state

    def draft(self) -> Draft | None:
        """The edit in progress, if there is one that says something new."""
        return self.edit.draft()

    def editor(self) -> EntryEditor | None:
        """The open editor."""
        return self.edit.editor

    def begin_edit(self, key: Hashable) -> None:
        """Edit the entry with that key."""
        self.edit.begin(key)

    def begin_add(self, _: object = None) -> None:
        """Write a new entry."""
        self.edit.begin_new()

    def saved(self) -> None:
        """What was typed is on disk."""
        self.edit.saved()

    def refused(self, wish: AnyWish, refusal: Refusal) -> None:
        """Say at its place why a wish was not done."""
        if isinstance(wish, Wish) and wish.typed and self.edit.editor is not None:
            self.edit.refused(refusal)
            return
        words = say_none_done(refusal, several=len(wish.gone) > 1)
        notice = Notice("refused", words, tone="bad", action=tr("Got it"))
        self.problem.show_notice(notice)

    def _show_edit(self) -> None:
        self._show_cards()
        self._show_usage()
        self.choice.changed.emit()

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
        cards = cards_of(self._view.state, self._needle, self._shown)
        for name in sorted(self._dresses):
            cards = self._dresses[name](cards)
        cards = self.edit.among(cards)
        self.list.show_cards(cards)
        self.list.mark_matches(self._needle)
        self._show_empty(bool(cards))

    def _show_empty(self, filled: bool) -> None:
        view = self._view
        readable = view is not None and view.state.state != "unreadable"
        # While it has the keyboard it stays, though empty: focus must not jump elsewhere.
        self.list.setVisible(filled or self.list.hasFocus())
        self._add.setVisible(filled and not self._needle and self.edit.editor is None)
        self._room.setVisible(not self._add.isHidden() and view is not None and view.editable)
        if filled or not readable:
            if self._empty is not None:
                self._empty.hide()
                self.fitted.emit()
            return
        empty = self._empty or self._make_empty()
        empty.show()
        self._first.setVisible(not self._needle)
        if self._needle:
            empty.say("", tr("No entry here has “{text}” in it.", text=self._needle))
            self.fitted.emit()
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
        empty.say(tr("Nothing is remembered yet"), words[self.target])
        self.fitted.emit()

    def _make_empty(self) -> EmptyPage:
        from gui.widgets.empty import EmptyPage

        empty = self._empty = EmptyPage(name=f"{self.target}_empty")
        self._first = empty.add_button(tr("Add the first entry"), "add")
        empty.acted.connect(self.begin_add)
        self._column.insertWidget(self._column.indexOf(self.list) + 1, empty)
        return empty

    def wanted_height(self) -> int:
        """How high it is when every card is seen; as high as can be while there is none."""
        if not self.list.card_model().rowCount():
            return QWIDGETSIZE_MAX
        if self._column.hasHeightForWidth():
            return self._column.totalHeightForWidth(self.width())
        return self._column.totalSizeHint().height()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.fitted.emit()  # a button or a banner came or went
        return super().event(event)

    def _fit(self) -> None:
        height = self.list.content_height()
        many = height is None
        most = QWIDGETSIZE_MAX if height is None else max(height, 1)
        self.list.setMaximumHeight(most)
        self.list.setMinimumHeight(most if self._whole and not many else min(most, 96))
        self.fitted.emit()

    # -- the budget ------------------------------------------------------------------------

    def _show_usage(self) -> None:
        from store.memory.budget import percent

        view = self._view
        if view is None:
            return
        state, draft = view.state, self.edit.draft()
        full = percent(state.chars, state.limit)
        if draft is None:
            usage = usage_words(state.chars, state.limit)
            self.meter.show_usage(usage, full, view.tokens if state.snapshot.block else None)
            return
        chars = chars_after(state, draft, draft.text)
        usage = tr(
            "{before}% → {after}% — {chars:,} → {would_be:,}/{limit:,} chars",
            before=full,
            after=percent(chars, state.limit),
            chars=state.chars,
            would_be=chars,
            limit=state.limit,
        )
        self.meter.show_usage(usage, percent(chars, state.limit), None)

    # -- acting on cards -------------------------------------------------------------------

    def _open(self, key: Hashable) -> None:
        if key == MORE:
            self._shown += SHOWN
            self._show_cards()
        else:
            self.edit.begin(key)

    def _edit_current(self) -> None:
        card = self.list.current_card()
        if card is not None:
            self._open(card.key)

    def _merge_entries(self) -> None:
        texts, card, state = self.choice.texts(), self.list.current_card(), self.state()
        if len(texts) > MOST_MERGED:
            words = tr("At most {n} entries can be merged at once.", n=MOST_MERGED)
            self.said.emit(Said(words))
        elif texts:
            self.edit.begin_merge((texts[0], 0), texts[1:])
        elif card is not None and state is not None and not self._needle:
            below = row_of(state.entries, card.key) + 1
            if 0 < below < len(state.entries):
                self.edit.begin_merge(card.key, (state.entries[below].text,))

    def current_text(self) -> str | None:
        """The text of the entry that is chosen; None while it is being edited."""
        card = self.list.current_card()
        return None if card is None or self.edit.is_of(card.key) else text_of(card.key)

    def chosen_texts(self) -> tuple[str, ...]:
        """The texts of the entries that are chosen; where none is, that of the current one."""
        text = self.current_text()
        return self.choice.texts() or (() if text is None else (text,))

    def _delete(self) -> None:
        texts = self.chosen_texts()
        if texts:
            self.wished.emit(Delete(self.target, texts))

    def _move(self) -> None:
        texts = self.chosen_texts()
        if texts:
            self.wished.emit(Move(self.target, texts))

    def _copy(self) -> None:
        texts = self.chosen_texts()
        if texts:
            QApplication.clipboard().setText("\n\n".join(texts))
            self.said.emit(Said(trn("Text copied.", "{n:,} texts copied.", len(texts))))

    def _shift(self, step: int) -> None:
        from store.memory.operations import Arrange

        state, text = self.state(), self.current_text()
        row = self.list.currentIndex().row()
        if state is None or text is None or self._needle or self.edit.editor is not None:
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
        elif trouble is not None and trouble.repair:
            self.repair_wanted.emit(self.target)

    def _dismiss(self, _: Notice) -> None:
        self.problem.show_notice(None)

    def _tell_used(self, _: object) -> None:
        self.used.emit(self.target)
