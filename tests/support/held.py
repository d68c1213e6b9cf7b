"""Measures for how long the event loop is held: turns it by hand, and times every turn."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

PAUSE = 0.002


class Held:
    """The longest turns so far, in milliseconds, with what went on."""

    def __init__(self) -> None:
        self.turns: list[tuple[float, str]] = []
        self.calculated: list[tuple[float, str]] = []

    @property
    def longest(self) -> tuple[float, str]:
        return max(self.turns, default=(0.0, ""))

    @property
    def most_calculated(self) -> tuple[float, str]:
        """The turn that took the processor longest, whatever else the machine did."""
        return max(self.calculated, default=(0.0, ""))

    def do(self, what: str, act: Callable[[], object]) -> None:
        """Do what a person does: what follows from it at once holds the loop as well."""
        self._time(what, act)

    def until(self, condition: Callable[[], bool], what: str, deadline: float = 60.0) -> None:
        """Turn the loop until `condition()` holds, or fail."""
        end = time.monotonic() + deadline
        pause = threading.Event()
        while not condition():
            assert time.monotonic() < end, f"waited {deadline:g} s in vain for: {what}"
            self._time(what, QCoreApplication.processEvents)
            pause.wait(PAUSE)

    def _time(self, what: str, act: Callable[[], object]) -> None:
        start, begun = time.perf_counter(), time.thread_time()
        act()
        self.calculated.append(((time.thread_time() - begun) * 1000, what))
        self.turns.append(((time.perf_counter() - start) * 1000, what))
