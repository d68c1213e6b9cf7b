"""Commands on broken memory files: what is wrong with them, what they could become, repair."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refusal_data, refused
from gui.commands.entries import given_json
from gui.commands.parsing import Areas, Arguments, group, leaf, take_target
from gui.i18n import tr, trn
from gui.repair_words import say_finding, say_findings, say_lines, say_note
from gui.words import NOTICES, SIGNALS, excerpt, file_name, say, word
from store.home import FILE_NAMES, TARGETS
from store.memory.budget import usage_line
from store.memory.encodings import OFFERED
from store.memory.plan import PlanCheck, RepairPlan, as_data, check_plan, plan_of, read_plan
from store.memory.repair import BEYOND
from store.memory.repairs import Examined, Repaired, examine, repair
from store.memory.state import MemoryState
from store.refusals import REFUSALS, Conflict, Guessed, Invalid, Refusal

if TYPE_CHECKING:
    from store.desk import Desk


def declare(areas: Areas) -> None:
    """Declare `drift` and its commands."""
    commands = group(areas, "drift", tr("what the agent would refuse to change"))
    leaf(commands, "check", drift_check, tr("examine both memory files"))
    mend = leaf(
        commands,
        "repair",
        drift_repair,
        tr("show the list that a broken file could become, as a plan to edit; or write it"),
    )
    take_target(mend)
    mend.add_argument(
        "--apply",
        dest="changes",
        action="store_true",
        help=tr("write it, after a copy of the file as it was"),
    )
    mend.add_argument(
        "--plan", dest="file", metavar="FILE", help=tr("a plan, edited; - reads standard input")
    )
    mend.add_argument(
        "--encoding", choices=OFFERED, metavar="NAME", help=tr("what the bytes of the file are")
    )
    mend.add_argument(
        "--whole",
        action="store_true",
        help=tr("propose entries for all of a very long file, which may take a while"),
    )


# -- check -----------------------------------------------------------------------------------


def drift_check(desk: Desk, arguments: Arguments) -> Answer:
    """Whether the agent would refuse to change a file, what else is odd, what could be done."""
    states = desk.library.load_both()
    examined = {name: examine(desk.library, name) for name in TARGETS}
    files = {FILE_NAMES[name]: _condition(states[name], examined[name]) for name in TARGETS}
    unread = [one.problem for one in states.values() if one.problem and not one.notices]
    lines = [line for name in TARGETS for line in _lines(states[name], examined[name])]
    return Answer({"files": files}, "\n".join(lines), ok=not unread)


def _condition(state: MemoryState, found: Examined | Refusal) -> dict[str, object]:
    data: dict[str, object] = {
        "drift": bool(state.signals),
        "signals": state.signals,
        "notices": state.notices,
        "proposal": [],
        "chars": state.chars,
        "limit": state.limit,
        "over_budget": state.chars > state.limit,
        "problem": None if state.problem is None else refusal_data(state.problem),
    }
    if not isinstance(found, Examined) or found.proposal is None:
        return data
    data["findings"] = [say_finding(one) for one in found.findings]
    if found.needed:
        plan = as_data(plan_of(found.proposal, target=found.target, digest=found.digest))
        data |= plan | {"proposal": plan["entries"]} | _of_the_file(found)
        del data["entries"]
    return data


def _of_the_file(found: Examined) -> dict[str, object]:
    proposal = found.proposal
    if proposal is None:
        return {}
    return {"notes": proposal.notes, "guess": proposal.encoding if proposal.doubt else None}


def _lines(state: MemoryState, found: Examined | Refusal) -> list[str]:
    file = state.file_name
    if state.problem is not None and not isinstance(found, Examined):
        return [say(state.problem)]
    if state.signals:
        why = tr(", and ").join(word(SIGNALS, signal) for signal in state.signals)
        head = tr("{file}: the agent would refuse to change it, since {why}.", file=file, why=why)
    elif state.problem is not None:
        head = say(state.problem)
    elif state.state == "absent":
        head = tr("{file}: not there yet.", file=file)
    else:
        head = tr("{file}: no drift.", file=file)
    lines = []
    if state.chars > state.limit:
        usage = usage_line(state.chars, state.limit)
        lines.append(tr("Over budget: {usage}.", usage=usage))
    lines += [word(NOTICES, notice) for notice in state.notices]
    if isinstance(found, Examined):
        lines += say_findings(found.findings)
        lines += _proposed(found)
    return [head, *(f"  {line}" for line in lines)]


def _proposed(found: Examined) -> list[str]:
    if not found.needed or found.proposal is None:
        return []
    count = len(found.proposal.entries)
    proposed = trn("It could become {n} entry.", "It could become a list of {n} entries.", count)
    see = tr("See memory-desk drift repair --target {target}.", target=found.target)
    return [f"{proposed} {see}"]


# -- repair ----------------------------------------------------------------------------------


def drift_repair(desk: Desk, arguments: Arguments) -> Answer:
    """Print a plan, or write one."""
    found = examine(
        desk.library, arguments.target, encoding=arguments.encoding, whole=arguments.whole
    )
    if isinstance(found, REFUSALS):
        return refused(found, target=arguments.target)
    if found.proposal is None:
        return refused(Invalid("given", "encoding"), target=arguments.target)
    if arguments.file is None:
        agreed = arguments.encoding is not None
        plan = plan_of(found.proposal, target=found.target, digest=found.digest, agreed=agreed)
    else:
        given = _given_plan(arguments)
        if isinstance(given, REFUSALS):
            return refused(given, target=arguments.target)
        plan = given
    if arguments.changes and (found.needed or arguments.file is not None):
        return _applied(desk, arguments, found, plan)
    if arguments.changes:
        message = tr("{file} needs no repair, so nothing was changed.", file=found.path.name)
        return Answer(_answer(plan, found, changed=False, message=message), message)
    return _shown(found, plan)


def _given_plan(arguments: Arguments) -> RepairPlan | Refusal:
    data = given_json(arguments.data)
    if isinstance(data, Invalid):
        return data
    plan = read_plan(data)
    if isinstance(plan, Invalid):
        return plan
    return plan if plan.target == arguments.target else Invalid("given", "plan_of_the_other_file")


def _answer(plan: RepairPlan, found: Examined, **more: object) -> dict[str, object]:
    data = as_data(plan) | {"backup": "", "chars": len(plan.text), "limit": found.limit}
    return data | _of_the_file(found) | more


def _shown(found: Examined, plan: RepairPlan) -> Answer:
    """The plan itself on standard output, what there is to say about it beside it."""
    checked = check_plan(plan, found.data, limit=found.limit)
    data = _answer(plan, found, needed=found.needed, **_findings(found, checked))
    notes = say_findings(found.findings)
    if found.proposal is not None:
        notes += map(say_note, found.proposal.notes)
    notes += _warnings(plan, checked)
    if not found.needed:
        notes.append(tr("{file} needs no repair.", file=found.path.name))
    return Answer(data, _editable(as_data(plan) | _of_the_file(found)), notes=tuple(notes))


def _editable(data: dict[str, object]) -> str:
    """The JSON that a person edits: a line for each entry."""
    lines = []
    for key, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if key in ("entries", "dropped") and isinstance(value, list) and value:
            parts = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in value)
            text = f"[\n  {parts}\n ]"
        lines.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _findings(found: Examined, checked: PlanCheck) -> dict[str, object]:
    return {
        "findings": [say_finding(one) for one in found.findings],
        "problems": [
            {"entry": one.entry} | refusal_data(_located(one.refusal, found))
            for one in checked.problems
        ],
        "lost": checked.lost,
        "hidden": checked.hidden,
        "over_budget": checked.over_budget,
    }


def _located(refusal: Refusal, found: Examined) -> Refusal:
    """A refusal that pure code gave, with the file that it is about."""
    match refusal:
        case Guessed("", encoding):
            return Guessed(str(found.path), encoding)
        case Conflict(""):
            return Conflict(str(found.path))
        case _:
            return refusal


def _warnings(plan: RepairPlan, checked: PlanCheck) -> list[str]:
    warnings = []
    for one in checked.problems:
        said = say(one.refusal)
        warnings.append(tr("Entry {n}: {why}", n=one.entry, why=said) if one.entry else said)
    if checked.over_budget:
        usage = usage_line(checked.chars, checked.limit)
        warnings.append(tr("It would be over budget: {usage}.", usage=usage))
    rest = next((one for one in plan.dropped if one.why == BEYOND), None)
    if rest is not None:
        warnings.append(
            tr(
                "What follows ({lines}, {chars:,} characters) is left out and stays in the copy; "
                "--whole proposes entries for all of it.",
                lines=say_lines(rest.lines),
                chars=len(rest.text),
            )
        )
    if checked.lost:
        words = excerpt(" ".join(checked.lost), 200)
        warnings.append(tr("These words of the file are nowhere in the plan: {words}", words=words))
    if checked.hidden:
        numbers = ", ".join(map(str, checked.hidden))
        warnings.append(tr("The agent's threat scan would hide entry {n}.", n=numbers))
    return warnings


def _applied(desk: Desk, arguments: Arguments, found: Examined, plan: RepairPlan) -> Answer:
    checked = check_plan(plan, found.data, limit=found.limit)
    about = _findings(found, checked)
    done = repair(desk.library, found.target, plan, wait=arguments.wait)
    if isinstance(done, REFUSALS):
        first = next((one.entry for one in checked.problems), 0)
        answer = refused(done, target=found.target, entry=first, **about)
        notes = tuple(_warnings(plan, checked)) if checked.problems else answer.notes
        return Answer(answer.data, ok=False, notes=tuple(notes))
    message = _said(done)
    data = _answer(
        plan,
        found,
        changed=done.changed,
        message=message,
        sent=done.sent,
        change_id=done.change_id,
        proven=done.proven,
        **about,
    )
    data |= {"backup": done.backup, "chars": done.chars, "limit": done.limit}
    lines = [f"{message} {usage_line(done.chars, done.limit)}"]
    if not done.proven:
        lines.append(tr("Read back it is not what was written; run memory-desk drift check."))
    if done.backup:
        lines.append(tr("A copy of the file as it was: {path}", path=done.backup))
    if done.change_id is not None:
        lines.append(tr("To take it back: memory-desk history undo {id}", id=done.change_id))
    return Answer(data, "\n".join(lines), notes=tuple(_warnings(plan, checked)))


def _said(done: Repaired) -> str:
    file = file_name(done.target)
    if not done.changed:
        return tr("{file} is so already, so nothing was changed.", file=file)
    return trn(
        "Repaired {file}, now {n} entry; it takes effect next session.",
        "Repaired {file}, now {n} entries; it takes effect next session.",
        done.entries,
        file=file,
    )
