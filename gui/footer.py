"""The line at the bottom: the home in use, the Hermes that was found, what the agent does."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.i18n import tr
from gui.theme import GRID
from gui.widgets.labels import ElidedLabel, PlainLabel
from gui.workplace import Changed, Workplace

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from store.desk import Desk

LOOK_MS = 1_000
RECENT_LOOKS = 8
"""For how many looks a change from outside is called recent."""


class Footer(QWidget):
    """Looks at Hermes' locks once a second while it is seen."""

    def __init__(self, place: Workplace) -> None:
        super().__init__()
        self.setObjectName("footer")
        self.setAccessibleName(tr("Home and agent"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._place = place
        self._recent = 0
        self._looking = False
        self._busy = False
        self._found = False
        self._home = ElidedLabel(name="footer_home", role="meta")
        self._agent = PlainLabel(name="footer_agent", role="meta")
        row = QHBoxLayout(self)
        row.setContentsMargins(3 * GRID, 5, 3 * GRID, 6)
        row.setSpacing(2 * GRID)
        row.addWidget(self._home, 1)
        row.addWidget(self._agent)
        self._timer = QTimer(self)
        self._timer.setObjectName("locks")
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)
        place.store_changed.connect(self._hear)

    def show_home(self, home: str, hermes: str, *, found: bool = False) -> None:
        """Name the home, and what is known of the installed Hermes; `found` if there is one."""
        self._found = found
        self._home.setText(f"{home} · {hermes}" if hermes else home)
        self._say()

    def home_text(self) -> str:
        """Give what is said about the home and Hermes."""
        return self._home.whole_text()

    def agent_text(self) -> str:
        """Give what is said about the agent."""
        return self._agent.text()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self._say()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _hear(self, changed: Changed) -> None:
        if changed.initiator is None:
            self._recent = RECENT_LOOKS
            self._say()

    def _look(self) -> None:
        self._recent = max(self._recent - 1, 0)
        desk = self._place.desk
        # While this window writes it holds the lock itself.
        if desk is None or self._looking or self._place.writes:
            return
        self._looking = True
        self._place.tasks.read(self, partial(locks_held, desk), self._take, self._failed)

    def _take(self, busy: bool) -> None:
        self._looking = False
        self._busy = busy and not self._place.writes
        self._say()

    def _failed(self, _: object) -> None:
        self._looking = False

    def _say(self) -> None:
        if self._place.desk is None:
            self._agent.setText("")
        elif self._busy:
            self._agent.setText(tr("● Agent is writing"))
        elif self._recent:
            self._agent.setText(tr("● Changed outside just now"))
        else:
            self._agent.setText(tr("○ Agent idle") if self._found else "")


def locks_held(desk: Desk) -> bool:
    """Whether someone holds the lock of one of the two memory files now. Makes no file."""
    from store.home import TARGETS
    from store.refusals import Locked

    for target in TARGETS:
        path = desk.home.memory_file(target)
        if not os.path.isfile(path.with_name(path.name + ".lock")):
            continue
        with desk.disk.locked(path, wait=0) as refused:
            if isinstance(refused, Locked):
                return True
    return False
