"""All that the Pending page tells of one skill record: what it asks for, and its effect. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.i18n import sentences, tr, trn
from gui.models.pending import Inbox, shown
from gui.models.pending_detail import DiffRow, folded, some
from schema.frozen import frozen
from store.pending.records import Record
from store.refusals import Refusal

if TYPE_CHECKING:
    from store.pending.skill_effects import FileEffect, SkillEffect
    from store.skills.writing import SkillPlan

MOST_COMPARED = 4_000
"""Files with more lines are shown as they come and go, without looking for what stays."""


@frozen
class SkillDetail:
    """One skill record, or an edit of it, with its effect on the files of the skill.

    `rows` are the diffs of all files, each under its name. `warning` is what the agent's scan
    finds although it stops nothing here.
    """

    record: Record
    effect: SkillEffect
    sentence: str
    rows: tuple[DiffRow, ...]
    warning: str = ""

    @property
    def refusal(self) -> Refusal | None:
        """What stands in the way."""
        return self.effect.refusal

    @property
    def ok(self) -> bool:
        """Whether it could be approved now."""
        return self.effect.ok


def skill_detail_of(record: Record, inbox: Inbox) -> SkillDetail:
    """Work out everything about `record` against what is on disk now."""
    from store.pending.skill_effects import effect_on_skills

    plan = inbox.desk.skills.plan()
    effect = effect_on_skills([record], plan, inbox.desk.home)
    rows = [row for file in effect.files for row in _rows(file)]
    if not effect.ok:
        rows = _asked(record)
    return SkillDetail(
        record,
        effect,
        _sentence(record, effect),
        some(rows),
        _scan_words(plan) if effect.ok else "",
    )


def _rows(file: FileEffect) -> list[DiffRow]:
    if file.before is None:
        name = tr("{file} — new", file=file.path)
    elif file.after is None:
        name = tr("{file} — removed", file=file.path)
    else:
        name = file.path
    if not file.text:
        return [DiffRow("head", name), DiffRow("note", tr("It holds no text."))]
    sizes = [(text or "").count("\n") for text in (file.before, file.after)]
    if max(sizes) > MOST_COMPARED:
        old, new = (text.split("\n") if text else [] for text in (file.before, file.after))
        gone = [DiffRow("removed", line) for line in old[:200]]
        return [DiffRow("head", name), *gone, *(DiffRow("added", line) for line in new[:200])]
    return [DiffRow("head", name), *folded(file.diff)]


def _asked(record: Record) -> list[DiffRow]:
    """What a write that cannot be done asks for, as far as it says."""
    from store.skills.writes import Create, Edit, Patch, WriteFile, operations_of

    rows: list[DiffRow] = []
    for one in operations_of(record.skill) if record.skill is not None else ():
        old = new = ""
        file = getattr(one, "file_path", "") or "SKILL.md"
        match one:
            case Create(content=text) | Edit(content=text) | WriteFile(file_content=text):
                new = text or ""
            case Patch(old_string=before, new_string=after):
                old, new = before or "", after or ""
        rows.append(DiffRow("head", f"{one.name}/{file}"))
        rows += [DiffRow("removed", line) for line in old.split("\n") if old]
        rows += [DiffRow("added", line) for line in new.split("\n") if new]
    return rows


def _sentence(record: Record, effect: SkillEffect) -> str:
    from store.skills.writes import SkillBatch

    if not effect.ok:
        return tr("It asks for this:")
    parts = []
    if isinstance(record.skill, SkillBatch):
        count = len(record.skill.operations)
        parts.append(
            trn(
                "{n} operation; it applies or nothing does.",
                "{n} operations: all of them apply, or none.",
                count,
            )
        )
    if effect.description:
        parts.append(tr("What the skill says of itself: “{text}”", text=shown(effect.description)))
    if not effect.files:
        parts.append(tr("Nothing would change."))
    return sentences(*parts) if parts else ""


def _scan_words(plan: SkillPlan) -> str:
    """What the agent's scan of skills calls dangerous in what would be written."""
    from store.skills import guard

    texts = [
        (change.seen.path.name, change.after.decode("utf-8", "replace"))
        for change in plan.draft.changes()
        if change.kind == "file" and change.after is not None
    ]
    hits = ((name, ids) for name, text in texts if (ids := guard.found_in(text)))
    name, ids = next(hits, ("", ()))
    if not ids:
        return ""
    return tr(
        "The agent's scan of skills calls {file} dangerous ({ids}); here it stops nothing.",
        file=name,
        ids=", ".join(ids),
    )
