"""The right side of the Sessions page: a conversation to read, and to remember from."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from gui.i18n import tr
from gui.models.drafts import NewEntry
from gui.models.sessions import Reading, message_card
from gui.theme import BAR, GRID
from gui.widgets.cards import CardList
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import PlainLabel, make_action
from gui.workplace import Workplace
from store.home import Target
from store.sessions.messages import Message


class SessionReader(QWidget):
    """Messages as cards. What tools said is folded; Enter unfolds it."""

    def __init__(self, place: Workplace) -> None:
        super().__init__()
        self.setObjectName("session_reader")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._place = place
        self._reading: Reading | None = None
        self._messages: dict[str, Message] = {}
        self._opened: set[str] = set()
        self._recalled: set[str] = set()
        self._title = PlainLabel(name="session_title", role="head", wrap=True)
        self._about = PlainLabel(name="session_about", role="meta", wrap=True).select_with_mouse()
        self.list = CardList(place.theme, name="messages", label=tr("Messages"))
        self.list.opened.connect(self._toggle)
        self.list.chosen.connect(self._show_actions)
        self._remember: dict[Target, QAction] = {
            "memory": self._action(
                "remember_memory", tr("Remember in agent memory"), "M", "memory"
            ),
            "user": self._action("remember_user", tr("Remember in user profile"), "U", "user"),
        }
        self._belongs = make_action(
            self, name="belongs", text=tr("Where does this belong?"), keys="B",
            act=self._ask_belongs,
        )  # fmt: skip
        self._recall = make_action(
            self, name="recalled", text=tr("Show what was recalled"), act=self._show_recalled
        )
        self._recall.setShortcut("C")
        self._unfold = make_action(self, name="unfold", text=tr("Unfold"), act=self._unfold_it)
        actions = (*self._remember.values(), self._recall, self._unfold)
        self.list.set_actions((*actions, self._belongs), on_card=actions)
        self._nothing = EmptyPage(name="no_messages")
        head = QVBoxLayout()
        head.setContentsMargins(0, 0, BAR, 0)
        head.setSpacing(2)
        head.addWidget(self._title)
        head.addWidget(self._about)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        self.forget()

    def _action(self, name: str, text: str, keys: str, target: Target) -> QAction:
        act = partial(self._begin_memory, target)
        return make_action(self, name=name, text=text, act=act, keys=keys)

    # -- showing -----------------------------------------------------------------------------

    def forget(self) -> None:
        """Show nothing."""
        self.show_reading(Reading("", ""))

    def show_reading(self, reading: Reading) -> None:
        """Show these messages."""
        self._reading = reading
        self._messages = {str(one.id): one for one in reading.messages}
        self._opened.clear()
        self._recalled.clear()
        self._title.setText(reading.title)
        self._about.setText(reading.trouble or reading.about)
        self._title.setVisible(bool(reading.title))
        self._about.setVisible(bool(self._about.text()))
        self.list.setVisible(bool(reading.messages))
        none = bool(reading.title) and not reading.messages
        self._nothing.say("", tr("There are no messages here.") if none else "")
        self._nothing.setVisible(not reading.messages)
        self._show_cards()
        self._show_actions()

    def _show_cards(self) -> None:
        lead = {} if self._reading is None else self._reading.lead
        self.list.show_cards(
            [
                message_card(
                    one,
                    opened=key in self._opened,
                    recalled=key in self._recalled,
                    lead=lead.get(one.id, ""),
                )
                for key, one in self._messages.items()
            ]
        )

    def lead_to(self, message: int) -> None:
        """Select a message and bring it into view."""
        self.list.choose(str(message))

    def take_focus(self) -> None:
        """Put the keyboard on the messages."""
        if self.list.isVisible():
            self.list.take_focus()

    # -- acting on a message -----------------------------------------------------------------

    def _current(self) -> Message | None:
        card = self.list.current_card()
        return None if card is None else self._messages.get(str(card.key))

    def _show_actions(self, *_: object) -> None:
        message = self._current()
        spoken = message is not None and bool(message.text) and message.role != "tool"
        for action in (*self._remember.values(), self._belongs):
            action.setEnabled(spoken)
            action.setVisible(spoken)
        recalled = message is not None and bool(message.recalled)
        self._recall.setEnabled(recalled)
        self._recall.setVisible(recalled)
        self._unfold.setVisible(message is not None and not spoken)
        self._unfold.setEnabled(message is not None)

    def _toggle(self, key: Hashable) -> None:
        self._opened ^= {str(key)}
        self._show_cards()

    def _unfold_it(self) -> None:
        message = self._current()
        if message is not None:
            self._toggle(str(message.id))

    def _show_recalled(self) -> None:
        message = self._current()
        if message is not None:
            self._recalled ^= {str(message.id)}
            self._show_cards()

    def _begin_memory(self, target: Target) -> None:
        message = self._current()
        if message is not None and message.text:
            self._place.page_wanted.emit("memory", NewEntry(target, message.text.strip()))

    def _ask_belongs(self) -> None:
        message = self._current()
        if message is not None and message.text:
            from gui.models.belongs import Belongs

            about = Belongs(message.text.strip(), back="sessions")
            self._place.page_wanted.emit("belongs", about)
