"""Numbers as a person reads them: counts, sizes, spans of time and moments, always in UTC.

Pure functions; a value that is not there is an en dash, never a zero.
"""

from __future__ import annotations

from datetime import UTC, datetime

NOTHING = "–"
SIZES = ("B", "kB", "MB", "GB", "TB", "PB")


def count(value: int | None) -> str:
    """1284310 -> "1,284,310"."""
    return NOTHING if value is None else f"{value:,}"


def size(value: float | None) -> str:
    """Bytes in decimal units: 41800000000 -> "41.8 GB"."""
    if value is None:
        return NOTHING
    amount, unit = float(value), SIZES[0]
    for unit in SIZES:  # noqa: B007  # the unit that was reached is what is wanted
        if abs(amount) < 999.5:
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"


def percent(value: float | None) -> str:
    """A ratio: 0.384 -> "38.4 %"."""
    return NOTHING if value is None else f"{value * 100:.1f} %"


def span(seconds: float | None) -> str:
    """A time of running: 9660 -> "2 h 41 min"."""
    if seconds is None:
        return NOTHING
    whole = max(0, int(seconds))
    days, hours, minutes = whole // 86_400, whole // 3600 % 24, whole // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


def clock(at: float | None) -> str:
    """A moment of a day: "09:02:11" in UTC."""
    return NOTHING if at is None else moment(at).strftime("%H:%M:%S")


def day(at: float | None) -> str:
    """A day: "12 Nov 2026" in UTC."""
    return NOTHING if at is None else f"{moment(at).day} {moment(at):%b %Y}"


def since(at: float | None, now: float) -> str:
    """When it began, as short as is clear: "09:02 UTC" today, else with the day."""
    if at is None:
        return NOTHING
    time = f"{moment(at):%H:%M} UTC"
    return time if moment(at).date() == moment(now).date() else f"{day(at)} {time}"


def moment(at: float) -> datetime:
    """Seconds since the epoch as a time in UTC."""
    return datetime.fromtimestamp(at, UTC)
