"""Thirty days of recrawling, with the clock as an argument: the adaptive intervals against one interval for all.

`python -m tests.bench.bench_recrawl` prints how many looks each needs for the same freshness (the share of time in
which what the crawl holds is what the site has), and where the intervals end. Sites are made: pages change at random
moments (Poisson), most of them seldom, few of them often, as Cho and Garcia-Molina found it ("The evolution of the web
and implications for an incremental crawler", 2000).
"""

from __future__ import annotations

import bisect
import random
from dataclasses import dataclass

from core.policy.due import looks_in_a_row, next_interval
from core.settings import Recrawl

DAY = 86_400.0
DAYS = 30
PAGES = 2_000
MIXES: dict[str, tuple[tuple[float, float], ...]] = {  # share of the pages, mean seconds between two changes
    "a shop": ((0.05, DAY / 8), (0.15, DAY), (0.3, 10 * DAY), (0.5, 365 * DAY)),
    "news": ((0.1, DAY / 24), (0.1, DAY / 2), (0.8, 365 * DAY)),
    "an archive": ((0.01, DAY / 4), (0.04, 7 * DAY), (0.95, 3650 * DAY)),
    "all alike": ((1.0, 2 * DAY),),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`freshness` is a share of all time, `looks` counts requests, `last` is the mean of the last intervals."""

    freshness: float
    looks: int
    last: float


def changes_of(mean: float, chance: random.Random) -> list[float]:
    """The moments at which a page changes."""
    moments: list[float] = []
    at = chance.expovariate(1 / mean)
    while at < DAYS * DAY:
        moments.append(at)
        at += chance.expovariate(1 / mean)
    return moments


def watch(changes: list[float], recrawl: Recrawl, first: float) -> Outcome:
    """Look at one page for thirty days. `first` is when it is looked at for the second time."""
    end = DAYS * DAY
    looked, interval, in_a_row, stale, looks = 0.0, float(recrawl.first), 0, 0.0, 0
    due = first
    while due < end:
        stale += _stale(changes, looked, due)
        changed = bisect.bisect(changes, due) > bisect.bisect(changes, looked)
        in_a_row = looks_in_a_row(in_a_row, changed)
        interval = next_interval(interval, changed, recrawl, in_a_row)
        looked, due, looks = due, due + interval, looks + 1
    return Outcome(1 - (stale + _stale(changes, looked, end)) / end, looks, interval)


def _stale(changes: list[float], looked: float, until: float) -> float:
    """Seconds between the first change after a look and the next look."""
    number = bisect.bisect(changes, looked)
    return until - changes[number] if number < len(changes) and changes[number] < until else 0.0


def crawl(pages: list[list[float]], recrawl: Recrawl, chance: random.Random) -> Outcome:
    found = [watch(changes, recrawl, chance.uniform(0, recrawl.first)) for changes in pages]
    count = len(found)
    return Outcome(
        sum(one.freshness for one in found) / count, sum(one.looks for one in found), sum(o.last for o in found) / count
    )


def fixed(interval: float) -> Recrawl:
    seconds = max(1, round(interval))
    return Recrawl(first=seconds, shortest=seconds, longest=seconds)


def as_fresh(pages: list[list[float]], freshness: float) -> tuple[float, Outcome]:
    """The one interval for all pages that keeps them as fresh, and what it costs."""
    low, high = 600.0, DAYS * DAY
    for _ in range(18):
        middle = (low * high) ** 0.5
        if crawl(pages, fixed(middle), random.Random(2)).freshness < freshness:
            high = middle
        else:
            low = middle
    return low, crawl(pages, fixed(low), random.Random(2))


def main() -> None:
    for name, mix in MIXES.items():
        chance = random.Random(1)
        pages = [changes_of(mean, chance) for share, mean in mix for _ in range(round(share * PAGES))]
        adaptive = crawl(pages, Recrawl(), random.Random(2))
        hours, same = as_fresh(pages, adaptive.freshness)
        looks, as_many = adaptive.looks / len(pages), same.looks / len(pages)
        print(
            f"{name:<12} freshness {adaptive.freshness:.1%}  looks a page: adaptive {looks:6.1f}, "
            f"fixed {as_many:6.1f} (every {hours / 3600:.1f} h)  {as_many / looks:.2f} times"
        )
    lively = watch([n * 600.0 + 1 for n in range(DAYS * 144)], Recrawl(), DAY)
    quiet = watch([], Recrawl(), DAY)
    print(f"changes every round: interval ends at {lively.last / 3600:.1f} h; never: {quiet.last / DAY:.1f} days")


if __name__ == "__main__":
    main()
