"""The icon in the tray: how many writes wait, and the way to them. Only where there is a tray."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from gui.i18n import tr, trn
from gui.theme import Theme

SIZES = (22, 48)
MOST_SHOWN = 99


class Tray(QObject):
    """The icon, its words and its menu."""

    window_wanted = Signal()
    queue_wanted = Signal()
    end_wanted = Signal()

    def __init__(self, theme: Theme, count: int) -> None:
        super().__init__()
        self._theme = theme
        self._menu = QMenu()
        self._menu.setObjectName("tray_menu")
        self._menu.addAction(tr("Show the window"), self.window_wanted.emit)
        self._queue = self._menu.addAction("", self.queue_wanted.emit)
        self._menu.addSeparator()
        self._menu.addAction(tr("Quit"), self.end_wanted.emit)
        self._icon = QSystemTrayIcon()
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._act)
        theme.changed.connect(self._draw)
        self.count = -1
        self.show_count(count)
        self._icon.show()

    def show_count(self, count: int) -> None:
        """Say how many writes wait."""
        if count == self.count:
            return
        self.count = count
        self._draw()
        words = trn("{n:,} write waits", "{n:,} writes wait", count) if count else ""
        self._queue.setText(words or tr("Nothing waits"))
        self._icon.setToolTip(": ".join(filter(None, (tr("Hermes Memory Desk"), words))))

    def _draw(self) -> None:
        self._icon.setIcon(icon_of(self.count, self._theme))

    def message(self, title: str, text: str) -> None:
        """Show a message beside the icon, where the system has no other notifications."""
        self._icon.messageClicked.connect(self.queue_wanted, Qt.ConnectionType.UniqueConnection)
        self._icon.showMessage(title, text, icon_of(0, self._theme))

    def close(self) -> None:
        """Take the icon away."""
        self._icon.hide()
        self._icon.setContextMenu(None)  # type: ignore[arg-type]
        self._menu.deleteLater()
        self._icon.deleteLater()

    def _act(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        kinds = QSystemTrayIcon.ActivationReason
        if reason in (kinds.Trigger, kinds.DoubleClick):
            self.window_wanted.emit()


def icon_of(count: int, theme: Theme) -> QIcon:
    """Draw the sign that parts entries, and how many writes wait if any do."""
    icon = QIcon()
    for size in SIZES:
        icon.addPixmap(_picture(size, count, theme))
    return icon


def _picture(size: int, count: int, theme: Theme) -> QPixmap:
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    whole = QRectF(0, 0, size, size)
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(whole, size * 0.22, size * 0.22)
    _write(painter, whole, "§", theme.color("accent_text"), size * 0.7)
    if count:
        corner = QRectF(size * 0.34, size * 0.4, size * 0.66, size * 0.6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("bad_bar"))
        painter.drawRoundedRect(corner, size * 0.28, size * 0.28)
        text = str(count) if count <= MOST_SHOWN else f"{MOST_SHOWN}+"
        _write(
            painter,
            corner,
            text,
            theme.color("accent_text"),
            size * (0.55, 0.46, 0.34)[len(text) - 1],
        )
    painter.end()
    return picture


def _write(painter: QPainter, place: QRectF, text: str, color: QColor, height: float) -> None:
    font = QFont(painter.font())
    font.setPixelSize(max(round(height), 5))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
