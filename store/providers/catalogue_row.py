"""One provider in the catalogue: where it was found, and whether it could be used."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from schema.frozen import frozen

Source = Literal["bundled", "user", "project", "package", "declared"]
State = Literal[
    "active",
    "ready",
    "needs_config",
    "not_installed",
    "shadowed",
    "broken",
    "not_loaded",
    "missing",
]


@frozen
class Reason:
    """Why a provider is in its state; `names` are keys, packages, files or places.

    `code`: empty, or one of `gui/provider_words.py`.
    """

    code: str = ""
    names: tuple[str, ...] = ()


@frozen
class Row:
    """A provider as it was found.

    `path` is its folder or file, None for one that only we declare or that is nowhere. `active`
    says that config.yaml names it. `shadowed_by` is the source of the one that is loaded instead.
    `notes` are further reasons that do not decide the state.
    """

    name: str
    label: str
    source: Source
    path: Path | None
    state: State
    reason: Reason = Reason()
    active: bool = False
    shadowed_by: str = ""
    version: str = ""
    description: str = ""
    notes: tuple[Reason, ...] = ()
