"""What a change is, before it is written and after: values for the journal and the disk."""

from __future__ import annotations

from typing import Literal

from schema.frozen import frozen
from store.files import Content

Kind = Literal["file", "folder", "link", "moved"]
"""What stands at a path; `store/trees.py` says how each reads as bytes.

`moved` is a folder that is brought to this path, or taken back to where it came from, as a whole.
"""


@frozen
class Part:
    """One file of a change: its bytes before and after; None where there was no file.

    `path` is relative to the home, with `/`; absolute for a place outside. `mode` are the
    permission bits that it has if it is made again.
    """

    path: str
    before: bytes | None
    after: bytes | None
    kind: Kind = "file"
    mode: int = 0o600
    before_mark: str = ""
    after_mark: str = ""


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
    kind: Kind = "file"
