"""Which folders of notes there may be on this computer, and which of them are Obsidian vaults.

Where it is looked: OBSIDIAN_VAULT_PATH in the environment and in the home's `.env`, Obsidian's own
list, and the place that Hermes' note-taking skill takes for granted. Nothing is chosen here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from schema.frozen import frozen
from store.dotenv import read_dotenv
from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import Unreadable

VARIABLE = "OBSIDIAN_VAULT_PATH"
MARK = ".obsidian"
USUAL = ("Documents", "Obsidian Vault")
LIST_BYTES = 4 * 1024 * 1024

FolderState = Literal["vault", "folder", "missing", "no_folder", "closed", "relative"]
"""`folder`: there, without `.obsidian`. `relative`: no absolute path, so it names no place."""
Source = Literal["environment", "dotenv", "obsidian", "usual", "inside"]
"""Who names it; `inside`: it is a vault within a folder that was named."""

_NAMED = re.compile(r"\$\{(\w+)\}|\$(\w+)")


@frozen
class Offer:
    """A folder that something names. `given` is what stands there, `path` what it means."""

    path: Path
    state: FolderState
    sources: tuple[Source, ...]
    given: str

    @property
    def usable(self) -> bool:
        """Whether it can be added as it is."""
        return self.state in ("vault", "folder")


@frozen
class OneFolder:
    """Exactly one folder comes into question. `others` are named too, and cannot be used."""

    offer: Offer
    others: tuple[Offer, ...] = ()


@frozen
class SeveralFolders:
    """The person must say which of these; none is taken by itself."""

    offers: tuple[Offer, ...]
    others: tuple[Offer, ...] = ()


@frozen
class NoFolder:
    """Nothing can be used; `others` are named, and say why not. `trouble`: `.env` is unreadable."""

    others: tuple[Offer, ...] = ()
    trouble: Unreadable | None = None


Offered = OneFolder | SeveralFolders | NoFolder


def state_of(path: Path) -> FolderState:
    """What there is at `path`."""
    if not path.is_absolute():
        return "relative"
    try:
        with os.scandir(path):
            pass
        return "vault" if (path / MARK).is_dir() else "folder"
    except FileNotFoundError:
        return "missing"
    except NotADirectoryError:
        return "no_folder"
    except (OSError, ValueError):
        return "closed"


def offered(
    home: HermesHome, *, env: Mapping[str, str], disk: Disk, known: Iterable[Path] = ()
) -> Offered:
    """The folders that come into question beside the `known` ones, which are configured."""
    named, trouble = _named(home, env, disk)
    found: dict[Path, Offer] = {}
    for source, given in named:
        path = meant(given, env)
        for offer in (_offer(path, source, given), *_inside(path, given)):
            before = found.get(offer.path)
            sources = (*(before.sources if before else ()), *offer.sources)
            first = before or offer
            found[offer.path] = Offer(
                first.path, first.state, tuple(dict.fromkeys(sources)), first.given
            )
    configured = {os.path.realpath(path) for path in known}
    offers = [one for one in found.values() if str(one.path) not in configured]
    # That the usual place is not there is no news: nobody has named it.
    others = tuple(one for one in offers if not one.usable and one.sources != ("usual",))
    usable = tuple(one for one in offers if one.usable)
    if len(usable) == 1:
        return OneFolder(usable[0], others)
    return SeveralFolders(usable, others) if usable else NoFolder(others, trouble)


def meant(given: str, env: Mapping[str, str]) -> Path:
    """The place that a value means: without quotes around it, `~` and `${NAME}` filled in."""
    text = given.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        text = text[1:-1]
    text = _NAMED.sub(lambda one: env.get(one[1] or one[2], one[0]), text)
    if text == "~" or text.startswith(("~/", "~" + os.sep)):
        person = env.get("HOME") or env.get("USERPROFILE") or os.path.expanduser("~")
        text = person + text[1:]
    path = Path(os.path.normpath(text)) if text else Path()
    return Path(os.path.realpath(path)) if path.is_absolute() and "\0" not in text else path


def obsidian_address(note: Path) -> str:
    """What opens a note in Obsidian."""
    return "obsidian://open?path=" + quote(os.fsencode(note), safe="")


def _offer(path: Path, source: Source, given: str) -> Offer:
    return Offer(path, state_of(path), (source,), given)


def _inside(path: Path, given: str) -> Iterator[Offer]:
    """The vaults that lie in a folder which is none itself."""
    if state_of(path) != "folder":
        return
    for child in sorted(path.iterdir()):
        if not child.name.startswith(".") and not child.is_symlink() and state_of(child) == "vault":
            yield Offer(child, "vault", ("inside",), given)


def _named(
    home: HermesHome, env: Mapping[str, str], disk: Disk
) -> tuple[list[tuple[Source, str]], Unreadable | None]:
    named: list[tuple[Source, str]] = []
    if env.get(VARIABLE, "").strip():
        named.append(("environment", env[VARIABLE]))
    dotenv = read_dotenv(home, disk=disk)
    if not isinstance(dotenv, Unreadable):
        # Hermes' two readers may differ; then both values are there to choose from.
        values = (dotenv.value(VARIABLE), dotenv.own_value(VARIABLE))
        named += [("dotenv", one) for one in dict.fromkeys(values) if one and one.strip()]
    for path in _lists(env):
        named += [("obsidian", one) for one in _listed(disk.read(path, at_most=LIST_BYTES))]
    person = env.get("HOME") or env.get("USERPROFILE")
    if person:
        named.append(("usual", os.path.join(person, *USUAL)))
    return named, dotenv if isinstance(dotenv, Unreadable) else None


def _lists(env: Mapping[str, str]) -> Iterator[Path]:
    """Where Obsidian keeps the list of its vaults, on the systems that we know."""
    person = env.get("HOME") or env.get("USERPROFILE") or ""
    config = env.get("XDG_CONFIG_HOME") or (os.path.join(person, ".config") if person else "")
    flatpak = os.path.join(person, ".var/app/md.obsidian.Obsidian/config") if person else ""
    mac = os.path.join(person, "Library", "Application Support") if person else ""
    for folder in (config, flatpak, mac, env.get("APPDATA", "")):
        if folder:
            yield Path(folder) / "obsidian" / "obsidian.json"


def _listed(seen: Content | Unreadable) -> Iterator[str]:
    if isinstance(seen, Unreadable) or seen.data is None:
        return
    try:
        found: Any = json.loads(seen.data)
    except (ValueError, RecursionError):
        return
    vaults = found.get("vaults") if isinstance(found, dict) else None
    for vault in vaults.values() if isinstance(vaults, dict) else ():
        path = vault.get("path") if isinstance(vault, dict) else None
        if isinstance(path, str) and path.strip() and "\0" not in path:
            yield path
