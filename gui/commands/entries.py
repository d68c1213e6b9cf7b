"""Commands on the two memory files: their entries, and what the agent sees of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, indented, refused
from gui.commands.parsing import Areas, Arguments, group, leaf, take_file, take_target, take_texts
from gui.i18n import tr, trn
from gui.threat_words import say_threat
from gui.words import SNAPSHOT_REASONS, excerpt, file_name, say, say_memory_off, word
from store.home import TARGETS
from store.memory.budget import usage_line
from store.memory.operations import Add, Batch, Change, Part, Remove, Replace
from store.memory.state import MemoryState, Written
from store.refusals import REFUSALS, Invalid, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target

GIVEN = "given"
"""`Invalid.what` of a file that a command was given."""

NOT_AS_ASKED = ("unreadable", "bad_limit", "other_unreadable", "other_bad_limit")
"""Reasons for an empty snapshot that nobody wanted: the agent itself stumbles."""


def declare(area: str, areas: Areas) -> None:
    """Declare `entries` or `snapshot`."""
    if area == "snapshot":
        take_target(
            leaf(areas, area, snapshot, tr("print the block that the agent's next session sees"))
        )
    else:
        _declare_entries(group(areas, area, tr("the entries of a memory file")))


def _declare_entries(commands: Areas) -> None:
    take_target(leaf(commands, "list", list_entries, tr("show all entries of a file")))
    add = leaf(commands, "add", add_entry, tr("add an entry"), changes=True)
    take_target(add)
    take_texts(add, "TEXT")
    replace = leaf(
        commands,
        "replace",
        replace_entry,
        tr("put NEW in place of the whole entry that OLD is or is a part of"),
        changes=True,
    )
    take_target(replace)
    take_texts(replace, "OLD", "NEW")
    remove = leaf(commands, "remove", remove_entry, tr("remove an entry"), changes=True)
    take_target(remove)
    take_texts(remove, "OLD")
    batch = leaf(commands, "batch", run_batch, tr("several operations, all or none"), changes=True)
    take_target(batch)
    take_file(batch, tr("a JSON list of {action, content, old_text}; - reads standard input"))
    export = leaf(commands, "export", export_entries, tr("print entries as Markdown or JSON"))
    take_target(export, required=False)
    export.add_argument(
        "--format", choices=("markdown", "json"), default="markdown", help=tr("markdown or json")
    )
    bring = leaf(
        commands,
        "import",
        import_file,
        tr("add the entries of a document, all or none"),
        changes=True,
    )
    take_target(bring, required=False)
    take_file(bring, tr("what export prints; - reads standard input"))
    move = leaf(commands, "move", move_entry, tr("move an entry to the other file"), changes=True)
    take_target(move, "--from")
    take_target(move, "--to")
    take_texts(move, "OLD")


# -- reading ---------------------------------------------------------------------------------


def list_entries(desk: Desk, arguments: Arguments) -> Answer:
    """All entries of one file, with what the agent would not see."""
    state = desk.library.load(arguments.target)
    if state.problem is not None:
        return refused(state.problem, target=state.target)
    entries = [
        {
            "index": one.index,
            "text": one.text,
            "chars": one.chars,
            "threats": one.threats,
            "duplicate": one.duplicate,
        }
        for one in state.entries
    ]
    data = {
        "target": state.target,
        "chars": state.chars,
        "limit": state.limit,
        "entries": entries,
    }
    return Answer(data, _listed(state))


def _listed(state: MemoryState) -> str:
    count = trn("{n} entry", "{n} entries", len(state.entries))
    lines = [f"{state.file_name}  {usage_line(state.chars, state.limit)}, {count}"]
    digits = len(str(len(state.entries)))
    for one in state.entries:
        marks = []
        if one.threats:
            threats = ", ".join(map(say_threat, one.threats))
            marks.append(tr("[hidden from the agent: {threats}]", threats=threats))
        if one.duplicate:
            marks.append(tr("[duplicate]"))
        text = indented(" ".join([*marks, one.text]), " " * (digits + 2))
        lines.append(f"{one.index:>{digits}}  {text}")
    return "\n".join(lines)


def export_entries(desk: Desk, arguments: Arguments) -> Answer:
    """Entries as a document that import reads; of both files if none is named."""
    from store.memory.exchange import Exported, as_json, as_markdown

    entries: list[Exported] = []
    for target in (arguments.target,) if arguments.target else TARGETS:
        state = desk.library.load(target)
        if state.problem is not None:
            return refused(state.problem, target=target)
        entries += [Exported(target, one.text) for one in state.entries]
    text = as_json(entries) if arguments.format == "json" else as_markdown(entries)
    rows = [{"target": one.target, "text": one.text} for one in entries]
    return Answer({"entries": rows, "document": text}, text, exact=True)


def import_file(desk: Desk, arguments: Arguments) -> Answer:
    """Add what a document holds; --target puts all of it into one file."""
    from store.memory.exchange import import_entries, read_document

    read = read_document(arguments.data)
    if isinstance(read, Invalid):
        return refused(read)
    if arguments.target:
        read = tuple(replace(one, target=arguments.target) for one in read)
    if any(one.target is None for one in read):
        return refused(Invalid(GIVEN, "plan_target"))
    done = import_entries(desk.library, read, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    answers = [_told(desk, one, _imported(one)) for one in done.values()]
    if len(answers) == 1:
        return answers[0]
    changed = any(one.changed for one in done.values())
    text = "\n".join(answer.text for answer in answers)
    message = " ".join(str(answer.data["message"]) for answer in answers)
    files = {file_name(name): answer.data for name, answer in zip(done, answers, strict=True)}
    return Answer({"changed": changed, "message": message, "files": files}, text)


def _imported(done: Written) -> str:
    file = file_name(done.target)
    if not done.changed:
        return tr("{file} has it already, so nothing was changed.", file=file)
    return tr("Imported into {file}; it takes effect next session.", file=file)


def snapshot(desk: Desk, arguments: Arguments) -> Answer:
    """Exactly the block that the agent's next session will see."""
    state = desk.library.load(arguments.target)
    shown = state.snapshot
    data: dict[str, object] = {
        "target": state.target,
        "block": shown.block,
        "reason": shown.reason,
    }
    if shown.reason is None:
        return Answer(data, shown.block, exact=True)
    why = word(SNAPSHOT_REASONS, shown.reason)
    if shown.reason == "unreadable" and state.problem is not None:
        why = say(state.problem)
    ok = shown.reason not in NOT_AS_ASKED
    return Answer(data | {"message": why}, ok=ok, notes=(why,))


