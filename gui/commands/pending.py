"""Commands on the approval queue: seeing, judging, approving and rejecting staged writes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, indented, refusal_data, refused
from gui.commands.entries import GIVEN, given_json, ignored_note
from gui.commands.parsing import Areas, Arguments, Parser, group, leaf, take_file
from gui.i18n import tr, trn
from gui.words import ACTIONS, ORIGINS, excerpt, file_name, say, word
from store.home import TARGETS
from store.memory.budget import approximate_tokens, usage_line
from store.memory.entries import DELIMITER
from store.memory.state import MemoryState
from store.pending.effects import Effect, effect_of, unified
from store.pending.queue import Handled, Listing
from store.pending.records import SUBSYSTEMS, Record, UnusableRecord
from store.refusals import Invalid, Refusal, Unsupported

if TYPE_CHECKING:
    from store.desk import Desk
    from store.home import Target

States = dict["Target", MemoryState]


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
    stage = leaf(commands, "stage", stage_record, tr("put a write into the queue"), changes=True)
    take_file(stage, tr("JSON as the agent's payload: {action, target, content, old_text}"))


def _ids_or_all(arguments: Arguments) -> str:
    one_of_them = bool(arguments.ids) != arguments.all
    return "" if one_of_them else tr("name the ids, or give --all, and not both")


def _take_ids(parser: Parser) -> None:
    parser.set_defaults(check=_ids_or_all)
    parser.add_argument(dest="ids", nargs="*", metavar="ID", help=tr("ids in the list"))
    parser.add_argument(
        "--all", action="store_true", help=tr("all memory writes that wait at this moment")
    )


# -- looking ---------------------------------------------------------------------------------


def list_records(desk: Desk, arguments: Arguments) -> Answer:
    """Everything that waits, oldest first, with what stands in its way."""
    subsystems = (arguments.subsystem,) if arguments.subsystem else SUBSYSTEMS
    desks = [desk.at(home) for home in desk.profiles()] if arguments.all_profiles else [desk]
    rows: list[tuple[Record, Refusal | None, str]] = []
    unusable: list[tuple[UnusableRecord, str]] = []
    listings: list[Listing] = []
    for one in desks:
        profile = one.home.profile if arguments.all_profiles else ""
        read = [one.queue.load(subsystem) for subsystem in subsystems]
        listings += read
        rows += [(record, problem, profile) for record, problem in _judged(one, read)]
        unusable += [(record, profile) for listing in read for record in listing.unreadable]
    rows.sort(key=lambda row: (row[0].created_at, row[0].id))
    data = {
        "records": [_record_data(*row) for row in rows],
        "unreadable": [
            {"file": record.file, "reason": record.problem.code, "message": say(record.problem)}
            | ({"profile": profile} if profile else {})
            for record, profile in unusable
        ],
    }
    problem = next((listing.problem for listing in listings if listing.problem is not None), None)
    if problem is not None:
        data = refusal_data(problem) | data
    return Answer(data, "\n".join(_list_lines(rows, unusable)), ok=problem is None)


def _judged(desk: Desk, listings: Sequence[Listing]) -> list[tuple[Record, Refusal | None]]:
    records = [record for listing in listings for record in listing.records]
    states = desk.library.load_both() if any(record.change for record in records) else {}
    return [(record, problem_of(record, states)) for record in records]


def problem_of(record: Record, states: States) -> Refusal | None:
    """What stands in the way of approving `record` now."""
    if record.problem is not None:
        return record.problem
    target = record.memory_target
    return None if target is None else effect_of(record, states[target]).refusal


def _record_data(record: Record, problem: Refusal | None, profile: str) -> dict[str, object]:
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


def _list_lines(
    rows: Sequence[tuple[Record, Refusal | None, str]],
    unusable: Sequence[tuple[UnusableRecord, str]],
) -> list[str]:
    lines = []
    for record, problem, profile in rows:
        where = f"{profile}  " if profile else ""
        lines.append(f"{record.id}  {_moment(record)}  {where}{_headline(record)}")
        lines.append(f"          {excerpt(record.summary, 160)}")
        if problem is not None and record.subsystem == "memory":
            lines.append(f"          ! {say(problem, tried=False)}")
    lines += _unusable_lines([broken for broken, _ in unusable])
    skills = sum(record.subsystem == "skills" for record, _, _ in rows)
    if skills:
        lines.append("")
        lines.append(
            trn(
                "{n} of them is for a skill; decide on it with Hermes' own /skills.",
                "{n} of them are for skills; decide on them with Hermes' own /skills.",
                skills,
            )
        )
    return lines or [tr("Nothing waits for approval.")]


def _unusable_lines(unusable: Sequence[UnusableRecord]) -> list[str]:
    return [f"! {broken.file}: {say(broken.problem)}" for broken in unusable]


def _headline(record: Record) -> str:
    what = f"{word(ACTIONS, record.action)}  {file_name(record.target)}"
    return f"{word(ORIGINS, record.origin)}  {what}"


def _moment(record: Record) -> str:
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(record.created_at))
    except (ValueError, OverflowError, OSError):
        return "?"


def show_record(desk: Desk, arguments: Arguments) -> Answer:
    """One record as it was read, and its effect."""
    record = desk.queue.find(arguments.id)
    if not isinstance(record, Record):
        return refused(record)
    head = f"{record.id}  {_moment(record)}  {_headline(record)}"
    target = record.memory_target
    if record.change is None or target is None:
        problem = record.problem or Unsupported("skill_record")
        effect: dict[str, object] = {"ok": False, "operation": None, "diff": "", "lost_lines": []}
        effect |= {"chars_before": None, "chars_after": None, "limit": None, "tokens": None}
        data = {"record": record.raw, "effect": effect | refusal_data(problem)}
        return Answer(data, "\n".join([head, record.summary, f"! {say(problem)}"]))
    state = desk.library.load(target)
    effect_now = effect_of(record, state)
    data = {"record": record.raw, "effect": _effect_data(effect_now, state)}
    return Answer(data, "\n".join([head, *_effect_lines(effect_now, state)]))


def _effect_data(effect: Effect, state: MemoryState) -> dict[str, object]:
    refusal = effect.refusal
    return {
        "ok": effect.ok,
        "reason": None if refusal is None else refusal.code,
        "message": None if refusal is None else say(refusal, tried=False),
        "operation": effect.operation,
        "diff": unified(effect.diff),
        "lost_lines": effect.lost_lines,
        "chars_before": effect.chars_before,
        "chars_after": effect.chars_after,
        "limit": effect.limit,
        "tokens": _tokens(effect, state),
    }


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


# -- deciding --------------------------------------------------------------------------------


def approve_records(desk: Desk, arguments: Arguments) -> Answer:
    """Apply exactly these records; success is said of what is on disk and out of the queue."""
    ids, left = _chosen(desk, arguments)
    records = [found for name in ids if isinstance(found := desk.queue.find(name), Record)]
    targets = {record.id: record.memory_target for record in records}
    handled = desk.queue.approve(ids, together=arguments.together, wait=arguments.wait)
    done = trn("Approved {n} write.", "Approved {n} writes.", len(handled.done))
    notes = []
    if handled.done and (provider := desk.library.settings().provider):
        notes.append(
            tr(
                "The provider {name} keeps a copy of its own, which is not updated by this.",
                name=provider,
            )
        )
    changed = {targets.get(record_id) for record_id, _ in handled.done}
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
    listing = desk.queue.load("memory")
    return [record.id for record in listing.records], listing


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
    notes += _unusable_lines(left)
    text = "\n".join(part for part in (message if handled.done else "", note) if part)
    if not handled.done and not handled.refused and not left and not kept:
        text = tr("Nothing waits for approval.")
    return Answer(data, text, ok=not handled.refused, notes=tuple(notes))


def stage_record(desk: Desk, arguments: Arguments) -> Answer:
    """Put a write into the queue as the agent does, pinned to what it means now."""
    payload = given_json(arguments.data)
    if isinstance(payload, Invalid):
        return refused(payload)
    if not isinstance(payload, dict):
        return refused(Invalid(GIVEN, "not_an_object"))
    if isinstance(whole := payload.get("payload"), dict):
        payload = whole  # a record as `pending show` gives it
    if payload.get("target") is None:
        return refused(Invalid(GIVEN, "plan_target"))
    done = desk.queue.stage(payload)
    if not isinstance(done, str):
        return refused(done)
    return Answer({"id": done}, tr("Staged as {id}.", id=done))
