"""The names of the pages, for the command line. No Qt here."""

from __future__ import annotations

from typing import Final, Literal, get_args

PageName = Literal[
    "overview",
    "memory",
    "repair",
    "backups",
    "history",
    "room",
    "belongs",
    "pending",
    "providers",
    "keys",
    "sessions",
    "skills",
    "knowledge",
    "settings",
]
PAGE_NAMES: Final[tuple[PageName, ...]] = get_args(PageName)
"""Every page that can be asked for; those that belong to another are not in the side list."""
