"""When a page is looked at again.

Multiplicative, as the adaptive policy of Cho and Garcia-Molina ("Effective page refresh policies for Web crawlers",
2003) in its simplest form: the interval of a page that did not change grows, that of one that changed shrinks, between
the analyst's floor and ceiling. What repeats itself counts for more: ten looks in a row without a change let it grow
faster, three in a row with one let it shrink faster. Times are seconds since the epoch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.settings import Recrawl

LESS_OFTEN, MUCH_LESS_OFTEN = 1.3, 2.0  # chosen by tests/bench/bench_recrawl.py
MORE_OFTEN, MUCH_MORE_OFTEN = 2 / 3, 0.5
QUIET = 10  # looks in a row without a change
LIVELY = 3  # looks in a row with one


def next_interval(interval: float | None, changed: bool | None, recrawl: Recrawl, in_a_row: int = 0) -> float:
    """Seconds until the next look. `interval` is the last one (None: never looked before), `changed` what it showed.

    `changed` None means that nothing could be learnt (a failure): the interval stays. `in_a_row` is `looks_in_a_row`
    with this look.
    """
    if interval is None or interval <= 0:
        return _bounded(recrawl.first, recrawl)
    if changed is None:
        return _bounded(interval, recrawl)
    if changed:
        return _bounded(interval * (MUCH_MORE_OFTEN if in_a_row <= -LIVELY else MORE_OFTEN), recrawl)
    return _bounded(interval * (MUCH_LESS_OFTEN if in_a_row >= QUIET else LESS_OFTEN), recrawl)


def looks_in_a_row(before: int, changed: bool | None) -> int:
    """How many looks in a row showed no change, or (negative) one; a look that taught nothing changes nothing."""
    if changed is None:
        return before
    return min(before, 0) - 1 if changed else max(before, 0) + 1


def next_due(fetched: float, interval: float, lastmod: float | None = None) -> float:
    """When a page fetched at `fetched` is due; a sitemap's lastmod after that moment brings it forward to lastmod."""
    due = fetched + interval
    if lastmod is not None and lastmod > fetched:
        return min(due, lastmod)
    return due


def _bounded(interval: float, recrawl: Recrawl) -> float:
    # A floor above the ceiling is a slip of the analyst; the gentler of the two, the floor, wins.
    return max(float(recrawl.shortest), min(float(recrawl.longest), float(interval)))
