"""Commands on memory providers: which there are, what they are set to, which one is used."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gui.commands.answers import Answer, refused, table
from gui.commands.parsing import STDIN, Areas, Arguments, Parser, group, leaf
from gui.commands.provider_data import form_data, row_data
from gui.commands.streams import rejoined
from gui.field_words import say_problem
from gui.i18n import tr
from gui.provider_words import (
    SOURCES,
    STATES,
    VALUE_SOURCES,
    say_destination,
    say_note,
    say_row,
    say_unreadable,
)
from gui.words import say, word
from schema.fields import UNSET, Secret, Unset
from schema.values import Problem, show
from store.refusals import REFUSALS, Invalid, Refusal

if TYPE_CHECKING:
    from store.desk import Desk
    from store.providers.desk import Providers
    from store.providers.editing import FileLines
    from store.providers.forms import FieldState, Form


def declare(areas: Areas) -> None:
    """Declare `providers` and its commands."""
    commands = group(areas, "providers", tr("memory providers, their settings, and which is used"))
    leaf(commands, "list", list_providers, tr("show every provider and its state; runs none"))
    _named(leaf(commands, "show", show_provider, tr("show the settings of a provider")))
    change = leaf(commands, "set", set_values, tr("change settings, all or none"), changes=True)
    _named(change)
    change.add_argument(
        dest="pairs", nargs="*", metavar="KEY=VALUE", help=tr("a setting and its value")
    )
    change.add_argument(
        "--unset", action="append", default=[], metavar="KEY", help=tr("remove a setting")
    )
    change.add_argument(
        "--secret",
        action=_ReadsSecret,
        metavar="KEY",
        help=tr("keep this one in the keyring; its value is read from standard input"),
    )
    change.add_argument("--dry-run", action="store_true", help=tr("only show what would change"))
    change.set_defaults(check=_check_set)
    ask = leaf(commands, "ask", ask_provider, tr("run a plugin to ask it for its settings"))
    _named(ask)
    ask.add_argument(
        "--yes", action="store_true", help=tr("run its code in a process of its own, for seconds")
    )
    use = leaf(commands, "use", use_provider, tr("let the agent use a provider"), changes=True)
    _named(use)
    use.add_argument("--anyway", action="store_true", help=tr("also while it is not ready"))
    leaf(commands, "off", switch_off, tr("use the built-in memory alone"), changes=True)


class _ReadsSecret(argparse.Action):
    """Takes the key, and lets standard input be read for its value."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Only one value fits on standard input."""
        if namespace.secret is not None:
            parser.error(tr("--secret may be given once, since standard input is read once"))
        namespace.secret = values
        namespace.file = STDIN


def _named(parser: Parser) -> None:
    parser.add_argument(dest="name", metavar="NAME", help=tr("a provider, as in the list"))


def _check_set(arguments: Arguments) -> str:
    if not (arguments.pairs or arguments.unset or arguments.secret):
        return tr("give at least one KEY=VALUE, --unset KEY or --secret KEY")
    for pair in arguments.pairs:
        if not pair.partition("=")[0].strip() or "=" not in pair:
            return tr("“{pair}” is no KEY=VALUE", pair=pair)
    keys = [pair.partition("=")[0] for pair in arguments.pairs] + arguments.unset
    keys += [arguments.secret] if arguments.secret else []
    twice = next((key for key in keys if keys.count(key) > 1), None)
    return "" if twice is None else tr("{key} is given more than once", key=twice)


def _providers(desk: Desk) -> Providers:
    from store.providers.desk import Providers

    return Providers(desk)


# -- looking ---------------------------------------------------------------------------------


def list_providers(desk: Desk, arguments: Arguments) -> Answer:
    """Every provider of every place, with its state."""
    found = _providers(desk).catalogue()
    lines = [
        (
            "*" if row.active else " ",
            row.name,
            word(STATES, row.state),
            word(SOURCES, row.source),
            say_row(row),
        )
        for row in found.rows
    ]
    data = {"providers": [row_data(row) for row in found.rows], "active": found.active}
    return Answer(data, table(lines) if lines else tr("There is no memory provider here."))


