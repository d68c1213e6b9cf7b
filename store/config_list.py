"""Adds an item to a list in the text of a YAML file, or takes it out, and nothing else changes.

Built on the edits of single keys (store/config_edit.py), and verified like them: what comes out is
read again and must say exactly what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from store.config_edit import set_in, unset_in
from store.refusals import Invalid, Refusal, Unsupported
from store.yaml_text import YamlText, parse, position, reader
from store.yaml_values import KeyPath, at, has, render, same

_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
_PLACE = "memory-desk-list-goes-here"


def add_item(file: YamlText, path: KeyPath, item: str, *, newline: str) -> str | Refusal:
    """The text with `item` at the end of the list at `path`; the same text if it is in there.

    A missing list, or one that says null, is made on one line. Refused with `Invalid` where
    something else than a list stands there, with `Unsupported` where the edit would not be safe.
    """
    now = at(file.data, path) if has(file.data, path) else None
    if now is None:
        made = set_in(file, path, _PLACE, newline=newline)
        if not isinstance(made, str):
            return made
        return _verified(file, made.replace(_PLACE, f"[{render(item)}]"), path, [item])
    if not isinstance(now, list):
        return Invalid(".".join(path), "not_a_list", *_position(file, path))
    if item in now:
        return file.text
    node = _node(file, path)
    if node is None:
        return Unsupported("config_shared", ".".join(path))
    text = file.text
    if node.flow_style:
        place = node.end_mark.index - 1
        inside = text[node.start_mark.index + 1 : place]
        place -= len(inside) - len(inside.rstrip())
        comma = "" if not now else " " if inside.rstrip().endswith(",") else ", "
        text = text[:place] + comma + render(item) + text[place:]
    else:
        first, last = node.value[0], node.value[-1]
        start = text.rfind("-", 0, first.start_mark.index)
        column = start - _line_start(text, start)
        place = _line_end(text, _content_end(text, last))
        end = _BREAK.search(text, place) or _BREAK.search(text)
        glue = end[0] if end else newline
        text = text[:place] + f"{glue}{' ' * column}- {render(item)}" + text[place:]
    return _verified(file, text, path, [*now, item])


def remove_item(file: YamlText, path: KeyPath, item: str, *, newline: str) -> str | Refusal:
    """The text without `item` in the list at `path`; the same text if it is not in there."""
    now = at(file.data, path) if has(file.data, path) else None
    if not isinstance(now, list) or item not in now:
        return file.text
    node = _node(file, path)
    if node is None:
        return Unsupported("config_shared", ".".join(path))
    left = [one for one in now if one != item]
    number = now.index(item)
    if not left and not node.flow_style:
        return unset_in(file, path, newline=newline)
    text = file.text
    target = node.value[number]
    start, end = target.start_mark.index, target.end_mark.index
    if node.flow_style:
        if number + 1 < len(node.value):
            end = node.value[number + 1].start_mark.index
        elif number:
            start = text.rfind(",", node.value[number - 1].end_mark.index, start)
    else:
        start = _line_start(text, text.rfind("-", 0, start))
        end = _line_end(text, _content_end(text, target))
        found = _BREAK.match(text, end)
        end = found.end() if found else end
    return _verified(file, text[:start] + text[end:], path, left)


def _node(file: YamlText, path: KeyPath) -> Any:
    """The list's node as it is written; None if an anchor or a merge brings it there."""
    loader = reader()(file.text)
    try:
        node = loader.get_single_node()
    finally:
        loader.dispose()
    for part in path:
        pairs = [pair for pair in getattr(node, "value", ()) if pair[0].value == part]
        if len(pairs) != 1 or pairs[0][1].start_mark.index < pairs[0][0].end_mark.index:
            return None
        node = pairs[0][1]
    return node if getattr(node, "id", "") == "sequence" else None


def _position(file: YamlText, path: KeyPath) -> tuple[int, int]:
    node: Any = file.root
    for part in path:
        pairs = [pair for pair in getattr(node, "value", ()) if pair[0].value == part]
        if not pairs:
            break
        node = pairs[-1][1]
    return position(node.start_mark)


def _content_end(text: str, node: Any) -> int:
    """Where the item's own text ends: a block's mark stands behind the blank lines after it."""
    start, end = node.start_mark.index, node.end_mark.index
    return int(start + len(text[start:end].rstrip()))


def _line_start(text: str, place: int) -> int:
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def _line_end(text: str, place: int) -> int:
    found = _BREAK.search(text, place)
    return found.start() if found else len(text)


def _verified(file: YamlText, text: str, path: KeyPath, meant: Sequence[object]) -> str | Refusal:
    read = parse(text.encode())
    try:
        if isinstance(read, YamlText) and same(read.data, _with(file.data, path, list(meant))):
            return text
    except RecursionError:
        pass  # a value that contains itself cannot be compared
    return Unsupported("config_shape", ".".join(path))


def _with(data: Any, path: KeyPath, value: object) -> dict[Any, Any]:
    result = dict(data or {})
    result[path[0]] = value if len(path) == 1 else _with(result.get(path[0]), path[1:], value)
    return result
