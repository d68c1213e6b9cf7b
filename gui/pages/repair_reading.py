"""What the Repair page waits for: one thing at a time, told once it takes long, with a way out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gui.i18n import tr
from gui.tasks import Tasks, Ticket
from gui.widgets.bars import Banner, Notice

PATIENCE_MS = 400
"""What takes longer is told."""

IsCancelled = Callable[[], bool]


class Reading(QObject):
    """Has things read in the background; the next one takes the place of the one before."""

    given_up = Signal()
    """The person does not want to wait."""

    def __init__(self, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.bar = Banner(name="repair_waiting")
        self.bar.acted.connect(self._give_up)
        self._tasks = tasks
        self._ticket: Ticket | None = None
        self._words = ""
        self._patience = QTimer(self)
        self._patience.setObjectName("repair_patience")
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._tell)

    def start(
        self, words: str, work: Callable[[IsCancelled], Any], then: Callable[[Any], None]
    ) -> None:
        """Do `work` in the background and give its result to `then`; `words` say what it does."""
        self.stop()
        self._words = words
        ticket = self._ticket = Ticket()
        self._patience.start()
        todo = partial(work, ticket.is_cancelled)
        self._tasks.read(self, todo, partial(self._landed, then), self._failed, ticket)

    def stop(self) -> bool:
        """Give up what is being read; False if that is nothing."""
        ticket = self._ticket
        if ticket is not None:
            ticket.cancel()
            self._end()
        return ticket is not None

    def _landed(self, then: Callable[[Any], None], result: Any) -> None:
        self._end()
        then(result)

    def _failed(self, _: object) -> None:
        self._end()

    def _end(self) -> None:
        self._ticket = None
        self._patience.stop()
        self.bar.show_notice(None)

    def _tell(self) -> None:
        notice = Notice("waiting", self._words, tone="plain", action=tr("Cancel"))
        self.bar.show_notice(notice)

    def _give_up(self, _: object) -> None:
        if self.stop():
            self.given_up.emit()
