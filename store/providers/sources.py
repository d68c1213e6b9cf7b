"""The files and the environment that providers read, each looked at once for one form.

What is read is bound to one home when the work starts: a profile that is switched meanwhile
changes nothing here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from schema.fields import UNSET
from schema.frozen import frozen
from store.config import ConfigFile, read_config
from store.dotenv import Dotenv, read_dotenv
from store.files import Disk
from store.home import HermesHome, person_folder
from store.providers.json_text import JsonFile, is_set, read_json
from store.refusals import Invalid, Refusal, Unreadable

SourceKind = Literal["file", "config", "dotenv", "environment", "keyring", "default", "none"]


@frozen
class JsonPlace:
    """A key in an object of a JSON file; `block` leads to the object."""

    file: Path
    block: tuple[str, ...]
    key: str

    @property
    def path(self) -> tuple[str, ...]:
        """From the root of the file to the value."""
        return (*self.block, self.key)


@frozen
class YamlPlace:
    """A key in a section of config.yaml."""

    section: tuple[str, ...]
    key: str

    @property
    def path(self) -> tuple[str, ...]:
        """From the root of the file to the value."""
        return (*self.section, self.key)


@frozen
class EnvPlace:
    """A name of the environment that the agent has: `.env` over what it was started with."""

    name: str


Place = JsonPlace | YamlPlace | EnvPlace


class Sources:
    """What one home's providers can read. Every file is read once; make a new one for a new look.

    `names_in_keyring` are those of the desk's own index: no item is read, no keyring asked.
    """

    def __init__(
        self,
        home: HermesHome,
        *,
        disk: Disk,
        env: Mapping[str, str],
        names_in_keyring: frozenset[str] = frozenset(),
        platform: str = sys.platform,
    ) -> None:
        """Nothing is read before it is asked for."""
        self.home = home
        self.disk = disk
        self.env = env
        self.names_in_keyring = names_in_keyring
        self.person = person_folder(env, platform, None)
        self._json: dict[Path, JsonFile | Unreadable | Invalid] = {}
        self._config: ConfigFile | Refusal | None = None
        self._dotenv: Dotenv | Unreadable | None = None

    def json(self, path: Path) -> JsonFile | Unreadable | Invalid:
        """A provider's file."""
        if path not in self._json:
            self._json[path] = read_json(path, disk=self.disk)
        return self._json[path]

    def config(self) -> ConfigFile | Refusal:
        """The home's config.yaml."""
        if self._config is None:
            self._config = read_config(self.home, disk=self.disk)
        return self._config

    def dotenv(self) -> Dotenv | Unreadable:
        """The home's `.env`."""
        if self._dotenv is None:
            self._dotenv = read_dotenv(self.home, disk=self.disk)
        return self._dotenv

    def value(self, place: Place) -> object:
        """What stands at `place`; UNSET if nothing does, or if it cannot be read."""
        match place:
            case JsonPlace(file, _, _):
                found = self.json(file)
                return found.get(place.path) if isinstance(found, JsonFile) else UNSET
            case YamlPlace(_, _):
                return self.section(place.section).get(place.key, UNSET)
            case EnvPlace(name):
                value = self.variable(name)
                return UNSET if value is None else value

    def kept(self, place: Place) -> object:
        """What the file behind `place` says: of the environment only what is in the `.env`."""
        if not isinstance(place, EnvPlace):
            return self.value(place)
        dotenv = self.dotenv()
        value = dotenv.value(place.name) if isinstance(dotenv, Dotenv) else None
        return UNSET if value is None else value

    def section(self, path: tuple[str, ...]) -> Mapping[str, object]:
        """A section of config.yaml; empty where there is none or it cannot be read."""
        file = self.config()
        node: object = file.yaml.data if isinstance(file, ConfigFile) else {}
        for part in path:
            node = node.get(part) if isinstance(node, Mapping) else None
        return node if isinstance(node, Mapping) else {}

    def variable(self, name: str) -> str | None:
        """What the agent's environment has under `name`, as far as files and ours tell."""
        dotenv = self.dotenv()
        value = dotenv.value(name) if isinstance(dotenv, Dotenv) else None
        return self.env.get(name) if value is None else value

    def source(self, place: Place) -> SourceKind:
        """Where the value at `place` comes from; `none` if there is none."""
        if isinstance(place, EnvPlace):
            return self.variable_source(place.name)
        if not is_set(self.value(place)):
            return "none"
        return "file" if isinstance(place, JsonPlace) else "config"

    def variable_source(self, name: str) -> SourceKind:
        """Where the agent gets the variable `name` from, a name in the keyring included."""
        dotenv = self.dotenv()
        in_file = dotenv.value(name) if isinstance(dotenv, Dotenv) else None
        if in_file:
            return "dotenv"
        # An empty line of the file takes away what the agent was started with.
        if in_file is None and self.env.get(name):
            return "environment"
        return "keyring" if name in self.names_in_keyring else "none"

    def problem(self, place: Place) -> Refusal | None:
        """Why the file of `place` cannot be read, or None."""
        found: object
        match place:
            case JsonPlace(file, _, _):
                found = self.json(file)
                ok = isinstance(found, JsonFile)
            case YamlPlace(_, _):
                found = self.config()
                ok = isinstance(found, ConfigFile)
            case EnvPlace(_):
                found = self.dotenv()
                ok = isinstance(found, Dotenv)
        return None if ok else found  # type: ignore[return-value]

    def file_of(self, place: Place) -> Path:
        """The file in which `place` lies; for the environment the home's `.env`."""
        match place:
            case JsonPlace(file, _, _):
                return file
            case YamlPlace(_, _):
                return self.home.config
            case EnvPlace(_):
                return self.home.path / ".env"

    def line(self, place: Place) -> int | None:
        """The line (from 1) on which the value stands, where that is known."""
        match place:
            case YamlPlace(_, _):
                file = self.config()
                return file.line(".".join(place.path)) if isinstance(file, ConfigFile) else None
            case EnvPlace(name):
                dotenv = self.dotenv()
                return dotenv.line(name) if isinstance(dotenv, Dotenv) else None
            case JsonPlace(_, _, _):
                return None

    def found_at(self, place: Place) -> str:
        """Where a value was found, for a person; of the environment just the name."""
        if isinstance(place, EnvPlace) and self.variable_source(place.name) != "dotenv":
            return place.name
        return self.shown(place)

    def shown(self, place: Place) -> str:
        """`place` for a person: the file, short if it is in the home, and the key."""
        path = self.file_of(place)
        try:
            name = path.relative_to(self.home.path).as_posix()
        except ValueError:
            name = str(path)
            if path.is_relative_to(self.person):
                name = "~/" + path.relative_to(self.person).as_posix()
        key = place.name if isinstance(place, EnvPlace) else ".".join(place.path)
        return f"{name}: {key}"


def environment_truth(value: object) -> bool | None:
    """What a text means as yes or no to most providers; None if neither."""
    text = str(value).strip().lower()
    if text in ("1", "true", "yes", "on"):
        return True
    return False if text in ("0", "false", "no", "off") else None


def exists(path: Path) -> bool:
    """Whether there is a file at `path`; one that we may not look at is there too.

    What is taken for absent would be made anew, or passed over for another file.
    """
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
