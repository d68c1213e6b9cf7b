"""Everything that works on one home, built once and handed to whoever needs it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from store.files import Disk
from store.home import HermesHome, HomeNotice, locate, profiles
from store.journal import Journal, JournalEntry, journal_path
from store.memory.library import MemoryLibrary
from store.pending.queue import PendingQueue
from store.preferences import data_dir
from store.refusals import REFUSALS, Refusal
from store.undo import Undo


@dataclass(frozen=True, slots=True)
class Desk:
    """One home with its parts. `notices` say what a person should know about the choice."""

    home: HermesHome
    notices: tuple[HomeNotice, ...]
    env: Mapping[str, str]
    disk: Disk
    journal: Journal
    library: MemoryLibrary
    queue: PendingQueue
    undo: Undo

    def recover(self) -> tuple[JournalEntry, ...]:
        """Finish what a crash left; before the first change of a window or a command."""
        return self.undo.recover()

    def profiles(self) -> tuple[HermesHome, ...]:
        """All profiles under the same root."""
        return profiles(self.home.root)

    def at(self, home: HermesHome) -> Desk:
        """The same desk on another profile."""
        return build_desk(home, env=self.env, disk=self.disk)

    def close(self) -> None:
        """Let go of the journal's file."""
        self.journal.close()


def open_desk(
    *,
    home: Path | None = None,
    profile: str | None = None,
    env: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
) -> Desk | Refusal:
    """The desk on the home that these options and this environment mean. Reads no memory."""
    located = locate(home=home, profile=profile, env=env, platform=platform)
    if isinstance(located, REFUSALS):
        return located
    return build_desk(located.home, notices=located.notices, env=env)


def build_desk(
    home: HermesHome,
    *,
    notices: tuple[HomeNotice, ...] = (),
    env: Mapping[str, str] = os.environ,
    disk: Disk | None = None,
    clock: Callable[[], float] = time.time,
) -> Desk:
    """Put the parts together for one home."""
    disk = disk or Disk()
    journal = Journal(journal_path(data_dir(env), home), clock=clock)
    library = MemoryLibrary(home, disk=disk, journal=journal, env=env, clock=clock)
    return Desk(
        home=home,
        notices=notices,
        env=env,
        disk=disk,
        journal=journal,
        library=library,
        queue=PendingQueue(home, library=library, disk=disk, journal=journal, clock=clock),
        undo=Undo(home, library=library, disk=disk, journal=journal),
    )
