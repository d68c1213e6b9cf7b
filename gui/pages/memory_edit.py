"""The edit in progress in one column of the Memory page, from its first key to disk."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction

from gui.i18n import N_, tr, trn
from gui.models.cards import Card
from gui.models.drafts import NEW, Draft, chars_after
from gui.models.memory import FileView, file_words, row_of
from gui.pages.memory_wishes import Wish, say_none_done
from gui.theme import Theme
from gui.widgets.cards import CardList
from gui.widgets.labels import make_action
from gui.workplace import Said
from schema.frozen import replace
from store.home import Target
from store.refusals import OverBudget

if TYPE_CHECKING:
    from gui.widgets.entry_editor import EntryEditor
    from store.memory.operations import Change
    from store.refusals import Refusal


def change_of(draft: Draft, texts: Sequence[str]) -> Change:
    """What turns the entries of `draft` into these texts, as one change."""
    from store.memory.operations import Add, Remove, Replace, Split, Whole, together

    if draft.base is None:
        return together([Add(text) for text in texts])
    where = Whole(draft.base)
    new = Replace(where, texts[0]) if len(texts) == 1 else Split(where, tuple(texts))
    return together([*(Remove(Whole(text)) for text in draft.merges), new])


def said_of(draft: Draft, parts: int) -> str:
    """The sentence for the toast, not yet in the person's language."""
    if parts > 1:
        return N_("Entry split into two in {file}.")
    if draft.base is None:
        return N_("Entry added to {file}.")
    return N_("Entries merged in {file}.") if draft.merges else N_("Entry changed in {file}.")


