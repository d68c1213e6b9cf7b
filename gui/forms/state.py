"""What a row of a form shows, as a value. No Qt here."""

from __future__ import annotations

from collections.abc import Container
from enum import Enum
from itertools import count
from typing import Final

from schema.fields import UNSET
from schema.frozen import frozen


class Cleared(Enum):
    """The stored secret is to be removed."""

    CLEARED = "cleared"


CLEARED: Final = Cleared.CLEARED


@frozen
class RowState:
    """What a row shows around the value that is stored.

    `source` tells where the value comes from, `note` what is odd about it, and `locked` why it
    cannot be changed here; it can where that is empty. `told_above` is whether the reason stands
    above the form already, so that not every row repeats it. Of a secret only `is_set` is known.
    """

    value: object = UNSET
    source: str = ""
    note: str = ""
    locked: str = ""
    told_above: bool = False
    is_set: bool = False


def free_key(key: str, taken: Container[str]) -> str:
    """The name of a row for the field `key`: with a number if another row has that name."""
    names = (key if number == 1 else f"{key}#{number}" for number in count(1))
    return next(name for name in names if name not in taken)
