"""Moments as the outputs write them: ISO 8601, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(at: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC, to the millisecond where there are any. Empty beyond the calendar."""
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    precision = "milliseconds" if moment.microsecond else "seconds"
    return moment.replace(tzinfo=None).isoformat(timespec=precision) + "Z"


def iso_or_none(at: float | None) -> str | None:
    """The same for a moment that may not have come."""
    return None if at is None else iso(at)
