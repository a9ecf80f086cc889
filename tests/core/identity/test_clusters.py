"""Clusters of near hashes: the same that comparing each with each would find, at any distance and density."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.identity.clusters import WINDOW, nearest_first
from core.identity.simhash import hamming


def slowly(hashes: list[int], distance: int) -> list[int]:
    """Each takes those near it that belong to nobody, in their order."""
    first = list(range(len(hashes)))
    for owner, value in enumerate(hashes):
        if first[owner] == owner:
            for other in range(owner + 1, len(hashes)):
                if first[other] == other and hamming(value, hashes[other]) <= distance:
                    first[other] = owner
    return first


def signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def near_a_few(chance: random.Random, count: int, centres: int, most: int) -> list[int]:
    """Different hashes, each some bits from one of a few."""
    middle = [chance.getrandbits(64) for _ in range(centres)]
    found: dict[int, None] = {}
    while len(found) < count:
        value = chance.choice(middle)
        for _ in range(chance.randint(0, most)):
            value ^= 1 << chance.randrange(64)
        found[signed(value)] = None
    return list(found)


@settings(deadline=None)  # the first example imports numpy
@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_clusters_are_those_that_comparing_all_would_find(chance: random.Random, distance: int) -> None:
    hashes = near_a_few(chance, chance.randint(1, WINDOW), 5, 8)
    found = nearest_first(hashes, distance)
    assert found is not None
    assert found.tolist() == slowly(hashes, distance)


@settings(deadline=None)
@given(st.lists(st.integers(-(2**63), 2**63 - 1), unique=True, max_size=WINDOW), st.integers(0, 64))
def test_any_hashes_at_any_distance_have_clusters(hashes: list[int], distance: int) -> None:
    found = nearest_first(hashes, distance)
    assert found is not None
    assert found.tolist() == slowly(hashes, distance)


@pytest.mark.parametrize("distance", [3, 6, 10])
def test_many_hashes_of_one_template_stay_near_their_first(distance: int) -> None:
    hashes = near_a_few(random.Random(distance), 3000, 3, 10)
    found = nearest_first(hashes, distance)
    assert found is not None
    for number, first in enumerate(found.tolist()):
        assert first <= number
        assert found[first] == first
        assert hamming(hashes[number], hashes[first]) <= distance
    dense = near_a_few(random.Random(1), 1000, 1, 3)
    found = nearest_first(dense, 6)
    assert found is not None
    assert len(set(found.tolist())) <= 3


def test_clusters_that_nobody_wants_any_more_are_none() -> None:
    assert nearest_first([1, 2], 3, lambda: False) is None
