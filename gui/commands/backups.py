"""Commands on what lies beside a memory file: backups, and copies of sync tools and editors."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, indented, refusal_data, refused, table
from gui.commands.parsing import Areas, Arguments, Parser, group, leaf, number, take_target
from gui.i18n import tr, trn
from gui.words import FILE_STATES, file_name, say, word
from store.home import TARGETS
from store.memory.backups import (
    BackupFile,
    BackupGroup,
    find_backup,
    list_backups,
    prune,
    restore,
    take_back,
)
from store.memory.budget import usage_line
from store.memory.encodings import OFFERED
from store.refusals import REFUSALS, Guessed, NotFound, Unreadable

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target


def declare(areas: Areas) -> None:
    """Declare `backups` and its commands."""
    commands = group(areas, "backups", tr("copies beside the memory files"))
    listing = leaf(commands, "list", list_all, tr("show backups and copies, grouped by content"))
    take_target(listing, required=False)
    show = leaf(commands, "show", show_one, tr("show what is in one of them"))
    _take_copy(show)
    back = leaf(commands, "restore", restore_one, tr("take back all of one"), changes=True)
    _take_copy(back)
    back.add_argument(
        "--entry", type=number, metavar="N", help=tr("only this entry of it, by its number")
    )
    tidy = leaf(commands, "prune", prune_all, tr("keep one backup of each content"), changes=True)
    take_target(tidy, required=False)


def _take_copy(parser: Parser) -> None:
    parser.add_argument(dest="copy", metavar="FILE", help=tr("a name or path in the list"))
    parser.add_argument(
        "--encoding", choices=OFFERED, metavar="NAME", help=tr("what its bytes are")
    )


def _targets(arguments: Arguments) -> tuple[Target, ...]:
    return tuple(target for target in TARGETS if arguments.target in (None, target))


# -- looking ---------------------------------------------------------------------------------


def list_all(desk: Desk, arguments: Arguments) -> Answer:
    """All copies of both files, newest first, those with the same content together."""
    groups = [one for target in _targets(arguments) for one in list_backups(desk.library, target)]
    if not groups:
        return Answer({"groups": []}, tr("There is no backup or copy beside the memory files."))
    blocks = ["\n".join(_group_lines(group)) for group in groups]
    return Answer({"groups": [_group_data(group) for group in groups]}, "\n\n".join(blocks))


def _group_data(group: BackupGroup) -> dict[str, object]:
    return {
        "files": [str(one.path) for one in group.files],
        "sha256": group.sha256,
        "entries": group.entries,
        "only_here": group.only_here,
        "target": group.target,
        "kind": group.kind,
        "copies": [_file_data(one) for one in group.files],
        "encoding": group.encoding,
        "guessed": bool(group.doubt),
        "same_as_file": group.same_as_file,
        "problem": None if group.problem is None else refusal_data(group.problem),
    }


def _file_data(file: BackupFile) -> dict[str, object]:
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(file.at))
    return {"file": str(file.path), "at": at, "size": file.size}


def _group_lines(group: BackupGroup) -> list[str]:
    rows = [
        (
            one.path.name,
            time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at)),
            trn("{n:,} byte", "{n:,} bytes", one.size),
        )
        for one in group.files
    ]
    lines = [table(rows)]
    if group.problem is not None:
        return [*lines, "  " + say(group.problem)]
    count = trn("{n} entry", "{n} entries", len(group.entries))
    if group.doubt:
        count += " " + tr("(if it is {encoding})", encoding=group.encoding)
    if group.same_as_file:
        lines.append("  " + tr("{count}; it is {file} as it is now.", **_about(group, count)))
    elif not group.only_here:
        lines.append("  " + tr("{count}; {file} has all of them.", **_about(group, count)))
    else:
        lines.append("  " + tr("{count}; {file} lacks these:", **_about(group, count)))
        lines += _numbered(group, only=True)
    return lines


def _about(group: BackupGroup, count: str) -> dict[str, object]:
    return {"count": count, "file": file_name(group.target)}


def _numbered(group: BackupGroup, *, only: bool) -> list[str]:
    digits = len(str(len(group.entries)))
    return [
        f"  {number:>{digits}}  {indented(text, ' ' * (digits + 4))}"
        for number, text in enumerate(group.entries, 1)
        if not only or text in group.only_here
    ]


def show_one(desk: Desk, arguments: Arguments) -> Answer:
    """The entries of one copy, and which of them the file lacks."""
    found = find_backup(desk.library, arguments.copy, encoding=arguments.encoding)
    if isinstance(found, REFUSALS):
        return refused(found)
    file, group = found
    if group.problem is not None:
        return refused(group.problem)
    lines = _numbered(group, only=False)
    return Answer(_group_data(group) | _file_data(file), "\n".join(lines), notes=_doubts(group))


def _doubts(group: BackupGroup) -> tuple[str, ...]:
    if not group.doubt:
        return ()
    return (say(Guessed(str(group.files[0].path), group.encoding)),)


# -- changing --------------------------------------------------------------------------------


def restore_one(desk: Desk, arguments: Arguments) -> Answer:
    """Take back one entry, or put the whole copy in place of the file."""
    found = find_backup(desk.library, arguments.copy, encoding=arguments.encoding)
    if isinstance(found, REFUSALS):
        return refused(found)
    file, group = found
    if group.problem is not None:
        return refused(group.problem)
    if arguments.entry is not None:
        return _taken_back(desk, arguments, group)
    now = desk.disk.read(desk.home.memory_file(group.target))
    if isinstance(now, Unreadable):
        return refused(now)
    done = restore(desk.library, group.target, file.path, digest=now.digest, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done, target=group.target)
    name = file_name(group.target)
    if not done.changed:
        message = tr("{file} is so already, so nothing was changed.", file=name)
    else:
        message = tr("{file} is again what {copy} holds.", file=name, copy=file.path.name)
    notes = []
    if done.state != "clean":
        state = word(FILE_STATES, done.state)
        notes.append(tr("The agent finds it {state}; see memory-desk drift check.", state=state))
    data = {
        "changed": done.changed,
        "message": message,
        "target": done.target,
        "file": str(file.path),
        "state": done.state,
        "change_id": done.change_id,
    }
    return Answer(data, message, notes=tuple(notes))


def _taken_back(desk: Desk, arguments: Arguments, group: BackupGroup) -> Answer:
    if not 0 < arguments.entry <= len(group.entries):
        return refused(NotFound("entry", str(arguments.entry)))
    if group.doubt:
        return refused(Guessed(str(group.files[0].path), group.encoding))
    text = group.entries[arguments.entry - 1]
    done = take_back(desk.library, group.target, text, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done, target=group.target)
    file = file_name(group.target)
    if done.changed:
        message = tr("Added to {file}; it takes effect next session.", file=file)
    else:
        message = tr("{file} has it already, so nothing was changed.", file=file)
    data = {
        "changed": done.changed,
        "message": message,
        "target": done.target,
        "chars": done.chars,
        "limit": done.limit,
        "entry_count": done.entry_count,
        "change_id": done.change_id,
        "backup": done.backup,
    }
    return Answer(data, f"{message} {usage_line(done.chars, done.limit)}")


def prune_all(desk: Desk, arguments: Arguments) -> Answer:
    """Remove backups that another, newer one equals byte for byte."""
    done = prune(desk.library, targets=_targets(arguments), wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    count = len(done.removed)
    message = trn("Removed {n} twin of a backup.", "Removed {n} twins of backups.", count)
    if not count:
        message = tr("No two backups have the same content, so nothing was removed.")
    data = {
        "removed": [str(path) for path in done.removed],
        "kept": [{"file": str(path)} | refusal_data(why) for path, why in done.kept],
        "message": message,
    }
    notes = tuple(say(why) for _, why in done.kept)
    return Answer(data, message, ok=not done.kept, notes=notes)
