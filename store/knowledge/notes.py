"""What a note says, from its bytes; and how a text is appended to it. Pure.

Every byte that was there stays where it was: an append only adds behind it, in the encoding and
with the line ends of the note, and a note whose last line has no end has none afterwards.
"""

from __future__ import annotations

import re

from schema.frozen import field, frozen
from store.memory.encodings import read_text

_CERTAIN = {"utf-8": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_ALIASES = re.compile(
    r"^alias(?:es)?:[ \t]*(?:\[([^\]]*)\]|(\S.*)|\n((?:[ \t]*-[ \t].*(?:\n|\Z))+))",
    re.MULTILINE | re.IGNORECASE,
)
_DATE = r"[^()（）]*\d{4}[^()（）]*"
_COPY = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing
    r"|[(（][^()（）]*conflicted copy[^()（）]*[)）]"  # Dropbox, Nextcloud, Obsidian Sync
    rf"|[(（]conflict(?:ed)?{_DATE}[)）]|[(]conflicted[)]"  # ownCloud, pCloud
    r"|[ _.-]conflict[-_]\d{8}"
    rf"|[(]SFConflict{_DATE}[)]"  # Seafile
    rf"|冲突副本|冲突的副本|[(（]冲突{_DATE}[)）]"
    r"|\.conflict\d*$",
    re.IGNORECASE,
)


@frozen
class Text:
    """What a note says: `text` with LF line ends and without a byte order mark.

    `certain` is False where the encoding is only a guess: such a note is read, and never written.
    """

    text: str = field(repr=False)
    encoding: str
    certain: bool
    names: tuple[str, ...]

    @property
    def body(self) -> str:
        """The text behind the front matter."""
        return without_front_matter(self.text)


def text_of(data: bytes, stem: str) -> Text | None:
    """What these bytes say; None if they are no text. `stem`: the file's name without its end."""
    found = read_text(data)
    if found is None or "\0" in found.text:
        return None
    certain = not found.doubt and found.encoding in _CERTAIN
    return Text(found.text, found.encoding, certain, _names(stem, found.text))


def is_conflict_copy(stem: str) -> bool:
    """Whether a program that syncs gave a file this name, to put a second version beside it."""
    return _COPY.search(stem) is not None


def without_front_matter(text: str) -> str:
    """The text behind the front matter, if there is any."""
    front = _FRONT.match(text)
    return text if front is None else text[front.end() :]


def appended(data: bytes, text: str, encoding: str) -> bytes:
    """The bytes of a note with `text` (LF line ends) behind them, as a paragraph of its own.

    `encoding` is one that is certain.
    """
    mark = _CERTAIN[encoding]
    said = data[len(mark) :] if data.startswith(mark) else data
    before = said.decode(encoding)
    newline = _newline(before)
    ends = before.endswith(("\n", "\r"))
    if not before:
        tail = text + "\n"
    elif not ends:
        tail = f"\n\n{text}"
    else:
        apart = re.search(r"\n[ \t]*\n\Z", before.replace("\r\n", "\n").replace("\r", "\n"))
        tail = f"{'' if apart or not before.strip() else chr(10)}{text}\n"
    return data + tail.replace("\n", newline).encode(encoding)


def taken_off(now: bytes, before: bytes, after: bytes) -> bytes | None:
    """`now` without what an append made of `before` into `after`; None if it cannot be told."""
    if not stands_in(now, before, after):
        return None
    tail = after[len(before) :]
    return now.replace(tail, b"", 1) if now.count(tail) == 1 else None


def stands_in(now: bytes, before: bytes, after: bytes) -> bool:
    """Whether what was appended is there, be it that others have written since."""
    tail = after[len(before) :]
    return bool(tail) and after.startswith(before) and tail in now


def _newline(text: str) -> str:
    """The line end that the note has last; LF where it has none."""
    found = re.search(r"(?:\r\n|\n|\r)(?=[^\r\n]*\Z)", text)
    return "\n" if found is None else found[0]


def _names(stem: str, text: str) -> tuple[str, ...]:
    """What the note is called: by its file first, then by what stands in it."""
    names = [stem]
    front = _FRONT.match(text)
    if front is not None:
        names += [found[1] for found in _TITLE.finditer(front[1])]
        for found in _ALIASES.finditer(front[1]):
            listed = found[1] or found[2] or re.sub(r"(?m)^[ \t]*-[ \t]", ",", found[3] or "")
            names += listed.replace("\n", "").split(",")
    heading = _HEADING.search(without_front_matter(text)[:4_096])
    names += [heading[1]] if heading else []
    clean = (name.strip().strip("'\"").strip() for name in names)
    return tuple(dict.fromkeys(name for name in clean if name))
