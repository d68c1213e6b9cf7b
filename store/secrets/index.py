"""Which names the desk keeps in the keyring, so that nobody need ask the keyring for that.

One file per profile in the desk's data folder (0600): names and times, never a value. A name whose
key is on its way from a plain file says so until the move is over, so a crash is told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from schema.frozen import field, frozen
from store.files import Content, Disk
from store.home import CUSTOM, HermesHome
from store.refusals import Invalid, Refusal, Unreadable

SERVICE = "hermes-memory-desk"


@frozen
class Kept:
    """A name in the keyring. `changed` in UTC seconds; `moving` is the place it comes from.

    While it is on its way its value may be in that place, in the keyring, or in both.
    """

    name: str
    changed: float
    moving: str = ""


@frozen
class Index:
    """What is kept for one home; `home` is its real path when the last key was set."""

    names: tuple[Kept, ...] = ()
    home: str = ""
    content: Content | None = field(default=None, repr=False, compare=False)

    def get(self, name: str) -> Kept | None:
        """What is known about `name`."""
        return next((one for one in self.names if one.name == name), None)

    def having(self, kept: Kept) -> Index:
        """With `kept` in place of what was known about that name."""
        others = [one for one in self.names if one.name != kept.name]
        return Index(tuple(sorted([*others, kept], key=lambda one: one.name)), self.home)

    def without(self, name: str) -> Index:
        """Without `name`."""
        return Index(tuple(one for one in self.names if one.name != name), self.home)


def root_id(home: HermesHome) -> str:
    """The first 12 hexadecimal digits that stand for the real path of the Hermes root."""
    return _digits(home.root)[:12]


def profile_id(home: HermesHome) -> str:
    """The profile's name; two homes that are neither root nor profile are two."""
    if home.profile != CUSTOM:
        return home.profile
    return f"{CUSTOM}-{_digits(home.path)[:6]}"


def service_of(home: HermesHome) -> str:
    """Under which service the keyring keeps the keys of a home."""
    return f"{SERVICE}/{root_id(home)}/{profile_id(home)}"


def index_path(data_dir: Path, home: HermesHome) -> Path:
    """Where the index of a home is kept."""
    return data_dir / "secrets" / root_id(home) / f"{profile_id(home)}.json"


def read_index(path: Path, *, disk: Disk) -> Index | Refusal:
    """The index; empty without a file. One that cannot be understood is never taken for empty."""
    content = disk.read(path)
    if isinstance(content, Unreadable):
        return content
    if content.data is None:
        return Index(content=content)
    try:
        return _index(json.loads(content.data.decode("utf-8")), content)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Invalid(str(path), "not_json")


def write_index(index: Index, seen: Index, *, home: HermesHome, disk: Disk) -> Refusal | None:
    """Put `index` in place of `seen`, under the lock that the caller holds."""
    if seen.content is None:
        raise TypeError("only what was read can be replaced")
    data = {
        "version": 1,
        "home": os.path.realpath(home.path),
        "names": {
            one.name: {"changed": one.changed} | ({"moving": one.moving} if one.moving else {})
            for one in index.names
        },
    }
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return disk.replace(seen.content, text.encode())


@frozen
class Stray:
    """Keys of a home that is where it was no more. `service` is what the keyring has them under."""

    home: str
    service: str
    index: Index
    path: Path


def stray_keys(data_dir: Path, home: HermesHome, *, disk: Disk) -> tuple[Stray, ...]:
    """Keys of homes that are gone: of `home` itself, perhaps, before it was moved."""
    found = []
    for path in sorted((data_dir / "secrets").glob("*/*.json")):
        index = read_index(path, disk=disk)
        if isinstance(index, Index) and index.names and path != index_path(data_dir, home):
            service = f"{SERVICE}/{path.parent.name}/{path.stem}"
            if index.home and not os.path.isdir(index.home):
                found.append(Stray(index.home, service, index, path))
    return tuple(found)


def _index(data: Mapping[str, Any], content: Content) -> Index:
    names = tuple(
        Kept(str(name), float(about["changed"]), str(about.get("moving", "")))
        for name, about in sorted(data["names"].items())
    )
    return Index(names, str(data.get("home", "")), content)


def _digits(path: Path) -> str:
    return sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
