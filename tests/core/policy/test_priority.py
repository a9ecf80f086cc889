"""What is fetched first, and when a page is looked at again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy import next_due, next_interval
from core.policy.priority import HIGHEST, LOWEST, front, parts, total
from core.settings import Recrawl

DAY = 86_400.0


def points(order: str, depth: int) -> int:
    return total(parts(order, depth))


def test_breadth_prefers_the_shallow_and_depth_the_deep() -> None:
    assert points("breadth", 1) > points("breadth", 2) > points("breadth", 9)
    assert points("depth", 1) < points("depth", 2) < points("depth", 9)
    assert points("score", 1) > points("score", 2)


@pytest.mark.parametrize(("depth", "expected"), [(0, 0), (3, 0), (4, 1), (7, 1), (8, 2), (500, 2)])
def test_the_fronts_of_a_breadth_first_crawl(depth: int, expected: int) -> None:
    assert front(points("breadth", depth)) == expected


def test_every_part_pushes_in_its_direction() -> None:
    plain = total(parts("score", 3))
    assert total(parts("score", 3, is_seed=True)) > plain
    assert total(parts("score", 3, bonus=-20)) < plain
    assert total(parts("score", 3, lastmod_age=DAY)) > total(parts("score", 3, lastmod_age=20 * DAY)) > plain
    assert total(parts("score", 3, lastmod_age=400 * DAY)) == plain
    assert total(parts("score", 3, inlinks=50)) > plain
    assert total(parts("score", 3, changes=3)) > plain > total(parts("score", 3, changes=-3))


@given(st.sampled_from(["breadth", "depth", "score"]), st.integers(0, 10**6), st.integers(-(10**5), 10**5))
def test_a_priority_stays_small(order: str, depth: int, bonus: int) -> None:
    assert LOWEST <= total(parts(order, depth, bonus=bonus, lastmod_age=float("nan"))) <= HIGHEST


def after(changes: list[bool | None]) -> float:
    interval = next_interval(None, None, Recrawl())
    for changed in changes:
        interval = next_interval(interval, changed, Recrawl())
    return interval


def test_a_new_page_waits_its_first_interval() -> None:
    assert after([]) == DAY


def test_ten_looks_without_a_change_are_less_often_up_to_the_ceiling() -> None:
    assert after([False] * 10) == Recrawl().longest
    assert DAY < after([False]) < after([False] * 2)


def test_three_changes_in_a_row_are_more_often_down_to_the_floor() -> None:
    assert after([True] * 3) == DAY / 8
    assert after([True] * 30) == Recrawl().shortest


def test_a_failure_teaches_nothing() -> None:
    assert after([True, None, None]) == after([True])


def test_a_floor_above_the_ceiling_wins() -> None:
    assert next_interval(50, False, Recrawl(shortest=1000, longest=10)) == 1000


@given(st.floats(1, 1e9), st.sampled_from([True, False, None]))
def test_an_interval_stays_between_floor_and_ceiling(interval: float, changed: bool | None) -> None:
    assert Recrawl().shortest <= next_interval(interval, changed, Recrawl()) <= Recrawl().longest


def test_a_later_lastmod_brings_a_page_forward_and_an_earlier_one_does_not() -> None:
    assert next_due(1000, 500) == 1500
    assert next_due(1000, 500, lastmod=1200) == 1200
    assert next_due(1000, 500, lastmod=900) == 1500
    assert next_due(1000, 500, lastmod=9000) == 1500
