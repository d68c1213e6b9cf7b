"""Hermes' own lock of a file, as the system's kernel keeps it (hermes-formats §2.3).

The agent takes these locks with the same calls. Not `filelock`: that falls back to an existence
lock where the kernel has none, which means nothing to the agent, and takes longer than the write.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from pathlib import Path

POLL_SECONDS = 0.002
"""Hermes waits in a blocking flock; a slower poll starves beside it."""

_TAKEN = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def acquire(path: Path, *, wait: float) -> int | None:
    """Take the lock of the lock file `path`, made if missing; None after `wait` seconds.

    What is returned is for `release`. Raises OSError where the file cannot be opened or the
    system has no such lock; a link in its place is not followed.
    """
    end = time.monotonic() + wait
    while True:
        handle = _open(path)
        try:
            while not _try(handle):
                if time.monotonic() >= end:
                    os.close(handle)
                    return None
                time.sleep(POLL_SECONDS)
            # Whoever tidied the file away meanwhile left us alone with a lock that nobody sees.
            if os.fstat(handle).st_nlink:
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def release(handle: int) -> None:
    """Let go; the file stays."""
    try:
        _unlock(handle)
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags, 0o666)  # as the agent: what the umask leaves


def _try(handle: int) -> bool:
    try:
        _lock(handle)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True
