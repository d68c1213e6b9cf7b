"""The one door to the disk: read, lock, replace atomically, back up, remove.

Nothing else in the project opens a file of Hermes for writing. What differs between systems
(line end, retries of a refused replace) is a parameter; every step passes the fault seam, so a
test can refuse, break or kill any of them.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

from store.refusals import Conflict, Locked, ReadOnly, Unreadable

Step = Literal["read", "lock", "create", "write", "fsync", "replace", "copy", "remove"]
Fault = Callable[[Step, Path], None]

ABSENT = ""
"""The digest of a file that does not exist."""

LOCK_POLL_SECONDS = 0.002
"""Hermes waits in a blocking flock; a slower poll starves beside it (hermes-formats §2.3)."""


def digest_of(data: bytes | None) -> str:
    """The SHA-256 of `data` in hexadecimal; `ABSENT` for None."""
    return ABSENT if data is None else sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Content:
    """What one read saw: the bytes, or None if there was no file."""

    path: Path
    data: bytes | None

    @property
    def digest(self) -> str:
        """Names what was seen; a replacement hands it back."""
        return digest_of(self.data)


def _no_fault(step: Step, path: Path) -> None:
    """Let every step pass."""


@dataclass(frozen=True, slots=True)
class Disk:
    """The rules of one system. `newline` is the agent's text mode: LF, on Windows CRLF."""

    newline: str = os.linesep
    replace_attempts: int = 5 if os.name == "nt" else 1
    fault: Fault = _no_fault

    def read(self, path: Path) -> Content | Unreadable:
        """Read all of `path`. A missing file is `Content(data=None)`, a failed read is not."""
        try:
            self.fault("read", path)
            data = path.read_bytes()
        except FileNotFoundError:
            return Content(path, None)
        except OSError as error:
            return Unreadable(str(path), _words(error))
        return Content(path, data)

    @contextmanager
    def locked(self, path: Path, *, wait: float) -> Iterator[Locked | ReadOnly | None]:
        """Hold Hermes' own lock for `path` (its sibling `.lock`), or yield why not.

        A kernel lock, so a file left over by a crash means nothing. It is made if missing and
        never deleted (hermes-formats §2.3). `wait` in seconds.
        """
        # Who only reads never needs it, and it takes long to import.
        from filelock import FileLock, Timeout

        lock_path = path.with_name(path.name + ".lock")
        lock = FileLock(lock_path, poll_interval=LOCK_POLL_SECONDS, is_singleton=False)
        try:
            self.fault("lock", lock_path)
            lock_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if lock_path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(lock_path))
            lock.acquire(timeout=max(wait, 0))
        except Timeout:
            yield Locked(str(lock_path), wait)
            return
        except OSError as error:
            yield ReadOnly(str(lock_path), _words(error))
            return
        try:
            yield None
        finally:
            lock.release()

    def replace(
        self, seen: Content, data: bytes, *, mode: int = 0o600
    ) -> Conflict | ReadOnly | None:
        """Put `data` in place of what `seen` saw, whole or not at all.

        Follows a symlink to the real file; keeps an existing file's mode and owner; a new file
        gets `mode`. Never overwrites what was not read: the file must still be as it was seen.
        """
        now = self.read(seen.path)
        if isinstance(now, Unreadable):
            return ReadOnly(now.path, now.detail)
        if now.digest != seen.digest:
            return Conflict(str(seen.path))
        real = Path(os.path.realpath(seen.path))
        temporary = None
        try:
            self.fault("create", real)
            real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary = self._write_beside(real, data, mode)
            self._swap(temporary, real, data)
        except OSError as error:
            return ReadOnly(str(seen.path), _words(error))
        finally:
            if temporary is not None:
                with suppress(OSError):
                    temporary.unlink()
        return None

    def _write_beside(self, real: Path, data: bytes, mode: int) -> Path:
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=".desk_", suffix=".tmp")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as stream:
                self.fault("write", temporary)
                stream.write(data)
                stream.flush()
                _take_mode_and_owner(stream.fileno(), real, mode)
                self.fault("fsync", temporary)
                os.fsync(stream.fileno())
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        return temporary

    def _swap(self, temporary: Path, real: Path, data: bytes) -> None:
        for attempt in range(1, self.replace_attempts + 1):
            try:
                self.fault("replace", real)
                os.replace(temporary, real)
                return
            except OSError as error:
                if error.errno in (errno.EXDEV, errno.EBUSY):
                    # A file that is a mount point of its own cannot be renamed over; the agent
                    # rewrites it in place then, and so do we (hermes-formats §2.4).
                    self._rewrite(real, data)
                    return
                # Windows refuses while another program has the file open; that passes.
                if attempt == self.replace_attempts or not isinstance(error, PermissionError):
                    raise
            time.sleep(0.05)

    def _rewrite(self, real: Path, data: bytes) -> None:
        self.fault("copy", real)
        with real.open("r+b") as stream:
            stream.write(data)
            stream.truncate()
            stream.flush()
            os.fsync(stream.fileno())

    def create(self, path: Path, data: bytes, *, mode: int = 0o600) -> ReadOnly | None:
        """Write a new file; refuses if the name is taken, so nothing is ever overwritten."""
        return self._as_refusal(path, self.replace(Content(path, None), data, mode=mode))

    @staticmethod
    def _as_refusal(path: Path, result: Conflict | ReadOnly | None) -> ReadOnly | None:
        if isinstance(result, Conflict):
            return ReadOnly(str(path), os.strerror(errno.EEXIST))
        return result

    def remove(self, seen: Content) -> Conflict | ReadOnly | None:
        """Remove the file if it is still as it was seen; `Conflict` when it is not."""
        now = self.read(seen.path)
        if isinstance(now, Unreadable):
            return ReadOnly(now.path, now.detail)
        if now.data is None or now.digest != seen.digest:
            return Conflict(str(seen.path))
        try:
            self.fault("remove", seen.path)
            seen.path.unlink()
        except FileNotFoundError:
            return Conflict(str(seen.path))
        except OSError as error:
            return ReadOnly(str(seen.path), _words(error))
        return None

    def back_up(self, seen: Content, *, now: float) -> Path | ReadOnly:
        """Copy what was seen, as bytes, to `<name>.bak.<unix seconds>` beside it.

        A backup with the same bytes is reused; a name taken by others moves to the next free
        second. The copy is never looser than the original.
        """
        data = seen.data or b""
        for existing in backups_of(seen.path):
            found = self.read(existing)
            if isinstance(found, Content) and found.data == data:
                return existing
        second = int(now)
        while (path := seen.path.with_name(f"{seen.path.name}.bak.{second}")).exists():
            second += 1
        failed = self.create(path, data, mode=_mode_of(seen.path, 0o600) & 0o600)
        return failed if failed is not None else path


def backups_of(path: Path) -> tuple[Path, ...]:
    """The `.bak.<digits>` files of `path`, oldest first."""
    try:
        names = [name for name in os.listdir(path.parent) if name.startswith(path.name + ".bak.")]
    except OSError:
        return ()
    numbered = [name for name in names if name.rpartition(".")[2].isdigit()]
    return tuple(
        path.with_name(name) for name in sorted(numbered, key=lambda n: int(n.rpartition(".")[2]))
    )


def _mode_of(path: Path, default: int) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return default


def _take_mode_and_owner(handle: int, real: Path, mode: int) -> None:
    """Give the open temporary file the mode and owner of the file it will replace."""
    if os.name == "nt":
        return
    try:
        was = real.stat()
    except FileNotFoundError:
        os.fchmod(handle, mode)
        return
    is_ = os.fstat(handle)
    if (was.st_uid, was.st_gid) != (is_.st_uid, is_.st_gid):
        with suppress(PermissionError):
            os.fchown(handle, was.st_uid, was.st_gid)
    os.fchmod(handle, stat.S_IMODE(was.st_mode))


def _words(error: OSError) -> str:
    return error.strerror or str(error)
