"""The first desk hears what later starts want: it comes to the front and goes where they ask."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from gui.instance import MOST_BYTES, TAKEN, First, Wish, listen, read_wish
from gui.workplace import Said, Workplace
from store.home import Located, locate

if TYPE_CHECKING:
    import socket

    from gui.window import Window
    from store.refusals import Refusal

MOST_CALLERS = 8
RAISING = ("xcb", "windows", "cocoa")
"""Elsewhere, as on Wayland, only the desktop itself puts one window above another."""
TOKEN = "XDG_ACTIVATION_TOKEN"  # noqa: S105 - a name, from which Qt on Wayland reads it


def bring_forward(window: Window, token: str = "") -> None:
    """Show the window in front of others; `token` is the desktop's leave to do so."""
    if token:
        os.environ[TOKEN] = token
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    if QGuiApplication.platformName() in RAISING:
        window.raise_()
    window.activateWindow()
    os.environ.pop(TOKEN, None)


class Joining(QObject):
    """Serves the socket of the first, and does what is wished there."""

    wished = Signal(object)
    """A `Wish`, once it is answered."""

    def __init__(self, place: Workplace, window: Window, first: First) -> None:
        super().__init__()
        self._place = place
        self._window = window
        self._env = dict(place.env)  # a sample that is opened later has another
        self._server: socket.socket | None = None
        self._ear: QSocketNotifier | None = None
        self._callers: list[_Caller] = []
        place.tasks.read(self, partial(listen, first.address), self._begin)

    def close(self) -> None:
        """Hear nobody any more. Being the first ends later, once nothing is written any more."""
        if self._ear is not None:
            self._ear.setEnabled(False)
        if self._server is not None:
            self._server.close()
            self._server = None
        for caller in self._callers:
            caller.close()
        self._callers.clear()

    @property
    def listens(self) -> bool:
        """Whether later starts are heard by now."""
        return self._ear is not None

    def _begin(self, server: socket.socket | None) -> None:
        if server is None:
            return
        self._server = server
        self._ear = QSocketNotifier(server.fileno(), QSocketNotifier.Type.Read, self)
        self._ear.activated.connect(self._accept)

    def _accept(self) -> None:
        with suppress(OSError):
            while self._server is not None:
                line, _ = self._server.accept()
                line.setblocking(False)
                if len(self._callers) >= MOST_CALLERS:  # one that never says anything
                    self._callers.pop(0).close()
                caller = _Caller(line, self)
                caller.said.connect(self._heed)
                self._callers.append(caller)

    def _heed(self, wish: Wish) -> None:
        caller = self.sender()
        if isinstance(caller, _Caller) and caller in self._callers:
            self._callers.remove(caller)
        bring_forward(self._window, wish.token)
        if wish.page:
            self._place.page_wanted.emit(wish.page, None)
        ours = self._env.get("HERMES_HOME", "").strip()
        elsewhere = wish.surroundings != (os.path.abspath(ours) if ours else "")
        if wish.home or wish.profile or elsewhere:
            work = partial(_located, wish, self._env)
            self._place.tasks.read(self, work, self._go)
        self.wished.emit(wish)

    def _go(self, found: Located | Refusal) -> None:
        if not isinstance(found, Located):
            from gui.words import say

            self._place.said.emit(Said(say(found)))
            return
        desk, wanted = self._place.desk, found.home
        if desk is None or os.path.abspath(desk.home.path) != os.path.abspath(wanted.path):
            self._place.env = self._env
            self._window.open_other(wanted.path)


class _Caller(QObject):
    """One later start, on the line until it has said its wish."""

    said = Signal(object)

    def __init__(self, line: socket.socket, parent: QObject) -> None:
        super().__init__(parent)
        self._line = line
        self._heard = b""
        self._ear = QSocketNotifier(line.fileno(), QSocketNotifier.Type.Read, self)
        self._ear.activated.connect(self._listen)

    def close(self) -> None:
        """Hang up."""
        self._ear.setEnabled(False)
        self._line.close()
        self.deleteLater()

    @Slot()
    def _listen(self) -> None:
        try:
            part = self._line.recv(MOST_BYTES)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        self._heard += part
        whole = self._heard.endswith(b"\n")
        if part and not whole and len(self._heard) < MOST_BYTES:
            return
        wish = read_wish(self._heard) if whole else None
        if wish is not None:
            with suppress(OSError):
                self._line.send(TAKEN)
        self.close()
        if wish is not None:
            self.said.emit(wish)


def _located(wish: Wish, env: dict[str, str]) -> Located | Refusal:
    """Find the home that the later start would have opened itself."""
    return locate(
        home=Path(wish.home) if wish.home else None,
        profile=wish.profile or None,
        env=env | {"HERMES_HOME": wish.surroundings},
    )
