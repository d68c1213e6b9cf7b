"""A memory write as the agent spells it in its queue (hermes-formats §3). Pure."""

from __future__ import annotations

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
from store.pending.records import Staged
from store.refusals import Refusal

SUMMARY_CHARS = 120


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


def record_of(
    payload: Mapping[str, Any], *, record_id: str, origin: str, now: float
) -> dict[str, Any]:
    """The record around a payload, its keys in the agent's order; `now` in UTC seconds."""
    return {
        "id": record_id,
        "subsystem": "memory",
        "action": payload["action"],
        "summary": summary_of(payload),
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


def _operation_line(operation: Mapping[str, Any]) -> str:
    old, new = operation.get("old_text") or "", operation.get("content") or ""
    match operation.get("action"):
        case "add":
            return f"add: {new}"
        case "replace":
            return f"replace: {old} -> {new}"
        case other:
            return f"{other}: {old}"
