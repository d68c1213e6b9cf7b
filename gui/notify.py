"""Notifications on the session bus: org.freedesktop.Notifications, and nothing where it is not.

Speaks the bus itself, by way of jeepney, in the background: Qt's own binding cannot say the
numbers without a sign that this service insists on. Loaded with the first notification.
"""

from __future__ import annotations

import socket
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSocketNotifier, Qt, Signal, Slot

from gui.tasks import Tasks
from schema.frozen import frozen

if TYPE_CHECKING:
    from jeepney import DBusAddress, Message, Parser

SEND_SECONDS = 2.0
"""A bus that does not take a message for so long is given up."""
NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
OPEN = "default"
"""The action of a click on the notification itself."""


@frozen
class Note:
    """What a notification says. Plain text; no markup, and nothing from a memory."""

    title: str
    text: str
    action: str


class Notifier(QObject):
    """Shows one notification at a time; a later one takes its place."""

    chosen = Signal(str)
    """The person wants to see what it is about; the text is the desktop's leave to come forward."""
    closed = Signal()
    """It is gone: put away, or out of time."""
    failed = Signal()
    """Nobody shows notifications here."""
    _wanted = Signal(object)

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        queued = Qt.ConnectionType.QueuedConnection
        self._voice = _Voice()
        self._voice.chosen.connect(self.chosen, queued)
        self._voice.closed.connect(self.closed, queued)
        self._voice.failed.connect(self.failed, queued)
        self._wanted.connect(self._voice.show, queued)
        tasks.host(self._voice)

    def show(self, note: Note) -> None:
        """Show it, in place of the one that may still be shown."""
        self._wanted.emit(note)

    def withdraw(self) -> None:
        """Take away the one that may still be shown."""
        self._wanted.emit(None)


class _Voice(QObject):
    """Lives in the background: one connection to the bus, made when it is first needed."""

    chosen = Signal(str)
    closed = Signal()
    failed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._line: socket.socket | None = None
        self._parser: Parser | None = None
        self._serial = 0
        self._asked = 0
        self._shown = 0
        self._token = ""
        # Made here, in the UI thread, and taken along: see `Tasks.host`.
        self._ear = QSocketNotifier(QSocketNotifier.Type.Read, self)
        self._ear.activated.connect(self._hear)

    @Slot(object)
    def show(self, note: Note | None) -> None:
        """Show a notification, or take the last one away."""
        if note is None and self._line is None:
            return
        try:
            if self._line is None:
                self._connect()
            if note is not None:
                self._asked = self._send(_notify(note, self._shown))
            elif self._shown:
                self._send(_call("CloseNotification", "u", (self._shown,)))
        except (OSError, ValueError, RuntimeError, ImportError, KeyError):
            # No bus, one that we do not understand, or one that does not listen.
            self._hang_up()

    def _connect(self) -> None:
        from jeepney import MatchRule, Parser, message_bus
        from jeepney.auth import BEGIN, Authenticator
        from jeepney.bus import get_bus

        line = socket.socket(socket.AF_UNIX)
        self.destroyed.connect(partial(_close, line))
        self._line, self._parser = line, Parser()
        line.settimeout(SEND_SECONDS)
        line.connect(get_bus("SESSION"))
        line.sendall(b"\0")
        login = Authenticator(inc_null_byte=False)
        for words in login:
            line.sendall(words)
            heard = line.recv(1_024)
            if not heard:
                raise ConnectionResetError
            login.feed(heard)
        line.sendall(BEGIN)
        self._send(message_bus.Hello())
        self._send(message_bus.AddMatch(MatchRule(type="signal", interface=NAME, path=PATH)))
        self._ear.setSocket(line.fileno())
        self._ear.setEnabled(True)

    def _send(self, message: Message) -> int:
        if self._line is None:
            raise ConnectionResetError
        self._serial += 1
        self._line.sendall(message.serialise(serial=self._serial))
        return self._serial

    def _hang_up(self) -> None:
        self._ear.setEnabled(False)
        if self._line is not None:
            self._line.close()
        self._line, self._asked, self._shown = None, 0, 0
        self.failed.emit()

    @Slot()
    def _hear(self) -> None:
        if self._line is None or self._parser is None:
            return
        try:
            heard = self._line.recv(65_536)
            if not heard:
                raise ConnectionResetError
            self._parser.add_data(heard)
            while (message := self._parser.get_next_message()) is not None:
                self._understand(message)
        except (OSError, ValueError, KeyError, IndexError):
            self._hang_up()

    def _understand(self, message: Message) -> None:
        from jeepney import HeaderFields, MessageType

        fields, kind = message.header.fields, message.header.message_type
        if self._asked and fields.get(HeaderFields.reply_serial) == self._asked:
            self._asked = 0
            if kind is MessageType.method_return:
                self._shown = int(message.body[0])
            else:
                self.failed.emit()
        elif kind is MessageType.signal and fields.get(HeaderFields.interface) == NAME:
            self._told(str(fields.get(HeaderFields.member)), message.body)

    def _told(self, what: str, body: tuple[Any, ...]) -> None:
        if not self._shown or body[0] != self._shown:
            return
        if what == "ActivationToken":
            self._token = str(body[1])
        elif what == "ActionInvoked":
            token, self._token = self._token, ""
            self.chosen.emit(token)
        elif what == "NotificationClosed":
            self._shown = 0
            self.closed.emit()


def _close(line: socket.socket, *_: object) -> None:
    line.close()


def _notify(note: Note, instead_of: int) -> Message:
    hints = {
        "desktop-entry": ("s", "hermes-memory-desk"),
        "urgency": ("y", 1),
    }
    body = (
        *("Hermes Memory Desk", instead_of, "hermes-memory-desk", note.title, note.text),
        *([OPEN, note.action], hints, -1),
    )
    return _call("Notify", "susssasa{sv}i", body)


def _call(method: str, signature: str, body: tuple[Any, ...]) -> Message:
    from jeepney import new_method_call

    return new_method_call(_service(), method, signature, body)


def _service() -> DBusAddress:
    from jeepney import DBusAddress

    return DBusAddress(PATH, bus_name=NAME, interface=NAME)
