"""The keyring, each call within a time limit and every way to fail a value.

A call runs in a thread of its own that is left behind when its time is over: a call over D-Bus
cannot be cancelled. A child process could be, but starting one and loading the library there takes
half a second for each key, and would pass every value through a further process. What is left
behind holds one socket and ends with this process; until it comes back no other call is made, so
there is never more than one.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from store.refusals import (
    KeyringFailed,
    KeyringLocked,
    KeyringRefused,
    KeyringSlow,
    KeyringTrouble,
    NoKeyring,
    PromptDismissed,
    SecretTooLong,
)
from store.secrets.backends import Usable, is_locked, load, read_at_once, read_many
from store.secrets.states import Absent, Backend, Present, Read, Secret

T = TypeVar("T")

ANSWER_SECONDS = 10.0
PROMPT_SECONDS = 90.0
"""A person who is asked for a password needs longer than a program."""

TROUBLES = (
    NoKeyring,
    KeyringRefused,
    KeyringLocked,
    PromptDismissed,
    KeyringSlow,
    SecretTooLong,
    KeyringFailed,
)


class Keyring:
    """The keyring of this system; nothing is loaded or asked before the first call.

    `may_ask` lets the system ask the person to unlock it, and needs a person who waits for that.
    `asked` counts the calls, for tests of who asks when.
    """

    def __init__(
        self,
        *,
        loader: Callable[[], Usable | NoKeyring | KeyringRefused] = load,
        limit: float | None = None,
    ) -> None:
        self.asked = 0
        self._loader = loader
        self._limit = limit
        self._one_at_a_time = threading.Lock()
        self._left_behind: threading.Thread | None = None
        self._usable: Usable | None = None

    def backend(self) -> Backend | KeyringTrouble:
        """Which keyring there is; none of its items is read, and nobody is asked anything."""
        found = self._within(self._load, may_ask=False)
        return found.about if isinstance(found, Usable) else found

    def read(self, service: str, name: str, *, may_ask: bool = False) -> Read:
        """The value under `name`. Only `Absent` means that there is none."""
        found = self.read_all(service, (name,), may_ask=may_ask)
        return found if isinstance(found, TROUBLES) else found[name]

    def read_all(
        self, service: str, names: Iterable[str], *, may_ask: bool = False
    ) -> Mapping[str, Read] | KeyringTrouble:
        """The values under all of `names`, asked for in one go."""
        wanted = tuple(names)

        def at_once() -> Mapping[str, object] | KeyringTrouble | None:
            known = self._usable is not None or self._loader is not load
            return None if known or may_ask else read_at_once(service, wanted)

        def ask(ring: Any) -> Mapping[str, object] | KeyringTrouble:
            if is_locked(ring):
                if not may_ask:
                    return KeyringLocked()
                # Only the library's own call opens it.
                found: dict[str, object] = {}
                for name in wanted:
                    found[name] = ring.get_password(service, name)
                return found
            return read_many(ring, service, wanted)

        found = self._ask(ask, may_ask=may_ask, before=at_once)
        if isinstance(found, TROUBLES):
            return found
        return {name: _read(found.get(name), may_ask=may_ask) for name in wanted}

    def write(
        self, service: str, name: str, secret: Secret, *, may_ask: bool = False
    ) -> KeyringTrouble | None:
        """Keep `secret` under `name`, and read it back: what answers otherwise has failed."""

        def ask(ring: Any) -> KeyringTrouble | None:
            if self._usable is not None:
                about, chars = self._usable.about, len(secret.reveal())
                if about.most_chars is not None and chars > about.most_chars:
                    return SecretTooLong(name, chars, about.most_chars, about.label)
            if not may_ask and is_locked(ring):
                return KeyringLocked()
            ring.set_password(service, name, secret.reveal())
            kept = ring.get_password(service, name)
            return None if kept == secret.reveal() else KeyringFailed("another value came back")

        return self._ask(ask, may_ask=may_ask)

    def delete(
        self, service: str, name: str, *, may_ask: bool = False
    ) -> Absent | KeyringTrouble | None:
        """Remove what is kept under `name`, and look that it is gone; `Absent` if none was."""

        def ask(ring: Any) -> Absent | KeyringTrouble | None:
            if not may_ask and is_locked(ring):
                return KeyringLocked()
            if ring.get_password(service, name) is None:
                return Absent()
            ring.delete_password(service, name)
            gone = ring.get_password(service, name) is None
            return None if gone else KeyringFailed("the value is still there")

        return self._ask(ask, may_ask=may_ask)

    # -- within a time limit -----------------------------------------------------------------

    def _load(self) -> Usable | NoKeyring | KeyringRefused:
        if self._usable is None:
            found = self._loader()
            if not isinstance(found, Usable):
                return found
            self._usable = found
        return self._usable

    def _ask(
        self,
        use: Callable[[Any], T],
        *,
        may_ask: bool,
        before: Callable[[], T | KeyringTrouble | None] | None = None,
    ) -> T | KeyringTrouble:
        _keep_out_of_core_dumps()

        def call() -> T | KeyringTrouble:
            if before is not None and (answer := before()) is not None:
                return answer
            found = self._load()
            return use(found.ring) if isinstance(found, Usable) else found

        return self._within(call, may_ask=may_ask)

    def _within(self, call: Callable[[], T], *, may_ask: bool) -> T | KeyringTrouble:
        limit = self._limit or (PROMPT_SECONDS if may_ask else ANSWER_SECONDS)
        with self._one_at_a_time:
            left = self._left_behind
            if left is not None:
                left.join(limit)
                if left.is_alive():
                    return KeyringSlow(limit)
                self._left_behind = None
            self.asked += 1
            answers: list[T | KeyringTrouble] = []

            def run() -> None:
                try:
                    answers.append(call())
                except Exception as error:
                    answers.append(trouble_of(error, may_ask=may_ask))

            thread = threading.Thread(target=run, name="keyring", daemon=True)
            thread.start()
            thread.join(limit)
            if thread.is_alive():
                self._left_behind = thread
                return KeyringSlow(limit)
            return answers[0] if answers else KeyringFailed("it ended")


def _keep_out_of_core_dumps() -> None:
    """From now on this process, which will hold a key, leaves no picture of its memory."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def trouble_of(error: Exception, *, may_ask: bool) -> KeyringTrouble:
    """The state that an exception of the library or of the system stands for."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    cause = error.__cause__ or error.__context__
    causes = set() if cause is None else {kind.__name__ for kind in type(cause).__mro__}
    if "PromptDismissedException" in kinds | causes:
        return PromptDismissed()
    if kinds & {"KeyringLocked", "LockedException"}:
        return PromptDismissed() if may_ask else KeyringLocked()
    if kinds & {"NoKeyringError", "SecretServiceNotAvailableException"}:
        return NoKeyring(type(error).__name__)
    if causes & {"SecretServiceNotAvailableException"} or (
        "InitError" in kinds and "LockedException" not in causes
    ):
        return NoKeyring(type(error).__name__)
    return KeyringFailed(type(error).__name__)


def _read(found: object, *, may_ask: bool) -> Read:
    if found is None:
        return Absent()
    if isinstance(found, str):
        return Present(Secret(found))
    if isinstance(found, Exception):
        return trouble_of(found, may_ask=may_ask)
    return KeyringFailed(f"it answered with {type(found).__name__}")
