"""What is known about one key: values that hold a secret show it to nobody who prints them."""

from __future__ import annotations

from typing import Literal, NoReturn

from schema.frozen import field, frozen
from store.refusals import KeyringTrouble

Where = Literal["keyring", "dotenv", "environment", "provider_file"]


@frozen
class Secret:
    """The value of a key. It is in no repr and cannot be pickled; `reveal` is for using it."""

    _value: str = field(repr=False)

    def reveal(self) -> str:
        """The value itself: for the keyring, an environment, or a comparison. Never for a text."""
        return self._value

    def __str__(self) -> str:
        return "Secret()"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written down")


@frozen
class Present:
    """The keyring has a value under this name."""

    secret: Secret


@frozen
class Absent:
    """The keyring answered, and has nothing under this name."""


@frozen
class Backend:
    """A keyring that can be used. `most_chars` is what it takes at most, None without a limit."""

    name: str
    label: str
    priority: float
    most_chars: int | None = None


Read = Present | Absent | KeyringTrouble