# -- changing --------------------------------------------------------------------------------


def add_entry(desk: Desk, arguments: Arguments) -> Answer:
    """As the agent's add: what is there already is done already."""
    return _changed(desk, arguments, Add(arguments.text))


def replace_entry(desk: Desk, arguments: Arguments) -> Answer:
    """As the agent's replace: the whole entry becomes the new text."""
    return _changed(desk, arguments, Replace(Part(arguments.old), arguments.new))


def remove_entry(desk: Desk, arguments: Arguments) -> Answer:
    """As the agent's remove."""
    return _changed(desk, arguments, Remove(Part(arguments.old)))


def run_batch(desk: Desk, arguments: Arguments) -> Answer:
    """Several operations, all or none, the budget judged on the end state."""
    change = batch_of(arguments.data, arguments.target)
    return refused(change) if isinstance(change, REFUSALS) else _changed(desk, arguments, change)


def batch_of(data: bytes, target: str) -> Batch | Refusal:
    """The operations in a file that was given."""
    from store.pending.records import memory_change

    operations = given_json(data)
    if isinstance(operations, Invalid):
        return operations
    change = memory_change({"action": "batch", "target": target, "operations": operations})
    if isinstance(change, Batch):
        return change
    return Invalid(GIVEN, "operations_are_no_list")


