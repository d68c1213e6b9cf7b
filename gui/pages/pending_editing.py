"""Edits of staged writes on the Pending page: none is lost, wherever the person goes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from gui.i18n import tr
from gui.models.pending import Item
from gui.models.pending_edit import edited_payload, edited_record, texts_of_record
from gui.pages.pending_column import PendingColumn
from gui.pages.pending_detail import RecordDetail
from gui.pages.pending_editor import PendingEditor
from gui.workplace import Said
from schema.frozen import frozen
from store.pending.records import Record

if TYPE_CHECKING:
    from store.memory.operations import Change


@frozen
class Lost:
    """An edit that was put off, of a record that someone else took: what to say, and the text."""

    words: str
    text: str


class Editing(QObject):
    """The editor in the detail, and what was typed into records that are not chosen now."""

    edited = Signal()
    """The effect is to be worked out anew."""
    approve_wanted = Signal(object)
    """What is to be written in the place of what `record` asks for: a `Change`, or a payload."""
    put_aside = Signal()
    """The person ended the edit."""
    restore_wanted = Signal(object)
    """The key of a record whose edit is wanted back."""
    lost = Signal(object)
    """A `Lost`."""
    said = Signal(object)
    """A `Said` for the toast."""

    def __init__(self, column: PendingColumn, detail: RecordDetail) -> None:
        super().__init__()
        self._column = column
        self._detail = detail
        self._drafts: dict[str, tuple[Record, tuple[str, ...]]] = {}
        self.key = ""
        self.record: Record | None = None

    @property
    def editor(self) -> PendingEditor | None:
        """The open editor."""
        return self._detail.editor() if self.record is not None else None

    def has_draft(self, key: str) -> bool:
        """Whether something was typed into that record."""
        return key in self._drafts

    def anything(self) -> bool:
        """Whether something would be lost with the window."""
        self.keep()
        return bool(self._drafts)

    def wanted(self, key: str, record: Record) -> Record:
        """Give a record as it is being edited."""
        editor = self.editor
        if editor is None or self.key != key or self.record != record:
            return record
        return edited_record(record, editor.texts())

    # -- opening and closing -----------------------------------------------------------------

    def open(self, key: str, record: Record) -> None:
        """Edit `record`, going on with what was typed into it before."""
        texts = texts_of_record(record)
        _, typed = self._drafts.get(key, (record, ()))
        if not texts:
            return
        if len(typed) != len(texts):
            typed = tuple(one.text for one in texts)
        editor = PendingEditor(texts, typed)
        editor.edited.connect(self.edited)
        editor.approve_requested.connect(self._approve)
        editor.cancel_requested.connect(self._cancel)
        self.key, self.record = key, record
        self._detail.open_editor(editor)

    def close(self) -> None:
        """Let go of the editor and of what is in it."""
        record, self.record = self.record, None
        self._detail.close_editor()
        if record is not None:
            self._drafts.pop(self.key, None)
            self._show_drafts()

    def forget(self) -> None:
        """Let go of everything: another home is open."""
        self._drafts.clear()
        self.close()
        self._show_drafts()

    def keep(self) -> None:
        """Remember what was typed, as long as it says something new."""
        record, editor = self.record, self.editor
        if record is not None and editor is not None:
            self._drafts.pop(self.key, None)
            if editor.is_changed():
                self._drafts[self.key] = record, editor.texts()
            self._show_drafts()

    def leave_for(self, key: str | None) -> bool:
        """Go on to that key, with what was typed kept; False if the editor stays in its place."""
        record, editor = self.record, self.editor
        if record is None or editor is None:
            return True
        if key == self.key:
            return not editor.is_lost()
        if editor.is_lost() or editor.is_busy():
            return False  # the record is gone or another: there is no place to keep the text
        self.keep()
        self.record = None
        self._detail.close_editor()
        return True

    def watch(self, items: Mapping[str, Item]) -> None:
        """Say so if someone else has handled or changed what is being edited: `items` wait now."""
        record, editor = self.record, self.editor
        if record is not None and editor is not None and not editor.is_busy():
            editor.tell_lost(_what_became_of(self.key, record, items))
            if editor.is_lost() and not editor.is_changed():
                self.close()
        for key, (draft, texts) in [*self._drafts.items()]:
            open_now = record is not None and key == self.key
            if not open_now and (text := _what_became_of(key, draft, items)):
                del self._drafts[key]
                self.lost.emit(Lost(text, "\n\n".join(texts)))
        self._show_drafts()

    def _show_drafts(self) -> None:
        changed = self._column.drafts ^ self._drafts.keys()
        self._column.drafts = set(self._drafts)
        if changed:
            self._column.remake(changed)

    # -- what the person wants ---------------------------------------------------------------

    def _approve(self) -> None:
        record, editor = self.record, self.editor
        if record is None or editor is None:
            return
        wish: Change | dict[str, Any] | None = self.wanted(self.key, record).change
        if record.skill is not None:
            wish = edited_payload(record, editor.texts())
        if wish is not None:
            self.approve_wanted.emit(wish)

    def _cancel(self) -> None:
        record, editor = self.record, self.editor
        if record is None or editor is None or editor.is_busy():
            return
        typed = editor.texts() if editor.is_changed() else None
        key = self.key
        self.close()
        self.put_aside.emit()
        if typed is not None and self._column.item(key) is not None:
            restore = partial(self._restore, key, typed)
            self.said.emit(Said(tr("The edit was put aside."), tr("Restore"), restore))

    def _restore(self, key: str, typed: tuple[str, ...]) -> None:
        record = self._column.item(key)
        if self.record is None and isinstance(record, Record):
            self._drafts[key] = record, typed
            self._show_drafts()
            self.restore_wanted.emit(key)


def _what_became_of(key: str, record: Record, items: Mapping[str, Item]) -> str:
    """Say who took the record away from under its editor; empty if it waits as it was."""
    now = items.get(key)
    if now is None:
        return tr("This write was handled elsewhere. What you typed is still here.")
    if not isinstance(now, Record) or now.digest != record.digest:
        return tr("This write was changed elsewhere. What you typed is still here.")
    return ""
