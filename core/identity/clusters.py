"""Which of a million hashes lie near one another, without comparing each with each.

Two hashes that differ in at most `d` bits, cut into `d + r` blocks, agree in at least `r` of them (pigeonhole; Manku et
al., WWW 2007). For each choice of `r` blocks the hashes are sorted by these, and only those that agree are compared:
with `r` so large that few agree by chance. Within one bucket no hash is compared with more than the next WINDOW, so
that a hundred thousand pages of one template cost no more than others; what that misses is found in further rounds,
among the first ones of the clusters.

A million hashes at a distance of 6: about 5 s and 200 MB.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

BITS = 64
WINDOW = 48  # how many of its bucket a hash is compared with
BY_CHANCE = 16  # hashes that agree, on average
MOST_CHOICES = 300  # of blocks: for each, a million hashes are sorted and compared in some 0.15 s
ROUNDS = 6


def nearest_first(
    hashes: Sequence[int], distance: int, wanted: Callable[[], bool] = lambda: True
) -> NDArray[np.intp] | None:
    """For each hash the place of the first one of its cluster, which is its own where it is near none before it.

    The hashes are signed 64-bit numbers, all different, in the order in which they may become first. Each is at most
    `distance` bits from its first. Two first ones are farther apart, unless there are more hashes among so near a
    neighbourhood than the window reaches in all rounds. None as soon as `wanted` says no.
    """
    import numpy as np

    values = np.array(hashes, dtype=np.int64).view(np.uint64)
    first = np.arange(len(values))
    places = first
    for _ in range(ROUNDS):
        found = _linked(values[places], distance, wanted)
        if found is None:
            return None
        left, right, cut = found
        _join(first, places[left], places[right])
        _take_along(first, values, distance)
        still = np.flatnonzero(first == np.arange(len(first)))
        if not cut or not len(left):
            break
        places = still
    return first


def _take_along(first: NDArray[np.intp], values: NDArray[np.uint64], distance: int) -> None:
    """Members of one that joined another go with it where they are near that one too; the others are free again."""
    import numpy as np

    moved = np.flatnonzero(first[first] != first)
    to = first[first[moved]]
    near = np.bitwise_count(values[moved] ^ values[to]) <= distance
    first[moved] = np.where(near, to, moved)


def _linked(
    values: NDArray[np.uint64], distance: int, wanted: Callable[[], bool]
) -> tuple[NDArray[np.intp], NDArray[np.intp], bool] | None:
    """All pairs found within the distance, the earlier place on the left, and whether a bucket was too full for all."""
    import numpy as np

    pairs: list[NDArray[np.uint64]] = []
    cut = False
    for blocks in _choices(len(values), distance):
        if not wanted():
            return None
        keys = _keys(values, blocks)
        order = np.argsort(keys, kind="stable")
        bucket, ordered = keys[order], values[order]
        near, full = _near_in_buckets(bucket, ordered, distance)
        cut = cut or full
        for left, right in near:
            low, high = np.minimum(order[left], order[right]), np.maximum(order[left], order[right])
            pairs.append(low.astype(np.uint64) << np.uint64(32) | high.astype(np.uint64))
    found = np.unique(np.concatenate(pairs)) if pairs else np.empty(0, np.uint64)
    low, high = found >> np.uint64(32), found & np.uint64(0xFFFFFFFF)
    return low.astype(np.intp), high.astype(np.intp), cut


def _near_in_buckets(
    bucket: NDArray[np.unsignedinteger[Any]], ordered: NDArray[np.uint64], distance: int
) -> tuple[list[tuple[NDArray[np.intp], NDArray[np.intp]]], bool]:
    """Places of hashes that agree in their bucket and lie within the distance."""
    import numpy as np

    found: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []
    left = np.arange(len(bucket))
    for step in range(1, WINDOW + 1):
        left = left[: np.searchsorted(left, len(bucket) - step)]
        left = left[bucket[left] == bucket[left + step]]
        if not len(left):
            return found, False
        near = left[np.bitwise_count(ordered[left] ^ ordered[left + step]) <= distance]
        if len(near):
            found.append((near, near + step))
    return found, True


def _choices(count: int, distance: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """The blocks that are compared first, each from a bit to another: every choice of as many as must agree."""
    agree = 1
    while count / 2 ** (BITS * agree / (distance + agree)) > BY_CHANCE:
        if comb(distance + agree + 1, agree + 1) > MOST_CHOICES:
            break
        agree += 1
    number = min(distance + agree, BITS)
    edges = [BITS * edge // number for edge in range(number + 1)]
    return combinations(tuple(pairwise(edges)), max(number - distance, 0))


def _keys(values: NDArray[np.uint64], blocks: tuple[tuple[int, int], ...]) -> NDArray[np.unsignedinteger[Any]]:
    """The chosen blocks side by side, in the smallest type: sorting 16 bits is quick."""
    import numpy as np

    keys = np.zeros(len(values), np.uint64)
    width = 0
    for low, high in blocks:
        block = values >> np.uint64(low) & np.uint64(2 ** (high - low) - 1)
        keys = keys << np.uint64(high - low) | block if width else block
        width += high - low
    return keys.astype(np.uint16 if width <= 16 else np.uint32 if width <= 32 else np.uint64)


def _join(first: NDArray[np.intp], left: NDArray[np.intp], right: NDArray[np.intp]) -> None:
    """In their order, each that belongs to nobody takes those near it that belong to nobody."""
    import numpy as np

    starts = np.flatnonzero(np.diff(left, prepend=-1)).tolist()
    for start, end in pairwise([*starts, len(left)]):
        owner = left[start]
        if first[owner] == owner:
            mine = right[start:end]
            first[mine[first[mine] == mine]] = owner
