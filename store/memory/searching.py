"""The entries of several profiles in which a text stands. Reads, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from schema.frozen import frozen
from store.files import Disk
from store.home import TARGETS, HermesHome, Target
from store.memory.entries import parse
from store.memory.state import file_text
from store.refusals import Refusal, Unreadable

MOST = 200
"""More finds than a person reads through."""


@frozen
class Find:
    """An entry that was found, with its full text."""

    profile: str
    target: Target
    text: str


@frozen
class NotSearched:
    """A file in which nothing could be looked for."""

    profile: str
    target: Target
    refusal: Refusal


@frozen
class Finds:
    """What was found, by profile and file; `more` is whether that is not all."""

    entries: tuple[Find, ...] = ()
    not_searched: tuple[NotSearched, ...] = ()
    more: bool = False


def search_profiles(
    homes: Iterable[HermesHome],
    needle: str,
    *,
    disk: Disk,
    most: int = MOST,
    given_up: Callable[[], bool] = lambda: False,
) -> Finds:
    """The entries with `needle` in them in both files of these homes, `most` of them.

    A file that cannot be read is named, not passed over. After `given_up` nothing more is read.
    """
    found, not_searched = list[Find](), list[NotSearched]()
    for home in homes:
        for target in TARGETS:
            if given_up():
                return Finds()
            texts = _texts(home, target, disk)
            if not isinstance(texts, tuple):
                not_searched.append(NotSearched(home.profile, target, texts))
                continue
            for text in _matching(texts, needle):
                if len(found) == most:
                    return Finds(tuple(found), tuple(not_searched), more=True)
                found.append(Find(home.profile, target, text))
    return Finds(tuple(found), tuple(not_searched))


def _matching(texts: tuple[str, ...], needle: str) -> Iterator[str]:
    wanted = needle.casefold()
    return (text for text in dict.fromkeys(texts) if wanted in text.casefold())


def _texts(home: HermesHome, target: Target, disk: Disk) -> tuple[str, ...] | Refusal:
    path = home.memory_file(target)
    seen = disk.read(path)
    if isinstance(seen, Unreadable):
        return seen
    text = file_text(str(path), seen.data)
    if text.problem is not None:
        return text.problem
    return parse(text.decoded).texts if isinstance(text.decoded, str) else ()
