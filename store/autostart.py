"""Starting with the session: the entry that tells the system to start the desk at login.

What holds is what the system has, not a choice kept elsewhere: an entry that the person removed
with the system's own tools is off here too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from schema.frozen import frozen
from store.files import Content, Disk, make_folder
from store.refusals import Conflict, ReadOnly, Unreadable

NAME = "hermes-memory-desk"
MINIMISED = "--minimised"
RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"


@frozen
class FileEntry:
    """An entry that is a file of its own."""

    path: Path
    text: str


@frozen
class RunEntry:
    """An entry that is a value under `RUN_KEY` of the person's own part of the registry."""

    name: str
    value: str


Entry = FileEntry | RunEntry


def own_command(
    *,
    env: Mapping[str, str] = os.environ,
    argv0: str | None = None,
    executable: str = sys.executable,
    packed: bool = bool(getattr(sys, "frozen", False)),
) -> tuple[str, ...]:
    """How this very desk is started again: the package, the installed command, or the checkout."""
    if env.get("APPIMAGE"):
        return (env["APPIMAGE"],)
    if packed:
        return (executable,)
    began = Path(sys.argv[0] if argv0 is None else argv0)
    if began.stem == "memory-desk" and began.is_file():
        return (str(began.absolute()),)
    return (executable, "-P", "-m", "gui")


def entry_for(
    command: Sequence[str],
    *,
    env: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    person: Path | None = None,
) -> Entry:
    """The entry that starts `command` at login. `person` is the person's own folder."""
    words = (*command, MINIMISED)
    if platform == "win32":
        return RunEntry(NAME, " ".join(_windows_word(word) for word in words))
    home = person or Path(env.get("HOME") or Path.home())
    if platform == "darwin":
        return FileEntry(home / "Library" / "LaunchAgents" / f"{NAME}.plist", _agent(words))
    named = env.get("XDG_CONFIG_HOME", "")
    config = Path(named) if os.path.isabs(named) else home / ".config"
    return FileEntry(config / "autostart" / f"{NAME}.desktop", _desktop(words))


def starts_at_login(entry: Entry, *, disk: Disk | None = None) -> bool:
    """Whether the system will start the desk. Reads; a file that cannot be read starts nothing."""
    if isinstance(entry, RunEntry):
        return _run_value(entry.name) is not None
    content = (disk or Disk()).read(entry.path)
    if not isinstance(content, Content) or content.data is None:
        return False
    # How the tools of desktops switch an entry off that they do not remove.
    off = (b"hidden=true", b"x-gnome-autostart-enabled=false")
    lines = [line.strip().replace(b" ", b"").lower() for line in content.data.splitlines()]
    return not any(line in off for line in lines)


def start_at_login(
    on: bool, entry: Entry, *, disk: Disk | None = None
) -> ReadOnly | Conflict | Unreadable | None:
    """Write the entry, or remove it; there is nothing left of it then."""
    if isinstance(entry, RunEntry):
        return _set_run_value(entry, on)
    disk = disk or Disk()
    seen = disk.read(entry.path)
    if isinstance(seen, Unreadable):
        return seen
    if on:
        try:
            make_folder(entry.path.parent)
        except OSError as error:
            return ReadOnly(str(entry.path), error.strerror or str(error))
        return disk.replace(seen, entry.text.encode("utf-8", "surrogateescape"), mode=0o644)
    return None if seen.data is None else disk.remove(seen)


def _desktop(words: Sequence[str]) -> str:
    return "\n".join(
        (
            "[Desktop Entry]",
            "Type=Application",
            "Version=1.0",
            "Name=Hermes Memory Desk",
            f"Exec={' '.join(_exec_word(word) for word in words)}",
            "Terminal=false",
            "StartupNotify=false",
            # Where the tray is part of the panel, the panel comes first.
            "X-KDE-autostart-phase=2",
            "X-GNOME-Autostart-Delay=3",
            "",
        )
    )


def _exec_word(word: str) -> str:
    """Quote one word of an Exec line: inside the quotes as in a shell, then as in any value."""
    for sign in ("\\", '"', "`", "$"):
        word = word.replace(sign, "\\" + sign)
    word = word.replace("%", "%%").replace("\\", "\\\\").replace("\n", "\\n")
    return f'"{word}"'


def _agent(words: Sequence[str]) -> str:
    import plistlib

    values = {
        "Label": NAME,
        "ProgramArguments": list(words),
        "RunAtLoad": True,
        "ProcessType": "Interactive",
    }
    return plistlib.dumps(values, sort_keys=False).decode()


def _windows_word(word: str) -> str:
    return f'"{word}"' if not word or any(sign in word for sign in ' \t&()^;,"') else word


if sys.platform == "win32":
    import winreg

    def _run_value(name: str) -> str | None:
        with suppress(OSError), winreg.OpenKey(winreg.HKEY_CURRENT_USER, RUN_KEY) as key:
            return str(winreg.QueryValueEx(key, name)[0])
        return None

    def _set_run_value(entry: RunEntry, on: bool) -> ReadOnly | None:
        try:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, RUN_KEY) as key:
                if on:
                    winreg.SetValueEx(key, entry.name, 0, winreg.REG_SZ, entry.value)
                else:
                    with suppress(FileNotFoundError):
                        winreg.DeleteValue(key, entry.name)
        except OSError as error:
            return ReadOnly(RUN_KEY, error.strerror or str(error))
        return None

else:

    def _run_value(name: str) -> str | None:
        return None

    def _set_run_value(entry: RunEntry, on: bool) -> ReadOnly | None:
        return ReadOnly(RUN_KEY, "not on this system")
