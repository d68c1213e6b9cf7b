"""Signs of raw output: logs, traces, tables, records, listings. Told by lines, not by words."""

from __future__ import annotations

import re
from typing import Final

from store.advice.signs.phrases import table

_LINE = 300
"""Characters of a line that are looked at."""
_ONCE = table(
    ("a trace", r"Traceback \(most recent call last\)|^Caused by: |^goroutine \d+ \[|panicked at "
     r"|^\s{0,8}File \"[^\"\n]{1,200}\", line \d|^\s{0,8}at [\w.$<>]{1,120} ?\([^)\n]{0,200}:\d+\)"
     r"|^Exception in thread|Segmentation fault"),
    ("a change", r"^diff --git |^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|^\+\+\+ b/"),
    ("a command and its output", r"^(?:\$|>>>|❯|PS [A-Z]:\\[^>\n]{0,80}>"
     r"|[\w-]{1,32}@[\w-]{1,32}:[^\n$#]{0,80}[$#])"
     r" ?[^\n]{2,300}\n[^\n]"),
    ("a compiler", r"^ {0,8}--> \S{1,120}:\d+:\d+"),
    ("a heading of columns", r"^ {0,4}(?:[A-Z%+]{2,12} {1,12}){2,12}[A-Z%+]{2,12}[^\n]{0,40}\n."),
    ("bytes", r"[A-Za-z0-9+/]{120}|(?:[0-9a-fA-F]{2} ){16}"),
    ("a web server's log", r"^\d{1,3}(?:\.\d{1,3}){3} - \S{1,40} \["),
    ("an answer of a server", r"^HTTP/\d(?:\.\d)? \d{3}[^\n]{0,40}\n[\w-]{2,40}: "),
    ("a table's foot", r"\b\d+ rows? (?:in set|affected)\b|^\(\d+ rows?\)"),
    flags=re.MULTILINE,
)  # fmt: skip
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|Note)"
_OFTEN: Final[tuple[tuple[str, int, re.Pattern[str]], ...]] = tuple(
    (why, least, re.compile(pattern))
    for why, least, pattern in (
        ("a log", 2, r"^.{0,40}\d\d:\d\d:\d\d(?:[.,]\d+)?Z?\b.{0,20}\S"),
        ("a log", 2, rf"^.{{0,40}}(?:\b{_LEVEL}\b:?|\[{_LEVEL}\])\s"),
        (
            "a log",
            2,
            r"^(?:npm (?:ERR!|WARN)|error(?:\[\w+\])?: |warning: |fatal: |E {3}|\[\w{2,12}\] )",
        ),
        ("requests", 2, r"^(?:GET|POST|PUT|DELETE|PATCH|HEAD) /\S{0,120} .{0,40}\b[1-5]\d\d\b"),
        ("a compiler", 2, r"^\S{1,120}:\d+(?::\d+)?: (?:error|warning|note|fatal)"),
        ("a ruled table", 2, r"^\s{0,8}[+├└┌╔][-=+─┬┼┴]{5,}"),
        ("a table", 4, r"^[^|]{0,80}\|[^|]{0,80}\|"),
        ("columns", 3, r"^\S(?:.{0,60}?\S)? {2,}\S.{0,60}? {2,}\S"),
        ("columns", 3, r"^[^\t]{1,60}\t[^\t]{1,60}\t[^\t]"),
        ("a listing", 2, r"^(?:total \d+$|[-dlcbps][rwxsStT-]{9})"),
        ("a history", 2, r"^(?:commit [0-9a-f]{7,40}|Author: |\*? ?[0-9a-f]{7,10} )"),
        ("a history", 2, r"^\s{1,8}(?:modified|new file|deleted|renamed):\s"),
        ("measures", 2, r"^(?:.{0,60}?\b\w{1,20}=\S{1,40}){3}"),
        ("nested settings", 2, r"^ {2,12}(?:- )?[a-z][\w-]{0,40}:(?: \S|$)"),
        ("settings with sections", 4, r"^(?:\[[\w.-]{2,40}\]$|[\w.-]{2,40} ?= ?\S{1,80})"),
        ("pins", 3, r"^[\w.-]{1,60}==\d[\w.]{0,30}$"),
        ("settings", 4, r"^(?:export )?[A-Z][A-Z0-9_]{2,40}=\S"),
        ("a record", 3, r"^\s{0,12}\"[\w-]{1,60}\": ?\S"),
        (
            "a test run",
            2,
            r"^(?:={5,} .{1,80} ={5,}|(?:PASSED|FAILED|PASS|FAIL|ok|not ok)\b .{0,120})",
        ),
        ("values with commas", 4, r"^[^,\s][^,]{0,40}(?:,[^,，。\s][^,，。 ]{0,40}){2,20}$"),
    )
)
_PAIR = re.compile(r"[\"'][\w.-]{1,60}[\"']\s{0,4}:\s{0,4}[\[{\"'\d\-tfnN]")
_TAG = re.compile(r"</[\w:-]{1,40}>|<[\w:-]{1,40}(?: [^<>]{1,200})?/>")
_STAMP = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d")
_PAIRS = 4
_TAGS = 4
_STAMPS = 3


def is_dump(text: str) -> bool:
    """Whether most of it was copied from a machine."""
    if _ONCE.search(text):
        return True
    if len(_PAIR.findall(text)) >= _PAIRS or len(_TAG.findall(text)) >= _TAGS:
        return True
    if len(_STAMP.findall(text)) >= _STAMPS:
        return True
    lines = [line[:_LINE] for line in text.splitlines() if line.strip()]
    return any(
        sum(pattern.search(line) is not None for line in lines) >= least
        for _, least, pattern in _OFTEN
    )
