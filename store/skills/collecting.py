"""Looks at all skills of a home and makes their cards. Reads only, and never fails."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from schema.frozen import frozen
from store.files import Content, Disk, Mark, mark_of
from store.home import HermesHome
from store.refusals import Unreadable
from store.settings import MemorySettings
from store.skills.cards import ArchivedSkill, Collection, SkillCard
from store.skills.front_matter import named_in, read_front_matter
from store.skills.index import (
    GENERAL,
    Listed,
    build_index,
    category_of,
    described,
    in_order,
    name_in_list,
    short_description,
)
from store.skills.layout import (
    SKILL_FILE,
    SNAPSHOT_FILE,
    USAGE_FILE,
    Root,
    external_roots,
    is_skill_folder,
)
from store.skills.lifecycle import Rules, Use, read_rules, read_use, state_of
from store.skills.offer import Offer, Offered, Surroundings, offered, read_offer
from store.skills.owners import BUILT_IN, Owners, is_managed, read_owners
from store.skills.problems import (
    SkillProblem,
    head_problems,
    link_problems,
    linked_in,
    offer_problems,
)
from store.skills.telemetry import Usage, is_pinned, read_usage
from store.skills.walking import DESCRIPTION_FILE, Walk, archived_in, walk

MOST_BYTES = 4 * 1024 * 1024
"""Of a SKILL.md; a larger one is not read. The agent writes none of a fortieth of that."""
STAMP_DIGITS = 14
"""What the archive appends to a name that it has already: -YYYYMMDDHHMMSS."""

Progress = Callable[[int, int], None]
"""Told how many skills were read, of how many."""


@frozen
class Head:
    """What one SKILL.md says; the same for as long as the file is the same.

    `links` are the files of the skill that it points to.
    """

    name: str
    listed_name: str
    description: str
    short: str
    offer: Offer
    chars: int
    links: tuple[str, ...] = ()
    problems: tuple[SkillProblem, ...] = ()


class Heads:
    """What the files say, remembered for as long as they stay as they are. One caller at a time."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._known: dict[Path, tuple[Mark, Head]] = {}

    def read(self, folder: Path) -> Head:
        """What the SKILL.md in `folder` says; that it cannot be read is a problem of it."""
        mark = mark_of(str(folder / SKILL_FILE))
        known = self._known.get(folder)
        if known is not None and known[0] == mark:
            return known[1]
        head = read_head(folder, disk=self._disk)
        if mark is not None:
            self._known[folder] = mark, head
        return head

    def keep_only(self, folders: Iterable[Path]) -> None:
        """Forget what is no longer there."""
        kept = set(folders)
        self._known = {folder: one for folder, one in self._known.items() if folder in kept}


def read_head(folder: Path, *, disk: Disk) -> Head:
    """Read one SKILL.md as the agent does, in each of its two ways."""
    found = disk.read(folder / SKILL_FILE, at_most=MOST_BYTES)
    if isinstance(found, Unreadable) or found.data is None:
        why = found.detail if isinstance(found, Unreadable) else ""
        unreadable = SkillProblem("unreadable", "bad", (why,))
        return Head(folder.name, folder.name, "", "", Offer(), 0, (), (unreadable,))
    try:
        text = found.data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        lenient = found.data.decode("utf-8", "replace")
        broken = SkillProblem("not_utf8", "bad", (str(error.start),))
        name = named_in(lenient) or folder.name
        return Head(name, folder.name, "", "", Offer(), len(lenient), (), (broken,))
    head = read_front_matter(text)
    offer = read_offer(head.fields)
    return Head(
        named_in(text) or folder.name,
        name_in_list(head.fields, folder.name),
        described(head.fields),
        short_description(head.fields),
        offer,
        len(text),
        linked_in(head.body),
        (*head_problems(text, head), *offer_problems(offer)),
    )


