"""What of the queue is listed, and in which order. Pure; worked out in the background."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Literal

from gui.models.pending import AnyBrief, Item, PendingView
from gui.models.pending_near import Near
from gui.models.pending_words import fits_search
from schema.frozen import frozen
from store.pending.records import Record, UnusableRecord

About = Literal["all", "memory", "user", "skills"]
Origin = Literal["all", "auto", "asked"]
Age = Literal["all", "day", "week", "month"]
State = Literal["all", "applies", "refused", "stale", "near", "trouble"]

DAYS = {"day": 1, "week": 7, "month": 30}
BREATH = 10
"""After so many records that are only calculated with, the window may have the interpreter."""
BREATH_SECONDS = 0.0003


@frozen
class Filter:
    """Which records are wanted; `age` ones are older than that. `needle` is searched for."""

    about: About = "all"
    origin: Origin = "all"
    age: Age = "all"
    state: State = "all"
    needle: str = ""

    @property
    def narrows(self) -> int:
        """By how many choices it keeps anything away, the search aside."""
        return sum(one != "all" for one in (self.about, self.origin, self.age, self.state))

    @property
    def lets_all(self) -> bool:
        """Whether everything that waits is wanted."""
        return not self.narrows and not self.needle


@frozen
class Judged:
    """What is known of the records by now: their effects, and what is near to what."""

    briefs: Mapping[str, AnyBrief]
    stale: Collection[str]
    near: Mapping[str, Near]


def listed(
    view: PendingView, wanted: Filter, judged: Judged, given_up: Callable[[], bool]
) -> tuple[str, ...]:
    """Give the keys of the items that are wanted; records near to each other stand together."""
    needle = wanted.needle.casefold()
    kept: list[str] = []
    groups: dict[str, list[str]] = {}
    for number, (key, item) in enumerate(view.items.items()):
        if number % BREATH == 0:
            breathe()
        if given_up():
            return ()
        if not fits(key, item, wanted, judged, view.at) or (
            needle and not fits_search(item, needle)
        ):
            continue
        near = judged.near.get(key)
        group = near.group if near is not None else ()
        if len(group) > 1:
            if group[0] not in groups:
                groups[group[0]] = []
                kept.append(key)
            groups[group[0]].append(key)
        else:
            kept.append(key)
    if not groups:
        return tuple(kept)
    first = {keys[0]: keys for keys in groups.values()}
    return tuple(one for key in kept for one in first.get(key, (key,)))


def fits(key: str, item: Item, wanted: Filter, judged: Judged, now: float) -> bool:
    """Whether an item is wanted, the search aside."""
    if isinstance(item, UnusableRecord):
        return wanted.state in ("all", "trouble") and wanted.narrows <= (wanted.state != "all")
    if wanted.about != "all" and wanted.about != _about(item):
        return False
    if wanted.origin != "all" and (wanted.origin == "auto") != item.automatic:
        return False
    if wanted.age != "all" and not 0 < item.created_at <= now - DAYS[wanted.age] * 86_400:
        return False
    return wanted.state == "all" or _in_state(key, item, wanted.state, judged)


def _about(record: Record) -> str:
    return "skills" if record.subsystem == "skills" else record.target


def _in_state(key: str, record: Record, state: State, judged: Judged) -> bool:
    brief = judged.briefs.get(key)
    match state:
        case "stale":
            return key in judged.stale
        case "near":
            return key in judged.near
        case "trouble":
            return record.problem is not None
        case "applies":
            return brief is not None and brief.refusal is None
        case "refused":
            return brief is not None and brief.refusal is not None and key not in judged.stale
    return True


def breathe() -> None:
    """Let the window go first: it paints in many small steps, and each needs the interpreter."""
    time.sleep(BREATH_SECONDS)
