"""Dates as pages write them: ISO 8601, RFC 2822, and forms in numbers or words that mean one day only.

03/04/2024 is two days, depending on who reads it, and therefore null (`readings` says so); 25/12/2024 is one. With
points (03.04.2024) the day comes first everywhere. In words a date may begin with the day of the week, and after a day
a time may follow.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from core.extract.months import month_number, plain

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_CHARACTERS = 64

_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})\Z", re.ASCII)
_DAY_FIRST = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\Z", re.ASCII)
_SLASHES = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})\Z", re.ASCII)
_WEEKDAY = re.compile(r"[^\W\d]{2,14}(?:-feira)?(?:\.,|\.|,|) ")
_DAY_AND_NAME = re.compile(
    r"(?:den |le |el |il )?(\d{1,2})(?:st|nd|rd|th|er|\.|[ºo°])?[ -](?:de )?([^\W\d]{3,10})\.?,?[ -](?:de )?(\d{4})\Z"
)
_NAME_AND_DAY = re.compile(r"([^\W\d]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\Z")
_TIME = re.compile(
    r"(?:,|\s|\s[-–|·])\s?(?:um |at |à |kl\. ?)?(\d{1,2})[:.h](\d{2})(?::(\d{2}))?\s?(am|pm|a\.m\.|p\.m\.|uhr|h)?\Z",
    re.IGNORECASE,
)


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


def readings(text: str) -> tuple[str, str] | None:
    """The two days that a text such as 03/12/2026 may mean, day first and month first; None where it is not torn."""
    text = text.strip()[:MAX_CHARACTERS]
    found = _SLASHES.match(_TIME.sub("", text))
    if not found or _means_one(found):
        return None
    first, second, year = (int(part) for part in found.groups())
    try:
        return date(year, second, first).isoformat(), date(year, first, second).isoformat()
    except ValueError:
        return None


def _means_one(found: re.Match[str]) -> bool:
    return found[1] == found[2] or int(found[1]) > 12 or int(found[2]) > 12


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
    text = plain(text)
    for words in (text, _WEEKDAY.sub("", text, count=1)):
        if found := _DAY_AND_NAME.match(words):
            return date(int(found[3]), month_number(found[2]) or 0, int(found[1]))
        if found := _NAME_AND_DAY.match(words):
            return date(int(found[3]), month_number(found[1]) or 0, int(found[2]))
    return None


def _with_time(text: str) -> date | None:
    """A day in numbers or words with a time of day behind it, its zone unknown."""
    found = _TIME.search(text)
    if found is None:
        return None
    head = text[: found.start()]
    day = _in_numbers(head) or _in_words(head)
    return None if day is None else datetime.combine(day, _time_of_day(found))


def _time_of_day(found: re.Match[str]) -> time:
    hour, half = int(found[1]), (found[4] or "").lower().replace(".", "")
    if half in ("am", "pm"):
        if not 1 <= hour <= 12:
            raise ValueError("no hour of a half day")
        hour = hour % 12 + 12 * (half == "pm")
    return time(hour, int(found[2]), int(found[3] or 0))


_FORMS: tuple[Callable[[str], date | None], ...] = (
    *(_iso_day, _iso_time, _in_numbers, _in_words, _with_time),
    _rfc_2822,
)
