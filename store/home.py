"""Where everything of one Hermes home lives, and which home is meant.

The rules are those of the `hermes` command (hermes-formats §1), with one difference: where the
answer may surprise, it is said. Environment, system and the person's folder are parameters, so
every system's rules run on every other.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Literal

from schema.frozen import frozen
from store.files import is_folder
from store.refusals import NotFound, ReadOnly, Refusal, Unreadable

Target = Literal["memory", "user"]
TARGETS: tuple[Target, ...] = ("memory", "user")
FILE_NAMES: dict[Target, str] = {"memory": "MEMORY.md", "user": "USER.md"}

DEFAULT = "default"
"""The name of the profile that lives at the root itself."""

CUSTOM = "custom"
"""What Hermes calls a home that is neither the root nor one of its profiles."""

_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_FRESH_FOLDERS = (
    "cron",
    "sessions",
    "logs",
    "logs/curator",
    "memories",
    "pairing",
    "hooks",
    "image_cache",
    "audio_cache",
    "skills",
)


@frozen
class HermesHome:
    """One profile's home. `profile` is `default`, a profile's name, or `custom`."""

    root: Path
    path: Path
    profile: str

    @property
    def memories(self) -> Path:
        """The folder of the two memory files."""
        return self.path / "memories"

    def memory_file(self, target: Target) -> Path:
        """MEMORY.md or USER.md."""
        return self.memories / FILE_NAMES[target]

    def pending(self, subsystem: str) -> Path:
        """The folder of staged writes; `subsystem` is memory or skills."""
        return self.path / "pending" / subsystem

    @property
    def config(self) -> Path:
        """The home's config.yaml."""
        return self.path / "config.yaml"

    @property
    def skills(self) -> Path:
        """The folder of the home's own skills."""
        return self.path / "skills"

    @property
    def database(self) -> Path:
        """The home's state.db: every conversation."""
        return self.path / "state.db"


@frozen
class ActiveProfile:
    """The active profile `name` is shown although HERMES_HOME does not name it.

    Programs that start Hermes without its command use `default_home` instead.
    """

    code: ClassVar[str] = "active_profile"
    name: str
    default_home: Path


@frozen
class OtherProfileActive:
    """`shown` was asked for, while `active` is what the `hermes` command would use."""

    code: ClassVar[str] = "other_profile_active"
    shown: str
    active: str


@frozen
class DataElsewhere:
    """Nothing is kept in this home, while the other usual `places` hold something."""

    code: ClassVar[str] = "data_elsewhere"
    places: tuple[Path, ...]


HomeNotice = ActiveProfile | OtherProfileActive | DataElsewhere


@frozen
class Located:
    """The home that is meant, and what the person should be told about the choice."""

    home: HermesHome
    notices: tuple[HomeNotice, ...] = ()


def locate(
    *,
    home: Path | None = None,
    profile: str | None = None,
    env: Mapping[str, str],
    platform: str = sys.platform,
    user_home: Path | None = None,
) -> Located | Refusal:
    """Find the home that is meant.

    `home` names the folder exactly and `profile` one under its root. Without either: what the
    `hermes` command would use, that is HERMES_HOME as it is written if its parent is called
    `profiles`, else the profile named by `active_profile` at the root (not for a supervised
    child), else HERMES_HOME, else the system's default. Refused with `NotFound` when there is
    no such profile or folder, with `Unreadable` when the system does not let us look.
    """
    default = default_home(env=env, platform=platform, user_home=user_home)
    named = home.absolute() if home is not None else _from_environment(env)
    root = root_of(named, default=default) if named is not None else default
    active = active_profile(root)
    inside_profiles = named is not None and named.parent.name == "profiles"
    followed = (
        (home is None and profile is None)
        and not inside_profiles
        and active != DEFAULT
        and not env.get("HERMES_S6_SUPERVISED_CHILD")
    )
    wanted = active if followed else profile
    chosen = (named or default) if wanted is None else _profile_path(root, wanted)
    there = chosen is not None and is_folder(chosen)
    if isinstance(there, Unreadable):
        return there
    if wanted is not None and not (chosen == root or there):
        return NotFound("active_profile" if followed else "profile", wanted)
    if chosen is None or not there:
        return NotFound("home", str(chosen or default))
    found = home_at(chosen, root=root)
    notices: list[HomeNotice] = []
    if followed:
        notices.append(ActiveProfile(active, root))
    elif active not in (DEFAULT, found.profile):
        notices.append(OtherProfileActive(found.profile, active))
    elsewhere = data_elsewhere(chosen, env=env, platform=platform, user_home=user_home)
    if elsewhere and not holds_data(chosen):
        notices.append(DataElsewhere(elsewhere))
    return Located(found, tuple(notices))


