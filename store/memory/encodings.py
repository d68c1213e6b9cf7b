"""What the bytes of a memory file may mean when they are not the agent's plain UTF-8. Pure.

Nothing is decoded with replacement: every byte is a character of the result. A guess says so,
and nothing is written from a guess that nobody has seen.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from store.memory.entries import BOM, fold_line_ends

_STRAY_SHARE = 0.3
"""Above this share of bytes that are no UTF-8, a file is not "UTF-8 with stray bytes"."""

_COMMON_LEADS = (*range(0xA1, 0xA4), *range(0xB0, 0xD8))
"""First bytes of GB 2312 punctuation and of its more frequent half of characters."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """A file's text, LF line ends, without BOM.

    `doubt` is `guess` where the bytes do not say what they are. `notes`: bom, utf16,
    line_ends, `encoding:<name>`.
    """

    text: str
    encoding: str
    doubt: str
    notes: tuple[str, ...]


def read_text(data: bytes, encoding: str | None = None) -> Decoding | None:
    """Decode `data`, by `encoding` if a person chose one; None if that does not fit."""
    if encoding is not None:
        return _by_name(data, encoding)
    for utf16, mark in (("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)):
        if data.startswith(mark) and (found := _decoding(data, utf16, "", ("utf16",))):
            return found
    if b"\0" not in data and (found := _decoding(data, "utf-8", "", ())):
        return found
    likely = _utf16_without_mark(data)
    if likely and (found := _decoding(data, likely, "guess", ("utf16",))):
        return found
    return _decoding(data, "utf-8", "", ()) or _guess(data)


def _by_name(data: bytes, encoding: str) -> Decoding | None:
    if encoding == "utf-8+cp1252":
        return _with_stray_bytes(data)
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return None
    notes = ("utf16",) if name.startswith("utf-16") else (f"encoding:{name}",)
    return _decoding(data, name, "", () if name in ("utf-8", "ascii") else notes)


def _decoding(data: bytes, encoding: str, doubt: str, notes: tuple[str, ...]) -> Decoding | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    if text.startswith(BOM):
        text = text.removeprefix(BOM)
        notes = notes if "utf16" in notes else ("bom", *notes)
    if "\r" in text:
        text, notes = fold_line_ends(text), (*notes, "line_ends")
    return Decoding(text, encoding, doubt, notes)


def _utf16_without_mark(data: bytes) -> str | None:
    """Latin text in UTF-16 has a NUL in every other byte."""
    half = len(data) // 2
    if half and data[1::2].count(0) > half * 0.4 and data[::2].count(0) < half * 0.1:
        return "utf-16-le"
    if half and data[::2].count(0) > half * 0.4 and data[1::2].count(0) < half * 0.1:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> Decoding:
    text = data.decode("utf-8", "surrogateescape")
    stray = sum(1 for char in text if "\udc80" <= char <= "\udcff")
    beyond_ascii = sum(1 for byte in data if byte > 0x7F)
    if stray <= beyond_ascii * _STRAY_SHARE:
        return _with_stray_bytes(data)
    if _looks_like_gbk(data) and (
        found := _decoding(data, "gb18030", "guess", ("encoding:gb18030",))
    ):
        return found
    western = _decoding(data, "cp1252", "guess", ("encoding:cp1252",))
    return western or Decoding(
        fold_line_ends(data.decode("latin-1")), "latin-1", "guess", ("encoding:latin-1",)
    )


def _looks_like_gbk(data: bytes) -> bool:
    common = pairs = position = 0
    while position < len(data):
        if data[position] < 0x80:
            position += 1
            continue
        pairs += 1
        common += data[position] in _COMMON_LEADS
        position += 2
    return common >= 2 and common >= pairs * 0.6


def _with_stray_bytes(data: bytes) -> Decoding:
    """UTF-8 where each byte that does not fit is read as Windows-1252, else as Latin-1."""
    mixed = data.decode("utf-8", "surrogateescape")
    text = "".join(
        _western(ord(char) - 0xDC00) if "\udc80" <= char <= "\udcff" else char for char in mixed
    )
    notes = ("bom",) if text.startswith(BOM) else ()
    text = text.removeprefix(BOM)
    ends = ("line_ends",) if "\r" in text else ()
    name = "utf-8+cp1252"
    return Decoding(fold_line_ends(text), name, "guess", (*notes, f"encoding:{name}", *ends))


def _western(byte: int) -> str:
    try:
        return bytes((byte,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)
