"""The one door to the disk: read, lock, replace atomically, back up, remove.

Nothing else in the project opens a file of Hermes for writing. What differs between systems
(line end, retries of a refused replace) is a parameter; every step passes the fault seam, so a
test can refuse, break or kill any of them.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from schema.frozen import frozen
from store import locks
from store.refusals import Conflict, Locked, ReadOnly, Unreadable

Step = Literal["read", "lock", "create", "write", "fsync", "replace", "copy", "remove"]
Fault = Callable[[Step, Path], None]
T = TypeVar("T")

try:
    # Python's own, as `random` takes its: hashlib would load all of OpenSSL, which costs a
    # window that needs one digest 4 MB and some milliseconds.
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,no-redef,unused-ignore]
    except ImportError:
        from hashlib import sha256

ABSENT = ""
"""The digest of a file that does not exist."""

TEMPORARY = (".desk_", ".tmp")
"""How the name of a temporary file begins and ends; a killed desk may leave one."""

_READ = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)  # never waits at a pipe
_MAKE = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)


def digest_of(data: bytes | None) -> str:
    """The SHA-256 of `data` in hexadecimal; `ABSENT` for None."""
    return ABSENT if data is None else sha256(data).hexdigest()


@frozen
class Content:
    """What one read saw: the bytes, or None if there was no file."""

    path: Path
    data: bytes | None

    @property
    def digest(self) -> str:
        """Names what was seen; a replacement hands it back."""
        return digest_of(self.data)


class Mark(NamedTuple):
    """By what a file is known to be still as it was, unless it was touched just now."""

    inode: int
    size: int
    modified: int
    changed: int

    @property
    def touched(self) -> float:
        """When its bytes, name or mode last changed, in UTC seconds."""
        return max(self.modified, self.changed) / 1e9


def mark_of(path: str, *, follow: bool = True) -> Mark | None:
    """The file's mark, None if it cannot be looked at."""
    try:
        found = os.stat(path) if follow else os.lstat(path)
    except OSError:
        return None
    return Mark(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def already() -> None:
    """Nothing has to be waited for."""


def _no_fault(step: Step, path: Path) -> None:
    """Let every step pass."""


@frozen
class Disk:
    """The rules of one system. `newline` is the agent's text mode: LF, on Windows CRLF."""

    newline: str = os.linesep
    replace_attempts: int = 5 if os.name == "nt" else 1
    fault: Fault = _no_fault

    def read(
        self, path: Path, *, follow: bool = True, at_most: int | None = None
    ) -> Content | Unreadable:
        """Read all of `path`. A missing file is `Content(data=None)`, a failed read is not.

        What is no ordinary file (a folder, a pipe, a device) is unreadable, and so are a link if
        it is not to be followed and a file of more than `at_most` bytes.
        """
        try:
            self.fault("read", path)
            data = _read_file(path, follow=follow, at_most=at_most)
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
        lock_path = _lock_path(path)
        try:
            self.fault("lock", lock_path)
            handle = _with_folder(lock_path, lambda: locks.acquire(lock_path, wait=wait))
        except OSError as error:
            yield ReadOnly(str(lock_path), _words(error))
            return
        if handle is None:
            yield Locked(str(lock_path), wait)
            return
        try:
            yield None
        finally:
            locks.release(handle)

    def replace(
        self,
        seen: Content,
        data: bytes,
        *,
        mode: int = 0o600,
        ready: Callable[[], None] = already,
    ) -> Conflict | ReadOnly | None:
        """Put `data` in place of what `seen` saw, whole or not at all.

        Follows a symlink to the real file; keeps an existing file's mode and owner; a new file
        gets `mode`. Never overwrites what was not read: the file must still be as it was seen.
        `ready` is called when `data` is on the disk beside the file and waits for what has to be
        there too before the file changes; if it raises OSError, the file stays.
        """
        now = self.read(seen.path)
        if isinstance(now, Unreadable):
            return ReadOnly(now.path, now.detail)
        if now.data != seen.data:
            return Conflict(str(seen.path))
        try:
            real = _real(seen.path)
            self.fault("create", real)
            temporary = self._write_beside(real, data, mode, linked=real is not seen.path)
            try:
                ready()
                self._swap(temporary, real, data, seen.data or b"")
            except BaseException:
                _discard(temporary)
                raise
        except OSError as error:
            return ReadOnly(str(seen.path), _words(error))
        return None

    def _write_beside(self, real: Path, data: bytes, mode: int, *, linked: bool) -> str:
        begin, end = TEMPORARY
        temporary = os.path.join(os.path.dirname(real), f"{begin}{os.urandom(6).hex()}{end}")
        # A missing folder is made, but not at the far end of a link: a disk that is not mounted
        # must not get a memory of its own.
        handle = (
            os.open(temporary, _MAKE, 0o600)
            if linked
            else _with_folder(real, lambda: os.open(temporary, _MAKE, 0o600))
        )
        try:
            try:
                self.fault("write", real)
                _write_all(handle, data)
                _take_mode_and_owner(handle, real, mode)
                self.fault("fsync", real)
                os.fsync(handle)
            finally:
                os.close(handle)
        except BaseException:
            _discard(temporary)
            raise
        return temporary

    def _swap(self, temporary: str, real: Path, data: bytes, before: bytes) -> None:
        for attempt in range(1, self.replace_attempts + 1):
            try:
                self.fault("replace", real)
                os.replace(temporary, real)
                return
            except OSError as error:
                if error.errno in (errno.EXDEV, errno.EBUSY):
                    # A file that is a mount point of its own cannot be renamed over; the agent
                    # rewrites it in place then, and so do we (hermes-formats §2.4).
                    self._rewrite(real, data, before)
                    _discard(temporary)
                    return
                # Windows refuses while another program has the file open; that passes.
                if attempt == self.replace_attempts or not isinstance(error, PermissionError):
                    raise
            time.sleep(0.05)

    def _rewrite(self, real: Path, data: bytes, before: bytes) -> None:
        self.fault("copy", real)
        with real.open("r+b", buffering=0) as stream:
            try:
                _write_all(stream.fileno(), data)
                stream.truncate()
                os.fsync(stream.fileno())
            except OSError:
                stream.seek(0)
                _write_all(stream.fileno(), before)
                stream.truncate()
                raise

    def create(self, path: Path, data: bytes, *, mode: int = 0o600) -> ReadOnly | None:
        """Write a new file; refuses if the name is taken."""
        return self._as_refusal(path, self.replace(Content(path, None), data, mode=mode))

    @staticmethod
    def _as_refusal(path: Path, result: Conflict | ReadOnly | None) -> ReadOnly | None:
        if isinstance(result, Conflict):
            return ReadOnly(str(path), os.strerror(errno.EEXIST))
        return result

    def remove(self, seen: Content) -> Conflict | ReadOnly | None:
        """Remove the file if it is still as it was seen; `Conflict` when it is not.

        Of a link, the real file goes and the link stays.
        """
        now = self.read(seen.path)
        if isinstance(now, Unreadable):
            return ReadOnly(now.path, now.detail)
        if now.data is None or now.data != seen.data:
            return Conflict(str(seen.path))
        try:
            self.fault("remove", seen.path)
            _real(seen.path).unlink()
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
            found = self.read(existing, at_most=len(data))
            if isinstance(found, Content) and found.data == data:
                return existing
        second = int(now)
        while os.path.lexists(path := seen.path.with_name(f"{seen.path.name}.bak.{second}")):
            second += 1
        failed = self.create(path, data, mode=_mode_of(seen.path, 0o600) & 0o600)
        return failed if failed is not None else path


def is_folder(path: Path) -> bool | Unreadable:
    """Whether there is a folder at `path`; unreadable where the system does not let us look."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        return Unreadable(str(path), _words(error))


def backups_of(path: Path) -> tuple[Path, ...]:
    """The `.bak.<digits>` files of `path`, oldest first."""
    try:
        names = os.listdir(path.parent)
    except OSError:
        return ()
    start = path.name + ".bak."
    ends = [name[len(start) :] for name in names if name.startswith(start)]
    numbers = sorted((end for end in ends if end.isascii() and end.isdigit()), key=int)
    return tuple(path.with_name(start + number) for number in numbers)


def make_folder(path: Path) -> None:
    """Make `path` and every folder above it that is missing, each open to its owner only."""
    try:
        path.mkdir(mode=0o700)
    except FileNotFoundError:
        make_folder(path.parent)
        make_folder(path)
    except FileExistsError:
        if not path.is_dir():
            raise


@lru_cache(maxsize=64)
def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _with_folder(path: Path, opened: Callable[[], T]) -> T:
    """What `opened` gives; its folder is made if that is what is missing."""
    try:
        return opened()
    except FileNotFoundError:
        make_folder(path.parent)
        return opened()


def _read_file(path: Path, *, follow: bool, at_most: int | None) -> bytes:
    handle = os.open(path, _READ if follow else _READ | getattr(os, "O_NOFOLLOW", 0))
    try:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not an ordinary file")
        if at_most is not None and found.st_size > at_most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        parts = []
        while part := os.read(handle, max(found.st_size, 1 << 16) + 1):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(handle)


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _real(path: Path) -> Path:
    """The file at the end of a link; `path` itself if it is none."""
    return Path(os.path.realpath(path)) if os.path.islink(path) else path


def _discard(temporary: str) -> None:
    with suppress(OSError):
        os.unlink(temporary)


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
        was = os.stat(real)
    except FileNotFoundError:
        os.fchmod(handle, mode)
        return
    mode, now = stat.S_IMODE(was.st_mode), os.fstat(handle)
    if (was.st_uid, was.st_gid) != (now.st_uid, now.st_gid):
        try:
            os.fchown(handle, was.st_uid, was.st_gid)
        except PermissionError:
            # Only root gives files away; the group may still be one of ours. If it is not, the
            # file must not open itself to another group.
            try:
                os.fchown(handle, -1, was.st_gid)
            except PermissionError:
                mode &= ~stat.S_IRWXG
    if mode != stat.S_IMODE(now.st_mode):
        os.fchmod(handle, mode)


def _words(error: OSError) -> str:
    return error.strerror or str(error)