def collect(
    home: HermesHome,
    settings: MemorySettings,
    *,
    heads: Heads,
    disk: Disk,
    env: Mapping[str, str],
    where: Surroundings,
    progress: Progress | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Collection | None:
    """Look at all skills; None when nobody waits for it any more."""
    external = external_roots(home, settings.value("skills.external_dirs"), env)
    walks = [(Root(home.skills), walk(home.skills))]
    walks += [(Root(path, True), walk(path)) for path in external]
    archive = archived_in(home.skills)
    folders = [folder for _, found in walks for folder, _ in found.skills]
    read: dict[Path, Head] = {}
    for number, folder in enumerate((*folders, *archive), 1):
        if is_cancelled():
            return None
        read[folder] = heads.read(folder)
        if progress is not None:
            progress(number, len(folders) + len(archive))
    heads.keep_only(read)
    seen = disk.read(home.skills / USAGE_FILE)
    usage = read_usage(seen.data) if isinstance(seen, Content) else None
    owners = read_owners(home.skills, disk=disk)
    cards = _Cards(
        home,
        replace(where, remembers=_remembers(home, walks[0][1], disk)),
        # Only of the home's own folder the agent keeps a list, in which it forgets environments.
        replace(where, remembers=False),
        owners,
        read_rules(settings),
        usage or {},
        external,
        read,
    )
    descriptions = _descriptions(walks, disk)
    found = [
        cards.found(root, folder, linked)
        for root, walked in walks
        for folder, linked in walked.skills
    ]
    listed = in_order(
        (one.listed for one in found if not one.root.external and one.offered.here != "no"),
        (one.listed for one in found if one.root.external and one.offered.here != "no"),
    )
    shown, by_name = {id(one) for one in listed}, _by_name(found)
    made = [cards.card(one, by_name, is_listed=id(one.listed) in shown) for one in found]
    closed = walks[0][1].closed
    return Collection(
        skills=tuple(sorted(made, key=lambda one: (one.category, one.name, str(one.folder)))),
        archived=tuple(cards.archived(folder) for folder in archive),
        index=build_index(listed, descriptions),
        descriptions=descriptions,
        roots=tuple(root for root, _ in walks),
        owners=owners,
        rules=cards.rules,
        usage=usage,
        closed=tuple(folder for _, walked in walks for folder in walked.closed),
        complete=all(walked.complete for _, walked in walks),
        problem=Unreadable(str(home.skills), "") if home.skills in closed else None,
    )


def name_before_archive(folder: str, name: str) -> str:
    """What a folder in the archive was called; `name` is what its head says."""
    base, dash, stamp = folder.rpartition("-")
    is_stamp = len(stamp) == STAMP_DIGITS and stamp.isascii() and stamp.isdigit()
    return base if base and dash and is_stamp and folder != name else folder


@frozen
class _Found:
    """A skill that was found, before it is known of the others; `root` is where it was found."""

    root: Root
    folder: Path
    linked: bool
    head: Head
    parts: tuple[str, ...]
    offered: Offered
    listed: Listed


@frozen
class _Cards:
    """What all cards of one look share."""

    home: HermesHome
    where: Surroundings
    where_outside: Surroundings
    owners: Owners
    rules: Rules
    usage: Usage
    external: tuple[Path, ...]
    heads: Mapping[Path, Head]

    def found(self, root: Root, folder: Path, linked: bool) -> _Found:
        """What can be told of it alone."""
        head, parts = self.heads[folder], folder.relative_to(root.path).parts
        where = self.where_outside if root.external else self.where
        found = offered((head.listed_name, folder.name), head.offer, where)
        short = "" if found.bare else head.short
        listed = Listed(category_of(parts), head.listed_name, short)
        return _Found(root, folder, linked, head, parts, found, listed)

    def card(
        self, found: _Found, by_name: Mapping[str, list[_Found]], *, is_listed: bool
    ) -> SkillCard:
        """The card of one skill among the others."""
        head, folder = found.head, found.folder
        own = not found.root.external and not self._is_outside(folder)
        record = self.usage.get(head.name) if own else None
        use = read_use(record)
        return SkillCard(
            name=head.name,
            listed_name=head.listed_name,
            folder=folder,
            root=found.root if own else Root(found.root.path, True),
            path="/".join(found.parts),
            category="/".join(found.parts[:-1]),
            description=head.description,
            linked=found.linked,
            provenance=self.owners.of(head.name, record) if own else "user",
            curated=own and not found.linked and self._is_curated(folder, head.name),
            state=state_of(record),
            pinned=own and is_pinned(self.usage, head.name),
            use=use,
            offer=head.offer,
            offered=found.offered,
            line=found.listed.line if is_listed else None,
            chars=head.chars,
            problems=(
                *head.problems,
                *_of_record(record, use),
                *_of_files(folder, head),
                *_clash(found, by_name),
            ),
        )

    def archived(self, folder: Path) -> ArchivedSkill:
        """The card of a skill in the archive."""
        head = self.heads[folder]
        record = self.usage.get(head.name)
        at = record.get("archived_at") if isinstance(record, Mapping) else None
        return ArchivedSkill(
            head.name,
            folder,
            head.description,
            self.home.skills / name_before_archive(folder.name, head.name),
            read_use(record),
            at if isinstance(at, str) else None,
            self.owners.of(head.name, record),
        )

    def _is_outside(self, folder: Path) -> bool:
        """An external folder may lie within the home's own, or be linked there."""
        if not self.external:
            return False
        real = Path(os.path.realpath(folder))
        return any(real.is_relative_to(one) for one in self.external)

    def _is_curated(self, folder: Path, name: str) -> bool:
        if name in self.owners.hub or name in BUILT_IN or not is_skill_folder(folder):
            return False
        if not os.path.exists(folder / SKILL_FILE):
            return False
        if name in self.owners.bundled:
            return self.rules.prune_bundled
        return is_managed(self.usage.get(name))


def _of_record(record: object, use: Use) -> Iterable[SkillProblem]:
    if state_of(record) == "archived":
        yield SkillProblem("archived_here", "warn")
    if use.broken:
        yield SkillProblem("bad_record", "warn")


def _of_files(folder: Path, head: Head) -> Iterable[SkillProblem]:
    if folder.name != head.name:
        yield SkillProblem("name_differs", "info", (folder.name, head.name))
    yield from link_problems(folder, head.links)


def _by_name(found: Iterable[_Found]) -> dict[str, list[_Found]]:
    """Skills by each of the two names that the agent may take them by."""
    by_name: dict[str, list[_Found]] = {}
    for one in found:
        for name in {one.head.name, one.folder.name}:
            by_name.setdefault(name, []).append(one)
    return by_name


def _clash(found: _Found, by_name: Mapping[str, list[_Found]]) -> Iterable[SkillProblem]:
    names = {found.head.name, found.folder.name}
    others = {str(one.folder) for name in names for one in by_name[name] if one is not found}
    if others:
        yield SkillProblem("clash", "warn", tuple(sorted(others)))


def _descriptions(walks: Sequence[tuple[Root, Walk]], disk: Disk) -> dict[str, str]:
    """What categories say of themselves; the home's own word counts first."""
    found: dict[str, str] = {}
    for root, walked in walks:
        for folder in walked.described:
            text = _strictly(disk, folder / DESCRIPTION_FILE)
            said = described(read_front_matter(text).fields)
            name = "/".join(folder.relative_to(root.path).parts) or GENERAL
            if said:
                found.setdefault(name, said)
    return found


def _strictly(disk: Disk, path: Path) -> str:
    found = disk.read(path, at_most=MOST_BYTES)
    data = found.data if isinstance(found, Content) else None
    try:
        return (data or b"").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return ""


def _remembers(home: HermesHome, walked: Walk, disk: Disk) -> bool:
    """Whether the agent's list from last time is still good, by the dates of all its files."""
    found = disk.read(home.path / SNAPSHOT_FILE)
    if not isinstance(found, Content) or found.data is None:
        return False
    try:
        snapshot = json.loads(found.data)
    except (ValueError, RecursionError):
        return False
    if not isinstance(snapshot, dict) or snapshot.get("version") != 1:
        return False
    files = [folder / SKILL_FILE for folder, _ in walked.skills]
    files += [folder / DESCRIPTION_FILE for folder in walked.described]
    manifest = {}
    for path in files:
        mark = mark_of(str(path))
        if mark is not None:
            name = os.path.relpath(path, home.skills)
            manifest[name] = [mark.modified, mark.size]
    return bool(snapshot.get("manifest") == manifest)
