"""From the words of a command line to checked arguments."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from gui.commands.answers import Answer
from gui.commands.streams import Streams, rejoined
from gui.i18n import tr
from store.home import TARGETS
from store.refusals import Invalid, NotFound, Refusal, Unreadable

if TYPE_CHECKING:
    from store.desk import Desk

Arguments = argparse.Namespace
Command = Callable[["Desk", Arguments], Answer]
Homeless = Callable[[Refusal, Mapping[str, str]], Answer]
# argparse keeps this class to itself; what is needed of it is `add_parser`.
Areas = Any

STDIN = "-"
DEFAULT_WAIT = 10.0
HELP_WIDTH = 100
_GLOBAL = {"--home": 1, "--profile": 1, "--wait": 1, "--json": 0}
_GUARD = "\0"


class UsageError(Exception):
    """The words make no command. The message says why, with the usage line before it."""


class HelpAsked(Exception):
    """Help was asked for; the message is the help."""


def _formatter(prog: str) -> argparse.HelpFormatter:
    # argparse makes one for every argument; asking for the terminal's width takes longest.
    return argparse.HelpFormatter(prog, width=HELP_WIDTH)


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of printing and exiting."""

    def __init__(self, **options: Any) -> None:
        """Like argparse's, without guessing at abbreviated options."""
        options.setdefault("allow_abbrev", False)
        super().__init__(formatter_class=_formatter, **options)

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise UsageError(f"{self.format_usage()}{self.prog}: {message}")

    def print_help(self, file: object = None) -> NoReturn:
        """Raise the help, for the caller to print where it belongs."""
        raise HelpAsked(self.format_help())


def group(areas: Areas, name: str, help_text: str) -> Areas:
    """Declare a command that has commands of its own."""
    parser = areas.add_parser(name, help=help_text, description=help_text)
    return parser.add_subparsers(metavar="COMMAND", required=True)


def leaf(
    areas: Areas,
    name: str,
    run: Command,
    help_text: str,
    *,
    changes: bool = False,
    check: Callable[[Arguments], str] | None = None,
    homeless: Homeless | None = None,
    at_default: bool = False,
) -> Parser:
    """Declare a command that does something.

    `changes`: it writes, so what a crash left is finished first. `check` says what is wrong with
    the arguments as a whole, or nothing. `homeless` answers when there is no home to open.
    `at_default`: where the active profile is missing, the one at the root will do.
    """
    parser: Parser = areas.add_parser(name, help=help_text, description=help_text)
    parser.set_defaults(run=run, texts=(), file=None, changes=changes, leaf=parser)
    parser.set_defaults(check=check or check_stdin_once, homeless=homeless)
    parser.set_defaults(at_default=at_default)
    return parser


def take_texts(parser: Parser, *names: str) -> None:
    """Take positional texts, in the order of `names`."""
    for name in names:
        parser.add_argument(
            dest=name.lower(), metavar=name, help=tr("a text; - reads standard input")
        )
    parser.set_defaults(texts=tuple(name.lower() for name in names))


def take_file(parser: Parser, help_text: str) -> None:
    """Take a file to read; its bytes stand in `data` afterwards."""
    parser.add_argument(dest="file", metavar="FILE", help=help_text)


def take_target(parser: Parser, flag: str = "--target", *, required: bool = True) -> None:
    """Take one of the two memory files."""
    parser.add_argument(
        flag,
        dest=flag.strip("-") + "_" if flag == "--from" else flag.strip("-"),
        choices=TARGETS,
        required=required,
        help=tr("memory (MEMORY.md) or user (USER.md)"),
    )


def ordered(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options of every command, which may stand anywhere before `--`, and all other words.

    What follows `--` is marked, so that argparse takes no text for an option.
    """
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    first: list[str] = []
    rest: list[str] = []
    position = 0
    while position < end:
        here = words[position]
        takes = _GLOBAL.get(here)
        if takes is None and here.partition("=")[0] in _GLOBAL and "=" in here:
            takes = 0
        if takes is None:
            rest.append(here)
            position += 1
            continue
        if position + takes >= end:
            raise UsageError(tr("{option} needs a value.", option=here))
        first += words[position : position + takes + 1]
        position += takes + 1
    guarded = [_GUARD + word if word.startswith("-") else word for word in words[end + 1 :]]
    return first, [*rest, *guarded]


def unguarded(arguments: Arguments) -> None:
    """Take the marks of `ordered` off again, in place."""
    for name, value in vars(arguments).items():
        if isinstance(value, str):
            setattr(arguments, name, value.removeprefix(_GUARD))
        elif isinstance(value, list):
            setattr(arguments, name, [str(one).removeprefix(_GUARD) for one in value])


def check_stdin_once(arguments: Arguments) -> str:
    """Say that standard input can be read only once, if it is asked for more often."""
    given = [getattr(arguments, name) for name in arguments.texts] + [arguments.file]
    if given.count(STDIN) > 1:
        return tr("only one argument may be -, since standard input is read once")
    return ""


def read_given(arguments: Arguments, streams: Streams) -> Refusal | None:
    """Put in place what `-` and FILE stand for; why that cannot be, or None."""
    for name in arguments.texts:
        given = getattr(arguments, name)
        if given == STDIN:
            unseen = getattr(arguments, "unseen", False)
            text = _decoded(streams.read_unseen() if unseen else streams.read())
        else:
            text = rejoined(given)
            text = text if _is_unicode(text) else _not_unicode(text)
        if isinstance(text, Invalid):
            return text
        setattr(arguments, name, text)
    if arguments.file is None:
        return None
    if arguments.file == STDIN:
        arguments.data = streams.read()
        return None
    try:
        arguments.data = Path(arguments.file).read_bytes()
    except FileNotFoundError:
        return NotFound("file", arguments.file)
    except OSError as error:
        return Unreadable(arguments.file, error.strerror or str(error))
    return None


def seconds(text: str) -> float:
    """A number of seconds for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value) or value < 0:
        raise argparse.ArgumentTypeError(tr("it must be a number of seconds, 0 or more"))
    return value


def number(text: str) -> int:
    """A whole number for argparse."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(tr("it must be a whole number, 0 or more"))
    return value


def count(text: str) -> int:
    """A number of things to show, for argparse; more than anyone has is as good as all."""
    return min(number(text), 2**31 - 1)


def not_blank(text: str) -> str:
    """A value that says something, for argparse: a script's unset variable does not."""
    if not text.strip():
        raise argparse.ArgumentTypeError(tr("it must not be empty"))
    return text


def _decoded(data: bytes) -> str | Invalid:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        return Invalid("text", "surrogate", column=len(before) + 1)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _not_unicode(text: str) -> Invalid:
    column = next(n for n, char in enumerate(text, 1) if "\ud800" <= char <= "\udfff")
    return Invalid("text", "surrogate", column=column)
