"""What a write to a skill would do, by the rules of the agent (hermes-formats §3.6).

Nothing is written here: a write is planned on a `Draft`, whose changes are carried out as those of
the memory files are. Where the agent would refuse, so does the plan, and with the same patience:
what it allows a person to approve is allowed here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import assert_never

from schema.frozen import frozen
from store.changes import FileChange
from store.files import Content, Disk
from store.refusals import (
    REFUSALS,
    AlreadyThere,
    AtOperation,
    MissingField,
    NotFound,
    Protected,
    Refusal,
    SeveralPlaces,
    SingleRefusal,
    SkillInvalid,
    TooBig,
    Unreadable,
    Unsupported,
)
from store.skills import guard
from store.skills.draft import Draft
from store.skills.front_matter import check_front_matter
from store.skills.layout import SKILL_FILE, SUPPORT, Shelf, Skill, escapes
from store.skills.matching import Patched, patched
from store.skills.telemetry import (
    Usage,
    counted_patch,
    forgotten,
    is_pinned,
    read_usage,
    write_usage,
)
from store.skills.writes import (
    Create,
    Delete,
    Edit,
    Patch,
    RemoveFile,
    SkillBatch,
    SkillOperation,
    SkillWrite,
    UnknownWrite,
    WriteFile,
    missing_field,
    operations_of,
)

MAX_CHARS = 100_000
"""Of a SKILL.md, and of any file that is written."""
MAX_BYTES = 1_048_576
MAX_NAME = 64

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


@frozen
class Placed:
    """Where a write landed: the file that it is about, as it would be. Empty for a delete."""

    path: Path
    text: str


class SkillPlan:
    """Writes to skills, one after the other, on one draft.

    `guarded`: the agent scans what it writes itself (`skills.guard_agent_created`). A write that
    is refused changes nothing of the plan.
    """

    def __init__(
        self, shelf: Shelf, usage: Content | Unreadable, *, disk: Disk, guarded: bool
    ) -> None:
        self.draft = Draft(disk)
        self.usage = usage
        self.records: Usage | None = None
        if isinstance(usage, Content):
            self.records = read_usage(usage.data)
        self._shelf = shelf
        self._disk = disk
        self._guarded = guarded
        self._counts: list[tuple[bool, str]] = []

    def do(self, write: SkillWrite) -> Placed | Refusal:
        """Plan one write, all of a batch or nothing; where it ends up, or why it cannot be."""
        before, counts = self.draft.saved(), list(self._counts)
        done = self._do_all(write)
        if isinstance(done, REFUSALS):
            self.draft.go_back(before)
            self._counts = counts
        return done

    def _do_all(self, write: SkillWrite) -> Placed | Refusal:
        operations = operations_of(write)
        placed: Placed | SingleRefusal = MissingField("operations")
        for number, operation in enumerate(operations, 1):
            placed = missing_field(operation) or self._do(operation)
            if isinstance(placed, REFUSALS):
                if isinstance(write, SkillBatch):
                    return AtOperation(number, operation.action, placed)
                return placed
        return placed

    def changes(self, now: float) -> tuple[FileChange, ...]:
        """All that is to be written, the agent's counts last; `now` in UTC seconds."""
        return (*self.draft.changes(), *self._counted(now))

    def _counted(self, now: float) -> Iterable[FileChange]:
        usage = self.records
        if usage is None or isinstance(self.usage, Unreadable):
            return  # a damaged file is left alone; the agent, too, never fails for its counts
        for deleted, name in self._counts:
            usage = forgotten(usage, name) if deleted else counted_patch(usage, name, now)
        if usage != self.records:
            data = write_usage(usage, self._disk.newline)
            if data is not None:
                yield FileChange(self.usage, data)

    def _do(self, operation: SkillOperation) -> Placed | SingleRefusal:
        match operation:
            case Create():
                return self._create(operation)
            case Edit():
                return self._edit(operation)
            case Patch():
                return self._patch(operation)
            case WriteFile():
                return self._write_file(operation)
            case RemoveFile():
                return self._remove_file(operation)
            case Delete():
                return self._delete(operation)
            case UnknownWrite(action):
                return Unsupported("unknown_action", action)
            case _:
                assert_never(operation)

    # -- the actions ---------------------------------------------------------------------

    def _create(self, write: Create) -> Placed | SingleRefusal:
        text = write.content or ""
        refused = check_name(write.name) or check_category(write.category) or _check_skill(text)
        if refused is not None:
            return refused
        existing = self._find(write.name)
        if isinstance(existing, Skill):
            return AlreadyThere(write.name, str(existing.folder))
        if isinstance(existing, SeveralPlaces) and existing.places:
            return AlreadyThere(write.name, existing.places[0])
        root = self._shelf.roots[0]
        folder = (
            root.path / write.category / write.name if write.category else root.path / write.name
        )
        if self.draft.exists(folder / SKILL_FILE):
            return AlreadyThere(write.name, str(folder))
        if escapes(folder / SKILL_FILE, root.path):
            return SkillInvalid("path_escapes", str(folder))
        return self._put(Skill(folder, root), folder / SKILL_FILE, text, SKILL_FILE)

    def _edit(self, write: Edit) -> Placed | SingleRefusal:
        text = write.content or ""
        refused = _check_skill(text)
        if refused is not None:
            return refused
        skill = self._find(write.name)
        if not isinstance(skill, Skill):
            return skill
        if escapes(skill.file, skill.folder):
            return SkillInvalid("path_escapes", SKILL_FILE)
        before = self._text(skill.file)
        if isinstance(before, Unreadable):
            return before
        self._counts.append((False, write.name))
        return self._put(skill, skill.file, text, SKILL_FILE)

    def _patch(self, write: Patch) -> Placed | SingleRefusal:
        skill = self._find(write.name)
        if not isinstance(skill, Skill):
            return skill
        place = _place(skill, write.file_path) if write.file_path else skill.file
        if isinstance(place, SkillInvalid):
            return place
        label = write.file_path or SKILL_FILE
        if escapes(place, skill.folder):
            return SkillInvalid("path_escapes", label)
        before = self._text(place)
        if before is None:
            return NotFound("skill_file", label)
        if isinstance(before, Unreadable):
            return before
        done = patched(
            before,
            write.old_string or "",
            write.new_string or "",
            everywhere=write.replace_all,
            file=label,
        )
        if not isinstance(done, Patched):
            return done
        refused = _check_chars(done.text, label) or (
            None if write.file_path else check_front_matter(done.text)
        )
        if refused is not None:
            return refused
        self._counts.append((False, write.name))
        return self._put(skill, place, done.text, label)

    def _write_file(self, write: WriteFile) -> Placed | SingleRefusal:
        text = write.file_content or ""
        refused = check_path(write.file_path) or _check_unicode(text, write.file_path)
        if refused is not None:
            return refused
        size = len(text.encode())
        if size > MAX_BYTES:
            return TooBig("bytes", size, MAX_BYTES)
        if (too_big := _check_chars(text, write.file_path)) is not None:
            return too_big
        skill = self._find(write.name)
        if not isinstance(skill, Skill):
            return skill
        place = _place(skill, write.file_path)
        if isinstance(place, SkillInvalid):
            return place
        before = self._text(place)
        if isinstance(before, Unreadable):
            return before
        self._counts.append((False, write.name))
        return self._put(skill, place, text, write.file_path)

    def _remove_file(self, write: RemoveFile) -> Placed | SingleRefusal:
        refused = check_path(write.file_path)
        if refused is not None:
            return refused
        skill = self._find(write.name)
        if not isinstance(skill, Skill):
            return skill
        place = _place(skill, write.file_path)
        if isinstance(place, SkillInvalid):
            return place
        before = self.draft.read(place)
        if before is None:
            return NotFound("skill_file", write.file_path)
        if isinstance(before, Unreadable):
            return (
                SkillInvalid("path_is_folder", write.file_path) if os.path.isdir(place) else before
            )
        failed = self.draft.remove(place)
        if (
            failed is None
            and place.parent != skill.folder
            and not self.draft.names_in(place.parent)
        ):
            failed = self.draft.remove_folder(place.parent)
        if failed is not None:
            return failed
        self._counts.append((False, write.name))
        return Placed(place, "")

    def _delete(self, write: Delete) -> Placed | SingleRefusal:
        skill = self._find(write.name)
        if not isinstance(skill, Skill):
            return skill
        if isinstance(self.usage, Unreadable):
            return self.usage
        if self.records is None:
            return SkillInvalid("usage", write.name)
        if is_pinned(self.records, write.name):
            return Protected(write.name, "pinned")
        if write.absorbed_into:
            if write.absorbed_into == write.name:
                return SkillInvalid("absorbs_itself", write.name)
            if isinstance(self._find(write.absorbed_into), NotFound):
                return NotFound("absorbing_skill", write.absorbed_into)
        if skill.folder == skill.root.path:
            return Protected(write.name, "root")
        if os.path.islink(skill.folder) or escapes(skill.folder, skill.root.path):
            return Protected(write.name, "link")
        failed: Unreadable | TooBig | None = self.draft.remove_tree(skill.folder)
        above = skill.folder.parent
        if failed is None and above != skill.root.path and not self.draft.names_in(above):
            failed = self.draft.remove_folder(above)
        if failed is not None:
            return failed
        self._counts.append((True, write.name))
        return Placed(skill.folder, "")

    # -- what they share -----------------------------------------------------------------

    def _find(self, name: str) -> Skill | NotFound | SeveralPlaces:
        """The skill that `name` means, those that this plan makes and deletes taken in."""
        found = self._shelf.find(name)
        if isinstance(found, Skill):
            return found if self.draft.exists(found.file) else self._new(name)
        return self._new(name) if isinstance(found, NotFound) else found

    def _new(self, name: str) -> Skill | NotFound:
        for path in self.draft.files_named(SKILL_FILE):
            if path.parent.name == name:
                root = next(one for one in self._shelf.roots if path.is_relative_to(one.path))
                return Skill(path.parent, root)
        return NotFound("skill", name)

    def _text(self, path: Path) -> str | Unreadable | None:
        """A file as the agent reads it: UTF-8, any line end as LF."""
        data = self.draft.read(path)
        if data is None or isinstance(data, Unreadable):
            return data
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            return Unreadable(str(path), "utf-8", byte=error.start)
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _put(self, skill: Skill, path: Path, text: str, label: str) -> Placed | SingleRefusal:
        refused = _check_unicode(text, label)
        if refused is not None:
            return refused
        failed = self.draft.write(path, text.replace("\n", self._disk.newline).encode())
        if failed is not None:
            return failed
        hit = guard.scan(self.draft, skill.folder) if self._guarded else None
        return hit or Placed(path, text)


