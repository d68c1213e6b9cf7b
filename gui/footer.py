"""The line at the bottom: the home in use, the Hermes that was found, what the agent does."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.i18n import tr, trn
from gui.theme import GRID
from gui.widgets.labels import ElidedLabel, PlainLabel
from gui.workplace import Changed, Workplace

if TYPE_CHECKING:
    from pathlib import Path

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
        self._older = 0
        self._recount = False
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
        self._recount = True

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
        desk = self._place.desk
        if changed.initiator is None:
            self._recent = RECENT_LOOKS
            self._say()
        if desk is not None and changed.paths & set(memory_files(desk)):
            self._recount = True

    def _take_older(self, older: int) -> None:
        self._older = older
        self._say()

    def _look(self) -> None:
        self._recent = max(self._recent - 1, 0)
        desk = self._place.desk
        # While this window writes it holds the lock itself.
        if desk is None or self._looking or self._place.writes:
            return
        self._looking = True
        if self._recount:
            self._recount = False
            self._place.tasks.read(self, partial(older_sessions, desk), self._take_older)
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
            idle = tr("○ Agent idle") if self._found else ""
            self._agent.setText(" · ".join(one for one in (idle, self._older_words()) if one))

    def _older_words(self) -> str:
        if not self._older:
            return ""
        return trn(
            "{n} open session still carries the older memory",
            "{n} open sessions still carry the older memory",
            self._older,
        )


def memory_files(desk: Desk) -> list[Path]:
    """Both memory files of the open home."""
    from store.home import TARGETS

    return [desk.home.memory_file(target) for target in TARGETS]


def older_sessions(desk: Desk) -> int:
    """How many open sessions carry memory as it was before the last change. For the background."""
    if not desk.home.database.is_file():
        return 0
    times = [path.stat().st_mtime for path in memory_files(desk) if path.is_file()]
    states = desk.library.load_both(desk.library.settings())
    blocks = [state.snapshot.block for state in states.values() if state.snapshot.block]
    found = desk.sessions.open_sessions(max(times, default=0.0), blocks=blocks)
    return sum(one.older for one in found) if isinstance(found, tuple) else 0


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
