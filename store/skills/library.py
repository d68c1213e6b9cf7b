"""The skills of one home on its disk: read, planned for, and locked as the agent locks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import Locked, ReadOnly, Unreadable
from store.settings import MemorySettings
from store.skills.layout import SNAPSHOT_FILE, USAGE_FILE, Shelf, read_shelf

if TYPE_CHECKING:
    from store.skills.writing import SkillPlan

TRUE_WORDS = ("1", "true", "yes", "on")


class SkillLibrary:
    """All skills of one home. Nothing is kept between calls."""

    def __init__(
        self,
        home: HermesHome,
        *,
        disk: Disk,
        settings: Callable[[], MemorySettings],
        env: Mapping[str, str] = os.environ,
    ) -> None:
        """Nothing is read before the first call."""
        self.home = home
        self.disk = disk
        self._settings = settings
        self._env = env

    @property
    def usage_file(self) -> Path:
        """Where the agent counts; its lock is the only one that the agent has for skills."""
        return self.home.skills / USAGE_FILE

    def shelf(self) -> Shelf:
        """Every skill there is now, also in external folders."""
        external = self._settings().value("skills.external_dirs")
        return read_shelf(self.home, external, disk=self.disk, env=self._env)

    def plan(self, shelf: Shelf | None = None) -> SkillPlan:
        """A plan for writes, beginning with what is on disk now; for many, look only once."""
        # What only an undo needs of skills loads no comparing of texts.
        from store.skills.writing import SkillPlan

        usage: Content | Unreadable = self.disk.read(self.usage_file)
        guarded = is_on(self._settings().value("skills.guard_agent_created"))
        return SkillPlan(shelf or self.shelf(), usage, disk=self.disk, guarded=guarded)

    @contextmanager
    def locked(self, *, wait: float) -> Iterator[Locked | ReadOnly | None]:
        """Hold the agent's lock of its counts, or yield why not. `wait` in seconds."""
        with self.disk.locked(self.usage_file, wait=wait) as held:
            yield held

    def forget_snapshot(self) -> None:
        """Remove the agent's cache of the list of skills, as the agent does after a write."""
        found = self.disk.read(self.home.path / SNAPSHOT_FILE)
        if isinstance(found, Content) and found.data is not None:
            # The agent looks at the dates of the skills besides, so it does not depend on this.
            self.disk.remove(found)


def is_on(value: object) -> bool:
    """As the agent takes a switch."""
    return value.strip().lower() in TRUE_WORDS if isinstance(value, str) else bool(value)