def home_at(path: Path, *, root: Path) -> HermesHome:
    """The home at `path`, named as Hermes names it beside `root`."""
    if _same(path, root):
        return HermesHome(root, path, DEFAULT)
    if _same(path.parent, root / "profiles") and is_profile_name(path.name):
        return HermesHome(root, path, path.name)
    return HermesHome(root, path, CUSTOM)


def default_home(
    *,
    env: Mapping[str, str],
    platform: str = sys.platform,
    user_home: Path | None = None,
) -> Path:
    """The system's own place for a Hermes home (hermes-formats §1.1)."""
    person = person_folder(env, platform, user_home)
    if platform == "win32":
        local = env.get("LOCALAPPDATA", "").strip()
        return (Path(local) if local else person / "AppData" / "Local") / "hermes"
    return person / ".hermes"


def data_elsewhere(
    path: Path,
    *,
    env: Mapping[str, str],
    platform: str = sys.platform,
    user_home: Path | None = None,
) -> tuple[Path, ...]:
    """The usual places other than `path` that hold data: what to offer when `path` has none.

    Usual are HERMES_HOME, the system's default and `~/.hermes`.
    """
    default = default_home(env=env, platform=platform, user_home=user_home)
    places = [_from_environment(env), default, person_folder(env, platform, user_home) / ".hermes"]
    return tuple(
        place
        for place in dict.fromkeys(places)
        if place is not None and not _same(place, path) and holds_data(place)
    )


def holds_data(path: Path) -> bool:
    """Whether a memory file with text or a conversation database is in `path`."""
    kept = (path / "memories" / name for name in FILE_NAMES.values())
    return any(_size(file) > 0 for file in (*kept, path / "state.db"))


def root_of(path: Path, *, default: Path) -> Path:
    """The root that the home at `path` belongs to; `default` is the system's own place.

    A place inside `default` belongs to it; a folder whose parent is called `profiles` belongs to
    the grandparent; any other is its own root (hermes-formats §1.1).
    """
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(default)):
        return default
    return path.parent.parent if path.parent.name == "profiles" else path


def profiles(root: Path) -> tuple[HermesHome, ...]:
    """Every home under `root`: default first, then the named ones in order.

    Those that the system does not show are left out: `hidden_profiles` tells.
    """
    found = [HermesHome(root, root, DEFAULT)] if os.path.isdir(root) else []
    folder = root / "profiles"
    try:
        names = sorted(name for name in os.listdir(folder) if is_profile_name(name))
    except OSError:
        names = []
    found += [
        HermesHome(root, folder / name, name)
        for name in names
        if name != DEFAULT and os.path.isdir(folder / name)
    ]
    return tuple(found)


def hidden_profiles(root: Path) -> Unreadable | None:
    """Why the system does not show which profiles there are under `root`, or None."""
    folder = root / "profiles"
    try:
        for name in os.listdir(folder):
            (folder / name).stat()
            break
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Unreadable(str(folder), error.strerror or str(error))
    return None


def active_profile(root: Path) -> str:
    """The profile that `hermes` uses by itself; `default` if the file says nothing readable."""
    try:
        name = (root / "active_profile").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return DEFAULT
    return name.lower() or DEFAULT


def is_profile_name(name: str) -> bool:
    """Whether Hermes would take `name` for a profile's folder."""
    return _PROFILE_NAME.fullmatch(name) is not None


def create_home(
    path: Path,
    *,
    env: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    user_home: Path | None = None,
) -> HermesHome | Refusal:
    """Make the folders of a fresh home at `path`, open to its owner only (0700).

    What is there already stays as it is. A missing profile is refused as Hermes refuses it: a
    profile that was deleted must not come back by itself.
    """
    path = path.absolute()
    if path.parent.name == "profiles" and not os.path.isdir(path):
        return NotFound("profile", path.name)
    for folder in (path, *(path / name for name in _FRESH_FOLDERS)):
        try:
            folder.mkdir(mode=0o700, parents=folder == path, exist_ok=True)
        except OSError as error:
            return ReadOnly(str(folder), error.strerror or str(error))
    default = default_home(env=env, platform=platform, user_home=user_home)
    return home_at(path, root=root_of(path, default=default))


def _profile_path(root: Path, name: str) -> Path | None:
    name = name.strip().lower()
    if name == DEFAULT:
        return root
    return root / "profiles" / name if is_profile_name(name) else None


def _from_environment(env: Mapping[str, str]) -> Path | None:
    value = env.get("HERMES_HOME", "").strip()
    return Path(value).absolute() if value else None


def person_folder(env: Mapping[str, str], platform: str, user_home: Path | None) -> Path:
    """The person's own folder: the one given, else what the environment names."""
    if user_home is not None:
        return user_home
    value = env.get("USERPROFILE" if platform == "win32" else "HOME", "")
    return Path(value) if value else Path.home()


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
