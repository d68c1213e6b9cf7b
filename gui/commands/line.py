"""The whole command line: the desk's core without a window. `README.md` has the contract.

Options may stand before or after the command; results go to standard output, refusals to
standard error; the status is 0 (done), 1 (refused, in part or whole) or 2 (wrong usage).
"""

from __future__ import annotations

from argparse import ArgumentError
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gui.commands.answers import Answer, refused
from gui.commands.parsing import (
    DEFAULT_WAIT,
    Areas,
    Arguments,
    HelpAsked,
    Parser,
    UsageError,
    not_blank,
    ordered,
    read_given,
    seconds,
    unguarded,
)
from gui.commands.start import Start
from gui.commands.streams import Streams
from gui.i18n import tr, trn
from gui.page_names import PAGE_NAMES
from store.home import DEFAULT
from store.refusals import REFUSALS, NotFound, Refusal

if TYPE_CHECKING:
    from store.desk import Desk

WRONG_USAGE = 2
AREAS = (
    *("status", "doctor", "profiles", "entries", "snapshot"),
    *("drift", "backups", "history", "pending", "config", "secrets", "providers"),
    *("sessions", "skills", "advice", "knowledge"),
)


def answer(words: Sequence[str], streams: Streams, env: Mapping[str, str]) -> int | Start:
    """Do what the words say and give the exit status; the start of the window is left undone."""
    try:
        arguments = _parsed(words)
    except HelpAsked as asked:
        return _shown(Answer({}, str(asked), exact=True), streams)
    except UsageError as error:
        streams.tell(str(error))
        return WRONG_USAGE
    if arguments.version:
        from gui.commands.status import version

        return _shown(version(env), streams, as_json=arguments.json)
    if arguments.run is None:
        picture = arguments.screenshot
        return Start(
            home=arguments.home,
            profile=arguments.profile,
            page=arguments.page,
            screenshot=None if picture is None else (picture[0], picture[1]),
            demo=arguments.demo,
            minimised=arguments.minimised,
        )
    return _shown(_answer(arguments, streams, env), streams, as_json=arguments.json)


def _parsed(words: Sequence[str]) -> Arguments:
    first, rest = ordered(words)
    command = next((word for word in rest if not word.startswith("-")), "")
    asks_for_all = rest[:1] in (["-h"], ["--help"])
    parser = _parser((command,) if command in AREAS and not asks_for_all else AREAS)
    try:
        arguments = parser.parse_args([*first, *rest])
    except ArgumentError as error:  # what argparse itself does not turn into `error`
        raise UsageError(str(error)) from error
    unguarded(arguments)
    if arguments.run is not None:
        for name in ("demo", "page", "screenshot", "minimised"):
            if getattr(arguments, name):
                parser.error(tr("--{name} is for the window, without a command", name=name))
        if wrong := arguments.check(arguments):
            arguments.leaf.error(wrong)
    elif arguments.json and not arguments.version:
        parser.error(tr("--json needs a command"))
    if arguments.minimised and (arguments.demo or arguments.screenshot):
        parser.error(tr("--minimised goes with neither --demo nor --screenshot"))
    for page in (arguments.page, *(arguments.screenshot or ())[:1]):
        if page is not None and page not in PAGE_NAMES:
            names = ", ".join(PAGE_NAMES)
            parser.error(tr("“{page}” is no page; the pages are {names}", page=page, names=names))
    return arguments


def _parser(areas: Sequence[str]) -> Parser:
    parser = Parser(
        prog="memory-desk",
        description=tr(
            "The memory of a Hermes Agent: read it, change it, approve what it wants to write. "
            "Without a command the window opens."
        ),
        epilog=tr("--home, --profile, --json and --wait may also stand after the command."),
    )
    parser.set_defaults(run=None)
    parser.add_argument("--home", type=not_blank, metavar="PATH", help=tr("the Hermes home"))
    parser.add_argument(
        "--profile", type=not_blank, metavar="NAME", help=tr("a profile of that home")
    )
    parser.add_argument(
        "--json", action="store_true", help=tr("answer with one JSON object on standard output")
    )
    parser.add_argument(
        "--wait",
        type=seconds,
        default=DEFAULT_WAIT,
        metavar="SECONDS",
        help=tr("how long a lock may take (default: 10)"),
    )
    parser.add_argument(
        "--version", action="store_true", help=tr("name the desk, Qt, Python, and Hermes")
    )
    window = parser.add_argument_group(tr("the window"))
    window.add_argument(
        "--demo", action="store_true", help=tr("open a sample home in a temporary copy")
    )
    names = ", ".join(PAGE_NAMES)
    window.add_argument(
        "--page", metavar="PAGE", help=tr("open at this page: {names}", names=names)
    )
    window.add_argument(
        "--screenshot",
        nargs=2,
        metavar=("PAGE", "FILE"),
        help=tr("write a picture of this page to a file, and exit"),
    )
    window.add_argument(
        "--minimised",
        action="store_true",
        help=tr("start in the tray, or as a minimised window where there is none"),
    )
    commands = parser.add_subparsers(metavar="COMMAND")
    for area in areas:
        _declare(area, commands)
    return parser