class EntryEdit(QObject):
    """Holds the open editor and what it is about. What was typed is never lost by itself."""

    wished = Signal(object)
    """A `Wish`."""
    said = Signal(object)
    """A `Said` for the toast."""
    room_wanted = Signal(object)
    """How many characters too many what was typed would bring."""
    belongs_wanted = Signal(object)
    """What was typed for a new entry: where does it belong?"""
    began_or_ended = Signal()
    """Cards and budget must be shown anew."""
    typed = Signal()
    """The budget must be shown anew."""

    def __init__(self, theme: Theme, target: Target, cards: CardList) -> None:
        super().__init__(cards)
        self.target: Target = target
        self.editor: EntryEditor | None = None
        self._theme = theme
        self._cards = cards
        self._view: FileView | None = None
        self._draft: Draft | None = None
        self._lacking = 0

    # -- what the column shows of it -------------------------------------------------------

    def follow(self, view: FileView) -> None:
        """Take note of the file as it now is."""
        if self._draft is not None and self._view is not None:
            self._draft = self._draft.followed(self._view.state, view.state)
        self._view = view

    def draft(self) -> Draft | None:
        """Give the edit with what was typed, if that says something new."""
        if self._draft is None or self.editor is None:
            return None
        typed = self.editor.text()
        return replace(self._draft, text=typed) if typed != (self._draft.base or "") else None

    def is_of(self, key: Hashable) -> bool:
        """Whether the card with that key is the one that is being edited."""
        return self._draft is not None and self._draft.key == key

    def among(self, cards: list[Card]) -> list[Card]:
        """Give the cards with one for the edit among them."""
        return cards if self._draft is None else self._draft.among(cards)

    def show_conflict(self) -> None:
        """Say in the editor what happened to its entry on disk."""
        draft, editor = self._draft, self.editor
        if draft is None or editor is None:
            return
        editor.weigh_again()
        text = ""
        if draft.lost:
            text = tr("This entry was removed on disk while you were editing it.")
        elif draft.now is not None:
            text = tr("This entry was changed on disk while you were editing it.")
        editor.conflict.tell(text)
        self._cards.editor_grew()

    # -- beginning and ending --------------------------------------------------------------

    def begin(self, key: Hashable) -> None:
        """Edit the entry with that key in its place."""
        view = self._view
        if view is None or not view.editable or self._is_busy():
            return
        row = row_of(view.state.entries, key)
        if row >= 0:
            text = view.state.entries[row].text
            self._open(Draft(key, text, text, row))

    def begin_merge(self, key: Hashable, others: Sequence[str]) -> None:
        """Edit the entry with that key and these `others`, in this order, as one."""
        view = self._view
        if view is None or not view.editable or self._is_busy():
            return
        row = row_of(view.state.entries, key)
        if row >= 0:
            base = view.state.entries[row].text
            merges = tuple(text for text in dict.fromkeys(others) if text != base)
            self._open(Draft(key, base, "\n".join((base, *merges)), row, merges=merges))

    def begin_both(self, text: str, other: str) -> bool:
        """Edit the entries `text` and `other` as one, in the place of the first; or only the first.

        False if that cannot be now.
        """
        view = self._view
        if view is None or not view.editable or self._is_busy():
            return False
        texts = [entry.text for entry in view.state.entries]
        if text not in texts or (other and other not in texts):
            return False
        typed, merges = (f"{text}\n{other}", (other,)) if other else (text, ())
        self._open(Draft((text, 0), text, typed, texts.index(text), merges=merges))
        return True

    def begin_new(self, text: str = "") -> bool:
        """Write a new entry, from `text` on; False if that cannot be now."""
        view = self._view
        if view is None or not view.addable or self._is_busy():
            return False
        self._open(Draft(NEW, None, text, len(view.state.entries)))
        return True

    def cancel(self) -> None:
        """End the edit; what was typed can be had back from the toast."""
        draft = self.draft()
        self._end()
        if draft is not None:
            restore = partial(self._restore, draft)
            self.said.emit(Said(tr("The edit was put aside."), tr("Restore"), restore))

    def saved(self) -> None:
        """What was typed is on disk: let go of it before the file is shown again."""
        self._close()
        self._cards.setFocus()

    def let_go(self, text: str) -> None:
        """End the edit of a new entry if it says `text`, which stands in another place now."""
        is_new = self._draft is not None and self._draft.base is None
        if is_new and self.editor is not None and self.editor.text() == text:
            self.saved()

    def refused(self, refusal: Refusal) -> None:
        """Say at the entry why it was not saved."""
        if self.editor is None:
            return
        self.editor.set_busy(False)
        if self._draft is None or not self._draft.conflicts:
            self.editor.show_problem(say_none_done(refusal))
            if self._draft is not None and self._view is not None and self._draft.merges:
                # Said once: saved again, what changed of the others stays beside it as it is.
                self._draft = self._draft.merging_only(self._view.state)
            if isinstance(refusal, OverBudget):
                self._offer_room(self.editor, refusal.chars - refusal.limit)
        if self._draft is not None:
            self._cards.choose(self._draft.key)  # it grew: all of it is to be seen
        self.editor.take_focus()

    def _offer_room(self, editor: EntryEditor, characters: int) -> None:
        """Offer once to look for what could go instead; what was typed stays in the editor."""
        self._lacking = characters
        if editor.findChild(QAction, "entry_room") is None:
            # Its shortcut is the page's, which asks how much is lacking.
            editor.suggest(
                make_action(editor, name="entry_room", text=tr("Make room…"), act=self._want_room)
            )

    def lacking(self) -> int:
        """How many characters too many what is typed would have brought, if that was refused."""
        return self._lacking if self.editor is not None else 0

    def _want_room(self) -> None:
        self.room_wanted.emit(self._lacking)

    def save(self) -> None:
        """Wish for what was typed to be written."""
        editor = self.editor
        if editor is not None and self._may_write():
            self._write(editor.text())

    def split(self) -> None:
        """Wish for what was typed to be written as two entries, parted at the cursor."""
        editor = self.editor
        if editor is None or not self._may_write():
            return
        parts = editor.parts()
        if all(part.strip() for part in parts):
            self._write(*parts)
        else:
            words = tr("Put the cursor between two parts of the text; one would be empty here.")
            editor.show_problem(words)

    def _may_write(self) -> bool:
        draft, editor = self._draft, self.editor
        if draft is None or editor is None or editor.is_busy():
            return False
        if draft.conflicts:
            self.show_conflict()
        return not draft.conflicts

    def _write(self, *texts: str) -> None:
        draft, editor = self._draft, self.editor
        if draft is None or editor is None:
            return
        if texts == (draft.base,):
            self._end()
            return
        editor.set_busy(True)
        change, said = change_of(draft, texts), said_of(draft, len(texts))
        words = tr(said, file=file_words(self.target))
        self.wished.emit(Wish(self.target, change, words, choose=texts[0].strip(), typed=True))

    def _is_busy(self) -> bool:
        """Whether an edit is in progress that must be ended first; leads to it."""
        if self.draft() is None:
            return False
        if self.editor is not None:
            self.editor.take_focus()
        self.said.emit(Said(tr("Save or cancel this edit first.")))
        return True

    def _open(self, draft: Draft) -> None:
        from gui.widgets.entry_editor import EntryEditor

        self._close()
        new = draft.base is None
        self._draft = draft
        editor = self.editor = EntryEditor(
            text=draft.text,
            label=tr("New entry") if new else tr("Edit entry"),
            save=tr("Add") if new else tr("Merge") if draft.merges else tr("Save"),
            cost=self._cost,
            parted=self._parted,
        )
        if new:
            self._offer_layers(editor, draft.text)
        split = make_action(
            editor, name="entry_split", text=tr("Split here"), keys="Alt+Return", act=self.split
        )
        split.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        editor.offer(split)
        editor.save_requested.connect(self.save)
        editor.cancel_requested.connect(self.cancel)
        editor.edited.connect(self.typed)
        editor.grown.connect(self._cards.editor_grew)
        editor.conflict.reload_requested.connect(self._take_theirs)
        editor.conflict.keep_requested.connect(self._keep_mine)
        editor.conflict.compare_requested.connect(self._compare)
        self.began_or_ended.emit()
        self._cards.open_editor(draft.key, editor)
        self.show_conflict()
        editor.take_focus()

    def _offer_layers(self, editor: EntryEditor, text: str) -> None:
        """Ask where the text belongs; of one that is given already, say what it suggests."""
        words = tr("Send to…")
        if text.strip():
            from gui.models.belongs import LAYER_WORDS, suggestion_for

            layer = suggestion_for(text).layer
            if layer != self.target:
                words = tr("Rather: {layer}…", layer=tr(LAYER_WORDS[layer]))
        ask = make_action(
            editor, name="entry_belongs", text=words, keys="Ctrl+G", act=self._ask_belongs
        )
        ask.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # each column may have an editor
        editor.suggest(ask)

    def _ask_belongs(self) -> None:
        text = self.editor.text() if self.editor is not None else ""
        if text.strip():
            self.belongs_wanted.emit(text)
        else:
            self.said.emit(Said(tr("Write something first.")))

    def _close(self) -> None:
        self._draft, self.editor, self._lacking = None, None, 0
        self._cards.close_editor()

    def _end(self) -> None:
        self._close()
        self.began_or_ended.emit()
        self._cards.setFocus()

    def _restore(self, draft: Draft) -> None:
        view = self._view
        if view is None or self._is_busy():
            return
        gone = draft.base is not None and row_of(view.state.entries, draft.key) < 0
        self._open(replace(draft, lost=True) if gone else draft)

    def _cost(self, text: str) -> tuple[str, bool]:
        from gui.widgets.meter import usage_words

        if self._view is None or self._draft is None:
            return "", False
        state = self._view.state
        chars = chars_after(state, self._draft, text)
        words = trn("{n:,} char", "{n:,} chars", len(text.strip()))
        return f"{words} · {usage_words(chars, state.limit)}", chars > state.limit

    def _parted(self, *parts: str) -> str:
        """Say what a split into these parts would come to."""
        from gui.widgets.meter import usage_words

        if self._view is None or self._draft is None or not all(part.strip() for part in parts):
            return ""
        state = self._view.state
        before, after = (len(part.strip()) for part in parts)
        return tr(
            "Split here: {before:,} + {after:,} chars · {usage}",
            before=before,
            after=after,
            usage=usage_words(chars_after(state, self._draft, *parts), state.limit),
        )

    # -- conflicts -------------------------------------------------------------------------

    def _take_theirs(self) -> None:
        """Reload: forget what was typed, which the toast can bring back."""
        draft, mine = self._draft, self.draft()
        if draft is None or draft.now is None:
            self.cancel()
            return
        theirs = Draft((draft.now, 0), draft.now, draft.now, draft.row)
        self._open(theirs)
        if mine is not None:
            mine = replace(theirs, text=mine.text, merges=draft.merges)
            restore = partial(self._restore_over, mine)
            self.said.emit(Said(tr("Reloaded."), tr("Restore mine"), restore))

    def _restore_over(self, draft: Draft) -> None:
        self._close()
        self._restore(draft)

    def _keep_mine(self) -> None:
        """Go on with what was typed, in the place of what is there now."""
        draft, editor = self._draft, self.editor
        if draft is None or editor is None:
            return
        text = editor.text()
        if draft.now is not None:
            self._open(Draft((draft.now, 0), draft.now, text, draft.row, merges=draft.merges))
        elif draft.merges:  # the first is gone: the others still go into what was typed
            base, *others = draft.merges
            self._open(Draft((base, 0), base, text, draft.row, merges=tuple(others)))
        else:
            self._open(Draft(NEW, None, text, draft.row))

    def _compare(self) -> None:
        from gui.widgets.compare import CompareDialog

        if self._draft is not None and self.editor is not None:
            disk, typed = self._draft.now or "", self.editor.text()
            CompareDialog(self._theme, disk, typed, self._cards.window()).open()
