"""Where skills are kept, and which one a name means (hermes-formats §10.1).

The agent's tools find a skill by the name of its folder; lists and usage records go by the name
that its head gives. Where the two disagree, or a name means several, the desk says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from schema.frozen import frozen
from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import NotFound, SeveralPlaces
from store.skills.front_matter import named_in

SKILL_FILE = "SKILL.md"
USAGE_FILE = ".usage.json"
SNAPSHOT_FILE = ".skills_prompt_snapshot.json"
"""A cache of the agent in its home, which it removes whenever it writes to a skill."""

SUPPORT = ("references", "templates", "scripts", "assets")
"""Folders of a skill for its supporting files; what looks like a skill in them is none."""

EXCLUDED = frozenset(
    {".git", ".github", ".hub", ".archive", ".venv", "venv", "node_modules", "site-packages"}
    | {"__pycache__", ".tox", ".nox", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)
"""Names of folders in which no skill is looked for."""

_VARIABLE = re.compile(r"\$(?:(\w+)|\{([^}]*)\})")


@frozen
class Root:
    """A folder of skills; the home's own, or an `external` one that config.yaml names."""

    path: Path
    external: bool = False


@frozen
class Skill:
    """One skill: its folder, and the root it was found in."""

    folder: Path
    root: Root

    @property
    def file(self) -> Path:
        """Its SKILL.md."""
        return self.folder / SKILL_FILE

    @property
    def name(self) -> str:
        """The name by which the agent's tools find it."""
        return self.folder.name


class Shelf:
    """The skills of one home as they were at one moment; names in their heads are read on demand.

    `roots` in the agent's order, the home's own first.
    """

    def __init__(self, roots: tuple[Root, ...], skills: tuple[Skill, ...], *, disk: Disk) -> None:
        self.roots = roots
        self.skills = skills
        self._disk = disk
        self._named: dict[Path, str] = {}

    def named(self, skill: Skill) -> str:
        """The name in the head of a skill, else that of its folder."""
        known = self._named.get(skill.folder)
        if known is None:
            found = self._disk.read(skill.file)
            data = found.data if isinstance(found, Content) else None
            known = named_in((data or b"").decode("utf-8", "replace")) or skill.name
            self._named[skill.folder] = known
        return known

    def find(self, name: str) -> Skill | NotFound | SeveralPlaces:
        """The one skill that `name` means to the agent's tools.

        Refused where several folders have that name, and where another skill calls itself so:
        its usage would be mixed up with that of the one that is changed.
        """
        found = [skill for skill in self.skills if skill.name == name]
        if not found:
            return NotFound("skill", name)
        others = [one for one in self.skills if one.name != name and self.named(one) == name]
        if len(found) > 1 or others:
            places = tuple(str(skill.folder) for skill in (*found, *others))
            return SeveralPlaces("skill", name, len(places), places)
        return found[0]


def read_shelf(
    home: HermesHome, external: object, *, disk: Disk, env: Mapping[str, str] = os.environ
) -> Shelf:
    """Look for every skill of the home. `external` is what config.yaml says in external_dirs."""
    own = Root(home.skills)
    roots = (own, *(Root(path, True) for path in external_roots(home, external, env)))
    skills = [Skill(folder, root) for root in roots for folder in _folders(root.path)]
    return Shelf(roots, tuple(skills), disk=disk)


def external_roots(home: HermesHome, value: object, env: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders that `skills.external_dirs` names and that are there, each once."""
    entries = [value] if isinstance(value, str) else value
    found: dict[Path, None] = {}
    for entry in entries if isinstance(entries, list) else ():
        text = _VARIABLE.sub(lambda m: env.get(m[1] or m[2], m[0]), str(entry).strip())
        if not text:
            continue
        path = Path(os.path.realpath(home.path / os.path.expanduser(text)))
        if path != Path(os.path.realpath(home.skills)) and os.path.isdir(path):
            found[path] = None
    return tuple(found)


def is_skill_folder(folder: Path) -> bool:
    """Whether the agent would take the SKILL.md in `folder` for a skill."""
    parts = folder.parts
    if EXCLUDED.intersection(parts):
        return False
    inside = [n for n, part in enumerate(parts) if part in SUPPORT and n > 0]
    return not any(os.path.exists(Path(*parts[:n], SKILL_FILE)) for n in inside)


def escapes(path: Path, folder: Path) -> bool:
    """Whether `path`, with all links followed, leads out of `folder`."""
    try:
        return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    except (OSError, ValueError):
        return True


def _folders(root: Path) -> Iterator[Path]:
    """The folders with a SKILL.md below `root`, links not followed, in the order of their names."""
    for place, folders, files in os.walk(root):
        folder = Path(place)
        here = SKILL_FILE in files and os.path.exists(folder / SKILL_FILE)
        if here and is_skill_folder(folder):
            yield folder
        hidden = EXCLUDED | set(SUPPORT) if here else EXCLUDED
        folders[:] = sorted(name for name in folders if name not in hidden)
