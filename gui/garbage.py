"""Lets Python collect its garbage in the UI thread only.

Python collects in whichever thread happens to make the next object. A widget that is part of a
cycle would then be destroyed in a background thread, which Qt does not survive.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 1_000


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
        for generation in (2, 1, 0):
            if counts[generation] > limits[generation] > 0:
                gc.collect(generation)
                return
