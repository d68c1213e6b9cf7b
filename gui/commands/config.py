"""Commands on Hermes' own memory settings in config.yaml, one key at a time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refusal_data, refused
from gui.commands.parsing import Areas, Arguments, group, leaf
from gui.field_words import say_problem
from gui.i18n import tr
from gui.words import say
from schema.fields import UNSET
from schema.settings import HERMES_SETTINGS
from schema.values import Problem
from store.config import ConfigChanged
from store.refusals import Empty, Invalid, NotFound
from store.settings import Setting, change_setting

if TYPE_CHECKING:
    from store.desk import Desk


def declare(areas: Areas) -> None:
    """Declare `config` and its commands."""
    commands = group(areas, "config", tr("Hermes' memory, skills-approval and curator settings"))
    get = leaf(commands, "get", get_value, tr("show what a setting is, and where that comes from"))
    change = leaf(commands, "set", set_value, tr("change a setting"), changes=True)
    unset = leaf(commands, "unset", unset_value, tr("go back to the default"), changes=True)
    for parser in (get, change, unset):
        parser.add_argument(dest="key", metavar="KEY", help=tr("as in memory.nudge_interval"))
    change.add_argument(
        dest="value",
        metavar="VALUE",
        help=tr("true or false, a number, a name; - reads standard input"),
    )
    change.set_defaults(texts=("value",))


def get_value(desk: Desk, arguments: Arguments) -> Answer:
    """The value that the agent sees, its default, and where it comes from."""
    settings = desk.library.settings()
    setting = settings.setting(arguments.key)
    if setting is None:
        return _unknown(arguments.key)
    data, notes = _data(setting), []
    if setting.problem is not None:
        notes.append(_sentence(setting.problem))
    if settings.problem is not None:
        data["config_problem"] = refusal_data(settings.problem)
        notes += [say(settings.problem), tr("The agent runs on its defaults meanwhile.")]
    return Answer(data, _in_words(setting), notes=tuple(notes))


def set_value(desk: Desk, arguments: Arguments) -> Answer:
    """Validate and store one value; no other line of the file changes."""
    arguments.value = arguments.value.removesuffix("\n")  # as a shell's `echo` ends it
    setting = desk.library.settings().setting(arguments.key)
    empty = not arguments.value.strip()
    if setting is not None and empty and not getattr(setting.field, "keeps_empty", False):
        # A script's unset variable; to go back to the default there is `unset`.
        return refused(Empty("value"), key=arguments.key)
    return _change(desk, arguments.key, arguments.value)


def unset_value(desk: Desk, arguments: Arguments) -> Answer:
    """Remove one key, so that the default holds again."""
    return _change(desk, arguments.key, None)


def _change(desk: Desk, key: str, typed: str | None) -> Answer:
    if HERMES_SETTINGS.field(key) is None:
        return _unknown(key)
    done = change_setting(desk.home, key, typed, disk=desk.disk, env=desk.env)
    if isinstance(done, Problem):
        return _not_taken(done)
    if not isinstance(done, ConfigChanged):
        return refused(done, key=key)
    setting = desk.library.settings().setting(key)
    if setting is None:
        return _unknown(key)
    text = _in_words(setting)
    if not done.changed:
        text += "\n" + tr("It was so already, so nothing was changed.")
    return Answer(_data(setting) | {"changed": done.changed}, text)


def _not_taken(problem: Problem) -> Answer:
    """The refusal of a value that is not one of the setting's."""
    data = refusal_data(Invalid(problem.key, say_problem(problem)))
    data |= {"problem": problem.reason, "limit": problem.limit, "options": problem.options}
    return Answer(data, ok=False, notes=(_sentence(problem),))


def _sentence(problem: Problem) -> str:
    return say(Invalid(problem.key, say_problem(problem)))


def _unknown(key: str) -> Answer:
    near = HERMES_SETTINGS.suggest(key)
    answer = refused(NotFound("key", key), suggestion=near or None)
    if not near:
        return answer
    hint = tr("Did you mean {key}?", key=near)
    return Answer(answer.data, ok=False, notes=(*answer.notes, hint))


def _data(setting: Setting) -> dict[str, object]:
    default = setting.field.default
    return {
        "key": setting.field.key,
        "value": _plain(setting.value),
        "default": None if default is UNSET else default,
        "source": setting.source,
        "line": setting.line,
        "problem": None if setting.problem is None else say_problem(setting.problem),
        "managed_by": setting.managed_by,
    }


def _plain(value: object) -> object:
    """A value of YAML as JSON can hold it."""
    try:
        return json.loads(json.dumps(value, default=str))
    except (TypeError, ValueError, RecursionError):
        return str(value)


def _in_words(setting: Setting) -> str:
    match setting.source:
        case "managed":
            where = tr("set by the administrator in {folder}", folder=setting.managed_by)
        case "file":
            where = tr("set on line {line} of config.yaml", line=setting.line)
        case "default":
            where = tr("the default")
    value = json.dumps(_plain(setting.value), ensure_ascii=False)
    return f"{setting.field.key} = {value}  ({where})"
