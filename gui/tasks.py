"""The one place where work leaves the UI thread.

Two lanes, each with one thread: writes happen one after the other and are finished before the desk
ends; reads may be slow and are given up at the end. A third thread is an event loop for what must
listen all the time (`gui/watch.py`). Work is a plain function of `store`; its frozen result comes
back to the UI thread.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from schema.frozen import field, frozen

SWITCH_SECONDS = 0.0001
"""How long a thread may calculate while another waits."""

Result = TypeVar("Result")
FRAME_MS = 20
"""After this a frame that was asked for is drawn."""

OnFault = Callable[[str, BaseException], None]
"""Writes a fault down; called in the thread in which it happened."""


class Ticket:
    """One piece of work that was handed in; cancelled, its result is never delivered.

    Work that takes long is given `is_cancelled` by its caller and asks it now and then.
    """

    __slots__ = ("_cancelled",)

    def __init__(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        """Skip the work if it has not begun, and forget its result if it has."""
        self._cancelled = True

    def is_cancelled(self) -> bool:
        """Tell, from any thread, whether nobody waits for the result any more."""
        return self._cancelled


@frozen
class Fault:
    """What nobody foresaw: the exception that a piece of work ended in."""

    work: str
    error: BaseException


@frozen
class _Job:
    work: Callable[[], Any]
    then: Callable[[], Callable[[Any], None] | None]
    failed: Callable[[], Callable[[Fault], None] | None]
    owner: Callable[[], QObject | None]
    ticket: Ticket = field(default_factory=Ticket)


@frozen
class _Landing:
    job: _Job
    result: Any
    fault: Fault | None


class _Lane:
    """One thread that does its jobs in the order in which they came."""

    def __init__(self, name: str, land: Callable[[_Landing], None], on_fault: OnFault) -> None:
        self._name = name
        self._land = land
        self._on_fault = on_fault
        self._jobs: deque[_Job | None] = deque()
        self._waiting = threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def put(self, job: _Job) -> None:
        """Queue a job; the thread starts with the first one."""
        self._append(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def drop_waiting(self) -> None:
        """Forget every job that has not begun."""
        # One less waits for each that is taken; the thread may be taking one just now.
        while self._waiting.acquire(blocking=False):
            self._jobs.popleft()

    def close(self, wait: float) -> bool:
        """Finish what is queued, for at most `wait` seconds; False if that was not enough."""
        if self._thread is None:
            return True
        self._append(None)
        self._thread.join(wait)
        return not self._thread.is_alive()

    def _append(self, job: _Job | None) -> None:
        self._jobs.append(job)
        self._waiting.release()

    def _next(self) -> _Job | None:
        self._waiting.acquire()
        return self._jobs.popleft()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                skipped = job.ticket.is_cancelled()
                landing = _Landing(job, None if skipped else job.work(), None)
            except Exception as error:
                name = getattr(job.work, "func", job.work)
                fault = Fault(getattr(name, "__qualname__", type(name).__name__), error)
                self._on_fault(fault.work, error)
                landing = _Landing(job, None, fault)
            self._land(landing)
            del job, landing  # an idle lane keeps nothing alive


class Tasks(QObject):
    """Hands work to the lanes and brings results back. Lives in the UI thread."""

    fault_happened = Signal(object)
    """A `Fault`, after the one who handed in the work has heard of it."""
    became_idle = Signal()
    """Nothing is queued, running or on its way back any more."""
    _landed = Signal(object)

    def __init__(self, on_fault: OnFault = lambda name, error: None) -> None:
        super().__init__()
        self._landed.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._reads = _Lane("reads", self._land, on_fault)
        self._writes = _Lane("writes", self._land, on_fault)
        self._ears: QThread | None = None
        self._open = 0
        self._closed = False
        self._after_frame: list[_Job] = []
        self._frame = QTimer(self)
        self._frame.setObjectName("frame")
        self._frame.setSingleShot(True)
        self._frame.timeout.connect(self._frame_drawn)
        # Work that only calculates must not keep the interpreter from the window: painting some
        # cards takes it several times, and waited 5 ms for it each time.
        sys.setswitchinterval(SWITCH_SECONDS)

    @property
    def busy(self) -> bool:
        """Whether work is queued, running, or on its way back."""
        return self._open > 0

    def read(
        self,
        owner: QObject,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        failed: Callable[[Fault], None] | None = None,
        ticket: Ticket | None = None,
    ) -> Ticket:
        """Do `work` among the reads; give its result to `then` while `owner` lives."""
        return self._put(self._reads, owner, work, then, failed, ticket)

    def write(
        self,
        owner: QObject,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        failed: Callable[[Fault], None] | None = None,
    ) -> Ticket:
        """Do `work` among the writes, which are never dropped once they are queued.

        A cancelled ticket of a write that waits still skips it.
        """
        return self._put(self._writes, owner, work, then, failed, None)

    def later(self, owner: QObject, callback: Callable[[], None]) -> None:
        """Call back in the UI thread once the next frame is drawn, while `owner` lives."""
        job = _Job(_nothing, _weakly(lambda _: callback()), _weakly(None), weakref.ref(owner))
        self._open += 1
        self._after_frame.append(job)
        self._frame.start(FRAME_MS)

    def host(self, guest: QObject) -> None:
        """Let `guest` live in a background event loop until the end; it is deleted there.

        It brings along all of Qt that it needs. Qt takes its locks on connections to make an
        object, and with them goes to the interpreter when a widget is destroyed; made by Python
        elsewhere than in the UI thread, an object may wait for that widget, and it for Python.
        """
        if self._ears is None:
            self._ears = QThread(self)
            self._ears.setObjectName("ears")
            self._ears.start()
        guest.moveToThread(self._ears)
        self._ears.finished.connect(guest.deleteLater)

    def close(self, wait: float = 30.0) -> bool:
        """End all threads: writes are finished, reads given up. False if one would not end.

        Nobody hears of results any more.
        """
        until = time.monotonic() + wait
        self._closed = True
        self._frame.stop()
        if self._ears is not None:
            self._ears.quit()
            self._ears.wait(int(wait * 1000))
            self._ears = None
        self._reads.drop_waiting()
        written = self._writes.close(wait)
        return self._reads.close(min(2.0, max(until - time.monotonic(), 0.0))) and written

    def _put(
        self,
        lane: _Lane,
        owner: QObject,
        work: Callable[[], Any],
        then: Callable[[Any], None],
        failed: Callable[[Fault], None] | None,
        ticket: Ticket | None,
    ) -> Ticket:
        job = _Job(work, _weakly(then), _weakly(failed), weakref.ref(owner), ticket or Ticket())
        self._open += 1
        lane.put(job)
        return job.ticket

    def _land(self, landing: _Landing) -> None:
        with suppress(RuntimeError):  # the window is gone, and with it who would have listened
            self._landed.emit(landing)

    @Slot()
    def _frame_drawn(self) -> None:
        jobs, self._after_frame = self._after_frame, []
        for job in jobs:
            self._deliver(_Landing(job, None, None))

    @Slot(object)
    def _deliver(self, landing: _Landing) -> None:
        if self._closed:
            return
        self._open -= 1
        job = landing.job
        owner = job.owner()
        alive = owner is not None and shiboken6.isValid(owner)
        if landing.fault is not None:
            failed = job.failed() if alive else None
            if failed is not None:
                failed(landing.fault)
            self.fault_happened.emit(landing.fault)
        else:
            then = job.then()
            if alive and then is not None and not job.ticket.is_cancelled():
                then(landing.result)
        if not self._open:
            self.became_idle.emit()


def _nothing() -> None:
    """Be the work of a job that has none."""


def _weakly(callback: Callable[..., None] | None) -> Callable[[], Callable[..., None] | None]:
    """Hold a bound method without keeping its object alive; anything else as it is."""
    if callback is not None and hasattr(callback, "__self__"):
        return weakref.WeakMethod(callback)
    return lambda: callback
