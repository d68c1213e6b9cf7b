"""What a row of a form shows, as a value. No Qt here."""

from __future__ import annotations

from schema.fields import UNSET
from schema.frozen import frozen


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
