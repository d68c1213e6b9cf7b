"""Changes one key in the text of a YAML file and leaves every other character as it is.

The text is spliced at the marks that the reader's nodes and tokens carry, so comments, order,
indentation, quotes and line ends stay. What comes out is read again and must say exactly what
was meant, else the edit is refused: a file that is too clever for this is left alone.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from schema.frozen import frozen
from store.refusals import Invalid, Refusal, Unsupported
from store.yaml_text import YamlText, parse, position, reader
from store.yaml_values import KeyPath, Scalar, at, encodable, has, render, same

if TYPE_CHECKING:
    import yaml


_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_BREAKS = "\r\n\x85\u2028\u2029"


@frozen
class _Splice:
    """Put `text` in place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def set_in(file: YamlText, path: KeyPath, value: Scalar, *, newline: str) -> str | Refusal:
    """The text with the value at `path` set; the same text if it is so already.

    A missing key goes to the end of its section, a missing section to the end of the file.
    `newline` is for a file that has no line end yet. Refused with `Invalid` where the section is
    no mapping or the value is a block of its own, with `Unsupported` where one place in the file
    stands for several or the result would say anything else than what was meant.
    """
    if isinstance(value, str) and not encodable(value):
        return Invalid(".".join(path), "not_text")
    if has(file.data, path) and same(at(file.data, path), value):
        return file.text
    splice = _Editor(file, newline).set(path, value)
    if not isinstance(splice, _Splice):
        return splice
    expected = _with(file.data, path, value)
    return _verified(_spliced(file.text, splice), (expected,), path)


def unset_in(file: YamlText, path: KeyPath, *, newline: str) -> str | Refusal:
    """The text without the key at `path`; the same text if there is none. Refused as `set_in`."""
    if not has(file.data, path):
        return file.text
    splices = _Editor(file, newline).unset(path)
    if not isinstance(splices, list):
        return splices
    # A section that lost its last key reads as null, which Hermes takes for absent.
    expected = _without(file.data, path)
    accepted = [expected]
    if len(path) > 1 and not at(expected, path[:-1]):
        accepted.append(_with(expected, path[:-1], None))
    return _verified(_spliced(file.text, *splices), tuple(accepted), path)


