"""The desk's log: what happened, in names and numbers, never in the words of a memory.

A fact is a number, a path or a short name; any other text is replaced by its length. So nothing
that the person wrote can get in, whoever calls. What still looks like a key is struck out.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from store.preferences import log_dir

if TYPE_CHECKING:
    from store.log_file import PrivateFile

STRUCK_OUT = "[redacted]"

_NAME = re.compile(r"[A-Za-z0-9_.:@/\\+~-]{1,120}")
_SECRETS = (
    # A name that speaks of a secret, whatever its value looks like.
    re.compile(
        r"(?i)([\"']?\b(?:[\w.-]*[_.-]|api|access|auth|client|private|refresh|secret|session)?"
        r"(?:(?<=\w)key|(?<=-)key|token|secret|password|passwd|credential)s?[\"']?\s*[=:]\s*)"
        r"(?:\"[^\"]*\"|'[^']*'|[^\s,;&]+)"
    ),
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)[\w.~+/=-]+"),
    # user:password@ in an address.
    re.compile(r"(://[^/\s:@]*:)[^/\s@]+(?=@)"),
    re.compile(
        r"()\b(?:sk|pk|rk|hch-at|hch-rt|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|hf|AIza|AKIA)"
        r"[-_]?[A-Za-z0-9][\w-]{7,}"
    ),
    re.compile(r"()\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?"),
)


def redact(text: str, *, person: Path | None = None) -> str:
    """Strike out what looks like a key or token; the person's home folder becomes `~`."""
    for pattern in _SECRETS:
        text = pattern.sub(rf"\1{STRUCK_OUT}", text)
    folder = str(person or Path.home())
    if len(folder) > 1:
        text = re.sub(re.escape(folder) + r"(?![\w.-])", "~", text)
    return text


class Log:
    """One log file in `folder`, made when the first line is written.

    A log that cannot be written is silent: it is never a reason to fail.
    """

    def __init__(self, folder: Path, *, person: Path | None = None) -> None:
        self.path = folder / "memory-desk.log"
        self._person = person
        self._file: PrivateFile | None = None

    def event(self, name: str, **facts: object) -> None:
        """Write that `name` happened."""
        self._write("INFO", name, facts)

    def fault(self, name: str, error: BaseException, **facts: object) -> None:
        """Write that something unforeseen happened, with where; without the error's own words.

        An error's message may quote a memory. The system's errors are named by their number.
        """
        kind = type(error).__name__
        number = error.errno if isinstance(error, OSError) else None
        frames = "".join(
            f"\n    {frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        )
        known = {"error": kind, **({} if number is None else {"errno": number})}
        self._write("ERROR", name, {**known, **facts}, frames)

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, level: str, name: str, facts: Mapping[str, object], more: str = "") -> None:
        line = " ".join([_fact(name), *(f"{key}={_fact(value)}" for key, value in facts.items())])
        if self._file is None:
            # The library behind it takes longer to load than most commands take to run.
            from store.log_file import PrivateFile

            self._file = PrivateFile(self.path)
        self._file.write(level, redact(line + more, person=self._person))


def open_log(env: Mapping[str, str] = os.environ) -> Log:
    """The log that this environment means. Writes nothing yet."""
    person = env.get("HOME") or env.get("USERPROFILE")
    return Log(log_dir(env), person=Path(person) if person else None)


def _fact(value: object) -> str:
    if value is None or isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, Path):
        return _one_line(str(value))
    if isinstance(value, list | tuple):
        return "[" + ",".join(_fact(item) for item in value) + "]"
    text = str(value)
    return text if _NAME.fullmatch(text) else f"<{len(text)} characters>"


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
