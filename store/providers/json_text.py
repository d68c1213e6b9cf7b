"""One key of a JSON file changed in its text, and every other character left as it is.

A provider's own writer would serialise the whole file anew; splicing keeps the person's layout,
number forms and repeated keys. What comes out is read again and must say exactly what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from schema.fields import UNSET, Unset
from schema.frozen import field, frozen
from store.files import Content, Disk
from store.refusals import Invalid, Unreadable, Unsupported
from store.yaml_values import same

MAX_BYTES = 4 << 20
"""No provider keeps settings of that size."""

_BOM = "\ufeff"
_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@frozen
class JsonFile:
    """One look at a file; `data` is empty when there is none. Not to be changed."""

    content: Content = field(repr=False)
    text: str = field(repr=False)
    bom: bool
    data: Mapping[str, object] = field(repr=False)

    @property
    def path(self) -> Path:
        """Where it was read."""
        return self.content.path

    @property
    def exists(self) -> bool:
        """Whether there is such a file."""
        return self.content.data is not None

    def get(self, path: tuple[str, ...]) -> object:
        """The value at `path`; UNSET if it is not there."""
        found: object = self.data
        for part in path:
            if not isinstance(found, Mapping) or part not in found:
                return UNSET
            found = found[part]
        return found

    def encoded(self, text: str) -> bytes:
        """The bytes of a new text: no byte order mark, which keeps the agent from reading it."""
        return text.encode("utf-8", "surrogatepass")


def read_json(path: Path, *, disk: Disk) -> JsonFile | Unreadable | Invalid:
    """Read a provider's file. Anything but a JSON object is refused, with the place."""
    content = disk.read(path, at_most=MAX_BYTES)
    return content if isinstance(content, Unreadable) else parse_json(content)


def parse_json(content: Content) -> JsonFile | Unreadable | Invalid:
    """What these bytes say."""
    path = content.path
    if content.data is None:
        return JsonFile(content, "", False, {})
    try:
        text = content.data.decode("utf-8")
    except UnicodeDecodeError as error:
        utf16 = content.data[:2] in (b"\xff\xfe", b"\xfe\xff")
        return Unreadable(str(path), "not UTF-8", error.start, utf16)
    bom = text.startswith(_BOM)
    text = text.removeprefix(_BOM)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        return Invalid(str(path), "not_json", error.lineno, error.colno)
    except (ValueError, RecursionError):
        return Invalid(str(path), "not_json")
    if not isinstance(data, dict):
        return Invalid(str(path), "not_an_object", 1, 1)
    return JsonFile(content, text, bom, data)


def set_key(file: JsonFile, path: tuple[str, ...], value: object) -> str | Invalid | Unsupported:
    """The text with `value` at `path`; blocks that are missing or null on the way are made."""
    expected = _with(file.data, path, value)
    if expected is None:
        return Invalid(str(file.path), "not_an_object")
    if same(file.get(path), value):
        return file.text
    if not file.exists:
        return rendered(expected)
    return _verified(file, _set(file.text, path, value), expected)


def unset_key(file: JsonFile, path: tuple[str, ...]) -> str | Unsupported:
    """The text without the key at `path`, each time it is there; the same text if it is not."""
    if file.get(path) is UNSET:
        return file.text
    return _verified(file, _unset(file.text, path), _without(file.data, path))


def rendered(value: object, indent: str = "  ") -> str:
    """`value` as the agent's own writer puts it: indented, and not in ASCII escapes."""
    return json.dumps(value, indent=indent, ensure_ascii=False)


@frozen
class _Pair:
    """A key of an object and its value, by their places in the text."""

    key: str
    start: int
    value: int
    end: int


@frozen
class _Object:
    """An object by the places of its braces, and its pairs."""

    start: int
    end: int
    pairs: tuple[_Pair, ...]

    def last(self, key: str) -> _Pair | None:
        return next((pair for pair in reversed(self.pairs) if pair.key == key), None)


def _object(text: str, start: int) -> _Object:
    """The object whose brace stands at `start`, in a text that is known to be JSON."""
    pairs = []
    place = _skip(text, start + 1)
    while text[place] != "}":
        begin = place
        key, place = _DECODER.raw_decode(text, place)
        value = _skip(text, _skip(text, place) + 1)
        _, end = _DECODER.raw_decode(text, value)
        pairs.append(_Pair(key, begin, value, end))
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return _Object(start, place + 1, tuple(pairs))


