"""The folders of notes that were found on this computer, each offered by its name."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from gui.i18n import tr, trn
from gui.places import short_path
from gui.widgets.empty import EmptyPage
from gui.widgets.labels import Button, make_action

MOST_OFFERED = 5
"""So many are offered by name; any other is chosen as a folder."""


class FolderOffers(QObject):
    """A button for each on the page without folders; once there is one, a menu of the others."""

    wanted = Signal(object)
    """The folder that the person wants to add; None to choose one."""

    def __init__(self, empty: EmptyPage, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._empty = empty
        self._offers: tuple[Path, ...] = ()
        self._buttons = [empty.add_button("", f"offer_{at}") for at in range(MOST_OFFERED)]
        for at, button in enumerate(self._buttons):
            button.clicked.connect(partial(self._take, at))
            button.hide()
        self.more = Button("", name="found_folders", kind="link")
        self.more.clicked.connect(self._open_menu)
        self.more.hide()

    def show_offers(self, offers: tuple[Path, ...], *, has_folders: bool) -> None:
        """Offer these."""
        self._offers = offers[:MOST_OFFERED]
        for at, button in enumerate(self._buttons):
            if at < len(self._offers):
                label = tr("Add {folder}", folder=short_path(self._offers[at], Path.home()))
                button.say(label)
                button.setText(_without_keys(label))
            button.setVisible(at < len(self._offers))
        self._empty.arrange()
        self.more.say(
            trn(
                "Another folder of notes was found…",
                "{n} other folders of notes were found…",
                len(offers),
            )
        )
        self.more.setVisible(has_folders and bool(offers))

    def _take(self, at: int, _: bool = False) -> None:
        if at < len(self._offers):
            self.wanted.emit(self._offers[at])

    def _open_menu(self) -> None:
        menu = QMenu(self._parent)
        menu.setObjectName("found_folders_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for at, path in enumerate(self._offers):
            label = _without_keys(tr("Add {folder}", folder=short_path(path, Path.home())))
            act = partial(self.wanted.emit, path)
            menu.addAction(make_action(menu, name=f"found_{at}", text=label, act=act))
        menu.addSeparator()
        choose = partial(self.wanted.emit, None)
        menu.addAction(
            make_action(menu, name="found_other", text=tr("Another folder…"), act=choose)
        )
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))


def _without_keys(label: str) -> str:
    """An ampersand in a path would be taken for a key."""
    return label.replace("&", "&&")
