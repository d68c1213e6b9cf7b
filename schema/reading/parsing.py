"""From the text of a file to its syntax tree, without letting the parser be overrun."""

from __future__ import annotations

import ast
import re
import warnings

from schema.providers import Unread
from schema.reading.limits import MAX_FILE, MAX_NESTING

# Each takes what it begins, also where its end is missing: no place is looked at twice.
_TOKEN = re.compile(
    r"""
      (?P<word> \w+ )
    | [ \t\r]+
    | (?P<string>
            '''(?:[^\\']|\\.|'(?!''))*+(?:''')?+
          | \"\"\"(?:[^\\"]|\\.|"(?!\"\"))*+(?:\"\"\")?+
          | '(?:[^'\\\n]|\\.)*+'?+
          | "(?:[^"\\\n]|\\.)*+"?+ )
    | \#[^\n]*+
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<comma> , )
    | (?P<joined> \\\r?\n )
    | (?P<line> \n )
    | (?P<deeper> [-+~*/%@&|^<>=.:] )
    """,
    re.VERBOSE | re.DOTALL,
)
_DEEPER = frozenset(("not", "lambda", "if", "else", "await", "and", "or", "in", "is", "for"))


def parse_file(path: str, text: str) -> ast.Module | Unread:
    """Give the syntax tree of a file, or why there is none."""
    if len(text) > MAX_FILE:
        return Unread(
            path, None, "", f"the file has {len(text):,} characters; at most {MAX_FILE:,} are read"
        )
    if line := too_deep(text):
        return Unread(path, line, "", f"nested more than {MAX_NESTING} levels deep")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix("\ufeff"), filename=path)
    except SyntaxError as error:
        return Unread(path, error.lineno, "", f"not valid Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Unread(path, None, "", f"cannot be parsed: {error or type(error).__name__}")


def too_deep(text: str) -> int:
    """Count how deep the text may nest, before a parser sees it; the line where it is too deep.

    An upper bound: every bracket that is open, and every operator since the last comma at its
    level. 0 if it is never too deep.
    """
    line, branches = 1, 0
    levels = [0]
    depth = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind is None:
            continue
        if kind in ("string", "joined"):
            line += token.group().count("\n")
        elif kind == "line":
            line += 1
            if len(levels) == 1:
                depth -= levels[0]
                levels[0] = 0
        elif kind == "open":
            levels.append(0)
            depth += 1
        elif kind == "close" and len(levels) > 1:
            depth -= levels.pop() + 1
        elif kind == "comma":
            depth -= levels[-1]
            levels[-1] = 0
        elif kind == "deeper" or (kind == "word" and token.group() in _DEEPER):
            levels[-1] += 1
            depth += 1
        elif kind == "word" and token.group() == "elif":
            branches += 1
        if depth > MAX_NESTING or branches > MAX_NESTING * 2:
            return line
    return 0