def check_name(name: str) -> SkillInvalid | None:
    """Why no new skill may have that name, or None."""
    fits = len(name) <= MAX_NAME and _NAME.fullmatch(name)
    return None if fits else SkillInvalid("name", name)


def check_category(category: str | None) -> SkillInvalid | None:
    """Why that is no category, or None; blanks around it are no matter to the agent."""
    inner = (category or "").strip()
    fits = not inner or (len(inner) <= MAX_NAME and _NAME.fullmatch(inner))
    return None if fits else SkillInvalid("category", category or "")


def check_path(file_path: str) -> SkillInvalid | None:
    """Why that is no place for a file of a skill, or None."""
    parts = Path(file_path).parts
    if "\0" in file_path:
        return SkillInvalid("path_escapes", file_path)
    if ".." in parts:
        return SkillInvalid("path_climbs", file_path)
    if parts and parts[-1] == SKILL_FILE and len(parts) <= 2:
        return None
    if len(parts) < 2 or parts[0] not in SUPPORT:
        return SkillInvalid("path_place", file_path)
    return None


def _place(skill: Skill, file_path: str) -> Path | SkillInvalid:
    """Where a file of the skill stands, if that is inside of it."""
    refused = check_path(file_path)
    if refused is not None:
        return refused
    path = skill.folder / file_path
    return SkillInvalid("path_escapes", file_path) if escapes(path, skill.folder) else path


def _check_skill(text: str) -> MissingField | SkillInvalid | TooBig | None:
    return check_front_matter(text) or _check_chars(text, SKILL_FILE)


def _check_chars(text: str, label: str) -> TooBig | None:
    return TooBig(label, len(text), MAX_CHARS) if len(text) > MAX_CHARS else None


def _check_unicode(text: str, label: str) -> SkillInvalid | None:
    """Half of a character, as JSON can spell it, cannot be written."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return SkillInvalid("surrogate", label)
    return None
