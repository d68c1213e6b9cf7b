"""The desk's own settings: one typed JSON file, and the folders in which the desk keeps things.

A preference is a comfort, never a reason to fail: a broken file counts as no choice made, and is
set aside under another name when the next choice is written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from schema.frozen import frozen
from store.files import Content, Disk
from store.refusals import Conflict, Locked, ReadOnly, Unreadable

APP = "hermes-memory-desk"
ColourScheme = Literal["system", "light", "dark"]
Language = Literal["system", "en", "zh_CN"]
TrayUse = Literal["on", "stay", "off"]
_CHOICES: dict[str, tuple[str, ...]] = {
    "colour_scheme": get_args(ColourScheme),
    "language": get_args(Language),
    "tray": get_args(TrayUse),
}
_SWITCHES = ("notifications",)
_NUMBERS = {
    "history_days": range(1, 36_501),
    "history_changes": range(100, 1_000_001),
    "untouched_days": range(1, 36_501),
}


@frozen
class Preferences:
    """What the person chose.

    `hermes` is the path of a `hermes` command or of the Python that holds the agent; `geometry`
    the window's place as Qt saved it, in base64; `not_asked_again` names the questions that were
    answered for good. `notifications` tells of new records; with `tray` "stay" the desk runs on in
    the tray when its window is closed. The journal keeps what is at most `history_days` old, and
    the latest `history_changes` of that. An entry that nobody changed for `untouched_days` is worth
    a look.
    """

    colour_scheme: ColourScheme = "system"
    language: Language = "system"
    notifications: bool = True
    tray: TrayUse = "on"
    history_days: int = 400
    history_changes: int = 20_000
    untouched_days: int = 180
    hermes: str = ""
    geometry: str = ""
    last_home: str = ""
    last_profile: str = ""
    not_asked_again: tuple[str, ...] = ()


@frozen
class Loaded:
    """The preferences, and what of the file was not used.

    `broken` tells that the whole file was unusable, `ignored` names values of a wrong kind.
    """

    preferences: Preferences
    broken: bool = False
    ignored: tuple[str, ...] = ()


def config_dir(env: Mapping[str, str] = os.environ) -> Path:
    """The folder of the preferences. Not made here."""
    return _folder(env, "MEMORY_DESK_CONFIG_DIR", "user_config_path")


def data_dir(env: Mapping[str, str] = os.environ) -> Path:
    """The folder of what must not be lost: journal, indexes. Not made here; 0700 when it is."""
    return _folder(env, "MEMORY_DESK_DATA_DIR", "user_data_path")


def log_dir(env: Mapping[str, str] = os.environ) -> Path:
    """The folder of the log. Not made here."""
    return _folder(env, "MEMORY_DESK_LOG_DIR", "user_log_path")


def preferences_file(env: Mapping[str, str] = os.environ) -> Path:
    """The one file in `config_dir`."""
    return config_dir(env) / "preferences.json"


def load_preferences(*, env: Mapping[str, str] = os.environ, disk: Disk | None = None) -> Loaded:
    """Read the preferences. Writes nothing and never fails."""
    content = (disk or Disk()).read(preferences_file(env))
    stored = _stored(content) if isinstance(content, Content) else None
    if stored is None:
        return Loaded(Preferences(), broken=True)
    good = {name: value for name, value in stored.items() if _fits(name, value)}
    known = Preferences.__match_args__
    if "not_asked_again" in good:
        good["not_asked_again"] = tuple(good["not_asked_again"])
    chosen = {name: good[name] for name in known if name in good}
    ignored = tuple(name for name in known if name in stored and name not in good)
    return Loaded(Preferences(**chosen), ignored=ignored)


def change_preferences(
    *,
    env: Mapping[str, str] = os.environ,
    disk: Disk | None = None,
    wait: float = 2.0,
    **chosen: Any,
) -> Preferences | ReadOnly | Conflict | Locked | Unreadable:
    """Write the choices given by name; every other key in the file stays, known or not.

    Two windows may do this at once. A broken file is copied to `preferences.json.broken` first.
    """
    import json

    wrong = [name for name, value in chosen.items() if not _fits(name, value)]
    if wrong:
        raise TypeError(f"no such preference, or a value of another kind: {', '.join(wrong)}")
    disk, path = disk or Disk(), preferences_file(env)
    with disk.locked(path, wait=wait) as refused:
        if refused is not None:
            return refused
        content = disk.read(path)
        if isinstance(content, Unreadable):
            return content
        stored = _stored(content)
        if stored is None:
            failed = _set_aside(disk, content)
            if failed is not None:
                return failed
        text = json.dumps({**(stored or {}), **chosen}, indent=2, ensure_ascii=False)
        done = disk.replace(content, (text + "\n").encode())
        if done is not None:
            return done
    return load_preferences(env=env, disk=disk).preferences


def _set_aside(disk: Disk, content: Content) -> ReadOnly | None:
    path = content.path.with_name(content.path.name + ".broken")
    number = 1
    while path.exists():
        number += 1
        path = path.with_name(f"{content.path.name}.broken.{number}")
    return disk.create(path, content.data or b"")


def _stored(content: Content) -> dict[str, Any] | None:
    """The object in the file; None if the file holds anything but one."""
    if content.data is None:
        return {}
    import json

    try:
        stored = json.loads(content.data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return stored if isinstance(stored, dict) else None


def _fits(name: str, value: object) -> bool:
    """Whether `value` is of the kind that the preference `name` has; "false" is no truth value."""
    if name == "not_asked_again":
        return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
    if name in _SWITCHES:
        return isinstance(value, bool)
    if name in _NUMBERS:
        return type(value) is int and value in _NUMBERS[name]
    if name in _CHOICES:
        return value in _CHOICES[name] if isinstance(value, str) else False
    return name in Preferences.__match_args__ and isinstance(value, str)


def _folder(env: Mapping[str, str], name: str, function: str) -> Path:
    named = env.get(name, "").strip()
    if named:
        return Path(named).absolute()
    import platformdirs

    return Path(getattr(platformdirs, function)(APP, appauthor=False))
