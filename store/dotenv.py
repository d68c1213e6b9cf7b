"""A home's `.env`: what each of Hermes' two readers finds in it, and changes of one line.

The process gets its environment through python-dotenv, while Hermes' setup and dashboard read
line by line with rules of their own (hermes-formats §5). Both are followed here, and where they
differ it is said. Two names on one line are reported and never taken apart: that has destroyed
good values. Values are in no repr.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Literal

from schema.frozen import field, frozen
from schema.secrets import is_masked, look_alikes
from store.files import Content, Disk
from store.home import HermesHome
from store.refusals import Unreadable

ProblemKind = Literal[
    "bad_name", "differs", "duplicate", "glued", "look_alike", "no_line", "not_utf8", "nul", "stars"
]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
REFUSED_NAMES = frozenset(
    (
        *("LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "LD_DEBUG"),
        *("DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH"),
        *("DYLD_FALLBACK_LIBRARY_PATH", "DYLD_FALLBACK_FRAMEWORK_PATH"),
        *("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE"),
        *("PYTHONEXECUTABLE", "PYTHONNOUSERSITE", "NODE_OPTIONS", "NODE_PATH"),
        *("PATH", "SHELL", "BROWSER", "EDITOR", "VISUAL", "PAGER"),
        *("GIT_SSH_COMMAND", "GIT_EXEC_PATH", "GIT_SHELL"),
        *("HERMES_HOME", "HERMES_PROFILE", "HERMES_CONFIG", "HERMES_ENV"),
    )
)
"""Names that Hermes never takes from anyone (hermes-formats §5.2)."""

_BOM = "\ufeff"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_BREAK = re.compile(r"\r\n|\r|\n")
_BLANK = r"[^\S\r\n]"
_SPACE = re.compile(r"\s*")
_EXPORT = re.compile(rf"(?:export{_BLANK}+)?")
_KEY = re.compile(r"'([^']+)'|([^'=#\s][^=#\s]*)")
_EQUALS = re.compile(rf"{_BLANK}*={_BLANK}*")
_QUOTED = re.compile(r"""'((?:\\'|[^'])*)'|"((?:\\"|[^"])*)\"""")
_END = re.compile(rf"(?:{_BLANK}*#[^\r\n]*)?{_BLANK}*(?:\r\n|\r|\n|$)")
_COMMENT = re.compile(r"\s+#.*")
_ESCAPED = {"'": re.compile(r"\\[\\']"), '"': re.compile(r"\\[\\'\"abfnrtv]")}
_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]*")
_ENDS = "KEY|TOKEN|SECRET|PASSWORD|URL|HOST|ID|USER|MODEL|MODE|PATH|DIR|PORT"
_INSIDE = re.compile(rf"(?<![?&A-Z_])(?:[A-Z][A-Z0-9]*_)+(?:{_ENDS})(?==)")


@frozen
class DotenvProblem:
    """Something that a person should look at. `line` counts from 1; `names` are those involved.

    `glued`: a second name stands inside a value. `differs`: Hermes' two readers do not find the
    same value. `stars`: a value that was hidden was saved. `look_alike`: characters that only look
    like those of a key, named by their `code_points`. `no_line`: no reader can use it.
    """

    kind: ProblemKind
    line: int
    names: tuple[str, ...] = ()
    code_points: tuple[int, ...] = ()


@frozen
class Binding:
    """One definition. `start` and `end` are its place in the text, line end included."""

    name: str
    value: str = field(repr=False)
    line: int
    start: int
    end: int


