"""Keyrings for tests: one that works, and each way in which a real one may not.

They can be named by PYTHON_KEYRING_BACKEND, so that a program in a process of its own uses them.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

FILE = "DESK_TEST_KEYRING"
"""The environment variable that names the file in which `InFile` keeps its values."""


class Working(KeyringBackend):
    """Keeps values in memory."""

    priority: Any = 5

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> Any:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError(username)


class SizeLimited(Working):
    """Takes as much as Windows does."""

    most_chars = 1280

    def set_password(self, service: str, username: str, password: str) -> None:
        assert len(password) <= self.most_chars, "nobody asked whether it fits"
        super().set_password(service, username, password)


class InFile(Working):
    """Keeps values in a file, for programs in a process of their own. Never outside of tests."""

    def _all(self) -> dict[str, str]:
        try:
            return dict(json.loads(Path(os.environ[FILE]).read_text("utf-8")))
        except FileNotFoundError:
            return {}

    def _put(self, values: dict[str, str]) -> None:
        path = Path(os.environ[FILE])
        beside = path.with_name(path.name + ".new")
        beside.write_text(json.dumps(values), "utf-8")
        beside.replace(path)

    def get_password(self, service: str, username: str) -> Any:
        return self._all().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._put(self._all() | {f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        values = self._all()
        if values.pop(f"{service} {username}", None) is None:
            raise PasswordDeleteError(username)
        self._put(values)


class Locked(Working):
    """Is locked, and stays so: the person closes the question."""

    def is_locked_now(self) -> bool:
        return True

    def _refuse(self) -> Any:
        raise KeyringLocked("a text that may quote anything")

    def get_password(self, service: str, username: str) -> Any:
        return self._refuse()

    def set_password(self, service: str, username: str, password: str) -> None:
        self._refuse()

    def delete_password(self, service: str, username: str) -> None:
        self._refuse()


class Hanging(Working):
    """Answers when `go_on` is set: the person is away from a question."""

    go_on = threading.Event()

    def get_password(self, service: str, username: str) -> Any:
        self.go_on.wait(60)
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.go_on.wait(60)


class Lying(Working):
    """Says that it kept a value, and gives back an error's text in its place."""

    def get_password(self, service: str, username: str) -> Any:
        found = super().get_password(service, username)
        return None if found is None else "org.freedesktop.DBus.Error.NoReply"


class Forgetting(Working):
    """Says that it kept a value, and has none."""

    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class Bytes(Working):
    """Answers with what is no text."""

    def get_password(self, service: str, username: str) -> Any:
        return b"bytes"


class Failing(Working):
    """Fails with an error whose words quote the value."""

    def get_password(self, service: str, username: str) -> Any:
        raise OSError(5, f"cannot read {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError(5, f"cannot keep {password}")

    def delete_password(self, service: str, username: str) -> None:
        raise OSError(5, f"cannot delete {username}")


class Weak(Working):
    """Keeps values where everyone can read them."""

    priority = 0.5


ASKED = "DESK_TEST_ASKED"
"""The environment variable that names the file in which `Counting` notes every call."""


class Counting(InFile):
    """Notes that it was asked for anything, be it only to be made."""

    def __init__(self) -> None:
        super().__init__()
        self._note("asked")

    def get_password(self, service: str, username: str) -> Any:
        self._note(f"read {username}")
        return super().get_password(service, username)

    def _note(self, what: str) -> None:
        with Path(os.environ[ASKED]).open("a", encoding="utf-8") as noted:
            noted.write(what + "\n")