def given_json(data: bytes) -> object | Invalid:
    """What the JSON in a file that was given holds."""
    try:
        value: object = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        return Invalid(GIVEN, "not_json", line=error.lineno, column=error.colno)
    except (ValueError, RecursionError):
        return Invalid(GIVEN, "not_json")
    return value


def move_entry(desk: Desk, arguments: Arguments) -> Answer:
    """Both files or neither."""
    source, destination = arguments.from_, arguments.to
    done = desk.library.move(source, destination, Part(arguments.old), wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    message = tr(
        "Moved from {source} to {destination}; it takes effect next session.",
        source=file_name(source),
        destination=file_name(destination),
    )
    return _told(desk, done, message)


def _changed(desk: Desk, arguments: Arguments, change: Change) -> Answer:
    done = desk.library.change(arguments.target, change, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done, target=arguments.target)
    return _told(desk, done, _sentence(done, change))


def _sentence(done: Written, change: Change) -> str:
    file = file_name(done.target)
    if not done.changed and isinstance(change, Batch) and any(map(_takes_out, change.operations)):
        return tr("The operations cancel each other out; nothing was changed.")
    if not done.changed:
        return tr("{file} has it already, so nothing was changed.", file=file)
    match done.action:
        case "add":
            return tr("Added to {file}; it takes effect next session.", file=file)
        case "replace":
            return tr("Replaced in {file}; it takes effect next session.", file=file)
        case "remove":
            return tr("Removed from {file}; it takes effect next session.", file=file)
        case _:
            count = len(change.operations) if isinstance(change, Batch) else 1
            return trn(
                "Applied {n} operation to {file}; it takes effect next session.",
                "Applied {n} operations to {file}; they take effect next session.",
                count,
                file=file,
            )


def _takes_out(operation: object) -> bool:
    """Whether there was something afterwards that had to be brought back."""
    match operation:
        case Replace(Part(old), new):
            return old.strip() not in new
        case _:
            return isinstance(operation, Remove)


def ignored_note(desk: Desk, targets: Iterable[Target]) -> str:
    """Say which of these files the agent does not read at present; empty if it reads all."""
    settings = desk.library.settings()
    if settings.memory_off is not None:
        return say_memory_off(settings.memory_off)
    off = (file_name(target) for target in targets if not settings.enabled(target))
    return " ".join(
        tr("{file} is switched off, so the agent ignores it.", file=name) for name in off
    )


def _told(desk: Desk, done: Written, message: str) -> Answer:
    data: dict[str, object] = {
        "changed": done.changed,
        "message": message,
        "target": done.target,
        "chars": done.chars,
        "limit": done.limit,
        "entry_count": done.entry_count,
        "change_id": done.change_id,
    }
    lines = [f"{message} {usage_line(done.chars, done.limit)}"]
    for name, text in (("replaced", done.replaced), ("removed", done.removed)):
        if text is not None:
            data[name] = text
    if done.replaced is not None and done.changed:
        lines.append(tr("It replaced: {text}", text=excerpt(done.replaced, 200)))
    if done.backup:
        data["backup"] = done.backup
        lines.append(tr("A copy of the file as it was: {path}", path=done.backup))
    notes = [ignored_note(desk, (done.target,)), _note_of_secret(desk, done)]
    if note := " ".join(filter(None, notes)):
        data["note"] = note
        lines.append(note)
    return Answer(data, "\n".join(lines))


def _note_of_secret(desk: Desk, done: Written) -> str:
    """That the way back is closed, where the history keeps no text of a change."""
    from store.journal import JournalEntry

    entry = None if done.change_id is None else desk.journal.get(done.change_id)
    if isinstance(entry, JournalEntry) and entry.withheld:
        return tr("It holds a secret, so the history has no text of it; it cannot be undone.")
    return ""