class _Editor:
    """Plans the splices on one text."""

    def __init__(self, file: YamlText, newline: str) -> None:
        self.text = file.text
        self.newline = newline
        # Composed anew: making values of the nodes puts what `<<` merges in its place.
        loader = reader()(file.text)
        self.root: yaml.Node | None = loader.get_single_node()
        loader.dispose()

    def set(self, path: KeyPath, value: Scalar) -> _Splice | Refusal:
        if not _is_mapping(self.root):
            return self._append(path, value, column=0)
        node: Any = self.root
        for depth in range(len(path) - 1):
            pair = _pair(node, path[depth])
            if pair is None:
                return self._insert(node, path[depth:], value, section=depth == 0)
            key, child = pair
            refused = self._section_refusal(key, child, path[: depth + 1])
            if refused is not None:
                return refused
            if not _is_mapping(child):
                if node.flow_style:
                    return self._fill_flow(child, path[depth + 1 :], value)
                return self._fill_null(key, child, path[depth + 1 :], value)
            node = child
        pair = _pair(node, path[-1])
        if pair is None:
            return self._insert(node, path[-1:], value)
        return self._replace(*pair, path, value)

    def unset(self, path: KeyPath) -> list[_Splice] | Refusal:
        node: Any = self.root
        for depth, part in enumerate(path[:-1]):
            pair = _pair(node, part)
            if pair is None or _is_alias(*pair) or not _is_mapping(pair[1]):
                return Unsupported("config_shared", ".".join(path[: depth + 1]))
            node = pair[1]
        places = [n for n, (key, _) in enumerate(node.value) if key.value == path[-1]]
        if not places:
            return Unsupported("config_shared", ".".join(path))
        cut = self._cut_flow if node.flow_style else self._cut_block
        splices = [cut(node, place) for place in places]
        if None in splices:
            return Unsupported("config_shape", ".".join(path))
        return [splice for splice in splices if splice is not None]

    # --- Setting ----------------------------------------------------------------------------

    def _section_refusal(self, key: Any, child: Any, path: KeyPath) -> Refusal | None:
        name = ".".join(path)
        if _is_alias(key, child):
            return Unsupported("config_shared", name)
        if _is_mapping(child) or _is_null(child):
            return None
        line, column = position(child.start_mark)
        return Invalid(name, "not_a_section", line, column)

    def _replace(self, key: Any, old: Any, path: KeyPath, value: Scalar) -> _Splice | Refusal:
        if _is_alias(key, old):
            alias = self._first("<alias>", after=key.end_mark.index)
            if alias is None:
                return Unsupported("config_shape", ".".join(path))
            return _Splice(alias.start_mark.index, alias.end_mark.index, render(value))
        start, end = old.start_mark.index, old.end_mark.index
        if old.id != "scalar":
            if old.flow_style:
                return _Splice(start, end, render(value))
            return Invalid(".".join(path), "not_a_single_value", *position(old.start_mark))
        if start == end:
            return _Splice(start, start, " " + render(value))
        written = self.text[start:end]
        kept = written[len(written.rstrip(_BREAKS + " \t")) :] if old.style in ("|", ">") else ""
        return _Splice(start, end, render(value, style=old.style) + kept)

    def _fill_null(self, key: Any, null: Any, path: KeyPath, value: Scalar) -> _Splice:
        """Give a section that is empty or says null its first key."""
        column = key.start_mark.column + self._step()
        start, end = null.start_mark.index, null.end_mark.index
        line_end = self._line_end(end)
        after = self.text[end:line_end]
        if start < end and not after.strip():
            # `memory: null` becomes `memory:`, without a blank at its end.
            start = len(self.text[:start].rstrip(" \t"))
            after = ""
        lines = self._break(line_end) + self._lines(path, value, column, line_end)
        return _Splice(start, line_end, after + lines)

    def _fill_flow(self, null: Any, path: KeyPath, value: Scalar) -> _Splice:
        start, end = null.start_mark.index, null.end_mark.index
        blank = "" if start < end else " "
        return _Splice(start, end, blank + "{" + _flow(path, value) + "}")

    def _insert(
        self, node: Any, path: KeyPath, value: Scalar, *, section: bool = False
    ) -> _Splice | Refusal:
        """Give the mapping `node` a new last key."""
        if node.flow_style:
            return self._insert_flow(node, path, value)
        column = node.start_mark.column
        if node.value:
            # A section's own mark is that of its name (`&name`), if it has one.
            column = node.value[0][0].start_mark.column
        if section and self._first("<document end>") is None:
            return self._append(path, value, column=column)
        last = self._last_content(node.end_mark.index)
        if last is None:
            return Unsupported("config_shape", ".".join(path))
        place = self._content_end(last)
        return _Splice(place, place, self._break(place) + self._lines(path, value, column, place))

    def _insert_flow(self, node: Any, path: KeyPath, value: Scalar) -> _Splice | Refusal:
        written = _flow(path, value)
        last = self._last_content(node.end_mark.index - 1)
        if last is None:
            return Unsupported("config_shape", ".".join(path))
        place = last.end_mark.index
        if not node.value:
            return _Splice(place, place, written)
        return _Splice(place, place, (" " if last.id == "," else ", ") + written)

    def _append(self, path: KeyPath, value: Scalar, *, column: int) -> _Splice:
        """Put a new section at the end of the document."""
        marker = self._first("<document end>")
        place = len(self.text) if marker is None else marker.start_mark.index
        lines = self._lines(path, value, column, place)
        if place and self.text[place - 1] not in _BREAKS:
            return _Splice(place, place, self._break(place) + lines)
        return _Splice(place, place, lines + self._break(place))

    def _lines(self, path: KeyPath, value: Scalar, column: int, place: int) -> str:
        lines = []
        for depth, part in enumerate(path):
            ending = f" {render(value)}" if depth == len(path) - 1 else ""
            lines.append(" " * (column + depth * self._step()) + f"{render(part)}:{ending}")
        return self._break(place).join(lines)

    # --- Removing ---------------------------------------------------------------------------

    def _cut_block(self, node: Any, number: int) -> _Splice | None:
        key = node.value[number][0]
        start = key.start_mark.index - key.start_mark.column
        if self.text[start : key.start_mark.index].strip():
            return None
        following = node.value[number + 1 :]
        bound = following[0][0].start_mark.index if following else node.end_mark.index
        last = self._last_content(bound)
        if last is None:
            return None
        end = self._content_end(last)
        found = _BREAK.match(self.text, end)
        return _Splice(start, found.end() if found else end, "")

    def _cut_flow(self, node: Any, number: int) -> _Splice | None:
        key = node.value[number][0]
        if number + 1 < len(node.value):
            return _Splice(key.start_mark.index, node.value[number + 1][0].start_mark.index, "")
        last = self._last_content(node.end_mark.index - 1)
        if last is None:
            return None
        start = key.start_mark.index
        if number:
            comma = self._last_content(start)
            if comma is None or comma.id != ",":
                return None
            start = comma.start_mark.index
        return _Splice(start, last.end_mark.index, "")

    # --- Looking around ---------------------------------------------------------------------

    @cached_property
    def _tokens(self) -> list[Any]:
        import yaml

        return list(yaml.scan(self.text, Loader=reader()))

    def _first(self, kind: str, *, after: int = 0) -> Any:
        return next(
            (
                token
                for token in self._tokens
                if token.id == kind and token.start_mark.index >= after
            ),
            None,
        )

    def _last_content(self, before: int) -> Any:
        """The last token with characters of its own that begins before that place."""
        silent = ("?", "<block end>", "<stream end>", "<document end>", "<stream start>")
        starting = ("<block mapping start>", "<block sequence start>")
        return next(
            (
                token
                for token in reversed(self._tokens)
                if token.start_mark.index < before and token.id not in (*silent, *starting)
            ),
            None,
        )

    def _content_end(self, token: Any) -> int:
        """The end of the line on which the token ends, its comment included."""
        start, end = int(token.start_mark.index), int(token.end_mark.index)
        if getattr(token, "style", None) not in ("|", ">"):
            return self._line_end(end)
        written = self.text[start:end]
        if "+" in _BREAK.split(written)[0].split("#")[0]:
            # Here the blank lines at the end belong to the text, all but their last line end.
            breaks = list(_BREAK.finditer(written))
            ended = breaks and breaks[-1].end() == len(written)
            return start + (breaks[-1].start() if ended else len(written))
        return self._line_end(start + len(written.rstrip(_BREAKS + " \t")))

    def _line_end(self, place: int) -> int:
        found = _BREAK.search(self.text, place)
        return found.start() if found else len(self.text)

    def _break(self, place: int) -> str:
        """The line end in use around that place."""
        found = _BREAK.search(self.text, place) or _BREAK.search(self.text)
        return found[0] if found else self.newline

    def _step(self) -> int:
        """How far this file indents a section's keys."""
        root: Any = self.root
        for key, child in root.value if _is_mapping(root) else ():
            if _is_mapping(child) and child.value and not child.flow_style:
                step = child.value[0][0].start_mark.column - key.start_mark.column
                if step > 0:
                    return int(step)
        return 2


