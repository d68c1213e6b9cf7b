"""What the Overview shows, as values: read in the background. No Qt here."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from gui.ages import moment
from gui.commands.status import look
from gui.health import Finding
from gui.i18n import tr, trn
from gui.models.overview_layers import REPAIRED, Layer, layers_of, target_of, who_made
from gui.page_names import PAGE_NAMES
from schema.frozen import frozen
from store.advice.looking import advice_of
from store.home import TARGETS

if TYPE_CHECKING:
    from pathlib import Path

    from store.advice.judge import Advice
    from store.desk import Desk
    from store.journal import JournalEntry
    from store.memory.state import Written
    from store.refusals import ReadOnly, Refusal

DAY = 24 * 60 * 60
WEEKS = 8

Kind = Literal["memory", "approvals", "sessions"]
KINDS: tuple[Kind, ...] = ("memory", "approvals", "sessions")


@frozen
class Problem:
    """One finding with the way to its fix: a page, what it is about, and the word on the button.

    `private` are files that the button makes the person's alone; there is no page then.
    """

    finding: Finding
    page: str
    about: str
    action: str
    private: tuple[Path, ...] = ()


@frozen
class Day:
    """How much there was on one day, `ago` days before today."""

    ago: int
    date: str
    counts: Mapping[Kind, int]


@frozen
class OverviewView:
    """All layers, all problems, and the last weeks."""

    layers: tuple[Layer, ...]
    problems: tuple[Problem, ...]
    days: tuple[Day, ...]
    advice: tuple[Advice, ...] = ()


def read_overview(desk: Desk) -> OverviewView:
    """Look at the whole home: the same list as `status` and `doctor`. For the background."""
    glance = look(desk)
    changes = desk.journal.changes() if _has_journal(desk) else ()
    entries = changes if isinstance(changes, tuple) else ()
    talks = _session_times(desk)
    now = time.time()
    return OverviewView(
        layers=layers_of(desk, glance, entries, talks, now),
        problems=tuple(_problem(one, glance.openly.files) for one in glance.health),
        days=_days(entries, talks, now),
        advice=advice_of(desk, clock=time.time),
    )


def remove_entry(desk: Desk, advice: Advice) -> Written | Refusal:
    """Remove the entry of an advice, if it is still there. For the background."""
    from store.memory.operations import Remove, Whole

    return desk.library.change(advice.target, Remove(Whole(advice.entry)))


def make_yours(desk: Desk, paths: tuple[Path, ...]) -> ReadOnly | None:
    """Take from others what they may do with these files. For the background."""
    from store.openness import make_private

    return make_private(desk.home, paths)


def _has_journal(desk: Desk) -> bool:
    """Whether there is one already: to look makes none."""
    from store.journal import journal_path
    from store.preferences import data_dir

    return journal_path(data_dir(desk.env), desk.home).is_file()


# --- The problems ---------------------------------------------------------------------------------


def _problem(finding: Finding, open_files: tuple[Path, ...]) -> Problem:
    """Where the fix of a finding is done; no page where the window has none for it."""
    if finding.code == "open_files":
        action = trn("Make it yours alone", "Make them yours alone", len(open_files))
        return Problem(finding, "", "", action, open_files)
    way = _way(finding)
    return way if way.page in PAGE_NAMES else Problem(finding, "", "", "")


def _way(finding: Finding) -> Problem:
    code, about = finding.code, target_of(finding)
    if code in REPAIRED:
        return Problem(finding, "repair", about, tr("Repair"))
    if code == "backup_has_more":
        return Problem(finding, "backups", about, tr("See backups"))
    if code == "over_budget":
        return Problem(finding, "room", about, tr("Make room…"))
    if code == "blocked_entries":
        return Problem(finding, "memory", "", tr("Open Memory"))
    if code in ("switched_off", "bad_limit", "memory_off", "config_broken"):
        return Problem(finding, "settings", "", tr("Open Settings"))
    if code.startswith(("pending", "approvals")):
        return Problem(finding, "pending", "", tr("Open Pending"))
    if code.startswith("sessions"):
        return Problem(finding, "sessions", "", tr("Open Sessions"))
    if code == "plain_keys":
        return Problem(finding, "keys", "", tr("Open Keys"))
    if code.startswith("provider"):
        return Problem(finding, "providers", "", tr("Open Providers"))
    if code.startswith("notes"):
        return Problem(finding, "knowledge", "", tr("Open Knowledge"))
    if code == "skills_problems":
        return Problem(finding, "skills", "problems", tr("Open Skills"))
    if code.startswith("skills"):
        return Problem(finding, "skills", "", tr("Open Skills"))
    return Problem(finding, "", "", "")


# --- The last weeks -------------------------------------------------------------------------------


def _days(entries: Iterable[JournalEntry], talks: Iterable[float], now: float) -> tuple[Day, ...]:
    counts: dict[tuple[int, Kind], int] = {}

    def note(at: float, kind: Kind) -> None:
        ago = _ago(at, now)
        if 0 <= ago < 7 * WEEKS:
            counts[ago, kind] = counts.get((ago, kind), 0) + 1

    for one in entries:
        if who_made(one) == "approval":
            note(one.at, "approvals")
        elif one.intent.target in (*TARGETS, "both"):
            note(one.at, "memory")
    for at in talks:
        note(at, "sessions")
    return tuple(
        Day(ago, moment(now - ago * DAY)[:10], {kind: counts.get((ago, kind), 0) for kind in KINDS})
        for ago in reversed(range(7 * WEEKS))
    )


def _session_times(desk: Desk) -> list[float]:
    if not desk.home.database.is_file():
        return []
    from store.sessions.conversations import Listing

    found = desk.sessions.listing(limit=2_000, archived=True)
    return [one.last_at for one in found.sessions] if isinstance(found, Listing) else []


def _ago(at: float, now: float) -> int:
    """How many midnights lie between."""
    try:
        first, last = (time.localtime(one) for one in (at, now))
    except (ValueError, OverflowError, OSError):
        return -1
    noon = [time.mktime((*one[:3], 12, 0, 0, 0, 0, -1)) for one in (first, last)]
    return round((noon[1] - noon[0]) / DAY)
