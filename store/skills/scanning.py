"""What the agent's scan finds in each skill, remembered for as long as its files stay as they are.

A scan takes long beside a look, so that a list is shown first, and this comes to it in steps.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from schema.frozen import frozen
from store.files import Disk, Mark, mark_of
from store.refusals import ScanHit
from store.skills.cards import Collection, SkillCard
from store.skills.problems import SkillProblem

Marks = tuple[tuple[str, Mark | None], ...]


@frozen
class ScanStep:
    """What a step of scanning left to do, and whether it found anything to be otherwise."""

    left: tuple[Path, ...]
    changed: bool


class Scans:
    """The hits by folder. Any thread may call."""

    def __init__(self, disk: Disk) -> None:
        """Nothing is read before the first call."""
        self._disk = disk
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[Marks, ScanHit | None]] = {}

    def step(
        self,
        folders: Sequence[Path],
        *,
        seconds: float,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> ScanStep:
        """Scan `folders` for about `seconds`, at least one of them."""
        until, changed = time.monotonic() + seconds, False
        for at, folder in enumerate(folders):
            if at and (is_cancelled() or time.monotonic() > until):
                return ScanStep(tuple(folders[at:]), changed)
            changed |= self._scan(folder)
        return ScanStep((), changed)

    def added_to(self, found: Collection, *, guarded: bool) -> Collection:
        """`found`, with what is known of its skills among their problems.

        `guarded`: the agent refuses to write what its scan calls dangerous.
        """
        with self._lock:
            there = {card.folder for card in found.skills}
            self._known = {one: known for one, known in self._known.items() if one in there}
            hits = {folder: hit for folder, (_, hit) in self._known.items() if hit is not None}
        if not hits:
            return found
        return replace(
            found,
            skills=tuple(
                card if (hit := hits.get(card.folder)) is None else _with_hit(card, hit, guarded)
                for card in found.skills
            ),
        )

    def _scan(self, folder: Path) -> bool:
        """Scan one skill if it is not as it was; whether something else was found than before."""
        from store.skills import guard
        from store.skills.draft import Draft

        marks = tuple(_marks(os.fspath(folder)))
        with self._lock:
            known = self._known.get(folder)
        if known is not None and known[0] == marks:
            return False
        hit = guard.scan(Draft(self._disk), folder)
        with self._lock:
            self._known[folder] = marks, hit
        return hit != (None if known is None else known[1])


def scan_problem(hit: ScanHit, *, guarded: bool) -> SkillProblem:
    """A hit of the scan as a problem of the skill."""
    return SkillProblem("scan", "bad" if guarded else "warn", (hit.file, *hit.ids))


def _with_hit(card: SkillCard, hit: ScanHit, guarded: bool) -> SkillCard:
    return replace(card, problems=(*card.problems, scan_problem(hit, guarded=guarded)))


def _marks(folder: str) -> Iterator[tuple[str, Mark | None]]:
    """The mark of every file below a folder; links to folders are not followed."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda one: one.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _marks(entry.path)
        else:
            yield entry.path, mark_of(entry.path)
