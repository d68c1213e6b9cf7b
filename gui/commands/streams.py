"""The three streams of a command: UTF-8 whatever the locale says, and safe on a terminal."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import suppress
from typing import BinaryIO, TextIO

_CONTROL = re.compile(
    # All control characters but tab and line feed, and those that turn the direction of writing.
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"
)

_BYTES = re.compile("[\udc80-\udcff]+")


class Streams:
    """Standard input, output and error as bytes; those of this process unless others are given."""

    def __init__(
        self,
        stdin: BinaryIO | None = None,
        stdout: BinaryIO | None = None,
        stderr: BinaryIO | None = None,
    ) -> None:
        """A stream that this process was started without stays None and takes nothing."""
        self._stdin = stdin or _bytes_of(sys.stdin)
        self._stdout = stdout or _bytes_of(sys.stdout)
        self._stderr = stderr or _bytes_of(sys.stderr)

    def read(self) -> bytes:
        """Everything on standard input."""
        return b"" if self._stdin is None else self._stdin.read()

    def read_unseen(self) -> bytes:
        """Everything on standard input; on a terminal one line, which is not shown."""
        if self._stdin is None or not self._stdin.isatty():
            return self.read()
        from getpass import getpass

        return getpass("").encode("utf-8", "surrogateescape")

    def on_terminal(self) -> bool:
        """Whether standard output is shown to a person."""
        return self._stdout is not None and self._stdout.isatty()

    def has_person(self) -> bool:
        """Whether a person follows this, who may be asked by the system to unlock something."""
        return self._stderr is not None and self._stderr.isatty()

    def ask(self, prompt: str) -> str | None:
        """Put a question on standard error; the line that answers, None if none comes any more."""
        if self._stderr is not None:
            with suppress(OSError):
                # Where nobody types, no key ends the line.
                end = "" if self._stdin is not None and self._stdin.isatty() else "\n"
                self._stderr.write(_encoded(prompt, self._stderr).rstrip(b"\n") + end.encode())
                self._stderr.flush()
        line = b"" if self._stdin is None else self._stdin.readline()
        return line.decode("utf-8", "replace").strip() if line else None

    def result(self, text: str) -> str | None:
        """Write to standard output exactly `text`, if that is no terminal. Why it failed, or None.

        A terminal gets a line end after it in any case, so that the prompt stands on its own line.
        A reader that has gone away is no failure: it has what it wanted.
        """
        if self._stdout is None:
            return os.strerror(errno.EBADF)
        try:
            self._stdout.write(_encoded(text, self._stdout))
            self._stdout.flush()
        except BrokenPipeError:
            _forget(self._stdout)
        except OSError as error:
            _forget(self._stdout)
            return error.strerror or str(error)
        return None

    def tell(self, text: str) -> None:
        """Write a line for a person to standard error."""
        if self._stderr is not None:
            with suppress(OSError):
                self._stderr.write(_encoded(text + "\n", self._stderr))
                self._stderr.flush()


def escaped(text: str) -> str:
    """`text` with what could steer a terminal made visible, ESC as its JSON escape."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def rejoined(text: str) -> str:
    """`text` with what the system handed over byte by byte read as UTF-8, where it is that.

    Under the locale C a name or an argument arrives as one lone surrogate for each byte.
    """
    return _BYTES.sub(_as_utf8, text)


def _as_utf8(found: re.Match[str]) -> str:
    with suppress(UnicodeDecodeError):
        return found[0].encode("ascii", "surrogateescape").decode("utf-8")
    return found[0]


def _encoded(text: str, stream: BinaryIO) -> bytes:
    text = rejoined(text)
    if stream.isatty():
        text = escaped(text) + ("" if text.endswith("\n") else "\n")
    # A lone surrogate stands for a byte of a file name; in JSON this is its proper escape.
    return text.encode("utf-8", "backslashreplace")


def _bytes_of(stream: TextIO | None) -> BinaryIO | None:
    return getattr(stream, "buffer", None)


def _forget(stream: BinaryIO) -> None:
    """Let what is still buffered go nowhere, so that closing at exit says nothing more."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
