"""When a whole crawl is to run again: so long after its last start, or at a time of day, whichever comes first. Pure.

A time of day is local: it comes once a day, also on the days on which clocks are changed. A time that such a day leaves
out (02:30 as summer begins) comes as much later as the clocks are put forward; one that it has twice comes the first
time. Moments are seconds since the epoch.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.settings import Recrawl

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
AT = re.compile(rf"(?:({'|'.join(DAYS)}) )?([01]\d|2[0-3]):([0-5]\d)")


def next_run(last_start: float | None, recrawl: Recrawl, zone: tzinfo | None = None) -> float | None:
    """When the next run is due; None where nothing is scheduled, or nothing has run yet (the first start is by hand).

    `zone` is the local time zone; None: the system's.
    """
    if last_start is None:
        return None
    moments = [last_start + recrawl.every] if recrawl.every > 0 else []
    if AT.fullmatch(recrawl.at):
        moments.append(next_time(recrawl.at, last_start, zone))
    return min(moments, default=None)


def next_time(at: str, after: float, zone: tzinfo | None = None) -> float:
    """The first moment later than `after` that is "06:30", or "Mon 06:30", in local time."""
    found = AT.fullmatch(at)
    if found is None:
        raise ValueError(at)
    day, hour, minute = found[1], int(found[2]), int(found[3])
    start = _local(after, zone)
    for ahead in range(9):  # a week, and the days that a change of clocks may move it by
        date = start.date() + timedelta(days=ahead)
        if day and DAYS[date.weekday()] != day:
            continue
        # fold 0: of two moments the first, and in a gap the offset that was in force before it
        moment = datetime(date.year, date.month, date.day, hour, minute, tzinfo=zone, fold=0).timestamp()
        if moment > after:
            return moment
    raise AssertionError(f"no {at} within nine days after {after}")


def _local(moment: float, zone: tzinfo | None) -> datetime:
    return datetime.fromtimestamp(moment, UTC).astimezone(zone)
