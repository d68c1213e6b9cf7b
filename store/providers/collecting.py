"""The files of a plugin, as texts and as one digest: bounded, and nothing of them is run.

A plugin's folder is other people's: it may hold a million files, a pipe, a device, a link to
itself or to the rest of the disk. Only ordinary files that lie inside it are opened.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from schema.frozen import frozen
from schema.reading.source import SourceTree

FIRST_CHARS = 8192
"""So much of an `__init__.py` Hermes looks at to tell a memory provider (hermes-formats §6.1)."""

_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_LEFT_OUT = ("__pycache__", ".git", ".hg", ".svn", "node_modules", ".venv", "venv", ".tox")
_FIRST = ("config_schema.py", "__init__.py", "plugin.yaml")
_TEXTS = (".py", ".yaml", ".yml", ".json")


@frozen
class Bounds:
    """How much of a folder is looked at: entries, files, levels, and bytes of one file and all."""

    entries: int = 20_000
    files: int = 200
    levels: int = 8
    file_bytes: int = 512 << 10
    all_bytes: int = 8 << 20


def head(path: Path, limit: int) -> bytes | str:
    """The first `limit` bytes of an ordinary file, or in a few words why they cannot be had."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return "not an ordinary file"
        handle = os.open(path, _OPEN)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return "not an ordinary file"
            parts: list[bytes] = []
            left = limit
            while left > 0 and (part := os.read(handle, left)):
                parts.append(part)
                left -= len(part)
            return b"".join(parts)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)


def looks_like_provider(folder: Path) -> bool | str:
    """Whether Hermes would take the folder for a provider's; in words why that is unknown."""
    beginning = head(folder / "__init__.py", FIRST_CHARS * 4)
    if isinstance(beginning, str):
        return beginning if os.path.lexists(folder / "__init__.py") else False
    text = beginning.decode("utf-8", "replace")[:FIRST_CHARS]
    return "register_memory_provider" in text or "MemoryProvider" in text


def collect(folder: Path, *, bounds: Bounds | None = None, package: str = "") -> SourceTree:
    """The texts below `folder`, nearest first; what was left out is named with the reason."""
    bounds = bounds or Bounds()
    files: dict[str, str] = {}
    skipped: dict[str, str] = {}
    left = bounds.all_bytes
    for name, path, problem in _walk(folder, bounds):
        if not name.endswith(_TEXTS):
            continue
        if not problem and len(files) >= bounds.files:
            problem = f"more than {bounds.files} files"
        data = problem or head(path, min(bounds.file_bytes, left) + 1)
        if isinstance(data, bytes) and len(data) > min(bounds.file_bytes, left):
            data = "too large"
        if isinstance(data, str):
            skipped[name] = data
            if len(skipped) >= bounds.files:
                break
            continue
        left -= len(data)
        try:
            files[name] = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            skipped[name] = "not UTF-8"
    return SourceTree(files, skipped, package or folder.name)


def digest_of(folder: Path, *, bounds: Bounds | None = None) -> str:
    """Names the code that lies in `folder`, or the one file that it is.

    Every ordinary file counts with its bytes; of what is beyond the bounds its size and time.
    """
    from hashlib import sha256

    bounds = bounds or Bounds(files=5_000, file_bytes=16 << 20, all_bytes=64 << 20)
    found = sha256()
    left = bounds.all_bytes
    if not os.path.isdir(folder):
        data = head(folder, bounds.all_bytes)
        return sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()
    for count, (name, path, problem) in enumerate(_walk(folder, bounds)):
        found.update(f"{len(name)}:{name}\0{problem}\0".encode("utf-8", "surrogateescape"))
        if problem:
            continue
        data = "beyond" if count >= bounds.files else head(path, min(bounds.file_bytes, left) + 1)
        if isinstance(data, bytes) and len(data) <= min(bounds.file_bytes, left):
            left -= len(data)
            found.update(sha256(data).digest())
        else:
            with suppress(OSError):
                about = os.stat(path)
                found.update(f"{about.st_size} {about.st_mtime_ns}".encode())
    return found.hexdigest()


def _walk(folder: Path, bounds: Bounds) -> Iterator[tuple[str, Path, str]]:
    """Each file below `folder` by relative name, nearest first, and why it is not to be opened."""
    root = os.path.realpath(folder)
    waiting = deque([("", folder, 1)])
    seen = 0
    while waiting:
        prefix, here, level = waiting.popleft()
        for entry in _entries(here, bounds.entries - seen):
            seen += 1
            name = prefix + entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in _LEFT_OUT and level < bounds.levels:
                        waiting.append((name + "/", here / entry.name, level + 1))
                    continue
            except OSError:
                continue
            yield name, here / entry.name, _why_not(entry, root)
        if seen >= bounds.entries:
            return


def _entries(folder: Path, limit: int) -> list[os.DirEntry[str]]:
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(folder) as listing:
            for entry in listing:
                if len(found) >= limit:
                    break
                found.append(entry)
    except OSError:
        return []
    first = {name: number for number, name in enumerate(_FIRST)}
    return sorted(found, key=lambda entry: (first.get(entry.name, len(first)), entry.name))


def _why_not(entry: os.DirEntry[str], root: str) -> str:
    try:
        if entry.is_symlink():
            real = os.path.realpath(entry.path)
            if os.path.commonpath([root, real]) != root:
                return "a link that leads out of the folder"
        if not stat.S_ISREG(entry.stat().st_mode):
            return "not an ordinary file"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return ""
