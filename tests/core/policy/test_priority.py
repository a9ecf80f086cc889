"""What is fetched first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.priority import HIGHEST, LOWEST, front, parts, total

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