def show_provider(desk: Desk, arguments: Arguments) -> Answer:
    """The form of a provider as data."""
    form = _providers(desk).form(arguments.name)
    return refused(form) if isinstance(form, REFUSALS) else _shown(form)


def _shown(form: Form) -> Answer:
    row = form.row
    lines = [
        f"{form.schema.label} ({row.name}): {word(STATES, row.state)}. {say_row(row)}".rstrip(),
        *(str(path) for path in form.files),
        *(say_note(note) for note in form.notes),
    ]
    if form.problem is not None:
        lines.append(say_unreadable(form.problem))
    rows = [
        (
            state.key,
            _value_words(state),
            _source_words(state),
            "; ".join(
                [
                    *([say_problem(state.problem)] if state.problem else []),
                    *map(say_note, state.notes),
                ]
            ),
        )
        for state in form.fields
        if state.visible
    ]
    notes = () if form.locked is None else (say(form.locked),)
    text = "\n".join([*lines, "", table(rows)] if rows else lines)
    return Answer(form_data(form), text, notes=notes)


def _source_words(state: FieldState) -> str:
    source = word(VALUE_SOURCES, state.source)
    if not state.place:
        return source
    in_file = state.source in ("file", "config", "dotenv")
    return state.place if in_file else f"{source}: {state.place}"


def _value_words(state: FieldState) -> str:
    if isinstance(state.field, Secret):
        return tr("set") if state.is_set else tr("not set")
    value = state.value if state.is_set else state.default
    return show(state.field, value) or "—"


# -- changing --------------------------------------------------------------------------------


def set_values(desk: Desk, arguments: Arguments) -> Answer:
    """Validate every value, then write all or nothing; the provider in use stays what it is."""
    providers = _providers(desk)
    form = providers.form(arguments.name)
    if isinstance(form, REFUSALS):
        return refused(form)
    values: dict[str, str | Unset] = dict.fromkeys(arguments.unset, UNSET)
    for pair in arguments.pairs:
        key, _, value = rejoined(pair).partition("=")
        values[key.strip()] = value
    secret, errors = None, {}
    if arguments.secret is not None:
        secret = _secret(arguments.data)
        place = providers.check_secret(form, arguments.secret)
        if isinstance(secret, Invalid):
            return refused(secret)
        if isinstance(place, (Problem, REFUSALS)):
            errors[arguments.secret] = place
    plan = providers.plan(form, values)
    if isinstance(plan, REFUSALS):
        return refused(plan)
    from store.providers.saving import Mistakes

    if isinstance(plan, Mistakes):
        errors.update(plan.problems)
    if errors or isinstance(plan, Mistakes):
        return _mistaken(errors)
    keys = [*plan.keys, *([arguments.secret] if arguments.secret else [])]
    if arguments.dry_run:
        return _would_change(keys, plan.files)
    return _saved(providers, form, plan, secret, arguments)


def _saved(
    providers: Providers, form: Form, plan: Any, secret: Any, arguments: Arguments
) -> Answer:
    """Save the file, then keep the key; where the keyring refuses, the file goes back."""
    from store.providers.desk import SecretKept
    from store.providers.saving import Mistakes

    saved = providers.save(plan, wait=arguments.wait)
    if isinstance(saved, Mistakes):
        return _mistaken(saved.problems)
    if isinstance(saved, REFUSALS):
        return refused(saved)
    outranked = [f"{one.key} ({one.place})" for one in saved.did_not_stick]
    keys = list(saved.changed)
    if secret is not None:
        kept = providers.set_secret(form, arguments.secret, secret, wait=arguments.wait)
        if not isinstance(kept, SecretKept):
            providers.take_back(saved, wait=arguments.wait)
            return _mistaken({kept.key: kept}) if isinstance(kept, Problem) else refused(kept)
        keys.append(kept.key)
        outranked += [f"{kept.key} ({kept.outranked})"] if kept.outranked else []
    notes = []
    if outranked:
        names = ", ".join(outranked)
        notes.append(tr("Saved, but another value is in effect: {names}.", names=names))
    data = {
        "changed": keys,
        "writes": _writes(saved.files),
        "did_not_stick": [one.key for one in saved.did_not_stick],
        "change_id": saved.change_id,
    }
    text = tr("Changed {keys}.", keys=", ".join(keys)) if keys else tr("It was so already.")
    return Answer(data, "\n".join([text, *_lines(saved.files)]), notes=tuple(notes))


