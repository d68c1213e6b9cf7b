"""Commands on Hermes' own memory settings in config.yaml, one key at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refusal_data, refused
from gui.commands.parsing import Areas, Arguments, group, leaf
from gui.i18n import tr
from gui.words import say, say_problem
from schema.fields import UNSET, Field
from schema.values import Problem, parse
from store.refusals import Empty, Invalid, NotFound, Refusal

if TYPE_CHECKING:
    from store.config import ConfigChanged
    from store.desk import Desk


def declare(areas: Areas) -> None:
    """Declare `config` and its commands."""
    commands = group(areas, "config", tr("Hermes' memory, skills-approval and curator settings"))
    get = leaf(commands, "get", get_value, tr("show what a setting is, and where that comes from"))
    change = leaf(commands, "set", set_value, tr("change a setting"), changes=True)
    unset = leaf(commands, "unset", unset_value, tr("go back to the default"), changes=True)
    for parser in (get, change, unset):
        parser.add_argument("key", metavar="KEY", help=tr("as in memory.nudge_interval"))
    change.add_argument("value", metavar="VALUE", help=tr("true or false, a number, a name"))


def get_value(desk: Desk, arguments: Arguments) -> Answer:
    """The value that the agent sees, its default, and where it comes from."""
    field = _field(arguments.key)
    if field is None:
        return _unknown(arguments.key)
    data = _value_data(desk, field)
    problem = desk.library.settings().problem
    notes = () if problem is None else (say(problem), tr("The agent runs on its defaults."))
    if problem is not None:
        data["problem"] = refusal_data(problem)
    return Answer(data, _in_words(data), notes=notes)


def set_value(desk: Desk, arguments: Arguments) -> Answer:
    """Validate and store one value; no other line of the file changes."""
    from store import config

    field = _field(arguments.key)
    if field is None:
        return _unknown(arguments.key)
    parsed = parse(field, arguments.value)
    if isinstance(parsed, Problem):
        data = refusal_data(Invalid(field.key, say_problem(parsed)))
        data |= {"problem": parsed.reason, "limit": parsed.limit, "options": parsed.options}
        return Answer(data, ok=False, notes=(str(data["message"]),))
    if not isinstance(parsed.value, str | bool | int | float):
        return refused(Empty("value"), key=field.key)
    return _changed(
        desk,
        field,
        config.set_value(desk.home, field.key, parsed.value, disk=desk.disk, env=desk.env),
    )


def unset_value(desk: Desk, arguments: Arguments) -> Answer:
    """Remove one key, so that the default holds again."""
    from store import config

    field = _field(arguments.key)
    if field is None:
        return _unknown(arguments.key)
    done = config.unset_value(desk.home, field.key, disk=desk.disk, env=desk.env)
    return _changed(desk, field, done)


def _changed(desk: Desk, field: Field, done: ConfigChanged | Refusal) -> Answer:
    from store.config import ConfigChanged

    if not isinstance(done, ConfigChanged):
        return refused(done, key=field.key)
    data = _value_data(desk, field) | {"changed": done.changed}
    text = _in_words(data)
    if not done.changed:
        text += "\n" + tr("It was so already, so nothing was changed.")
    return Answer(data, text)


def _field(key: str) -> Field | None:
    from schema.settings import HERMES_SETTINGS

    return HERMES_SETTINGS.field(key)


def _unknown(key: str) -> Answer:
    from schema.settings import HERMES_SETTINGS

    near = HERMES_SETTINGS.suggest(key)
    answer = refused(NotFound("key", key), suggestion=near or None)
    if not near:
        return answer
    hint = tr("Did you mean {key}?", key=near)
    return Answer(answer.data, ok=False, notes=(*answer.notes, hint))


def _value_data(desk: Desk, field: Field) -> dict[str, object]:
    settings = desk.library.settings()
    value = settings.value(field.key)
    source = settings.source(field.key)
    if value is None and source == "default":
        value = None if field.default is UNSET else field.default
    return {
        "key": field.key,
        "value": _plain(value),
        "default": None if field.default is UNSET else field.default,
        "source": source,
        "line": settings.line(field.key) if source == "file" else None,
    }


def _plain(value: object) -> object:
    """A value of YAML as JSON can hold it."""
    plain = value is None or isinstance(value, str | bool | int | float | list | dict)
    return value if plain else str(value)


def _in_words(data: dict[str, object]) -> str:
    match data["source"]:
        case "managed":
            where = tr("set by the administrator")
        case "file":
            where = tr("set on line {line} of config.yaml", line=data["line"])
        case _:
            where = tr("the default")
    return f"{data['key']} = {_shown(data['value'])}  ({where})"


def _shown(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return f'"{value}"' if isinstance(value, str) else str(value)
