"""Everything that works on one home, built once and handed to whoever needs it."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from store.files import Disk
from store.home import HermesHome, HomeNotice, locate, profiles
from store.preferences import data_dir, load_preferences
from store.refusals import REFUSALS, Refusal

if TYPE_CHECKING:
    from store.history_forget import Forgotten
    from store.journal import Journal, JournalEntry
    from store.knowledge.desk import KnowledgeDesk
    from store.knowledge.indexing import ForgottenInNotes
    from store.memory.library import MemoryLibrary
    from store.pending.queue import PendingQueue
    from store.secrets.vault import Secrets
    from store.sessions.library import SessionLibrary
    from store.skills.desk import SkillDesk
    from store.skills.library import SkillLibrary
    from store.undo import Undo


class Desk:
    """One home with its parts. `notices` say what a person should know about the choice.

    Each is made, and its module loaded, when it is first asked for: a window must be there before
    anybody can want to undo.
    """

    def __init__(
        self,
        home: HermesHome,
        *,
        notices: tuple[HomeNotice, ...],
        env: Mapping[str, str],
        disk: Disk,
        clock: Callable[[], float],
    ) -> None:
        self.home = home
        self.notices = notices
        self.env = env
        self.disk = disk
        self._clock = clock
        self._library: MemoryLibrary | None = None
        self._making = threading.RLock()
        self._journal: Journal | None = None
        self._queue: PendingQueue | None = None
        self._skills: SkillLibrary | None = None
        self._skill_desk: SkillDesk | None = None
        self._sessions: SessionLibrary | None = None
        self._knowledge: KnowledgeDesk | None = None
        self._keys: Secrets | None = None
        self._undo: Undo | None = None

    @property
    def library(self) -> MemoryLibrary:
        """The memory of this home. Hermes waits for its keys, and they need none of it."""
        with self._making:
            if self._library is None:
                from store.memory.library import MemoryLibrary

                self._library = MemoryLibrary(
                    self.home,
                    disk=self.disk,
                    journal=lambda: self.journal,
                    env=self.env,
                    clock=self._clock,
                )
            return self._library

    @property
    def journal(self) -> Journal:
        """What the desk changed here."""
        # Two lanes of a window may ask at once, and there must be one journal.
        with self._making:
            if self._journal is None:
                from store.journal import Journal, journal_path

                path = journal_path(data_dir(self.env), self.home)
                self._journal = Journal(path, clock=self._clock)
            return self._journal

    @property
    def skills(self) -> SkillLibrary:
        """The skills of this home."""
        with self._making:
            if self._skills is None:
                from store.skills.library import SkillLibrary

                self._skills = SkillLibrary(
                    self.home, disk=self.disk, settings=self.library.settings, env=self.env
                )
            return self._skills

    @property
    def skill_desk(self) -> SkillDesk:
        """What a person sees of the skills and does with them; any lane may call."""
        with self._making:
            if self._skill_desk is None:
                from store.skills.desk import SkillDesk

                self._skill_desk = SkillDesk(
                    self.home,
                    library=self.skills,
                    settings=self.library.settings,
                    journal=lambda: self.journal,
                    disk=self.disk,
                    env=self.env,
                    clock=self._clock,
                )
            return self._skill_desk

    @property
    def queue(self) -> PendingQueue:
        """The writes that wait for approval."""
        with self._making:
            if self._queue is None:
                from store.pending.queue import PendingQueue

                self._queue = PendingQueue(
                    self.home,
                    library=self.library,
                    disk=self.disk,
                    skills=lambda: self.skills,
                    journal=lambda: self.journal,
                    clock=self._clock,
                )
            return self._queue

    @property
    def sessions(self) -> SessionLibrary:
        """All past conversations; nothing is open between two questions."""
        with self._making:
            if self._sessions is None:
                from store.sessions.library import SessionLibrary

                self._sessions = SessionLibrary(self.home.database)
            return self._sessions

    @property
    def knowledge(self) -> KnowledgeDesk:
        """The person's notes, and the index of them; any lane may call."""
        with self._making:
            if self._knowledge is None:
                from store.knowledge.desk import KnowledgeDesk

                self._knowledge = KnowledgeDesk(
                    self.home,
                    data_dir=data_dir(self.env),
                    library=self.library,
                    journal=lambda: self.journal,
                    disk=self.disk,
                    env=self.env,
                )
            return self._knowledge

    @property
    def keys(self) -> Secrets:
        """The keys of this home; the keyring is asked only when a value is used."""
        with self._making:
            if self._keys is None:
                from store.secrets.vault import Secrets

                self._keys = Secrets(
                    self.home,
                    disk=self.disk,
                    env=self.env,
                    journal=lambda: self.journal,
                    clock=self._clock,
                )
            return self._keys

    @property
    def undo(self) -> Undo:
        """The way back."""
        with self._making:
            if self._undo is None:
                from store.undo import Undo

                self._undo = Undo(
                    self.home,
                    library=self.library,
                    skills=self.skills,
                    disk=self.disk,
                    journal=self.journal,
                    env=self.env,
                )
            return self._undo

    def recover(self) -> tuple[JournalEntry, ...]:
        """Finish what a crash left; before the first change of a window or a command."""
        finished = self.undo.recover()
        if self.journal.path.exists():
            from store.history_forget import finish

            finish(self.library, self.journal, in_notes=self._forget_in_notes)
            self.look_back()
        return finished

    def look_back(self) -> tuple[int, ...]:
        """Note what others did to the memory files meanwhile; the journal's ids of it.

        The journal lets go of what is older, or more, than the person wants it to keep.
        """
        from store.history_outside import compare

        noted = compare(self.library, self.journal)
        chosen = load_preferences(env=self.env).preferences
        since = self._clock() - chosen.history_days * 86_400
        self.journal.prune(since=since, most=chosen.history_changes)
        return noted

    def forget(self, text: str, *, wait: float = 10.0) -> Forgotten | Refusal:
        """Forget an entry everywhere, for good."""
        from store.history_forget import forget

        in_notes = self._forget_in_notes
        return forget(self.library, self.journal, text, in_notes=in_notes, wait=wait)

    def _forget_in_notes(self, text: str) -> ForgottenInNotes | Refusal:
        return self.knowledge.forget(text)

    def profiles(self) -> tuple[HermesHome, ...]:
        """All profiles under the same root."""
        return profiles(self.home.root)

    def at(self, home: HermesHome) -> Desk:
        """The same desk on another profile."""
        return build_desk(home, env=self.env, disk=self.disk, clock=self._clock)

    def close(self) -> None:
        """Let go of the files of the journal and the conversations."""
        if self._journal is not None:
            self._journal.close()
        if self._sessions is not None:
            self._sessions.close()


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
    return Desk(home, notices=notices, env=env, disk=disk or Disk(), clock=clock)
