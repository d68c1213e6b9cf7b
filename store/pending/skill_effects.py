"""What approving a skill record would do to the files, worked out before anything is clicked."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from schema.frozen import frozen
from store.changes import FileChange
from store.home import HermesHome
from store.pending.effects import DiffLine, diff_lines
from store.pending.records import Record
from store.refusals import REFUSALS, AtOperation, Refusal, Unsupported
from store.skills.front_matter import read_front_matter
from store.skills.layout import SKILL_FILE
from store.skills.writes import Create, Edit, Patch, operations_of
from store.skills.writing import MAX_CHARS, Placed, SkillPlan

CONTEXT = 3


@frozen
class FileEffect:
    """One file before and after, None where there is none; `text` is False if it is no text.

    `path` is relative to the home, or absolute outside of it.
    """

    path: str
    before: str | None
    after: str | None
    text: bool = True

    @property
    def diff(self) -> tuple[DiffLine, ...]:
        """Line by line, the whole of both."""
        return diff_lines(self.before or "", self.after or "") if self.text else ()

    def unified(self) -> str:
        """The diff as text, with the names of the file above."""
        old = "/dev/null" if self.before is None else f"a/{self.path}"
        new = "/dev/null" if self.after is None else f"b/{self.path}"
        if not self.text:
            return f"--- {old}\n+++ {new}\n(no text)"
        lines = difflib.unified_diff(
            _lines(self.before), _lines(self.after), old, new, n=CONTEXT, lineterm=""
        )
        return "\n".join(lines) or f"--- {old}\n+++ {new}"


@frozen
class SkillEffect:
    """The outcome of one record, or of several judged together.

    `operation` is the number (from 1) of the operation of a batch that stands in the way. `chars`
    is the size of the file that the last operation leaves, in characters; `limit` what it may
    have. `description` is what SKILL.md says of the skill afterwards.
    """

    ok: bool
    refusal: Refusal | None
    operation: int | None
    files: tuple[FileEffect, ...]
    description: str
    chars: int
    limit: int = MAX_CHARS

    def unified(self) -> str:
        """All diffs, one below the other."""
        return "\n".join(one.unified() for one in self.files)


def effect_on_skills(records: Sequence[Record], plan: SkillPlan, home: HermesHome) -> SkillEffect:
    """What approving these skill records, in this order, would do; all of them or none.

    `plan` is a fresh one (`SkillLibrary.plan`), and holds them afterwards.
    """
    placed = Placed(home.skills, "")
    for record in records:
        if record.skill is None:
            return _refused(record.problem or Unsupported("skill_record"), records)
        done = plan.do(record.skill)
        if isinstance(done, REFUSALS):
            return _refused(done, records)
        placed = done
    files = tuple(_file(one, home) for one in plan.draft.changes() if one.kind == "file")
    heads = [one.after for one in files if Path(one.path).name == SKILL_FILE and one.after]
    described = next((read_front_matter(head).description for head in heads), "")
    return SkillEffect(True, None, None, files, described, len(placed.text))


def _refused(refusal: Refusal, records: Sequence[Record]) -> SkillEffect:
    """What could be told of a write that cannot be: what it says of itself."""
    number = refusal.number if isinstance(refusal, AtOperation) else None
    texts = [_text_of(record) for record in records]
    described = next((read_front_matter(text).description for text in texts if text), "")
    return SkillEffect(False, refusal, number, (), described, max(map(len, texts), default=0))


def _text_of(record: Record) -> str:
    for one in operations_of(record.skill) if record.skill is not None else ():
        match one:
            case Create(content=text) | Edit(content=text):
                return text or ""
            case Patch(new_string=text):
                return text or ""
    return ""


def _file(change: FileChange, home: HermesHome) -> FileEffect:
    path = change.seen.path
    shown = path.relative_to(home.path) if path.is_relative_to(home.path) else path
    texts = [_text(data) for data in (change.seen.data, change.after)]
    if any(
        data is not None and text is None for data, text in zip(_both(change), texts, strict=True)
    ):
        marks = [None if data is None else "" for data in _both(change)]
        return FileEffect(shown.as_posix(), marks[0], marks[1], text=False)
    return FileEffect(shown.as_posix(), texts[0], texts[1])


def _both(change: FileChange) -> tuple[bytes | None, bytes | None]:
    return change.seen.data, change.after


def _text(data: bytes | None) -> str | None:
    try:
        return None if data is None or b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _lines(text: str | None) -> list[str]:
    """The lines as a unified diff has them: a missing line end is said below the last."""
    if not text:
        return []
    *lines, last = text.split("\n")
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines
