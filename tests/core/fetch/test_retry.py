"""What is worth another try, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fetch.response import Fetched
from core.fetch.retry import LONGEST_DELAY, is_transient, retry_delay


@pytest.mark.parametrize("kind", ["timeout", "connect", "dns", "disconnect"])
def test_faults_that_pass_are_tried_again(kind: str) -> None:
    assert is_transient(Fetched(f"error:{kind}"))


@pytest.mark.parametrize("kind", ["protocol", "tls", "redirect", "decode", "too_large", "blocked", "url"])
def test_faults_that_stay_are_not(kind: str) -> None:
    assert not is_transient(Fetched(f"error:{kind}", 503))


def test_statuses_are_told_apart_and_a_broken_page_is_tried_again() -> None:
    assert [status for status in range(100, 600) if is_transient(Fetched("ok", status))] == [
        408,
        425,
        429,
        500,
        502,
        503,
        504,
    ]
    assert is_transient(Fetched("truncated", 200))


@given(st.integers(1, 1000), st.floats(0, 1), st.one_of(st.none(), st.floats()), st.floats(1, 1000))
def test_the_delay_is_positive_and_capped_whatever_comes_in(
    attempt: int, random: float, retry_after: float | None, cap: float
) -> None:
    assert 0 < retry_delay(attempt, random, retry_after, cap) <= cap


@given(st.floats(0, 1))
def test_the_delay_doubles_with_each_try(random: float) -> None:
    assert retry_delay(3, random) == 2 * retry_delay(2, random)


def test_retry_after_is_obeyed_up_to_the_cap() -> None:
    assert retry_delay(1, 0.5, 120) == 120
    assert retry_delay(1, 0.5, 999_999) == LONGEST_DELAY
    assert retry_delay(1, 0.5, -5) == 1.0
    assert retry_delay(1, 0.5, float("nan")) == 1.0