def _secret(data: bytes) -> Any:
    from store.secrets.vault import cleaned

    try:
        return cleaned(data.decode("utf-8")).secret
    except UnicodeDecodeError as error:
        return Invalid("text", "surrogate", column=error.start + 1)


def _mistaken(errors: Mapping[str, Problem | Refusal]) -> Answer:
    told = {
        key: say_problem(one) if isinstance(one, Problem) else say(one)
        for key, one in errors.items()
    }
    hints = {
        key: one.options[0]
        for key, one in errors.items()
        if isinstance(one, Problem) and one.reason == "unknown_key" and one.options
    }
    notes = [f"{key}: {text}" for key, text in told.items()]
    notes += [tr("Did you mean {key}?", key=near) for near in hints.values()]
    first = next(iter(errors.values()))
    data: dict[str, object] = {
        "reason": "invalid" if isinstance(first, Problem) else first.code,
        "message": tr("Nothing was changed, since not every value can be taken."),
        "errors": told,
    }
    return Answer(data, ok=False, notes=(*notes, str(data["message"])))


def _would_change(keys: list[str], files: tuple[FileLines, ...]) -> Answer:
    data = {"changed": keys, "writes": _writes(files), "dry_run": True}
    text = tr("It would change {keys}.", keys=", ".join(keys)) if keys else tr("It is so already.")
    return Answer(data, "\n".join([text, *_lines(files)]))


def _writes(files: tuple[FileLines, ...]) -> list[dict[str, object]]:
    return [{"file": str(one.path), "lines": list(one.lines)} for one in files]


def _lines(files: tuple[FileLines, ...]) -> list[str]:
    return [line for one in files for line in (str(one.path), *one.lines)]


# -- asking and using ------------------------------------------------------------------------


def ask_provider(desk: Desk, arguments: Arguments) -> Answer:
    """Run the plugin once, for a few seconds, and show the form that it declares."""
    providers = _providers(desk)
    check = providers.check_ask(arguments.name)
    if isinstance(check, REFUSALS):
        return refused(check)
    if not (arguments.yes or check.agreed):
        where = tr("This runs the code in {path}; say --yes to do so.", path=check.row.path)
        data = {"reason": "invalid", "message": where, "path": str(check.row.path)}
        return Answer(data, ok=False, notes=(where,))
    form = providers.ask(arguments.name, agreed=check.digest)
    return refused(form) if isinstance(form, REFUSALS) else _shown(form)


def use_provider(desk: Desk, arguments: Arguments) -> Answer:
    """Write `memory.provider`, after saying where conversations would go."""
    providers = _providers(desk)
    check = providers.check_use(arguments.name)
    if isinstance(check, REFUSALS):
        return refused(check)
    where = say_destination(check.destination)
    code = tr("Its code lies in {path}.", path=check.row.path) if check.row.path else ""
    done = providers.use(arguments.name, agreed=check.digest, anyway=arguments.anyway)
    if isinstance(done, REFUSALS):
        more = {"state": check.row.state, "detail": say_row(check.row)}
        answer = refused(done, **more)
        notes = [*answer.notes, *filter(None, (say_row(check.row),))]
        return Answer(answer.data, ok=False, notes=tuple(notes))
    data = {
        "active": done.active,
        "changed": done.changed,
        "path": None if check.row.path is None else str(check.row.path),
        "bundled": check.row.source == "bundled",
        "destination": check.destination.kind,
        "address": check.destination.address,
    }
    origin = tr("Origin: {where}.", where=word(SOURCES, check.row.source))
    words = [
        tr("The agent uses {name} from its next session on.", name=check.row.label),
        " ".join(filter(None, (code, origin))),
        where,
    ]
    return Answer(data, "\n".join(words))


def switch_off(desk: Desk, arguments: Arguments) -> Answer:
    """Use the built-in memory alone."""
    done = _providers(desk).off()
    if isinstance(done, REFUSALS):
        return refused(done)
    text = tr("The agent uses its built-in memory alone from its next session on.")
    if not done.changed:
        text = tr("No external provider was in use.")
    return Answer({"active": done.active, "changed": done.changed}, text)
