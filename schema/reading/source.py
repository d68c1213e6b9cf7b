"""The files of one package, as texts: all that a reader is given."""

from __future__ import annotations

from collections.abc import Mapping

from schema.frozen import field, frozen


@frozen
class SourceTree:
    """Relative path (with `/`) to text, for one package; collected and bounded by the store.

    `skipped`: files that are there and were not collected, with the reason in a few words.
    `package`: the name by which its files may import each other, usually that of its folder.
    """

    files: Mapping[str, str]
    skipped: Mapping[str, str] = field(default_factory=dict)
    package: str = ""
