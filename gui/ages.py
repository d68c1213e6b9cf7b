"""How long ago something was, in words; and the exact time. No Qt here."""

from __future__ import annotations

import time

from gui.i18n import tr, trn

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def age(at: float, now: float) -> str:
    """Say how long before `now` the moment `at` was, both in UTC seconds; empty if 0 or less."""
    if at <= 0:
        return ""
    passed = now - at
    if passed < MINUTE:
        return tr("just now")
    if passed < HOUR:
        return trn("{n} min ago", "{n} min ago", int(passed / MINUTE))
    if passed < DAY:
        return trn("{n} h ago", "{n} h ago", int(passed / HOUR))
    days = _days_between(at, now)
    if days == 1:
        return tr("yesterday")
    if days < 60:
        return trn("{n} day ago", "{n} days ago", days)
    return trn("{n} month ago", "{n} months ago", days // 30)


def moment(at: float) -> str:
    """Give the exact local time of `at`, in UTC seconds; empty if there is none."""
    if at <= 0:
        return ""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
    except (ValueError, OverflowError, OSError):
        return ""


def _days_between(at: float, now: float) -> int:
    """Count midnights between two moments, at least 1: what is 26 hours old may be yesterday."""
    try:
        first, last = (time.localtime(moment)[:3] for moment in (at, now))
        dates = [time.mktime((*date, 12, 0, 0, 0, 0, -1)) for date in (first, last)]
    except (ValueError, OverflowError, OSError):
        return int((now - at) / DAY)
    return max(round((dates[1] - dates[0]) / DAY), 1)
