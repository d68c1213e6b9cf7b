"""Finds the installed Hermes without running anything of it.

A `hermes` command names the Python that it runs with; beside that Python lies what pip wrote
about the package, its version among it. Nothing is imported, executed or followed further.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from schema.frozen import frozen
from store.home import person_folder
from store.refusals import NotFound

TRIED = ("0.19.0",)
"""The versions that our tests run against."""

_HEAD = 4096
_LINKS = 5
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
_EXEC = re.compile(
    r"""^\s*(?:'''exec'|exec)\s+(?:-\S+\s+)*(?:"([^"\n]+)"|'([^'\n]+)'|(\S+))""", re.MULTILINE
)
_VERSION = re.compile(r"^Version:\s*(\S+)\s*$", re.MULTILINE)


@frozen
class Found:
    """An installed Hermes.

    `python` runs it; `plugins_dir` holds the bundled memory providers, None if they are not where
    they should be; `tried` tells that we have tested with this version.
    """

    python: Path
    version: str
    plugins_dir: Path | None
    tried: bool


def find(
    *,
    env: Mapping[str, str],
    setting: str = "",
    platform: str = sys.platform,
    user_home: Path | None = None,
) -> Found | NotFound:
    """Find Hermes by our own `setting`, else on PATH, else where pipx and uv keep their tools.

    `setting` is a `hermes` command, a Python, or an environment's folder; if it leads nowhere,
    nothing else is taken in its place.
    """
    person = person_folder(env, platform, user_home)
    if setting.strip():
        path = Path(setting.strip())
        pythons = _pythons_of(path, env, platform)
    else:
        pythons = _usual_pythons(env, platform, person)
    for python in pythons:
        found = _installed(python, platform, person)
        if found is not None:
            return found
    return NotFound("hermes", setting.strip())


def packages_of(
    found: Found,
    *,
    env: Mapping[str, str],
    platform: str = sys.platform,
    user_home: Path | None = None,
) -> Path | None:
    """The folder in which that Hermes and all that it can import is installed."""
    person = person_folder(env, platform, user_home)
    for packages in _package_folders(found.python, platform, person):
        if any(packages.glob("[hH]ermes_[aA]gent-*.dist-info")):
            return packages
    return None


def _pythons_of(path: Path, env: Mapping[str, str], platform: str) -> Iterator[Path]:
    """What a person may have named: an environment, a Python, or a command."""
    if path.is_dir():
        yield from _pythons_in(path, platform)
    elif path.name.lower().startswith("python"):
        yield path
    else:
        yield from _pythons_behind(path, env, platform)


def _usual_pythons(env: Mapping[str, str], platform: str, person: Path) -> Iterator[Path]:
    names = ("hermes.exe", "hermes.cmd", "hermes.bat") if platform == "win32" else ("hermes",)
    folders = [Path(name) for name in env.get("PATH", "").split(os.pathsep) if name]
    # A desktop starts programs with a shorter PATH than a terminal has.
    for folder in [*folders, person / ".local" / "bin"]:
        for name in names:
            yield from _pythons_behind(folder / name, env, platform)
    for tools in _tool_folders(env, platform, person):
        yield from _pythons_in(tools / "hermes-agent", platform)


def _tool_folders(env: Mapping[str, str], platform: str, person: Path) -> Iterator[Path]:
    """Where pipx and uv keep an environment per tool."""
    if env.get("PIPX_HOME"):
        yield Path(env["PIPX_HOME"]) / "venvs"
    if env.get("UV_TOOL_DIR"):
        yield Path(env["UV_TOOL_DIR"])
    share = Path(env["XDG_DATA_HOME"]) if env.get("XDG_DATA_HOME") else person / ".local" / "share"
    if platform == "win32":
        roaming = Path(env["APPDATA"]) if env.get("APPDATA") else person / "AppData" / "Roaming"
        yield person / "pipx" / "venvs"
        yield roaming / "uv" / "tools"
    if platform == "darwin":
        yield person / "Library" / "Application Support" / "pipx" / "venvs"
    yield share / "pipx" / "venvs"
    yield person / ".local" / "pipx" / "venvs"
    yield share / "uv" / "tools"


def _pythons_in(environment: Path, platform: str) -> Iterator[Path]:
    if platform == "win32":
        yield environment / "Scripts" / "python.exe"
    else:
        yield environment / "bin" / "python"
        yield environment / "bin" / "python3"


def _pythons_behind(
    command: Path, env: Mapping[str, str], platform: str, links: int = _LINKS
) -> Iterator[Path]:
    """The Python that a command would run with, through links and small shell scripts."""
    real = Path(os.path.realpath(command))
    head = _head(real)
    if head is None or links == 0:
        return
    if not head.startswith("#!"):
        # A Windows launcher is a program; its Python lies beside it.
        if platform == "win32":
            yield real.with_name("python.exe")
        return
    interpreter, *arguments = head.partition("\n")[0][2:].split() or [""]
    name = Path(interpreter).name
    if name == "env":
        name = next((word for word in arguments if not word.startswith("-")), "")
        interpreter = _on_path(name, env) or ""
    if name in _SHELLS:
        # The first `exec` of a long path's launcher, or of a wrapper around the command.
        match = _EXEC.search(head)
        target = next((text for text in match.groups() if text), "") if match else ""
        if Path(target).name.startswith("python"):
            yield Path(target)
        elif target:
            yield from _pythons_behind(Path(target), env, platform, links - 1)
    elif name.lower().startswith("python") and interpreter:
        yield Path(interpreter)


def _on_path(name: str, env: Mapping[str, str]) -> str | None:
    for folder in env.get("PATH", "").split(os.pathsep):
        if folder and (Path(folder) / name).is_file():
            return str(Path(folder) / name)
    return None


def _installed(python: Path, platform: str, person: Path) -> Found | None:
    """What lies beside that Python. Its links stay: an environment is where its Python is named."""
    if not python.is_file():
        return None
    for packages in _package_folders(python, platform, person):
        for info in sorted(packages.glob("[hH]ermes_[aA]gent-*.dist-info"), reverse=True):
            metadata = _head(info / "METADATA")
            version = _VERSION.search(metadata) if metadata is not None else None
            if version is not None:
                return Found(python, version[1], _plugins(packages, info), version[1] in TRIED)
    return None


def _package_folders(python: Path, platform: str, person: Path) -> Iterator[Path]:
    environment = python.parent.parent
    if platform == "win32":
        yield environment / "Lib" / "site-packages"
        return
    for base in (environment, environment / "local", person / ".local"):
        for library in ("lib", "lib64"):
            for packages in ("site-packages", "dist-packages"):
                yield from sorted((base / library).glob(f"python3*/{packages}"), reverse=True)


def _plugins(packages: Path, info: Path) -> Path | None:
    """The bundled providers: installed, or in the checkout that an editable install names."""
    places = [packages]
    with suppress(OSError, ValueError, KeyError, TypeError):
        origin = json.loads((info / "direct_url.json").read_text("utf-8"))
        if origin["dir_info"]["editable"]:
            # Half of the network's modules come with these; hardly anyone needs them here.
            from urllib.parse import urlparse
            from urllib.request import url2pathname

            places.insert(0, Path(url2pathname(urlparse(origin["url"]).path)))
    folders = (place / "plugins" / "memory" for place in places)
    return next((folder for folder in folders if folder.is_dir()), None)


def _head(path: Path) -> str | None:
    """The beginning of a file; None if it cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    except OSError:
        return None
