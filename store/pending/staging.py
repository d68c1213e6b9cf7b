"""A write as the agent spells it in its queue (hermes-formats §3). Pure."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from store.home import Target
from store.memory.entries import Document, clean
from store.memory.operations import (
    Add,
    Applied,
    Batch,
    Operation,
    Part,
    Pinned,
    Remove,
    Replace,
    action_name,
    apply,
)
from store.pending.records import Staged, Subsystem
from store.refusals import Refusal
from store.skills.writes import FIELDS

SUMMARY_CHARS = 120
DESCRIPTION_CHARS = 140

_DESCRIPTION = re.compile(r"^description:\s*(.+)$", re.MULTILINE)


def payload_of(change: Staged, target: Target, document: Document) -> dict[str, Any] | Refusal:
    """The payload for `change`, or why it could not be done to `document`, budget aside.

    Replace and remove are pinned to the entry that they mean, since newer versions refuse to
    approve destructive records without (hermes-formats §2.10).
    """
    tried = apply(document, change, limit=sys.maxsize, target=target)
    if not isinstance(tried, Applied):
        return tried
    if not isinstance(change, Batch):
        empty = {"action": "", "target": target, "content": None, "old_text": None}
        return empty | _spelled(change, tried.gone)
    operations = []
    for operation in change.operations:
        # A later operation may mean what an earlier one has just made.
        step = apply(document, operation, limit=sys.maxsize, target=target)
        if not isinstance(step, Applied):
            return step
        operations.append(_spelled(operation, step.gone))
        document = step.document
    return {"action": "batch", "target": target, "operations": operations}


def _spelled(operation: Operation, gone: Sequence[str]) -> dict[str, Any]:
    given: dict[str, Any] = {"action": action_name(operation)}
    if isinstance(operation, Add | Replace):
        given["content"] = operation.text
    if isinstance(operation, Replace | Remove):
        match operation.where:
            case Part(text):
                given["old_text"] = text
            case Pinned(text, old_text):
                given["old_text"] = old_text or text
        given["matched_entry"] = gone[0]
    return given


def skill_payload(given: Mapping[str, Any]) -> dict[str, Any]:
    """A skill's payload in the agent's order, without what says nothing; other keys stay."""
    payload = {"action": given.get("action") or "batch", "name": given.get("name") or ""}
    for field in FIELDS:
        value = given.get(field, False if field == "replace_all" else None)
        if value is not None and (field != "replace_all" or given.get("operations") is None):
            payload[field] = value
    known = (*payload, *FIELDS)
    return payload | {key: value for key, value in given.items() if key not in known}


def record_of(
    payload: Mapping[str, Any],
    *,
    record_id: str,
    origin: str,
    now: float,
    subsystem: Subsystem = "memory",
) -> dict[str, Any]:
    """The record around a payload, its keys in the agent's order; `now` in UTC seconds."""
    memory = subsystem == "memory"
    return {
        "id": record_id,
        "subsystem": subsystem,
        "action": payload["action"],
        "summary": summary_of(payload) if memory else skill_summary(payload),
        "origin": origin,
        "created_at": now,
        "payload": payload,
    }


def summary_of(payload: Mapping[str, Any]) -> str:
    """The line that the agent's own lists show for a staged memory write (formats §3.2)."""
    name = "user profile" if payload["target"] == "user" else "memory"
    action, content = payload["action"], clean(payload.get("content") or "")
    old = clean(payload.get("old_text") or "")
    match action:
        case "add":
            detail, head = content, f"add to {name}"
        case "replace":
            detail, head = f"old: {old}\nnew: {content}", f"replace in {name}"
        case "remove":
            detail, head = old, f"remove from {name}"
        case _:
            operations = payload["operations"]
            head = f"apply {len(operations)} op(s) to {name}"
            detail = "\n".join(f"- {_operation_line(one)}" for one in operations)
    return f"{head}: {detail[:SUMMARY_CHARS]}".strip()


def skill_summary(payload: Mapping[str, Any]) -> str:
    """The same for a skill write (formats §3.3)."""
    action, name = payload["action"], payload["name"]
    path = payload.get("file_path") or ""
    match action:
        case "create" | "edit":
            verb = "create" if action == "create" else "rewrite"
            return f"{verb} '{name}'{_described(payload.get('content') or '')}"
        case "patch":
            removed, added = (
                text.count("\n") + 1 if text else 0
                for text in (payload.get("old_string"), payload.get("new_string"))
            )
            return f"patch '{name}' {path or 'SKILL.md'} (+{added}/-{removed} lines)"
        case "write_file":
            return f"write {path} in '{name}'"
        case "remove_file":
            return f"remove {path} from '{name}'"
        case "delete":
            return f"delete skill '{name}'"
    operations = payload.get("operations") or ()
    lines = [f"- {one.get('action')} {one.get('name') or name}" for one in operations]
    return "\n".join([f"apply {len(lines)} op(s) to skills:", *lines])


def _described(content: str) -> str:
    """The description and size of a SKILL.md."""
    found = _DESCRIPTION.search(content)
    text = found[1].strip().strip("'\"")[:DESCRIPTION_CHARS] if found else ""
    chars = len(content)
    size = f"{chars // 1024 + 1} KB" if chars >= 1024 else f"{chars} chars"
    return f" — {text} ({size})" if text else f" ({size})"


def _operation_line(operation: Mapping[str, Any]) -> str:
    old, new = operation.get("old_text") or "", operation.get("content") or ""
    match operation.get("action"):
        case "add":
            return f"add: {new}"
        case "replace":
            return f"replace: {old} -> {new}"
        case other:
            return f"{other}: {old}"