@frozen
class Dotenv:
    """One look at a `.env`; without a file it is empty."""

    content: Content = field(repr=False)
    text: str = field(repr=False)
    bom: bool
    loaded: tuple[Binding, ...]
    own: tuple[Binding, ...]
    problems: tuple[DotenvProblem, ...]

    def value(self, name: str) -> str | None:
        """What the agent's process gets, `${NAME}` as it is written; None if there is no line."""
        return _last(self.loaded, name)

    def own_value(self, name: str) -> str | None:
        """What Hermes' setup and dashboard find."""
        return _last(self.own, name)

    def is_set(self, name: str) -> bool:
        """Whether the agent's process gets a value that is not empty."""
        return bool(self.value(name))

    def line(self, name: str) -> int | None:
        """The line (from 1) whose value counts."""
        return next((one.line for one in reversed(self.loaded) if one.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that is defined, in the order of the file."""
        return tuple(dict.fromkeys(one.name for one in self.loaded))


def read_dotenv(home: HermesHome, *, disk: Disk) -> Dotenv | Unreadable:
    """Read the home's `.env`. Unreadable is never empty; a UTF-16 file is unreadable too."""
    content = disk.read(home.path / ".env")
    return content if isinstance(content, Unreadable) else parse_dotenv(content)


def parse_dotenv(content: Content) -> Dotenv | Unreadable:
    """What both readers find in these bytes."""
    data = content.data or b""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        return Unreadable(str(content.path), "not UTF-8", byte=0, utf16=True)
    # Bytes that are no UTF-8 go through unchanged, so that another line can still be changed.
    text = data.decode("utf-8", "surrogateescape")
    bom = text.startswith(_BOM)
    text = text.removeprefix(_BOM)
    loaded, own = tuple(_loaded(text)), tuple(_own(text))
    problems = sorted(_problems(text, loaded, own), key=lambda one: one.line)
    return Dotenv(content, text, bom, loaded, own, tuple(problems))


# -- the two readers -------------------------------------------------------------------------


def _loaded(text: str) -> list[Binding]:
    """What python-dotenv finds: quoted values may span lines, comments end plain ones.

    A line with a name alone takes back what was said of it before.
    """
    found: list[Binding] = []
    place = 0
    while place < len(text):
        start = place = _end(_SPACE, text, place)
        place = _end(_EXPORT, text, place)
        key = _KEY.match(text, place)
        if key is None:
            place = _end(_LINE, text, place)
            continue
        name = key[1] or key[2]
        equals = _EQUALS.match(text, key.end())
        value, place = (None, key.end()) if equals is None else _loaded_value(text, equals.end())
        unclosed = equals is not None and value is None
        ended = None if unclosed else _END.match(text, place)
        if ended is None:
            place = _end(_LINE, text, place)
            continue
        place = ended.end()
        if value is None:
            found = [one for one in found if one.name != name]
            continue
        line = text.count("\n", 0, start) + len(re.findall(r"\r(?!\n)", text[:start])) + 1
        found.append(Binding(name, value, line, _line_start(text, start), place))
    return found


def _loaded_value(text: str, place: int) -> tuple[str | None, int]:
    """The value that begins at `place` and where it ends; None for a quote that never closes."""
    first = text[place : place + 1]
    if first in ("'", '"') and first:
        quoted = _QUOTED.match(text, place)
        if quoted is None:
            return None, place
        inner = _BREAK.sub("\n", quoted[0][1:-1])
        return _ESCAPED[first].sub(lambda found: _unescaped(found[0]), inner), quoted.end()
    line = re.compile(r"[^\r\n]*").match(text, place)
    raw = line[0] if line else ""
    return _COMMENT.sub("", raw).rstrip(), place + len(raw)


def _unescaped(pair: str) -> str:
    known = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
    return known.get(pair[1], pair[1])


def _own(text: str) -> Iterator[Binding]:
    """What Hermes' own reader finds: one line, one value, and no comments behind it."""
    for number, found in enumerate(_lines(text), 1):
        line = found[0].strip()
        if not line or line.startswith("#") or "=" not in line:
            continue
        name, _, raw = line.removeprefix("export ").partition("=")
        yield Binding(name.strip(), _own_value(raw.strip()), number, found.start(), found.end())


def _own_value(raw: str) -> str:
    if len(raw) >= 2 and raw[0] == raw[-1] == '"':
        return re.sub(r"\\([\"\\])", r"\1", raw[1:-1])
    if len(raw) >= 2 and raw[0] == raw[-1] == "'":
        return raw[1:-1]
    return raw


def _lines(text: str) -> Iterator[re.Match[str]]:
    return (found for found in _LINE.finditer(text) if found[0])


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _line_start(text: str, place: int) -> int:
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def _last(bindings: tuple[Binding, ...], name: str) -> str | None:
    return next((one.value for one in reversed(bindings) if one.name == name), None)


# -- what is odd -----------------------------------------------------------------------------


def _problems(
    text: str, loaded: tuple[Binding, ...], own: tuple[Binding, ...]
) -> Iterator[DotenvProblem]:
    used = {number for one in loaded for number in range(one.start, one.end)}
    for number, found in enumerate(_lines(text), 1):
        line = found[0].strip()
        if "\0" in line:
            yield DotenvProblem("nul", number)
        if any("\udc80" <= char <= "\udcff" for char in line):
            yield DotenvProblem("not_utf8", number)
        if line and not line.startswith("#") and found.start() not in used:
            yield DotenvProblem("no_line", number)
    for one in loaded:
        inside = tuple(glued_names(one.value))
        if inside:
            yield DotenvProblem("glued", one.line, (one.name, *inside))
        if not NAME.fullmatch(one.name):
            yield DotenvProblem("bad_name", one.line, (one.name,))
        if is_masked(one.value):
            yield DotenvProblem("stars", one.line, (one.name,))
        if odd := look_alikes(one.name, one.value):
            yield DotenvProblem("look_alike", one.line, (one.name,), odd)
    for name in dict.fromkeys(one.name for one in (*loaded, *own)):
        places = [one for one in loaded if one.name == name]
        if len(places) > 1:
            yield DotenvProblem("duplicate", places[-1].line, (name,))
        if _last(loaded, name) != _last(own, name) and NAME.fullmatch(name):
            last = next(one for one in reversed((*own, *loaded)) if one.name == name)
            yield DotenvProblem("differs", last.line, (name,))


def glued_names(value: str) -> list[str]:
    """The names that seem to begin inside `value`; in the query of an address they are its own."""
    return [found[0] for found in _INSIDE.finditer(value)]
