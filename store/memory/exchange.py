"""Entries as a document for people or programs, and back: Markdown and JSON, without loss.

In Markdown each entry is a list item below the name of its file; further lines of it stand two
columns in. Nothing in a text needs an escape: only what begins in the first column means something.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from schema.frozen import frozen
from store.changes import Intent
from store.home import FILE_NAMES, TARGETS, Target
from store.memory.library import MemoryLibrary, Planned
from store.memory.operations import Add, Batch, check
from store.memory.state import Written
from store.refusals import REFUSALS, Empty, Invalid, Refusal

BULLETS = ("- ", "* ", "+ ")
INDENT = "  "
GIVEN = "given"
"""`Invalid.what` of a document that was given."""


@frozen
class Exported:
    """An entry on its way out or in; `target` is None where the document does not say."""

    target: Target | None
    text: str


def as_markdown(entries: Sequence[Exported]) -> str:
    """The document; ends in a line end."""
    lines: list[str] = []
    for target in TARGETS:
        own = [entry.text for entry in entries if entry.target == target]
        if not own:
            continue
        lines += ["", f"# {FILE_NAMES[target]}", ""]
        for text in own:
            first, *rest = text.split("\n")
            lines.append(f"- {first}")
            lines += [INDENT + line if line else "" for line in rest]
    return "\n".join([*lines[1:], ""])


def as_json(entries: Sequence[Exported]) -> str:
    """The same for programs; ends in a line end."""
    data = {"entries": [{"target": entry.target, "text": entry.text} for entry in entries]}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def read_document(data: bytes) -> tuple[Exported, ...] | Invalid:
    """The entries in a document of either kind, told apart by how it begins."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        return Invalid(GIVEN, "encoding")
    if text.lstrip().startswith(("{", "[")):
        return _from_json(text)
    return _from_markdown(text)


def _from_json(text: str) -> tuple[Exported, ...] | Invalid:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        return Invalid(GIVEN, "not_json", line=error.lineno, column=error.colno)
    except (ValueError, RecursionError):
        return Invalid(GIVEN, "not_json")
    own = data.get("target") if isinstance(data, dict) else None
    rows = data.get("entries") if isinstance(data, dict) else data
    if not isinstance(rows, list):
        return Invalid(GIVEN, "plan_entries")
    found = []
    for row in rows:
        given = row if isinstance(row, dict) else {"text": row}
        named, entry = given.get("target", own), given.get("text")
        if not isinstance(entry, str):
            return Invalid(GIVEN, "plan_entries")
        target = next((one for one in TARGETS if one == named), None)
        if named is not None and target is None:
            return Invalid(GIVEN, "plan_target")
        found.append(Exported(target, entry))
    return tuple(found)


def _from_markdown(text: str) -> tuple[Exported, ...] | Invalid:
    target: Target | None = None
    found: list[tuple[Target | None, list[str]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(BULLETS) or line in {bullet.strip() for bullet in BULLETS}:
            found.append((target, [line[2:]]))
        elif line.startswith("# "):
            name = line[2:].strip()
            named = next((one for one in TARGETS if FILE_NAMES[one] == name), None)
            if named is None:
                return Invalid(GIVEN, "not_markdown_list", line=number)
            target = named
        elif found and (line.startswith(INDENT) or not line):
            found[-1][1].append(line[len(INDENT) :])
        elif line.strip():
            return Invalid(GIVEN, "not_markdown_list", line=number)
    return tuple(Exported(own, "\n".join(lines).strip("\n")) for own, lines in found)


def import_entries(
    library: MemoryLibrary,
    entries: Sequence[Exported],
    *,
    wait: float = 10.0,
) -> Mapping[Target, Written] | Refusal:
    """Add the entries to their files, all or none; those that are there already change nothing.

    Each of them has a target. The answer is for each file that entries were for.
    """
    batches: dict[Target, Batch] = {}
    for target in TARGETS:
        own = tuple(Add(entry.text) for entry in entries if entry.target == target)
        if own:
            batches[target] = Batch(own)
    if not batches:
        return Empty("operations")
    for batch in batches.values():
        if (refused := check(batch)) is not None:
            return refused
    with library.locks(tuple(batches), wait=wait) as held:
        if held is not None:
            return held
        plans: dict[Target, Planned] = {}
        for target, batch in batches.items():
            plan = library.plan(target, batch)
            if isinstance(plan, REFUSALS):
                return plan
            plans[target] = plan
        come = tuple(text for plan in plans.values() for text in plan.applied.come)
        both = "both" if len(plans) == 2 else next(iter(plans))
        done = library.write(tuple(plans.values()), Intent("desk", "import", both, (), come))
    if isinstance(done, REFUSALS):
        return done
    return {
        target: library.written(target, batches[target], plan, done)
        for target, plan in plans.items()
    }
