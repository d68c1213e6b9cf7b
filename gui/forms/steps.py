"""Work on many widgets, a little in each turn of the event loop, so that it is never held long."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer

Step = Callable[[], object]


class Steps(QObject):
    """Does one step after the other, each in a turn of its own."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: deque[Step] = deque()
        self._timer = QTimer(self)
        self._timer.setObjectName("steps")
        self._timer.timeout.connect(self._next)

    def run(self, steps: Iterable[Step]) -> None:
        """Do these after those that still wait."""
        self._steps.extend(steps)
        self._timer.start(0)

    def forget(self) -> None:
        """Do none of those that still wait."""
        self._steps.clear()

    def _next(self) -> None:
        if self._steps:
            self._steps.popleft()()
        if not self._steps:
            self._timer.stop()
