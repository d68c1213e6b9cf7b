"""Which files below a folder the agent takes for skills, as its index finds them.

The index follows links, where the agent's tools and its curator do not. A link that leads back to
a folder above it is not followed here: the agent would list the same skills forty times over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from schema.frozen import frozen
from store.skills.layout import EXCLUDED, SKILL_FILE, SUPPORT

DESCRIPTION_FILE = "DESCRIPTION.md"
ARCHIVE = ".archive"
MOST_FOLDERS = 100_000
"""Folders beyond this are not looked into: links can lead to more than there are."""


@frozen
class Walk:
    """What was found below a root, in the agent's order.

    `skills` are folders with a SKILL.md, each with whether a link led there; `described` are the
    folders with a DESCRIPTION.md; `closed` those that could not be looked into. `complete` is
    False where there was too much.
    """

    skills: tuple[tuple[Path, bool], ...] = ()
    described: tuple[Path, ...] = ()
    closed: tuple[Path, ...] = ()
    complete: bool = True


def walk(root: Path, *, follow: bool = True, excluded: frozenset[str] = EXCLUDED) -> Walk:
    """Look through all folders below `root`, itself included."""
    skills: list[tuple[str, str, bool]] = []
    described: list[str] = []
    closed: list[str] = []
    waiting: list[tuple[str, bool]] = [(os.fspath(root), False)]
    count = 0
    while waiting and count < MOST_FOLDERS:
        folder, linked = waiting.pop()
        count += 1
        try:
            with os.scandir(folder) as entries:
                folders, files = _sorted_out(entries, folder, follow=follow)
        except FileNotFoundError:
            continue
        except OSError:
            closed.append(folder)
            continue
        has_skill = SKILL_FILE in files
        if has_skill:
            skills.append((os.path.join(folder, SKILL_FILE), folder, linked))
        if DESCRIPTION_FILE in files:
            described.append(os.path.join(folder, DESCRIPTION_FILE))
        for name, is_link in folders.items():
            if name not in excluded and not (has_skill and name in SUPPORT):
                waiting.append((os.path.join(folder, name), linked or is_link))
    return Walk(
        tuple((Path(folder), linked) for _, folder, linked in sorted(skills)),
        tuple(Path(path).parent for path in sorted(described)),
        tuple(map(Path, sorted(closed))),
        not waiting,
    )


def archived_in(skills: Path) -> tuple[Path, ...]:
    """The folders with a skill in the archive; the newest copies of one name last."""
    found = walk(skills / ARCHIVE, follow=False, excluded=EXCLUDED - {ARCHIVE})
    return tuple(folder for folder, _ in found.skills)


def files_of(folder: Path, *, most: int = 2_000) -> Iterator[Path]:
    """Every file of a skill but its SKILL.md, relative to its folder; links are not followed."""
    count = 0
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = Path(place, name).relative_to(folder)
            if path != Path(SKILL_FILE):
                count += 1
                if count > most:
                    return
                yield path


def _sorted_out(
    entries: Iterator[os.DirEntry[str]], folder: str, *, follow: bool
) -> tuple[dict[str, bool], set[str]]:
    """Folders, each with whether it is a link, and the names of all else."""
    folders: dict[str, bool] = {}
    files: set[str] = set()
    here: Callable[[], str] = _once(folder)
    for entry in entries:
        is_link = entry.is_symlink()
        if not _is_folder(entry):
            files.add(entry.name)
        elif not is_link:
            folders[entry.name] = False
        elif follow:
            real = os.path.realpath(entry.path)
            if not os.path.join(here(), "").startswith(os.path.join(real, "")):
                folders[entry.name] = True
    return folders, files


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _once(folder: str) -> Callable[[], str]:
    known: list[str] = []

    def real() -> str:
        if not known:
            known.append(os.path.realpath(folder))
        return known[0]

    return real
