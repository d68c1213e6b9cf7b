"""What is installed beside Hermes, read from what pip wrote about it. Nothing is imported."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from schema.frozen import frozen
from store.providers.collecting import head

_INFO = re.compile(r"(?P<name>.+?)(?:-(?P<version>[^-]+).*)?\.(?:dist|egg)-info")
_REQUIREMENT = re.compile(
    r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;)@]*)\)?\s*(?:;.*|@.*)?"
)
_CLAUSE = re.compile(r"\s*(===|==|!=|>=|<=|~=|>|<)\s*([0-9A-Za-z.!+*-]+)\s*")
_MAX_BYTES = 256 << 10
_MAX_PACKAGES = 5_000


@frozen
class Package:
    """One installed package; `name` as pip compares names, `info` what pip wrote about it."""

    name: str
    version: str
    info: Path


@frozen
class EntryPoint:
    """What a package offers under `name` in a group; `value` is as it was written."""

    group: str
    name: str
    value: str
    package: Package


def packages_in(folder: Path | None) -> tuple[Package, ...]:
    """Every package that is installed in `folder`, in order."""
    if folder is None:
        return ()
    try:
        names = sorted(os.listdir(folder))[: _MAX_PACKAGES * 4]
    except OSError:
        return ()
    found = ((name, _INFO.fullmatch(name)) for name in names)
    return tuple(
        Package(normal(match["name"]), match["version"] or "", folder / name)
        for name, match in found
        if match is not None
    )[:_MAX_PACKAGES]


def normal(name: str) -> str:
    """A package's name as pip compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def entry_points(packages: Iterable[Package], groups: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """What `packages` offer in these groups."""
    found = []
    for package in packages:
        data = head(package.info / "entry_points.txt", _MAX_BYTES)
        if not isinstance(data, bytes):
            continue
        group = ""
        for raw in data.decode("utf-8", "replace").splitlines():
            line = raw.strip()
            if line.startswith("[") and line.endswith("]"):
                group = line[1:-1].strip()
            elif group in groups and "=" in line and not line.startswith(("#", ";")):
                name, _, value = line.partition("=")
                found.append(EntryPoint(group, name.strip(), value.strip(), package))
    return tuple(found)


def place_of(point: EntryPoint, folder: Path) -> Path | None:
    """The module's folder or file that an entry point names, without importing it."""
    module = re.split(r"[:\s\[]", point.value, maxsplit=1)[0]
    if not re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", module):
        return None
    for base in (folder, *_editable(point.package)):
        place = base.joinpath(*module.split("."))
        if os.path.isfile(place / "__init__.py"):
            return place
        if os.path.isfile(f"{place}.py"):
            return place.with_name(place.name + ".py")
    return None


def _editable(package: Package) -> tuple[Path, ...]:
    """The folder of a package that is worked on where it lies."""
    data = head(package.info / "direct_url.json", _MAX_BYTES)
    with suppress(ValueError, KeyError, TypeError):
        origin = json.loads(data) if isinstance(data, bytes) else {}
        if origin["dir_info"]["editable"]:
            from urllib.parse import urlparse
            from urllib.request import url2pathname

            place = Path(url2pathname(urlparse(origin["url"]).path))
            return place, place / "src"
    return ()


def missing(requirements: Iterable[str], packages: Iterable[Package]) -> tuple[str, ...]:
    """Those of `requirements` that no package meets, as they were written.

    One that is of no form known here, or that holds only in some surroundings, is not called so.
    """
    have: dict[str, str] = {package.name: package.version for package in packages}
    lacking = []
    for requirement in requirements:
        match = _REQUIREMENT.fullmatch(requirement)
        if match is None or ";" in requirement:
            continue
        version = have.get(normal(match[1]))
        if version is None or not _meets(version, match[2]):
            lacking.append(requirement.strip())
    return tuple(lacking)


def _meets(version: str, wanted: str) -> bool:
    """Whether a version is in all ranges, as far as plain numbers tell."""
    have = _numbers(version)
    for clause in wanted.split(","):
        match = _CLAUSE.fullmatch(clause)
        if match is None or have is None:
            continue
        operator, limit = match[1], _numbers(match[2].removesuffix(".*"))
        if limit is None:
            continue
        size = max(len(have), len(limit))
        one, other = have + (0,) * (size - len(have)), limit + (0,) * (size - len(limit))
        starts = have[: len(limit)] == limit
        if not {
            "==": starts if match[2].endswith(".*") else one == other,
            "===": one == other,
            "!=": not (starts if match[2].endswith(".*") else one == other),
            ">=": one >= other,
            "<=": one <= other,
            ">": one > other,
            "<": one < other,
            "~=": one >= other and have[: len(limit) - 1] == limit[:-1],
        }[operator]:
            return False
    return True


def _numbers(version: str) -> tuple[int, ...] | None:
    match = re.match(r"(?:\d+!)?(\d{1,9}(?:\.\d{1,9})*)", version)
    return tuple(map(int, match[1].split("."))) if match else None


def on_path(name: str, env: Mapping[str, str], person: Path) -> Path | None:
    """A program of that name, on PATH or where such programs are put; it is not run."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", name):
        return None
    folders = [Path(part) for part in env.get("PATH", "").split(os.pathsep) if part]
    # Where Hermes itself looks too (hermes-formats §6.4).
    folders += [
        person / f".{name}-cli" / "bin",
        person / ".local" / "bin",
        person / ".npm-global" / "bin",
        Path("/usr/local/bin"),
    ]
    endings = ("", ".exe", ".cmd", ".bat") if os.name == "nt" else ("",)
    for folder in folders:
        for ending in endings:
            place = folder / (name + ending)
            if os.path.isfile(place) and (os.name == "nt" or os.access(place, os.X_OK)):
                return place
    return None
