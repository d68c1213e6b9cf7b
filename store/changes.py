"""What a change is, before it is written and after: values for the journal and the disk."""

from __future__ import annotations

from schema.frozen import frozen
from store.files import Content


@frozen
class Part:
    """One file of a change: its bytes before and after; None where there was no file.

    `path` is relative to the home, with `/`.
    """

    path: str
    before: bytes | None
    after: bytes | None


@frozen
class Intent:
    """What is about to happen. `record` is the id of the pending record, if one is involved.

    `gone` and `come` are the full texts of entries that leave and arrive.
    """

    who: str
    action: str
    target: str
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    record: str = ""
    undoes: int | None = None


@frozen
class FileChange:
    """Put `after` (None: no file) in place of what `seen` saw."""

    seen: Content
    after: bytes | None
    mode: int = 0o600
