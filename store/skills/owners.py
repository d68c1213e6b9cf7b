"""Whose a skill is: the hub's, Hermes' own, the agent's or the person's (hermes-formats §10.5).

All of it goes by the name of a skill, as the agent's own books do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from schema.frozen import frozen
from store.files import Content, Disk
from store.refusals import Unreadable
from store.skills.front_matter import named_in
from store.skills.layout import SKILL_FILE

Provenance = Literal["hub", "bundled", "agent", "user"]
HUB_FILE = ".hub/lock.json"
BUNDLED_FILE = ".bundled_manifest"
SUPPRESSED_FILE = ".curator_suppressed"
BUILT_IN = frozenset({"plan"})
"""Skills that stand behind a command of the agent; nobody archives them."""


@frozen
class Owners:
    """The names of the skills that came from elsewhere. `problem`: a book that cannot be read."""

    hub: frozenset[str] = frozenset()
    bundled: frozenset[str] = frozenset()
    problem: Unreadable | None = None

    def of(self, name: str, record: object) -> Provenance:
        """Whose the skill is, given its record of use."""
        if name in self.hub:
            return "hub"
        if name in self.bundled:
            return "bundled"
        return "agent" if is_managed(record) else "user"


def read_owners(folder: Path, *, disk: Disk) -> Owners:
    """What the books in the home's own folder of skills say; what cannot be read says nothing."""
    books = [disk.read(folder / name) for name in (BUNDLED_FILE, HUB_FILE)]
    problem = next((one for one in books if isinstance(one, Unreadable)), None)
    bundled, hub = map(_text, books)
    names = {line.partition(":")[0].strip() for line in bundled.splitlines()} - {""}
    return Owners(frozenset(_installed(hub, folder, disk)), frozenset(names), problem)


def is_managed(record: object) -> bool:
    """Whether a record of use says that the agent made the skill itself."""
    if not isinstance(record, Mapping):
        return False
    return record.get("created_by") == "agent" or record.get("agent_created") is True


def read_names(data: bytes | None) -> frozenset[str]:
    """The names of bundled skills that updates leave out, from the bytes of their file."""
    lines = (data or b"").decode("utf-8", "replace").splitlines()
    names = {line.strip() for line in lines}
    return frozenset(name for name in names if name and not name.startswith("#"))


def write_names(data: bytes | None, names: frozenset[str], newline: str) -> bytes | None:
    """The file with these names instead, as the agent writes it; remarks in it stay.

    A file that is not there is not made for no name.
    """
    if names == read_names(data):
        return data
    lines = (data or b"").decode("utf-8", "replace").splitlines()
    remarks = [line for line in lines if line.lstrip().startswith("#")]
    return "".join(line + newline for line in (*remarks, *sorted(names))).encode()


def _installed(book: str, folder: Path, disk: Disk) -> set[str]:
    """The hub's names, and how what it installed calls itself."""
    try:
        data = json.loads(book)
    except (ValueError, RecursionError):
        return set()
    installed = data.get("installed") if isinstance(data, dict) else None
    if not isinstance(installed, dict):
        return set()
    names = set(installed)
    own = os.path.realpath(folder)
    for entry in installed.values():
        place = entry.get("install_path") if isinstance(entry, dict) else None
        if isinstance(place, str) and place.strip() and "\0" not in place:
            real = Path(os.path.realpath(folder / place))
            if real.is_relative_to(own) and (real / SKILL_FILE).exists():
                names.add(named_in(_text(disk.read(real / SKILL_FILE))) or real.name)
    return names


def _text(found: Content | Unreadable) -> str:
    data = found.data if isinstance(found, Content) else None
    return (data or b"").decode("utf-8", "replace")
