"""Commands on the approval queue: seeing, judging, approving and rejecting staged writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gui.commands.answers import Answer, refusal_data, refused
from gui.commands.entries import GIVEN, given_json, ignored_note
from gui.commands.parsing import Areas, Arguments, Parser, group, leaf, take_file
from gui.commands.pending_look import Row, judged, list_lines, record_data, told, unusable_lines
from gui.i18n import tr, trn
from gui.words import say
from store.home import TARGETS
from store.pending.handling import subsystem_of
from store.pending.queue import Handled, Listing
from store.pending.records import SUBSYSTEMS, Record, UnusableRecord
from store.refusals import REFUSALS, Invalid, Unsupported

if TYPE_CHECKING:
    from store.desk import Desk


def declare(areas: Areas) -> None:
    """Declare `pending` and its commands."""
    commands = group(areas, "pending", tr("what waits for approval"))
    listing = leaf(commands, "list", list_records, tr("show what waits, oldest first"))
    listing.add_argument("--subsystem", choices=SUBSYSTEMS, help=tr("only this queue"))
    listing.add_argument("--all-profiles", action="store_true", help=tr("the queues of all"))
    show = leaf(commands, "show", show_record, tr("show one write and what approving it does"))
    show.add_argument(dest="id", metavar="ID", help=tr("the id in the list"))
    approve = leaf(commands, "approve", approve_records, tr("apply these writes"), changes=True)
    _take_ids(approve)
    approve.add_argument(
        "--together", action="store_true", help=tr("judge them by the end state, all or none")
    )
    reject = leaf(commands, "reject", reject_records, tr("drop these writes"), changes=True)
    _take_ids(reject)
    edit = leaf(commands, "edit", edit_record, tr("change a write that waits"), changes=True)
    edit.add_argument(dest="id", metavar="ID", help=tr("the id in the list"))
    take_file(edit, tr("JSON as the agent's payload, in place of what the write asks for"))
    aside = leaf(
        commands,
        "set-aside",
        set_aside,
        tr("move what cannot be used out of the queue"),
        changes=True,
    )
    aside.add_argument(dest="name", metavar="ID|FILE", help=tr("an id, or a file in the list"))
    review = leaf(
        commands,
        "review",
        review_records,
        tr("go through the queue, asking for each"),
        changes=True,
    )
    review.add_argument("--subsystem", choices=SUBSYSTEMS, help=tr("only this queue"))
    stage = leaf(commands, "stage", stage_record, tr("put a write into the queue"), changes=True)
    take_file(
        stage,
        tr(
            "JSON as the agent's payload: {action, target, content, old_text}, or for a skill "
            "{action, name, …}"
        ),
    )


def _ids_or_all(arguments: Arguments) -> str:
    if bool(arguments.ids) == arguments.all:
        return tr("name the ids, or give --all, and not both")
    if arguments.subsystem and not arguments.all:
        return tr("--subsystem goes with --all")
    return ""


def _take_ids(parser: Parser) -> None:
    parser.set_defaults(check=_ids_or_all)
    parser.add_argument(dest="ids", nargs="*", metavar="ID", help=tr("ids in the list"))
    parser.add_argument(
        "--all", action="store_true", help=tr("all writes that wait at this moment")
    )
    parser.add_argument("--subsystem", choices=SUBSYSTEMS, help=tr("with --all: only this queue"))


def review_records(desk: Desk, arguments: Arguments) -> Answer:
    """Ask about each record in the terminal."""
    from gui.commands.pending_review import review

    return review(desk, arguments)


# -- looking ---------------------------------------------------------------------------------


def list_records(desk: Desk, arguments: Arguments) -> Answer:
    """Everything that waits, oldest first, with what stands in its way."""
    subsystems = (arguments.subsystem,) if arguments.subsystem else SUBSYSTEMS
    desks = [desk.at(home) for home in desk.profiles()] if arguments.all_profiles else [desk]
    rows: list[Row] = []
    unusable: list[tuple[UnusableRecord, str]] = []
    listings: list[Listing] = []
    for one in desks:
        profile = one.home.profile if arguments.all_profiles else ""
        read = [one.queue.load(subsystem) for subsystem in subsystems]
        listings += read
        rows += [(record, problem, profile) for record, problem in judged(one, read)]
        unusable += [(record, profile) for listing in read for record in listing.unreadable]
    rows.sort(key=lambda row: (row[0].created_at, row[0].id))
    data = {
        "records": [record_data(*row) for row in rows],
        "unreadable": [
            {"file": record.file, "reason": record.problem.code, "message": say(record.problem)}
            | ({"profile": profile} if profile else {})
            for record, profile in unusable
        ],
    }
    problem = next((listing.problem for listing in listings if listing.problem is not None), None)
    if problem is not None:
        data = refusal_data(problem) | data
    lines = list_lines(rows, [broken for broken, _ in unusable])
    return Answer(data, "\n".join(lines), ok=problem is None)


def show_record(desk: Desk, arguments: Arguments) -> Answer:
    """One record as it was read, and its effect."""
    record = desk.queue.find(arguments.id)
    if not isinstance(record, Record):
        return refused(record)
    effect, lines = told(desk, record)
    return Answer({"record": record.raw, "effect": effect}, "\n".join(lines))


# -- deciding --------------------------------------------------------------------------------


def approve_records(desk: Desk, arguments: Arguments) -> Answer:
    """Apply exactly these records; success is said of what is on disk and out of the queue."""
    ids, left = _chosen(desk, arguments)
    records = [found for name in ids if isinstance(found := desk.queue.find(name), Record)]
    targets = {record.id: record.memory_target for record in records}
    handled = desk.queue.approve(ids, together=arguments.together, wait=arguments.wait)
    done = trn("Approved {n} write.", "Approved {n} writes.", len(handled.done))
    notes = []
    changed = {targets.get(record_id) for record_id, _ in handled.done} - {None}
    if changed and (provider := desk.library.settings().provider):
        notes.append(
            tr(
                "The provider {name} keeps a copy of its own, which is not updated by this.",
                name=provider,
            )
        )
    if ignored := ignored_note(desk, [name for name in TARGETS if name in changed]):
        notes.append(ignored)
    return _handled(handled, done, left, " ".join(notes))


def reject_records(desk: Desk, arguments: Arguments) -> Answer:
    """Drop exactly these records; each can be undone."""
    ids, left = _chosen(desk, arguments)
    spared = []
    if arguments.all:
        # What the desk cannot do may be somebody else's to decide; by its id it may go.
        records = [found for name in ids if isinstance(found := desk.queue.find(name), Record)]
        spared = [record for record in records if isinstance(record.problem, Unsupported)]
        ids = [name for name in ids if name not in {record.id for record in spared}]
    handled = desk.queue.reject(ids, wait=arguments.wait)
    done = trn("Rejected {n} write.", "Rejected {n} writes.", len(handled.done))
    return _handled(handled, done, left, spared=spared)


def _chosen(desk: Desk, arguments: Arguments) -> tuple[list[str], Listing]:
    """The ids that are meant; with --all also the files that stay, since they are no records."""
    if not arguments.all:
        return list(arguments.ids), Listing((), ())
    subsystems = (arguments.subsystem,) if arguments.subsystem else SUBSYSTEMS
    listings = [desk.queue.load(one) for one in subsystems]
    records = [record for listing in listings for record in listing.records]
    records.sort(key=lambda record: (record.created_at, record.id))
    unreadable = [broken for listing in listings for broken in listing.unreadable]
    problem = next((one.problem for one in listings if one.problem is not None), None)
    return [record.id for record in records], Listing((), tuple(unreadable), problem)


def _handled(
    handled: Handled,
    message: str,
    listing: Listing,
    note: str = "",
    *,
    spared: Sequence[Record] = (),
) -> Answer:
    if listing.problem is not None:
        return refused(listing.problem, done=[], refused=[])
    left = listing.unreadable
    data: dict[str, object] = {
        "done": [record_id for record_id, _ in handled.done],
        "refused": [{"id": name} | refusal_data(why) for name, why in handled.refused],
        "message": message,
    }
    if note:
        data["note"] = note
    if left:
        data["unreadable"] = [one.file for one in left]
    kept = [(one.id, one.problem) for one in spared if one.problem is not None]
    if kept:
        data["left"] = [{"id": name} | refusal_data(why) for name, why in kept]
    notes = [f"{name}: {say(why)}" for name, why in (*handled.refused, *kept)]
    notes += unusable_lines(left)
    text = "\n".join(part for part in (message if handled.done else "", note) if part)
    if not handled.done and not handled.refused and not left and not kept:
        text = tr("Nothing waits for approval.")
    return Answer(data, text, ok=not handled.refused, notes=tuple(notes))


# -- staging, editing, setting aside -------------------------------------------------------------


def stage_record(desk: Desk, arguments: Arguments) -> Answer:
    """Put a write into the queue as the agent does, pinned to what it means now."""
    payload = _payload(arguments)
    if isinstance(payload, Invalid):
        return refused(payload)
    subsystem = subsystem_of(payload)
    if isinstance(subsystem, Invalid):
        return refused(Invalid(GIVEN, "plan_target"))
    done = desk.queue.stage(payload, subsystem=subsystem, wait=arguments.wait)
    if not isinstance(done, str):
        return refused(done)
    return Answer({"id": done}, tr("Staged as {id}.", id=done))


def edit_record(desk: Desk, arguments: Arguments) -> Answer:
    """Put another payload into a record that waits; the journal keeps the original."""
    payload = _payload(arguments)
    if isinstance(payload, Invalid):
        return refused(payload)
    done = desk.queue.edit(arguments.id, payload, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        return refused(done)
    message = tr("Edited {id}; it still waits for approval.", id=arguments.id)
    if done is None:
        message = tr("{id} asks for just that already.", id=arguments.id)
    return Answer({"id": arguments.id, "change_id": done, "message": message}, message)


def _payload(arguments: Arguments) -> dict[str, Any] | Invalid:
    """The payload in the file that was given, which may hold a whole record around it."""
    payload = given_json(arguments.data)
    if isinstance(payload, Invalid):
        return payload
    if not isinstance(payload, dict):
        return Invalid(GIVEN, "not_an_object")
    whole = payload.get("payload")
    return whole if isinstance(whole, dict) else payload


def set_aside(desk: Desk, arguments: Arguments) -> Answer:
    """Move what cannot be used out of the queue; it can be undone."""
    done = desk.queue.set_aside(arguments.name)
    if isinstance(done, REFUSALS):
        return refused(done)
    place, change = done
    message = tr("Set aside in {path}.", path=place)
    data = {"id": arguments.name, "path": place, "change_id": change, "message": message}
    return Answer(data, message)
