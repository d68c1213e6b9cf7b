"""Commands on the journal: what changed and by whom, taking a change back, and forgetting."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from gui.change_words import say_forgotten, say_what, say_who
from gui.commands.answers import Answer, refused, table
from gui.commands.parsing import (
    Areas,
    Arguments,
    count,
    group,
    leaf,
    number,
    take_target,
    take_texts,
)
from gui.i18n import sentences, tr, trn
from gui.words import ACTIONS, excerpt, file_name, say, word
from store.changes import Part
from store.journal import JournalEntry
from store.memory.entries import DELIMITER
from store.refusals import REFUSALS, NotFound, Unreadable, Unsupported
from store.trees import came_from

if TYPE_CHECKING:
    from store.desk import Desk

LARGEST_ID = 2**63 - 1


def declare(areas: Areas) -> None:
    """Declare `history` and its commands."""
    commands = group(areas, "history", tr("what changed and by whom, and undo"))
    listing = leaf(commands, "list", list_changes, tr("show changes, newest first"))
    take_target(listing, required=False)
    listing.add_argument(
        "--limit", type=count, metavar="N", help=tr("show at most so many (default: all)")
    )
    show = leaf(commands, "show", show_change, tr("show one change in full"))
    show.add_argument(dest="id", type=number, metavar="ID", help=tr("the number in the list"))
    undo = leaf(commands, "undo", undo_change, tr("take a change back"), changes=True)
    undo.add_argument(
        dest="id",
        type=number,
        nargs="?",
        metavar="ID",
        help=tr("a change; the latest if none is given"),
    )
    restore = leaf(
        commands, "restore", restore_change, tr("bring back what a change made"), changes=True
    )
    restore.add_argument(dest="id", type=number, metavar="ID", help=tr("the number in the list"))
    restore.add_argument(
        "--before", action="store_true", help=tr("bring back what was there before that change")
    )
    forget = leaf(
        commands,
        "forget",
        forget_entry,
        tr("remove an entry from files, backups and history, for good"),
        changes=True,
    )
    take_texts(forget, "TEXT")
    forget.add_argument("--yes", action="store_true", help=tr("do it; there is no way back"))


def list_changes(desk: Desk, arguments: Arguments) -> Answer:
    """All changes, newest first."""
    everything = desk.journal.changes(target=arguments.target)
    if isinstance(everything, Unreadable):
        return refused(everything)
    if not everything:
        return Answer({"changes": [], "more": 0}, tr("Nothing has changed here yet."))
    found = everything if arguments.limit is None else everything[: max(arguments.limit, 0)]
    more = len(everything) - len(found)
    rows = [
        (
            str(one.id),
            time.strftime("%Y-%m-%d %H:%M", time.localtime(one.at)),
            say_who(one.intent.who),
            word(ACTIONS, one.intent.action),
            file_name(one.intent.target),
            _in_short(one),
        )
        for one in found
    ]
    lines = [table(rows)] if rows else []
    if more:
        lines.append(trn("… and {n} older change", "… and {n} older changes", more))
    data = {"changes": [change_data(one) for one in found], "more": more}
    return Answer(data, "\n".join(lines))


def show_change(desk: Desk, arguments: Arguments) -> Answer:
    """One change, with what it did to each file."""
    from store.pending.effects import diff_lines, unified

    found = desk.journal.get(arguments.id) if 0 < arguments.id <= LARGEST_ID else None
    if isinstance(found, Unreadable):
        return refused(found)
    if found is None:
        return refused(NotFound("change", str(arguments.id)))
    files = [
        {
            "path": part.path,
            "diff": _moved(part) or unified(diff_lines(_shown(part.before), _shown(part.after))),
        }
        for part in found.parts
        if part.kind != "folder"
    ]
    head = (
        f"{found.id}  {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(found.at))}  "
        f"{say_who(found.intent.who)}  {word(ACTIONS, found.intent.action)}  "
        f"{file_name(found.intent.target)}"
    )
    if found.withheld:
        head += "\n" + say(Unsupported("left_out", str(found.id)))
    if found.undone_by is not None:
        head += "  " + tr("undone by change {id}", id=found.undone_by)
    bodies = [f"\n{one['path']}\n{one['diff']}" for one in files]
    return Answer({"change": change_data(found), "files": files}, "\n".join([head, *bodies]))


def undo_change(desk: Desk, arguments: Arguments) -> Answer:
    """Take back one change, or the latest one, as a new change."""
    if arguments.id is not None and not 0 < arguments.id <= LARGEST_ID:
        return refused(NotFound("change", str(arguments.id)))
    done = desk.undo.undo(arguments.id, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    undone = desk.journal.get(done.undone)
    what = say_what(undone) if isinstance(undone, JournalEntry) else ""
    stays = (
        tr("Every byte is as it was before.")
        if done.exact
        else tr("Whatever others wrote since has stayed.")
    )
    message = sentences(tr("Undid change {id}: {what}.", id=done.undone, what=what), stays)
    data = {
        "undone": done.undone,
        "change_id": done.change_id,
        "exact": done.exact,
        "message": message,
    }
    return Answer(data, message)


def restore_change(desk: Desk, arguments: Arguments) -> Answer:
    """Bring back the version of a file that a change made, as a new change."""
    from store.restoring import restore

    if not 0 < arguments.id <= LARGEST_ID:
        return refused(NotFound("change", str(arguments.id)))
    done = restore(desk.undo, arguments.id, before=arguments.before, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    changed = done.change_id is not None
    if arguments.before:
        message = (
            tr("All is as before change {id}; it takes effect next session.", id=done.restored)
            if changed
            else tr("All is as before change {id} already.", id=done.restored)
        )
    elif changed:
        message = tr(
            "All is as change {id} left it; it takes effect next session.", id=done.restored
        )
    else:
        message = tr("All is as change {id} left it already.", id=done.restored)
    data = {
        "restored": done.restored,
        "change_id": done.change_id,
        "changed": changed,
        "message": message,
    }
    return Answer(data, message)


def forget_entry(desk: Desk, arguments: Arguments) -> Answer:
    """Remove an entry from everything that the desk can reach; asks for --yes."""
    if not arguments.yes:
        message = tr("Forgetting cannot be undone; say --yes to do so.")
        return Answer({"reason": "invalid", "message": message}, ok=False, notes=(message,))
    done = desk.forget(arguments.text, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    if not (done.entries or done.backups or done.changes):
        return refused(NotFound("entry", excerpt(arguments.text, 40)))
    message = say_forgotten(done)
    data = {
        "entries": done.entries,
        "backups": list(done.backups),
        "changes": done.changes,
        "left": list(done.left),
        "notes": list(done.notes),
        "message": message,
    }
    return Answer(data, message)


def change_data(entry: JournalEntry) -> dict[str, object]:
    """A change as scripts see it; `before` and `after` are the texts that left and came."""
    intent = entry.intent
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(entry.at))
    return {
        "id": entry.id,
        "at": f"{moment}.{int(entry.at % 1 * 1000):03d}Z",
        "who": intent.who,
        "action": intent.action,
        "target": intent.target,
        "before": DELIMITER.join(intent.gone) if intent.gone else None,
        "after": DELIMITER.join(intent.come) if intent.come else None,
        "undoable": entry.undoable,
        "record": intent.record or None,
        "undoes": intent.undoes,
        "undone_by": entry.undone_by,
    }


def _in_short(entry: JournalEntry) -> str:
    if entry.withheld:
        return tr("(texts left out)")
    gone = excerpt(" · ".join(entry.intent.gone), 40)
    come = excerpt(" · ".join(entry.intent.come), 40)
    if not gone and not come:
        text = entry.intent.record
    elif entry.intent.action == "move" or gone == come:
        text = come
    else:
        text = " → ".join(part for part in (gone and f"−{gone}", come and f"+{come}") if part)
    return text if entry.undone_by is None else tr("{text} (undone)", text=text)


def _moved(part: Part) -> str:
    """Where a folder came from, as a diff says it; nothing for what was not moved."""
    if part.kind != "moved":
        return ""
    places = came_from(Path(part.path), part.before or part.after or b"").as_posix(), part.path
    begin, end = places if part.after is not None else places[::-1]
    return f"rename from {begin}\nrename to {end}"


def _shown(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "backslashreplace")
