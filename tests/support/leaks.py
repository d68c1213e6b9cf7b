"""Finds what a test left behind: windows, running timers and threads."""

from __future__ import annotations

import sys
import threading
import time

DEADLINE = 5.0


class Leaks:
    """What runs before a test, to be compared with what runs after it."""

    def __init__(self) -> None:
        self._threads = set(threading.enumerate())

    def found(self) -> list[str]:
        """Return what the test left, in words. What can be ended is ended, for the next test."""
        return [*_qt_leaks(), *self._python_threads()]

    def _python_threads(self) -> list[str]:
        left = []
        for thread in set(threading.enumerate()) - self._threads:
            if isinstance(thread, threading._DummyThread):  # a thread of Qt's; see _qt_leaks
                continue
            thread.join(DEADLINE)
            if thread.is_alive():
                left.append(f"thread {thread.name}")
        return left


def _qt_leaks() -> list[str]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return []
    import shiboken6
    from PySide6.QtCore import QCoreApplication, QEvent, QThread, QThreadPool, QTimer

    left = []
    for window in widgets.QApplication.topLevelWidgets():
        if window.isVisible():
            left.append(f"window {window.objectName() or type(window).__name__}")
            window.close()
            window.deleteLater()
    # What was told to go later goes now; a timer that its window takes along is no leak.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    for thing in shiboken6.getAllValidWrappers():
        if isinstance(thing, QTimer) and thing.isActive():
            owner = type(thing.parent()).__name__
            left.append(f"running timer {thing.objectName()!r} of {owner}")
            thing.stop()
        elif isinstance(thing, QThread) and thing is not QThread.currentThread():
            if thing.isRunning() and not thing.wait(int(DEADLINE * 1000)):
                left.append(f"running QThread {thing.objectName()!r}")
        elif isinstance(thing, QThreadPool) and not thing.waitForDone(int(DEADLINE * 1000)):
            left.append(f"{thing.activeThreadCount()} busy threads of a QThreadPool")
    if not QThreadPool.globalInstance().waitForDone(int(DEADLINE * 1000)):
        left.append("busy threads of the global QThreadPool")
    return left


def wait_until(condition, *, of: str, deadline: float = 20.0) -> None:
    """Wait until `condition()` is true, or fail saying `of` what was waited for."""
    end = time.monotonic() + deadline
    pause = threading.Event()
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {deadline:g} s in vain for {of}")
        pause.wait(0.01)
