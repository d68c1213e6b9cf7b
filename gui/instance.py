"""One desk per person and data folder: who is the first, and what a second start asks of it.

The first holds a kernel lock for as long as it runs, so that a crash leaves nothing to clean up;
a second start finds it taken and hands its wish to a local socket beside it. No Qt here: this is
asked before Qt is loaded, and the socket is served by `gui/joining.py` after the first frame.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from schema.frozen import frozen
from store import locks
from store.files import digest_of
from store.preferences import APP, data_dir

if TYPE_CHECKING:
    import socket

WAIT_SECONDS = 10.0
"""How long a second start waits for the first to answer: it may just be starting."""
POLL_SECONDS = 0.02
MOST_BYTES = 64_000
LONGEST_ADDRESS = 100
"""Bytes; the address of a socket may have 107 on Linux and 103 on macOS."""
TAKEN = b"ok\n"


@frozen
class Wish:
    """What a second start wants of the first; all of it may be empty.

    `home` and `profile` are what the command line says, `surroundings` is its HERMES_HOME. `token`
    is the leave of the desktop to come to the front.
    """

    home: str = ""
    profile: str = ""
    page: str = ""
    surroundings: str = ""
    token: str = ""


class Answer(Enum):
    """How a start that is not the first ended."""

    JOINED = "joined"
    """The first has the wish."""
    SILENT = "silent"
    """There is a first, but it does not answer."""


JOINED: Final = Answer.JOINED
SILENT: Final = Answer.SILENT


class First:
    """The right to be the first, until `close` or the end of the process."""

    def __init__(self, lock: int, address: str) -> None:
        self._lock: int | None = lock
        self.address = address
        """Where the wishes of others are waited for."""

    def close(self) -> None:
        """Let the next one be the first."""
        if self._lock is not None:
            with suppress(OSError):
                os.unlink(self.address)
            lock, self._lock = self._lock, None
            locks.release(lock)


def wish_of(
    env: Mapping[str, str], *, home: str | None, profile: str | None, page: str | None
) -> Wish:
    """Put into words that hold in another process what this command line asks for."""
    inherited = env.get("HERMES_HOME", "").strip()
    return Wish(
        home=os.path.abspath(home) if home else "",
        profile=profile or "",
        page=page or "",
        surroundings=os.path.abspath(inherited) if inherited else "",
        token=env.get("XDG_ACTIVATION_TOKEN") or env.get("DESKTOP_STARTUP_ID") or "",
    )


def join(
    env: Mapping[str, str], wish: Wish | None, *, wait: float = WAIT_SECONDS
) -> First | Answer | None:
    """Become the first, or tell the first of `wish`, if any; None where neither is possible."""
    stem = _stem(env)
    if stem is None:
        return None
    end = time.monotonic() + wait
    while True:
        try:
            lock = locks.acquire(Path(f"{stem}.lock"), wait=0)
        except OSError:
            return None
        address = f"{stem}.socket"
        if lock is not None:
            return First(lock, address)
        if wish is None or _told(address, wish, end):
            return JOINED
        if time.monotonic() >= end:
            return SILENT
        time.sleep(POLL_SECONDS)


def listen(address: str) -> socket.socket | None:
    """Wait for wishes at `address`, which only its owner can reach; None if that cannot be.

    To be called by the first alone: what is there is left over from one that crashed.
    """
    import socket

    with suppress(OSError):
        os.unlink(address)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.bind(address)
        os.chmod(address, 0o600)
        server.listen(8)
    except OSError:
        server.close()
        return None
    server.setblocking(False)
    return server


def read_wish(line: bytes) -> Wish | None:
    """Understand what a second start sent; None if it is none."""
    import json

    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    known = {name: given[name] for name in Wish.__match_args__ if isinstance(given.get(name), str)}
    return Wish(**known)


def _told(address: str, wish: Wish, end: float) -> bool:
    import json
    import socket

    words = {name: getattr(wish, name) for name in Wish.__match_args__}
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(max(end - time.monotonic(), POLL_SECONDS))
        try:
            line.connect(address)
            line.sendall(json.dumps(words).encode() + b"\n")
            return line.recv(len(TAKEN)) == TAKEN
        except OSError:  # it is about to begin, or to end
            return False


def _stem(env: Mapping[str, str]) -> str | None:
    """Where lock and socket are, without their endings; their folder is the person's alone."""
    if not hasattr(os, "getuid"):
        return None
    named = env.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(named) and os.path.isdir(named):
        folder = os.path.join(named, APP)
    else:
        folder = os.path.join(env.get("TMPDIR") or "/tmp", f"{APP}-{os.getuid()}")  # noqa: S108 - see _is_private
    with suppress(OSError):
        os.mkdir(folder, 0o700)
    data = os.path.realpath(data_dir(env)).encode("utf-8", "surrogateescape")
    stem = os.path.join(folder, digest_of(data)[:12])
    short = len(os.fsencode(f"{stem}.socket")) <= LONGEST_ADDRESS
    return stem if short and _is_private(folder) else None


def _is_private(folder: str) -> bool:
    """Whether it is a folder, no link, of this person, and closed to all others."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and not stat.S_IMODE(found.st_mode) & 0o077
    )
