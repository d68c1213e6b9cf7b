"""The Keys page: which keys there are and where, and how Hermes gets them. Never a value."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from gui.i18n import tr, trn
from gui.models.cards import Card
from gui.models.keys import (
    NEW,
    KeyDone,
    KeyRow,
    KeysView,
    check_handover,
    clear_key,
    clear_plain,
    hand_over,
    move_keys,
    read_keys,
    set_key,
    take_back,
    tighten,
    write_plain,
)
from gui.page import Page
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.empty import EmptyPage
from gui.widgets.key_editor import KeyEditor
from gui.widgets.labels import Button, PlainLabel, make_action, restyle
from gui.widgets.titled_cards import TitledList
from gui.workplace import Said, Workplace
from store.secrets.states import Secret

if TYPE_CHECKING:
    from pathlib import Path

    from store.desk import Desk
    from store.home import HermesHome


class HandoverCard(QFrame):
    """How Hermes gets the keys: what is on, and what can be done about it."""

    def __init__(self, acts: tuple[tuple[str, str, Callable[[], None]], ...]) -> None:
        super().__init__()
        self.setObjectName("handover")
        self.setProperty("tone", "plain")
        self._title = PlainLabel(name="handover_title", role="strong", wrap=True)
        self._text = PlainLabel(name="handover_text", role="dim", wrap=True)
        self._checked = PlainLabel(name="handover_checked", wrap=True).select_with_mouse()
        words = QVBoxLayout()
        words.setSpacing(2)
        for label in (self._title, self._text, self._checked):
            words.addWidget(label)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, GRID, GRID, GRID)
        row.setSpacing(GRID)
        row.addLayout(words, 1)
        self._buttons: dict[str, Button] = {}
        for name, text, act in acts:
            button = self._buttons[name] = Button(text, name=f"handover_{name}")
            button.clicked.connect(act)
            row.addWidget(button)

    def show_view(self, view: KeysView, *, busy: str) -> None:
        """Show how it stands; `busy` is what is being done."""
        now = view.handover
        self._title.setText(now.title)
        self._text.setText(busy or now.text)
        self._checked.setText(now.checked)
        self._checked.setVisible(bool(now.checked) and not busy)
        offered = {
            "off": ("apply",),
            "on": ("check", "undo"),
            "partly": ("repair", "undo"),
            "broken": ("repair", "undo"),
            "unknown": (),
        }[now.state]
        for name, button in self._buttons.items():
            button.setVisible(name in offered)
            button.setEnabled(not busy)
        tone = {"broken": "bad", "partly": "warn"}.get(now.state, "plain")
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)
        self.setAccessibleName(f"{now.title}. {busy or now.text}")


class KeysPage(Page):
    """A list of names; a value goes in here, and never comes out."""

    name = "keys"
    load = staticmethod(read_keys)

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: KeysView | None = None
        self._editor: KeyEditor | None = None
        self._needle = ""
        self._busy = ""
        self.add = make_action(self, name="add_key", text=tr("Add a key"), act=self.begin_new)
        self.add.setShortcut("Ctrl+N")
        self.move_all = make_action(
            self, name="move_keys", text=tr("Move to the keyring"), act=self.move_every
        )
        self._replace = self._card_action("replace", tr("Replace…"), "R", self.begin_replace)
        self._clear = self._card_action("clear", tr("Clear"), "Del", self.clear)
        self._move = self._card_action("move", tr("Move to the keyring"), "M", self.move_chosen)
        self._tighten = self._card_action("tighten", tr("Make it yours alone"), "T", self.tighten)
        for action in (self.add, self.move_all):
            self.addAction(action)
        self._build()

    def _card_action(self, name: str, text: str, keys: str, act: Callable[[], None]) -> QAction:
        return make_action(self, name=f"key_{name}", text=text, act=act, keys=keys)

    def _build(self) -> None:
        top = QVBoxLayout()
        top.setContentsMargins(0, 0, BAR, 0)
        top.setSpacing(GRID)
        self.trouble = Banner(name="keys_trouble")
        self.notes = Banner(name="keys_notes")
        self.trouble.acted.connect(self._look_again)
        self.handover = HandoverCard(
            (
                ("apply", tr("Let Hermes read it"), self.hand_over),
                ("repair", tr("Repair"), self.hand_over),
                ("check", tr("Check"), self.check),
                ("undo", tr("Take it back"), self.take_back),
            )
        )
        for widget in (self.trouble, self.notes, self.handover):
            top.addWidget(widget)
        self._keyring = PlainLabel(name="keys_keyring", role="meta", wrap=True)
        top.addWidget(self._keyring)
        self.body.setSpacing(GRID)
        self.body.addLayout(top)
        self.list = TitledList(self.theme, name="keys", label=tr("Keys"))
        on_card = (self._replace, self._move, self._tighten, self._clear)
        self.list.set_actions(on_card, on_card=on_card)
        self.list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.list.chosen.connect(self._show_actions)
        self.list.opened.connect(self._open)
        self.body.addWidget(self.list, 1)
        self._empty = EmptyPage(
            name="no_keys",
            title=tr("No key yet"),
            text=tr(
                "Keys that providers and models need are kept in the keyring of your system, and "
                "handed to Hermes when it starts. Keys that lie in plain files are found here too."
            ),
        )
        self._empty.add_button(tr("Add a key"), "add")
        self._empty.acted.connect(self.begin_new)
        self._empty.hide()
        self.body.addWidget(self._empty, 1)

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Keys")

    def search_hint(self) -> str:
        return tr("Search keys")

    def search(self, text: str) -> None:
        self._needle = text.strip()
        self._show_cards()

    def primary(self) -> QAction:
        return self.add

    def secondary(self) -> tuple[QAction, ...]:
        return (self.move_all,)

    def unsaved(self) -> str:
        typed = self._editor is not None and self._editor.value()
        return tr("A key is typed and not saved.") if typed else ""

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        from gui.pages.providers import paths_of

        return paths_of(home)

    def take_focus(self) -> None:
        if self.list.isVisible():
            self.list.take_focus()
        else:
            self.setFocus()

    # -- showing -----------------------------------------------------------------------------

    def show_loaded(self, loaded: KeysView) -> None:
        self._view = loaded
        trouble = loaded.trouble
        self.trouble.show_notice(
            Notice("no_keyring", trouble, tone="warn", action=tr("Look again")) if trouble else None
        )
        self.notes.show_notice(Notice("notes", loaded.notes) if loaded.notes else None)
        self.handover.show_view(loaded, busy=self._busy)
        self._keyring.setText(tr("Keyring: {name}", name=loaded.keyring) if loaded.keyring else "")
        self._keyring.setVisible(bool(loaded.keyring))
        self._show_cards()
        self._show_actions()

    def _show_cards(self) -> None:
        view = self._view
        if view is None:
            return
        cards = list(view.filtered(self._needle))
        if self._editor is not None and self.list.edited_key() == NEW:
            cards.insert(0, Card(key=NEW, text=tr("New key")))
        self.list.setVisible(bool(cards))
        self._empty.setVisible(not cards and not self._needle)
        self.list.show_cards(cards)

    def _row(self) -> KeyRow | None:
        card = self.list.current_card()
        if card is None or self._view is None:
            return None
        return self._view.rows.get(str(card.key))

    def _show_actions(self, *_: object) -> None:
        row, view = self._row(), self._view
        open_ = view is not None and not self._busy
        usable = open_ and view is not None and not view.trouble
        self.add.setEnabled(open_)
        count = 0 if view is None else len(view.movable())
        self.move_all.setVisible(count > 0)
        self.move_all.setEnabled(usable)
        self.move_all.setText(
            trn("Move {n} key to the keyring", "Move {n} keys to the keyring", count)
        )
        kept = row is not None and row.kept
        plain = row is not None and row.in_dotenv
        for action, possible, needs_keyring in (
            (self._replace, row is not None, kept and not plain),
            (self._clear, kept or plain, kept),
            (self._move, row is not None and row.movable, True),
        ):
            action.setEnabled(possible and (usable if needs_keyring else open_))
            action.setVisible(possible)
        loose = row is not None and bool(row.loose)
        self._tighten.setEnabled(loose)
        self._tighten.setVisible(loose)
        self.header_changed.emit()

    def _look_again(self, _: Notice) -> None:
        self.refresh()

    # -- typing a key ------------------------------------------------------------------------

    def begin_new(self, *_: object) -> None:
        """Let a new key be typed."""
        if self.add.isEnabled():
            self._open_editor(NEW, KeyEditor(plain=self._is_plain()))

    def begin_replace(self) -> None:
        """Let another value of the chosen key be typed."""
        row = self._row()
        if row is not None and self._replace.isEnabled():
            self._open_editor(row.name, KeyEditor(row.name, plain=self._is_plain()))

    def _is_plain(self) -> bool:
        """Whether there is no keyring to keep a key in."""
        return self._view is not None and bool(self._view.trouble)

    def _open(self, key: Hashable) -> None:
        self.begin_replace()

    def _open_editor(self, key: str, editor: KeyEditor) -> None:
        self._close_editor()
        self._editor = editor
        editor.save_requested.connect(self._save)
        editor.cancel_requested.connect(self._cancel)
        editor.grown.connect(self.list.editor_grew)
        if key == NEW and self._view is not None:
            self._empty.hide()
            self.list.show()
            self.list.show_cards([Card(key=NEW, text=tr("New key")), *self._view.cards])
        self.list.open_editor(key, editor)
        editor.setFocus()

    def _cancel(self) -> None:
        self._close_editor()
        self._show_cards()
        self.take_focus()

    def _close_editor(self) -> None:
        if self._editor is not None:
            self._editor.forget()
            self._editor = None
            self.list.close_editor()

    def _save(self) -> None:
        editor, desk = self._editor, self.place.desk
        if editor is not None and desk is not None:
            keep = write_plain if editor.plain else set_key
            work = partial(keep, desk, editor.name(), Secret(editor.value()))
            self._do(work, partial(self._saved, editor))

    def _saved(self, editor: KeyEditor, done: KeyDone) -> None:
        if done.refused and self._editor is editor:
            self._show_done(done, say=False)
            editor.refuse(done.refused)
            return
        if self._editor is editor:
            self._close_editor()
        self._show_done(done)
        self.take_focus()

    # -- the other actions -------------------------------------------------------------------

    def clear(self) -> None:
        """Remove the chosen key from where it is; it cannot be undone, so this asks first."""
        row = self._row()
        if row is None:
            return
        title = (
            tr("Remove {name} from the keyring?", name=row.name)
            if row.kept
            else tr("Remove {name} from .env?", name=row.name)
        )
        if self.asker().confirm(
            title=title,
            text=tr("Its value is kept nowhere else, so this cannot be undone."),
            yes=tr("Remove"),
            no=tr("Keep it"),
        ):
            self._run(clear_key if row.kept else clear_plain, row.name)

    def move_chosen(self) -> None:
        """Move the chosen key to the keyring."""
        row = self._row()
        if row is not None:
            self._run(move_keys, (row.name,))

    def move_every(self) -> None:
        """Move every key that can be moved."""
        if self._view is not None:
            self._run(move_keys, self._view.movable())

    def tighten(self) -> None:
        """Let nobody else read the files in which the chosen key lies."""
        row = self._row()
        if row is not None:
            self._run(tighten, row.loose)

    def hand_over(self) -> None:
        """Let Hermes take the keys from the keyring by itself, or mend that."""
        self._run(hand_over)

    def take_back(self) -> None:
        """Take that out again."""
        self._run(take_back)

    def check(self) -> None:
        """Really ask a process of Hermes."""
        self._busy = tr("Asking a process of Hermes…")
        if self._view is not None:
            self.handover.show_view(self._view, busy=self._busy)
        desk = self.place.desk
        if desk is not None:
            self.place.tasks.read(self, partial(check_handover, desk), self._show_checked)

    def _show_checked(self, done: KeyDone) -> None:
        self._busy = ""
        self._show_done(done)

    # -- doing -------------------------------------------------------------------------------

    def _run(self, work: Callable[..., KeyDone], *given: object) -> None:
        desk = self.place.desk
        if desk is not None:
            self._do(partial(work, desk, *given), self._show_done)

    def _do(self, work: Callable[[], KeyDone], then: Callable[[KeyDone], None]) -> None:
        desk: Desk | None = self.place.desk
        if desk is not None:
            self.place.write(self, work, then, self.paths(desk.home))

    def _show_done(self, done: KeyDone, *, say: bool = True) -> None:
        self.show_loaded(done.view)
        words = done.refused or done.said
        if say and words:
            self.place.said.emit(Said(words))
