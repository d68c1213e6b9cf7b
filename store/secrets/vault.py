"""The keys of one home: set, cleared, listed, given out. The keyring is asked only for values.

Every change keeps the index in step, so that a crash leaves a name too many in it rather than a
key in the keyring that nobody knows of.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from string import whitespace
from typing import TYPE_CHECKING, TypeVar

from schema.frozen import frozen
from store.changes import Intent
from store.dotenv import read_dotenv
from store.dotenv_edit import name_refusal, value_refusal, with_value, without
from store.files import Content, Disk
from store.home import HermesHome
from store.managed import managing_system
from store.preferences import data_dir
from store.refusals import (
    REFUSALS,
    Empty,
    Invalid,
    KeyringTrouble,
    Locked,
    Managed,
    NotFound,
    ReadOnly,
    Refusal,
    Unreadable,
)
from store.secrets.finds import Find, Finds, find_keys
from store.secrets.index import (
    Index,
    Kept,
    Stray,
    index_path,
    read_index,
    service_of,
    stray_keys,
    write_index,
)
from store.secrets.ring import TROUBLES, Keyring
from store.secrets.states import Absent, Backend, Read, Secret

if TYPE_CHECKING:
    from store.journal import Journal

T = TypeVar("T")

_AROUND = whitespace + "\u00a0\u200b\u200c\u200d\u2060\u3000\ufeff"


@frozen
class KeySet:
    """The keyring has the value now, and was seen to give it back. `twins` are plain copies."""

    name: str
    twins: tuple[Find, ...] = ()


@frozen
class KeyCleared:
    """The keyring has nothing under this name. `was_there`: it had. `twins` are plain copies."""

    name: str
    was_there: bool
    twins: tuple[Find, ...] = ()


@frozen
class KeyList:
    """All keys of a home by name. `kept` is what the index says; `finds` lie open.

    `index_problem` is set when it is not known what the keyring holds.
    """

    kept: tuple[Kept, ...]
    finds: Finds
    index_problem: Refusal | None = None

    @property
    def interrupted(self) -> tuple[str, ...]:
        """Names whose move to the keyring did not come to its end."""
        return tuple(one.name for one in self.kept if one.moving)


@frozen
class Given:
    """What the keyring gave for every name in the index. `missing`: it has nothing under those."""

    values: Mapping[str, Secret]
    missing: tuple[str, ...] = ()
    troubles: Mapping[str, KeyringTrouble] | None = None


@frozen
class Cleaned:
    """A value as it was pasted, without what cannot belong to it. `trimmed` tells that some did."""

    secret: Secret
    trimmed: bool


def cleaned(pasted: str) -> Cleaned:
    """Take blanks, line ends and invisible characters from both ends of a pasted value."""
    value = pasted.strip(_AROUND)
    return Cleaned(Secret(value), value != pasted)


class Secrets:
    """The keys of one home. Slow calls (all but `names`) belong on a background lane."""

    def __init__(
        self,
        home: HermesHome,
        *,
        disk: Disk,
        env: Mapping[str, str] = os.environ,
        keyring: Keyring | None = None,
        journal: Callable[[], Journal] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Nothing is read before the first call, and the keyring not before a value is used."""
        self.home = home
        self.disk = disk
        self.env = env
        self.keyring = keyring or Keyring()
        self.service = service_of(home)
        self.index_file = index_path(data_dir(env), home)
        self.clock = clock
        self._journal = journal

    # -- without the keyring -----------------------------------------------------------------

    def names(self) -> Index | Refusal:
        """Which keys are in the keyring, as the index knows. Quick; asks no keyring."""
        return read_index(self.index_file, disk=self.disk)

    def listing(self) -> KeyList:
        """Every key of the home, wherever it is. Asks no keyring."""
        index = self.names()
        finds = find_keys(self.home, disk=self.disk, env=self.env)
        if isinstance(index, REFUSALS):
            return KeyList((), finds, index)
        return KeyList(index.names, finds)

    def finds(self, name: str) -> tuple[Find, ...]:
        """Where the key `name` lies open, the inherited environment aside."""
        found = find_keys(self.home, disk=self.disk, env=self.env).found
        return tuple(one for one in found if one.name == name and one.where != "environment")

    # -- the keyring -------------------------------------------------------------------------

    def backend(self) -> Backend | KeyringTrouble:
        """Which keyring there is. No item is read."""
        return self.keyring.backend()

    def set(
        self, name: str, secret: Secret, *, may_ask: bool = False, wait: float = 10.0
    ) -> KeySet | Refusal:
        """Keep `secret` under `name` in the keyring. Never in a file: a refusal changes nothing."""
        refused = _refused(name, secret)
        if refused is not None:
            return refused
        return self.noted("set_key", name, lambda: self._set(name, secret, may_ask, wait))

    def _set(self, name: str, secret: Secret, may_ask: bool, wait: float) -> KeySet | Refusal:
        with self.changing(wait=wait) as index:
            if not isinstance(index, Index):
                return index
            before = index.get(name)
            index = self.put(index, index.having(Kept(name, self.clock())))
            if not isinstance(index, Index):
                return index
            trouble = self.keyring.write(self.service, name, secret, may_ask=may_ask)
            if trouble is not None:
                self.put(index, index.without(name) if before is None else index.having(before))
                return trouble
        return KeySet(name, self.finds(name))

    def clear(
        self, name: str, *, may_ask: bool = False, wait: float = 10.0
    ) -> KeyCleared | Refusal:
        """Remove the key from the keyring; plain copies stay, and are named."""
        return self.noted("clear_key", name, lambda: self._clear(name, may_ask, wait))

    def _clear(self, name: str, may_ask: bool, wait: float) -> KeyCleared | Refusal:
        with self.changing(wait=wait) as index:
            if not isinstance(index, Index):
                return index
            if index.get(name) is None and name_refusal(name) is not None:
                return NotFound("secret", name)
            done = self.keyring.delete(self.service, name, may_ask=may_ask)
            if isinstance(done, TROUBLES):
                return done
            if isinstance(done, Absent) and index.get(name) is None:
                return NotFound("secret", name)
            put = self.put(index, index.without(name))
            if not isinstance(put, Index):
                return put
        return KeyCleared(name, not isinstance(done, Absent), self.finds(name))

    def read(self, name: str, *, may_ask: bool = False) -> Read:
        """One value. `Absent` is the only answer that means that there is none."""
        return self.keyring.read(self.service, name, may_ask=may_ask)

    def give(self, *, may_ask: bool = False) -> Given | Refusal:
        """The values of every name in the index: for an environment or an export."""
        index = self.names()
        if not isinstance(index, Index):
            return index
        if not index.names:
            return Given({})
        wanted = tuple(one.name for one in index.names)
        found = self.keyring.read_all(self.service, wanted, may_ask=may_ask)
        if isinstance(found, TROUBLES):
            return found
        values, missing, troubles = {}, [], {}
        for name, read in found.items():
            if isinstance(read, Absent):
                missing.append(name)
            elif isinstance(read, TROUBLES):
                troubles[name] = read
            else:
                values[name] = read.secret
        return Given(values, tuple(missing), troubles)

    def strays(self) -> tuple[Stray, ...]:
        """Keys of homes that are gone, to be linked to this one if it is one of them."""
        return stray_keys(data_dir(self.env), self.home, disk=self.disk)

    def link(
        self, stray: Stray, *, may_ask: bool = False, wait: float = 10.0
    ) -> tuple[str, ...] | Refusal:
        """Take over the keys of a home that was moved; the names that this home has now.

        What this home has already stays, and so does an old key that is another one.
        """
        names = tuple(one.name for one in stray.index.names)
        found = self.keyring.read_all(stray.service, names, may_ask=may_ask)
        if isinstance(found, TROUBLES):
            return found
        index = self.names()
        if not isinstance(index, Index):
            return index
        taken, others = [], []
        for name, read in found.items():
            if isinstance(read, TROUBLES):
                return read
            if isinstance(read, Absent):
                continue
            if index.get(name) is not None:
                if self.read(name, may_ask=may_ask) != read:
                    others.append(name)
                continue
            done = self.set(name, read.secret, may_ask=may_ask, wait=wait)
            if not isinstance(done, KeySet):
                return done
            taken.append(name)
        for name in names:
            if name not in others:
                gone = self.keyring.delete(stray.service, name, may_ask=may_ask)
                if isinstance(gone, TROUBLES):
                    return gone
        if others:
            return tuple(taken)
        seen = self.disk.read(stray.path)
        refused = self.disk.remove(seen) if isinstance(seen, Content) else seen
        return tuple(taken) if refused is None else refused

    # -- .env, where the person chooses it ---------------------------------------------------

    def set_in_dotenv(self, name: str, secret: Secret, *, wait: float = 10.0) -> bool | Refusal:
        """Write one line of the home's `.env`; whether it changed. Only ever by a person's wish."""
        refused = _refused(name, secret)
        if refused is not None:
            return refused
        return self.noted("set_key", name, lambda: self._edit_dotenv(name, secret, wait=wait))

    def clear_in_dotenv(self, name: str, *, wait: float = 10.0) -> bool | Refusal:
        """Remove the line of `name` from the home's `.env`; whether it changed."""
        return self.noted("clear_key", name, lambda: self._edit_dotenv(name, None, wait=wait))

    def _edit_dotenv(self, name: str, secret: Secret | None, *, wait: float) -> bool | Refusal:
        if (managed := self.managed()) is not None:
            return managed
        with self.changing(wait=wait) as index:
            if not isinstance(index, Index):
                return index
            file = read_dotenv(self.home, disk=self.disk)
            if isinstance(file, Unreadable):
                return file
            after = (
                without(file, name)
                if secret is None
                else with_value(file, name, secret.reveal(), newline=self.disk.newline)
            )
            if not isinstance(after, bytes):
                return after
            if after == (file.content.data or b""):
                return False
            return self.disk.replace(file.content, after) or True

    def managed(self) -> Managed | None:
        """Whether somebody else manages the whole installation, so that nothing is written."""
        system = managing_system(self.home, self.env)
        return None if system is None else Managed(system)

    def tighten(self, path: Path) -> int | Refusal:
        """Take what group and others may do with a file of keys away; the mode that it has now."""
        known = {self.home.path / ".env", self.home.config}
        known |= {Path(one.path) for one in self.listing().finds.found if one.path}
        if path not in known:
            return NotFound("file", str(path))
        try:
            mode = stat.S_IMODE(path.stat().st_mode) & ~0o077
            path.chmod(mode)
        except OSError as error:
            return ReadOnly(str(path), error.strerror or str(error))
        return mode

    # -- the journal and the index ------------------------------------------------------------

    def noted(self, action: str, name: str, act: Callable[[], T]) -> T | ReadOnly | Locked:
        """Do `act`, with an intent in the journal before: the key's name, and never its value."""
        if self._journal is None:
            return act()
        from store.journal import KEYS

        journal = self._journal()
        begun = journal.begin(Intent("desk", action, KEYS, come=(name,)), ())
        if not isinstance(begun, int):
            return begun
        done = act()
        declined = isinstance(done, (str, *REFUSALS))
        journal.finish(begun, "abandoned" if declined else "done")
        return done

    @contextmanager
    def changing(self, *, wait: float) -> Iterator[Index | Refusal]:
        """Hold the index for a change; what it says now."""
        with self.disk.locked(self.index_file, wait=wait) as held:
            yield held or read_index(self.index_file, disk=self.disk)

    def put(self, seen: Index, index: Index) -> Index | Refusal:
        """Write the index; as it is then."""
        refused = write_index(index, seen, home=self.home, disk=self.disk)
        return refused or read_index(self.index_file, disk=self.disk)


def _refused(name: str, secret: Secret) -> Empty | Invalid | None:
    if not secret.reveal():
        return Empty("value")
    return name_refusal(name) or value_refusal(name, secret.reveal())
