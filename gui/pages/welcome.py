"""What the window shows when there is no Hermes home to open."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.i18n import tr
from gui.widgets.empty import EmptyPage
from gui.workplace import Workplace

if TYPE_CHECKING:
    from store.home import HermesHome
    from store.refusals import Refusal


class WelcomePage(QWidget):
    """Says what is missing and offers ways on."""

    home_made = Signal(object)
    """The path of a home that was just made."""
    sample_wanted = Signal()
    folder_wanted = Signal()
    """A home that is somewhere else is to be chosen."""

    def __init__(self, place: Workplace) -> None:
        super().__init__()
        self.setObjectName("page_welcome")
        self._place = place
        self._path: Path | None = None
        self._words = EmptyPage(name="welcome")
        self._create = self._words.add_button(tr("Create a Hermes home"), "create", "primary")
        self._words.add_button(tr("Open the sample"), "sample")
        self._words.add_button(tr("Choose a folder…"), "folder")
        self._words.acted.connect(self._act)
        column = QVBoxLayout(self)
        column.addWidget(self._words)

    def explain(self, refusal: Refusal) -> None:
        """Say why no home is open."""
        from gui.words import say
        from store.refusals import NotFound

        if not isinstance(refusal, NotFound) or refusal.kind != "home":
            self._path = None
            self._create.hide()
            self._words.say(tr("This home cannot be opened"), say(refusal))
            return
        self._path = Path(refusal.name)
        self._create.show()
        self._words.say(
            tr("There is no Hermes home here yet"),
            tr(
                "Hermes Agent keeps its memory in {path}, and that folder does not exist. "
                "Create it now and the agent will use it, or look at the sample first: it is a "
                "copy, and nothing of yours is touched.",
                path=refusal.name,
            ),
        )

    def take_focus(self) -> None:
        """Put the keyboard on the first way on."""
        self._create.setFocus()

    def _act(self, name: str) -> None:
        if name == "sample":
            self.sample_wanted.emit()
        elif name == "folder":
            self.folder_wanted.emit()
        elif self._path is not None:
            work = partial(_create_home, self._path, self._place.env)
            self._place.write(self, work, self._created)

    def _created(self, answer: HermesHome | Refusal) -> None:
        from store.home import HermesHome

        if isinstance(answer, HermesHome):
            self.home_made.emit(answer.path)
        else:
            self.explain(answer)


def _create_home(path: Path, env: Mapping[str, str]) -> HermesHome | Refusal:
    from store.home import create_home

    return create_home(path, env=env)
