"""How the curator ages skills: active, stale, archived (hermes-formats §10.4). Pure.

Times are compared as the agent compares them, down to the microsecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from schema.frozen import frozen
from store.settings import MemorySettings

State = Literal["active", "stale", "archived"]
Move = Literal["seed", "stale", "archive", "reactivate"]
"""What the curator does to a skill; `seed`: it begins to count its age."""

ACTIVE: State = "active"
MOST_DAYS = 400_000
_ACTIVITY = ("last_used_at", "last_viewed_at", "last_patched_at")


@frozen
class Rules:
    """The curator's settings as the agent has them."""

    enabled: bool = True
    interval_hours: int = 168
    min_idle_hours: float = 2.0
    stale_days: int = 30
    archive_days: int = 90
    prune_bundled: bool = True
    consolidate: bool = False


@frozen
class Use:
    """How much a skill was used. Times as Hermes keeps them, None for never.

    `last` is the latest of use, look and patch in UTC seconds; `broken`: a count is no number,
    at which the agent's curator fails.
    """

    uses: int = 0
    views: int = 0
    patches: int = 0
    last_activity_at: str | None = None
    last: float | None = None
    created_at: str | None = None
    created: float | None = None
    broken: bool = False


def read_rules(settings: MemorySettings) -> Rules:
    """The rules in config.yaml; what is no number there counts as not given."""
    given = settings.value("curator")
    if not isinstance(given, Mapping):
        return Rules()
    defaults = Rules()
    values = {key: settings.value(f"curator.{key}") for key in given}
    return Rules(
        bool(values.get("enabled", True)),
        _whole(values.get("interval_hours"), defaults.interval_hours),
        _number(values.get("min_idle_hours"), defaults.min_idle_hours),
        _whole(values.get("stale_after_days"), defaults.stale_days),
        _whole(values.get("archive_after_days"), defaults.archive_days),
        bool(values.get("prune_builtins", True)),
        bool(values.get("consolidate", False)),
    )


def read_use(record: object) -> Use:
    """What a record of use says; no record is no use."""
    if not isinstance(record, Mapping):
        return Use()
    latest: tuple[datetime, str] | None = None
    for key in _ACTIVITY:
        at = moment(record.get(key))
        if at is not None and (latest is None or at > latest[0]):
            latest = at, str(record[key])
    uses, views, patches = (_count(record.get(f"{key}_count")) for key in ("use", "view", "patch"))
    created = moment(record.get("created_at"))
    return Use(
        uses or 0,
        views or 0,
        patches or 0,
        last_activity_at=None if latest is None else latest[1],
        last=None if latest is None else latest[0].timestamp(),
        created_at=str(record["created_at"]) if created is not None else None,
        created=None if created is None else created.timestamp(),
        broken=uses is None,
    )


def state_of(record: object) -> State:
    """The state that a record gives; any other word is taken for active."""
    state = record.get("state") if isinstance(record, Mapping) else None
    return state if state in ("stale", "archived") else ACTIVE


def next_move(record: object, now: datetime, rules: Rules) -> Move | None:
    """What a run at `now` does to a skill that is its own to curate and not spared.

    Raises ValueError where the agent does, at a count that is no number.
    """
    if not isinstance(record, Mapping):
        return "seed"
    anchor = _anchor(record, now)
    stale, archive = (_before(now, days) for days in (rules.stale_days, rules.archive_days))
    state = record.get("state", ACTIVE)
    if _never_used(record) and anchor > stale:
        return "reactivate" if state == "stale" else None
    if anchor <= archive and state != "archived":
        return "archive"
    if anchor <= stale and state == ACTIVE:
        return "stale"
    if anchor > stale and state == "stale":
        return "reactivate"
    return None


def due_after(record: object, now: datetime, rules: Rules) -> tuple[Move, float] | None:
    """What comes next if the skill is not used again, and from when on (UTC seconds)."""
    if not isinstance(record, Mapping) or state_of(record) == "archived":
        return None
    anchor = _anchor(record, now)
    coming: list[tuple[datetime, Move]] = []
    if state_of(record) == ACTIVE:
        coming.append((_after(anchor, rules.stale_days), "stale"))
    coming.append((_after(anchor, rules.archive_days), "archive"))
    later = [(at, move) for at, move in coming if at > now]
    if not later:
        return None
    at, move = min(later)
    return move, at.timestamp()


def moment(value: object) -> datetime | None:
    """A time as the agent notes it; None if it is none."""
    if not value:
        return None
    try:
        found = datetime.fromisoformat(str(value))
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
        found.timestamp()
    except (ValueError, OverflowError):
        return None
    return found


def _anchor(record: Mapping[Any, Any], now: datetime) -> datetime:
    times = [at for key in _ACTIVITY if (at := moment(record.get(key))) is not None]
    return max(times, default=None) or moment(record.get("created_at")) or now


def _never_used(record: Mapping[Any, Any]) -> bool:
    count = _count(record.get("use_count"))
    if count is None:
        raise ValueError("use_count")
    return count == 0


def _count(value: object) -> int | None:
    try:
        return int(value or 0)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, OverflowError):
        return None


def _before(now: datetime, days: int) -> datetime:
    try:
        return now - timedelta(days=max(-MOST_DAYS, min(days, MOST_DAYS)))
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def _after(anchor: datetime, days: int) -> datetime:
    try:
        return anchor + timedelta(days=max(-MOST_DAYS, min(days, MOST_DAYS)))
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _whole(value: object, default: int) -> int:
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, OverflowError):
        return default


def _number(value: object, default: float) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
