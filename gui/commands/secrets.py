"""Commands on keys: the keyring, plain files, and what lets Hermes read them.

A value comes in on standard input and goes out only to a program that reads standard output.
"""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refusal_data, refused, table
from gui.commands.handover import declare_handover
from gui.commands.parsing import Areas, Arguments, group, leaf
from gui.i18n import tr, trn
from gui.secret_words import LEFT, say_odd_line
from gui.words import say
from store.refusals import REFUSALS, NotFound, Refusal, Unsupported

if TYPE_CHECKING:
    from store.desk import Desk
    from store.secrets.finds import Find
    from store.secrets.migrate import LeftOpen
    from store.secrets.vault import Given, KeyList, Secrets

EXPORT_SECONDS = 2.5
"""Hermes waits 3 s for an export, and says nothing of why if it takes longer."""


def declare(areas: Areas) -> None:
    """Declare `secrets` and its commands."""
    commands = group(areas, "secrets", tr("keys: in the keyring, in plain files, and for Hermes"))
    leaf(commands, "list", list_keys, tr("the names of all keys, and where they are"))
    change = leaf(
        commands,
        "set",
        set_key,
        tr("keep a key in the keyring; its value is read from standard input"),
        changes=True,
    )
    clear = leaf(commands, "clear", clear_key, tr("remove a key from the keyring"), changes=True)
    for parser in (change, clear):
        parser.add_argument(dest="name", metavar="NAME", help=tr("as in HONCHO_API_KEY"))
    change.set_defaults(value="-", texts=("value",), unseen=True)
    move = leaf(
        commands,
        "migrate",
        migrate,
        tr("move keys from plain files into the keyring"),
        changes=True,
    )
    move.add_argument(
        dest="names", nargs="*", metavar="NAME", help=tr("which keys (default: all that can be)")
    )
    move.add_argument("--apply", action="store_true", help=tr("do it; without it, only show"))
    run = leaf(commands, "exec", execute, tr("run a program with the keys in its environment"))
    run.add_argument(
        dest="words", nargs="+", metavar="PROGRAM", help=tr("after --, with its arguments")
    )
    leaf(commands, "export", export, tr("print every key as a line for a program to read"))
    declare_handover(commands)


def secrets_of(desk: Desk, *, seconds: float | None = None) -> Secrets:
    """The keys of the desk's home; the library behind them is loaded when a value is used."""
    from store.secrets.ring import Keyring
    from store.secrets.vault import Secrets

    keyring = Keyring(limit=seconds)
    return Secrets(
        desk.home,
        disk=desk.disk,
        env=desk.env,
        keyring=keyring,
        journal=lambda: desk.journal,
    )


# -- one key ---------------------------------------------------------------------------------


def list_keys(desk: Desk, arguments: Arguments) -> Answer:
    """All names; which keyring there is, without reading an item of it."""
    from store.secrets.states import Backend

    secrets = secrets_of(desk)
    found, backend = secrets.listing(), secrets.backend()
    rows: list[dict[str, object]] = []
    for kept in found.kept:
        rows.append(
            {
                "name": kept.name,
                "where": "keyring",
                "used_by": _users(kept.name, found),
                "changed_at": kept.changed,
                "moving_from": kept.moving or None,
            }
        )
    rows += [_find_data(one) for one in found.finds.found]
    data: dict[str, object] = {"backend": None, "secrets": rows, "interrupted": found.interrupted}
    notes = [_interrupted(name) for name in found.interrupted]
    if isinstance(backend, Backend):
        data["backend"] = backend.label
    else:
        data |= {"problem": refusal_data(backend)}
        notes.append(say(backend))
    notes += [say(problem) for problem in found.finds.problems]
    notes += [say_odd_line(odd) for odd in found.finds.odd_lines]
    data["dotenv"] = [
        {"problem": odd.kind, "line": odd.line, "names": odd.names} for odd in found.finds.odd_lines
    ]
    if found.index_problem is not None:
        notes.append(say(found.index_problem))
        return Answer(refusal_data(found.index_problem) | data, ok=False, notes=tuple(notes))
    return Answer(data, _key_table(rows), notes=tuple(notes))


