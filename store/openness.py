"""What of a home lies open: files that other users of the machine can read, keys in plain text.

Looks at permissions and names only; no value leaves this module.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from store.files import Disk
from store.home import HermesHome
from store.refusals import ReadOnly

_KEYS = (
    ".env",
    "auth.json",
    "mem0.json",
    "supermemory.json",
    "honcho.json",
    "hindsight/config.json",
)
_NEVER = (".lock",)
"""A lock is empty."""


def open_files(home: HermesHome) -> tuple[Path, ...]:
    """The files with keys, memory or conversations that every user of this machine can read.

    Where one of the folders above lets no others in, none can. Always empty on Windows, whose
    permissions are of another kind.
    """
    if os.name == "nt":
        return ()
    return tuple(path for folder, names in _places(home) for path in _open_in(folder, names))


def make_private(home: HermesHome, paths: Iterable[Path]) -> ReadOnly | None:
    """Take from all but the owner what they may do with those of `paths` that lie open."""
    still = set(open_files(home))
    for path in paths:
        if path not in still:
            continue
        try:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o077)
        except OSError as error:
            return ReadOnly(str(path), error.strerror or str(error))
    return None


def plain_keys(home: HermesHome, *, disk: Disk) -> tuple[str, ...]:
    """The names of the keys that stand in plain text in the home's `.env`."""
    if not os.path.exists(home.path / ".env"):  # a folder that is closed to us has none
        return ()
    from store.dotenv import Dotenv, read_dotenv
    from store.secrets.finds import in_dotenv

    read = read_dotenv(home, disk=disk)
    found = in_dotenv(read) if isinstance(read, Dotenv) else ()
    return tuple(dict.fromkeys(one.name for one in found if not one.left))


def _places(home: HermesHome) -> Iterator[tuple[Path, Iterable[str] | None]]:
    """Folders, with the names in them that matter; None for all."""
    database = home.database.name
    yield home.path, (*_KEYS, home.config.name, database, f"{database}-wal")
    yield home.memories, None
    for subsystem in ("memory", "skills"):
        yield home.pending(subsystem), None


def _open_in(folder: Path, names: Iterable[str] | None) -> Iterator[Path]:
    try:
        if not all(one.stat().st_mode & stat.S_IXOTH for one in (folder, *folder.parents)):
            return
        for name in sorted(os.listdir(folder)) if names is None else names:
            path = folder / name
            if _is_open(path) and not name.endswith(_NEVER):
                yield path
    except OSError:
        return  # not there, or closed even to us


def _is_open(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & stat.S_IROTH)
