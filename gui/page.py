"""What a page is: a widget that shows one part of the open home."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.workplace import Changed, Opened, Workplace

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from gui.asker import Asker
    from store.desk import Desk
    from store.home import HermesHome


class Page(QWidget):
    """The base of all pages.

    A page names itself, reads with `load` (in the background), shows with `show_loaded` (in the
    UI thread) and says with `paths` which files it depends on. The window does the rest: it
    loads the page when it is opened, when another home is opened, and when such a file changes.
    """

    name: ClassVar[str]

    header_changed = Signal()
    """Title, subtitle or actions are no longer what they were."""
    became_ready = Signal()
    """What was asked for is on screen."""

    def __init__(self, place: Workplace) -> None:
        super().__init__()
        self.place = place
        self.theme = place.theme
        self.ready = False
        self.setObjectName(f"page_{self.name}")
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)

    # -- what the window shows around it ---------------------------------------------------

    def title(self) -> str:
        """The page's name, in words."""
        raise NotImplementedError

    def subtitle(self) -> str:
        """A few words beside the title."""
        return ""

    def search_hint(self) -> str:
        """What can be searched here; empty where nothing can."""
        return ""

    def search(self, text: str) -> None:
        """Show what fits `text`."""

    def primary(self) -> QAction | None:
        """The one thing most people come here to do."""
        return None

    def secondary(self) -> tuple[QAction, ...]:
        """Other actions for the header, from left to right."""
        return ()

    def unsaved(self) -> str:
        """What would be lost if the home were closed now, as a sentence; usually nothing."""
        return ""

    def show_about(self, about: object) -> None:
        """Show what another page sends the person here for; `about` is what both agree on."""
        self.refresh()

    def take_focus(self) -> None:
        """Put the keyboard where work on this page begins."""
        self.setFocus()

    def asker(self) -> Asker:
        """Who asks the person: the window's."""
        asker: Asker = self.window().asker  # type: ignore[attr-defined]
        return asker

    # -- reading ---------------------------------------------------------------------------

    @staticmethod
    def load(desk: Desk) -> Any:
        """Read what the page shows. Runs in the background; touches nothing of Qt."""
        return None

    def show_loaded(self, loaded: Any) -> None:
        """Show what `load` gave."""

    @staticmethod
    def paths(home: HermesHome) -> frozenset[Path]:
        """The files and folders of `home` whose change concerns this page."""
        return frozenset()

    def refresh(self) -> None:
        """Read again."""
        desk = self.place.desk
        if desk is not None:
            self.place.tasks.read(self, partial(_load, self.load, desk), self._take)

    def show_opened(self, opened: Opened) -> None:
        """Another home is open; `opened.loaded` is what `load` gave, if it came along."""
        self.ready = False
        # While the home was being opened, the person may have gone from the page that asked.
        if opened.loaded is None or opened.load is not self.load:
            self.refresh()
        else:
            self._show(opened.loaded)

    def hear(self, changed: Changed) -> None:
        """Files changed: read again if they are ours and it was not us."""
        desk = self.place.desk
        if desk is None or changed.initiator is self:
            return
        if changed.paths & self.paths(desk.home):
            self.refresh()

    def _take(self, answer: tuple[Desk, Any]) -> None:
        desk, loaded = answer
        if desk is self.place.desk:  # else it is an answer about a home that is no longer open
            self._show(loaded)

    def _show(self, loaded: Any) -> None:
        self.show_loaded(loaded)
        if not self.ready:
            self.ready = True
            self.became_ready.emit()


def _load(load: Any, desk: Desk) -> tuple[Desk, Any]:
    return desk, load(desk)
