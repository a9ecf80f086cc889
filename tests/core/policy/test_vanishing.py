"""Many pages that go at once are not believed to be gone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.vanishing import MANY, doubt

COUNTS = st.integers(0, 10**6)


@pytest.mark.parametrize(("vanished", "there"), [(0, 0), (1, 1), (MANY - 1, MANY - 1), (99, 1000), (500, 10_000)])
def test_few_and_small_shares_are_believed(vanished: int, there: int) -> None:
    assert doubt(vanished, there) == ""


@pytest.mark.parametrize(
    ("vanished", "there", "reason"),
    [(10, 10, "10 of 10 (100%)"), (100, 1000, "100 of 1,000 (10%)")],
)
def test_many_are_not_believed_and_the_reason_says_how_many(vanished: int, there: int, reason: str) -> None:
    assert doubt(vanished, there) == reason


@given(COUNTS, COUNTS, COUNTS)
def test_what_is_not_believed_is_not_believed_of_more_either(vanished: int, more: int, there: int) -> None:
    if doubt(vanished, there):
        assert doubt(vanished + more, there + more)