def set_key(desk: Desk, arguments: Arguments) -> Answer:
    """Keep one key. What was pasted around it goes, and that is said."""
    from store.secrets.vault import KeySet, cleaned

    pasted = cleaned(arguments.value.removesuffix("\n").removesuffix("\r"))
    done = secrets_of(desk).set(
        arguments.name, pasted.secret, may_ask=arguments.person, wait=arguments.wait
    )
    if not isinstance(done, KeySet):
        return refused(done, name=arguments.name)
    notes = [_twin(one) for one in done.twins]
    if pasted.trimmed:
        notes.insert(0, tr("Blanks or invisible characters around the value were left out."))
    data = {"name": done.name, "trimmed": pasted.trimmed, "twins": _places(done.twins)}
    text = tr("{name} is in the keyring.", name=done.name)
    return Answer(data, text, notes=(*notes, *_not_handed_over(desk)))


def clear_key(desk: Desk, arguments: Arguments) -> Answer:
    """Remove one key from the keyring; plain copies stay and are named."""
    from store.secrets.vault import KeyCleared

    done = secrets_of(desk).clear(arguments.name, may_ask=arguments.person, wait=arguments.wait)
    if not isinstance(done, KeyCleared):
        return refused(done, name=arguments.name)
    data = {"name": done.name, "was_there": done.was_there, "twins": _places(done.twins)}
    text = tr("{name} is no longer in the keyring.", name=done.name)
    return Answer(data, text, notes=tuple(_twin(one) for one in done.twins))


def migrate(desk: Desk, arguments: Arguments) -> Answer:
    """Move keys from plain files; each is read back from the keyring before its line goes."""
    from store.secrets.migrate import Moves, move_keys, plan_moves, refused_names

    secrets = secrets_of(desk)
    plan = plan_moves(secrets, arguments.names)
    if not isinstance(plan, Moves):
        return refused(plan)
    names = [one.name for one in plan.moves]
    notes = [say(one) for one in plan.problems]
    if not arguments.apply:
        data = {"moved": [], "would_move": names, "left": [_left_data(one) for one in plan.left]}
        text = trn("{n} key would be moved:", "{n} keys would be moved:", len(names))
        lines = [text, *names] if names else [tr("There is nothing to move.")]
        return Answer(data, "\n".join([*lines, *_left_lines(plan.left)]), notes=tuple(notes))
    done = move_keys(secrets, plan, may_ask=arguments.person, wait=arguments.wait)
    left = [_left_data(one) for one in done.left]
    text = trn("{n} key was moved.", "{n} keys were moved.", len(done.moved))
    lines = [text, *done.moved, *_left_lines(done.left)]
    ok = not refused_names(done.left) and set(arguments.names) <= set(done.moved)
    data = {"moved": done.moved, "left": left}
    first = next((one.refusal for one in done.left if one.refusal is not None), None)
    if not ok and first is not None:
        data = refusal_data(first) | data
    if done.moved:
        notes += _not_handed_over(desk)
    return Answer(data, "\n".join(lines), ok=ok, notes=tuple(notes))


# -- for programs ----------------------------------------------------------------------------


def execute(desk: Desk, arguments: Arguments) -> Answer:
    """Run a program with the keys in its environment, in place of this process where that is so.

    Without keys it runs all the same, and one line says why.
    """
    import shutil
    import sys

    environment = {**desk.env, "HERMES_HOME": str(desk.home.path)}
    program = shutil.which(arguments.words[0], path=desk.env.get("PATH"))
    if program is None:
        return refused(NotFound("program", arguments.words[0]))
    given = secrets_of(desk).give(may_ask=arguments.person)
    if isinstance(given, REFUSALS):
        arguments.tell(_without_keys(given))
    else:
        for line in _gaps(given):
            arguments.tell(line)
        environment |= {name: secret.reveal() for name, secret in given.values.items()}
    desk.close()
    if os.name == "nt":
        done = subprocess.run([program, *arguments.words[1:]], env=environment, check=False)
        sys.exit(done.returncode)
    os.execve(program, arguments.words, environment)  # noqa: S606


