"""What the commands on the approval queue tell of records: of memory, and of skills."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gui.commands.answers import indented, refusal_data
from gui.i18n import tr, trn
from gui.words import ACTIONS, ORIGINS, SKILL_ACTIONS, excerpt, file_name, say, word
from store.memory.budget import approximate_tokens, usage_line
from store.memory.entries import DELIMITER
from store.memory.state import MemoryState
from store.pending.effects import Effect, effect_of, unified
from store.pending.queue import Listing
from store.pending.records import Record, UnusableRecord
from store.refusals import REFUSALS, Refusal, Unsupported

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target
    from store.pending.skill_effects import SkillEffect

States = dict["Target", MemoryState]
Row = tuple[Record, Refusal | None, str]
"""A record, what stands in its way, and its profile where that is told."""


def judged(desk: Desk, listings: Sequence[Listing]) -> list[tuple[Record, Refusal | None]]:
    """All records with what stands in the way of each alone; files are read once."""
    records = [record for listing in listings for record in listing.records]
    states = desk.library.load_both() if any(record.change for record in records) else {}
    shelf = desk.skills.shelf() if any(record.skill for record in records) else None
    found: list[tuple[Record, Refusal | None]] = []
    for record in records:
        if record.skill is not None:
            placed = desk.skills.plan(shelf).do(record.skill)
            found.append((record, placed if isinstance(placed, REFUSALS) else None))
        else:
            found.append((record, problem_of(record, states)))
    return found


def problem_of(record: Record, states: States) -> Refusal | None:
    """What stands in the way of approving a memory record now."""
    if record.problem is not None:
        return record.problem
    target = record.memory_target
    return None if target is None else effect_of(record, states[target]).refusal


def record_data(record: Record, problem: Refusal | None, profile: str) -> dict[str, object]:
    """A row of the list as scripts see it."""
    data: dict[str, object] = {
        "id": record.id,
        "subsystem": record.subsystem,
        "action": record.action,
        "target": record.target,
        "summary": record.summary,
        "origin": record.origin,
        "created_at": record.created_at,
        "problem": None if problem is None else problem.code,
        "message": None if problem is None else say(problem, tried=False),
    }
    return data | ({"profile": profile} if profile else {})


def list_lines(rows: Sequence[Row], unusable: Sequence[UnusableRecord]) -> list[str]:
    """The list for a person."""
    lines = []
    for record, problem, profile in rows:
        where = f"{profile}  " if profile else ""
        lines.append(f"{record.id}  {moment(record)}  {where}{headline(record)}")
        lines.append(f"          {excerpt(record.summary, 160)}")
        if problem is not None:
            lines.append(f"          ! {say(problem, tried=False)}")
    lines += unusable_lines(unusable)
    return lines or [tr("Nothing waits for approval.")]


def unusable_lines(unusable: Sequence[UnusableRecord]) -> list[str]:
    """Files that are no records, with why."""
    return [f"! {broken.file}: {say(broken.problem)}" for broken in unusable]


def headline(record: Record) -> str:
    """Who staged a record, and what it does to what."""
    words = SKILL_ACTIONS if record.subsystem == "skills" else ACTIONS
    what = f"{word(words, record.action)}  {file_name(record.target)}"
    return f"{word(ORIGINS, record.origin)}  {what}"


def moment(record: Record) -> str:
    """When it was staged."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(record.created_at))
    except (ValueError, OverflowError, OSError):
        return "?"


def told(desk: Desk, record: Record) -> tuple[dict[str, object], list[str]]:
    """The effect of one record, for scripts and for a person."""
    head = f"{record.id}  {moment(record)}  {headline(record)}"
    if record.skill is not None:
        from store.pending.skill_effects import effect_on_skills

        effect = effect_on_skills([record], desk.skills.plan(), desk.home)
        return _skill_data(effect), [head, *_skill_lines(effect)]
    target = record.memory_target
    if record.change is None or target is None:
        problem = record.problem or Unsupported("skill_record")
        data = _NO_EFFECT | refusal_data(problem)
        return data, [head, record.summary, f"! {say(problem)}"]
    state = desk.library.load(target)
    memory = effect_of(record, state)
    return _effect_data(memory, state), [head, *_effect_lines(memory, state)]


_NO_EFFECT: dict[str, object] = {
    "ok": False,
    "operation": None,
    "diff": "",
    "lost_lines": [],
    "chars_before": None,
    "chars_after": None,
    "limit": None,
    "tokens": None,
}


def _effect_data(effect: Effect, state: MemoryState) -> dict[str, object]:
    return _said(effect.refusal) | {
        "ok": effect.ok,
        "operation": effect.operation,
        "diff": unified(effect.diff),
        "lost_lines": effect.lost_lines,
        "chars_before": effect.chars_before,
        "chars_after": effect.chars_after,
        "limit": effect.limit,
        "tokens": _tokens(effect, state),
    }


def _skill_data(effect: SkillEffect) -> dict[str, object]:
    files = [
        {
            "path": one.path,
            "chars_before": None if one.before is None else len(one.before),
            "chars_after": None if one.after is None else len(one.after),
            "text": one.text,
        }
        for one in effect.files
    ]
    return _said(effect.refusal) | {
        "ok": effect.ok,
        "operation": effect.operation,
        "diff": effect.unified(),
        "lost_lines": [],
        "chars_before": files[-1]["chars_before"] if files else None,
        "chars_after": effect.chars if effect.ok else None,
        "limit": effect.limit,
        "tokens": None,
        "description": effect.description,
        "files": files,
    }


def _said(refusal: Refusal | None) -> dict[str, object]:
    return {
        "reason": None if refusal is None else refusal.code,
        "message": None if refusal is None else say(refusal, tried=False),
    }


def _skill_lines(effect: SkillEffect) -> list[str]:
    lines = [effect.description] if effect.description else []
    if effect.refusal is not None:
        return [*lines, f"! {say(effect.refusal, tried=False)}"]
    size = tr("{chars:,} of {limit:,} characters", chars=effect.chars, limit=effect.limit)
    count = trn("{n} file", "{n} files", len(effect.files))
    return [*lines, f"{count}, {size}", "", effect.unified()]


def _tokens(effect: Effect, state: MemoryState) -> int:
    """Roughly how many tokens more (or, below 0, fewer) each request takes afterwards."""
    before = DELIMITER.join(state.document.deduplicated().texts)
    return approximate_tokens(DELIMITER.join(effect.entries_after)) - approximate_tokens(before)


def _effect_lines(effect: Effect, state: MemoryState) -> list[str]:
    if effect.refusal is not None:
        return [f"! {say(effect.refusal, tried=False)}"]
    lines = ["", unified(effect.diff), ""]
    for one in effect.swallowed:
        if one.lost_lines:
            lines.append(tr("! The whole entry is replaced. These lines of it get lost:"))
            lines += [f"    {indented(line, '    ')}" for line in one.lost_lines]
    after = usage_line(effect.chars_after, effect.limit)
    lines.append(
        tr(
            "{file} afterwards: {usage} (now {chars:,}), ≈ {tokens:+d} tokens a request.",
            file=state.file_name,
            usage=after,
            chars=effect.chars_before,
            tokens=_tokens(effect, state),
        )
    )
    return lines
