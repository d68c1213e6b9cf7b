"""The settings of one home, read again only when a file that they come from was touched.

To understand config.yaml takes longer than to change a memory, and both happen under the lock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping

from store.files import Disk, Mark, mark_of
from store.home import HermesHome
from store.managed import SYSTEM_FOLDER
from store.settings import MemorySettings, read_settings

_SYSTEM_FOLDER = str(SYSTEM_FOLDER)
SETTLED_SECONDS = 2.0
"""A file that was touched later than that may be touched again without showing it."""


class KeptSettings:
    """Answers with what is on disk now. Any thread may ask."""

    def __init__(self, home: HermesHome, *, disk: Disk, env: Mapping[str, str]) -> None:
        """Nothing is read before the first call."""
        self._home = home
        self._config = str(home.config)
        self._managed = str(home.path / ".managed")
        self._disk = disk
        self._env = env
        self._known: tuple[tuple[object, ...], MemorySettings] | None = None

    def read(self) -> MemorySettings:
        """The settings as they are on disk now."""
        marks, known = self._marks(), self._known
        seen = (*marks, self._env.get("HERMES_MANAGED"), self._env.get("HERMES_MANAGED_DIR"))
        if known is not None and known[0] == seen:
            return known[1]
        settings = read_settings(self._home, disk=self._disk, env=self._env)
        touched = max((mark.touched for mark in marks if mark is not None), default=0.0)
        if settings.problem is None and touched < time.time() - SETTLED_SECONDS:
            self._known = seen, settings
        return settings

    def _marks(self) -> tuple[Mark | None, ...]:
        managed = self._env.get("HERMES_MANAGED_DIR", "").strip() or _SYSTEM_FOLDER
        folder = mark_of(managed)
        values = None if folder is None else mark_of(os.path.join(managed, "config.yaml"))
        return mark_of(self._config), mark_of(self._managed), folder, values
