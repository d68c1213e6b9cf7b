"""Pinning, archiving and restoring skills as the agent does it, each as one change of the journal.

The folder is moved as a whole, under the agent's lock of its counts. Beside what the agent minds,
exactly the folder that was chosen is meant: where names are shared, the agent would take the first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from schema.frozen import frozen
from store.changes import FileChange, Intent
from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import (
    REFUSALS,
    AlreadyThere,
    Conflict,
    NotFound,
    Protected,
    Refusal,
    SkillInvalid,
    Unreadable,
)
from store.skills.cards import ArchivedSkill, Collection, SkillCard
from store.skills.layout import SKILL_FILE, escapes
from store.skills.library import SkillLibrary
from store.skills.owners import BUILT_IN, SUPPRESSED_FILE, read_names, write_names
from store.skills.telemetry import Usage, read_usage, with_pin, with_state, write_usage
from store.skills.walking import ARCHIVE
from store.transaction import carry_out
from store.trees import look, origin

if TYPE_CHECKING:
    from store.journal import Journal

TARGET = "skills"
Changes = tuple[FileChange, ...]


@frozen
class Kept:
    """Done, as change `change_id`; None if it was so already. `folder` is where the skill is now.

    `also` are other skills that went along, since they lie within it. `clashes` are skills that
    go by the same name where it is now.
    """

    name: str
    folder: Path
    change_id: int | None
    also: tuple[str, ...] = ()
    clashes: tuple[Path, ...] = ()


@frozen
class Obstacles:
    """Why a skill can be neither archived nor (un)pinned as things are; None where it can be."""

    archive: Refusal | None = None
    pin: Refusal | None = None


class Keeper:
    """Changes what becomes of skills. Every call looks again, under the lock."""

    def __init__(
        self,
        home: HermesHome,
        *,
        library: SkillLibrary,
        look: Callable[[], Collection],
        journal: Callable[[], Journal],
        disk: Disk,
        clock: Callable[[], float],
    ) -> None:
        """`look` gives all skills as they are now."""
        self.home = home
        self.disk = disk
        self._library = library
        self._look = look
        self._journal = journal
        self._clock = clock

    def pin(
        self, folder: Path, *, seen: str, pinned: bool = True, wait: float = 10.0
    ) -> Kept | Refusal:
        """Keep the curator, and deletion, away from the skill in `folder`; or no longer.

        `seen` is the name that the person saw there.
        """
        with self._library.locked(wait=wait) as held:
            if held is not None:
                return held
            card = self._card(folder, seen)
            if not isinstance(card, SkillCard):
                return card
            refused = _not_pinned(card)
            if refused is not None:
                return refused
            change = self._counted(
                card.name, lambda usage, now: with_pin(usage, card.name, pinned, now)
            )
            if isinstance(change, REFUSALS):
                return change
            if card.pinned == pinned:
                return Kept(card.name, folder, None)
            action = "pin" if pinned else "unpin"
            return self._done(action, card.name, folder, change)

    def archive(self, folder: Path, *, seen: str, wait: float = 10.0) -> Kept | Refusal:
        """Move the skill in `folder` to the archive. `seen` is the name that the person saw."""
        with self._library.locked(wait=wait) as held:
            if held is not None:
                return held
            found = self._look()
            card = _card_of(found, folder, seen)
            if not isinstance(card, SkillCard):
                return card
            inner = _inside(found, folder)
            refused = self._may_go(card, found, inner)
            if refused is not None:
                return refused
            to = self._free_place(folder.name)
            changes = self._archival(card, found, to)
            if isinstance(changes, REFUSALS):
                return changes
            also = tuple(one.name for one in inner)
            return self._done("archive", card.name, to, changes, also=also)

    def restore(self, folder: Path, *, seen: str, wait: float = 10.0) -> Kept | Refusal:
        """Move exactly this folder of the archive back, to the top of the home's skills.

        `seen` is the name that the person saw.
        """
        with self._library.locked(wait=wait) as held:
            if held is not None:
                return held
            found = self._look()
            skill = next((one for one in found.archived if one.folder == folder), None)
            if skill is None:
                return NotFound("archived_skill", folder.name)
            if not _is_unicode(skill.name, folder.name):
                return SkillInvalid("surrogate", folder.name)
            if skill.name != seen:
                return Conflict(str(folder), seen, skill.name)
            refused = self._may_return(skill, found)
            if refused is not None:
                return refused
            changes = self._return(skill)
            if isinstance(changes, REFUSALS):
                return changes
            clashes = tuple(one.folder for one in _goes_by(found, skill.name, without=folder))
            return self._done("bring_back", skill.name, skill.returns_to, changes, clashes=clashes)

    # -- what stands in the way ------------------------------------------------------------

    def obstacles(self, found: Collection) -> dict[Path, Obstacles]:
        """What would be refused for each skill of `found`, by its folder. Changes nothing."""
        within: dict[Path, list[SkillCard]] = {}
        for card in found.skills:
            for above in card.folder.parents:
                within.setdefault(above, []).append(card)
        away = self._archive_leads_away()
        return {
            card.folder: Obstacles(
                self._stays(card, found, within.get(card.folder, ())) or away, _not_pinned(card)
            )
            for card in found.skills
        }

    def _card(self, folder: Path, seen: str) -> SkillCard | NotFound | Conflict | SkillInvalid:
        return _card_of(self._look(), folder, seen)

    def _may_go(
        self, card: SkillCard, found: Collection, inner: Sequence[SkillCard]
    ) -> Refusal | None:
        return self._stays(card, found, inner) or self._archive_leads_away()

    def _stays(
        self, card: SkillCard, found: Collection, inner: Iterable[SkillCard]
    ) -> Refusal | None:
        books = ("hub",) if found.rules.prune_bundled else ("hub", "bundled")
        refused = found.owners.problem or _never(card) or _owned(card, books, "")
        if refused is not None:
            return refused
        if card.folder == self.home.skills:
            return Protected(card.name, "holds_all")
        if found.usage is None:
            seen = self.disk.read(self._library.usage_file)
            return seen if isinstance(seen, Unreadable) else SkillInvalid("usage", card.name)
        if card.pinned:
            return Protected(card.name, "pinned_here")
        # What lies within goes along, so it must be free to go.
        if any(_never(one) or _owned(one, books, "") or one.pinned for one in inner):
            return Protected(card.name, "holds_kept")
        return None

    def _may_return(self, skill: ArchivedSkill, found: Collection) -> Refusal | None:
        if found.owners.problem is not None:
            return found.owners.problem
        names = {skill.name, skill.returns_to.name}
        if names & found.owners.hub:
            return Protected(skill.name, "back_hub")
        if names & found.owners.bundled and not found.rules.prune_bundled:
            return Protected(skill.name, "back_bundled")
        if os.path.lexists(skill.returns_to):
            return AlreadyThere(skill.name, str(skill.returns_to))
        return self._archive_leads_away()

    def _archive_leads_away(self) -> SkillInvalid | None:
        archive = self.home.skills / ARCHIVE
        return (
            SkillInvalid("path_escapes", str(archive))
            if escapes(archive, self.home.skills)
            else None
        )

    # -- what is written -------------------------------------------------------------------

    def _archival(self, card: SkillCard, found: Collection, to: Path) -> Changes | Refusal:
        """The move, the names that updates leave out, and the record of use."""
        names: Changes | Refusal = ()
        if card.name in found.owners.bundled:
            names = self._suppressed(add=card.name)
        counted: Changes | Refusal = ()
        # A record is about a name, and another of that name may stay.
        if not _goes_by(found, card.name, without=card.folder):
            counted = self._counted(
                card.name, lambda usage, now: with_state(usage, card.name, "archived", now)
            )
        return _joined(self._move(card.folder, to), names, counted)

    def _return(self, skill: ArchivedSkill) -> Changes | Refusal:
        """The same on the way back; damaged records are left as they are."""
        counted: Changes | Refusal = ()
        if skill.name not in BUILT_IN:
            counted = self._counted(
                skill.name, lambda usage, now: with_state(usage, skill.name, "active", now)
            )
        return _joined(
            self._move(skill.folder, skill.returns_to),
            self._suppressed(drop=(skill.name, skill.returns_to.name)),
            () if isinstance(counted, SkillInvalid) else counted,
        )

    def _free_place(self, name: str) -> Path:
        """Where the folder goes; to a name that is taken the agent appends the time in UTC."""
        archive = self.home.skills / ARCHIVE
        now, place = self._clock(), archive / name
        while os.path.lexists(place):
            place = archive / f"{name}-{datetime.fromtimestamp(now, UTC):%Y%m%d%H%M%S}"
            now += 1
        return place

    def _move(self, folder: Path, to: Path) -> Changes | Unreadable:
        changes: Changes = ()
        above = look(self.disk, to.parent, "folder")
        if isinstance(above, Unreadable):
            return above
        if above.data is None:
            changes = (FileChange(above, b"", 0o700, "folder"),)
        moved = origin(self.disk, folder, to, SKILL_FILE)
        return (*changes, FileChange(Content(to, None), moved, kind="moved"))

    def _suppressed(self, *, add: str = "", drop: tuple[str, ...] = ()) -> Changes | Unreadable:
        """The names that an update leaves out."""
        seen = self.disk.read(self.home.skills / SUPPRESSED_FILE)
        if isinstance(seen, Unreadable):
            return seen
        names = (read_names(seen.data) | ({add} if add else set())) - set(drop)
        data = write_names(seen.data, frozenset(names), self.disk.newline)
        return () if data == seen.data else (FileChange(seen, data),)

    def _counted(
        self, name: str, count: Callable[[Usage, float], Usage]
    ) -> Changes | SkillInvalid | Unreadable:
        seen = self.disk.read(self._library.usage_file)
        if isinstance(seen, Unreadable):
            return seen
        usage = read_usage(seen.data)
        data = (
            None if usage is None else write_usage(count(usage, self._clock()), self.disk.newline)
        )
        return SkillInvalid("usage", name) if data is None else (FileChange(seen, data),)

    def _done(
        self,
        action: str,
        name: str,
        folder: Path,
        changes: Changes,
        *,
        also: tuple[str, ...] = (),
        clashes: tuple[Path, ...] = (),
    ) -> Kept | Refusal:
        gone, come = ((name,), ()) if action == "archive" else ((), (name,))
        done = carry_out(
            home=self.home.path,
            disk=self.disk,
            journal=self._journal(),
            intent=Intent("desk", action, TARGET, gone, come),
            changes=changes,
        )
        return done if isinstance(done, REFUSALS) else Kept(name, folder, done, also, clashes)


def _joined(*several: Changes | Refusal) -> Changes | Refusal:
    """All of them, or the first that is refused."""
    joined: Changes = ()
    for one in several:
        if isinstance(one, REFUSALS):
            return one
        joined += one
    return joined


def _card_of(
    found: Collection, folder: Path, seen: str
) -> SkillCard | NotFound | Conflict | SkillInvalid:
    card = next((one for one in found.skills if one.folder == folder), None)
    if card is None:
        return NotFound("skill", seen)
    if not _is_unicode(card.name, card.path):
        return SkillInvalid("surrogate", card.path)  # no record can hold such a name
    return card if card.name == seen else Conflict(str(folder), seen, card.name)


def _never(card: SkillCard) -> Protected | None:
    """Whether nothing may be done to it, whatever the settings."""
    if card.external:
        return Protected(card.name, "external")
    if card.name in BUILT_IN:
        return Protected(card.name, "built_in")
    return Protected(card.name, "linked") if card.linked else None


def _not_pinned(card: SkillCard) -> Protected | None:
    return _never(card) or _owned(card, ("hub", "bundled"), "pin_")


def _owned(card: SkillCard, by: tuple[str, ...], prefix: str) -> Protected | None:
    mine = card.provenance not in by
    return None if mine else Protected(card.name, prefix + card.provenance)


def _inside(found: Collection, folder: Path) -> list[SkillCard]:
    return [
        one for one in found.skills if one.folder != folder and one.folder.is_relative_to(folder)
    ]


def _goes_by(found: Collection, name: str, *, without: Path) -> list[SkillCard]:
    """The other skills of that name, also external ones."""
    return [one for one in found.skills if one.name == name and one.folder != without]


def _is_unicode(*names: str) -> bool:
    """Whether these can be written: a name on disk may be any bytes."""
    try:
        return all(name.encode("utf-8") is not None for name in names)
    except UnicodeEncodeError:
        return False