def _flow(path: KeyPath, value: Scalar) -> str:
    written = render(value)
    for part in reversed(path[1:]):
        written = "{" + f"{render(part)}: {written}" + "}"
    return f"{render(path[0])}: {written}"


def _is_mapping(node: Any) -> bool:
    return getattr(node, "id", "") == "mapping"


def _is_null(node: Any) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _is_alias(key: yaml.Node, value: yaml.Node) -> bool:
    """Whether the value is named here and written somewhere above."""
    return bool(value.start_mark.index < key.end_mark.index)


def _pair(node: Any, name: str) -> tuple[Any, Any] | None:
    """The key and value that count under that name: the last ones."""
    found = [pair for pair in node.value if pair[0].value == name] if _is_mapping(node) else []
    return found[-1] if found else None


def _spliced(text: str, *splices: _Splice) -> str:
    for splice in sorted(splices, key=lambda splice: splice.start, reverse=True):
        text = text[: splice.start] + splice.text + text[splice.end :]
    return text


def _verified(text: str, accepted: tuple[object, ...], path: KeyPath) -> str | Refusal:
    read = parse(text.encode())
    try:
        if isinstance(read, YamlText) and any(same(read.data, data) for data in accepted):
            return text
    except RecursionError:
        pass  # a value that contains itself cannot be compared
    return Unsupported("config_shape", ".".join(path))


def _with(data: Any, path: KeyPath, value: object) -> dict[Any, Any]:
    result = dict(data or {})
    result[path[0]] = value if len(path) == 1 else _with(result.get(path[0]), path[1:], value)
    return result


def _without(data: Any, path: KeyPath) -> dict[Any, Any]:
    result = dict(data)
    if len(path) == 1:
        del result[path[0]]
    else:
        result[path[0]] = _without(result[path[0]], path[1:])
    return result
