"""A host's pace: never under its floor, never over its bounds, slower under pressure and back again."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from core.fetch.pace import SLOWEST, Pace

STEP = st.tuples(
    st.sampled_from(["ok", "ok", "redirect", "not_modified", "truncated", "error:timeout", "error:connect"]),
    st.floats(0, 40),
    st.sampled_from([None, 200, 301, 404, 429, 500, 503]),
    st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True)),
)
PACES = st.builds(Pace, floor=st.floats(0, 100), adaptive=st.booleans(), cap=st.floats(0, 600))


def after(pace: Pace, step: tuple[str, float, int | None, float | None], now: float = 0.0) -> Pace:
    outcome, seconds, status, retry_after = step
    return pace.after(outcome, seconds, status, retry_after, now)


@given(PACES, st.lists(STEP, max_size=40))
def test_the_delay_stays_between_floor_and_bound_whatever_happens(
    pace: Pace, steps: list[tuple[str, float, int | None, float | None]]
) -> None:
    for number, step in enumerate(steps):
        pace = after(pace, step, float(number))
        assert pace.floor <= pace.delay <= max(SLOWEST, pace.floor)
        assert pace.until <= number + pace.cap


@given(PACES, st.lists(STEP, max_size=40))
def test_good_answers_bring_every_pace_back_to_its_floor(
    pace: Pace, steps: list[tuple[str, float, int | None, float | None]]
) -> None:
    troubled = reduce(after, steps, pace)
    calm = reduce(after, [("ok", 0.1, 200, None)] * 200, troubled)
    assert calm.delay == pace.floor


@given(PACES, st.lists(STEP, max_size=40))
def test_a_pace_that_may_not_adapt_keeps_its_delay(
    pace: Pace, steps: list[tuple[str, float, int | None, float | None]]
) -> None:
    fixed = pace.with_floor(pace.floor, adaptive=False, cap=pace.cap)
    assert reduce(after, steps, fixed).delay == pace.floor


def test_push_back_doubles_the_delay_and_starts_it_where_there_was_none() -> None:
    assert Pace(1.0).after("ok", 0.1, 429, 5, 0).delay == 2.0
    assert Pace(0.0).after("ok", 0.1, 503, 5, 0).delay == 0.5
    assert Pace(1.0).after("error:timeout", 30, None, None, 0).delay == 2.0


def test_http_15_retry_after_holds_the_whole_host_up_to_the_cap() -> None:
    assert Pace(1.0).after("ok", 0.1, 503, 120, 1000).until == 1120
    assert Pace(1.0, cap=300).after("ok", 0.1, 429, 999_999, 1000).until == 1300


def test_http_15_without_a_usable_retry_after_the_wait_doubles_with_each_answer() -> None:
    pace = Pace(1.0)
    waits = []
    for now in (1000, 1010, 1020, 1040):
        pace = pace.after("ok", 0.1, 429, None, now)
        waits.append(pace.until - now)
    assert waits == [2, 4, 8, 16]
    assert pace.after("ok", 0.1, 200, None, 2000).strikes == 0


def test_a_host_that_grows_clearly_slower_than_its_custom_is_asked_less() -> None:
    pace = reduce(after, [("ok", 0.2, 200, None)] * 20, Pace(1.0))
    assert pace.delay == 1.0
    slow = reduce(after, [("ok", 3.0, 200, None)] * 3, pace)
    assert slow.delay > 1.0


def test_a_host_that_was_always_slow_is_left_at_its_floor() -> None:
    assert reduce(after, [("ok", 3.0, 200, None)] * 20, Pace(1.0)).delay == 1.0


def test_a_refused_connection_says_nothing_about_load() -> None:
    assert Pace(1.0).after("error:connect", 0.1, None, None, 0) == Pace(1.0)


def test_the_next_request_waits_for_delay_and_hold() -> None:
    assert Pace(1.0).ready(10.0) == 11.0
    assert Pace(1.0).after("ok", 0.1, 429, 60, 100).ready(100.0) == 160.0


def test_a_crawl_delay_lifts_the_floor_and_keeps_what_was_learnt() -> None:
    pace = Pace(1.0).after("ok", 0.1, 429, 60, 100).with_floor(10.0, adaptive=True, cap=300)
    assert pace.delay == 10.0
    assert pace.until == 160.0


def test_answers_to_requests_under_way_at_a_step_down_cost_no_further_step() -> None:
    usual = reduce(after, [("ok", 0.01, 200, None)] * 20, Pace(0.0))
    slept = usual
    for number in range(8):  # the machine slept for twelve seconds, with eight requests in flight
        slept = slept.after("ok", 12.0, 200, None, 1012 + number / 100)
    assert slept.delay == 0.5
    refused = usual
    for number in range(8):
        refused = refused.after("ok", 0.1, 429, None, 1000 + number / 100)
    assert (refused.delay, refused.until) == (0.5, 1002)
    assert refused.after("ok", 0.1, 429, 30, 1000.08).until == 1030.08


def test_one_slow_page_among_quick_ones_is_no_slow_host() -> None:
    pace = reduce(after, [("ok", 0.01, 200, None)] * 20, Pace(0.0)).after("ok", 10.0, 200, None, 1000)
    for number in range(12):
        pace = pace.after("ok", 0.01, 200, None, 1001 + number)
    assert pace.delay == 0.0


def test_a_clock_that_goes_back_hides_no_push_back() -> None:
    pace = Pace(1.0).after("ok", 0.1, 429, None, 90_000)
    assert pace.after("ok", 0.1, 429, None, 1000).delay == 4.0
