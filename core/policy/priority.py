"""What is fetched first within a host: a small whole number, the larger the sooner, and one of three front queues.

The number is the sum of parts that Explain can show. It is computed once, when a URL enters the frontier.
"""

from __future__ import annotations

from typing import Literal

Front = Literal[0, 1, 2]

HIGHEST = 1000
LOWEST = -1000
HIGH = 70  # from here on the high front (0): in a breadth-first crawl depths 0 to 3
MIDDLE = 30  # from here on the middle front (1): depths 4 to 7; everything below is the low front (2)

PART_NAMES = ("depth", "seed", "bonus", "lastmod", "inlinks", "changes")
_WEEK = 7 * 86_400


def parts(
    order: str,
    depth: int,
    *,
    is_seed: bool = False,
    bonus: int = 0,
    lastmod_age: float | None = None,
    inlinks: int = 0,
    changes: int = 0,
) -> tuple[int, int, int, int, int, int]:
    """The parts of a priority in the order of PART_NAMES.

    `bonus` is the sum of the analyst's path-pattern bonuses, `lastmod_age` the seconds since a sitemap's lastmod,
    `changes` the changes seen in a row (negative: times in a row without a change).
    """
    fresh = freshness(lastmod_age)
    linked = min(10, inlinks.bit_length()) if inlinks > 1 else 0
    return (_by_depth(order, depth), 20 if is_seed else 0, bonus, fresh, linked, max(-10, min(10, 2 * changes)))


def total(numbers: tuple[int, ...]) -> int:
    """The priority made of its parts, between LOWEST and HIGHEST."""
    return max(LOWEST, min(HIGHEST, sum(numbers)))


def front(priority: int) -> Front:
    """The front queue of a priority: 0 high, 1 middle, 2 low."""
    if priority >= HIGH:
        return 0
    return 1 if priority >= MIDDLE else 2


def _by_depth(order: str, depth: int) -> int:
    """Breadth: ten points fewer a level; depth: ten more; score: depth counts half and leaves room for the bonus."""
    level = min(depth, 10)
    if order == "depth":
        return 10 * level
    return 100 - 10 * level if order == "breadth" else 50 - 5 * level


def freshness(age: float | None) -> int:
    """The part of a lastmod that is so many seconds old; None: there is none."""
    if age is None:
        return 0
    if age <= _WEEK:
        return 10
    return 5 if age <= 4 * _WEEK else 0
