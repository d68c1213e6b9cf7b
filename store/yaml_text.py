"""Reads the bytes of a YAML file exactly as the agent does, and keeps where everything stands.

The agent reads with libyaml (YAML 1.1), and so must we: a file that it takes may be refused by
another reader. Nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from schema.frozen import frozen
from store.yaml_plain import NOT_PLAIN, read_plain

if TYPE_CHECKING:
    import yaml

BOM = "\ufeff"


@frozen
class YamlText:
    """A readable file: its text without the byte order mark, and what it means.

    `data` is shared between readers and must not be changed.
    """

    text: str
    bom: bool
    data: Mapping[Any, Any]

    @property
    def root(self) -> yaml.Node | None:
        """The nodes, which know where everything stands."""
        return _load(self.text)[0]


@frozen
class NotUtf8:
    """The bytes are no UTF-8 from offset `byte` on."""

    byte: int
    utf16: bool


@frozen
class NotYaml:
    """The text is no YAML mapping; `line` and `column` count from 1."""

    problem: str
    line: int
    column: int


@lru_cache(maxsize=8)
def parse(data: bytes) -> YamlText | NotUtf8 | NotYaml:
    """Parse a whole file. Nothing, null and other empty values count as an empty mapping."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return NotUtf8(error.start, data[:2] in (b"\xff\xfe", b"\xfe\xff"))
    bom = text.startswith(BOM)
    text = text[1:] if bom else text
    value = read_plain(text)
    if value is NOT_PLAIN:
        root, value, problem = _load(text)
        if problem is not None:
            return problem
        if value and not isinstance(value, dict):
            line, column = position(root.start_mark) if root is not None else (1, 1)
            return NotYaml("not a mapping of keys to values", line, column)
    return YamlText(text, bom, value if isinstance(value, dict) else {})


@lru_cache(maxsize=8)
def _load(text: str) -> tuple[yaml.Node | None, object, NotYaml | None]:
    import yaml

    loader = reader()(text)
    root: yaml.Node | None = None
    try:
        root = loader.get_single_node()
        value = loader.construct_document(root) if root is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = position(mark) if mark is not None else (1, 1)
        return None, None, NotYaml(error.problem or str(error), line, column)
    except yaml.reader.ReaderError as error:
        line, column = _line_and_column(text, error.position)
        return None, None, NotYaml(error.reason, line, column)
    except Exception as error:
        # A constructor raises whatever its value raises (a date of month 13, a number of 5,000
        # digits, a hundred aliases in a ring); the agent takes any of them for a broken file.
        line, column = _position_of_failure(loader, root)
        return None, None, NotYaml(str(error) or type(error).__name__, line, column)
    finally:
        loader.dispose()
    return root, value, None


def reader() -> Any:
    """The loader class that the agent uses: libyaml's if there is one."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def position(mark: yaml.Mark) -> tuple[int, int]:
    """Line and column of `mark`, both from 1."""
    return mark.line + 1, mark.column + 1


def _position_of_failure(loader: Any, root: yaml.Node | None) -> tuple[int, int]:
    """Where the first value stands that cannot be constructed, as far as one alone is to blame."""
    import yaml

    waiting, seen = [root] if root is not None else [], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            try:
                loader.construct_object(node)
            except Exception:
                return position(node.start_mark)
        elif isinstance(node, yaml.SequenceNode):
            waiting += reversed(node.value)
        else:
            waiting += [part for pair in reversed(node.value) for part in reversed(pair)]
    return position(root.start_mark) if root is not None else (1, 1)


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The place of a character that may not be there: libyaml counts it in bytes."""
    import yaml

    if yaml.__with_libyaml__:
        before = text.encode()[:offset].decode(errors="ignore")
    else:
        before = text[:offset]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
