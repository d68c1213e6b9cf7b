"""Everything that a page or a command does with skills, in one place.

Values go in and come out, so any thread may call; calls wait for each other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from store.files import Disk
from store.home import HermesHome
from store.refusals import Conflict, NotFound, Refusal, SkillInvalid, Unreadable
from store.settings import MemorySettings
from store.skills.cards import Collection, SkillCard, SkillDetail, SkillFile
from store.skills.collecting import MOST_BYTES, Heads, Progress, collect
from store.skills.curator import DryRun, dry_run, read_jobs, read_state
from store.skills.front_matter import read_front_matter
from store.skills.keeping import Keeper, Kept, Obstacles
from store.skills.layout import SKILL_FILE, escapes
from store.skills.library import SkillLibrary, is_on
from store.skills.offer import surroundings
from store.skills.problems import linked_in
from store.skills.scanning import Scans, ScanStep
from store.skills.walking import files_of

if TYPE_CHECKING:
    from store.journal import Journal


class SkillDesk:
    """The skills of one home. What files say is remembered for as long as they stay as they are."""

    def __init__(
        self,
        home: HermesHome,
        *,
        library: SkillLibrary,
        settings: Callable[[], MemorySettings],
        journal: Callable[[], Journal],
        disk: Disk,
        env: Mapping[str, str],
        clock: Callable[[], float],
    ) -> None:
        """Nothing is read before the first call."""
        self.home = home
        self.disk = disk
        self._settings = settings
        self._env = env
        self._clock = clock
        self._lock = threading.RLock()
        self._heads = Heads(disk)
        self._scans = Scans(disk)
        self._keeper = Keeper(
            home, library=library, look=self._look, journal=journal, disk=disk, clock=clock
        )

    def look(
        self,
        *,
        progress: Progress | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Collection | None:
        """All skills as they are now; None when nobody waits for it any more."""
        settings = self._settings()
        where = surroundings(
            disabled=settings.value("skills.disabled"),
            toolsets=settings.value("toolsets"),
            remembers=False,
            env=self._env,
        )
        with self._lock:
            return collect(
                self.home,
                settings,
                heads=self._heads,
                disk=self.disk,
                env=self._env,
                where=where,
                progress=progress,
                is_cancelled=is_cancelled,
            )

    def detail(self, card: SkillCard) -> SkillDetail | Unreadable | NotFound | Conflict:
        """One skill in full; refused where its SKILL.md is not there any more, or is no text."""
        from store.skills import guard
        from store.skills.draft import Draft

        path = card.folder / SKILL_FILE
        found = self.disk.read(path, at_most=MOST_BYTES)
        if isinstance(found, Unreadable):
            return found
        if found.data is None:
            return NotFound("skill", card.name)
        try:
            text = found.data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            return Unreadable(str(path), "utf-8", byte=error.start)
        body = read_front_matter(text).body
        scan = guard.scan(Draft(self.disk), card.folder)
        files = _files(card.folder, body)
        return SkillDetail(card, text, body, files, scan, self._is_guarded())

    def _is_guarded(self) -> bool:
        return is_on(self._settings().value("skills.guard_agent_created"))

    def obstacles(self, found: Collection) -> dict[Path, Obstacles]:
        """What stands in the way of archiving and of pinning each skill, by its folder."""
        return self._keeper.obstacles(found)

    def with_scans(self, found: Collection) -> Collection:
        """`found`, with what earlier scans found among the problems. Looks at nothing again."""
        guarded = self._is_guarded()
        with self._lock:
            return self._scans.added_to(found, guarded=guarded)

    def scan_some(
        self,
        folders: Sequence[Path],
        *,
        seconds: float,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> ScanStep:
        """Scan the skills in `folders` for about `seconds`; what is left comes back."""
        return self._scans.step(folders, seconds=seconds, is_cancelled=is_cancelled)

    def scanned(self, found: Collection) -> Collection:
        """`found`, with what the agent's scan finds in each skill among the problems."""
        self.scan_some([card.folder for card in found.skills], seconds=float("inf"))
        return self.with_scans(found)

    def text_of(
        self, folder: Path, path: str = SKILL_FILE
    ) -> str | Unreadable | NotFound | SkillInvalid:
        """A file of the skill in `folder` as text; `path` is below it and may not lead out."""
        place = folder / path
        if escapes(place, folder):
            return SkillInvalid("path_escapes", path)
        found = self.disk.read(place, at_most=MOST_BYTES)
        if isinstance(found, Unreadable):
            return found
        if found.data is None:
            return NotFound("file", path)
        try:
            return found.data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            return Unreadable(str(place), "utf-8", byte=error.start)

    def curator(self, found: Collection | None = None) -> DryRun:
        """What the curator would do next, and when; `found` is a look that is still good."""
        state, jobs = read_state(self.home, disk=self.disk), read_jobs(self.home, disk=self.disk)
        return dry_run(found or self._look(), state, jobs, now=self._clock())

    def pin(self, folder: Path, *, seen: str, wait: float = 10.0) -> Kept | Refusal:
        """Keep the curator away from a skill. `seen` is the name that the person saw."""
        with self._lock:
            return self._keeper.pin(folder, seen=seen, pinned=True, wait=wait)

    def unpin(self, folder: Path, *, seen: str, wait: float = 10.0) -> Kept | Refusal:
        """Let the curator age a skill again."""
        with self._lock:
            return self._keeper.pin(folder, seen=seen, pinned=False, wait=wait)

    def archive(self, folder: Path, *, seen: str, wait: float = 10.0) -> Kept | Refusal:
        """Move a skill to the archive."""
        with self._lock:
            return self._keeper.archive(folder, seen=seen, wait=wait)

    def restore(self, folder: Path, *, seen: str, wait: float = 10.0) -> Kept | Refusal:
        """Move exactly this folder of the archive back."""
        with self._lock:
            return self._keeper.restore(folder, seen=seen, wait=wait)

    def _look(self) -> Collection:
        found = self.look()
        if found is None:
            raise RuntimeError("nobody cancels this look")
        return found


def _files(folder: Path, body: str) -> tuple[SkillFile, ...]:
    """The files of a skill, and those that its text names and that are not there."""
    linked = linked_in(body)
    there = [path.as_posix() for path in files_of(folder)]
    found = [SkillFile(path, _size(folder / path), path in linked) for path in there]
    for path in linked:
        if path not in there:
            outside = escapes(folder / path, folder)
            found.append(SkillFile(path, None if outside else _size(folder / path), True))
    return tuple(found)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
