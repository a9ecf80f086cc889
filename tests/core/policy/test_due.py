"""When a page is looked at again: more often what changes, less often what does not, within the analyst's bounds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.policy.due import LIVELY, QUIET, looks_in_a_row, next_due, next_interval
from core.settings import Recrawl

SECONDS = st.floats(1.0, 1e8)
LOOKS = st.lists(st.sampled_from([True, False, None]), max_size=60)
BOUNDS = st.builds(
    lambda first, floor, more: Recrawl(first=first, shortest=floor, longest=floor + more),
    *(st.integers(1, 10**7), st.integers(1, 10**6), st.integers(0, 10**7)),
)


def after(looks: list[bool | None], recrawl: Recrawl) -> list[float]:
    """The interval before any look, and behind each."""
    found, in_a_row = [next_interval(None, True, recrawl)], 0
    for changed in looks:
        in_a_row = looks_in_a_row(in_a_row, changed)
        found.append(next_interval(found[-1], changed, recrawl, in_a_row))
    return found


@given(LOOKS, BOUNDS)
def test_no_interval_leaves_the_bounds_whatever_the_looks_show(looks: list[bool | None], recrawl: Recrawl) -> None:
    assert all(recrawl.shortest <= interval <= recrawl.longest for interval in after(looks, recrawl))


@given(LOOKS, BOUNDS)
def test_a_change_never_lengthens_an_interval_and_none_never_shortens_it(
    looks: list[bool | None], recrawl: Recrawl
) -> None:
    found = after(looks, recrawl)
    for changed, before, now in zip(looks, found, found[1:], strict=False):
        if changed is None:
            assert now == before
        else:
            assert (now <= before) if changed else (now >= before)


@given(BOUNDS)
def test_a_page_that_always_changes_ends_at_the_floor_and_one_that_never_does_at_the_ceiling(recrawl: Recrawl) -> None:
    assert after([True] * 60, recrawl)[-1] == recrawl.shortest
    assert after([False] * 60, recrawl)[-1] == recrawl.longest


def test_a_new_page_waits_its_first_interval() -> None:
    assert after([], Recrawl()) == [Recrawl().first]


def test_a_floor_above_the_ceiling_wins() -> None:
    assert next_interval(50, False, Recrawl(shortest=1000, longest=10)) == 1000


def test_what_repeats_itself_counts_for_more() -> None:
    wide = Recrawl(first=10**6, shortest=1, longest=10**15)
    quiet, lively = after([False] * (QUIET + 1), wide), after([True] * (LIVELY + 1), wide)
    growth = [later / earlier for earlier, later in pairwise(quiet)]
    assert set(growth[: QUIET - 1]) == {min(growth)}
    assert min(growth[QUIET - 1 :]) > min(growth)
    shrinking = [later / earlier for earlier, later in pairwise(lively)]
    assert set(shrinking[: LIVELY - 1]) == {max(shrinking)}
    assert max(shrinking[LIVELY - 1 :]) < max(shrinking)


def test_one_look_of_the_other_kind_begins_the_count_anew() -> None:
    assert looks_in_a_row(9, True) == -1
    assert looks_in_a_row(-2, False) == 1
    assert looks_in_a_row(9, None) == 9


@given(SECONDS, SECONDS, st.none() | SECONDS)
def test_a_lastmod_only_brings_a_look_forward(fetched: float, interval: float, lastmod: float | None) -> None:
    due = next_due(fetched, interval, lastmod)
    assert fetched <= due <= fetched + interval


def test_a_later_lastmod_brings_a_page_forward_and_an_earlier_one_does_not() -> None:
    assert next_due(1000, 500) == 1500
    assert next_due(1000, 500, lastmod=1200) == 1200
    assert next_due(1000, 500, lastmod=900) == 1500
    assert next_due(1000, 500, lastmod=9000) == 1500
