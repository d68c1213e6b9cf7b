"""A text sent to a skill draft: a pending write that makes the skill, and the entry out of memory.

One change of the journal over the record and, if the text is an entry, its file; the record first.
So a crash leaves the text in both places at worst, and one undo takes both back.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, Any

from schema.frozen import frozen
from store.advice.drafting import SkillDraft, drafts_of
from store.changes import FileChange, Intent
from store.files import Content
from store.home import Target
from store.memory.entries import clean
from store.memory.library import Planned
from store.memory.operations import Remove, Whole
from store.pending.handling import as_json, spelled_skill
from store.pending.staging import record_of
from store.refusals import REFUSALS, AlreadyThere, Empty, Invalid, Refusal, Unsupported

if TYPE_CHECKING:
    from store.pending.queue import PendingQueue

ACTION = "to_skill"
MOST_NAMES = 20


@frozen
class SentToSkill:
    """The draft `name` waits as the record `record_id`; `change_id` is the journal's."""

    record_id: str
    name: str
    change_id: int | None


def send_to_skill(
    queue: PendingQueue, text: str, *, source: Target | None, wait: float
) -> SentToSkill | Refusal:
    """Stage a skill drafted from `text`, the full text of an entry of `source` if one is given."""
    folder = queue.home.pending("skills")
    if queue.leads_outside(folder):
        return Invalid("record", "is_a_link")
    if not clean(text):
        return Empty("content")
    found = _draft(queue, text)
    if not isinstance(found, tuple):
        return found
    draft, payload = found
    locks = queue.library.locks((source,), wait=wait) if source is not None else nullcontext()
    with locks as held:
        if held is not None:
            return held
        plan = _leaving(queue, source, text)
        if plan is not None and not isinstance(plan, Planned):
            return plan
        record_id = os.urandom(4).hex()
        record = record_of(
            payload, record_id=record_id, origin="foreground", now=queue.now(), subsystem="skills"
        )
        staged = FileChange(Content(folder / f"{record_id}.json", None), as_json(record))
        changes = (staged,) if plan is None else (staged, plan.file_change)
        intent = Intent("desk", ACTION, source or "skills", (clean(text),), record=record_id)
        done = queue.carry_out(intent, changes)
    return done if isinstance(done, REFUSALS) else SentToSkill(record_id, draft.name, done)


def _draft(queue: PendingQueue, text: str) -> tuple[SkillDraft, Mapping[str, Any]] | Refusal:
    """The first draft whose name is free, with its payload; what could not apply is refused."""
    refused: Refusal = Empty("content")
    for draft in islice(drafts_of(clean(text)), MOST_NAMES):
        payload = spelled_skill(queue, draft.payload())
        if isinstance(payload, Mapping):
            return draft, payload
        refused = payload
        if not isinstance(payload, AlreadyThere):
            break
    return refused


def _leaving(queue: PendingQueue, source: Target | None, text: str) -> Planned | Refusal | None:
    if source is None:
        return None
    plan = queue.library.plan(source, Remove(Whole(text)))
    if isinstance(plan, Planned) and queue.library.identity_of(plan.seen, clean(text)):
        return Unsupported("identity_would_be_lost")
    return plan
