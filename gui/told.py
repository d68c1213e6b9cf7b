"""Being told: the count in the tray, one notification for a burst, and the way to the record.

Made after the first frame; what the person switched off is not even loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from gui.i18n import tr, trn
from gui.joining import bring_forward
from gui.news import News, Waiting
from gui.workplace import Workplace

if TYPE_CHECKING:
    from gui.notify import Note, Notifier
    from gui.tray import Tray
    from gui.window import Window

LOOK_MS = 500
LOOKS = 20
"""How often to look for a tray at login, where the desk may be earlier than the panel."""


class Told(QObject):
    """Tells the person what waits, as far as the person and the desktop let it."""

    def __init__(self, place: Workplace, window: Window, *, minimised: bool = False) -> None:
        """`minimised`: the window is not shown yet, and goes where it is least in the way."""
        super().__init__()
        self._place = place
        self._window = window
        self._minimised = minimised
        self._tray: Tray | None = None
        self._notifier: Notifier | None = None
        self._count = 0
        self._standing: tuple[Waiting, ...] = ()
        """What the notification that is shown is about."""
        self._looks = LOOKS if minimised else 0
        self._look_again = QTimer(self)
        self._look_again.setObjectName("tray_look")
        self._look_again.setSingleShot(True)
        self._look_again.setInterval(LOOK_MS)
        self._look_again.timeout.connect(self._suit)
        self.news = News(place, tell_all=minimised)
        self.news.counted.connect(self._show_count)
        self.news.came.connect(self._tell)
        self.news.left.connect(self._withdraw)
        place.preferences_changed.connect(self._suit)
        # The window has been busy already in this turn of the event loop.
        place.tasks.later(self, self._suit)

    def close(self) -> None:
        """Take icon and notification away."""
        self._look_again.stop()
        self.news.close()
        self._remove_tray()

    @property
    def has_icon(self) -> bool:
        """Whether there is an icon in the tray."""
        return self._tray is not None

    # -- the tray -------------------------------------------------------------------------

    def _suit(self) -> None:
        """Have an icon if the person wants one and there is a place for it."""
        wish = self._place.preferences.tray
        if wish == "off":
            self._remove_tray()
        elif self._tray is None:
            # Qt remembers a no for ever: at login it is asked when it will be a yes, or at last.
            if self._looks and not a_tray_is_coming():
                self._looks -= 1
                self._look_again.start()
                return
            if there_is_a_tray():
                self._make_tray()
        stays = self._tray is not None and wish == "stay"
        QApplication.setQuitOnLastWindowClosed(not stays)
        if self._minimised:
            self._minimised = False
            if self._tray is None and not self._window.isVisible():
                self._window.showMinimized()

    def _make_tray(self) -> None:
        from gui.tray import Tray

        self._tray = Tray(self._place.theme, self._count)
        self._tray.window_wanted.connect(self._come_forward)
        self._tray.queue_wanted.connect(self._lead)
        self._tray.end_wanted.connect(self._window.quit)

    def _remove_tray(self) -> None:
        QApplication.setQuitOnLastWindowClosed(True)
        if self._tray is not None:
            self._tray.close()
            self._tray = None

    def _show_count(self, waits: Sequence[Waiting]) -> None:
        self._count = len(waits)
        if self._tray is not None:
            self._tray.show_count(self._count)
        # What was decided on elsewhere needs no telling any more.
        standing = tuple(one for one in self._standing if one in waits)
        if self._standing and not standing:
            self._withdraw()
        self._standing = standing

    # -- notifications ----------------------------------------------------------------------

    def _tell(self, fresh: tuple[Waiting, ...]) -> None:
        window = self._window
        if not self._place.preferences.notifications:
            return
        if window.isActiveWindow() and window.isVisible() and not window.isMinimized():
            return  # the person is here, and sees the count
        self._standing = (*self._standing, *(one for one in fresh if one not in self._standing))
        self.notifier().show(note_of(self._standing))

    def notifier(self) -> Notifier:
        """Who shows notifications; made when first needed."""
        if self._notifier is None:
            from gui.notify import Notifier

            self._notifier = Notifier(self._place.tasks)
            self._notifier.chosen.connect(self._lead_to_standing)
            self._notifier.closed.connect(self._forget)
            self._notifier.failed.connect(self._tell_beside_tray)
        return self._notifier

    def _tell_beside_tray(self) -> None:
        """Where no service of the bus shows notifications, the tray may."""
        import sys

        if self._tray is not None and self._standing and not sys.platform.startswith("linux"):
            note = note_of(self._standing)
            self._tray.message(note.title, note.text)

    def _withdraw(self) -> None:
        self._standing = ()
        if self._notifier is not None:
            self._notifier.withdraw()

    def _forget(self) -> None:
        self._standing = ()

    # -- the way there ------------------------------------------------------------------------

    def _come_forward(self) -> None:
        bring_forward(self._window)

    def _lead_to_standing(self, token: str) -> None:
        standing, self._standing = self._standing, ()
        bring_forward(self._window, token)
        self._place.page_wanted.emit("pending", standing[0].id if standing else None)

    def _lead(self) -> None:
        self._lead_to_standing("")


def there_is_a_tray() -> bool:
    """Whether an icon would be seen. Qt asks once, and remembers it for the whole process."""
    return QSystemTrayIcon.isSystemTrayAvailable()


def a_tray_is_coming() -> bool:
    """Whether a tray is on the session bus by now; unlike Qt's answer it may change."""
    try:
        from PySide6.QtDBus import QDBusConnection, QDBusInterface
    except ImportError:
        return False
    name = "org.kde.StatusNotifierWatcher"
    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    watcher = QDBusInterface(name, "/StatusNotifierWatcher", name, bus)
    return watcher.isValid() and bool(watcher.property("IsStatusNotifierHostRegistered"))


def note_of(waits: Sequence[Waiting]) -> Note:
    """Say how many new records there are and of which kind; never a word of theirs."""
    from gui.notify import Note

    memory = sum(one.subsystem == "memory" for one in waits)
    skills = len(waits) - memory
    kinds = []
    if memory:
        kinds.append(trn("{n:,} for the memory", "{n:,} for the memory", memory))
    if skills:
        kinds.append(trn("{n:,} for skills", "{n:,} for skills", skills))
    return Note(
        trn("{n:,} new write waits for you", "{n:,} new writes wait for you", len(waits)),
        " · ".join(kinds),
        tr("Show"),
    )
