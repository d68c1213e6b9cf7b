"""What the bytes of a memory file may mean when they are not the agent's plain UTF-8. Pure.

Nothing is decoded with replacement: every byte is a character of the result. A guess says so,
and nothing is written from a guess that nobody has seen.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from itertools import islice

from schema.frozen import frozen
from store.memory.entries import BOM, fold_line_ends

OFFERED = (
    *("utf-8", "utf-8+cp1252", "utf-8+gb18030", "gb18030", "cp1252", "latin-1"),
    *("utf-16-le", "utf-16-be", "big5", "shift_jis", "euc_jp", "euc_kr"),
    *("cp1250", "cp1251", "cp1253", "cp1254", "koi8_r"),
)
"""What a person may choose. `utf-8+…`: UTF-8, in which some bytes or lines are the other one."""

_STRAY = re.compile("[\udc80-\udcff]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_UTF16_CHARS = 4
_CONTROL = re.compile("[\x00-\x08]")
_PAIR = re.compile(rb"[\x80-\xff].?", re.DOTALL)
_PAIRS_TO_JUDGE = 2000
_LONG = 1_000_000
_AT_ONCE = 64 * 1024
_TO_JUDGE = 128 * 1024
"""Bytes. A file of some MB is decoded in pieces, as one call would keep the interpreter from every
other thread; and a guess is made from its start and from where it ceases to be UTF-8."""

_COMMON_LEADS = frozenset((*range(0xA1, 0xA4), *range(0xB0, 0xD8)))
"""First bytes of GB 2312 punctuation and of its more frequent half of characters."""


@frozen
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
    """Decode `data`, by `encoding` if a person chose one of `OFFERED`; None if it does not fit."""
    return (_read_once if len(data) > _LONG else _read)(data, encoding)


def _read(data: bytes, encoding: str | None) -> Decoding | None:
    if encoding is not None:
        return _decoded(data, encoding) if encoding in OFFERED else None
    for utf16, mark in (("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE)):
        if data.startswith(mark) and (found := _decoded(data, utf16)):
            return found
    likely = _utf16_without_mark(data) if b"\0" in data else None
    return likely or _decoded(data, "utf-8") or _guessed(data)


_read_once = lru_cache(maxsize=2)(_read)
"""A long file is looked at from several sides; to guess what it is takes a second each time."""


def _guessed(data: bytes) -> Decoding | None:
    names = ["cp1252", "latin-1"]
    if _reads_as_chinese(data):
        names.insert(0, "gb18030")
    if (mixture := _mixture(data)) is not None:
        names.insert(0, mixture)
    tried = (_decoded(data, name, doubt="guess") for name in names)
    return next((found for found in tried if found is not None), None)


def _decoded(data: bytes, encoding: str, *, doubt: str = "") -> Decoding | None:
    try:
        if encoding == "utf-8+gb18030":
            text = "\n".join(map(_utf8_or_gb18030, data.split(b"\n")))
        elif encoding == "utf-8+cp1252":
            text = _with_stray_bytes(data)
        else:
            text = _in_pieces(data, encoding)
    except UnicodeDecodeError:
        return None
    notes = []
    if encoding.startswith("utf-16"):
        notes.append("utf16")
    elif text.startswith(BOM):
        notes.append("bom")
    if encoding not in ("utf-8", "utf-16-le", "utf-16-be"):
        notes.append(f"encoding:{encoding}")
    if "\r" in text:
        notes.append("line_ends")
    return Decoding(fold_line_ends(text.removeprefix(BOM)), encoding, doubt, tuple(notes))


def _in_pieces(data: bytes, encoding: str, errors: str = "strict") -> str:
    """What `data.decode` gives, without holding the interpreter for long."""
    if len(data) <= _AT_ONCE:
        return data.decode(encoding, errors)
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    ends = range(_AT_ONCE, len(data) + _AT_ONCE, _AT_ONCE)
    return "".join([decoder.decode(data[end - _AT_ONCE : end], end >= len(data)) for end in ends])


def _utf16_without_mark(data: bytes) -> Decoding | None:
    """Latin text in UTF-16: a NUL in every other byte, and nothing that controls a terminal.

    What is valid UTF-8 all the same must look so without an exception.
    """
    half, odd, even = len(data) // 2, data[1::2].count(0), data[::2].count(0)
    most, hardly = (1.0, 0.0) if _decoded(data, "utf-8") else (0.4, 0.1)
    for name, many, few in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if half >= _UTF16_CHARS and many >= half * most and few <= half * hardly:
            found = _decoded(data, name, doubt="guess")
            if found is not None and not _CONTROL.search(found.text):
                return found
    return None


# -- UTF-8 with something else in it ---------------------------------------------------------


@frozen
class _Line:
    """How much of a line that is not plain ASCII is UTF-8: characters, and bytes that are not."""

    valid: int
    stray: int
    chinese: bool


def _mixture(data: bytes) -> str | None:
    """Which mixture with UTF-8 this is; None if UTF-8 plays no part worth speaking of."""
    lines = [_judged(line) for line in _sample(data).split(b"\n") if not line.isascii()]
    good = sum(1 for line in lines if not line.stray)
    valid, stray = sum(line.valid for line in lines), sum(line.stray for line in lines)
    if good < len(lines) - good and valid < stray:
        return None
    return "utf-8+gb18030" if any(line.chinese for line in lines) else "utf-8+cp1252"


def _sample(data: bytes) -> bytes:
    """As much of a long file as a guess needs, in whole characters where lines end in time."""
    if len(data) <= 2 * _TO_JUDGE:
        return data
    try:
        _in_pieces(data, "utf-8")
        bad = 0
    except UnicodeDecodeError as error:
        # The position counts from the piece; what matters is a place near it.
        bad = data.find(error.object[error.start : error.start + 16])
    begin = max(data.rfind(b"\n", 0, bad) + 1, bad - _TO_JUDGE // 2, _TO_JUDGE)
    return data[:_TO_JUDGE] + b"\n" + data[begin : begin + _TO_JUDGE]


def _judged(line: bytes) -> _Line:
    line = line[:_TO_JUDGE]
    text = line.decode("utf-8", "surrogateescape")
    stray = len(_STRAY.findall(text))
    valid = len(_BEYOND_ASCII.findall(text)) - stray
    return _Line(valid, stray, chinese=stray > valid and _reads_as_chinese(line))


def _utf8_or_gb18030(line: bytes) -> str:
    """Plain UTF-8 if it is that, else GB 18030 if most of it is not UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        judged = _judged(line)
        return _in_pieces(line, "gb18030") if judged.chinese else _with_stray_bytes(line)


def _reads_as_chinese(data: bytes) -> bool:
    """Whether the bytes beyond ASCII pair up as common characters of GB 2312."""
    leads = [found[0][0] for found in islice(_PAIR.finditer(_sample(data)), _PAIRS_TO_JUDGE)]
    common = sum(1 for lead in leads if lead in _COMMON_LEADS)
    if common < max(2, len(leads) * 0.6):
        return False
    try:
        _in_pieces(data, "gb18030")
    except UnicodeDecodeError:
        return False
    return True


def _with_stray_bytes(data: bytes) -> str:
    """UTF-8 where each byte that does not fit is read as Windows-1252, else as Latin-1."""
    mixed = _in_pieces(data, "utf-8", "surrogateescape")
    return _STRAY.sub(lambda found: _western(ord(found[0]) - 0xDC00), mixed)


def _western(byte: int) -> str:
    try:
        return bytes((byte,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)