def _declare(area: str, commands: Areas) -> None:
    """Declare the commands of one area; only the module of the one in use is imported."""
    match area:
        case "status" | "doctor" | "profiles":
            from gui.commands import status

            status.declare(area, commands)
        case "entries" | "snapshot":
            from gui.commands import entries

            entries.declare(area, commands)
        case "drift":
            from gui.commands import drift

            drift.declare(commands)
        case "backups":
            from gui.commands import backups

            backups.declare(commands)
        case "history":
            from gui.commands import history

            history.declare(commands)
        case "pending":
            from gui.commands import pending

            pending.declare(commands)
        case "config":
            from gui.commands import config

            config.declare(commands)
        case "sessions":
            from gui.commands import sessions

            sessions.declare(commands)
        case "skills":
            from gui.commands import skills

            skills.declare(commands)
        case "advice":
            from gui.commands import advice

            advice.declare(commands)
        case "knowledge":
            from gui.commands import knowledge

            knowledge.declare(commands)
        case "providers":
            from gui.commands import providers

            providers.declare(commands)
        case "secrets":
            from gui.commands import secrets

            secrets.declare(commands)


def _answer(arguments: Arguments, streams: Streams, env: Mapping[str, str]) -> Answer:
    from store.desk import open_desk

    if (problem := read_given(arguments, streams)) is not None:
        return refused(problem)
    home = None if arguments.home is None else Path(arguments.home)
    desk = open_desk(home=home, profile=arguments.profile, env=env)
    if arguments.at_default and isinstance(desk, NotFound) and desk.kind == "active_profile":
        desk = open_desk(home=home, profile=DEFAULT, env=env)
    if isinstance(desk, REFUSALS):
        if arguments.homeless is not None:
            answer: Answer = arguments.homeless(desk, env)
            return answer
        return _refused_to_open(desk)
    try:
        if arguments.changes:
            _finish_what_a_crash_left(desk, streams)
        arguments.tell, arguments.person = streams.tell, streams.has_person()
        arguments.on_terminal = streams.on_terminal()
        arguments.streams = streams  # for a command that asks
        done: Answer = arguments.run(desk, arguments)
        if arguments.changes and desk.journal.set_aside is not None:
            streams.tell(
                tr(
                    "The journal was damaged, so a new one was begun; the old one is {path}.",
                    path=desk.journal.set_aside,
                )
            )
        return done
    finally:
        desk.close()


def _refused_to_open(refusal: Refusal) -> Answer:
    answer = refused(refusal)
    if not isinstance(refusal, NotFound) or refusal.kind != "home":
        return answer
    from gui.health import no_home

    return replace(answer, notes=(*answer.notes, no_home(refusal).fix))


def _finish_what_a_crash_left(desk: Desk, streams: Streams) -> None:
    finished = desk.recover()
    if finished:
        streams.tell(
            trn(
                "Finished {n} change that an interrupted desk had left half done.",
                "Finished {n} changes that an interrupted desk had left half done.",
                len(finished),
            )
        )


def _shown(answer: Answer, streams: Streams, *, as_json: bool = False) -> int:
    if as_json:
        failed = streams.result(answer.as_json() + "\n")
    else:
        for note in answer.notes:
            streams.tell(note)
        end = "" if answer.exact or not answer.text else "\n"
        failed = streams.result(answer.text + end) if answer.text else None
    if failed is not None:
        streams.tell(tr("The answer could not be written: {why}.", why=failed))
        return 1
    return answer.status
