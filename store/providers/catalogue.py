"""Every memory provider that there is, and whether it could be used. Reads plugins, runs none."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from schema.frozen import frozen
from schema.providers import ProviderSchema
from store.hermes import Found, packages_of
from store.providers.catalogue_row import Reason, Row, Source, State
from store.providers.collecting import looks_like_provider
from store.providers.declarations import label_of, syntax_error
from store.providers.installed import Package, entry_points, missing, packages_in, place_of
from store.providers.manifest import Manifest, read_manifest
from store.providers.rules import (
    BUNDLED,
    GENERAL_GROUP,
    OWN_GROUP,
    PROJECT_SWITCH,
    Rules,
    is_provider_name,
    rules_of,
)
from store.providers.sources import environment_truth

_ORDER: Final[tuple[Source, ...]] = ("bundled", "declared", "user", "project", "package")
_MAX_FOLDERS = 1_000


@frozen
class Candidate:
    """A provider where it lies. `stops` is why this Hermes would not load it, None if it would."""

    name: str
    source: Source
    path: Path | None
    stops: tuple[State, Reason] | None = None


@frozen
class Surroundings:
    """What is the same for all providers of one look."""

    found: Found | None
    rules: Rules
    packages_folder: Path | None
    packages: tuple[Package, ...]


def surroundings(found: Found | None, env: Mapping[str, str]) -> Surroundings:
    """What lies beside the installed Hermes."""
    folder = None if found is None else packages_of(found, env=env)
    return Surroundings(found, rules_of(found), folder, packages_in(folder))


def candidates(
    around: Surroundings, *, home: Path, project: Path, env: Mapping[str, str]
) -> tuple[Candidate, ...]:
    """Every provider of every place (hermes-formats §6.1), those of one name in their order."""
    every = [
        *_bundled(around),
        *_in_home(home),
        *_in_project(around, project / ".hermes" / "plugins", home, env),
        *_of_packages(around),
    ]
    return tuple(sorted(every, key=lambda one: (one.name, _ORDER.index(one.source))))


def winners(every: tuple[Candidate, ...]) -> dict[str, Candidate]:
    """By name the one that Hermes loads: the first that nothing stops."""
    found: dict[str, Candidate] = {}
    for one in every:
        if one.stops is None:
            found.setdefault(one.name, one)
    return found


def _bundled(around: Surroundings) -> Iterator[Candidate]:
    folder = None if around.found is None else around.found.plugins_dir
    if folder is None:
        yield from (Candidate(name, "declared", None) for name in BUNDLED)
        return
    for name in _folders(folder):
        if os.path.exists(folder / name / "__init__.py"):
            yield Candidate(name, "bundled", folder / name)


def bundled_at(around: Surroundings, name: str) -> Candidate | None:
    """The provider of Hermes of that name; it wins over every other."""
    return next((one for one in _bundled(around) if one.name == name), None)


def _in_home(home: Path) -> Iterator[Candidate]:
    for name in _folders(home / "plugins"):
        yield from _in_folder(home / "plugins" / name, "user", None)


def _in_project(
    around: Surroundings, folder: Path, home: Path, env: Mapping[str, str]
) -> Iterator[Candidate]:
    if os.path.realpath(folder) == os.path.realpath(home / "plugins"):
        return
    stops = None
    if not around.rules.project:
        stops = _not_loaded("place", around)
    elif not environment_truth(env.get(PROJECT_SWITCH, "")):
        stops = "not_loaded", Reason("project_switch", (PROJECT_SWITCH,))
    for name in _folders(folder):
        yield from _in_folder(folder / name, "project", stops)


def _in_folder(
    path: Path, source: Source, stops: tuple[State, Reason] | None
) -> Iterator[Candidate]:
    looks = looks_like_provider(path)
    if looks is False:
        return
    if isinstance(looks, str):
        stops = "broken", Reason("unreadable", ("__init__.py", looks))
    elif not is_provider_name(path.name):
        stops = "broken", Reason("bad_name", (path.name,))
    yield Candidate(path.name, source, path, stops)


def _of_packages(around: Surroundings) -> Iterator[Candidate]:
    folder = around.packages_folder
    if folder is None:
        return
    named = set()
    for point in entry_points(around.packages, (OWN_GROUP, GENERAL_GROUP)):
        place = place_of(point, folder)
        own = point.group == OWN_GROUP
        if point.name in named or (not own and (place is None or not _is_one(place))):
            continue
        named.add(point.name)
        stops = None
        if not (around.rules.packages if own else around.rules.plugins):
            stops = _not_loaded("package", around, point.package.name)
        elif place is None:
            stops = "broken", Reason("no_module", (point.value,))
        if not is_provider_name(point.name):
            stops = "broken", Reason("bad_name", (point.name,))
        yield Candidate(point.name, "package", place, stops)


def _is_one(place: Path) -> bool:
    if os.path.isdir(place):
        return looks_like_provider(place) is True
    from store.providers.collecting import FIRST_CHARS, head

    beginning = head(place, FIRST_CHARS * 4)
    return isinstance(beginning, bytes) and b"emory_provider" in beginning


def _not_loaded(what: str, around: Surroundings, *names: str) -> tuple[State, Reason]:
    version = "" if around.found is None else around.found.version
    return "not_loaded", Reason(f"{what}_not_read", (version, *names))


def _folders(folder: Path) -> list[str]:
    """The names of the folders in `folder`, links to folders among them, as Hermes lists them."""
    try:
        with os.scandir(folder) as listing:
            names = [
                entry.name
                for entry in listing
                if not entry.name.startswith(("_", ".")) and _is_folder(entry)
            ]
    except OSError:
        return []
    return sorted(names)[:_MAX_FOLDERS]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def plain_row(
    one: Candidate, schema: ProviderSchema, *, active: bool, shadowed_by: str = ""
) -> Row:
    """A row for a candidate before its settings are looked at."""
    manifest = Manifest() if one.path is None else read_manifest(one.path)
    row = Row(
        name=one.name,
        label=schema.label or label_of(one.name),
        source=one.source,
        path=one.path,
        state="ready",
        active=active,
        shadowed_by=shadowed_by,
        version=manifest.version,
        description=manifest.description or schema.description,
    )
    if one.stops is not None:
        return replace(row, state=one.stops[0], reason=one.stops[1])
    if shadowed_by:
        return replace(row, state="shadowed", reason=Reason("shadowed", (shadowed_by,)))
    own = one.path is None or one.source == "bundled"
    wrong = None if own or one.path is None else syntax_error(one.path)
    if wrong is not None:
        return replace(row, state="broken", reason=Reason("syntax", (wrong[0], str(wrong[1]))))
    return row


def judged(
    row: Row,
    *,
    around: Surroundings,
    packages: tuple[str, ...],
    also: tuple[str, ...],
    programs: tuple[str, ...],
    lacks: Reason | None,
) -> Row:
    """The row with what its settings and dependencies say.

    `packages` are those of its manifest, `also` what it needs as it is set and nobody installs.
    """
    if row.state != "ready":
        return row
    lazy = row.source == "bundled" and row.name in around.rules.installs
    absent = missing(packages, around.packages)
    notes = (*row.notes, *((Reason("installs_itself", absent),) if absent and lazy else ()))
    row = replace(row, notes=notes)
    if around.found is None:
        if lacks is not None:
            return replace(row, state="needs_config", reason=lacks)
        return replace(row, state="not_installed", reason=Reason("hermes"))
    absent = (*(() if lazy else absent), *missing(also, around.packages))
    if absent:
        return replace(row, state="not_installed", reason=Reason("package", absent))
    if programs:
        return replace(row, state="not_installed", reason=Reason("program", programs))
    if lacks is not None:
        return replace(row, state="needs_config", reason=lacks)
    return replace(row, state="active") if row.active else row


def missing_row(name: str, home: Path) -> Row:
    """The row of a provider that config.yaml names and that is nowhere."""
    good = is_provider_name(name)
    folder = home / "plugins" / name if good else None
    reason = Reason("not_found", (name,)) if good else Reason("bad_name", (name,))
    if folder is not None and os.path.isdir(folder):
        reason = Reason("not_a_provider", (str(folder),))
    return Row(name, name, "user", folder, "missing", reason, active=True)
