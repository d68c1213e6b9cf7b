"""The Sessions page: past conversations, search in them, and where a memory came from."""

from __future__ import annotations

import time
from collections.abc import Hashable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gui.i18n import tr
from gui.models.cards import Card
from gui.models.sessions import (
    Reading,
    Results,
    SessionsView,
    Wanted,
    day_of,
    read_conversation,
    read_origin,
    read_sessions,
    search,
    session_card,
)
from gui.page import Page
from gui.pages.session_filters import SearchFilters
from gui.pages.session_reader import SessionReader
from gui.tasks import Ticket
from gui.theme import BAR, GRID
from gui.widgets.bars import Banner, Notice
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import Button, PlainLabel
from gui.widgets.pending_cards import PendingList
from gui.widgets.session_cards import HitList
from gui.workplace import Opened, Workplace
from schema.frozen import frozen

TWO_COLUMNS_FROM = 720


@frozen
class Origin:
    """Asks the page where the memory `text` came from."""

    text: str


class SessionsPage(Page):
    """Left the conversations, or what a search found in them; right one of them to read."""

    name = "sessions"
    load = staticmethod(read_sessions)

    first_found = Signal(object)
    """`Results` while the search still goes on; sent by the thread that searches."""

    def __init__(self, place: Workplace) -> None:
        super().__init__(place)
        self._view: SessionsView | None = None
        self._results: Results | None = None
        self._wanted = Wanted("")
        self._ticket = Ticket()
        self._reading = Ticket()
        self._shown = ""
        self._origin: Origin | None = None
        self._at_origin = False
        self._wide = True
        self._build()
        self.first_found.connect(self._show_results, Qt.ConnectionType.QueuedConnection)

    def _build(self) -> None:
        self.trouble = Banner(name="sessions_trouble")
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, BAR, 0)
        above.addWidget(self.trouble)
        self.list = PendingList(
            self.theme, name="session_cards", label=tr("Sessions"), make=self._make_card
        )
        self.list.chosen.connect(self._choose)
        self.list.opened.connect(self._go_to_reader)
        self.hits = HitList(self.theme, name="session_hits", label=tr("What was found"))
        self.hits.chosen.connect(self._choose_hit)
        self.hits.opened.connect(self._go_to_reader)
        self.filters = SearchFilters(self.theme)
        self.filters.changed.connect(self._look)
        self._said = PlainLabel(name="search_said", role="meta", wrap=True)
        self._hidden = PlainLabel(name="search_hidden", role="meta", wrap=True)
        self._everything = Button(tr("Show them"), name="search_everything", kind="link")
        self._everything.clicked.connect(self._show_everything)
        found = QWidget()
        column = QVBoxLayout(found)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        words = QVBoxLayout()
        words.setContentsMargins(0, 0, BAR, 0)
        words.addWidget(self.filters)
        words.addWidget(self._said)
        hidden = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        hidden.addWidget(self._hidden, 1)
        hidden.addWidget(self._everything)
        words.addLayout(hidden)
        column.addLayout(words)
        column.addWidget(self.hits, 1)
        self._nothing = EmptyPage(name="no_hits")
        column.addWidget(self._nothing, 1)
        self._left = QStackedWidget()
        self._left.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._left.addWidget(self.list)
        self._left.addWidget(found)
        self.reader = SessionReader(self.place)
        self._flow = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._flow.setSpacing(2 * GRID - BAR)
        self._flow.addWidget(self._left, 2)
        self._flow.addWidget(self.reader, 3)
        self._whole = QWidget()
        self._whole.setObjectName("page_body")
        self._whole.setLayout(self._flow)
        self._flow.setContentsMargins(0, 0, 0, GRID)
        self._empty = EmptyPage(
            name="no_sessions",
            title=tr("No conversations yet"),
            text=tr(
                "Every conversation with the agent is kept in state.db of this home. They are "
                "listed and searched here once there is one."
            ),
        )
        self.body.setSpacing(GRID)
        self.body.addLayout(above)
        self.body.addWidget(self._whole, 1)
        self.body.addWidget(self._empty, 1)
        self._empty.hide()

    # -- what the window shows around it -----------------------------------------------------

    def title(self) -> str:
        return tr("Sessions")

    def subtitle(self) -> str:
        view = self._view
        return "" if view is None or not view.keys else f"{len(view.keys):,}"

    def search_hint(self) -> str:
        return tr("Search all conversations")

    def search(self, text: str) -> None:
        wanted = text.strip()
        if wanted == self._wanted.text:
            return
        self._wanted = Wanted(wanted)
        self._look()

    def take_focus(self) -> None:
        shown = self.hits if self._wanted.text else self.list
        if self._at_origin:
            self.reader.setFocus()
        elif shown.isVisible():
            shown.take_focus()
        else:
            self.setFocus()

    def show_about(self, about: object) -> None:
        self._origin = about if isinstance(about, Origin) else None
        self._at_origin = self._origin is not None
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # The database is not watched: it changes with every message, and looking takes longer
        # than the list does.
        if self.ready and not event.spontaneous():
            self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._wide = self.width() >= TWO_COLUMNS_FROM
        self._flow.setDirection(way.LeftToRight if self._wide else way.TopToBottom)

    # -- the list ----------------------------------------------------------------------------

    def show_opened(self, opened: Opened) -> None:
        self._view = self._results = None
        self._shown = ""
        self.reader.forget()
        self.hits.show_cards(())
        super().show_opened(opened)
        self._look()  # what is searched for is looked for here, too

    def show_loaded(self, loaded: SessionsView) -> None:
        before = self._view
        self._view = loaded
        notice = loaded.trouble or loaded.notices
        tone = "bad" if loaded.trouble else "plain"
        self.trouble.show_notice(
            Notice("sessions", notice, tone=tone) if notice else None  # type: ignore[arg-type]
        )
        none = not loaded.keys
        self._whole.setVisible(not none)
        self._empty.setVisible(none and not loaded.trouble)
        self.filters.offer(loaded.sources, loaded.models)
        self.list.pending_model().forget()
        self.list.show_keys(loaded.keys)
        if before is None and loaded.keys and self._origin is None:
            self.list.choose(loaded.keys[0])
        if self._origin is not None:
            self._ask_origin(self._origin)
        self.header_changed.emit()

    def _make_card(self, key: str) -> Card:
        view = self._view
        if view is None or key not in view.sessions:
            return Card(key=key, text="")
        session = view.sessions[key]
        at = view.keys.index(key)
        before = view.sessions[view.keys[at - 1]] if at else None
        first = before is None or day_of(before.last_at) != day_of(session.last_at)
        return session_card(session, time.time(), first_of_day=first)

    def _choose(self, key: Hashable) -> None:
        if isinstance(key, str) and not self._wanted.text:
            self._open(key)

    def _open(self, session_id: str, message: int | None = None) -> None:
        """Read a conversation, at its beginning or at one of its messages."""
        desk = self.place.desk
        if desk is None:
            return
        self._at_origin = False
        if session_id == self._shown:
            if message is not None:
                self.reader.lead_to(message)
            return
        self._reading.cancel()
        work = partial(read_conversation, desk, session_id)
        then = partial(self._show_reading, session_id, message)
        self._reading = self.place.tasks.read(self, work, then)

    def _show_reading(self, session_id: str, message: int | None, reading: Reading) -> None:
        self._shown = session_id
        self.reader.show_reading(reading)
        if self._at_origin:
            self.reader.take_focus()
        if message is not None:
            self.reader.lead_to(message)

    def _go_to_reader(self, _: Hashable) -> None:
        self.reader.take_focus()

    # -- where a memory came from ------------------------------------------------------------

    def _ask_origin(self, origin: Origin) -> None:
        desk = self.place.desk
        self._origin = None
        if desk is not None:
            self._reading.cancel()
            work = partial(read_origin, desk, origin.text)
            then = partial(self._show_reading, "", None)
            self._reading = self.place.tasks.read(self, work, then)

    # -- searching ---------------------------------------------------------------------------

    def _look(self) -> None:
        """Begin the search that is wanted now, and give up the one before."""
        from dataclasses import replace

        self._ticket.cancel()
        desk = self.place.desk
        self._left.setCurrentIndex(1 if self._wanted.text else 0)
        if desk is None or not self._wanted.text:
            return
        chosen = self.filters.chosen()
        self._wanted = wanted = replace(
            self._wanted,
            sort=chosen.sort,
            role=chosen.role,
            source=chosen.source,
            model=chosen.model,
            within=chosen.within,
        )
        ticket = Ticket()
        work = partial(search, desk, wanted, ticket.is_cancelled, self.first_found.emit)
        self._ticket = self.place.tasks.read(self, work, self._show_results, ticket=ticket)

    def _show_everything(self) -> None:
        from dataclasses import replace

        self._wanted = replace(self._wanted, everything=True)
        self._look()

    def _show_results(self, results: Results) -> None:
        if results.wanted != self._wanted:
            return  # another one is wanted by now
        self._results = results
        said = results.trouble or results.said or ("" if results.over else tr("Still looking…"))
        self._said.setText(said)
        self._said.setVisible(bool(said))
        self._hidden.setText(results.hidden)
        self._hidden.setVisible(bool(results.hidden))
        self._everything.setVisible(bool(results.hidden) and not self._wanted.everything)
        none = not results.cards and results.over
        self.hits.setVisible(not none)
        self._nothing.setVisible(none)
        self._nothing.say("", tr("No message fits this search.") if not results.trouble else "")
        self.hits.show_cards(results.cards)
        if results.cards and self.hits.current_card() is None:
            self.hits.choose(results.cards[0].key)

    def _choose_hit(self, key: Hashable) -> None:
        hit = None if self._results is None else self._results.hits.get(str(key))
        if hit is not None:
            self._open(hit.session_id, hit.message_id)
