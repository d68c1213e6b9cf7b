"""The text of a memory file and the entries in it, as the agent reads and writes them.

Pure: bytes to text, text to entries, entries to bytes (hermes-formats §2.1).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from schema.frozen import frozen

DELIMITER = "\n§\n"
MARK = "§"
BOM = "\ufeff"

_AT_ONCE = 256 * 1024
_COMMENT = "<!-- hermes-memory-"
_HEADER = re.compile(r"<!-- hermes-memory-identities:v\d+ -->\s*")
_IDENTITY = re.compile(r"(?:<!-- hermes-memory-entry:\{[^\n]*?\} -->\s*)+")


@frozen
class Undecodable:
    """The bytes are not UTF-8; `byte` is the offset of the first one that is not."""

    byte: int
    utf16: bool


class Entry(NamedTuple):
    """One entry. `identity` is the comment line that newer versions put before the text."""

    text: str
    identity: str = ""

    @property
    def piece(self) -> str:
        """What stands between two delimiters."""
        return self.identity + self.text


@frozen
class Document:
    """All entries of a file in order; `header` is the comment that announces identities."""

    entries: tuple[Entry, ...] = ()
    header: str = ""

    @property
    def has_identities(self) -> bool:
        """Whether a newer version keeps identity comments in this file (formats §2.10)."""
        return bool(self.header) or any(entry.identity for entry in self.entries)

    @property
    def texts(self) -> tuple[str, ...]:
        """The entries' texts."""
        return tuple([text for text, _ in self.entries])

    @property
    def pieces(self) -> list[str]:
        """What stands between the delimiters."""
        return [identity + text for text, identity in self.entries]

    def having(self, entries: tuple[Entry, ...]) -> Document:
        """The same file with other entries."""
        return Document(entries, self.header)

    def deduplicated(self) -> Document:
        """Without repeated entries, the first kept: what every write of the agent does."""
        pieces = self.pieces
        if len(set(pieces)) == len(pieces):
            return self
        first: dict[str, Entry] = {}
        for piece, entry in zip(pieces, self.entries, strict=True):
            first.setdefault(piece, entry)
        return self.having(tuple(first.values()))


def fold_line_ends(text: str) -> str:
    """CRLF and lone CR become LF, as reading in text mode does."""
    if "\r" not in text:
        return text
    if len(text) <= _AT_ONCE:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    # In pieces, as over megabytes it would keep the interpreter from every other thread.
    parts, begin = list[str](), 0
    while begin < len(text):
        end = begin + _AT_ONCE
        if text[end - 1 : end + 1] == "\r\n":
            end += 1
        parts.append(text[begin:end].replace("\r\n", "\n").replace("\r", "\n"))
        begin = end
    return "".join(parts)


def decode(data: bytes) -> str | Undecodable:
    """The file's text with LF line ends; a BOM stays, since the agent sees it."""
    try:
        return fold_line_ends(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Undecodable(error.start, data[:2] in (b"\xff\xfe", b"\xfe\xff"))


def pieces_of(text: str) -> list[str]:
    """What stands between the delimiters, stripped, empty ones dropped."""
    return list(filter(None, map(str.strip, text.split(DELIMITER))))


def agent_pieces(text: str) -> tuple[str, ...]:
    """The entries that 0.19.0 loads: split, stripped, empty ones and duplicates dropped."""
    return tuple(dict.fromkeys(pieces_of(text)))


def parse(text: str) -> Document:
    """The file's entries in order, duplicates kept; a BOM is not part of the first one."""
    text = text.removeprefix(BOM)
    pieces = pieces_of(text)
    if _COMMENT not in text:
        # As Entry(piece) does, which every change of a long file would wait for.
        return Document(tuple([tuple.__new__(Entry, (piece, "")) for piece in pieces]))
    header = ""
    if pieces and (found := _HEADER.match(pieces[0])):
        header, pieces[0] = found.group(), pieces[0][found.end() :]
        if not pieces[0]:
            header, pieces = header + (DELIMITER if len(pieces) > 1 else "\n"), pieces[1:]
    return Document(tuple(_entry(piece) for piece in pieces), header)


def _entry(piece: str) -> Entry:
    found = _IDENTITY.match(piece)
    if found is None or found.end() == len(piece):
        return Entry(piece)
    return Entry(piece[found.end() :], found.group())


def serialise(document: Document) -> str:
    """The text of the file, LF line ends: no delimiter at the edges, no final newline."""
    joined = DELIMITER.join(document.pieces)
    return document.header + joined if joined else document.header.removesuffix(DELIMITER).strip()


def encode(document: Document, newline: str) -> bytes:
    """The bytes that the agent's text mode would write on a system with that line end."""
    text = serialise(document)
    return (text if newline == "\n" else text.replace("\n", newline)).encode()


def clean(text: str) -> str:
    """A given text as it will stand in the file: LF line ends, stripped at both ends."""
    return fold_line_ends(text).strip()


def delimiter_line(text: str) -> int | None:
    """The number (from 1) of the first line that is only `§`, which would split the text."""
    if MARK not in text:
        return None
    lines = text.split("\n")
    return lines.index(MARK) + 1 if MARK in lines else None