def export(desk: Desk, arguments: Arguments) -> Answer:
    """Every key, for a program. Nobody is asked; what cannot be had is said on standard error."""
    from store.secrets.export import export_lines

    if arguments.on_terminal:
        return refused(Unsupported("export_to_terminal", "secrets export"))
    given = secrets_of(desk, seconds=EXPORT_SECONDS).give(may_ask=False)
    if isinstance(given, REFUSALS):
        return refused(given, secrets={})
    values = {name: secret.reveal() for name, secret in given.values.items()}
    data: dict[str, object] = {"secrets": values, "missing": given.missing}
    gaps = _gaps(given)
    if gaps and not values:
        data |= {"reason": "not_found", "message": gaps[0]}
    return Answer(data, export_lines(values), ok=bool(values) or not gaps, notes=gaps, exact=True)


# -- words -----------------------------------------------------------------------------------


def _users(name: str, found: KeyList) -> list[str]:
    from store.secrets.names import users_of

    return list(dict.fromkeys((*users_of(name), *found.finds.templates.get(name, ()))))


def _find_data(find: Find) -> dict[str, object]:
    return {
        "name": find.name or ".".join(find.key),
        "where": find.where,
        "used_by": list(find.used_by),
        "file": find.path or None,
        "line": find.line,
        "movable": not find.left,
        "left": find.left or None,
        "code_points": [f"U+{point:04X}" for point in find.code_points],
        "open_to_others": bool(find.loose),
    }


def _key_table(rows: list[dict[str, object]]) -> str:
    where = {
        "keyring": tr("keyring"),
        "dotenv": ".env",
        "environment": tr("environment"),
        "provider_file": tr("plain file"),
    }
    lines = []
    for row in rows:
        users, file = row["used_by"], row.get("file")
        place = "" if not file else f"{file}" + (f":{row['line']}" if row["line"] else "")
        said = [tr("open to other users")] if row.get("open_to_others") else []
        if isinstance(left := row.get("left"), str) and left != "environment":
            said.append(tr(LEFT[left]))
        names = ", ".join(users) if isinstance(users, list) else ""
        kind = where[str(row["where"])]
        lines.append((str(row["name"]), kind, place, names, "; ".join(said)))
    return table(lines) if lines else tr("There is no key yet.")


def _left_data(left: LeftOpen) -> dict[str, object]:
    more = {} if left.refusal is None else refusal_data(left.refusal)
    return {
        "name": left.name,
        "where": left.where,
        "file": left.path or None,
        "line": left.line,
        "why": left.why,
    } | {name: more[name] for name in ("reason", "message") if name in more}


def _left_lines(left: tuple[LeftOpen, ...]) -> list[str]:
    lines = []
    for one in left:
        why = tr(LEFT[one.why]) if one.refusal is None else say(one.refusal)
        lines.append(tr("{name} stays in {path}: {why}", name=one.name, path=one.path, why=why))
    return lines


def _places(finds: tuple[Find, ...]) -> list[dict[str, object]]:
    return [{"where": one.where, "file": one.path, "line": one.line} for one in finds]


def _twin(find: Find) -> str:
    return tr(
        "{name} also lies open in {path}, and Hermes takes that one; secrets migrate moves it.",
        name=find.name,
        path=find.path,
    )


def _interrupted(name: str) -> str:
    return tr(
        "Moving {name} was interrupted, so it may be in both places; secrets migrate --apply "
        "finishes it.",
        name=name,
    )


def _not_handed_over(desk: Desk) -> tuple[str, ...]:
    from store.secrets.handover import Handover, HandoverOf

    now = HandoverOf(desk.home, disk=desk.disk, env=desk.env).look()
    if isinstance(now, Handover) and now.state == "on":
        return ()
    return (
        tr("Hermes does not read the keyring by itself yet; secrets handover --apply lets it."),
    )


def _without_keys(refusal: Refusal) -> str:
    return tr("Without keys: {why}", why=say(refusal))


def _gaps(given: Given) -> tuple[str, ...]:
    lines = [
        tr("{name} was kept in the keyring and is not there any more; set it anew.", name=name)
        for name in given.missing
    ]
    for name, trouble in (given.troubles or {}).items():
        lines.append(tr("{name} could not be read: {why}", name=name, why=say(trouble)))
    return tuple(lines)
