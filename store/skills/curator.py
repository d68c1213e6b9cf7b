"""What the curator would do next, and when: a dry run by its own rules (hermes-formats §10.4)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from schema.frozen import frozen
from store.files import Content, Disk
from store.home import HermesHome
from store.skills.cards import Collection, SkillCard
from store.skills.lifecycle import Move, Rules, due_after, moment, next_move, state_of

STATE_FILE = ".curator_state"
JOBS_FILE = ("cron", "jobs.json")
Spared = Literal["pinned", "cron"]


@frozen
class CuratorState:
    """What the curator noted of itself. `last_run` in UTC seconds, `last_run_at` as it noted it."""

    paused: bool = False
    last_run_at: str | None = None
    last_run: float | None = None
    runs: int = 0
    summary: str = ""


@frozen
class Moved:
    """What happens to a skill. `since` is when it was last used, or made, in UTC seconds."""

    card: SkillCard
    move: Move
    since: float | None


@frozen
class Later:
    """What comes for a skill if it is not used again, and from when on (UTC seconds)."""

    card: SkillCard
    move: Move
    at: float


@frozen
class DryRun:
    """What the next run does. `at` is when it may come at the earliest, in UTC seconds.

    None for `at`: it does not come (`rules.enabled`, `state.paused`), or the agent has yet to
    look, and then waits an interval (`first`). It comes only when the agent was idle for
    `rules.min_idle_hours`. `stopped_by` is the skill at whose record the agent's curator fails.
    """

    rules: Rules
    state: CuratorState
    at: float | None
    first: bool
    checked: int
    moves: tuple[Moved, ...]
    later: tuple[Later, ...]
    spared: tuple[tuple[SkillCard, Spared], ...]
    stopped_by: SkillCard | None = None

    @property
    def runs(self) -> bool:
        """Whether the curator runs at all."""
        return self.rules.enabled and not self.state.paused


def dry_run(found: Collection, state: CuratorState, jobs: frozenset[str], *, now: float) -> DryRun:
    """Work out the next run; `jobs` are the names of skills that scheduled jobs need."""
    rules = found.rules
    running = rules.enabled and not state.paused
    at = _next_run(state, rules, now) if running and state.last_run is not None else None
    moves: list[Moved] = []
    later: list[Later] = []
    spared: list[tuple[SkillCard, Spared]] = []
    stopped_by = None
    candidates = list(_candidates(found))
    when = datetime.fromtimestamp(now if at is None else at, UTC)
    for card in candidates:
        record = (found.usage or {}).get(card.name)
        if card.pinned or card.name in jobs:
            spared.append((card, "pinned" if card.pinned else "cron"))
            continue
        try:
            move = next_move(record, when, rules)
        except ValueError:
            stopped_by = card
            break
        if move is not None:
            since = card.use.last if card.use.last is not None else card.use.created
            moves.append(Moved(card, move, since))
        elif state_of(record) != "archived":
            coming = due_after(record, when, rules)
            if coming is not None:
                later.append(Later(card, *coming))
    return DryRun(
        rules,
        state,
        at,
        running and state.last_run is None,
        len(candidates),
        tuple(moves),
        tuple(sorted(later, key=lambda one: (one.at, one.card.name))),
        tuple(spared),
        stopped_by,
    )


def read_state(home: HermesHome, *, disk: Disk) -> CuratorState:
    """What the curator noted; what cannot be read is as nothing, as the agent takes it."""
    data = _json(disk, home, STATE_FILE)
    if not isinstance(data, Mapping):
        return CuratorState()
    given = data.get("last_run_at")
    at = moment(given) if isinstance(given, str) else None
    runs, summary = data.get("run_count"), data.get("last_run_summary")
    return CuratorState(
        bool(data.get("paused")),
        given if at is not None else None,
        None if at is None else at.timestamp(),
        runs if isinstance(runs, int) else 0,
        summary if isinstance(summary, str) else "",
    )


def read_jobs(home: HermesHome, *, disk: Disk) -> frozenset[str]:
    """The names of skills that any scheduled job needs, paused ones too."""
    found = disk.read(home.path.joinpath(*JOBS_FILE))
    if not isinstance(found, Content) or found.data is None:
        return frozenset()
    try:
        data = json.loads(found.data.decode("utf-8-sig"), strict=False)
    except (ValueError, RecursionError):
        return frozenset()
    jobs = data.get("jobs", []) if isinstance(data, dict) else data
    names = set()
    for job in jobs if isinstance(jobs, list) else ():
        if isinstance(job, dict):
            names |= {str(one or "").strip().lstrip("/") for one in _skills_of(job)}
    return frozenset(names - {""})


def _skills_of(job: Mapping[str, Any]) -> list[object]:
    several = job.get("skills")
    if several is None:
        return [job.get("skill")]
    return several if isinstance(several, list) else [several]


def _candidates(found: Collection) -> Iterator[SkillCard]:
    """The skills that are the curator's, one of each name, in its order."""
    by_name: dict[str, SkillCard] = {}
    for card in found.skills:
        if card.curated:
            by_name.setdefault(card.name, card)
    return iter(by_name[name] for name in sorted(by_name))


def _next_run(state: CuratorState, rules: Rules, now: float) -> float:
    last = moment(state.last_run_at) or datetime.fromtimestamp(now, UTC)
    try:
        return max(now, (last + timedelta(hours=rules.interval_hours)).timestamp())
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC).timestamp()


def _json(disk: Disk, home: HermesHome, name: str) -> object:
    found = disk.read(home.skills / name)
    try:
        return json.loads(found.data or b"") if isinstance(found, Content) else None
    except (ValueError, RecursionError):
        return None
