"""When a whole crawl is to run again."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.schedule import DAYS, next_run, next_time
from core.settings import Recrawl

BERLIN = ZoneInfo("Europe/Berlin")  # puts its clocks forward from 02:00 to 03:00, and back from 03:00 to 02:00
HOUR, DAY = 3600.0, 86_400.0
MOMENTS = st.floats(1.7e9, 1.9e9)
TIMES = st.times().map(lambda time: f"{time:%H:%M}")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).timestamp()


def local(moment: float) -> str:
    return datetime.fromtimestamp(moment, BERLIN).strftime("%Y-%m-%d %H:%M %Z")


def test_nothing_is_due_without_a_schedule_or_before_the_first_start() -> None:
    assert next_run(at("2027-01-15 12:00"), Recrawl()) is None
    assert next_run(None, Recrawl(every=60, at="06:30")) is None


def test_every_counts_from_the_last_start() -> None:
    assert next_run(1000.0, Recrawl(every=60)) == 1060.0


def test_of_both_whichever_comes_first_counts() -> None:
    noon = at("2027-01-15 12:00")
    assert next_run(noon, Recrawl(every=3600, at="06:30"), BERLIN) == noon + HOUR
    assert next_run(noon, Recrawl(every=10 * 86_400, at="06:30"), BERLIN) == at("2027-01-16 06:30")


def test_a_day_of_the_week_is_waited_for() -> None:
    friday = at("2027-01-15 12:00")
    assert local(next_time("Mon 06:30", friday, BERLIN)) == "2027-01-18 06:30 CET"
    assert local(next_time("Fri 12:00", friday, BERLIN)) == "2027-01-22 12:00 CET"
    assert local(next_time("Fri 12:01", friday, BERLIN)) == "2027-01-15 12:01 CET"


@pytest.mark.parametrize(
    ("time", "after", "expected"),
    [
        ("02:30", "2027-03-27 12:00", "2027-03-28 03:30 CEST"),  # there is no 02:30 that day
        ("02:30", "2027-03-28 04:00", "2027-03-29 02:30 CEST"),
        ("02:30", "2027-10-30 12:00", "2027-10-31 02:30 CEST"),  # there are two: the first
        ("06:30", "2027-03-27 06:30", "2027-03-28 06:30 CEST"),  # 23 hours later
        ("06:30", "2027-10-30 06:30", "2027-10-31 06:30 CET"),  # 25 hours later
        ("Sun 02:30", "2027-10-31 02:40", "2027-11-07 02:30 CET"),
    ],
)
def test_clocks_that_are_changed_neither_leave_out_a_run_nor_double_it(time: str, after: str, expected: str) -> None:
    assert local(next_time(time, at(after), BERLIN)) == expected


@given(MOMENTS, TIMES)
def test_a_time_of_day_comes_once_a_day(moment: float, time: str) -> None:
    found = [moment]
    for _ in range(5):
        found.append(next_time(time, found[-1], BERLIN))
    dates = [datetime.fromtimestamp(one, BERLIN).date() for one in found[1:]]
    assert all(later - earlier == timedelta(days=1) for earlier, later in pairwise(dates))
    assert moment < found[1] <= moment + DAY + HOUR


@given(MOMENTS, TIMES, st.sampled_from(DAYS))
def test_a_time_of_a_day_of_the_week_comes_once_a_week(moment: float, time: str, day: str) -> None:
    found = next_time(f"{day} {time}", moment, BERLIN)
    assert moment < found <= moment + 7 * DAY + HOUR
    assert datetime.fromtimestamp(found, BERLIN).strftime("%a") == day


def test_the_systems_own_zone_is_used_where_none_is_given() -> None:
    moment = next_time("06:30", at("2027-01-15 12:00"))
    assert datetime.fromtimestamp(moment).strftime("%H:%M") == "06:30"  # noqa: DTZ006 - local time is meant