def _skip(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _set(text: str, path: tuple[str, ...], value: object) -> str:
    node = _object(text, _skip(text, 0))
    for depth, part in enumerate(path):
        pair = node.last(part)
        last = depth == len(path) - 1
        if pair is None or (not last and text[pair.value] != "{"):
            for further in reversed(path[depth + 1 :]):
                value = {further: value}
            if pair is None:
                return _inserted(text, node, part, value)
            last = True
        if last:
            shown = _in_place(text, node, value)
            return text[: pair.value] + shown + text[pair.end :]
        node = _object(text, pair.value)
    return text


def _inserted(text: str, node: _Object, key: str, value: object) -> str:
    written = json.dumps(key, ensure_ascii=False)
    if node.pairs:
        last = node.pairs[-1]
        before = text[: node.pairs[0].start]
        lead = before[len(before.rstrip(" \t\r\n")) :]
        shown = _in_place(text, node, value)
        return f"{text[: last.end]},{lead or ' '}{written}: {shown}{text[last.end :]}"
    outer = _indent_of(text, node.start)
    step = _step(text)
    if "\n" not in text and node.start == _skip(text, 0):
        # An empty file of one line is laid out as the agent would write it.
        return text[: node.start] + rendered({key: value}) + text[node.end :]
    lines = rendered({key: value}, step).replace("\n", _newline(text) + outer)
    return text[: node.start] + lines + text[node.end :]


def _in_place(text: str, node: _Object, value: object) -> str:
    """The value, laid out to stand in `node`: on one line if that is."""
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    if node.pairs and "\n" not in text[node.start : node.pairs[0].start]:
        return json.dumps(value, ensure_ascii=False)
    indent = _indent_of(text, node.pairs[0].start) if node.pairs else _indent_of(text, node.start)
    return rendered(value, _step(text)).replace("\n", _newline(text) + indent)


def _indent_of(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    found = re.search(r"\n([ \t]+)\"", text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unset(text: str, path: tuple[str, ...]) -> str:
    node = _object(text, _skip(text, 0))
    for part in path[:-1]:
        pair = node.last(part)
        if pair is None:
            return text
        node = _object(text, pair.value)
    for number in reversed(range(len(node.pairs))):
        if node.pairs[number].key == path[-1]:
            text = _cut(text, node, number)
            node = _object(text, node.start)
    return text


def _cut(text: str, node: _Object, number: int) -> str:
    pair = node.pairs[number]
    if number + 1 < len(node.pairs):
        return text[: pair.start] + text[node.pairs[number + 1].start :]
    if number:
        return text[: node.pairs[number - 1].end] + text[pair.end :]
    return text[: node.start] + "{}" + text[node.end :]


def _verified(file: JsonFile, text: str, expected: Mapping[str, object]) -> str | Unsupported:
    try:
        if same(json.loads(text), dict(expected)):
            return text
    except (ValueError, RecursionError):
        pass
    return Unsupported("json_edit", str(file.path))


def _with(
    data: Mapping[str, object], path: tuple[str, ...], value: object
) -> dict[str, object] | None:
    """A copy of `data` with `value` at `path`; None where a text or list stands in the way."""
    result = dict(data)
    if len(path) == 1:
        result[path[0]] = value
        return result
    under = result.get(path[0])
    if under is not None and not isinstance(under, dict):
        return None
    inner = _with(under or {}, path[1:], value)
    if inner is None:
        return None
    result[path[0]] = inner
    return result


def _without(data: Mapping[str, object], path: tuple[str, ...]) -> dict[str, object]:
    result = dict(data)
    under = result.get(path[0])
    if len(path) == 1:
        del result[path[0]]
    elif isinstance(under, dict):
        result[path[0]] = _without(under, path[1:])
    return result


def leaves(value: object) -> Iterator[str]:
    """Every text in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)


def is_set(value: object) -> bool:
    """Whether a stored value counts for a provider: not absent, null or an empty text."""
    return value is not UNSET and value is not None and value != ""


Stored = object | Unset
