"""Dates as sitemaps and feeds write them: kept when they are dates, dropped when they are not, never an error.

W3C date and time (the profile of ISO 8601 that sitemaps.org asks for), from a bare year to seconds with a zone; RFC
822 dates of RSS are turned into it. A time without a zone stays without one; where a moment is needed it counts as UTC.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?(Z|[+-]\d\d:?\d\d))?)?)?)?",
    re.ASCII,
)


def read_lastmod(text: str) -> str | None:
    """The date as written (W3C form), or None where it is none."""
    written = text.strip()
    if len(written) > 64:
        return None
    return written if lastmod_seconds(written) is not None else _from_rfc_822(written)


def lastmod_seconds(text: str) -> float | None:
    """The moment of a W3C date in seconds since the epoch, the earliest it can mean; None where it is no date."""
    span = lastmod_span(text)
    return None if span is None else span[0]


def lastmod_span(text: str) -> tuple[float, float] | None:
    """The earliest and the latest moment that a W3C date can mean, in seconds; None where it is no date.

    A bare date means any moment of its day.
    """
    found = _W3C.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, zone = found.groups()
    time = f"{hour or '00'}:{minute or '00'}:{second or '00'}"
    written = f"{year}-{month or '01'}-{day or '01'}T{time}{'+00:00' if zone in {None, 'Z'} else zone}"
    try:
        earliest = datetime.fromisoformat(written).timestamp()
    except (ValueError, OverflowError):
        return None
    longest = ((second, 0.0), (hour, 59.0), (day, 86_399.0), (month, 31 * 86_400.0), (year, 366 * 86_400.0))
    return earliest, earliest + next(seconds for part, seconds in longest if part)


def _from_rfc_822(text: str) -> str | None:
    from email.utils import parsedate_to_datetime  # only RSS feeds need it

    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
