"""Dates as pages write them: ISO 8601, RFC 2822, and a few forms that mean one day only.

03/04/2024 is two days, depending on who reads it, and therefore null; 25/12/2024 is one. With points (03.04.2024) the
day comes first everywhere.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_CHARACTERS = 64

_MONTHS = {
    name: number
    for number, names in enumerate(
        "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|"
        "oct october|nov november|dec december".split("|"),
        start=1,
    )
    for name in names.split()
}
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\Z", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\Z", re.ASCII)
_SLASHES = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})\Z", re.ASCII)
_DAY_AND_NAME = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})\Z", re.ASCII)
_NAME_AND_DAY = re.compile(r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\Z", re.ASCII)


def parse_date(text: str) -> str | None:
    """A day as `2024-12-25`, a time as ISO 8601, in UTC (`Z`) where the zone is known; None for anything else."""
    text = text.strip()
    if not text or len(text) > MAX_CHARACTERS:
        return None
    for form in _FORMS:
        try:
            found = form(text)
            if found is not None:
                return _written(found)
        except (ValueError, OverflowError, TypeError, IndexError):  # the last two: what email.utils meets in odd texts
            continue
    return None


def _written(found: date) -> str:
    if not isinstance(found, datetime):
        return found.isoformat()
    if found.tzinfo is None:
        return found.isoformat()
    return found.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _iso_day(text: str) -> date | None:
    return date.fromisoformat(text)


def _iso_time(text: str) -> date | None:
    return datetime.fromisoformat(text)


def _rfc_2822(text: str) -> date | None:
    return parsedate_to_datetime(text) if ":" in text else None


def _in_numbers(text: str) -> date | None:
    if found := _YEAR_FIRST.match(text):
        return date(int(found[1]), int(found[2]), int(found[3]))
    if found := _DAY_FIRST.match(text):
        return date(int(found[3]), int(found[2]), int(found[1]))
    if found := _SLASHES.match(text):
        return _unambiguous(int(found[1]), int(found[2]), int(found[3]))
    return None


def _unambiguous(first: int, second: int, year: int) -> date | None:
    if first == second or second > 12:
        return date(year, first, second)
    return date(year, second, first) if first > 12 else None


def _in_words(text: str) -> date | None:
    text = text.lower()
    if found := _DAY_AND_NAME.match(text):
        return date(int(found[3]), _MONTHS.get(found[2], 0), int(found[1]))
    if found := _NAME_AND_DAY.match(text):
        return date(int(found[3]), _MONTHS.get(found[1], 0), int(found[2]))
    return None


_FORMS: tuple[Callable[[str], date | None], ...] = (_iso_day, _iso_time, _in_numbers, _in_words, _rfc_2822)
