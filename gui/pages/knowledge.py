"""The Knowledge page: the own notes, search in them, and the moves to and from memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.models.drafts import DraftSent
from gui.models.knowledge import (
    KnowledgeDone,
    KnowledgeView,
    MoveToNote,
    NotesView,
    NoteView,
    change_folder,
    move_to_note,
    read_knowledge,
    read_note,
    refresh_index,
    search_notes,
    take_into_memory,
)
from gui.page import Page
from gui.pages.knowledge_offers import FolderOffers
from gui.pages.note_reader import NoteReader
from gui.places import short_path
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.checks import CheckBox
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import Button, PlainLabel, make_action
from gui.widgets.session_cards import HitList
from gui.words import excerpt, say
from gui.workplace import Opened, Said, Workplace
from store.home import Target
from store.memory.state import Written
from store.refusals import Refusal

if TYPE_CHECKING:
    from gui.pages.knowledge_watch import NotesFollowed

TWO_COLUMNS_FROM = 720


class KnowledgePage(Page):
    """Left the notes, or what a search found; right one of them."""

    name = "knowledge"
    load = staticmethod(read_knowledge)

    looked = Signal(object)
    """How many notes were looked at, and of how many; sent by the thread that looks."""

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: KnowledgeView | None = None
        self._needle = ""
        self._searching, self._reading, self._indexing = Ticket(), Ticket(), Ticket()
        self._followed: NotesFollowed | None = None
        self._moving: MoveToNote | None = None
        self._wide: bool | None = None
        self._add = make_action(self, name="add_folder", text=tr("Add a folder"), act=self.add)
        self._append = make_action(
            self, name="append", text=tr("Append to this note"), act=self.append
        )
        self._append.setShortcut("Ctrl+Return")
        for action in (self._add, self._append):
            self.addAction(action)
        self._build()
        self.looked.connect(self._show_progress)

    def _build(self) -> None:
        self.trouble = Banner(name="knowledge_trouble")
        self.moving = Banner(name="knowledge_moving")
        self.moving.acted.connect(self._stop_moving)
        self.pointer = CheckBox(
            self.theme, tr("Leave a short pointer in memory"), name="leave_pointer"
        )
        self.pointer.hide()
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.setSpacing(GRID)
        for widget in (self.trouble, self.moving, self.pointer):
            above.addWidget(widget)
        self._folders = QVBoxLayout()
        self._folders.setSpacing(2)
        self._said = PlainLabel(name="knowledge_said", role="meta", wrap=True)
        self._cancel = Button(tr("Cancel"), name="index_cancel", kind="link")
        self._cancel.clicked.connect(self._stop_indexing)
        self._cancel.hide()
        said = QHBoxLayout()
        said.addWidget(self._said, 1)
        said.addWidget(self._cancel)
        self.list = HitList(self.theme, name="notes", label=tr("Notes"))
        self.list.chosen.connect(self._choose)
        left = QWidget()
        left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        words = QVBoxLayout()
        words.setContentsMargins(0, 0, BAR, 0)
        words.addLayout(self._folders)
        words.addLayout(said)
        column.addLayout(words)
        column.addWidget(self.list, 1)
        self.reader = NoteReader(self.theme)
        self.reader.remember_wanted.connect(self._remember)
        self.reader.address_wanted.connect(self._open_address)
        self._whole = QWidget()
        self._whole.setObjectName("page_body")
        self._flow = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._whole)
        self._flow.setContentsMargins(0, 0, 0, GRID)
        self._flow.setSpacing(2 * GRID - BAR)
        self._flow.addWidget(left, 2)
        self._flow.addWidget(self.reader, 3)
        self._empty = EmptyPage(
            name="no_folders",
            title=tr("No folder of notes yet"),
            text=tr(
                "Notes that you keep yourself, such as an Obsidian vault, are read and searched "
                "here. Nothing in them is changed, but for an entry that you append to a note."
            ),
        )
        self._empty.add_button(tr("Add a folder"), "add")
        self._empty.acted.connect(self._act_on_empty)
        self._offers = FolderOffers(self._empty, self)
        self._offers.wanted.connect(self._take_offer)
        words.insertWidget(1, self._offers.more, 0, Qt.AlignmentFlag.AlignLeft)
        self._empty.hide()
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(self._whole, 1)
        self.body.addWidget(self._empty, 1)

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Knowledge")

    def search_hint(self) -> str:
        return tr("Search your notes")

    def search(self, text: str) -> None:
        self._needle = text.strip()
        self._searching.cancel()
        desk = self.place.desk
        if desk is None or not self._needle:
            self._show_cards()
            return
        ticket = Ticket()
        work = partial(search_notes, desk, self._needle, ticket.is_cancelled)
        self._searching = self.place.tasks.read(self, work, self._show_found, ticket=ticket)

    def primary(self) -> QAction:
        return self._append if self._moving is not None else self._add

    def take_focus(self) -> None:
        if self.list.isVisible():
            self.list.take_focus()
        else:
            self.setFocus()

    def show_about(self, about: object) -> None:
        self._moving = about if isinstance(about, MoveToNote) else None
        self._show_moving()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= TWO_COLUMNS_FROM
        if wide != self._wide:
            self._wide = wide
            way = QBoxLayout.Direction
            self._flow.setDirection(way.LeftToRight if wide else way.TopToBottom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.ready and not event.spontaneous():
            self._bring_up_to_date()

    # -- showing -----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        self._view = None
        self.reader.forget()
        super().show_opened(opened)

    def show_loaded(self, loaded: KnowledgeView) -> None:
        first = self._view is None
        self._show_view(loaded)
        if first and loaded.folders:
            self._bring_up_to_date()

    def _show_view(self, view: KnowledgeView) -> None:
        self._view = view
        notice = Notice("knowledge", view.trouble, tone="bad") if view.trouble else None
        self.trouble.show_notice(notice)
        self._whole.setVisible(bool(view.folders))
        self._empty.setVisible(not view.folders)
        self._offers.show_offers(view.offers, has_folders=bool(view.folders))
        self._show_folders(view)
        self._say(view.said)
        self._show_cards()

    def _show_folders(self, view: KnowledgeView) -> None:
        while (item := self._folders.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for at, (path, state) in enumerate(view.folders):
            row = QWidget()
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 0, 0, 0)
            place = short_path(path, Path.home())
            label = PlainLabel(f"{place} · {state}", name=f"folder_{at}", role="meta", wrap=True)
            line.addWidget(label, 1)
            button = Button(tr("Take off"), name=f"folder_{at}_remove", kind="link")
            button.setAccessibleDescription(place)
            button.clicked.connect(partial(self._change_folder, path, False))
            line.addWidget(button)
            self._folders.addWidget(row)

    def _show_cards(self) -> None:
        if self._view is not None and not self._needle:
            self.list.show_cards(self._view.cards)
            if self.list.current_card() is None and self._view.cards:
                self.list.choose(self._view.cards[0].key)

    def _show_found(self, found: NotesView) -> None:
        if found.query == self._needle:
            self.list.show_cards(found.cards)
            self._say(found.said or ("" if found.cards else tr("No note fits this search.")))
            if found.cards:
                self.list.choose(found.cards[0].key)

    def _say(self, words: str) -> None:
        self._said.setText(words)
        self._said.setVisible(bool(words))

    def _choose(self, key: Hashable) -> None:
        desk = self.place.desk
        self._reading.cancel()
        if desk is not None and isinstance(key, str):
            work = partial(read_note, desk, Path(key))
            self._reading = self.place.tasks.read(self, work, self._show_note)

    def _show_note(self, note: NoteView) -> None:
        self.reader.show_note(note)
        self._append.setEnabled(note.writable)

    # -- the index ---------------------------------------------------------------------------

    def _bring_up_to_date(self) -> None:
        desk = self.place.desk
        if desk is None:
            return
        self._indexing.cancel()
        ticket = Ticket()
        work = partial(refresh_index, desk, ticket.is_cancelled, self._tell_progress)
        self._indexing = self.place.tasks.read(self, work, self._show_indexed, ticket=ticket)

    def _tell_progress(self, done: int, of: int) -> None:
        if done % 200 == 0:
            self.looked.emit((done, of))

    def _show_progress(self, looked: tuple[int, int]) -> None:
        self._say(tr("Looking through your notes: {done:,} of {all:,}",
                     done=looked[0], all=looked[1]))  # fmt: skip
        self._cancel.show()

    def _show_indexed(self, view: KnowledgeView) -> None:
        self._cancel.hide()
        self._show_view(view)
        if self._followed is None:
            from gui.pages.knowledge_watch import NotesFollowed

            self._followed = NotesFollowed(self)
        self._followed.follow()

    def show_changed(self, view: KnowledgeView) -> None:
        """Others wrote notes: show the list, the search and the chosen note as they are now."""
        self._show_view(view)
        if self._needle:
            self.search(self._needle)
        note = self.reader.note()
        if note is not None:
            self._choose(str(note.path))

    def _stop_indexing(self) -> None:
        self._indexing.cancel()
        self._cancel.hide()
        self._say(tr("Stopped; what was looked through can be searched."))

    # -- folders -----------------------------------------------------------------------------

    def add(self) -> None:
        """Let a folder be chosen, and add it."""
        path = self.asker().folder(title=tr("Choose a folder of notes"))
        if path is not None:
            self._change_folder(path, True)

    def _act_on_empty(self, what: str) -> None:
        if what == "add":
            self.add()

    def _take_offer(self, path: Path | None) -> None:
        if path is None:
            self.add()
        else:
            self._change_folder(path, True)

    def _change_folder(self, path: Path, add: bool) -> None:
        desk = self.place.desk
        if desk is not None:
            work = partial(change_folder, desk, path, add=add)
            back = None if add else partial(self._change_folder, path, True)
            self.place.write(self, work, partial(self._folder_changed, back))

    def _folder_changed(self, back: Callable[[], None] | None, done: KnowledgeDone) -> None:
        undo = done.done and back is not None
        self.place.said.emit(Said(done.said, tr("Undo"), back) if undo else Said(done.said))
        self._view = None
        self.refresh()

    # -- moves -------------------------------------------------------------------------------

    def _show_moving(self) -> None:
        moving = self._moving
        notice = None
        if moving is not None:
            stop = tr("Leave it") if moving.fresh else tr("Leave it in memory")
            notice = Notice("moving", _goes(moving), tone="plain", action=stop)
            self.pointer.say(
                tr("Leave a short pointer to each in memory")
                if moving.more
                else tr("Leave a short pointer in memory")
            )
        self.moving.show_notice(notice)
        self.pointer.setVisible(moving is not None and not moving.fresh)
        self.header_changed.emit()

    def _stop_moving(self, _: Notice) -> None:
        self._moving = None
        self.take_focus()  # before what has the keyboard is hidden, and Qt hands it on
        self._show_moving()

    def append(self) -> None:
        """Append the entry that is on its way to the note that is shown."""
        desk, moving, note = self.place.desk, self._moving, self.reader.note()
        if desk is None or moving is None or note is None or not note.writable:
            return
        work = partial(move_to_note, desk, moving, note, pointer=self.pointer.isChecked())
        self.place.write(self, work, self._appended, [desk.home.memory_file(moving.target)])

    def _appended(self, done: KnowledgeDone) -> None:
        if not done.done:
            self.place.said.emit(Said(done.said))
            return
        moving, self._moving = self._moving, None
        self.take_focus()
        self._show_moving()
        if moving is not None and moving.draft is not None:
            sent = DraftSent(moving.draft, moving.text)
            self.place.page_wanted.emit("memory", sent)
        self.place.note_change(done.change_id, done.said)
        note = self.reader.note()
        if note is not None:
            self._choose(str(note.path))

    def _remember(self, wanted: tuple[Target, str]) -> None:
        desk = self.place.desk
        if desk is not None:
            target, text = wanted
            work = partial(take_into_memory, desk, target, text)
            self.place.write(self, work, self._remembered, [desk.home.memory_file(target)])

    def _remembered(self, answer: Written | Refusal) -> None:
        if isinstance(answer, Written):
            self.place.note_change(answer.change_id, tr("Remembered; takes effect next session."))
        else:
            self.place.said.emit(Said(say(answer)))

    def _open_address(self, address: str) -> None:
        url = QUrl(address, QUrl.ParsingMode.StrictMode)
        if url.isValid() and url.scheme() == "obsidian":
            QDesktopServices.openUrl(url)


def _goes(moving: MoveToNote) -> str:
    """Say what is on its way to a note."""
    if not moving.more:
        return tr(
            "“{entry}” goes to the end of the note that you choose.", entry=excerpt(moving.text)
        )
    return trn(
        "{n} entry goes to the end of the note that you choose: {entries}",
        "{n} entries go to the end of the note that you choose: {entries}",
        len(moving.texts),
        entries=excerpt(" · ".join(excerpt(text, 40) for text in moving.texts), 160),
    )
