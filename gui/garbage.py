"""Lets Python collect its garbage in the UI thread only.

Python collects in whichever thread happens to make the next object. A widget that is part of a
cycle would then be destroyed in a background thread, which Qt does not survive.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

LOOK_MS = 1_000
OVERDUE = 10
"""To look through all objects waits so many times as long for a moment without the person."""
MANY = 20_000
"""More new objects than these are what was read of some file, which will stay for a while."""


class Garbage(QObject):
    """Takes over from Python's own collector until `close`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setObjectName("garbage")
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """Give it back."""
        self._timer.stop()
        if self._was_on:
            gc.enable()

    def _collect(self) -> None:
        """Collect the oldest generation that Python itself would collect now."""
        counts, limits = gc.get_count(), gc.get_threshold()
        if counts[0] > MANY:
            grow_old()
            return
        for generation in (2, 1, 0):
            # The oldest are all that the window is made of: it would be held up for long.
            patience = OVERDUE if generation == 2 and _is_used() else 1
            if counts[generation] > limits[generation] * patience > 0:
                gc.collect(generation)
                return


def _is_used() -> bool:
    """Whether the person works with the window now."""
    return QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive


def grow_old() -> None:
    """Put all objects among the old ones, and look at none: that would hold the window up."""
    gc.freeze()
    gc.unfreeze()
