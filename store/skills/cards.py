"""Skills as values for a list, a page or a script: what is known of each at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from schema.frozen import frozen
from store.refusals import ScanHit, Unreadable
from store.skills.index import Index
from store.skills.layout import Root
from store.skills.lifecycle import Rules, State, Use
from store.skills.offer import Offer, Offered
from store.skills.owners import Owners, Provenance
from store.skills.problems import SkillProblem
from store.skills.telemetry import Usage


@frozen
class SkillCard:
    """One skill. `name` is what usage and the curator know it by, `folder` which one it is.

    `path` is the folder's below its root, with `/`; `category` what that puts it in, empty for
    none. `linked`: a link led there, so only the index sees it. `line` is how the model's list
    shows it, None if it does not. `curated`: the curator may age it.
    """

    name: str
    listed_name: str
    folder: Path
    root: Root
    path: str
    category: str
    description: str
    linked: bool
    provenance: Provenance
    curated: bool
    state: State
    pinned: bool
    use: Use
    offer: Offer
    offered: Offered
    line: str | None
    chars: int
    problems: tuple[SkillProblem, ...]

    @property
    def external(self) -> bool:
        """Whether it is kept outside of the home, where nothing is changed."""
        return self.root.external


@frozen
class ArchivedSkill:
    """A skill in the archive; `returns_to` is where restoring brings it."""

    name: str
    folder: Path
    description: str
    returns_to: Path
    use: Use
    archived_at: str | None
    provenance: Provenance


@frozen
class SkillFile:
    """A file of a skill. `path` is below its folder; `linked`: SKILL.md points to it."""

    path: str
    size: int | None
    linked: bool

    @property
    def there(self) -> bool:
        """Whether there is such a file."""
        return self.size is not None


@frozen
class SkillDetail:
    """One skill in full: the text of its SKILL.md, its files, and what the agent's scan says.

    `body` is what stands below the front matter. `scan` counts only where
    `skills.guard_agent_created` is on, and is about what the agent writes itself.
    """

    card: SkillCard
    text: str
    body: str
    files: tuple[SkillFile, ...]
    scan: ScanHit | None
    guarded: bool


@frozen
class Category:
    """The skills of one category, and what it says of itself. An empty name is for none."""

    name: str
    description: str
    skills: tuple[SkillCard, ...]


@frozen
class Collection:
    """Everything known of a home's skills.

    `index` is the list that the next session gets if it has every tool that a skill asks for.
    `usage` are the agent's records by name, None if they are damaged. `closed` are folders that
    could not be looked into, `complete` is False where there are more than can be looked at.
    `problem` is why there is nothing to show.
    """

    skills: tuple[SkillCard, ...]
    archived: tuple[ArchivedSkill, ...]
    index: Index
    descriptions: Mapping[str, str]
    roots: tuple[Root, ...]
    owners: Owners
    rules: Rules
    usage: Usage | None
    closed: tuple[Path, ...] = ()
    complete: bool = True
    problem: Unreadable | None = None

    def categories(self) -> tuple[Category, ...]:
        """The tree: by category, those of none first."""
        by_name: dict[str, list[SkillCard]] = {}
        for card in self.skills:
            by_name.setdefault(card.category, []).append(card)
        return tuple(
            Category(name, self.descriptions.get(name, ""), tuple(by_name[name]))
            for name in sorted(by_name)
        )

    def meant_by(self, name: str) -> tuple[SkillCard, ...]:
        """The skills that a person may mean: by path exactly, else by any of their names."""
        given = name.strip().rstrip("/")
        exact = [one for one in self.skills if given in (one.path, str(one.folder))]
        own = [one for one in exact if not one.external]
        if exact and "/" in given:
            return tuple(own or exact)
        names = [one for one in self.skills if given in (one.name, one.listed_name)]
        return tuple(names or [one for one in self.skills if one.folder.name == given])

    def archived_as(self, name: str) -> tuple[ArchivedSkill, ...]:
        """Those in the archive that a person may mean: a folder exactly, else by name."""
        given = name.strip().rstrip("/")
        exact = [one for one in self.archived if given in (one.folder.name, str(one.folder))]
        return tuple(exact or [one for one in self.archived if one.name == given])
